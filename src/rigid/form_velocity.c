/* rigid/form_velocity.c: the friction boxes and joints of form_mcp.c with J M^-1 J' left in
 * factors. A sweep of projected Gauss-Seidel over J and M^-1 needs 24 multiplications a row and
 * keeps the velocities up to date, whatever the number of neighbours. 16 numbers a row, 16 a body.
 */
#include "assembly.h"
#include "method/velocity.h"

/* Arrays being filled. */
typedef struct factors {
    int rows;
    int *body;
    double *J, *bias;
} factors;

static void add_rows(const perp_jacobian_rows *rows, factors *f)
{
    for (int i = 0; i < rows->count; i++) {
        double *J = f->J + 12 * (size_t)f->rows;
        memcpy(f->body + 2 * (size_t)f->rows, rows->slot, sizeof rows->slot);
        for (int side = 0; side < 2; side++) {
            if (rows->slot[side] >= 0)
                memcpy(J + 6 * side, rows->J[i] + 6 * side, 6 * sizeof *J);
            else
                memset(J + 6 * side, 0, 6 * sizeof *J);
        }
        f->bias[f->rows++] = rows->bias[i];
    }
}

static double *fill_inverse(const perp_assembly *parts, perp_arena *a)
{
    double *inverse = perp_alloc_unset(a, 10 * (size_t)parts->free, sizeof *inverse);
    for (int b = 0; inverse && b < parts->free; b++) {
        inverse[10 * (size_t)b] = 1 / parts->mass[b].mass;
        memcpy(inverse + 10 * (size_t)b + 1, parts->mass[b].inverse, 9 * sizeof *inverse);
    }
    return inverse;
}

static perp_status factor(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                          perp_rigid_factored *out, perp_error *e)
{
    size_t n = 3 * (size_t)s->contacts + (size_t)parts->joint_rows;
    perp_mcp bounds = {0};
    factors f = {.body = perp_alloc_unset(a, 2 * n, sizeof *f.body),
                 .J = perp_alloc_unset(a, 12 * n, sizeof *f.J),
                 .bias = perp_alloc_unset(a, n, sizeof *f.bias)};
    double *inverse = fill_inverse(parts, a);
    if (!perp_box_bounds(s, parts->joint_rows, a, &bounds)) return perp_assembly_memory(s, e);
    perp_jacobian_rows rows;
    for (int k = 0; k < s->contacts; k++) {
        perp_contact_rows(s, parts, k, &rows);
        add_rows(&rows, &f);
    }
    for (int k = 0; k < s->joints; k++) {
        perp_joint_rows(s, parts, k, &rows);
        add_rows(&rows, &f);
    }
    *out = (perp_rigid_factored){.rows = f.rows,
                                 .bodies = parts->free,
                                 .body = f.body,
                                 .J = f.J,
                                 .inverse = inverse,
                                 .v_free = parts->v_free,
                                 .bias = f.bias,
                                 .lo = bounds.lo,
                                 .hi = bounds.hi,
                                 .follows = bounds.follows,
                                 .mu = bounds.mu};
    return PERP_SOLVED;
}

perp_status perp_rigid_factor(const perp_rigid *s, perp_arena *a, perp_rigid_factored *f,
                              perp_error *error)
{
    if (!a || !f)
        return perp_refuse(error, PERP_E_ARGUMENT, "the %s must not be NULL",
                           a ? "factors" : "arena");
    perp_mark mark = perp_arena_mark(a);
    perp_assembly parts;
    perp_status status = perp_assembly_make(s, a, &parts, error);
    if (!status) status = factor(s, &parts, a, f, error);
    if (status) perp_arena_release(a, mark);
    return status;
}

/* ---- as a problem ---- */

