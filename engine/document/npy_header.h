// The header of an .npy file: a Python dict literal with three keys, read by a parser that knows nothing else.
#pragma once

#include "engine/model/dtype.h"
#include "engine/model/result.h"
#include "engine/model/shape.h"

#include <string_view>

namespace engine {

struct NpyHeader {
    DType dtype = DType::f64;
    bool isBigEndian = false;
    bool isFortran = false;
    Shape shape;
};
// `offset` is where the text begins in the file, for messages.
Result<NpyHeader> parseNpyHeader(std::string_view text, const std::string& name, std::size_t offset);

} // namespace engine
