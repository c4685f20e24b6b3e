/* qp/ipm_presolve.c: the problem that qp/ipm works on, and the way back.
 *
 * Fixed variables become constants, rows without bounds or entries go, bounds beyond HUGE are none.
 * Then the rows and columns of [H A'; A 0] get largest entries near 1 (Ruiz, RAL-TR-2001-034), all
 * factors powers of two, and the objective one more factor. Linear in the entries. */
#include "base/vector.h"
#include "base/watch.h"
#include "core/internal.h"
#include "ipm.h"

#define HUGE_BOUND 1e20
#define PASSES 12
#define SYMMETRY 8.0  /* roundings by which mirrored entries of H may differ */
#define FAR_READ 16.0 /* multiplications in the time of one entry read from another column */

/* ---- what stays ---- */

static double lower_of(const double *lo, int k)
{
    return lo && lo[k] > -HUGE_BOUND ? lo[k] : -INFINITY;
}

static double upper_of(const double *hi, int k)
{
    return hi && hi[k] < HUGE_BOUND ? hi[k] : INFINITY;
}

/* Number the variables that are not fixed; number[j] = -1 for the others. */
static int number_variables(const perp_qp *qp, int *number, ipm_presolved *r)
{
    int n = 0;
    for (int j = 0; j < qp->n; j++) {
        double lo = lower_of(qp->xlo, j), hi = upper_of(qp->xhi, j);
        bool is_fixed = lo == hi;
        r->fixed[j] = is_fixed ? lo : 0;
        number[j] = is_fixed ? -1 : n;
        if (!is_fixed) r->variable[n++] = j;
    }
    return n;
}

/* Number the rows that bound something; shift = A x of the fixed variables. */
static int number_rows(const perp_qp *qp, const perp_matrix *A, const int *number,
                       const double *shift, int *row_number, ipm_presolved *r)
{
    const struct perp_csc_view *v = &A->as.csc;
    int m = 0;
    r->bad_row = -1;
    for (int i = 0; i < qp->m; i++) row_number[i] = 0;
    for (int j = 0; j < qp->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            if (number[j] >= 0 && v->x[k] != 0) row_number[v->i[k]]++;
        }
    }
    for (int i = 0; i < qp->m; i++) {
        double lo = lower_of(qp->lo, i), hi = upper_of(qp->hi, i);
        bool bounds = lo > -INFINITY || hi < INFINITY, is_empty = row_number[i] == 0;
        if (bounds && is_empty && r->bad_row < 0 && (shift[i] < lo || shift[i] > hi)) {
            r->bad_row = i;
            r->bad_sign = shift[i] < lo ? 1 : -1;
        }
        row_number[i] = bounds && !is_empty ? m : -1;
        if (row_number[i] >= 0) r->row_of[m++] = i;
    }
    return m;
}

/* The columns and rows of M that have numbers; lower: of the lower triangle alone. */
static bool take_matrix(const perp_matrix *M, const int *columns, const int *rows, int m, int n,
                        bool lower, perp_arena *a, perp_matrix *out)
{
    const struct perp_csc_view *v = &M->as.csc;
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p), count = 0;
    int *i = perp_alloc_unset(a, (size_t)v->p[M->n], sizeof *i);
    double *x = perp_alloc_unset(a, (size_t)v->p[M->n], sizeof *x);
    if (a->failed) return false;
    for (int j = 0; j < M->n; j++) {
        if (columns[j] < 0) continue;
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int row = rows[v->i[k]];
            if (row < 0 || v->x[k] == 0 || (lower && row < columns[j])) continue;
            i[count] = row;
            x[count++] = v->x[k];
        }
        p[columns[j] + 1] = count;
    }
    *out = perp_csc(m, n, p, i, x);
    return true;
}

/* Does H equal its transpose, but for rounding? next has length n. False also where the watch of
 * the arena asks to stop. */
