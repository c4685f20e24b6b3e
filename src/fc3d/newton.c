/* fc3d/newton.c: global semismooth Newton on the maps of Alart and Curnier or Jean and Moreau.
 * Alart and Curnier (1991); Jean and Moreau (1987); Acary, Bremond and Huber (2018), section 5.
 *
 * One factorisation a step, of the contacts that are closed (semismooth_cone.h). Where the Jacobian
 * is singular, as it is for most W of low rank, alpha is added to W's diagonal there; where a full
 * step raises the error, it is halved a few times, and the best of the tries is taken. Quadratic
 * near a regular solution, without a promise far from one: fc3d/prox has that. Memory: 27 numbers a
 * contact and the factors. */
#include "semismooth_cone.h"

#include "core/defaults.h"
#include "perp/solver.h"

#include <math.h>
#include <string.h>

#define LEAST                                                                                      \
    1e-10          /* regularisation, relative to the mean diagonal of W: the first that is tried */
#define GROWTH 100 /* of a regularisation that did not help */
#define MOST 1.0   /* the last */

typedef struct iteration {
    perp_contact_matrix b;
    perp_semismooth_cone s;
    double *v, *best, *best_v, *try_v; /* velocities; the best of a line search */
    double error;
    int worst;
} iteration;

static bool find_direction(iteration *t, double least, const double *r)
{
    t->s.alpha = least * t->b.mean;
    bool found = perp_semismooth_cone_direct(&t->s, r, t->v);
    double e = least > LEAST ? GROWTH * least : LEAST;
    for (; !found && !t->b.starved && e <= MOST; e *= GROWTH) {
        t->s.alpha = e * t->b.mean;
        found = perp_semismooth_cone_direct(&t->s, r, t->v);
    }
    return found;
}

/* Along d by 1, 1/2, ..: to the first point with a smaller error, or to the best of them. */
static void advance(iteration *t, int halvings, double *r)
{
    size_t n = 3 * (size_t)t->b.contacts;
    double least = INFINITY, length = 1;
    for (int k = 0; k <= halvings; k++, length *= 0.5) {
        for (size_t i = 0; i < n; i++) t->s.x[i] = r[i] + length * t->s.d[i];
        perp_contact_matrix_velocity(&t->b, t->s.x, t->try_v);
        double error = perp_contact_matrix_error(&t->b, t->s.x, t->try_v, NULL);
        if (error < least) {
            least = error;
            memcpy(t->best, t->s.x, n * sizeof *r);
            memcpy(t->best_v, t->try_v, n * sizeof *r);
        }
        if (error < t->error) break;
    }
    if (!(least < INFINITY)) { /* nothing finite */
        t->error = NAN;
        return;
    }
    memcpy(r, t->best, n * sizeof *r);
    memcpy(t->v, t->best_v, n * sizeof *r);
    t->error = perp_contact_matrix_error(&t->b, r, t->v, &t->worst);
}

static perp_status newton(perp_run *run, double *z)
{
    const perp_fc3d_newton_options *o = (const perp_fc3d_newton_options *)run->options;
    iteration t = {.worst = 0};
    perp_status status = perp_contact_matrix_open(run, &t.b);
    if (status) return status;
    size_t n = 3 * (size_t)t.b.contacts;
    t.v = PERP_ALLOC(run, double, n);
    t.best = PERP_ALLOC(run, double, n);
    t.best_v = PERP_ALLOC(run, double, n);
    t.try_v = PERP_ALLOC(run, double, n);
    if (!perp_semismooth_cone_open(run, &t.b, &t.s)) return PERP_E_MEMORY;
    t.s.map = o->map == PERP_SEMISMOOTH_MAP_JEAN_MOREAU ? PERP_JEAN_MOREAU : PERP_ALART_CURNIER;
    t.s.rho = o->rho;
    perp_contact_matrix_velocity(&t.b, z, t.v);
    t.error = perp_contact_matrix_error(&t.b, z, t.v, &t.worst);
    while (perp_contact_matrix_continue(run, &t.b, z, t.error / perp_scale(run))) {
        double relative = t.error / perp_scale(run), part = relative < 1 ? sqrt(relative) : 1;
        if (!find_direction(&t, o->regularisation * part, z)) {
            if (t.b.starved) return PERP_E_MEMORY;
            return perp_fail(run, PERP_STALLED, "the Jacobian is singular, also with W + %g I",
                             t.s.alpha);
        }
        advance(&t, o->halvings, z);
    }
    return perp_contact_matrix_end(run, &t.b, z, t.worst);
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_fc3d_newton_options, map, PERP_CONTACT_MAPS,
                       "friction bounded by the normal force's prediction, or by itself"),
    PERP_OPTION(perp_fc3d_newton_options, rho, 1e-6, 1e6,
                "of the maps, times 3 / trace of each contact's block"),
    PERP_OPTION(
        perp_fc3d_newton_options, regularisation, 0, 1,
        "added to W's diagonal in the Jacobian, relative to its mean, times the root of the "
        "residual; 0: where singular"),
    PERP_OPTION(perp_fc3d_newton_options, halvings, 0, 50,
                "of a step that does not lessen the error; the best of the tries is taken"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/newton",
    .about = "global semismooth Newton (Alart, Curnier 1991; Jean, Moreau 1987), closed contacts "
             "alone are factored",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_CHEAP_CERTIFICATE,
    .options_size = sizeof(perp_fc3d_newton_options),
    .options = options,
    .solve = newton,
    .room = perp_room_none,
};

const perp_fc3d_newton_options perp_fc3d_newton = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000, .threads = 1},
    .rho = 1,
    .regularisation = 0.01,
    .halvings = 4,
};
