// tests/cpp/test_perp.cpp: perp/perp.hpp: refusals, what callbacks throw, memory, every kind.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <perp/perp.hpp>
#include <string>
#include <vector>

namespace
{

int failures = 0;

void expect(bool holds, const char *what, int line)
{
    if (holds) return;
    std::fprintf(stderr, "%s:%d: %s\n", __FILE__, line, what);
    failures++;
}
#define EXPECT(condition) expect(static_cast<bool>(condition), #condition, __LINE__)

bool near(double a, double b)
{
    return std::fabs(a - b) < 1e-7;
}

const std::vector<double> M = {2, 1, 1, 2}, q = {-5, -6};

void solves_every_kind()
{
    perp::arena memory;
    std::array<double, 2> z = {};
    EXPECT(perp::solve(perp::lcp(perp::dense(2, 2, M), q), z, memory));
    EXPECT(near(z[0], 4.0 / 3) && near(z[1], 7.0 / 3));

    const double hi[] = {1, 1};
    EXPECT(perp::solve(perp::mcp(perp::dense(2, 2, M), q, {}, hi), z, memory));
    EXPECT(near(z[0], 1) && near(z[1], 1));

    EXPECT(perp::solve(perp::nnls(perp::dense_rows(2, 2, M), q), z, memory));
    EXPECT(z[0] == 0 && z[1] == 0);
    const bool all_free[] = {true, true};
    EXPECT(perp::solve(perp::nnls(perp::dense(2, 2, M), q, all_free), z, memory));
    EXPECT(near(z[0], -4.0 / 3) && near(z[1], -7.0 / 3));

    std::array<double, 3> r = {};
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u[] = {-1, 3, 0}, mu[] = {0.5};
    EXPECT(perp::solve(perp::fc3d(perp::dense(3, 3, W), u, mu), r, memory));
    EXPECT(near(r[0], 1) && near(r[1], -0.5));

    // the same contact as a cone with one group
    const int follows[] = {-1, 0, 0}, group[] = {-1, 1, 1};
    const double row_mu[] = {0, 0.5, 0.5};
    perp::cone_rows rows;
    rows.follows = follows;
    rows.group = group;
    rows.mu = row_mu;
    r = {};
    EXPECT(perp::solve(perp::cone(perp::dense(3, 3, W), u, rows), r, memory));
    EXPECT(near(r[0], 1) && near(r[1], -0.5));

    // and in the velocities of a body of mass 1, with a compliance as large as its inverse mass
    const double push[] = {-1, 3, 0}, soft[] = {1, 0, 0, 0, 0, 0, 0, 0, 0};
    std::array<double, 6> both = {};
    perp::cone_bodies_data more;
    more.R = perp::dense(3, 3, soft);
    EXPECT(perp::solve(perp::cone_bodies(perp::dense(3, 3, W), push, perp::dense(3, 3, W), rows),
                       both, memory));
    EXPECT(near(both[0], 1) && near(both[1], -0.5) && near(both[3], 0) && near(both[4], 2.5));
    EXPECT(
        perp::solve(perp::cone_bodies(perp::dense(3, 3, W), push, perp::dense(3, 3, W), rows, more),
                    both, memory));
    EXPECT(near(both[0], 0.5) && near(both[1], -0.25) && near(both[3], -0.5));

    const double f[] = {-1, 3, 0};
    std::array<double, 6> rv = {};
    EXPECT(perp::solve(perp::fc3d_bodies(perp::dense(3, 3, W), f, perp::dense(3, 3, W), mu), rv,
                       memory));
    EXPECT(near(rv[0], 1) && near(rv[1], -0.5) && near(rv[4], 2.5));
}

void reads_every_format()
{
    perp::arena memory;
    std::array<double, 2> z = {};
    const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1};
    EXPECT(perp::solve(perp::lcp(perp::csc(2, 2, p, i, M), q), z, memory));
    EXPECT(perp::solve(perp::lcp(perp::csr(2, 2, p, i, M), q), z, memory));
    EXPECT(near(z[0], 4.0 / 3) && near(z[1], 7.0 / 3));
    const int rows[] = {0, 1}, blocks[] = {0};
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u[] = {-1, 3, 0}, mu[] = {0.5};
    std::array<double, 3> r = {};
    EXPECT(perp::solve(perp::fc3d(perp::bsr3(1, 1, rows, blocks, W), u, mu), r, memory));
    EXPECT(near(r[0], 1));
}

