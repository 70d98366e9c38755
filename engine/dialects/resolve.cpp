// The resolver: one node's question, answered by any dialect record. The order is that of
// reference/dtype-semantics section 3: creation rule, target, casts, mismatch, output, warning.
#include "engine/dialects/dialects.h"

#include <algorithm>

namespace engine {
namespace {

bool neverCasts(OpRole role)
{
    return role == OpRole::Source || role == OpRole::Cast || role == OpRole::Output;
}

bool isWeightLike(PortRole role)
{
    return role == PortRole::Weight || role == PortRole::Bias || role == PortRole::Statistic;
}

template <class Items> const auto* byOp(const Items& items, std::string_view op)
{
    const auto it = std::find_if(items.begin(), items.end(), [&](const auto& x) { return x.op == op; });
    return it == items.end() ? nullptr : &*it;
}

Behaviour behaviourOf(const DialectSpec& d, const DialectQuery& q)
{
    if (const OpBehaviour* own = byOp(d.opBehaviours, q.op))
        return own->behaviour;
    if (q.role == OpRole::Contraction && d.contractionBehaviour)
        return *d.contractionBehaviour;
    const Behaviour b = d.behaviour == Behaviour::Canonicalize ? d.afterCanonicalize : d.behaviour;
    return b == Behaviour::CastToLayer && !q.isLayer ? d.rawBehaviour : b;
}

std::string_view ruleName(Behaviour b)
{
    switch (b) {
    case Behaviour::CastToLayer:
        return "cast-to-layer";
    case Behaviour::Promote:
        return "promotion";
    case Behaviour::AutocastList:
        return "autocast";
    case Behaviour::Canonicalize:
        return "canonicalize";
    default:
        return "mismatch";
    }
}

// What is known while one question is answered: every operand's dtype now, and of what its content still is.
class Resolution {
public:
    Resolution(const DialectSpec& d, const DialectQuery& q) : m_d(d), m_q(q), m_demotion(byOp(d.demotions, q.op))
    {
        for (const OperandInfo& o : q.operands)
            m_now.push_back(o.dtype);
        m_content = m_now;
        m_layer = layerDtype();
        m_named = q.layerDtype.has_value() || m_layer != q.floatx;
    }

    DialectAnswer run()
    {
        Behaviour deciding = behaviourOf(m_d, m_q);
        if (!m_now.empty() && !neverCasts(m_q.role)) {
            if (m_d.behaviour == Behaviour::Canonicalize && canonicalize())
                describe(Behaviour::Canonicalize);
            apply(deciding);
            demote();
        }
        if (m_a.rule.empty())
            describe(deciding);
        if (!m_a.ok) {
            m_a.casts.clear();
            m_a.warning.clear();
            return m_a;
        }
        m_a.compute = m_now.empty() ? m_q.floatx : m_now.front();
        m_a.output = m_a.compute;
        addBiasApart();
        return m_a;
    }

private:
    DType layerDtype() const
    {
        if (m_q.layerDtype)
            return *m_q.layerDtype;
        for (const OperandInfo& o : m_q.operands)
            if (isWeightLike(o.role) && isFloat(o.dtype))
                return o.dtype;
        return m_q.floatx;
    }

    void cast(std::size_t i, DType to)
    {
        if (m_now[i] == to)
            return;
        const bool exact = isExactCast(m_content[i], to);
        m_a.casts.push_back({static_cast<int>(i), m_now[i], to, exact});
        m_now[i] = to;
        if (!exact)
            m_content[i] = to;
    }

    bool canonicalize()
    {
        for (std::size_t i = 0; i < m_now.size(); ++i)
            if (m_now[i] == DType::f64)
                cast(i, DType::f32);
        if (m_layer == DType::f64 && m_d.afterCanonicalize == Behaviour::CastToLayer) {
            if (m_d.warnWhen == WarnWhen::NamedFloat64 && m_named && m_q.isLayer)
                warn(DType::f64, DType::f32);
            m_layer = DType::f32;
        }
        return !m_a.casts.empty();
    }

    void apply(Behaviour b)
    {
        switch (b) {
        case Behaviour::CastToLayer:
            castToLayer();
            return requireEqual();
        case Behaviour::Promote:
            return promoteAll();
        case Behaviour::AutocastList:
            if (m_q.role != OpRole::Contraction || !m_d.autocast)
                return promoteAll();
            for (std::size_t i = 0; i < m_now.size(); ++i)
                if (m_now[i] == DType::f32 || m_now[i] == DType::f16 || m_now[i] == DType::bf16)
                    cast(i, *m_d.autocast);
            return requireEqual();
        case Behaviour::Error:
        case Behaviour::Explicit:
        case Behaviour::Canonicalize:
            if (const AcceptedPair* p = acceptedPair())
                for (std::size_t i = 0; i < m_now.size(); ++i)
                    cast(i, p->common);
            return requireEqual();
        }
    }

