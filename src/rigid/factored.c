/* rigid/factored.c: the friction boxes and joints of mcp.c with J M^-1 J' left in factors.
 * A sweep of projected Gauss-Seidel over J and M^-1 needs 24 multiplications a row and keeps the
 * velocities up to date, whatever the number of neighbours. 16 numbers a row, 16 a body. */
#include "parts.h"

/* Arrays being filled. */
typedef struct factors {
    int rows;
    int *body;
    double *J, *bias;
} factors;

static void add_rows(const perp_rows *rows, factors *f)
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

static double *fill_inverse(const perp_parts *parts, perp_arena *a)
{
    double *inverse = perp_alloc_unset(a, 10 * (size_t)parts->free, sizeof *inverse);
    for (int b = 0; inverse && b < parts->free; b++) {
        inverse[10 * (size_t)b] = 1 / parts->mass[b].mass;
        memcpy(inverse + 10 * (size_t)b + 1, parts->mass[b].inverse, 9 * sizeof *inverse);
    }
    return inverse;
}

static perp_status factor(const perp_rigid *s, const perp_parts *parts, perp_arena *a,
                          perp_rigid_factored *out, perp_error *e)
{
    size_t n = 3 * (size_t)s->contacts + (size_t)parts->joint_rows;
    perp_mcp bounds = {0};
    factors f = {.body = perp_alloc_unset(a, 2 * n, sizeof *f.body),
                 .J = perp_alloc_unset(a, 12 * n, sizeof *f.J),
                 .bias = perp_alloc_unset(a, n, sizeof *f.bias)};
    double *inverse = fill_inverse(parts, a);
    if (!perp_box_bounds(s, parts->joint_rows, a, &bounds)) return perp_parts_memory(s, e);
    perp_rows rows;
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
                                 .findex = bounds.findex,
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
    perp_parts parts;
    perp_status status = perp_parts_make(s, a, &parts, error);
    if (!status) status = factor(s, &parts, a, f, error);
    if (status) perp_arena_release(a, mark);
    return status;
}
