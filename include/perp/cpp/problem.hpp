// perp/cpp/problem.hpp: the kinds of problems from views and callbacks.
#ifndef PERP_CPP_PROBLEM_HPP
#define PERP_CPP_PROBLEM_HPP

#include "perp/cpp/callback.hpp"

#include <cstdio>

namespace perp
{

// A problem as perp has it, with what it refuses and whose callbacks are behind it.
class problem
{
  public:
    problem() = default;
    explicit problem(const perp_problem &c) : c_(c)
    {
    }
    static problem refused(perp_status status, const char *why)
    {
        problem p;
        p.refuse(status, why);
        return p;
    }
    // Takes over what is wrong with a part, and its callbacks.
    template <class Part> problem &with(Part &part)
    {
        if (part.refusal()) refuse(PERP_E_ARGUMENT, part.refusal());
        if (!part.source()) return *this;
        if (count_ < most_sources)
            sources_[count_++] = part.source();
        else
            refuse(PERP_E_ARGUMENT, "more parts with callbacks than a problem has");
        return *this;
    }
    // A vector that is absent, or as long as the problem says.
    template <class T> problem &expect(const char *name, view<T> x, index n, bool optional = false)
    {
        if (optional && !x.data() && x.size() == 0) return *this;
        if (n < 0 || x.size() == static_cast<std::size_t>(n)) return *this;
        char text[sizeof error_.text];
        std::snprintf(text, sizeof text, "%s has %llu numbers where %d are expected", name,
                      static_cast<unsigned long long>(x.size()), n);
        refuse(PERP_E_ARGUMENT, text);
        return *this;
    }
    problem &name(const char *text)
    {
        c_.name = text;
        return *this;
    }
    // Of z and w.
    index size() const
    {
        return error_.status ? -1 : perp_size(&c_);
    }
    const perp_problem &get() const noexcept
    {
        return c_;
    }
    const perp_error &error() const noexcept
    {
        return error_;
    }
    // Throws what a callback of the problem threw in a call of the C API; perp::solve and
    // perp::certify have done it.
    void rethrow() const
    {
        detail::taken thrown;
        take(thrown);
        thrown.rethrow();
    }
    void take(detail::taken &thrown) const
    {
        for (int k = 0; k < count_; k++) thrown.from(*sources_[k]);
    }

  private:
    static constexpr int most_sources = 4; // matrices that a problem has, or its map

    void refuse(perp_status status, const char *why)
    {
        if (error_.status) return;
        error_.status = status;
        std::snprintf(error_.text, sizeof error_.text, "%s", why);
    }

