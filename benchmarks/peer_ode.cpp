/* peer_ode.cpp: the Dantzig LCP solver of the Open Dynamics Engine, as shipped by DART.
 *
 * dSolveLCP solves A x = b + w within bounds, those of friction frozen at mu times the normal
 * forces that it has found when it comes to the first of them. It destroys A, b and these bounds,
 * which are restored before each run and outside of the time. It puts the factor, n^2 numbers, on
 * the stack. */
#include "peer.h"

#include <dart/external/odelcpsolver/lcp.h>

#include <limits>
#include <new>
#include <vector>

namespace
{

struct ode {
    int n, ld;
    std::vector<double> A0, b0, A, b, lo0, hi0, lo, hi, w;
    std::vector<int> findex;
};

/* Room, and the bounds of an LCP. */
ode *make_ode(int size, const double *M, const double *q)
{
    ode *s = new ode;
    std::size_t n = static_cast<std::size_t>(size);
    s->n = size;
    s->ld = size > 1 ? ((size - 1) | 3) + 1 : size; /* rows are padded to multiples of 4 */
    std::size_t ld = static_cast<std::size_t>(s->ld);
    s->A0.assign(n * ld, 0.0);
    s->b0.resize(n);
    s->lo0.assign(n, 0.0);
    s->hi0.assign(n, std::numeric_limits<double>::infinity());
    s->w.assign(n, 0.0);
    s->findex.assign(n, -1);
    for (std::size_t i = 0; i < n; i++) {
        s->b0[i] = -q[i];
        for (std::size_t j = 0; j < n; j++) s->A0[i * ld + j] = M[j * n + i];
    }
    return s;
}

void set_bounds(ode *s, const perp_mcp *p)
{
    const double none = std::numeric_limits<double>::infinity();
    for (int i = 0; i < s->n; i++) {
        bool follows = p->follows && p->follows[i] >= 0;
        s->findex[i] = follows ? p->follows[i] : -1;
        s->lo0[i] = follows ? -p->mu[i] : p->lo ? p->lo[i] : -none;
        s->hi0[i] = follows ? p->mu[i] : p->hi ? p->hi[i] : none;
    }
}

void *open_ode(const peer *, const perp_problem *p, double)
{
    try {
        if (p->kind == PERP_KIND_LCP)
            return make_ode(p->as.lcp.n, p->as.lcp.M.as.dense.x, p->as.lcp.q);
        const perp_map *F = &p->as.mcp.F;
        ode *s = make_ode(F->n, F->M.as.dense.x, F->q);
        set_bounds(s, &p->as.mcp);
        return s;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void ready_ode(void *state)
{
    ode *s = static_cast<ode *>(state);
    s->A = s->A0;
    s->b = s->b0;
    s->lo = s->lo0;
    s->hi = s->hi0;
}

int solve_ode(void *state, double *z, int *iterations)
{
    ode *s = static_cast<ode *>(state);
    for (int i = 0; i < s->n; i++) z[i] = 0;
    *iterations = 0; /* it does not say */
    bool good = dart::external::ode::dSolveLCP(s->n, s->A.data(), z, s->b.data(), s->w.data(), 0,
                                               s->lo.data(), s->hi.data(), s->findex.data());
    return good ? 0 : 1;
}

void close_ode(void *state)
{
    delete static_cast<ode *>(state);
}

} // namespace

extern "C" const peer ode_peers[] = {
    {"ode/dantzig", 0, PERP_FORMAT_DENSE, false, open_ode, ready_ode, solve_ode, close_ode,
     PERP_KIND_LCP},
    {"ode/box_dantzig", 0, PERP_FORMAT_DENSE, false, open_ode, ready_ode, solve_ode, close_ode,
     PERP_KIND_MCP},
    {nullptr, 0, PERP_FORMAT_ABSENT, false, nullptr, nullptr, nullptr, nullptr, PERP_KIND_LCP},
};
