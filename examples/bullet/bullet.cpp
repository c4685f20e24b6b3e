// examples/bullet/bullet.cpp: perp under Bullet, beside Bullet's own solvers.
//
// Boxes are stacked and should stay where they are: for each solver the milliseconds a step inside
// of it, how many of its problems it left unsolved or refused, and how far a centre moved after the
// first steps. A scene stands if none moved by more than 1 % of an edge.
//
//     c++ -std=c++17 bullet.cpp $(pkg-config --cflags --libs bullet perp)
//     ./a.out [--steps=500] [--boxes=10] [--rows=6] [--scene=NAME] [--solver=NAME] [--store=DIR]
//             [--check]
//
// With bullet-float64 in place of bullet Bullet computes in double precision. --store writes every
// 25th problem that perp is given, with its guess, as a .perp file. --check fails where a scene
// falls or perp refuses a problem; --explain prints why perp left one unsolved.
#include "perp_mlcp.hpp"
#include "scenes.hpp"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

namespace
{

const int settling = 50; // steps before a centre's place is marked

double processor_seconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct counts {
    double seconds = 0;
    int calls = 0, unsolved = 0, refused = 0, rows = 0;
};

// Any solver of mixed LCPs, timed.
class timed : public btMLCPSolverInterface
{
  public:
    explicit timed(btMLCPSolverInterface *solver) : solver_(solver)
    {
    }
    bool solveMLCP(const btMatrixXu &A, const btVectorXu &b, btVectorXu &x, const btVectorXu &lo,
                   const btVectorXu &hi, const btAlignedObjectArray<int> &follows, int iterations,
                   bool sparse) override
    {
        const double begin = processor_seconds();
        const bool fine = solver_->solveMLCP(A, b, x, lo, hi, follows, iterations, sparse);
        seen.seconds += processor_seconds() - begin;
        seen.calls++;
        if (!fine) seen.refused++;
        if (A.rows() > seen.rows) seen.rows = A.rows();
        return fine;
    }
    counts seen;

  private:
    btMLCPSolverInterface *solver_;
};

// Sequential impulses, timed.
class impulses : public btSequentialImpulseConstraintSolver
{
  public:
    counts seen;

  protected:
    btScalar solveGroupCacheFriendlyIterations(btCollisionObject **bodies, int n,
                                               btPersistentManifold **manifolds, int m,
                                               btTypedConstraint **constraints, int k,
                                               const btContactSolverInfo &info,
                                               btIDebugDraw *drawer) override
    {
        const double begin = processor_seconds();
        const btScalar left =
            btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
                bodies, n, manifolds, m, constraints, k, info, drawer);
        seen.seconds += processor_seconds() - begin;
        seen.calls++;
        return left;
    }
};

// perp, which counts what it leaves and stores what it is asked for.
class counted : public perp_mlcp
{
  public:
    int unsolved = 0, calls = 0;
    std::string folder, name;
    bool explains = false;

    bool solveMLCP(const btMatrixXu &A, const btVectorXu &b, btVectorXu &x, const btVectorXu &lo,
                   const btVectorXu &hi, const btAlignedObjectArray<int> &follows, int iterations,
                   bool sparse) override
    {
        std::vector<double> guess;
        for (int i = 0; i < x.rows(); i++) guess.push_back(static_cast<double>(x[i]));
        const bool fine = perp_mlcp::solveMLCP(A, b, x, lo, hi, follows, iterations, sparse);
        if (!fine || !result) unsolved++;
        if (!fine || (!result && explains))
            std::fprintf(stderr, "%s, call %d: %s\n", name.c_str(), calls, result.detail);
        if (!folder.empty() && calls % 50 == 0 && b.rows() > 0) store(guess); // and not the split
        calls++;
        return fine;
    }

  private:
    void store(const std::vector<double> &guess) const
    {
        perp_problem p = problem().get();
        const perp_matrix M = p.as.mcp.F.M;
        const std::size_t n = guess.size();
        std::vector<int> starts = {0}, row;
        std::vector<double> entry, dense(n * n);
        std::vector<double> unit(n), column(n);
        for (std::size_t j = 0; j < n; j++) {
            unit.assign(n, 0), unit[j] = 1;
            perp_mul(&M, 1, unit.data(), 0, column.data());
            for (std::size_t i = 0; i < n; i++) {
                if (column[i] == 0) continue;
                row.push_back(static_cast<int>(i)), entry.push_back(column[i]);
            }
            starts.push_back(static_cast<int>(row.size()));
        }
        const int size = static_cast<int>(n);
        p.as.mcp.F.M = perp_csc(size, size, starts.data(), row.data(), entry.data());
        perp_file file = {};
        file.problem = p;
        const double *guesses[] = {guess.data()};
        file.guesses = 1, file.guess = guesses;
        perp_error error = {};
        const std::string step = std::to_string(calls / 2),
                          path = folder + "/" + name + "_" + step + ".perp";
        const std::string text = "step " + step + " of a scene of examples/bullet/bullet.cpp";
        file.title = name.c_str(), file.description = text.c_str();
        if (perp_save_file(path.c_str(), &file, &error))
            std::fprintf(stderr, "%s: %s\n", path.c_str(), error.text);
    }
};

struct arguments {
    int steps = 500, boxes = 10, rows = 6; // of a stack, of the wall
    std::string scene, solver, store;
    bool check = false, explain = false;
};

struct scenery {
    const char *name;
    double ratio;         // 0: the wall
    bool both_directions; // friction of a contact in two fixed directions; else in one
};