void refuses_sizes_that_do_not_fit()
{
    perp::arena memory;
    std::array<double, 2> z = {};
    std::array<double, 3> long_z = {};
    const auto refused = [&](const perp::problem &p, perp::vector at, const char *word) {
        const perp::result r = perp::solve(p, at, memory);
        EXPECT(r.refused() && r.status == PERP_E_ARGUMENT);
        EXPECT(std::string(r.detail).find(word) != std::string::npos);
    };
    refused(perp::lcp(perp::dense(2, 2, M), perp::const_vector(q.data(), 1)), z,
            "q has 1 numbers where 2 are expected");
    refused(perp::lcp(perp::dense(2, 3, M), q), z, "fewer numbers");
    refused(perp::lcp(perp::dense(2, 2, M), q), long_z, "z has 3 numbers where 2 are expected");
    const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1};
    refused(perp::lcp(perp::csc(3, 3, p, i, M), q), z, "n + 1");
    refused(perp::lcp(perp::csc(2, 2, p, perp::view<const int>(i, 3), M), q), z, "row indices");
    const int beyond[] = {0, 2, 40};
    refused(perp::lcp(perp::csc(2, 2, beyond, i, M), q), z, "beyond the entries");
    refused(perp::lcp(perp::csr(2, 2, beyond, i, M), q), z, "beyond the entries");
    refused(perp::lcp(perp::bsr3(1, 1, perp::view<const int>(beyond, 2), {}, {}), q), z,
            "beyond the entries");
    const auto F = [](perp::const_vector, perp::vector) {};
    const int two[] = {0, 1, 2};
    perp::map misfit(3, F, F, perp::csc(2, 2, two, perp::view<const int>(i, 2), q));
    refused(perp::ncp(misfit), long_z, "pattern is 2 x 2");
    perp::cone_rows rows;
    rows.mu = q;
    const double W[9] = {};
    refused(perp::cone(perp::dense(3, 3, W), long_z, rows), long_z, "mu has 2 numbers where 3");
    const perp::certificate c = perp::certify(perp::lcp(perp::dense(2, 2, M), q), long_z, memory);
    EXPECT(c.status == PERP_E_ARGUMENT && !c.holds(1));
}

void measures_and_throws_by_choice()
{
    perp::arena memory;
    const perp::problem p = perp::lcp(perp::dense(2, 2, M), q);
    std::vector<double> z(2), w(2);
    auto o = perp_lcp_psor_defaults();
    o.omega = 1.2;
    EXPECT(perp::solve(p, z, memory, o, w).or_throw());
    EXPECT(perp::certify(p, z, memory).holds(1e-8));
    o.base.max_iter = 1;
    EXPECT(!perp::solve(p, z, memory, o));
    bool thrown = false;
    try {
        perp::solve(p, z, memory, o).or_throw();
    } catch (const perp::error &e) {
        thrown = e.status() == PERP_MAX_ITER && e.what()[0];
    }
    EXPECT(thrown);
    EXPECT(perp::solve(p, z, memory, perp_find("lcp/lemke"), w) && near(w[0], 0));
    EXPECT(perp::solve(p, z, memory, nullptr, w)); // by lcp/auto
    perp_error error = {};
    perp_options *named = perp_options_new(memory.get(), "lcp/psor");
    EXPECT(perp_options_set(named, "omega", "1.2", &error) == PERP_SOLVED);
    EXPECT(perp::solve(p, z, memory, named));
    thrown = false;
    try {
        perp::solve(p, z, memory, perp_find("lcp/psr")).or_throw();
    } catch (const perp::error &e) {
        thrown = e.status() == PERP_E_OPTION &&
                 std::string(e.what()).find("lcp/psor") != std::string::npos;
    }
    EXPECT(thrown);
}

struct stop {
};

void passes_on_what_callbacks_throw()
{
    perp::arena memory;
    std::array<double, 1> z = {};
    int calls = 0;
    bool broken = true;
    perp::map F(
        1,
        [&](perp::const_vector at, perp::vector out) {
            if (broken && ++calls == 3) throw stop();
            out[0] = at[0] * at[0] - 4;
        },
        [](perp::const_vector at, perp::vector values) {
            values[0] = 2 * at[0] + 1e-3;
            return true;
        });
    const double start[] = {1}, typical[] = {2};
    z[0] = start[0];
    bool thrown = false;
    try {
        perp::solve(perp::ncp(F.typical(typical)), z, memory);
    } catch (const stop &) {
        thrown = true;
    }
    EXPECT(thrown && calls == 3);
    broken = false;
    EXPECT(perp::solve(perp::ncp(F), z, memory)); // what was thrown is forgotten
    EXPECT(near(z[0], 2));

    auto o = perp_ncp_auto_defaults();
    perp::monitor watch([](const perp_progress &) -> bool { throw stop(); });
    watch.attach(o);
    thrown = false;
    try {
        perp::solve(perp::ncp(F), z, memory, o);
    } catch (const stop &) {
        thrown = true;
    }
    EXPECT(thrown);
    perp::monitor cancel([](const perp_progress &) { return false; });
    cancel.attach(o);
    EXPECT(perp::solve(perp::ncp(F), z, memory, o).status == PERP_CANCELLED);
}

