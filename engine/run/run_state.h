// Everything one request needs beside its plans: checked parameters, source values, reference, keys, and
// the caches that outlive the request.
#pragma once

#include "engine/analysis/analysis.h"
#include "engine/run/executor.h"

namespace engine {

// What measuring a node gave, kept between runs.
struct NodeMeasure {
    std::optional<ErrorMetrics> error;
    std::vector<CastReport> casts;
    std::vector<StoredReport> stored;
    Health health;
    int valueBits = 0;
};

struct RunCaches {
    explicit RunCaches(std::int64_t limit)
        : tensors(limit / 2), reference(limit / 4), measures(limit / 8), stages(limit / 8)
    {
    }
    LruCache<Tensor> tensors;
    LruCache<std::shared_ptr<const ReferenceNode>> reference;
    LruCache<std::shared_ptr<const NodeMeasure>> measures;
    LruCache<std::shared_ptr<const AttributionOutput>> stages;
};

class RunState {
public:
    using Batch = std::optional<std::pair<std::int64_t, std::int64_t>>;
    RunState(const RunRequest& request, const OpCatalog& ops, RunCaches& caches);

    // Parameters of all nodes whose op is known and whose values are valid.
    const std::map<NodeId, Params>& params() const { return m_params; }
    // Notes shapes and keys of the sources that a plan's steps draw from (no values yet).
    void addPlan(const Plan& plan);
    // Makes the source values, then the reference of every planned node.
    Status makeSources(const Exec& exec);
    Status makeReference(const Exec& exec, const std::function<void(const std::string&)>& onNode);

    const std::map<NodeId, std::map<std::string, DDTensor>>& sources() const { return m_sources; }
    const std::map<NodeId, std::map<std::string, ContentKey>>& sourceKeys() const { return m_sourceKeys; }
    const ReferenceNode* reference(NodeId id) const;
    ContentKey referenceKey(NodeId id) const;
    bool referenceReused() const { return m_referenceReused && !m_referenceMade; } // all of it came from the cache
    std::int64_t referenceBytes() const;                                           // predicted, of all planned nodes
    RunCaches& caches() { return m_caches; }
    const RunRequest& request() const { return m_request; }

private:
    struct PlannedSource {
        NodeId node;
        std::string port;
        Shape shape;
    };
    const Source& sourceOf(NodeId node, const std::string& port) const;
    Result<std::shared_ptr<const ReferenceNode>> referenceNode(const PlannedNode& node, ContentKey key,
                                                               const Exec& exec);
    ContentKey operandKey(const PlannedNode& node, const PortSpec& port) const;
    DDTensor operandValue(const PlannedNode& node, const PortSpec& port) const;

    const RunRequest& m_request;
    const OpCatalog& m_ops;
    RunCaches& m_caches;
    std::map<NodeId, Params> m_params;
    std::map<std::string, ContentKey> m_arrayKeys;
    std::vector<PlannedSource> m_plannedSources;
    std::map<NodeId, PlannedNode> m_planned; // runnable in at least one plan
    std::map<NodeId, std::map<std::string, DDTensor>> m_sources;
    std::map<NodeId, std::map<std::string, ContentKey>> m_sourceKeys;
    std::map<NodeId, std::shared_ptr<const ReferenceNode>> m_reference;
    std::map<NodeId, ContentKey> m_referenceKeys;
    bool m_referenceReused = false, m_referenceMade = false;
};

} // namespace engine
