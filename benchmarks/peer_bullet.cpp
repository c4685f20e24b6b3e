/* peer_bullet.cpp: the LCP solvers of Bullet in double precision: Lemke, Dantzig (a descendant of
 * ODE's) and projected Gauss-Seidel; the last two also on boxes, with friction that follows a
 * normal force (findex; Bullet says limit dependency).
 *
 * Dantzig destroys A, b and, with friction, the bounds, which are restored before each run and
 * outside of the time. Gauss-Seidel says solved when its last sweep changed nothing that matters.
 */
#include "peer.h"

#include <BulletDynamics/MLCPSolvers/btDantzigLCP.h>
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <limits>

namespace
{

enum choice { LEMKE, DANTZIG, PGS, PGS_150, PGS_5000 };
const double change = 1e-11; /* of the last sweep of Gauss-Seidel, over the size of x */
const int sweeps = 1000000;  /* the time ends before */
const int pivots = 1000;     /* as btLemkeSolver has it */

/* What an LCP and an affine MCP have in common. */
struct data {
    int n;
    const double *M, *q, *lo, *hi, *mu;
    const int *findex;

    explicit data(const perp_problem *p) : lo(nullptr), hi(nullptr), mu(nullptr), findex(nullptr)
    {
        bool lcp = p->kind == PERP_KIND_LCP;
        n = lcp ? p->as.lcp.n : p->as.mcp.F.n;
        M = lcp ? p->as.lcp.M.as.dense.x : p->as.mcp.F.M.as.dense.x;
        q = lcp ? p->as.lcp.q : p->as.mcp.F.q;
        if (lcp) return;
        lo = p->as.mcp.lo, hi = p->as.mcp.hi, mu = p->as.mcp.mu, findex = p->as.mcp.follows;
    }
    bool follows(int i) const
    {
        return findex && findex[i] >= 0;
    }
};

struct bullet {
    choice what;
    int n;
    btMatrixXu A; /* row by row */
    btVectorXu b, x, lo, hi, lo0, hi0;
    btLemkeAlgorithm lemke;
    btAlignedObjectArray<btScalar> copy, right, w;
    btAlignedObjectArray<int> follows;
    btDantzigScratchMemory scratch;

    bullet(choice c, const data &p, bool lcp)
        : what(c), n(p.n), A(n, n), b(n), x(n), lo(n), hi(n), lo0(n), hi0(n),
          lemke(btMatrixXu(), btVectorXu())
    {
        const double none = std::numeric_limits<double>::infinity();
        for (int i = 0; i < n; i++) {
            b[i] = -p.q[i];
            x[i] = 0;
            lo0[i] = p.follows(i) ? -p.mu[i] : lcp ? 0 : p.lo ? p.lo[i] : -none;
            hi0[i] = p.follows(i) ? p.mu[i] : p.hi ? p.hi[i] : none;
            follows.push_back(p.follows(i) ? p.findex[i] : -1);
            for (int j = 0; j < n; j++) A.setElem(i, j, p.M[static_cast<std::size_t>(j) * n + i]);
        }
        btVectorXu q(n);
        for (int i = 0; i < n; i++) q[i] = p.q[i];
        if (what == LEMKE) lemke.setSystem(A, q);
        copy.resize(n * n);
        right.resize(n);
        w.resize(n);
    }
};

void *open_bullet(const peer *self, const perp_problem *p, double)
{
    return new (std::nothrow)
        bullet(static_cast<choice>(self->choice), data(p), p->kind == PERP_KIND_LCP);
}

void ready_bullet(void *state)
{
    bullet *s = static_cast<bullet *>(state);
    if (s->what == DANTZIG) {
        const btScalar *from = s->A.getBufferPointer();
        for (int k = 0; k < s->n * s->n; k++) s->copy[k] = from[k];
        for (int i = 0; i < s->n; i++) s->right[i] = s->b[i];
    }
    for (int i = 0; i < s->n; i++) s->x[i] = 0, s->lo[i] = s->lo0[i], s->hi[i] = s->hi0[i];
}

int solve_lemke(bullet *s, double *z, int *iterations)
{
    btVectorXu both = s->lemke.solve(pivots); /* w, then z */
    for (int i = 0; i < s->n; i++) z[i] = both[s->n + i];
    *iterations = s->lemke.getSteps();
    return s->lemke.getInfo();
}

int solve_dantzig(bullet *s, double *z, int *iterations)
{
    for (int i = 0; i < s->n; i++) z[i] = 0;
    *iterations = 0; /* it does not say */
    bool good = btSolveDantzigLCP(s->n, &s->copy[0], z, &s->right[0], &s->w[0], 0,
                                  s->lo.getBufferPointerWritable(),
                                  s->hi.getBufferPointerWritable(), &s->follows[0], s->scratch);
    return good ? 0 : 1;
}

int solve_pgs(bullet *s, double *z, int *iterations)
{
    btSolveProjectedGaussSeidel pgs;
    double size = 0;
    for (int i = 0; i < s->n; i++) size += s->b[i] * s->b[i];
    bool whole = s->what == PGS;
    int most = whole ? sweeps : s->what == PGS_150 ? 150 : 5000;
    pgs.m_leastSquaresResidualThreshold = whole ? change * change * size : 0;
    pgs.solveMLCP(s->A, s->b, s->x, s->lo, s->hi, s->follows, most, false);
    for (int i = 0; i < s->n; i++) z[i] = s->x[i];
    *iterations = 0; /* it does not say */
    return pgs.m_leastSquaresResidual < pgs.m_leastSquaresResidualThreshold ? 0 : 1;
}

int solve_bullet(void *state, double *z, int *iterations)
{
    bullet *s = static_cast<bullet *>(state);
    switch (s->what) {
    case LEMKE: return solve_lemke(s, z, iterations);
    case DANTZIG: return solve_dantzig(s, z, iterations);
    default: return solve_pgs(s, z, iterations);
    }
}

void close_bullet(void *state)
{
    delete static_cast<bullet *>(state);
}

} // namespace

extern "C" const peer bullet_peers[] = {
    {"bullet/lemke", LEMKE, PERP_FORMAT_DENSE, false, open_bullet, ready_bullet, solve_bullet,
     close_bullet, PERP_KIND_LCP},
    {"bullet/dantzig", DANTZIG, PERP_FORMAT_DENSE, false, open_bullet, ready_bullet, solve_bullet,
     close_bullet, PERP_KIND_LCP},
    {"bullet/pgs", PGS, PERP_FORMAT_DENSE, false, open_bullet, ready_bullet, solve_bullet,
     close_bullet, PERP_KIND_LCP},
    {"bullet/box_dantzig", DANTZIG, PERP_FORMAT_DENSE, false, open_bullet, ready_bullet,
     solve_bullet, close_bullet, PERP_KIND_MCP},
    {"bullet/box_pgs", PGS, PERP_FORMAT_DENSE, false, open_bullet, ready_bullet, solve_bullet,
     close_bullet, PERP_KIND_MCP},
    {"bullet/box_pgs_150", PGS_150, PERP_FORMAT_DENSE, false, open_bullet, ready_bullet,
     solve_bullet, close_bullet, PERP_KIND_MCP},
    {"bullet/box_pgs_5000", PGS_5000, PERP_FORMAT_DENSE, false, open_bullet, ready_bullet,
     solve_bullet, close_bullet, PERP_KIND_MCP},
    {nullptr, 0, PERP_FORMAT_ABSENT, false, nullptr, nullptr, nullptr, nullptr, PERP_KIND_LCP},
};