void multiplies_by_callables()
{
    perp::arena memory;
    std::array<double, 2> z = {};
    int products = 0;
    const auto multiply = [&](double a, perp::const_vector x, double b, perp::vector y) {
        if (products-- == 0) throw stop();
        for (std::size_t i = 0; i < 2; i++) {
            const double sum = M[i] * x[0] + M[i + 2] * x[1];
            y[i] = a * sum + (b != 0 ? b * y[i] : 0);
        }
    };
    perp::linear_operator A(2, 2, multiply, multiply);
    products = 1000000;
    EXPECT(perp::solve(perp::lcp(A, q), z, memory));
    EXPECT(near(z[0], 4.0 / 3) && near(z[1], 7.0 / 3));
    products = 2;
    bool thrown = false;
    try {
        perp::solve(perp::lcp(A, q), z, memory);
    } catch (const stop &) {
        thrown = true;
    }
    EXPECT(thrown);
}

// Several callbacks throw in one call: one of these reaches the caller, and none a later one.
void throws_once()
{
    perp::arena memory;
    bool broken = true;
    const double mu[] = {0.5}, f[] = {-1, 3, 0};
    const auto copy = [&](double a, perp::const_vector x, double b, perp::vector y) {
        if (broken) throw stop();
        for (std::size_t i = 0; i < 3; i++) y[i] = a * x[i] + (b != 0 ? b * y[i] : 0);
    };
    perp::linear_operator A(3, 3, copy, copy), H(3, 3, copy, copy);
    const std::array<double, 6> rv = {1, -0.5, 0, 0, 2.5, 0};
    const perp::problem p = perp::fc3d_bodies(A, f, H, mu);
    bool thrown = false;
    try {
        perp::certify(p, rv, memory);
    } catch (const stop &) {
        thrown = true;
    }
    EXPECT(thrown);
    broken = false;
    EXPECT(perp::certify(p, rv, memory).holds(1e-8)); // stale ones would be thrown here

    // A call of the C API leaves them, until they are asked for.
    broken = true;
    perp_residual residual;
    perp_certify(&p.get(), rv.data(), memory.get(), &residual);
    thrown = false;
    try {
        p.rethrow();
    } catch (const stop &) {
        thrown = true;
    }
    EXPECT(thrown);
    p.rethrow(); // and then no more

    // The map and the monitor throw in one solve.
    const auto chase = [&](perp::const_vector z, perp::vector F) {
        if (broken) throw stop();
        F[0] = z[0] - 3;
    };
    perp::map F(1, chase);
    auto o = perp_ncp_auto_defaults();
    perp::monitor watch([&](const perp_progress &) {
        if (broken) throw stop();
        return true;
    });
    watch.attach(o);
    const perp_progress at = {};
    EXPECT(!watch.called(&watch, &at)); // as a solver may after F has thrown
    std::array<double, 1> z = {};
    thrown = false;
    try {
        perp::solve(perp::ncp(F), z, memory, o);
    } catch (const stop &) {
        thrown = true;
    }
    EXPECT(thrown);
    broken = false;
    EXPECT(perp::solve(perp::ncp(F), z, memory, o) && near(z[0], 3));
}

void owns_its_memory()
{
    perp::arena memory;
    std::array<double, 2> z = {};
    const perp::problem p = perp::lcp(perp::dense(2, 2, M), q);
    EXPECT(perp::solve(p, z, memory));
    const unsigned before = memory.allocations();
    perp::arena moved = std::move(memory);
    EXPECT(moved.allocations() == before && before > 0);
    EXPECT(perp::solve(p, z, moved) && moved.allocations() == before);
    EXPECT(perp::solve(p, z, memory)); // an empty one serves again

    alignas(64) static unsigned char buffer[1 << 16];
    perp::arena fixed(buffer, sizeof buffer);
    EXPECT(perp::solve(p, z, fixed) && fixed.allocations() == 0);
    perp::arena small(buffer, 64);
    EXPECT(perp::solve(p, z, small).status == PERP_E_MEMORY);
}

void reads_files()
{
    perp::arena memory;
    std::array<double, 2> z = {};
    const perp::problem p = perp::load("/no/such/file.perp", memory);
    EXPECT(p.size() == -1 && p.error().status == PERP_E_FILE);
    EXPECT(perp::solve(p, z, memory).status == PERP_E_FILE);
}

} // namespace

int main()
{
    solves_every_kind();
    reads_every_format();
    refuses_sizes_that_do_not_fit();
    measures_and_throws_by_choice();
    passes_on_what_callbacks_throw();
    multiplies_by_callables();
    throws_once();
    owns_its_memory();
    reads_files();
    return failures != 0;
}