static perp_status check_numbers(const perp_rigid_factored *f, perp_error *e)
{
    static const char *const names[] = {"J", "inverse", "v_free", "bias"};
    const double *x[] = {f->J, f->inverse, f->v_free, f->bias};
    const int of[] = {f->rows, f->bodies, f->bodies, f->rows}, each[] = {12, 10, 6, 1};
    for (int k = 0; k < 4; k++) {
        if (!x[k] && of[k] > 0)
            return perp_refuse(e, PERP_E_ARGUMENT, "%s must not be NULL", names[k]);
        for (size_t i = 0; i < (size_t)of[k] * (size_t)each[k]; i++) {
            if (isfinite(x[k][i])) continue;
            return perp_refuse(e, PERP_E_NUMBER, "%s[%zu] = %g is not finite", names[k], i,
                               x[k][i]);
        }
    }
    return PERP_SOLVED;
}

static perp_status check_factors(const perp_rigid_factored *f, perp_error *e)
{
    if (f->rows < 0 || f->bodies < 0 || f->rows > INT_MAX / 12 || f->bodies > INT_MAX / 10)
        return perp_refuse(e, PERP_E_ARGUMENT, "rows = %d and bodies = %d: a count is negative",
                           f->rows, f->bodies);
    if (f->rows > 0 && !f->body) return perp_refuse(e, PERP_E_ARGUMENT, "body must not be NULL");
    for (int i = 0; i < f->rows; i++) {
        int a = f->body[2 * i], b = f->body[2 * i + 1];
        bool inside = a >= -1 && b >= -1 && a < f->bodies && b < f->bodies;
        if (!inside || (a == b && a >= 0))
            return perp_refuse(e, PERP_E_ARGUMENT, "row %d is of bodies %d and %d of %d", i, a, b,
                               f->bodies);
    }
    return check_numbers(f, e);
}

/* J v_free + bias. */
static void fill_q(const perp_rigid_factored *f, double *q)
{
    for (int i = 0; i < f->rows; i++) {
        q[i] = f->bias[i];
        for (int side = 0; side < 2; side++) {
            int b = f->body[2 * i + side];
            if (b < 0) continue;
            q[i] +=
                velocity_along(f->J + 12 * (size_t)i + 6 * (size_t)side, f->v_free + 6 * (size_t)b);
        }
    }
}

static perp_status state_problem(const perp_rigid_factored *f, perp_arena *a, perp_problem *p,
                                 perp_error *e)
{
    perp_status status = check_factors(f, e);
    if (status) return status;
    velocity_factors *A = perp_alloc(a, 1, sizeof *A);
    int *start = perp_alloc_unset(a, (size_t)f->bodies + 1, sizeof *start);
    int *at = perp_alloc_unset(a, 2 * (size_t)f->rows, sizeof *at);
    double *q = perp_alloc_unset(a, (size_t)f->rows, sizeof *q);
    if (a->failed)
        return perp_refuse(e, PERP_E_MEMORY, "no room for %d rows of %d bodies", f->rows,
                           f->bodies);
    perp_velocity_index(f->rows, f->bodies, f->body, start, at);
    *A = (velocity_factors){.rows = f->rows,
                            .bodies = f->bodies,
                            .body = f->body,
                            .J = f->J,
                            .inverse = f->inverse,
                            .start = start,
                            .at = at};
    fill_q(f, q);
    perp_problem out = perp_make_mcp(f->rows, perp_velocity_matrix(A), q, f->lo, f->hi);
    out.as.mcp.follows = f->follows;
    out.as.mcp.mu = f->mu;
    status = perp_validate(&out, e);
    if (!status) *p = out;
    return status;
}

perp_status perp_rigid_factored_mcp(const perp_rigid_factored *f, perp_arena *a, perp_problem *p,
                                    perp_error *error)
{
    if (!f || !a || !p)
        return perp_refuse(error, PERP_E_ARGUMENT, "the %s must not be NULL",
                           !f  ? "factors"
                           : a ? "problem"
                               : "arena");
    perp_mark mark = perp_arena_mark(a);
    perp_status status = state_problem(f, a, p, error);
    if (status) perp_arena_release(a, mark);
    return status;
}
