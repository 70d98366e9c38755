// PNG through libpng: samples as stored. Palettes are expanded, low-depth greys keep their k and depth, gamma and
// other ancillary chunks are ignored, alpha is dropped unless asked for. libpng reports by longjmp: the functions
// that set its target own nothing that needs a destructor.
#include "engine/document/array_readers.h"

#include <bit>
#include <csetjmp>
#include <png.h>

namespace engine {

namespace {

struct PngDecoder {
    png_structp png = nullptr;
    png_infop info = nullptr;
    const std::byte* bytes = nullptr;
    std::size_t size = 0, at = 0;
    bool isCutShort = false;
    char message[200] = {};
    Source::Channels channels = Source::Channels::Drop;
    // Set by readHeader: what the rows will hold.
    png_uint_32 width = 0, height = 0;
    int sampleDepth = 8, channelCount = 1, greyDepth = 8;

    PngDecoder() = default;
    PngDecoder(const PngDecoder&) = delete;
    PngDecoder& operator=(const PngDecoder&) = delete;
    ~PngDecoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

void onError(png_structp png, png_const_charp text)
{
    auto& d = *static_cast<PngDecoder*>(png_get_error_ptr(png));
    std::strncpy(d.message, text, sizeof d.message - 1);
    png_longjmp(png, 1);
}

void onWarning(png_structp, png_const_charp) {}

void onRead(png_structp png, png_bytep to, png_size_t count)
{
    auto& d = *static_cast<PngDecoder*>(png_get_io_ptr(png));
    if (count > d.size - d.at) {
        d.isCutShort = true;
        png_error(png, "the data ends too early");
    }
    std::memcpy(to, d.bytes + d.at, count);
    d.at += count;
}

void setTransforms(PngDecoder& d, int colorType, int depth)
{
    const bool keepsAlpha = d.channels == Source::Channels::Keep;
    const bool hasTransparency = png_get_valid(d.png, d.info, PNG_INFO_tRNS) != 0;
    if (colorType == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(d.png);
    else if (hasTransparency && keepsAlpha)
        png_set_tRNS_to_alpha(d.png); // also scales low-depth greys to 8 bits, exactly
    else if (depth < 8)
        png_set_packing(d.png);
    if (!keepsAlpha)
        png_set_strip_alpha(d.png);
    if (depth == 16 && std::endian::native == std::endian::little)
        png_set_swap(d.png);
    const bool isLowGrey = colorType == PNG_COLOR_TYPE_GRAY && depth < 8 && !(hasTransparency && keepsAlpha);
    d.greyDepth = isLowGrey ? depth : 8;
}

bool readHeader(PngDecoder& d)
{
    if (setjmp(png_jmpbuf(d.png)) != 0)
        return false;
    png_set_read_fn(d.png, &d, onRead);
    // Decompressed chunks that nobody reads here cost nothing, and no chunk costs much.
    static constexpr png_byte kIgnored[] = "iCCP\0zTXt\0iTXt\0tEXt\0sPLT\0eXIf\0hIST\0tIME";
    png_set_keep_unknown_chunks(d.png, PNG_HANDLE_CHUNK_NEVER, kIgnored, 8);
    png_set_chunk_malloc_max(d.png, png_alloc_size_t{1} << 20);
    png_set_user_limits(d.png, 0x7fffffff, 0x7fffffff);
    png_read_info(d.png, d.info);
    int depth = 0, colorType = 0;
    png_get_IHDR(d.png, d.info, &d.width, &d.height, &depth, &colorType, nullptr, nullptr, nullptr);
    setTransforms(d, colorType, depth);
    d.sampleDepth = depth == 16 ? 16 : 8;
    d.channelCount = (colorType & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1;
    const bool hasAlpha = (colorType & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(d.png, d.info, PNG_INFO_tRNS) != 0;
    d.channelCount += hasAlpha && d.channels == Source::Channels::Keep ? 1 : 0;
    return true;
}

bool readRows(PngDecoder& d, std::byte* out, std::size_t rowBytes)
{
    if (setjmp(png_jmpbuf(d.png)) != 0)
        return false;
    const int passes = png_set_interlace_handling(d.png);
    png_read_update_info(d.png, d.info);
    if (png_get_rowbytes(d.png, d.info) != rowBytes)
        png_error(d.png, "the rows do not have the size that the header implies");
    for (int pass = 0; pass < passes; ++pass)
        for (png_uint_32 y = 0; y < d.height; ++y)
            png_read_row(d.png, reinterpret_cast<png_bytep>(out + y * rowBytes), nullptr);
    png_read_end(d.png, nullptr);
    return true;
}

Error failure(const PngDecoder& d, const std::string& name)
{
    const std::string place = name + ", byte " + std::to_string(d.at);
    if (d.isCutShort)
        return {"array-truncated", place, "the PNG ends too early", "copy or download the file again"};
    return {"image-decode", place, "the PNG cannot be decoded: " + std::string(d.message),
            "save the image again with another program"};
}

} // namespace

Result<SourceArray> decodePng(ByteSpan bytes, const std::string& name, Source::Channels channels)
{
    PngDecoder d;
    d.bytes = bytes.data();
    d.size = bytes.size();
    d.channels = channels;
    d.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &d, onError, onWarning);
    d.info = d.png ? png_create_info_struct(d.png) : nullptr;
    if (!d.info)
        return Error{"image-decode", name, "libpng cannot start", "close other programs"};
    if (!readHeader(d))
        return failure(d, name);
    const auto channelCount = static_cast<std::size_t>(d.channelCount);
    Result<Tensor> pixels = allocateImage(d.sampleDepth == 16 ? DType::u16 : DType::u8, d.height, d.width, channelCount,
                                          name, decodedLimit(bytes.size()));
    if (!pixels)
        return pixels.error();
    const std::size_t rowBytes = std::size_t{d.width} * channelCount * static_cast<std::size_t>(d.sampleDepth / 8);
    if (!readRows(d, pixels->mutableRaw(), rowBytes))
        return failure(d, name);
    SourceArray image = sourceArrayOf(std::move(*pixels));
    if (d.greyDepth < 8)
        image.integerDepth = d.greyDepth;
    return image;
}

} // namespace engine
