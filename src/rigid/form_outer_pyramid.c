/* rigid/form_outer_pyramid.c: the outer friction pyramid, an MCP.
 * Klarbring (1986) as in Renouf, Acary, Dumont (2005), equations (26) to (30), where -u_t = sum
 * kappa c: r_t has no sign, so its rows are equations and the problem is mixed. The matrix of
 * form_mcp.c with a border for kappa: [ A   C ]      C has c_h in the tangential rows of its
 * contact, [ B   0 ]      B has mu and -c_h in the columns of r_n and r_t. */
#include "assembly.h"

/* The columns of A with B below. */
static void fill_impulses(const perp_rigid *s, const perp_matrix *A, const double *direction,
                          int facets, int *p, int *i, double *x)
{
    const struct perp_csc_view *v = &A->as.csc;
    int at = 0;
    for (int j = 0; j < A->n; j++) {
        int count = v->p[j + 1] - v->p[j], k = j / 3;
        p[j] = at;
        memcpy(i + at, v->i + v->p[j], (size_t)count * sizeof *i);
        memcpy(x + at, v->x + v->p[j], (size_t)count * sizeof *x);
        at += count;
        for (int h = 0; k < s->contacts && h < facets; h++) {
            i[at] = A->n + facets * k + h;
            x[at++] = j % 3 == 0 ? s->contact[k].mu : -direction[2 * h + j % 3 - 1];
        }
    }
    p[A->n] = at;
}

static void fill_sides(const perp_rigid *s, int n, const double *direction, int facets, int *p,
                       int *i, double *x)
{
    int at = p[n];
    for (int k = 0; k < s->contacts; k++) {
        for (int h = 0; h < facets; h++) {
            for (int t = 0; t < 2; t++) {
                i[at] = 3 * k + 1 + t;
                x[at++] = direction[2 * h + t];
            }
            p[n + facets * k + h + 1] = at;
        }
    }
}

static perp_status make_border(const perp_rigid *s, const perp_matrix *A, int facets, perp_arena *a,
                               perp_matrix *out, perp_error *e)
{
    double total = A->n + (double)facets * s->contacts;
    double entries = A->as.csc.p[A->n] + 5. * facets * s->contacts;
    if (total > INT_MAX || entries > INT_MAX) {
        return perp_refuse(e, PERP_E_FORMAT,
                           "%d contacts with %d facets have too many entries for int indices",
                           s->contacts, facets);
    }
    int n = (int)total;
    double *direction = perp_alloc_unset(a, 2 * (size_t)facets, sizeof *direction);
    int *p = perp_alloc_unset(a, (size_t)n + 1, sizeof *p);
    int *i = perp_alloc_unset(a, (size_t)entries, sizeof *i);
    double *x = perp_alloc_unset(a, (size_t)entries, sizeof *x);
    if (a->failed) return perp_assembly_memory(s, e);
    for (int h = 0; h < facets; h++) perp_facet(facets, h, direction + 2 * h);
    fill_impulses(s, A, direction, facets, p, i, x);
    fill_sides(s, A->n, direction, facets, p, i, x);
    *out = perp_csc(n, n, p, i, x);
    return PERP_SOLVED;
}

static perp_status fill_bounds(const perp_rigid *s, int rows, const double *q, perp_arena *a,
                               perp_problem *p, perp_matrix *M, perp_error *e)
{
    int n = M->n;
    double *lo = perp_alloc(a, (size_t)n, sizeof *lo), *all = perp_alloc(a, (size_t)n, sizeof *all);
    if (a->failed) return perp_assembly_memory(s, e);
    memcpy(all, q, (size_t)rows * sizeof *all);
    for (int i = 0; i < rows; i++) {
        if (i >= 3 * s->contacts || i % 3 != 0) lo[i] = -INFINITY;
    }
    *p = perp_make_mcp(n, *M, all, lo, NULL);
    return PERP_SOLVED;
}

static perp_status make(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                        perp_problem *p, perp_error *e)
{
    perp_items items;
    perp_matrix A, M;
    perp_status status = perp_items_make(s, parts, 3, true, a, &items, e);
    if (!status) status = perp_items_csc(&items, a, &A, e);
    if (!status) status = make_border(s, &A, parts->facets, a, &M, e);
    return status ? status : fill_bounds(s, A.n, items.q, a, p, &M, e);
}

const perp_form_ops perp_form_outer_pyramid = {.name = "mcp_facets",
                                               .kind = PERP_KIND_MCP,
                                               .each = 3,
                                               .facets = 3,
                                               .joint = true,
                                               .make = make};

perp_status perp_rigid_mcp_facets(const perp_rigid *s, int facets, perp_arena *a, perp_problem *p,
                                  perp_error *error)
{
    return perp_rigid_assemble(s, &perp_form_outer_pyramid, facets, a, p, error);
}
