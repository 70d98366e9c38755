// The op catalogue, built from op_list.inc. Each record is defined in its own file as
// `extern const OpSpec op_<name>`.
#pragma once

#include "engine/model/op_catalog.h"

namespace engine {

#define MANTISSA_OP(name) extern const OpSpec op_##name;
#include "engine/ops/op_list.inc"
#undef MANTISSA_OP

const OpCatalog& opCatalog();

} // namespace engine