static bool is_symmetric(const perp_matrix *H, const perp_arena *a, int *next)
{
    const struct perp_csc_view *v = &H->as.csc;
    perp_watched watched = perp_watch_begin(a);
    memcpy(next, v->p, (size_t)H->n * sizeof *next);
    for (int j = 0; j < H->n; j++) { /* columns ascend: so do the entries of each row */
        if (perp_watch_spent(&watched, FAR_READ * (v->p[j + 1] - v->p[j]))) return false;
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int i = v->i[k];
            double x = v->x[k];
            if (x == 0) continue;
            while (next[i] < v->p[i + 1] && v->i[next[i]] < j) {
                if (v->x[next[i]++] != 0) return false;
            }
            if (next[i] >= v->p[i + 1] || v->i[next[i]] != j) return false;
            double other = v->x[next[i]++];
            if (!(fabs(x - other) <= SYMMETRY * 2.3e-16 * (fabs(x) + fabs(other)))) return false;
        }
    }
    for (int i = 0; i < H->n; i++) {
        for (; next[i] < v->p[i + 1]; next[i]++) {
            if (v->x[next[i]] != 0) return false;
        }
    }
    return true;
}

/* ---- scaling ---- */

static void raise_to(double *most, double x)
{
    if (x > *most) *most = x;
}

/* Largest entries of the scaled rows and columns. */
static void measure(const ipm_presolved *r, double *column, double *row)
{
    const ipm_problem *p = &r->p;
    const struct perp_csc_view *H = &p->H.as.csc, *A = &p->A.as.csc;
    for (int j = 0; j < p->n; j++) column[j] = 0;
    for (int i = 0; i < p->m; i++) row[i] = 0;
    for (int j = 0; j < p->n; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            double x = fabs(H->x[k]) * r->column[j] * r->column[H->i[k]];
            raise_to(&column[j], x);
            raise_to(&column[H->i[k]], x);
        }
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            double x = fabs(A->x[k]) * r->column[j] * r->row[A->i[k]];
            raise_to(&column[j], x);
            raise_to(&row[A->i[k]], x);
        }
    }
}

static double power_of_two(double x)
{
    int e;
    if (!(x > 0) || !isfinite(x)) return 1;
    frexp(x * 0.70710678118654752, &e); /* the nearest in the logarithm */
    e = e > 300 ? 300 : e < -300 ? -300 : e;
    return ldexp(1, e);
}

/* Of fewer passes where the watch asks to stop. */
static void find_scales(ipm_presolved *r, const perp_arena *a, double *column, double *row)
{
    for (int pass = 0; pass < PASSES && !perp_watch_stops(a); pass++) {
        measure(r, column, row);
        for (int j = 0; j < r->p.n; j++) {
            if (column[j] > 0) r->column[j] /= sqrt(column[j]);
        }
        for (int i = 0; i < r->p.m; i++) {
            if (row[i] > 0) r->row[i] /= sqrt(row[i]);
        }
    }
    for (int j = 0; j < r->p.n; j++) r->column[j] = power_of_two(r->column[j]);
    for (int i = 0; i < r->p.m; i++) r->row[i] = power_of_two(r->row[i]);
}

static void scale_matrix(perp_matrix *M, const double *column, const double *row, double by)
{
    double *x = (double *)M->as.csc.x; /* our own copy */
    for (int j = 0; j < M->n; j++) {
        for (int k = M->as.csc.p[j]; k < M->as.csc.p[j + 1]; k++) {
            x[k] *= by * column[j] * row[M->as.csc.i[k]];
        }
    }
}

/* The factor that makes the largest price 1; larger curvature than that is made 1 instead. */
static double find_cost(const ipm_presolved *r, const double *c)
{
    double most = 0;
    const struct perp_csc_view *H = &r->p.H.as.csc;
    for (int j = 0; j < r->p.n; j++) {
        raise_to(&most, fabs(c[j]) * r->column[j]);
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            raise_to(&most, fabs(H->x[k]) * r->column[j] * r->column[H->i[k]]);
        }
    }
    return most > 0 ? 1 / power_of_two(most) : 1;
}

static void scale_problem(ipm_presolved *r, double *c, double *lo, double *hi)
{
    ipm_problem *p = &r->p;
    r->cost = find_cost(r, c);
    scale_matrix(&p->H, r->column, r->column, r->cost);
    scale_matrix(&p->A, r->column, r->row, 1);
    for (int j = 0; j < p->n; j++) {
        c[j] *= r->cost * r->column[j];
        lo[j] /= r->column[j];
        hi[j] /= r->column[j];
    }
    for (int i = 0; i < p->m; i++) {
        lo[p->n + i] *= r->row[i];
        hi[p->n + i] *= r->row[i];
    }
}

/* ---- the calls ---- */

