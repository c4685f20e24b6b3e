/* core/distance_rank.c: the distance to the solution of an nnls whose A has full column rank.
 *
 * A'A squares the condition of A, and rounding it may leave nothing of a row that is small beside
 * others. Here A itself is factored. With A = QR by Householder's method and X near R^-1, A X has
 * nearly orthonormal columns, whatever the sizes of rows and columns of A are: rounding leaves an
 * error of about u times the condition of A. B = A X as it comes out is off by E, |E| <= g |A||X|,
 * g = k u / (1 - k u) for k columns, and s = sqrt(1 - |B'B - I|) - |E| is at most the smallest
 * singular value of A X (Rump, "Verification methods", 2010, section 10). Where s > 0, X is
 * regular. With e = X f, |A e|^2 <= |e'd| gives |f| <= |X'd| / s^2, and so |e_i| is at most that
 * times the length of row i of X.
 *
 * Dense: 2 m n + 2 n^2 numbers, about 4 m n^2 multiplications. */
#include "distance.h"
#include "linalg/lapack.h"

typedef struct rank {
    int m, n;
    double *A, *B, *X, *G; /* m x n twice, n x n twice */
    double *row, *column;  /* the longer of m and n */
} rank;

static perp_status refuse_rank(perp_error *e)
{
    return perp_refuse(e, PERP_UNCERTIFIED, "A is not, or hardly, of full column rank");
}

static bool open_rank(rank *t, const perp_matrix *A, perp_arena *a)
{
    size_t m = (size_t)A->m, n = (size_t)A->n;
    perp_matrix dense;
    t->m = A->m;
    t->n = A->n;
    if (perp_convert(A, PERP_FORMAT_DENSE, a, &dense, NULL)) return false;
    t->A = perp_alloc_unset(a, m * n, sizeof *t->A);
    t->B = perp_alloc_unset(a, m * n, sizeof *t->B);
    t->X = perp_alloc(a, n * n, sizeof *t->X);
    t->G = perp_alloc(a, n * n, sizeof *t->G);
    t->row = perp_alloc_unset(a, m, sizeof *t->row); /* m >= n */
    t->column = perp_alloc_unset(a, m, sizeof *t->column);
    if (a->failed) return false;
    for (size_t j = 0; j < n; j++) {
        const double *x = dense.as.dense.x + j * (size_t)dense.as.dense.ld;
        memcpy(t->A + j * m, x, m * sizeof *x);
        memcpy(t->B + j * m, x, m * sizeof *x);
    }
    return true;
}

/* X from R; false: R is singular. Nothing here needs to be exact. */
static bool invert_triangle(rank *t, perp_arena *a)
{
    size_t m = (size_t)t->m, n = (size_t)t->n;
    int info = 0, length = 64 * t->n;
    double *work = perp_alloc_unset(a, (size_t)length, sizeof *work);
    if (!work) return false;
    dgeqrf_(&t->m, &t->n, t->B, &t->m, t->column, work, &length, &info);
    for (size_t j = 0; j < n; j++) memcpy(t->X + j * n, t->B + j * m, (j + 1) * sizeof *t->X);
    if (info == 0) dtrtri_("U", "N", &t->n, t->X, &t->n, &info, 1, 1);
    for (size_t k = 0; k < n * n; k++) {
        if (!isfinite(t->X[k])) return false;
    }
    return info == 0;
}

/* sum_i |a_i| of column j. */
static double column_size(int m, const double *a, int j)
{
    double sum = 0;
    for (int i = 0; i < m; i++) sum += fabs(a[(size_t)j * (size_t)m + (size_t)i]);
    return sum;
}

/* y = |a| x, where a is m x n. */
static void multiply_sizes(int m, int n, const double *a, const double *x, double *y)
{
    for (int i = 0; i < m; i++) y[i] = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) y[i] += fabs(a[(size_t)j * (size_t)m + (size_t)i]) * x[j];
    }
}

/* |E|, at most: the root of its largest row sum times its largest column sum. What vanishes in
 * products counts DBL_MIN each. */
static double bound_product(rank *t)
{
    double most = 0, tall = t->m, wide = t->n;
    for (int j = 0; j < t->n; j++) t->row[j] = column_size(t->m, t->A, j);
    for (int j = 0; j < t->n; j++) {
        double sum = 0;
        for (int k = 0; k < t->n; k++) {
            sum += t->row[k] * fabs(t->X[(size_t)j * (size_t)t->n + (size_t)k]);
        }
        most = perp_worst(most, sum);
    }
    for (int k = 0; k < t->n; k++) t->column[k] = 1;
    multiply_sizes(t->n, t->n, t->X, t->column, t->row);
    multiply_sizes(t->m, t->n, t->A, t->row, t->column);
    double g = distance_gamma(wide), more = 1 + distance_gamma(tall + 2 * wide);
    return g * sqrt(most) * sqrt(vector_max(t->m, t->column)) * more + tall * wide * DBL_MIN;
}

