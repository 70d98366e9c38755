// What tests of ops share: tensors from written values, checked parameters from a JSON object, and one call of a
// record's reference or CPU kernel with operands stored in the pair's multiply dtype.
#pragma once

#include "engine/model/convert.h"
#include "engine/model/op_spec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace support {

inline engine::DDTensor ddOf(const engine::Shape& shape, const std::vector<double>& hi,
                             const std::vector<double>& lo = {})
{
    using engine::DDTensor;
    DDTensor t = DDTensor::allocate(shape, lo.empty() ? DDTensor::Lo::Absent : DDTensor::Lo::Present);
    std::copy(hi.begin(), hi.end(), t.mutableHi());
    if (!lo.empty())
        std::copy(lo.begin(), lo.end(), t.mutableLo());
    return t;
}

inline engine::Tensor tensorOf(engine::DType dtype, const engine::Shape& shape, const std::vector<double>& values)
{
    return engine::convertSource(ddOf(shape, values), dtype, engine::SerialExec());
}

inline std::vector<double> valuesOf(const engine::Tensor& t)
{
    std::vector<double> v;
    for (std::int64_t i = 0; i < t.elements(); ++i)
        v.push_back(engine::elementAsDouble(t, i));
    return v;
}

inline std::vector<double> valuesOf(const engine::DDTensor& t)
{
    return {t.hi(), t.hi() + t.elements()};
}

// Parameters of a record from a JSON object, by the kinds that the record declares.
inline engine::Result<engine::Params> paramsOf(const engine::OpSpec& spec, std::string_view object)
{
    engine::ParamMap map;
    const nlohmann::json j = nlohmann::json::parse(object, nullptr, false);
    if (!j.is_object())
        return engine::Error{"test", {}, "not a JSON object: " + std::string(object), {}};
    for (const auto& [key, value] : j.items()) {
        const auto it =
            std::find_if(spec.params.begin(), spec.params.end(), [&k = key](const auto& p) { return p.name == k; });
        if (it == spec.params.end())
            return engine::Error{"test", {}, "no parameter " + key, {}};
        engine::Result<engine::ParamValue> v = engine::paramFromJson(it->kind, value.dump(), "test");
        if (!v)
            return v.error();
        map.emplace(key, *v);
    }
    return engine::Params::check(spec.params, map, "test");
}

inline std::vector<std::optional<engine::Shape>> present(const std::vector<engine::Shape>& shapes)
{
    return {shapes.begin(), shapes.end()};
}

inline engine::Result<engine::ReferenceResult> runReference(const engine::OpSpec& spec, const engine::Params& params,
                                                            const std::vector<engine::DDTensor>& operands)
{
    const engine::SerialExec exec;
    return spec.reference({params, operands, exec});
}

inline engine::Result<engine::Tensor> runCpu(const engine::OpSpec& spec, const engine::Params& params,
                                             engine::ComputePair pair, const std::vector<engine::Tensor>& operands)
{
    const engine::SerialExec exec;
    return spec.cpu({params, operands, pair, exec});
}

} // namespace support
