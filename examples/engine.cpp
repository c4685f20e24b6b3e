// examples/engine.cpp: perp under a physics engine that has its contacts in plain arrays.
//
// A train of crates slides down a slope. The engine has rows of Jacobians, as Bullet and ODE have
// them: one for each normal and one for each friction, whose bounds follow the normal force (ODE's
// findex). It makes A = J M^-1 J' row by row, and perp solves the boxes in a fixed buffer: no step
// asks for memory, and every step tells how good its answer is.
//
//     c++ -std=c++17 engine.cpp $(pkg-config --cflags --libs perp) && ./a.out
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <perp/perp.hpp>
#include <vector>

namespace
{

constexpr int crates = 6, coordinates = 2 * crates; // along the slope, and away from it
constexpr double dt = 0.01, gravity = 9.81, slope = 0.5;

struct Row {
    int first, second; // coordinates that it pushes, along +1 and -1; second -1: none
    int follows;       // the row whose force bounds this one, -1: it only pushes
    double mu;
};

std::vector<Row> find_contacts()
{
    std::vector<Row> rows;
    for (int c = 0; c < crates; c++) {
        const int normal = static_cast<int>(rows.size());
        rows.push_back({2 * c + 1, -1, -1, 0});
        rows.push_back({2 * c, -1, normal, c == 0 ? 0.9 : 0.1}); // the first crate brakes
        if (c > 0) rows.push_back({2 * c, 2 * (c - 1), -1, 0});  // pushed by the one above
    }
    return rows;
}

class Solver
{
  public:
    explicit Solver(std::vector<Row> rows)
        : rows_(std::move(rows)), A_(rows_.size() * rows_.size()), b_(rows_.size()),
          lo_(rows_.size()), hi_(rows_.size(), INFINITY), mu_(rows_.size()), force_(rows_.size()),
          follows_(rows_.size()), memory_(buffer_.data(), buffer_.size())
    {
        for (std::size_t i = 0; i < rows_.size(); i++) {
            mu_[i] = rows_[i].mu;
            follows_[i] = rows_[i].follows;
            for (std::size_t j = 0; j < rows_.size(); j++)
                A_[i * rows_.size() + j] = couple(rows_[i], rows_[j]);
        }
        options_.base.tol = 1e-10;
        options_.base.warm_start = true; // the forces of the step before
    }

    // Velocities v after the impulses of one step; what perp says of them.
    perp::result step(std::array<double, coordinates> &v)
    {
        const int n = static_cast<int>(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); i++) b_[i] = project(rows_[i], v);
        const perp::problem p =
            perp::friction_boxes(perp::dense_rows(n, n, A_), b_, lo_, hi_, follows_, mu_);
        const perp::result result = perp::solve(p, force_, memory_, options_);
        for (std::size_t i = 0; i < rows_.size(); i++) push(rows_[i], force_[i], v);
        return result;
    }

  private:
    static double project(const Row &r, const std::array<double, coordinates> &v)
    {
        const double first = v[static_cast<std::size_t>(r.first)];
        return r.second < 0 ? first : first - v[static_cast<std::size_t>(r.second)];
    }
    static void push(const Row &r, double impulse, std::array<double, coordinates> &v)
    {
        v[static_cast<std::size_t>(r.first)] += impulse; // masses are 1
        if (r.second >= 0) v[static_cast<std::size_t>(r.second)] -= impulse;
    }
    static double couple(const Row &a, const Row &b)
    {
        std::array<double, coordinates> unit = {};
        push(b, 1, unit);
        return project(a, unit);
    }

    std::vector<Row> rows_;
    std::vector<double> A_, b_, lo_, hi_, mu_, force_;
    std::vector<int> follows_;
    std::vector<std::byte> buffer_ = std::vector<std::byte>(1 << 20);
    perp::arena memory_;
    perp_mcp_dantzig_options options_ = perp_mcp_dantzig_defaults();
};

} // namespace

int main()
{
    Solver solver(find_contacts());
    std::array<double, coordinates> v = {};
    double worst = 0;
    for (int step = 0; step < 100; step++) {
        for (std::size_t c = 0; c < crates; c++) {
            v[2 * c] -= dt * gravity * std::sin(slope); // down the slope is negative
            v[2 * c + 1] -= dt * gravity * std::cos(slope);
        }
        const perp::result result = solver.step(v);
        if (!result) {
            std::fprintf(stderr, "step %d: %s\n", step, result.detail);
            return 1;
        }
        worst = std::fmax(worst, result.residual.value);
    }
    // All crates together: the mean of the frictions brakes them.
    const double mu = (0.9 + (crates - 1) * 0.1) / crates;
    const double expected = -gravity * (std::sin(slope) - mu * std::cos(slope));
    std::printf("after 1 s: %.6f m/s, expected %.6f; worst residual %.1e\n", v[0], expected, worst);
    return std::fabs(v[0] - expected) > 1e-9;
}
