/* core/body_form.c: the body form of contacts and cones: sizes, scales, slack. A product with each
 * matrix for any of them. */
#include "body_form.h"

#include "base/format.h"
#include "kinds.h"

#define TINY 1e-290 /* numbers below may have lost digits */
/* Binary digits above 1: half of what numbers have, for H and D to take away. */
#define MIDDLE 500

int perp_body_velocities(const perp_body_form *b)
{
    return b->M->m;
}

int perp_body_equalities(const perp_body_form *b)
{
    return b->G->format == PERP_FORMAT_ABSENT ? 0 : b->G->n;
}

bool perp_body_is_rigid(const perp_body_form *b)
{
    return b->R->format == PERP_FORMAT_ABSENT;
}

int perp_body_size(const perp_body_form *b)
{
    return kind_sum(kind_sum(b->rows, perp_body_velocities(b)), perp_body_equalities(b));
}

perp_status perp_body_validate(const perp_body_form *b, perp_error *e)
{
    int n = b->rows, nv = perp_body_velocities(b), nl = perp_body_equalities(b);
    if (nv < 0 || nl < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s = %d is negative", nv < 0 ? "M.m" : "G.n",
                           nv < 0 ? nv : nl);
    }
    if (perp_body_size(b) < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%d + %d + %d unknowns are too many", n, nv, nl);
    }
    perp_status status = perp_check_view(b->M, nv, nv, "M", nv == 0 && n == 0, e);
    if (!status) status = perp_check_view(b->H, nv, n, "H", n == 0, e);
    if (!status) status = perp_check_view(b->G, nv, nl, "G", true, e);
    if (!status) status = perp_check_view(b->R, n, n, "R", true, e);
    if (!status) status = perp_check_vector(b->f, nv, "f", false, e);
    if (!status) status = perp_check_vector(b->w, n, "w", true, e);
    return status ? status : perp_check_vector(b->b, nl, "b", true, e);
}

/* ---- scales ---- */

/* An operator does not show its diagonal: f'M f / f'f stands for every entry of it. */
static void estimate_diagonal(const perp_body_form *b, double *d)
{
    int nv = perp_body_velocities(b);
    double fMf = 0, ff = 0;
    perp_mul(b->M, 1, b->f, 0, d);
    for (int i = 0; i < nv; i++) {
        fMf += b->f[i] * d[i];
        ff += b->f[i] * b->f[i];
    }
    for (int i = 0; i < nv; i++) d[i] = ff > 0 ? fMf / ff : 1;
}

/* The diagonal, and the force f + H z. */
typedef struct forces {
    const perp_body_form *from;
    double *d, *f;
} forces;

/* f / d, with f times a power of two. */
static void divide_by_diagonal(const forces *t, int power, double *out)
{
    for (int i = 0; i < perp_body_velocities(t->from); i++) {
        out[i] = t->f[i] == 0 ? 0 : ldexp(t->f[i], power) / t->d[i];
    }
}

/* |A'x + b + R z|, x = D^-1 f; b and R may be NULL. -1 where products are too small for numbers:
 * with f near 2^MIDDLE they are not. */
static double measure_product(const forces *t, const perp_matrix *A, const double *b,
                              const perp_matrix *R, const double *z, perp_arena *a)
{
    int nv = perp_body_velocities(t->from), n = A->n, exponent = 0;
    double *x = perp_alloc_unset(a, (size_t)nv, sizeof *x);
    double *sum = perp_alloc_unset(a, (size_t)n, sizeof *sum);
    if (a->failed) return -1;
    kind_copy(n, b, sum);
    if (R) perp_mul(R, 1, z, 1, sum);
    divide_by_diagonal(t, 0, x);
    perp_mul_t(A, 1, x, 1, sum);
    double norm = vector_norm(n, sum);
    if (!(norm <= TINY)) return norm;
    perp_mul_t(A, 1, x, 0, sum);
    if (vector_norm(n, sum) > TINY) return norm; /* its terms cancel */
    (void)frexp(vector_max(nv, t->f), &exponent);
    divide_by_diagonal(t, MIDDLE - exponent, x);
    perp_mul_t(A, 1, x, 0, sum);
    return vector_norm(n, sum) == 0 ? norm : -1;
}

void perp_body_scales(const perp_body_form *b, const double *z, perp_arena *a, double s[3])
{
    int nv = perp_body_velocities(b), nl = perp_body_equalities(b);
    perp_mark mark = perp_arena_mark(a);
    forces t = {b, perp_alloc(a, (size_t)nv, sizeof(double)),
                perp_alloc(a, (size_t)nv, sizeof(double))};
    double joints = 0;
    s[0] = NAN; /* no memory: nothing can be certified; the arena says why */
    if (a->failed) return;
    if (perp_has_entries(b->M))
        perp_formats[b->M->format]->read_diagonal(b->M, t.d);
    else
        estimate_diagonal(b, t.d);
    kind_copy(nv, b->f, t.f);
    if (nl > 0) joints = measure_product(&t, b->G, NULL, NULL, NULL, a);
    if (z && b->rows > 0) perp_mul(b->H, 1, z, 1, t.f);
    const perp_matrix *R = z && !perp_body_is_rigid(b) ? b->R : NULL;
    double contacts = measure_product(&t, b->H, b->w, R, z, a);
    if (a->failed || contacts < 0 || joints < 0) return;
    s[0] = kind_scale(contacts);
    s[1] = kind_scale(vector_norm(nv, b->f));
    s[2] = kind_scale(joints + (b->b ? vector_norm(nl, b->b) : 0));
    perp_arena_release(a, mark);
}

/* ---- slack ---- */

void perp_body_slack(const perp_body_form *b, const double *z, perp_sums *t)
{
    int n = b->rows, nv = perp_body_velocities(b), nl = perp_body_equalities(b);
    const double *v = z + n, *l = v + nv;
    perp_sums_add_t(t, 0, 1, b->H, v);
    if (!perp_body_is_rigid(b)) perp_sums_add(t, 0, 1, b->R, z);
    perp_sums_add_vector(t, 0, n, 1, b->w);
    perp_sums_add_vector(t, n, nv, -1, b->f);
    perp_sums_add(t, n, -1, b->H, z);
    if (nl > 0) perp_sums_add(t, n, -1, b->G, l);
    perp_sums_add(t, n, 1, b->M, v);
    perp_sums_add_vector(t, n + nv, nl, 1, b->b);
    if (nl > 0) perp_sums_add_t(t, n + nv, 1, b->G, v);
}

double perp_body_equations(const perp_body_form *b, const double *w, const double s[3])
{
    int nv = perp_body_velocities(b);
    const double *momentum = w + b->rows, *joints = momentum + nv;
    return vector_norm(nv, momentum) / s[1] + vector_norm(perp_body_equalities(b), joints) / s[2];
}
