// JPEG through libjpeg: grey or RGB, turned upright as EXIF says. libjpeg reports by longjmp: the functions that set
// its target own nothing that needs a destructor. Warnings that mean wrong or missing pixels are errors here.
#include "engine/document/array_readers.h"

#include <csetjmp>
#include <cstdio>

#include <jerror.h>
#include <jpeglib.h>

namespace engine {

namespace {

struct JpegDecoder {
    jpeg_decompress_struct info{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf escape;
    char message[JMSG_LENGTH_MAX] = {};
    bool isCutShort = false, isOpen = false;
    int orientation = 1;

    JpegDecoder() = default;
    JpegDecoder(const JpegDecoder&) = delete;
    JpegDecoder& operator=(const JpegDecoder&) = delete;
    ~JpegDecoder()
    {
        if (isOpen)
            jpeg_destroy_decompress(&info);
    }
};

[[noreturn]] void onError(j_common_ptr info)
{
    auto& d = *static_cast<JpegDecoder*>(info->client_data);
    info->err->format_message(info, d.message);
    d.isCutShort = info->err->msg_code == JWRN_JPEG_EOF || info->err->msg_code == JERR_INPUT_EMPTY;
    std::longjmp(d.escape, 1);
}

void onMessage(j_common_ptr info, int level)
{
    if (level >= 0)
        return;
    switch (info->err->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
        onError(info);
    default:
        break;
    }
}

// A progressive file of a few bytes a scan could keep the decoder busy for hours.
void onProgress(j_common_ptr info)
{
    constexpr int kMaxScans = 200;
    if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > kMaxScans)
        ERREXIT(info, JERR_BAD_PROGRESSION);
}

bool readHeader(JpegDecoder& d, ByteSpan bytes)
{
    if (setjmp(d.escape) != 0)
        return false;
    d.info.err = jpeg_std_error(&d.errors);
    d.errors.error_exit = onError;
    d.errors.emit_message = onMessage;
    d.info.client_data = &d;
    jpeg_create_decompress(&d.info);
    d.isOpen = true;
    d.progress.progress_monitor = onProgress;
    d.info.progress = &d.progress;
    d.info.mem->max_memory_to_use = static_cast<long>(decodedLimit(bytes.size()));
    jpeg_save_markers(&d.info, JPEG_APP0 + 1, 0xFFFF);
    jpeg_mem_src(&d.info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&d.info, TRUE);
    for (jpeg_saved_marker_ptr m = d.info.marker_list; m != nullptr && d.orientation == 1; m = m->next)
        d.orientation = exifOrientation({reinterpret_cast<const std::byte*>(m->data), m->data_length});
    return true;
}

// Where the pixel stored at (row, column) of h x w lies when upright.
std::size_t uprightIndex(int orientation, std::size_t row, std::size_t column, std::size_t h, std::size_t w)
{
    const bool isFlippedDown = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const bool isFlippedAcross = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const std::size_t r = isFlippedDown ? h - 1 - row : row, c = isFlippedAcross ? w - 1 - column : column;
    return orientation >= 5 ? c * h + r : r * w + c;
}

bool readRows(JpegDecoder& d, std::byte* out, std::byte* scratchRow, std::uint64_t memory)
{
    if (setjmp(d.escape) != 0)
        return false;
    d.info.out_color_space = d.info.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    d.info.dct_method = JDCT_ISLOW;
    d.info.mem->max_memory_to_use = static_cast<long>(memory);
    jpeg_start_decompress(&d.info);
    const std::size_t h = d.info.output_height, w = d.info.output_width;
    const auto channels = static_cast<std::size_t>(d.info.output_components);
    while (d.info.output_scanline < d.info.output_height) {
        const std::size_t y = d.info.output_scanline;
        auto* row = reinterpret_cast<JSAMPROW>(scratchRow);
        jpeg_read_scanlines(&d.info, &row, 1);
        for (std::size_t x = 0; x < w; ++x)
            std::memcpy(out + uprightIndex(d.orientation, y, x, h, w) * channels, scratchRow + x * channels, channels);
    }
    jpeg_finish_decompress(&d.info);
    return true;
}

Error failure(const JpegDecoder& d, const std::string& name, std::size_t size)
{
    if (d.isCutShort)
        return {"array-truncated", name + ", byte " + std::to_string(size), "the JPEG ends too early",
                "copy or download the file again"};
    const std::size_t left = d.info.src != nullptr ? d.info.src->bytes_in_buffer : size;
    return {"image-decode", name + ", byte " + std::to_string(size - std::min(left, size)),
            "the JPEG cannot be decoded: " + std::string(d.message), "save the image again with another program"};
}

} // namespace

Result<SourceArray> decodeJpeg(ByteSpan bytes, const std::string& name)
{
    JpegDecoder d;
    if (!readHeader(d, bytes))
        return failure(d, name, bytes.size());
    const J_COLOR_SPACE space = d.info.jpeg_color_space;
    if (space != JCS_GRAYSCALE && space != JCS_YCbCr && space != JCS_RGB)
        return Error{"image-decode", name,
                     space == JCS_CMYK || space == JCS_YCCK
                         ? "the JPEG is CMYK: its four inks have no RGB without a colour profile"
                         : "the JPEG has " + std::to_string(d.info.num_components) + " channels of an unknown kind",
                     "convert it to RGB or grey"};
    const auto channels = static_cast<std::size_t>(d.info.num_components);
    const std::uint64_t limit = decodedLimit(bytes.size());
    const std::uint64_t h = d.info.image_height, w = d.info.image_width;
    const bool isTurned = d.orientation >= 5;
    Result<Tensor> pixels = allocateImage(DType::u8, isTurned ? w : h, isTurned ? h : w, channels, name, limit);
    if (!pixels)
        return pixels.error();
    std::vector<std::byte> row(w * channels);
    // What the pixels leave is for the coefficients of a progressive file.
    if (!readRows(d, pixels->mutableRaw(), row.data(), limit - static_cast<std::uint64_t>(pixels->bytes()) + 1))
        return failure(d, name, bytes.size());
    return sourceArrayOf(std::move(*pixels));
}

} // namespace engine
