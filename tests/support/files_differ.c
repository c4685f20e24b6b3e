/* tests/support/files_differ.c: are two problems the same, bit for bit? No assertion here: the
 * fuzzing harness uses it too. */
#include "files.h"

#include "core/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_bits(const double *x, const double *y, size_t n)
{
    return n == 0 || memcmp(x, y, n * sizeof *x) == 0;
}

/* Vectors that may be left out stand for `none`. */
static bool same_vector(const double *x, const double *y, int n, double none)
{
    for (int i = 0; i < n; i++) {
        double a = x ? x[i] : none, b = y ? y[i] : none;
        if (memcmp(&a, &b, sizeof a)) return false;
    }
    return true;
}

static bool same_ints(const int *x, const int *y, int n)
{
    return n == 0 || memcmp(x, y, (size_t)n * sizeof *x) == 0;
}

static bool same_dense(const perp_matrix *A, const perp_matrix *B)
{
    const struct perp_dense_view *a = &A->as.dense, *b = &B->as.dense;
    for (int j = 0; j < A->n && A->m > 0; j++) {
        const double *x = a->x + (size_t)j * (size_t)a->ld, *y = b->x + (size_t)j * (size_t)b->ld;
        if (!same_bits(x, y, (size_t)A->m)) return false;
    }
    return true;
}

static bool same_compressed(int lists, const int *p, const int *q, const int *i, const int *j,
                            const double *x, const double *y, size_t width)
{
    return same_ints(p, q, lists + 1) && same_ints(i, j, p[lists]) &&
           same_bits(x, y, width * (size_t)p[lists]);
}

/* An absent matrix is one without entries to tell it from any other. */
static bool same_matrix(const perp_matrix *A, const perp_matrix *B)
{
    bool empty = A->format == PERP_FORMAT_ABSENT || B->format == PERP_FORMAT_ABSENT;
    if (empty) {
        const perp_matrix *other = A->format == PERP_FORMAT_ABSENT ? B : A;
        return other->format == PERP_FORMAT_ABSENT || other->m == 0 || other->n == 0;
    }
    if (A->format != B->format || A->m != B->m || A->n != B->n) return false;
    const struct perp_csc_view *a = &A->as.csc, *b = &B->as.csc;
    const struct perp_bsr3_view *c = &A->as.bsr3, *d = &B->as.bsr3;
    switch (A->format) {
    case PERP_FORMAT_DENSE: return same_dense(A, B);
    case PERP_FORMAT_CSC: return same_compressed(A->n, a->p, b->p, a->i, b->i, a->x, b->x, 1);
    case PERP_FORMAT_BSR3: return same_compressed(A->m / 3, c->p, d->p, c->j, d->j, c->x, d->x, 9);
    default: return false;
    }
}

bool files_same_entries(const perp_matrix *A, const perp_matrix *B)
{
    int m = A->m, n = A->n;
    if (B->m != m || B->n != n) return false;
    double *e = calloc((size_t)n + 1, sizeof *e), *x = calloc((size_t)m + 1, sizeof *x);
    double *y = calloc((size_t)m + 1, sizeof *y);
    bool same = e && x && y;
    for (int j = 0; j < n && same; j++) {
        e[j] = 1;
        perp_mul(A, 1, e, 0, x);
        perp_mul(B, 1, e, 0, y);
        e[j] = 0;
        for (int i = 0; i < m && same; i++) same = x[i] == y[i];
    }
    free(e);
    free(x);
    free(y);
    return same;
}

static const char *maps_differ(const perp_map *a, const perp_map *b)
{
    if (a->n != b->n) return "n";
    if (!same_matrix(&a->M, &b->M)) return "M";
    return same_vector(a->q, b->q, a->n, 0) ? NULL : "q";
}

static const char *boxes_differ(const perp_mcp *a, const perp_mcp *b)
{
    int n = a->F.n;
    const char *difference = maps_differ(&a->F, &b->F);
    if (difference) return difference;
    if (!same_vector(a->lo, b->lo, n, -INFINITY)) return "lo";
    if (!same_vector(a->hi, b->hi, n, INFINITY)) return "hi";
    for (int i = 0; i < n; i++) {
        int k = a->follows ? a->follows[i] : -1;
        if (k != (b->follows ? b->follows[i] : -1)) return "findex";
        if (k >= 0 && !same_bits(&a->mu[i], &b->mu[i], 1)) return "mu";
    }
    return NULL;
}

static const char *contacts_differ(const perp_fc3d *a, const perp_fc3d *b)
{
    int n = 3 * a->contacts;
    if (a->contacts != b->contacts || a->form != b->form) return "contacts or form";
    if (!same_vector(a->mu, b->mu, a->contacts, 0)) return "mu";
    if (a->form == PERP_FORM_LOCAL) {
        if (!same_matrix(&a->W, &b->W)) return "W";
        return same_vector(a->q, b->q, n, 0) ? NULL : "q";
    }
    int equalities = a->G.format == PERP_FORMAT_ABSENT ? 0 : a->G.n;
    if (a->M.m != b->M.m || !same_matrix(&a->M, &b->M)) return "M";
    if (!same_matrix(&a->H, &b->H)) return "H";
    if (!same_matrix(&a->G, &b->G)) return "G";
    if (!same_vector(a->f, b->f, a->M.m, 0)) return "f";
    if (!same_vector(a->w, b->w, n, 0)) return "w";
    return same_vector(a->b, b->b, equalities, 0) ? NULL : "b";
}