    perp_problem c_ = {};
    perp_error error_ = {};
    detail::pending *sources_[most_sources] = {};
    int count_ = 0;
};

// 0 <= z, 0 <= M z + q, one of both 0 in each component.
inline problem lcp(const matrix &M, const_vector q)
{
    const index n = M.get().m;
    problem p(perp_make_lcp(n, M.get(), q.data()));
    return p.with(M).expect("q", q, n);
}

// The same with F by callback.
template <class F, class J> problem ncp(map<F, J> &f)
{
    problem p(perp_make_ncp(f.get()));
    return p.with(f);
}

// lo <= z <= hi and M z + q, or F by callback; absent bounds are infinite.
inline problem mcp(const matrix &M, const_vector q, const_vector lo = {}, const_vector hi = {})
{
    const index n = M.get().m;
    problem p(perp_make_mcp(n, M.get(), q.data(), lo.data(), hi.data()));
    return p.with(M).expect("q", q, n).expect("lo", lo, n, true).expect("hi", hi, n, true);
}
template <class F, class J> problem mcp(map<F, J> &f, const_vector lo = {}, const_vector hi = {})
{
    const index n = f.get().n;
    problem p(perp_make_mcp_map(f.get(), lo.data(), hi.data()));
    return p.with(f).expect("lo", lo, n, true).expect("hi", hi, n, true);
}

// Friction boxes: where k = follows[i] is not -1, |z_i| <= mu_i max(z_k, 0) (ODE's findex).
inline problem friction_boxes(const matrix &M, const_vector q, const_vector lo, const_vector hi,
                              view<const index> follows, const_vector mu)
{
    const index n = M.get().m;
    perp_problem c = perp_make_mcp(n, M.get(), q.data(), lo.data(), hi.data());
    c.as.mcp.follows = follows.data();
    c.as.mcp.mu = mu.data();
    problem p(c);
    p.with(M).expect("q", q, n).expect("lo", lo, n, true).expect("hi", hi, n, true);
    return p.expect("follows", follows, n).expect("mu", mu, n);
}

// Coulomb friction, u = W r + q, three numbers a contact, the normal first.
inline problem fc3d(const matrix &W, const_vector q, const_vector mu)
{
    const index n = W.get().m, contacts = detail::to_index(mu.size());
    problem p(perp_make_fc3d(contacts, W.get(), q.data(), mu.data()));
    return p.with(W).expect("q", q, n).expect("mu", mu, n / 3);
}

// The same in the bodies' velocities: M v = f + H r + G l, u = H'v + w, G'v + b = 0.
inline problem fc3d_bodies(const matrix &M, const_vector f, const matrix &H, const_vector mu,
                           const_vector w = {}, const matrix &G = {}, const_vector b = {})
{
    perp_problem c = {};
    c.kind = PERP_KIND_FC3D;
    c.as.fc3d.contacts = detail::to_index(mu.size());
    c.as.fc3d.form = PERP_FORM_BODY;
    c.as.fc3d.mu = mu.data();
    c.as.fc3d.M = M.get();
    c.as.fc3d.H = H.get();
    c.as.fc3d.G = G.get();
    c.as.fc3d.f = f.data();
    c.as.fc3d.w = w.data();
    c.as.fc3d.b = b.data();
    problem p(c);
    p.with(M).with(H).with(G).expect("f", f, M.get().m).expect("mu", mu, H.get().n / 3);
    return p.expect("w", w, H.get().n, true).expect("b", b, G.get().n, true);
}

// Cones with groups of rows, balls, boxes and free rows, u = W z + q; perp/problem.h says what the
// arrays mean. Without s it is mu.
struct cone_rows {
    view<const index> follows = {}, group = {};
    const_vector mu = {}, s = {}, lo = {}, hi = {};
};
inline problem cone(const matrix &W, const_vector q, const cone_rows &in = {})
{
    const index n = W.get().m;
    perp_problem c = {};
    c.kind = PERP_KIND_CONE;
    c.as.cone.n = n;
    c.as.cone.W = W.get();
    c.as.cone.q = q.data();
    c.as.cone.lo = in.lo.data();
    c.as.cone.hi = in.hi.data();
    c.as.cone.follows = in.follows.data();
    c.as.cone.group = in.group.data();
    c.as.cone.mu = in.mu.data();
    c.as.cone.s = in.s.data();
    problem p(c);
    p.with(W).expect("q", q, n).expect("lo", in.lo, n, true).expect("hi", in.hi, n, true);
    p.expect("follows", in.follows, n, true).expect("group", in.group, n, true);
    return p.expect("mu", in.mu, n, true).expect("s", in.s, n, true);
}

// The same in the bodies' velocities: M v = f + H z + G l, u = H'v + R z + w, G'v + b = 0. R is the
// compliance of the rows; without it contacts are rigid.
struct cone_bodies_data {
    const_vector w = {};
    matrix G = {};
    const_vector b = {};
    matrix R = {};
};
inline problem cone_bodies(const matrix &M, const_vector f, const matrix &H,
                           const cone_rows &in = {}, const cone_bodies_data &more = {})
{
    const index n = H.get().n;
    perp_problem c = {};
    c.kind = PERP_KIND_CONE;
    c.as.cone.n = n;
    c.as.cone.form = PERP_FORM_BODY;
    c.as.cone.M = M.get();
    c.as.cone.H = H.get();
    c.as.cone.G = more.G.get();
    c.as.cone.R = more.R.get();
    c.as.cone.f = f.data();
    c.as.cone.w = more.w.data();
    c.as.cone.b = more.b.data();
    c.as.cone.lo = in.lo.data();
    c.as.cone.hi = in.hi.data();
    c.as.cone.follows = in.follows.data();
    c.as.cone.group = in.group.data();
    c.as.cone.mu = in.mu.data();
    c.as.cone.s = in.s.data();
    problem p(c);
    p.with(M).with(H).with(more.G).with(more.R).expect("f", f, M.get().m);
    p.expect("w", more.w, n, true).expect("b", more.b, more.G.get().n, true);
    p.expect("lo", in.lo, n, true).expect("hi", in.hi, n, true);
    p.expect("follows", in.follows, n, true).expect("group", in.group, n, true);
    return p.expect("mu", in.mu, n, true).expect("s", in.s, n, true);
}

// min |A x - b|^2 / 2 with x >= 0 but where it is free.
inline problem nnls(const matrix &A, const_vector b, view<const bool> is_free = {})
{
    perp_problem c = perp_make_nnls(A.get(), b.data());
    c.as.nnls.is_free = is_free.data();
    problem p(c);
    p.with(A).expect("b", b, A.get().m);
    return p.expect("is_free", is_free, A.get().n, true);
}

// min x'Hx/2 + c'x with lo <= A x <= hi and xlo <= x <= xhi; z = (x, y), y the multipliers of A x.
struct qp_bounds {
    const_vector lo = {}, hi = {}, xlo = {}, xhi = {};
};
inline problem qp(const matrix &H, const_vector c, const matrix &A = {}, const qp_bounds &in = {})
{
    const index n = detail::to_index(c.size()), m = A.get().m;
    perp_problem made = perp_make_qp(n, m, H.get(), c.data(), A.get(), in.lo.data(), in.hi.data());
    made.as.qp.xlo = in.xlo.data();
    made.as.qp.xhi = in.xhi.data();
    problem p(made);
    p.with(H).with(A).expect("lo", in.lo, m, true).expect("hi", in.hi, m, true);
    return p.expect("xlo", in.xlo, n, true).expect("xhi", in.xhi, n, true);
}

} // namespace perp
#endif
