/* core/kinds.c: the table of the kinds, from kinds.def, and what is asked of a problem whatever its
 * kind. */
#include "kinds.h"
#include "base/format.h"
#include "opened.h"

#include <stdio.h>

static const perp_kind_ops *const table[] = {
#define PERP_KIND(constant, name, folder) [PERP_KIND_##constant] = &perp_ops_##name,
#include "perp/kinds.def"
#undef PERP_KIND
};

static const char *const names[] = {
#define PERP_KIND(constant, name, folder) [PERP_KIND_##constant] = #name,
#include "perp/kinds.def"
#undef PERP_KIND
};

const perp_kind_ops *perp_kind_ops_of(perp_kind kind)
{
    int k = (int)kind; /* the enum may be unsigned, and hold anything */
    return k >= 0 && k < PERP_KINDS ? table[k] : NULL;
}

const char *perp_kind_name(perp_kind kind)
{
    return perp_kind_ops_of(kind) ? names[kind] : NULL;
}

const char *perp_kind_list(const char *word, char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < PERP_KINDS && used < room; k++) {
        bool last = k > 0 && k + 1 == PERP_KINDS;
        int n = snprintf(text + used, room - used, "%s%s%s%s",
                         last ? " "
                         : k  ? ", "
                              : "",
                         last ? word : "", last ? " " : "", names[k]);
        used += n > 0 ? (size_t)n : 0;
    }
    return text;
}

const double *perp_kind_units(const perp_matrix *M, perp_arena *a)
{
    double *d = perp_has_entries(M) ? perp_alloc(a, (size_t)M->n, sizeof *d) : NULL;
    if (!d) return NULL;
    perp_formats[M->format]->read_diagonal(M, d);
    for (int i = 0; i < M->n; i++) {
        if (!(d[i] > 0)) d[i] = 1;
    }
    return d;
}

int perp_size(const perp_problem *p)
{
    const perp_kind_ops *ops = p ? perp_kind_ops_of(p->kind) : NULL;
    return ops ? ops->size(p) : -1;
}

perp_status perp_validate(const perp_problem *p, perp_error *error)
{
    if (error) *error = (perp_error){0};
    if (!p) return perp_refuse(error, PERP_E_ARGUMENT, "the problem must not be NULL");
    const perp_kind_ops *ops = perp_kind_ops_of(p->kind);
    if (!ops) {
        return perp_refuse(error, PERP_E_ARGUMENT, "kind %d is unknown", (int)p->kind);
    }
    return ops->validate(p, error);
}

/* A vector without entries may be NULL, from which nothing may be copied, not even nothing. */
static void point_empty_vectors(perp_problem *p)
{
    static const double nothing[1], *const place = nothing;
    for (const perp_field *f = perp_kind_ops_of(p->kind)->fields; f->name; f++) {
        if (f->type != PERP_FIELD_VECTOR || perp_field_reals(f, p)) continue;
        if (perp_size_get(p, f->rows) == 0) memcpy((char *)p + f->offset, &place, sizeof place);
    }
}

void perp_complete_own(perp_problem *p)
{
    perp_matrix *list[PERP_MATRICES_MOST];
    const perp_field *field[PERP_MATRICES_MOST];
    if (!perp_kind_ops_of(p->kind)) return;
    perp_kind_matrices(p, list, field);
    point_empty_vectors(p);
}

perp_problem perp_complete(const perp_problem *p)
{
    perp_problem full = *p;
    perp_complete_own(&full);
    return full;
}

perp_status perp_by_columns(perp_problem *p, perp_arena *a, perp_error *e)
{
    perp_matrix *list[PERP_MATRICES_MOST];
    const perp_field *field[PERP_MATRICES_MOST];
    int count = perp_kind_matrices(p, list, field);
    for (int k = 0; k < count; k++) {
        perp_format format = list[k]->format;
        if (format != PERP_FORMAT_DENSE_ROWS && format != PERP_FORMAT_CSR) continue;
        perp_format target = format == PERP_FORMAT_CSR ? PERP_FORMAT_CSC : PERP_FORMAT_DENSE;
        perp_status status = perp_opened_convert(list[k], target, a, list[k], e);
        if (status) return status;
    }
    return PERP_SOLVED;
}

perp_problem perp_make_lcp(int n, perp_matrix M, const double *q)
{
    return (perp_problem){.kind = PERP_KIND_LCP, .as.lcp = {.n = n, .M = M, .q = q}};
}

perp_map perp_make_map(int n, bool (*eval)(void *ctx, const double *z, double *F),
                       bool (*jacobian)(void *ctx, const double *z, double *values),
                       perp_matrix pattern, void *ctx)
{
    return (perp_map){.n = n, .eval = eval, .jacobian = jacobian, .pattern = pattern, .ctx = ctx};
}

perp_problem perp_make_ncp(perp_map F)
{
    return (perp_problem){.kind = PERP_KIND_NCP, .as.ncp.F = F};
}

perp_problem perp_make_mcp_map(perp_map F, const double *lo, const double *hi)
{
    return (perp_problem){.kind = PERP_KIND_MCP, .as.mcp = {.F = F, .lo = lo, .hi = hi}};
}

perp_problem perp_make_mcp(int n, perp_matrix M, const double *q, const double *lo,
                           const double *hi)
{
    return (perp_problem){.kind = PERP_KIND_MCP,
                          .as.mcp = {.F = {.n = n, .M = M, .q = q}, .lo = lo, .hi = hi}};
}

perp_problem perp_make_fc3d(int contacts, perp_matrix W, const double *q, const double *mu)
{
    return (perp_problem){.kind = PERP_KIND_FC3D,
                          .as.fc3d = {.contacts = contacts, .mu = mu, .W = W, .q = q}};
}

perp_problem perp_make_nnls(perp_matrix A, const double *b)
{
    return (perp_problem){.kind = PERP_KIND_NNLS, .as.nnls = {.A = A, .b = b}};
}

perp_problem perp_make_qp(int n, int m, perp_matrix H, const double *c, perp_matrix A,
                          const double *lo, const double *hi)
{
    return (perp_problem){.kind = PERP_KIND_QP,
                          .as.qp = {.n = n, .m = m, .H = H, .A = A, .c = c, .lo = lo, .hi = hi}};
}