static bool allocate(const perp_qp *qp, perp_arena *a, ipm_presolved *r)
{
    size_t n = (size_t)qp->n, m = (size_t)qp->m;
    r->variable = perp_alloc_unset(a, n, sizeof *r->variable);
    r->row_of = perp_alloc_unset(a, m, sizeof *r->row_of);
    r->column = perp_alloc_unset(a, n, sizeof *r->column);
    r->row = perp_alloc_unset(a, m, sizeof *r->row);
    r->fixed = perp_alloc_unset(a, n, sizeof *r->fixed);
    return !a->failed;
}

/* Prices and bounds of what stays; Hf = H times the fixed variables, shift = A times them. */
static void take_vectors(const ipm_presolved *r, const double *Hf, const double *shift, double *c,
                         double *lo, double *hi)
{
    const perp_qp *qp = r->from;
    for (int j = 0; j < r->p.n; j++) {
        int from = r->variable[j];
        c[j] = qp->c[from] + Hf[from];
        lo[j] = lower_of(qp->xlo, from);
        hi[j] = upper_of(qp->xhi, from);
    }
    for (int i = 0; i < r->p.m; i++) {
        int from = r->row_of[i], k = r->p.n + i;
        double low = lower_of(qp->lo, from), high = upper_of(qp->hi, from);
        lo[k] = low - shift[from];
        hi[k] = low == high ? lo[k] : high - shift[from];
    }
}

perp_status perp_ipm_presolve(const perp_qp *qp, perp_arena *a, ipm_presolved *r)
{
    size_t n = (size_t)qp->n, m = (size_t)qp->m;
    perp_matrix H, A;
    *r = (ipm_presolved){.from = qp};
    if (perp_sort_csc(&qp->H, a, &H) || perp_sort_csc(&qp->A, a, &A)) return PERP_E_MEMORY;
    int *number = perp_alloc_unset(a, n, sizeof *number), *row_number;
    row_number = perp_alloc_unset(a, m > n ? m : n, sizeof *row_number);
    double *Hf = perp_alloc_unset(a, n, sizeof *Hf), *shift = perp_alloc(a, m, sizeof *shift);
    double *c = perp_alloc_unset(a, n, sizeof *c);
    double *lo = perp_alloc_unset(a, n + m, sizeof *lo), *hi;
    hi = perp_alloc_unset(a, n + m, sizeof *hi);
    if (!allocate(qp, a, r) || a->failed) return PERP_E_MEMORY;
    ipm_problem *p = &r->p;
    p->symmetric = is_symmetric(&H, a, row_number);
    if (perp_watch_stops(a)) return PERP_STALLED; /* the driver says why */
    p->n = number_variables(qp, number, r);
    perp_mul(&H, 1, r->fixed, 0, Hf);
    if (m > 0) perp_mul(&A, 1, r->fixed, 0, shift);
    p->m = number_rows(qp, &A, number, shift, row_number, r);
    if (!take_matrix(&H, number, number, p->n, p->n, p->symmetric, a, &p->H)) return PERP_E_MEMORY;
    if (!take_matrix(&A, number, row_number, p->m, p->n, false, a, &p->A)) return PERP_E_MEMORY;
    p->linear = p->H.as.csc.p[p->n] == 0;
    p->c = c;
    p->lo = lo;
    p->hi = hi;
    take_vectors(r, Hf, shift, c, lo, hi);
    if (perp_watch_stops(a)) return PERP_STALLED; /* the driver says why */
    for (int j = 0; j < p->n; j++) r->column[j] = 1;
    for (int i = 0; i < p->m; i++) r->row[i] = 1;
    find_scales(r, a, Hf, shift);
    if (perp_watch_stops(a)) return PERP_STALLED;
    scale_problem(r, c, lo, hi);
    bool finite = vector_is_finite((size_t)p->n, c);
    return finite ? PERP_SOLVED : PERP_E_NUMBER;
}

void perp_ipm_restore(const ipm_presolved *r, const double *x, const double *y, double *z)
{
    const perp_qp *qp = r->from;
    memcpy(z, r->fixed, (size_t)qp->n * sizeof *z);
    memset(z + qp->n, 0, (size_t)qp->m * sizeof *z);
    for (int j = 0; j < r->p.n; j++) z[r->variable[j]] = r->column[j] * x[j];
    for (int i = 0; i < r->p.m; i++) z[qp->n + r->row_of[i]] = r->row[i] * y[i] / r->cost;
}
