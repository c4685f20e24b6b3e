/* tests/support/support.c: what several test programs share. */
#include "support.h"

#include <float.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int support_run(Suite *s)
{
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}

/* ---- verdicts ---- */

perp_residual certify(const perp_problem *p, const double *z, perp_status expected)
{
    perp_arena a = {0};
    perp_residual r;
    ck_assert_int_eq(perp_certify(p, z, &a, &r), expected);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
    return r;
}

perp_status check_claim(const perp_problem *p, perp_status claim, const double *y, double *value)
{
    double zero[1024] = {0}; /* the feasible point of problems that are unbounded here */
    ck_assert_int_le(perp_size(p), 1024);
    return check_claim_at(p, claim, y, zero, value);
}

perp_status check_claim_at(const perp_problem *p, perp_status claim, const double *y,
                           const double *z, double *value)
{
    perp_arena a = {0};
    perp_residual r;
    perp_status verdict = perp_check(p, claim, y, z, &a, &r);
    ck_assert_uint_eq(a.used, 0);
    double most = claim == PERP_RAY ? (16 + 4.0 * perp_size(p)) * DBL_EPSILON : 1;
    ck_assert((r.value <= most) == (verdict == PERP_SOLVED));
    perp_arena_free(&a);
    if (value) *value = r.value;
    return verdict;
}

void invalid(perp_problem p, perp_status status, const char *word)
{
    perp_error e;
    ck_assert_int_eq(perp_validate(&p, &e), status);
    ck_assert_int_eq(e.status, status);
    ck_assert_msg(strstr(e.text, word) != NULL, "\"%s\" does not say \"%s\"", e.text, word);
    ck_assert_int_eq(perp_validate(&p, NULL), status);
}

perp_status solve_checked(const perp_problem *p, const perp_options *o, double *z, double *w,
                          perp_result *r)
{
    perp_arena a = {0};
    perp_status s = perp_solve(p, o, &a, z, w, r);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
    bool claim = s == PERP_RAY || s == PERP_INFEASIBLE || s == PERP_UNBOUNDED;
    if (claim && w) ck_assert_int_eq(check_claim_at(p, s, w, z, NULL), PERP_SOLVED);
    return s;
}

perp_status solve_dense(int n, const double *M, const double *q, const perp_options *o, double *z,
                        double *w, perp_result *r)
{
    perp_problem p = perp_make_lcp(n, perp_dense(n, n, M), q);
    return solve_checked(&p, o, z, w, r);
}

/* ---- memory that ends ---- */

/* An arena neither resizes a block nor gives back NULL; either would upset the count. */
void *scarce(void *ctx, void *old, size_t size)
{
    supply *s = ctx;
    if (size == 0) {
        s->out--;
        free(old);
        return NULL;
    }
    if (s->left <= 0) return NULL;
    s->left--;
    void *p = realloc(old, size);
    s->out += p != NULL;
    return p;
}

static bool survives(const perp_problem *p, const perp_options *o, perp_status end, perp_arena *a)
{
    int n = perp_size(p), numbers = 0;
    double *z = malloc(((size_t)n + 1) * sizeof *z);
    perp_result r;
    for (int i = 0; i < n; i++) z[i] = o && o->warm_start ? (double)(i % 3) : NAN;
    perp_status s = perp_solve(p, o, a, z, NULL, &r);
    ck_assert_msg(s == end || s == PERP_E_MEMORY, "%s: %s", perp_status_name(s), r.detail);
    ck_assert(s == PERP_SOLVED || r.detail[0]);
    for (int i = 0; i < n; i++) numbers += isfinite(z[i]) != 0;
    ck_assert_int_eq(numbers, n);
    ck_assert_uint_eq(a->used, 0);
    free(z);
    return s == end;
}

void solve_starved(const perp_problem *p, const perp_options *o, perp_status end)
{
    bool done = false;
    for (int left = 0; !done && left < 300; left++) {
        supply c = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &c};
        done = survives(p, o, end, &a);
        unsigned before = a.allocations;
        if (done) ck_assert(survives(p, o, end, &a) && a.allocations == before);
        perp_arena_free(&a);
        ck_assert_int_eq(c.out, 0);
    }
    ck_assert(done);
}

void solve_confined(const perp_problem *p, const perp_options *o, perp_status end)
{
    const size_t most = 4u << 20; /* where a solver on a fixed arena needs more than otherwise */
    perp_arena growing = {0};
    ck_assert(survives(p, o, end, &growing));
    size_t step = growing.peak > 40000 ? 4096 : 64;
    perp_arena_free(&growing);
    char *buffer = malloc(most + 1);
    bool done = false;
    for (size_t size = 0; !done && size < most; size += step) {
        perp_arena fixed;
        perp_arena_fixed(&fixed, buffer + 1, size); /* not aligned either */
        done = survives(p, o, end, &fixed);
        perp_arena_free(&fixed);
    }
    ck_assert(done);
    free(buffer);
}

/* ---- numbers ---- */

