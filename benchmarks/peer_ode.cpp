/* peer_ode.cpp: the Dantzig LCP solver of the Open Dynamics Engine, as shipped by DART.
 *
 * dSolveLCP solves A x = b + w within bounds and destroys A and b, which are restored before each
 * run and outside of the time. It puts the factor, n^2 numbers, on the stack. */
#include "peer.h"

#include <dart/external/odelcpsolver/lcp.h>

#include <limits>
#include <new>
#include <vector>

namespace
{

struct ode {
    int n, ld;
    std::vector<double> A0, b0, A, b, lo, hi, w;
    std::vector<int> findex;
};

void *open_ode(const peer *, const perp_problem *problem, double)
{
    const perp_lcp *p = &problem->as.lcp;
    try {
        ode *s = new ode;
        std::size_t n = static_cast<std::size_t>(p->n);
        s->n = p->n;
        s->ld = p->n > 1 ? ((p->n - 1) | 3) + 1 : p->n; /* rows are padded to multiples of 4 */
        std::size_t ld = static_cast<std::size_t>(s->ld);
        s->A0.assign(n * ld, 0.0);
        s->b0.resize(n);
        s->lo.assign(n, 0.0);
        s->hi.assign(n, std::numeric_limits<double>::infinity());
        s->w.assign(n, 0.0);
        s->findex.assign(n, -1);
        for (std::size_t i = 0; i < n; i++) {
            s->b0[i] = -p->q[i];
            for (std::size_t j = 0; j < n; j++) s->A0[i * ld + j] = p->M.as.dense.x[j * n + i];
        }
        s->A = s->A0;
        s->b = s->b0;
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
    {"ode/dantzig", 0, PERP_DENSE, false, open_ode, ready_ode, solve_ode, close_ode, PERP_LCP},
    {nullptr, 0, PERP_ABSENT, false, nullptr, nullptr, nullptr, nullptr, PERP_LCP},
};
