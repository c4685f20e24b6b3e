/* ncp/linearised_path.c: the path of a linearisation, followed and recorded.
 * Ralph, Mathematics of Operations Research 19 (1994) 352-389; Dirkse, Ferris, Optimization Methods
 * and Software 5 (1995) 123-156.
 *
 * The first basis has every variable that is inside its bounds, and those at a bound that F drives
 * away from it; where it is singular the ones that are to blame are held where they are, and come
 * in on the way. A path costs a factorisation (linalg/markowitz_lu.c) and a solve for each
 * breakpoint. Memory: PIECEWISE_POINTS n numbers, the basis, and a copy of J. */
#include "linearised_path.h"

#include "base/vector.h"
#include "core/kinds.h"
#include "linalg/equilibrate.h"

#include <limits.h>

#define RAY_NOISE 1e-13 /* of a ray, against its largest entry */
#define REPAIRS 4       /* of a singular first basis, before all are held */

/* ---- opening ---- */

/* Columns of a full matrix. */
static bool make_pattern(linearised_path *w, perp_arena *a)
{
    size_t n = (size_t)w->n;
    if (n * n > INT_MAX) return false;
    int *p = perp_alloc_unset(a, n + 1, sizeof *p), *i = perp_alloc_unset(a, n * n, sizeof *i);
    if (a->failed) return false;
    for (size_t j = 0; j <= n; j++) p[j] = (int)(j * n);
    for (size_t k = 0; k < n * n; k++) i[k] = (int)(k % n);
    w->p = p;
    w->i = i;
    return true;
}

static bool allocate(linearised_path *w, perp_arena *a)
{
    size_t n = (size_t)w->n;
    double **const vectors[] = {&w->r, &w->c, &w->q, &w->lo, &w->hi};
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        *vectors[v] = perp_alloc(a, n, sizeof(double));
    }
    w->work = perp_alloc(a, 2 * n, sizeof *w->work);
    w->point = perp_alloc_unset(a, (PIECEWISE_POINTS + 1) * n, sizeof *w->point);
    w->x = perp_alloc_unset(a, (size_t)w->p[w->n], sizeof *w->x);
    w->diagonal = perp_alloc_unset(a, n, sizeof *w->diagonal);
    return !a->failed;
}

bool perp_linearised_path_open(linearised_path *w, perp_arena *arena, const perp_semismooth_box *s)
{
    const perp_matrix *J = &s->map.J;
    *w = (linearised_path){.n = s->n, .s = s, .p = J->as.csc.p, .i = J->as.csc.i};
    if (J->format == PERP_FORMAT_DENSE && !make_pattern(w, arena)) return false;
    if (!allocate(w, arena)) return false;
    for (int j = 0; j < w->n; j++) {
        w->diagonal[j] = w->p[j];
        while (w->i[w->diagonal[j]] != j) w->diagonal[j]++; /* it is there */
    }
    return perp_linear_path_open(&w->trace, arena, w->n, w->p, w->i, w->x, w->q, w->lo, w->hi);
}

/* ---- the linearisation ---- */

static void copy_jacobian(linearised_path *w, double e)
{
    const perp_matrix *J = &w->s->map.J;
    size_t n = (size_t)w->n;
    if (J->format == PERP_FORMAT_CSC) {
        memcpy(w->x, J->as.csc.x, (size_t)w->p[w->n] * sizeof *w->x);
    } else {
        for (size_t j = 0; j < n; j++) {
            memcpy(w->x + j * n, J->as.dense.x + j * (size_t)J->as.dense.ld, n * sizeof *w->x);
        }
    }
    for (int j = 0; j < w->n; j++) w->x[w->diagonal[j]] += e;
    perp_equilibrate_csc(w->n, w->p, w->i, w->x, w->r, w->c, w->work, w->s->system.arena->watch);
    perp_linear_path_forget(&w->trace);
}

static void linearise(linearised_path *w, double e)
{
    const perp_semismooth_box *s = w->s;
    copy_jacobian(w, e);
    for (int i = 0; i < w->n; i++) {
        w->q[i] = w->r[i] * s->F[i];
        w->lo[i] = (s->lo[i] - s->z[i]) / w->c[i];
        w->hi[i] = (s->hi[i] - s->z[i]) / w->c[i];
    }
}

/* ---- the first basis ---- */

/* What y takes of F at the bound where z is; the rest is left to d. */
static double find_slack(const linearised_path *w, int i)
{
    double y = -w->q[i];
    if (y > 0 && w->hi[i] > 0) y = 0;
    if (y < 0 && w->lo[i] < 0) y = 0;
    return y;
}

static void choose_basis(linearised_path *w)
{
    for (int i = 0; i < w->n; i++) {
        bool inside = w->lo[i] < 0 && w->hi[i] > 0, fixed = w->lo[i] == w->hi[i];
        w->trace.at[i] = 0;
        w->trace.in[i] = !fixed && (inside || (w->q[i] != 0 && find_slack(w, i) == 0));
    }
}

/* Take out of the basis what elimination found no pivots for, columns and rows. */
static bool hold_some(linearised_path *w)
{
    perp_basis *b = &w->trace.basis;
    bool any = false;
    for (int s = b->e.rank; s < b->k; s++) {
        int column = b->kernel_columns[b->e.column[s]] - w->n, row = b->kernel_rows[b->e.row[s]];
        any |= w->trace.in[column] | w->trace.in[row];
        w->trace.in[column] = w->trace.in[row] = false;
    }
    return any;
}