double clip(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

double plain_norm(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

double difference(int n, const double *x, const double *y)
{
    double d = 0;
    for (int i = 0; i < n; i++) d = fmax(d, isnan(x[i] - y[i]) ? INFINITY : fabs(x[i] - y[i]));
    return d;
}

bool ascending(int n, const int *p, const int *index)
{
    for (int j = 0; j < n; j++) {
        for (int k = p[j] + 1; k < p[j + 1]; k++) {
            if (index[k - 1] >= index[k]) return false;
        }
    }
    return p[0] == 0;
}

/* ---- matrices ---- */

static void mul(void *ctx, double a, const double *x, double b, double *y)
{
    perp_mul(ctx, a, x, b, y);
}

static void mul_t(void *ctx, double a, const double *x, double b, double *y)
{
    perp_mul_t(ctx, a, x, b, y);
}

perp_matrix as_operator(const perp_matrix *A)
{
    return (perp_matrix){
        .format = PERP_FORMAT_OPERATOR, .m = A->m, .n = A->n, .as.op = {mul, mul_t, (void *)A}};
}

perp_matrix in_format(int k, const perp_matrix *dense, perp_arena *a)
{
    static const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};
    perp_matrix A;
    if (k == 3) return as_operator(dense);
    ck_assert_int_eq(perp_convert(dense, formats[k], a, &A, NULL), PERP_SOLVED);
    return A;
}

static void fill_dense(random_matrix *s, int m, int n, const random_entries *e, generator *g)
{
    int ld = m + generator_below(g, 4);
    for (int k = 0; k < ld * n; k++) s->x[k] = e->padding;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            double v = generator_unit(g) < e->zeros ? 0 : e->draw(g);
            s->full[i][j] = s->x[i + j * ld] = v;
        }
    }
    s->A = perp_dense(m, n, s->x);
    s->A.as.dense.ld = ld > 1 ? ld : 1;
}

/* A random pattern in s->p and s->i: `lists` lists of indices below `most`, every fourth empty. */
static void fill_pattern(random_matrix *s, int lists, int most, generator *g)
{
    for (int j = 0; j < lists; j++) {
        int length = most && j % 4 != 1 ? generator_below(g, most + 3) : 0;
        s->p[j + 1] = s->p[j] + length;
        for (int k = s->p[j]; k < s->p[j + 1]; k++) s->i[k] = generator_below(g, most);
    }
}

static void fill_csc(random_matrix *s, int m, int n, const random_entries *e, generator *g)
{
    fill_pattern(s, n, m, g);
    for (int j = 0; j < n; j++) {
        for (int k = s->p[j]; k < s->p[j + 1]; k++) s->full[s->i[k]][j] += s->x[k] = e->draw(g);
    }
    s->A = perp_csc(m, n, s->p, s->i, s->x);
}

static void fill_bsr3(random_matrix *s, int mb, int nb, const random_entries *e, generator *g)
{
    fill_pattern(s, mb, nb, g);
    for (int row = 0; row < mb; row++) {
        for (int k = 9 * s->p[row]; k < 9 * s->p[row + 1]; k++) {
            double v = s->x[k] = e->draw(g);
            s->full[3 * row + k % 3][3 * s->i[k / 9] + k % 9 / 3] += v;
        }
    }
    s->A = perp_bsr3(mb, nb, s->p, s->i, s->x);
}

static void fill_dense_rows(random_matrix *s, int m, int n, const random_entries *e, generator *g)
{
    int ld = n + generator_below(g, 4);
    for (int k = 0; k < ld * m; k++) s->x[k] = e->padding;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double v = generator_unit(g) < e->zeros ? 0 : e->draw(g);
            s->full[i][j] = s->x[i * ld + j] = v;
        }
    }
    s->A = perp_dense_rows(m, n, s->x);
    s->A.as.dense.ld = ld > 1 ? ld : 1;
}

static void fill_csr(random_matrix *s, int m, int n, const random_entries *e, generator *g)
{
    fill_pattern(s, m, n, g);
    for (int i = 0; i < m; i++) {
        for (int k = s->p[i]; k < s->p[i + 1]; k++) s->full[i][s->i[k]] += s->x[k] = e->draw(g);
    }
    s->A = perp_csr(m, n, s->p, s->i, s->x);
}

random_matrix *random_matrix_new(perp_format format, int m, int n, const random_entries *e,
                                 generator *g)
{
    random_matrix *s = calloc(1, sizeof *s);
    ck_assert(s && m < RANDOM_MOST && n < RANDOM_MOST);
    s->A = (perp_matrix){.format = PERP_FORMAT_ABSENT, .m = m, .n = n};
    if (format == PERP_FORMAT_DENSE) fill_dense(s, m, n, e, g);
    if (format == PERP_FORMAT_CSC) fill_csc(s, m, n, e, g);
    if (format == PERP_FORMAT_BSR3) fill_bsr3(s, m / 3, n / 3, e, g);
    if (format == PERP_FORMAT_DENSE_ROWS) fill_dense_rows(s, m, n, e, g);
    if (format == PERP_FORMAT_CSR) fill_csr(s, m, n, e, g);
    return s;
}
