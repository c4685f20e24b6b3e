/* examples/embed.c: perp inside a mechanics code of your own.
 *
 * Balls fall into a box. Bodies, shapes and collision detection are this program's; perp_step does
 * the rest, in two buffers that are given to it once: nothing is allocated, then or later. Impulses
 * of a step start the solve of the next by the contacts' ids. A step that is not solved in time
 * still moves the bodies, by the best impulses found, and says so.
 *
 *     cc embed.c $(pkg-config --cflags --libs perp) -lm && ./a.out */
#include <math.h>
#include <perp/perp.h>
#include <stdio.h>

#define BALLS 45
#define RADIUS 0.1
#define WALLS 5
#define STEPS 600

/* Fixed memory: what stays between steps, and scratch for one. */
static char kept[200000], scratch[4000000];

/* ---- this program's shapes ---- */

/* Half spaces n.x >= d: the floor and four walls. */
static const double wall[WALLS][4] = {
    {0, 0, 1, 0}, {1, 0, 0, -0.4}, {-1, 0, 0, -0.4}, {0, 1, 0, -0.4}, {0, -1, 0, -0.4},
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A contact of ball a, `gap` from b, along the unit normal from b to a. */
static bool add(perp_contacts *list, int a, int b, const double at[3], const double normal[3],
                double gap, int id)
{
    perp_contact *c = perp_contacts_add(list, a, b);
    if (!c) return false;
    for (int k = 0; k < 3; k++) {
        c->normal[k] = normal[k];
        c->point[k] = at[k] - (RADIUS + gap / 2) * normal[k];
    }
    c->gap = gap;
    c->mu = 0.5;
    c->id = id; /* the same pair next time: the same id */
    return true;
}

static bool touch_walls(const perp_body *body, int i, double margin, perp_contacts *list)
{
    const double *x = body[i].position;
    for (int w = 0; w < WALLS; w++) {
        double gap = dot(wall[w], x) - wall[w][3] - RADIUS;
        if (gap <= margin && !add(list, i, -1, x, wall[w], gap, w)) return false;
    }
    return true;
}

static bool touch_balls(const perp_body *body, int i, int n, double margin, perp_contacts *list)
{
    const double *x = body[i].position;
    for (int j = i + 1; j < n; j++) {
        const double *y = body[j].position;
        double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]}, length = sqrt(dot(d, d));
        if (length - 2 * RADIUS > margin || length == 0) continue;
        for (int k = 0; k < 3; k++) d[k] /= length;
        if (!add(list, i, j, x, d, length - 2 * RADIUS, WALLS)) return false;
    }
    return true;
}

/* perp asks: where do they touch? */
static bool touch(void *ctx, const perp_body *body, int n, double margin, perp_contacts *list)
{
    (void)ctx;
    for (int i = 0; i < n; i++) {
        if (!touch_walls(body, i, margin, list) || !touch_balls(body, i, n, margin, list))
            return false;
    }
    return true;
}

/* ---- the loop ---- */

/* Layers of 3 x 3, each a little askew. */
static void place(perp_body *body)
{
    double mass = 1, inertia = 0.4 * mass * RADIUS * RADIUS;
    for (int i = 0; i < BALLS; i++) {
        int layer = i / 9, row = i % 9 / 3, column = i % 3;
        body[i] = perp_body_make(mass, inertia, inertia, inertia);
        body[i].position[0] = 0.25 * (column - 1) + 0.01 * (layer % 3);
        body[i].position[1] = 0.25 * (row - 1) - 0.01 * (layer % 2);
        body[i].position[2] = 0.2 + 0.25 * layer;
    }
}

int main(void)
{
    static perp_body body[BALLS];
    perp_world world = {0};
    place(body);
    world.bodies = BALLS;
    world.body = body;
    world.collide = touch;
    perp_arena_fixed(&world.memory, kept, sizeof kept);
    perp_arena_fixed(&world.scratch[0], scratch, sizeof scratch);

    perp_fc3d_nsgs_options solver =
        perp_fc3d_nsgs_defaults(); /* sweeps: cheap, and good with a warm start */
    solver.base.tol = 1e-4;
    solver.base.max_iter = 300; /* no step costs more than that */
    perp_step_options options = perp_step_defaults();
    options.dt = 0.005;
    options.gravity[2] = -9.81;
    options.solver = &solver.base;

    double deepest = 0;
    int cut = 0; /* steps whose impulses are the best of 300 sweeps, not yet to the tolerance */
    perp_step_report report;
    for (int step = 0; step < STEPS; step++) {
        if (perp_step(&world, &options, &report) < 0) {
            fprintf(stderr, "%s\n", report.detail);
            return 1;
        }
        cut += report.unsolved > 0;
        if (report.overlap > deepest) deepest = report.overlap;
    }
    printf("%.2f s, %d contacts, kinetic energy %.1e J, deepest overlap %.2f %% of the radius\n",
           world.time, report.contacts, report.kinetic, 100 * deepest / RADIUS);
    printf("%d of %d steps used all their sweeps\n", cut, STEPS);
    printf("blocks of memory asked for: %u\n",
           world.memory.allocations + world.scratch[0].allocations);
    return 0;
}