static perp_basis_status factor_first(linearised_path *w)
{
    choose_basis(w);
    for (int repair = 0; repair < REPAIRS; repair++) {
        perp_basis_status status = perp_linear_path_factor(&w->trace);
        if (status != PERP_BASIS_SINGULAR || !hold_some(w)) return status;
    }
    memset(w->trace.in, 0, (size_t)w->n * sizeof *w->trace.in);
    return perp_linear_path_factor(&w->trace);
}

/* t = 1, with the values as they are known there. */
static void begin(linearised_path *w)
{
    perp_linear_path *t = &w->trace;
    for (int i = 0; i < w->n; i++) t->d[i] = -(w->q[i] + (t->in[i] ? 0 : find_slack(w, i)));
    perp_linear_path_begin(t, 1);
    for (int i = 0; i < w->n; i++) {
        if (t->in[i])
            t->x[t->place[w->n + i]] = 0;
        else
            t->x[t->place[i]] = find_slack(w, i);
    }
}

/* ---- the record ---- */

/* z + u in the box; a variable that is not basic is on its bound to the bit. */
static void read_point(const linearised_path *w, double *z)
{
    const perp_semismooth_box *s = w->s;
    const perp_linear_path *t = &w->trace;
    for (int i = 0; i < w->n; i++) {
        double u = perp_linear_path_value(t, w->n + i);
        bool low = u <= w->lo[i], high = u >= w->hi[i];
        z[i] = low    ? s->lo[i]
               : high ? s->hi[i]
                      : box_project(s->z[i] + w->c[i] * u, s->lo[i], s->hi[i]);
    }
}

/* Every second point goes, so that the first stays. */
static void thin_out(linearised_path *w)
{
    size_t n = (size_t)w->n;
    for (int k = 1; 2 * k < w->points; k++) {
        memcpy(w->point + (size_t)k * n, w->point + (size_t)(2 * k) * n, n * sizeof *w->point);
        w->t[k] = w->t[2 * k];
    }
    w->points = (w->points + 1) / 2;
    w->stride *= 2;
}

/* The last place is for the end of the path, whatever its number. */
static void record(linearised_path *w, bool last)
{
    if (w->seen++ % w->stride != 0 && !last) return;
    if (w->points == PIECEWISE_POINTS && !last) thin_out(w);
    read_point(w, w->point + (size_t)w->points * (size_t)w->n);
    w->t[w->points++] = perp_linear_path_value(&w->trace, 2 * w->n);
}

/* ---- the path ---- */

static void find_end(linearised_path *w)
{
    w->end = 0;
    for (int k = 1; k < w->points; k++) {
        if (w->t[k] < w->t[w->end]) w->end = k;
    }
    w->reach = 1 - w->t[w->end];
}

perp_linear_path_step perp_linearised_path_follow(linearised_path *w, perp_run *run, double e,
                                                  int most)
{
    perp_linear_path_step step = PERP_LINEAR_PATH_PIVOTED;
    w->points = w->seen = w->end = 0;
    w->stride = 1;
    w->reach = 0;
    linearise(w, e);
    perp_basis_status status = factor_first(w);
    if (status)
        return status == PERP_BASIS_MEMORY ? PERP_LINEAR_PATH_MEMORY : PERP_LINEAR_PATH_SINGULAR;
    begin(w);
    record(w, false);
    for (int k = 0; k < most && step == PERP_LINEAR_PATH_PIVOTED; k++) {
        if (!perp_continue(run, NULL, INFINITY)) return step;
        step = perp_linear_path_pivot(&w->trace);
        if (step == PERP_LINEAR_PATH_SOLUTION) perp_linear_path_polish(&w->trace);
        if (step <= PERP_LINEAR_PATH_SOLUTION) record(w, step == PERP_LINEAR_PATH_SOLUTION);
    }
    find_end(w);
    return step;
}

/* With J u = -v, u and v complementary and u'J u >= 0, u'J u is 0, so that J'u = -J u = v. */
bool perp_linearised_path_ray(linearised_path *w, double *y)
{
    double most = 0;
    if (!perp_linear_path_polish_ray(&w->trace)) return false;
    for (int i = 0; i < w->n; i++) {
        y[i] = w->c[i] * perp_linear_path_rate(&w->trace, w->n + i);
        most = fmax(most, fabs(y[i]));
    }
    for (int i = 0; i < w->n; i++) y[i] = fabs(y[i]) > RAY_NOISE * most ? y[i] / most : 0;
    return most > 0 && isfinite(most);
}

void perp_linearised_path_at(const linearised_path *w, double part, double *z)
{
    double goal = 1 - part * w->reach;
    size_t n = (size_t)w->n;
    int k = 1;
    while (k < w->end && w->t[k] > goal) k++;
    if (w->end == 0) k = 0;
    const double *there = w->point + (size_t)k * n, *here = k ? there - n : there;
    double from = k ? w->t[k - 1] : 1, to = w->t[k];
    double share = from > to ? fmin(fmax((from - goal) / (from - to), 0), 1) : 1;
    for (size_t i = 0; i < n; i++)
        z[i] = share == 1 ? there[i] : here[i] + share * (there[i] - here[i]);
}
