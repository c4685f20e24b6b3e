/* generate/cone_rolling.c: gravel on rough ground: ellipsoids of 6 to 16 mm that roll, slide and
 * come to rest on the ground and on each other, a step of 1 ms, each contact with friction and
 * rolling friction (a cone of 1 + 2 + 2 rows: impulse along n, t1, t2, moment about t1, t2).
 *
 * W = H'M^-1 H: a moment moves its row about 1 / radius^2 = 1e4 times as much as an impulse does.
 * A solution exists: rock k at the speed k + 1 upwards leaves the ground and all rocks below it, as
 * no normal points down, so that some velocities open every contact. */
#include "problem_parts.h"

#define GRAVITY 9.81
#define DT 1e-3
#define DENSITY 2700.0
#define PI 3.14159265358979323846

typedef struct rock {
    double axis[3]; /* half, along the axes of the world */
    double mass, inertia[3];
    double v[3], spin[3]; /* at the end of the step, were there no contacts */
} rock;

/* What a contact's five rows do to a rock: u += row'(v, spin). */
typedef double contact_rows[5][6];

static double draw_radius(generator *g)
{
    return 0.006 + 0.01 * generator_unit(g);
}

static void draw_rock(generator *g, rock *r)
{
    double size = draw_radius(g), *x = r->axis;
    for (int i = 0; i < 3; i++) x[i] = size * (0.7 + 0.6 * generator_unit(g));
    r->mass = DENSITY * 4 / 3 * PI * x[0] * x[1] * x[2];
    for (int i = 0; i < 3; i++) {
        double a = x[(i + 1) % 3], b = x[(i + 2) % 3];
        r->inertia[i] = r->mass * (a * a + b * b) / 5;
        r->v[i] = 0.3 * generator_uniform(g);
        r->spin[i] = r->v[i] / size;
    }
    r->v[2] = -fabs(r->v[2]) - DT * GRAVITY;
}

/* A normal that points up, at most 60 degrees from it, and two directions across. */
static void draw_frame(generator *g, double frame[3][3])
{
    double up = 0.5 + 0.5 * generator_unit(g), angle = 2 * PI * generator_unit(g);
    double side = sqrt(1 - up * up), *n = frame[0], *t = frame[1];
    n[0] = side * cos(angle);
    n[1] = side * sin(angle);
    n[2] = up;
    t[0] = -sin(angle);
    t[1] = cos(angle);
    t[2] = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        frame[2][i] = n[j] * t[k] - n[k] * t[j];
    }
}

/* The rows of rock r, which the contact pushes along `sign` times its normal; it touches where the
 * ellipsoid's outward normal is the opposite. */
static void fill_rows(const rock *r, double frame[3][3], double sign, contact_rows row)
{
    double arm[3], length = 0;
    for (int i = 0; i < 3; i++) length += r->axis[i] * r->axis[i] * frame[0][i] * frame[0][i];
    length = sqrt(length);
    for (int i = 0; i < 3; i++) arm[i] = -sign * r->axis[i] * r->axis[i] * frame[0][i] / length;
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            row[d][i] = sign * frame[d][i];
            row[d][3 + i] = sign * (arm[j] * frame[d][k] - arm[k] * frame[d][j]);
            if (d == 0) continue;
            row[2 + d][i] = 0;
            row[2 + d][3 + i] = sign * frame[d][i];
        }
    }
}

typedef struct gravel {
    int rocks, contacts;
    rock *rock;
    int (*body)[2]; /* of a contact: a, and b or -1 for the ground */
    contact_rows (*rows)[2];
} gravel;

static bool draw_gravel(generator *g, int contacts, perp_arena *a, gravel *s)
{
    s->contacts = contacts;
    s->rocks = (2 * contacts + 2) / 3;
    s->rock = perp_alloc(a, (size_t)s->rocks, sizeof *s->rock);
    s->body = perp_alloc(a, (size_t)contacts, sizeof *s->body);
    s->rows = perp_alloc(a, (size_t)contacts, sizeof *s->rows);
    if (a->failed) return false;
    for (int k = 0; k < s->rocks; k++) draw_rock(g, &s->rock[k]);
    for (int c = 0; c < contacts; c++) {
        double frame[3][3];
        int top = c < s->rocks ? c : generator_below(g, s->rocks);
        int below = top > 0 && generator_below(g, 2) ? generator_below(g, top) : -1;
        s->body[c][0] = top;
        s->body[c][1] = below;
        draw_frame(g, frame);
        fill_rows(&s->rock[top], frame, 1, s->rows[c][0]);
        if (below >= 0) fill_rows(&s->rock[below], frame, -1, s->rows[c][1]);
    }
    return true;
}

/* x'M^-1 y of a rock. */
static double multiply(const rock *r, const double x[6], const double y[6])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += x[i] * y[i] / r->mass + x[3 + i] * y[3 + i] / r->inertia[i];
    return sum;
}

/* The 5 x 5 block of W of contacts c and d. */
static void add_block(const gravel *s, int c, int d, double *W)
{
    size_t n = 5 * (size_t)s->contacts;
    for (int side = 0; side < 4; side++) {
        int x = side / 2, y = side % 2, body = s->body[c][x];
        if (body < 0 || body != s->body[d][y]) continue;
        for (int j = 0; j < 5; j++) {
            for (int i = 0; i < 5; i++) {
                W[(5 * (size_t)d + (size_t)j) * n + 5 * (size_t)c + (size_t)i] +=
                    multiply(&s->rock[body], s->rows[c][x][i], s->rows[d][y][j]);
            }
        }
    }
}

static double find_velocity(const gravel *s, int c, int i)
{
    double u = 0;
    for (int side = 0; side < 2 && s->body[c][side] >= 0; side++) {
        const rock *r = &s->rock[s->body[c][side]];
        const double *row = s->rows[c][side][i];
        for (int k = 0; k < 3; k++) u += row[k] * r->v[k] + row[3 + k] * r->spin[k];
    }
    return u;
}

void make_cone_rolling(generator *g, int size, perp_arena *a, generated_problem *out)
{
    gravel s;
    if (size > 1000 || !draw_gravel(g, size, a, &s)) return;
    int n = 5 * size, *follows = perp_alloc(a, (size_t)n, sizeof *follows);
    int *group = perp_alloc(a, (size_t)n, sizeof *group);
    double *W = perp_alloc(a, (size_t)n * (size_t)n, sizeof *W), *q = problem_vector(a, n);
    double *mu = problem_vector(a, n), *lo = problem_vector(a, n), *hi = problem_vector(a, n);
    if (a->failed) return;
    for (int c = 0; c < size; c++) {
        double friction = 0.4 + 0.4 * generator_unit(g), rolling = 0.1 * draw_radius(g);
        for (int d = 0; d < size; d++) add_block(&s, c, d, W);
        for (int i = 0; i < 5; i++) {
            int row = 5 * c + i;
            q[row] = find_velocity(&s, c, i);
            follows[row] = i ? 5 * c : -1;
            group[row] = i == 0 ? -1 : i < 3 ? 5 * c + 1 : 5 * c + 3;
            mu[row] = i == 0 ? 0 : i < 3 ? friction : rolling;
            lo[row] = i ? -INFINITY : 0;
            hi[row] = INFINITY;
        }
    }
    out->p.kind = PERP_KIND_CONE;
    out->p.as.cone = (perp_cone){.n = n, .W = perp_dense(n, n, W), .q = q, .lo = lo, .hi = hi};
    out->p.as.cone.follows = follows;
    out->p.as.cone.group = group;
    out->p.as.cone.mu = mu;
}