/* |B'B - I|, at most. */
static double bound_defect(rank *t)
{
    const double one = 1, zero = 0;
    double most = 0, length = 0, tall = t->m, wide = t->n;
    size_t n = (size_t)t->n;
    dsyrk_("U", "T", &t->n, &t->m, &one, t->B, &t->m, &zero, t->G, &t->n, 1, 1);
    for (size_t j = 0; j < n; j++) {
        length += t->G[j * n + j]; /* |B|^2 */
        t->G[j * n + j] -= 1;
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += fabs(i < j ? t->G[j * n + i] : t->G[i * n + j]);
        most = perp_worst(most, sum);
    }
    double g = distance_gamma(tall), more = 1 + distance_gamma(wide + 4);
    double rounded = (g + 4 * DISTANCE_UNIT) * length / (1 - g) * more;
    return (most + rounded) * more + tall * wide * DBL_MIN;
}

/* At most the smallest singular value of A X; 0: nothing is proved. */
static double find_least(rank *t)
{
    const double one = 1, zero = 0;
    dgemm_("N", "N", &t->m, &t->n, &t->n, &one, t->A, &t->m, t->X, &t->n, &zero, t->B, &t->m, 1, 1);
    double lost = bound_product(t), defect = bound_defect(t);
    if (!(defect < 1)) return 0;
    double least = sqrt((1 - defect) * (1 - 4 * DBL_EPSILON)) * (1 - 4 * DBL_EPSILON);
    least = (least - lost) * (1 - 4 * DBL_EPSILON);
    return least > 0 ? least : 0;
}

/* d_i to within point->error[i]. Its sign counts: X'd is small where columns of A nearly depend. */
static double change_of(const perp_distance_map *map, const perp_distance_point *point, int i)
{
    double z = point->z[i], w = point->w[i];
    if (z <= map->lo[i] && w > 0) return 0;
    if (z >= map->hi[i] && w < 0) return 0;
    return -w;
}

/* |f|, at most. */
static double find_length(rank *t, const perp_distance_map *map, const perp_distance_point *point,
                          double least)
{
    size_t n = (size_t)t->n;
    double g = distance_gamma(t->n + 2.0);
    if (vector_max(t->n, point->d) == 0) return 0;
    for (int i = 0; i < t->n; i++) t->column[i] = change_of(map, point, i);
    for (size_t j = 0; j < n; j++) {
        double sum = 0, size = 0, open = 0;
        for (size_t i = 0; i <= j; i++) {
            double x = t->X[j * n + i];
            sum += x * t->column[i];
            size += fabs(x * t->column[i]);
            open += fabs(x) * point->error[i];
        }
        t->row[j] = (fabs(sum) + (g * size + open) * (1 + g)) * DISTANCE_OUTWARD;
        t->row[j] += (double)n * DBL_MIN;
    }
    return distance_norm(t->n, t->row) / (least * least) * DISTANCE_OUTWARD;
}

static void state_bound(rank *t, double length, double *bound, double *norm)
{
    size_t n = (size_t)t->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) t->row[j - i] = t->X[j * n + i];
        bound[i] = length > 0 ? distance_norm((int)(n - i), t->row) * length * DISTANCE_OUTWARD : 0;
    }
    *norm = length > 0 ? distance_norm(t->n, bound) : 0;
}

static perp_status prove(rank *t, const perp_distance_map *map, const perp_distance_point *point,
                         perp_arena *a, double *bound, double *norm, perp_error *e)
{
    const perp_matrix *A = map->factor;
    if (A->m < A->n) return refuse_rank(e);
    if ((double)A->m * A->n > (double)PERP_DISTANCE_DENSE * PERP_DISTANCE_DENSE) {
        return perp_refuse(e, PERP_UNCERTIFIED, "A is too large to be factored as a dense matrix");
    }
    if (!open_rank(t, A, a)) return PERP_E_MEMORY;
    bool regular = invert_triangle(t, a);
    if (a->failed) return PERP_E_MEMORY;
    double least = regular ? find_least(t) : 0;
    if (t->n > 0 && !(least > 0)) return refuse_rank(e);
    state_bound(t, find_length(t, map, point, least), bound, norm);
    if (isfinite(*norm)) return PERP_SOLVED;
    return perp_refuse(e, PERP_UNCERTIFIED, "the bound overflows");
}

perp_status perp_distance_rank(const perp_distance_map *map, const perp_distance_point *point,
                               perp_arena *a, double *bound, double *norm, perp_error *e)
{
    rank t = {0};
    perp_mark mark = perp_arena_mark(a);
    perp_status status = prove(&t, map, point, a, bound, norm, e);
    perp_arena_release(a, mark);
    return status;
}