    void castToLayer()
    {
        if (!isFloat(m_layer))
            return;
        const bool integersToo =
            std::find(m_d.castsIntegers.begin(), m_d.castsIntegers.end(), m_q.op) != m_d.castsIntegers.end();
        for (std::size_t i = 0; i < m_now.size(); ++i) {
            if (!isFloat(m_now[i]) && !(integersToo && m_q.operands[i].role == PortRole::Activation))
                continue;
            if (m_now[i] != m_layer && m_a.warning.empty() && m_d.warnWhen == WarnWhen::DefaultedLayer && !m_named &&
                isFloat(m_now[i]) && !isWeightLike(m_q.operands[i].role))
                warn(m_now[i], m_layer);
            cast(i, m_layer);
        }
    }

    void promoteAll()
    {
        DType target = m_now.front();
        for (std::size_t i = 1; i < m_now.size(); ++i) {
            const std::optional<DType> join = promote(target, m_now[i]);
            if (!join)
                return refuse(i);
            target = *join;
        }
        if (m_demotion && m_demotion->operands && target == DType::f64)
            target = DType::f32;
        for (std::size_t i = 0; i < m_now.size(); ++i)
            cast(i, target);
    }

    const AcceptedPair* acceptedPair() const
    {
        if (m_now.size() != 2)
            return nullptr;
        for (const AcceptedPair& p : m_d.acceptedPairs)
            if (p.op == m_q.op && ((p.a == m_now[0] && p.b == m_now[1]) || (p.a == m_now[1] && p.b == m_now[0])))
                return &p;
        return nullptr;
    }

    void requireEqual()
    {
        for (std::size_t i = 1; i < m_now.size(); ++i)
            if (m_now[i] != m_now[0])
                return refuse(i);
    }

    void refuse(std::size_t i)
    {
        m_a.ok = false;
        m_a.mismatchOperand = static_cast<int>(i);
        const auto holds = [](const DialectError& e, DType d) {
            return e.dtypes.empty() || std::find(e.dtypes.begin(), e.dtypes.end(), d) != e.dtypes.end();
        };
        for (const DialectError& e : m_d.errors)
            if ((e.op.empty() || e.op == m_q.op) && holds(e, m_now[0]) && holds(e, m_now[i]))
                m_a.messages.emplace_back(e.context, fillDialectText(e.text, m_q.op, m_now[0], m_now[i]));
    }

    bool isBias(std::size_t i) const { return m_q.operands[i].role == PortRole::Bias; }

    // Operands first; a bias that is added apart follows once the result is known.
    void demote()
    {
        if (!m_a.ok || !m_demotion || !m_demotion->operands)
            return;
        for (std::size_t i = 0; i < m_now.size(); ++i)
            if (m_now[i] == DType::f64 && !(isBias(i) && m_demotion->bias != DemotedBias::Fused))
                cast(i, DType::f32);
    }

    void addBiasApart()
    {
        if (!m_demotion || m_demotion->bias == DemotedBias::Fused)
            return;
        for (std::size_t i = 0; i < m_now.size(); ++i) {
            if (!isBias(i) || m_now[i] != DType::f64)
                continue;
            m_a.separateBias = true;
            if (m_demotion->bias == DemotedBias::Narrowed) {
                if (m_a.compute == DType::f64)
                    m_a.resultCasts.push_back({-1, DType::f64, DType::f32, false});
                const bool exact = isExactCast(m_content[i], DType::f32);
                m_a.resultCasts.push_back({static_cast<int>(i), DType::f64, DType::f32, exact});
                m_a.output = DType::f32;
            } else if (m_a.compute != DType::f64) {
                m_a.resultCasts = {{-1, m_a.compute, DType::f64, isExactCast(m_a.compute, DType::f64)}};
                m_a.output = DType::f64;
            }
        }
    }

    void warn(DType from, DType to)
    {
        std::string text{m_d.warningText};
        const auto put = [&text](std::string_view key, std::string_view value) {
            if (const std::size_t at = text.find(key); at != std::string::npos)
                text.replace(at, key.size(), value);
        };
        put("{layer}", m_q.name.empty() ? m_q.op : m_q.name);
        put("{from}", dtypeName(from));
        put("{to}", dtypeName(to));
        m_a.warning = std::move(text);
    }

    void describe(Behaviour b)
    {
        m_a.rule = std::string(m_d.name) + "/" + std::string(ruleName(b));
        const bool hasInteger =
            std::any_of(m_a.casts.begin(), m_a.casts.end(), [](const CastDecision& c) { return !isFloat(c.from); });
        if (b == Behaviour::CastToLayer)
            m_a.sentence =
                std::string(hasInteger ? "This layer casts its inputs, integers included, to its own dtype, here "
                                       : "A layer casts its floating inputs to its own dtype, here ") +
                std::string(dtypeName(m_layer)) + " (" + std::string(m_d.title) + ").";
        else if (b == Behaviour::Promote)
            m_a.sentence = "Operands whose dtypes differ are cast to the narrowest dtype that holds them all (" +
                           std::string(m_d.title) + ").";
        else
            m_a.sentence = m_d.sentence;
    }

    const DialectSpec& m_d;
    const DialectQuery& m_q;
    const Demotion* m_demotion;
    std::vector<DType> m_now, m_content;
    DType m_layer = DType::f32;
    bool m_named = false;
    DialectAnswer m_a;
};

} // namespace

DialectAnswer resolve(const DialectSpec& dialect, const DialectQuery& query)
{
    return Resolution(dialect, query).run();
}

} // namespace engine
