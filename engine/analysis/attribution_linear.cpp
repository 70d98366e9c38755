// Ops linear in each operand (design 3.6): every stage is the float64 contraction of an operand *difference*, so its
// own rounding errors are n 2^-53 of the stage, not of the output; a difference that is zero costs nothing.
//   inherited  op(a - r, W)              (+ op(a, a_W - W) of a wired weight)
//   storage    op(a, W~ - W)             of an owned one
//   cast       op(c(a) - a, c(W~)) + op(a, c(W~) - W~)
// W enters a product with a difference: rounding it to float64 (its low part is below 2^-53 |W|) is of the same size
// as the rounding of the contraction itself. What all of this is off by stands in the remainder, arithmetic.
#include "engine/analysis/stages.h"

namespace engine {

namespace {

class LinearStages {
public:
    LinearStages(const AttributionInput& in, SignedStages& out) : m_in(in), m_out(out) {}

    Status run()
    {
        const Exec& exec = m_in.exec;
        const Tensor &x = m_in.arrived[0], &w = m_in.arrived[1], &castX = m_in.cast[0], &castW = m_in.cast[1];
        const DDTensor &r = m_in.reference[0], &source = m_in.reference[1];
        Status status = success();
        const auto term = [&](Stage stage, const Tensor& left, const Tensor& right, const Tensor& delta) {
            if (status.ok() && !delta.isNull())
                status = contract(stage, left.isNull() ? delta : left, right.isNull() ? delta : right);
        };
        term(Stage::Inherited, {}, high(source), difference(ElementReader(x), ElementReader(r), r.shape(), exec));
        term(stageOf(1), x, {}, difference(ElementReader(w), ElementReader(source), w.shape(), exec));
        term(Stage::Cast, {}, castW, difference(castX, x, x.shape(), exec));
        term(Stage::Cast, x, {}, difference(castW, w, w.shape(), exec));
        if (status.ok())
            bias();
        return status;
    }

private:
    Stage stageOf(std::size_t port) const { return isOwned(m_in, port) ? Stage::Storage : Stage::Inherited; }

    static Tensor high(const DDTensor& t)
    {
        Tensor out = Tensor::allocate(DType::f64, t.shape());
        std::copy_n(t.hi(), t.elements(), out.mutableData<double>());
        return out;
    }

    Status contract(Stage stage, const Tensor& x, const Tensor& w)
    {
        const auto left = asFloat64(x, m_in.exec), right = asFloat64(w, m_in.exec);
        if (!left || !right)
            return stoppedAnalysis();
        const auto y = m_in.spec.contract64({m_in.params, *left, *right, m_in.exec});
        if (!y)
            return y.error();
        addTo(m_out[stage], *y, 1, m_in.exec);
        return success();
    }

    void bias()
    {
        const int port = biasPort(m_in.spec);
        if (port < 0 || m_in.arrived[static_cast<std::size_t>(port)].isNull())
            return;
        const std::size_t p = static_cast<std::size_t>(port);
        const Tensor &b = m_in.arrived[p], &castB = m_in.cast[p];
        const Shape& shape = m_in.after.shape();
        addBias(m_out[stageOf(p)], difference(ElementReader(b), ElementReader(m_in.reference[p]), b.shape(), m_in.exec),
                shape, m_in.params, m_in.exec);
        addBias(m_out[Stage::Cast], difference(castB, b, b.shape(), m_in.exec), shape, m_in.params, m_in.exec);
    }

    const AttributionInput& m_in;
    SignedStages& m_out;
};

} // namespace

Status addLinearStages(const AttributionInput& in, SignedStages& out)
{
    Status status = LinearStages(in, out).run();
    if (!status)
        return status;
    // Arithmetic is the remainder of the exact differences at both ends.
    Tensor rest = out.total;
    for (Stage s : {Stage::Inherited, Stage::Storage, Stage::Cast, Stage::Output})
        addTo(rest, out[s], -1, in.exec);
    out[Stage::Arithmetic] = rest;
    return success();
}

} // namespace engine