static const char *least_squares_differ(const perp_nnls *a, const perp_nnls *b)
{
    if (a->A.m != b->A.m || a->A.n != b->A.n || !same_matrix(&a->A, &b->A)) return "A";
    if (!same_vector(a->b, b->b, a->A.m, 0)) return "b";
    for (int i = 0; i < a->A.n; i++) {
        if ((a->is_free && a->is_free[i]) != (b->is_free && b->is_free[i])) return "free";
    }
    return NULL;
}

static const char *programs_differ(const perp_qp *a, const perp_qp *b)
{
    if (a->n != b->n || a->m != b->m) return "n or m";
    if (!same_matrix(&a->H, &b->H)) return "H";
    if (!same_matrix(&a->A, &b->A)) return "A";
    if (!same_vector(a->c, b->c, a->n, 0)) return "c";
    if (!same_vector(a->lo, b->lo, a->m, -INFINITY)) return "lo";
    if (!same_vector(a->hi, b->hi, a->m, INFINITY)) return "hi";
    if (!same_vector(a->xlo, b->xlo, a->n, -INFINITY)) return "xlo";
    return same_vector(a->xhi, b->xhi, a->n, INFINITY) ? NULL : "xhi";
}

/* What a problem does not read, as a mu where nothing has friction, is no part of it. */
static bool same_field(const perp_field *f, const perp_problem *a, const perp_problem *b)
{
    bool applies = perp_field_applies(f, a);
    if (applies != perp_field_applies(f, b)) return false;
    if (!applies) return true;
    bool reals = f->type == PERP_FIELD_VECTOR || f->type == PERP_FIELD_BOUND;
    size_t each = reals ? sizeof(double) : f->type == PERP_FIELD_INDEX ? sizeof(int) : sizeof(bool);
    const void *x = perp_field_reals(f, a), *y = perp_field_reals(f, b);
    return !x == !y && (!x || !memcmp(x, y, (size_t)perp_size_get(a, f->rows) * each));
}

/* A kind that this file does not know, by its own table. */
static const char *fields_differ(const perp_problem *a, const perp_problem *b)
{
    const perp_kind_ops *ops = perp_kind_ops_of(a->kind);
    for (int k = 0; !perp_size_is_last(&ops->sizes[k]); k++) {
        if (perp_size_get(a, k) != perp_size_get(b, k)) return "a size";
    }
    if (perp_kind_form(a) != perp_kind_form(b)) return "form";
    for (const perp_field *f = ops->fields; f->name; f++) {
        bool same = f->type == PERP_FIELD_MATRIX
                        ? same_matrix(perp_field_matrix(f, a), perp_field_matrix(f, b))
                        : same_field(f, a, b);
        if (!same) return f->name;
    }
    return NULL;
}

static const char *problems_differ(const perp_problem *a, const perp_problem *b)
{
    if (a->kind != b->kind) return "kind";
    switch (a->kind) {
    case PERP_KIND_LCP:
        if (a->as.lcp.n != b->as.lcp.n) return "n";
        if (!same_matrix(&a->as.lcp.M, &b->as.lcp.M)) return "M";
        return same_vector(a->as.lcp.q, b->as.lcp.q, a->as.lcp.n, 0) ? NULL : "q";
    case PERP_KIND_NCP: return maps_differ(&a->as.ncp.F, &b->as.ncp.F);
    case PERP_KIND_MCP: return boxes_differ(&a->as.mcp, &b->as.mcp);
    case PERP_KIND_FC3D: return contacts_differ(&a->as.fc3d, &b->as.fc3d);
    case PERP_KIND_NNLS: return least_squares_differ(&a->as.nnls, &b->as.nnls);
    case PERP_KIND_QP: return programs_differ(&a->as.qp, &b->as.qp);
    default: return fields_differ(a, b);
    }
}

static bool same_string(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

const char *files_differ(const perp_file *a, const perp_file *b, bool all)
{
    const char *difference = problems_differ(&a->problem, &b->problem);
    if (difference || !all) return difference;
    int n = perp_size(&a->problem);
    if (!same_string(a->title, b->title)) return "title";
    if (!same_string(a->description, b->description)) return "description";
    if (!same_bits(&a->constant, &b->constant, 1)) return "constant";
    if (!a->solution != !b->solution) return "solution";
    if (a->solution && !same_bits(a->solution, b->solution, (size_t)n)) return "solution";
    if (a->guesses != b->guesses) return "guesses";
    for (int k = 0; k < a->guesses; k++) {
        if (!same_bits(a->guess[k], b->guess[k], (size_t)n)) return "guess";
    }
    return NULL;
}
