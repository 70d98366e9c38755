/* The one seam between the program and the loadable module mantissa_cuda: plain C, versioned. The module exports a
 * single function, mantissa_cuda_module; everything else hangs on the table that it returns. A change of meaning here
 * is a new version number. The program includes this file and never a CUDA header. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MANTISSA_CUDA_MODULE_VERSION 1
#define MANTISSA_CUDA_MODULE_ENTRY "mantissa_cuda_module"

enum {
    MANTISSA_CUDA_READY = 0,
    MANTISSA_CUDA_NO_DRIVER = 1,      /* libcuda.so.1 is missing */
    MANTISSA_CUDA_DRIVER_TOO_OLD = 2, /* older than the runtime that the module was built with */
    MANTISSA_CUDA_NO_DEVICE = 3,
    MANTISSA_CUDA_FAILED = 4, /* anything else: see errorText */
    MANTISSA_CUDA_MAX_DEVICES = 16,
    MANTISSA_CUDA_TEXT = 256
};

typedef struct MantissaCudaDevice {
    char name[MANTISSA_CUDA_TEXT];
    int computeMajor, computeMinor;
    int64_t memoryBytes;
} MantissaCudaDevice;

typedef struct MantissaCudaDevices {
    int status;                        /* MANTISSA_CUDA_READY, ... */
    int driverVersion, runtimeVersion; /* 1000 * major + 10 * minor; driver 0: none */
    int count;                         /* of devices[] */
    MantissaCudaDevice devices[MANTISSA_CUDA_MAX_DEVICES];
    char errorText[MANTISSA_CUDA_TEXT]; /* what the runtime says; empty if ready */
} MantissaCudaDevices;

/* Kernels. All pointers are device memory, stream is a cudaStream_t or null; returns 0 or a CUDA error number. */
typedef void (*MantissaCudaFunction)(void); /* cast to the type of the op */
/* op "cast": elements of `from` to `to`, one rounding; saturate != 0: 8-bit floats clamp to the largest finite. */
typedef int (*MantissaCudaCast)(const void* source, void* target, int64_t elements, int saturate, void* stream);

typedef struct MantissaCudaKernel {
    const char* op;   /* "cast" */
    const char* from; /* dtype name: "float64" */
    const char* to;   /* "bfloat16", or "tf32" (float32 words) */
    MantissaCudaFunction function;
} MantissaCudaKernel;

typedef struct MantissaCudaModuleV1 {
    int version;                               /* first in every version */
    int minComputeMajor, minComputeMinor;      /* oldest device that the kernels run on */
    void (*devices)(MantissaCudaDevices* out); /* asks the driver; never fails, the status says what is wrong */
    const char* (*errorText)(int error);
    int (*allocate)(int64_t bytes, void** out);
    int (*release)(void* memory);
    int (*copyToDevice)(void* device, const void* host, int64_t bytes);
    int (*copyToHost)(void* host, const void* device, int64_t bytes); /* waits for the kernels before it */
    int kernelCount;
    const MantissaCudaKernel* kernels;
} MantissaCudaModuleV1;

/* The table of the asked version, or, if the module does not know it, of the newest that it has: look at `version`. */
typedef const MantissaCudaModuleV1* (*MantissaCudaModuleEntry)(int version);

#ifdef __cplusplus
}
#endif
