// examples/eigen.cpp: perp on Eigen's matrices, without a copy.
//
//     c++ -std=c++17 -I/usr/include/eigen3 eigen.cpp $(pkg-config --cflags --libs perp) && ./a.out
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <cmath>
#include <cstdio>
#include <perp/perp.hpp>
#include <vector>

namespace
{

// A string of n points that hangs over an obstacle: a sparse LCP in the distances from it.
bool hang_string(perp::arena &memory)
{
    const int n = 1000;
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; i++) {
        entries.emplace_back(i, i, 2);
        if (i > 0) entries.emplace_back(i, i - 1, -1);
        if (i + 1 < n) entries.emplace_back(i, i + 1, -1);
    }
    Eigen::SparseMatrix<double> M(n, n);
    M.setFromTriplets(entries.begin(), entries.end());
    Eigen::VectorXd q = Eigen::VectorXd::Constant(n, 1e-4), z(n);
    q(0) = q(n - 1) = -0.5; // both ends are held above

    const perp::result r = perp::solve(perp::lcp(M, q), z, memory);
    const Eigen::VectorXd w = M * z + q;
    std::printf("string: %s, %d of %d points touch, smallest slack %.1e\n",
                perp_status_name(r.status), static_cast<int>((z.array() == 0).count()), n,
                w.minCoeff());
    return static_cast<bool>(r);
}

// The point of a simplex that is nearest to p: a QP whose matrix is stored row by row.
bool find_nearest(perp::arena &memory)
{
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> H =
        Eigen::MatrixXd::Identity(3, 3);
    const Eigen::Vector3d p(0.9, 0.6, -0.2), c = -p, zero = Eigen::Vector3d::Zero();
    const Eigen::RowVector3d ones = Eigen::RowVector3d::Ones();
    const double one[] = {1};
    Eigen::Vector4d z; // x, and the multiplier of the sum

    perp::qp_bounds bounds;
    bounds.lo = bounds.hi = one;
    bounds.xlo = zero;
    perp::solve(perp::qp(H, c, ones, bounds), z, memory).or_throw();
    std::printf("simplex: (%.2f, %.2f, %.2f)\n", z(0), z(1), z(2));
    return (z.head<3>() - Eigen::Vector3d(0.65, 0.35, 0)).norm() < 1e-8;
}

// 0 <= z, F(z) >= 0, one of both 0: F by a lambda, its Jacobian by differences.
bool find_equilibrium(perp::arena &memory)
{
    perp::map F(2, [](perp::const_vector at, perp::vector out) {
        const Eigen::Map<const Eigen::Vector2d> z(at.data());
        Eigen::Map<Eigen::Vector2d> f(out.data());
        f(0) = z(0) * z(0) + z(1) - 2;
        f(1) = z(1) - z(0) + 3;
    });
    Eigen::Vector2d z;
    perp::solve(perp::ncp(F), z, memory).or_throw();
    std::printf("equilibrium: (%.6f, %.6f)\n", z(0), z(1));
    return std::fabs(z(0) - std::sqrt(2.0)) < 1e-7 && z(1) < 1e-7;
}

} // namespace

int main()
{
    try {
        perp::arena memory;
        return !(hang_string(memory) && find_nearest(memory) && find_equilibrium(memory));
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
