// examples/bullet/perp_mlcp.hpp: perp as a solver of mixed LCPs for Bullet, in single and in double
// precision.
//
//     perp_mlcp mlcp;
//     btMLCPSolver solver(&mlcp);
//     btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
//
// Bullet asks for x with lo <= x <= hi, times x of the normal where a row is friction, and A x - b
// of the signs that belong to it. perp answers in doubles, with what it certifies in `result`;
// where a limit of `options` ends it first, the best x so far is taken. Bullet's own number of
// iterations is not read.
#ifndef PERP_MLCP_HPP
#define PERP_MLCP_HPP

#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <perp/perp.hpp>

#include <cmath>
#include <vector>

class perp_mlcp : public btMLCPSolverInterface
{
  public:
    perp_plain_options options = perp_mcp_auto_defaults();
    perp::result result = {};

    bool solveMLCP(const btMatrixXu &A, const btVectorXu &b, btVectorXu &x, const btVectorXu &lo,
                   const btVectorXu &hi, const btAlignedObjectArray<int> &follows, int,
                   bool = true) override
    {
        const int n = b.rows();
        if (n == 0) return true;
        resize(static_cast<std::size_t>(n));
        for (int i = 0; i < n; i++) {
            const bool slides = follows[i] >= 0;
            const auto at = static_cast<std::size_t>(i);
            q_[at] = -static_cast<double>(b[i]), z_[at] = static_cast<double>(x[i]);
            mu_[at] = slides ? static_cast<double>(hi[i]) : 0, follows_[at] = follows[i];
            lo_[at] = slides || lo[i] <= -infinite ? -INFINITY : static_cast<double>(lo[i]);
            hi_[at] = slides || hi[i] >= infinite ? INFINITY : static_cast<double>(hi[i]);
        }
        const btScalar *entries = A.getBufferPointer();
        M_.assign(entries, entries + q_.size() * q_.size());
        options.base.warm_start = true; // Bullet has the impulses of the step before in x
        result = perp::solve(problem(), z_, memory_, options);
        if (result.status < 0) return false; // Bullet sweeps instead
        for (int i = 0; i < n; i++) x[i] = static_cast<btScalar>(z_[static_cast<std::size_t>(i)]);
        return true;
    }

    // The problem of the last call; valid until the next.
    perp::problem problem() const
    {
        const int n = static_cast<int>(q_.size());
        return perp::friction_boxes(perp::dense_rows(n, n, M_), q_, lo_, hi_, follows_, mu_);
    }

  private:
    static constexpr btScalar infinite = btScalar(1e10); // what Bullet writes for no bound

    void resize(std::size_t n)
    {
        for (std::vector<double> *v : {&q_, &lo_, &hi_, &mu_, &z_}) v->resize(n);
        follows_.resize(n);
    }

    std::vector<double> M_, q_, lo_, hi_, mu_, z_;
    std::vector<int> follows_;
    perp::arena memory_;
};

#endif