// With one row of friction, as Bullet has it by itself, nothing holds a box across the direction
// that was chosen: a stack creeps.
const scenery scenes[] = {{"stack_1", 1, true},     {"stack_10", 10, true},
                          {"stack_100", 100, true}, {"stack_1000", 1000, true},
                          {"wall", 0, false},       {"wall_two", 0, true}};

enum choice { PERP, IMPULSES, DANTZIG, LEMKE, PGS };

struct contender {
    const char *name;
    choice what;
    int iterations;
    double tol;
};

const contender contenders[] = {
    {"perp", PERP, 0, 1e-8},
    {"perp_1e-6", PERP, 0, 1e-6},
    {"perp_1e-4", PERP, 0, 1e-4},
    {"perp_20", PERP, 20, 1e-8},
    {"impulses_10", IMPULSES, 10, 0},
    {"impulses_50", IMPULSES, 50, 0},
    {"impulses_200", IMPULSES, 200, 0},
    {"impulses_1000", IMPULSES, 1000, 0},
    {"impulses_5000", IMPULSES, 5000, 0},
    {"dantzig", DANTZIG, 0, 0},
    {"lemke", LEMKE, 0, 0},
    {"pgs_50", PGS, 50, 0},
    {"pgs_1000", PGS, 1000, 0},
};

// Does it pass --check?
bool print(const arguments &a, const scenery &s, const contender &c, const counts &seen,
           double moved)
{
    std::printf("%-10s  %-14s %9.3f %9d %8d   %9.2g  %s\n", s.name, c.name,
                1e3 * seen.seconds / a.steps, seen.unsolved, seen.refused, 100 * moved,
                moved <= 0.01 ? "stands" : "falls");
    std::fflush(stdout);
    return moved <= 0.01 && seen.refused == 0;
}

double simulate(const arguments &a, const scenery &s, const contender &c,
                btConstraintSolver *solver)
{
    const auto world =
        s.ratio > 0 ? make_stack(solver, a.boxes, s.ratio) : make_wall(solver, a.rows);
    if (s.both_directions) {
        world->info().m_solverMode |=
            SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION;
    }
    if (c.iterations > 0) world->info().m_numIterations = c.iterations;
    double moved = 0;
    for (int step = 0; step < a.steps; step++) {
        if (step == settling) world->mark();
        world->step();
        const double now = world->moved();
        if (!(now <= moved)) moved = now;
    }
    return moved;
}

bool run(const arguments &a, const scenery &s, const contender &c)
{
    if (c.what == IMPULSES) {
        impulses solver;
        const double moved = simulate(a, s, c, &solver);
        return print(a, s, c, solver.seen, moved);
    }
    counted perp;
    btDantzigSolver dantzig;
    btLemkeSolver lemke;
    btSolveProjectedGaussSeidel pgs;
    btMLCPSolverInterface *each[] = {&perp, nullptr, &dantzig, &lemke, &pgs};
    perp.options.base.tol = c.tol > 0 ? c.tol : 1e-8;
    if (c.iterations > 0) perp.options.base.max_iter = c.iterations;
    const char *precision = sizeof(btScalar) == 8 ? "" : "single_";
    perp.folder = a.store, perp.name = std::string("bullet_") + precision + s.name + "_of_" +
                                       std::to_string(s.ratio > 0 ? a.boxes : a.rows);
    perp.explains = a.explain;
    timed meter(each[c.what]);
    btMLCPSolver solver(&meter);
    const double moved = simulate(a, s, c, &solver);
    meter.seen.unsolved = perp.unsolved;
    return print(a, s, c, meter.seen, moved);
}

bool read(const char *text, const char *name, std::string &value)
{
    const std::size_t length = std::strlen(name);
    if (std::strncmp(text, name, length) != 0) return false;
    value = text + length;
    return true;
}

} // namespace

int main(int count, char **text)
{
    arguments a;
    std::string steps, boxes, rows;
    for (int i = 1; i < count; i++) {
        a.check |= std::strcmp(text[i], "--check") == 0;
        a.explain |= std::strcmp(text[i], "--explain") == 0;
        if (std::strcmp(text[i], "--check") == 0 || std::strcmp(text[i], "--explain") == 0)
            continue;
        const bool known = read(text[i], "--steps=", steps) || read(text[i], "--boxes=", boxes) ||
                           read(text[i], "--rows=", rows) || read(text[i], "--scene=", a.scene) ||
                           read(text[i], "--solver=", a.solver) ||
                           read(text[i], "--store=", a.store);
        if (known) continue;
        std::fprintf(stderr, "%s: unknown argument %s\n", text[0], text[i]);
        return 2;
    }
    if (!steps.empty()) a.steps = std::atoi(steps.c_str());
    if (!boxes.empty()) a.boxes = std::atoi(boxes.c_str());
    if (!rows.empty()) a.rows = std::atoi(rows.c_str());
    std::printf("Bullet %d.%02d in %s precision, %d steps of 1/60 s\n\n", BT_BULLET_VERSION / 100,
                BT_BULLET_VERSION % 100, sizeof(btScalar) == 8 ? "double" : "single", a.steps);
    std::printf("scene       solver           ms/step  unsolved  refused  moved / %%  \n");
    bool fine = true;
    for (const scenery &s : scenes) {
        if (!a.scene.empty() && a.scene != s.name) continue;
        for (const contender &c : contenders) {
            if (a.solver.empty() || a.solver == c.name) fine &= run(a, s, c);
        }
    }
    return a.check && !fine ? 1 : 0;
}
