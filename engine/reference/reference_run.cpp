#include "engine/reference/reference_run.h"

namespace engine {

Result<ReferenceNode> referenceOf(const OpSpec& spec, const Params& params, std::vector<DDTensor> operands, bool muted,
                                  const Exec& exec)
{
    ReferenceNode node;
    node.operands = std::move(operands);
    if (muted || !spec.reference) {
        node.output = node.operands.front();
        return node;
    }
    auto result = spec.reference({params, node.operands, exec});
    if (!result)
        return result.error();
    node.output = std::move(result->value);
    node.magnitudes = std::move(result->magnitudes);
    // What was limited upstream stays so.
    for (const DDTensor& o : node.operands)
        node.output.limited = node.output.limited || (!o.isNull() && o.limited);
    return node;
}

} // namespace engine
