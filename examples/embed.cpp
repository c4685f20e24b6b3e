// examples/embed.cpp: perp inside a simulation in C++.
//
// The same as embed.c, balls that fall into a box, as a class that owns its world. The memory grows
// while new things are met and is used again: after the balls have settled no step asks for more.
//
//     c++ -std=c++17 embed.cpp $(pkg-config --cflags --libs perp) && ./a.out
#include <array>
#include <cmath>
#include <cstdio>
#include <perp/perp.h>
#include <stdexcept>
#include <vector>

namespace
{

constexpr double radius = 0.1;

struct Plane {
    std::array<double, 3> normal;
    double offset; // normal . x >= offset
};

class Simulation
{
  public:
    Simulation(int balls, std::vector<Plane> walls) : walls_(std::move(walls))
    {
        const double mass = 1, inertia = 0.4 * mass * radius * radius;
        for (int i = 0; i < balls; i++) {
            perp_body b = perp_body_make(mass, inertia, inertia, inertia);
            const int layer = i / 9, row = i % 9 / 3, column = i % 3;
            b.position[0] = 0.25 * (column - 1) + 0.01 * (layer % 3);
            b.position[1] = 0.25 * (row - 1) - 0.01 * (layer % 2);
            b.position[2] = 0.2 + 0.25 * layer;
            bodies_.push_back(b);
        }
        world_.bodies = balls;
        world_.body = bodies_.data();
        world_.collide = &Simulation::collide;
        world_.ctx = this;
        solver_.base.tol = 1e-4;
        solver_.base.max_iter = 300;
        options_.dt = 0.005;
        options_.gravity[2] = -9.81;
        options_.solver = &solver_.base;
    }
    ~Simulation()
    {
        perp_world_free(&world_);
    }
    Simulation(const Simulation &) = delete;
    Simulation &operator=(const Simulation &) = delete;

    perp_step_report step()
    {
        perp_step_report report;
        if (perp_step(&world_, &options_, &report) < 0) throw std::runtime_error(report.detail);
        return report;
    }
    double time() const
    {
        return world_.time;
    }
    unsigned allocations() const
    {
        return world_.memory.allocations + world_.scratch[0].allocations;
    }

  private:
    // perp asks where the bodies touch; `body` has drifted, so that it is not bodies_.
    static bool collide(void *self, const perp_body *body, int n, double margin,
                        perp_contacts *list)
    {
        const auto &walls = static_cast<Simulation *>(self)->walls_;
        for (int i = 0; i < n; i++) {
            const double *x = body[i].position;
            for (int w = 0; w < static_cast<int>(walls.size()); w++) {
                const auto &m = walls[w].normal;
                const double gap =
                    m[0] * x[0] + m[1] * x[1] + m[2] * x[2] - walls[w].offset - radius;
                if (gap <= margin && !add(list, i, -1, x, m, gap, w)) return false;
            }
            for (int j = i + 1; j < n; j++) {
                const double *y = body[j].position;
                std::array<double, 3> d = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
                const double length = std::hypot(d[0], d[1], d[2]), gap = length - 2 * radius;
                if (gap > margin || length == 0) continue;
                for (double &component : d) component /= length;
                if (!add(list, i, j, x, d, gap, 0)) return false;
            }
        }
        return true;
    }

    static bool add(perp_contacts *list, int a, int b, const double *at,
                    const std::array<double, 3> &normal, double gap, int id)
    {
        perp_contact *c = perp_contacts_add(list, a, b);
        if (!c) return false;
        for (int k = 0; k < 3; k++) {
            c->normal[k] = normal[k];
            c->point[k] = at[k] - (radius + gap / 2) * normal[k];
        }
        c->gap = gap;
        c->mu = 0.5;
        c->id = id;
        return true;
    }

    std::vector<Plane> walls_;
    std::vector<perp_body> bodies_;
    perp_world world_ = {};
    perp_fc3d_nsgs_options solver_ = perp_fc3d_nsgs_defaults();
    perp_step_options options_ = perp_step_defaults();
};

} // namespace

int main()
{
    try {
        Simulation simulation(45, {{{0, 0, 1}, 0},
                                   {{1, 0, 0}, -0.4},
                                   {{-1, 0, 0}, -0.4},
                                   {{0, 1, 0}, -0.4},
                                   {{0, -1, 0}, -0.4}});
        perp_step_report report = {};
        for (int step = 0; step < 400; step++) report = simulation.step();
        const unsigned settled = simulation.allocations();
        for (int step = 0; step < 200; step++) report = simulation.step();
        std::printf("%.2f s, %d contacts, kinetic energy %.1e J\n", simulation.time(),
                    report.contacts, report.kinetic);
        std::printf("blocks of memory asked for: %u, since the balls have settled: %u\n", settled,
                    simulation.allocations() - settled);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
