/* tests/core/test_lift.c: lifted problems are the same problems: F by hand, solutions there and
 * back. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define INF INFINITY
enum { N = 6, M = 9 }; /* unknowns and rows; multiples of 3 for the blocks */

static double value_at(const perp_problem *p, const double *z)
{
    return certify(p, z, PERP_SOLVED).value;
}

/* Slack of a problem at z. */
static void slack(const perp_problem *p, const double *z, double *w)
{
    perp_arena a = {0};
    perp_residual r;
    const double s[] = {1, 1, 1};
    ck_assert_int_eq(perp_kind_ops_of(p->kind)->measure(p, s, z, w, &a, &r), PERP_SOLVED);
    perp_arena_free(&a);
}

static void lift_to(perp_problem p, perp_kind to, perp_arena *a, perp_lift *lift)
{
    perp_error e = {0};
    p.name = "lifted";
    perp_problem full = perp_complete(&p);
    ck_assert(perp_can_lift(p.kind, to));
    ck_assert_msg(perp_lift_problem(&full, to, a, lift, &e) == PERP_SOLVED, "%s", e.text);
    ck_assert(lift->problem.kind == to);
    ck_assert_str_eq(lift->problem.name, "lifted");
    ck_assert_int_eq(perp_validate(&lift->problem, &e), PERP_SOLVED);
    ck_assert_int_eq(perp_size(&lift->problem), perp_size(&p) + lift->extra);
    ck_assert_int_eq(lift->n + lift->m, perp_size(&p));
}

START_TEST(which_kinds)
{
    const char *wider[PERP_KINDS] = {[PERP_KIND_LCP] = "lcp ncp mcp",  [PERP_KIND_NCP] = "ncp mcp",
                                     [PERP_KIND_MCP] = "mcp",          [PERP_KIND_FC3D] = "fc3d",
                                     [PERP_KIND_NNLS] = "nnls qp mcp", [PERP_KIND_QP] = "qp mcp"};
    for (int from = 0; from < PERP_KINDS; from++) {
        for (int to = 0; to < PERP_KINDS; to++) {
            const char *name = perp_kind_name((perp_kind)to), *at = strstr(wider[from], name);
            bool word = at && (at == wider[from] || at[-1] == ' ');
            ck_assert_int_eq(perp_can_lift((perp_kind)from, (perp_kind)to), word);
        }
    }
    ck_assert(!perp_can_lift((perp_kind)9, (perp_kind)9));
    ck_assert(!perp_can_lift(PERP_KIND_LCP, (perp_kind)9));
    perp_arena a = {0};
    perp_lift lift;
    perp_error e = {0};
    const double one[] = {1};
    perp_problem p = perp_make_mcp(1, perp_dense(1, 1, one), one, NULL, NULL);
    ck_assert_int_eq(perp_lift_problem(&p, PERP_KIND_LCP, &a, &lift, &e), PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(e.text, "mcp"));
    perp_arena_free(&a);
}
END_TEST

static bool cubes(void *ctx, const double *z, double *F)
{
    (void)ctx;
    for (int i = 0; i < 2; i++) F[i] = z[i] * z[i] * z[i] - (i ? -1 : 8);
    return true;
}

START_TEST(lcp_and_ncp)
{
    const double A[] = {2, 1, 1, 2}, q[] = {-5, -6}, z[] = {4.0 / 3, 7.0 / 3}, off[] = {-1, 2};
    perp_problem lcp = perp_make_lcp(2, perp_dense(2, 2, A), q);
    perp_problem ncp = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 2, .eval = cubes}};
    const double root[] = {2, 0};
    perp_arena a = {0};
    perp_lift lift;
    const perp_kind targets[] = {PERP_KIND_LCP, PERP_KIND_NCP, PERP_KIND_MCP};
    for (int k = 0; k < 3; k++) {
        lift_to(lcp, targets[k], &a, &lift);
        ck_assert_int_eq(lift.extra, 0);
        ck_assert_double_le(value_at(&lift.problem, z), 1e-15);
        ck_assert_double_eq(value_at(&lift.problem, off), value_at(&lcp, off));
        double up[2], down[2];
        perp_lift_up(&lift, off, up);
        perp_lift_down(&lift, up, down);
        ck_assert_mem_eq(up, off, sizeof up);
        ck_assert_mem_eq(down, off, sizeof down);
    }
    lift_to(ncp, PERP_KIND_MCP, &a, &lift);
    ck_assert_double_eq(value_at(&lift.problem, root), 0);
    ck_assert_double_eq(value_at(&lift.problem, off), value_at(&ncp, off));
    perp_arena_free(&a);
}
END_TEST

/* ---- nnls ---- */

static void fill(generator *g, int count, double zeros, double *x)
{
    for (int k = 0; k < count; k++) {
        x[k] = generator_unit(g) < zeros ? 0 : generator_uniform(g);
    }
}

static bool sorted(const perp_matrix *A)
{
    return ascending(A->n, A->as.csc.p, A->as.csc.i);
}

/* The slack at any x is the same in all three problems. */
START_TEST(nnls)
{
    generator g = generator_start((uint64_t)_i + 1);
    double A[M * N], b[M], z[N], w[N], expected[N];
    bool free_x[N] = {false, true, false, true, false, false};
    fill(&g, M * N, 0.4, A);
    fill(&g, M, 0, b);
    fill(&g, N, 0, z);
    perp_matrix D = perp_dense(M, N, A);
    const perp_format H_format[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_CSC,
                                    PERP_FORMAT_OPERATOR};
    for (int k = 0; k < 4; k++) {
        perp_arena a = {0};
        perp_lift qp, mcp;
        perp_problem p = perp_make_nnls(in_format(k, &D, &a), b);
        p.as.nnls.is_free = free_x;
        slack(&p, z, expected);
        lift_to(p, PERP_KIND_QP, &a, &qp);
        lift_to(p, PERP_KIND_MCP, &a, &mcp);
        ck_assert(qp.problem.as.qp.H.format == H_format[k]);
        ck_assert(mcp.problem.as.mcp.F.M.format == H_format[k]);
        if (H_format[k] == PERP_FORMAT_CSC) ck_assert(sorted(&qp.problem.as.qp.H));
        ck_assert_int_eq(qp.problem.as.qp.m, 0);
        ck_assert_int_eq(qp.extra + mcp.extra, 0);
        slack(&qp.problem, z, w);
        for (int j = 0; j < N; j++) ck_assert_double_eq_tol(w[j], expected[j], 1e-13);
        slack(&mcp.problem, z, w);
        for (int j = 0; j < N; j++) ck_assert_double_eq_tol(w[j], expected[j], 1e-13);
        for (int j = 0; j < N; j++) {
            ck_assert_double_eq(qp.problem.as.qp.xlo[j], free_x[j] ? -INF : 0);
            ck_assert_double_eq(mcp.problem.as.mcp.lo[j], free_x[j] ? -INF : 0);
            ck_assert_double_eq(mcp.problem.as.mcp.hi[j], INF);
        }
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(nnls_solutions)
{
    /* Columns (1, 1, 0) and (1, -1, 0). b = (3, -1, 5): x = (1, 2), A x - b = (0, 0, -5). b = (0,
     * 2, 5): x = (1, 0), A x - b = (1, -1, -5), w = (0, 2). */
    const double A[] = {1, 1, 0, 1, -1, 0}, inside[] = {3, -1, 5}, edge[] = {0, 2, 5};
    const double x_inside[] = {1, 2}, x_edge[] = {1, 0};
    const perp_kind targets[] = {PERP_KIND_QP, PERP_KIND_MCP};
    for (int k = 0; k < 2; k++) {
        perp_arena a = {0};
        perp_lift lift;
        double back[2];
        perp_problem p = perp_make_nnls(perp_dense(3, 2, A), inside);
        lift_to(p, targets[k], &a, &lift);
        ck_assert_double_eq(value_at(&lift.problem, x_inside), 0);
        perp_lift_down(&lift, x_inside, back);
        ck_assert_double_eq(value_at(&p, back), 0);
        p = perp_make_nnls(perp_dense(3, 2, A), edge);
        lift_to(p, targets[k], &a, &lift);
        ck_assert_double_eq(value_at(&lift.problem, x_edge), 0);
        ck_assert_double_eq(value_at(&p, x_edge), 0);
        ck_assert_double_gt(value_at(&lift.problem, x_inside), 0.1);
        perp_arena_free(&a);
    }
    const double huge[] = {1e200, 1e200, 0, 1, 1, 0};
    perp_arena a = {0};
    perp_lift lift;
    perp_matrix D = perp_dense(3, 2, huge);
    for (int k = 0; k < 2; k++) {
        perp_problem p = perp_make_nnls(in_format(k, &D, &a), inside);
        ck_assert_int_eq(perp_lift_problem(&p, PERP_KIND_QP, &a, &lift, NULL), PERP_E_NUMBER);
    }
    perp_arena_free(&a);
}
END_TEST

/* CSC with duplicates and unsorted rows is the same matrix. */
START_TEST(nnls_of_untidy_columns)
{
    const int p[] = {0, 3, 5}, i[] = {2, 0, 2, 1, 0};
    const double x[] = {1, 2, 4, 3, -1}, b[] = {1, 2, 3}, z[] = {0.5, -2};
    const double dense[] = {2, 0, 5, -1, 3, 0};
    perp_arena a = {0};
    perp_lift lift;
    double w[2], expected[2];
    perp_problem untidy = perp_make_nnls(perp_csc(3, 2, p, i, x), b);
    perp_problem tidy = perp_make_nnls(perp_dense(3, 2, dense), b);
    slack(&tidy, z, expected);
    lift_to(untidy, PERP_KIND_QP, &a, &lift);
    ck_assert(sorted(&lift.problem.as.qp.H));
    slack(&lift.problem, z, w);
    for (int j = 0; j < 2; j++) ck_assert_double_eq_tol(w[j], expected[j], 1e-14);
    perp_arena_free(&a);
}
END_TEST

/* ---- qp ---- */

typedef struct sample {
    double H[N * N], A[M * N], c[N], lo[M], hi[M], xlo[N], xhi[N], z[N + M];
} sample;

/* z solves it: x and y are chosen, each row and bound put where its multiplier says, then c. */
static void make_sample(uint64_t seed, sample *s)
{
    generator g = generator_start(seed);
    double *x = s->z, *y = s->z + N;
    fill(&g, N * N, 0.3, s->H);
    fill(&g, M * N, 0.4, s->A);
    fill(&g, N, 0, x);
    for (int i = 0; i < M; i++) {
        double Ax = 0, gap = generator_unit(&g), size = generator_unit(&g);
        for (int j = 0; j < N; j++) Ax += s->A[j * M + i] * x[j];
        const double lo[] = {Ax, Ax, Ax - gap, -INF, -INF, -INF, Ax, Ax - 1, Ax - gap};
        const double hi[] = {Ax, INF, INF, Ax, Ax + gap, INF, Ax + 1, Ax, Ax + gap};
        const double mult[] = {size - 0.5, size, 0, -size, 0, 0, size, -size, 0};
        s->lo[i] = lo[i], s->hi[i] = hi[i], y[i] = mult[i];
    }
    for (int j = 0; j < N; j++) {
        const double lo[] = {-INF, x[j], -INF, x[j], x[j] - 1, x[j]};
        const double hi[] = {INF, INF, x[j], x[j] + 1, x[j] + 1, x[j]};
        const double slope[] = {0, 0.5, -0.5, 1, 0, -2};
        s->xlo[j] = lo[j], s->xhi[j] = hi[j];
        s->c[j] = slope[j];
        for (int k = 0; k < N; k++) s->c[j] -= s->H[k * N + j] * x[k];
        for (int i = 0; i < M; i++) s->c[j] += s->A[j * M + i] * y[i];
    }
}

static perp_problem problem_of(const sample *s, perp_matrix H, perp_matrix A)
{
    perp_problem p = perp_make_qp(N, M, H, s->c, A, s->lo, s->hi);
    p.as.qp.xlo = s->xlo;
    p.as.qp.xhi = s->xhi;
    return p;
}

/* The formula of the header of lift.c, entry by entry, at any lifted point. */
static void naive_F(const sample *s, bool has_H, const int *range, int extra, const double *z,
                    double *F)
{
    for (int j = 0; j < N; j++) {
        F[j] = s->c[j];
        for (int k = 0; has_H && k < N; k++) F[j] += s->H[k * N + j] * z[k];
        for (int i = 0; i < M; i++) F[j] -= s->A[j * M + i] * z[N + i];
        for (int k = 0; k < extra; k++) F[j] -= s->A[j * M + range[k]] * z[N + M + k];
    }
    for (int r = 0; r < M + extra; r++) {
        int i = r < M ? r : range[r - M];
        double bound = r >= M || s->lo[i] == -INF ? s->hi[i] : s->lo[i];
        F[N + r] = bound == INF ? 0 : -bound;
        for (int j = 0; j < N; j++) F[N + r] += s->A[j * M + i] * z[j];
    }
}

/* Rows of make_sample: ranges are 6, 7 and 8. */
START_TEST(qp_in_every_format)
{
    sample s;
    make_sample((uint64_t)_i + 31, &s);
    generator g = generator_start((uint64_t)_i);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    const int range[] = {6, 7, 8};
    for (int k = 0; k < 12; k++) { /* H: three formats and absent; A: three formats */
        perp_arena a = {0};
        perp_lift lift;
        bool has_H = k < 9;
        perp_matrix Hk = has_H ? in_format(k / 3, &H, &a) : (perp_matrix){0};
        perp_problem p = problem_of(&s, Hk, in_format(k % 3, &A, &a));
        lift_to(p, PERP_KIND_MCP, &a, &lift);
        const perp_mcp *mcp = &lift.problem.as.mcp;
        ck_assert(mcp->F.M.format == (k == 0 ? PERP_FORMAT_DENSE : PERP_FORMAT_CSC));
        if (k > 0) ck_assert(sorted(&mcp->F.M));
        ck_assert_int_eq(lift.n, N);
        ck_assert_int_eq(lift.m, M);
        ck_assert_int_eq(lift.extra, 3);
        ck_assert_mem_eq(lift.range, range, sizeof range);
        double z[N + M + 3], w[N + M + 3], F[N + M + 3], up[N + M + 3], back[N + M];
        fill(&g, N + M + 3, 0, z);
        slack(&lift.problem, z, w);
        naive_F(&s, has_H, range, 3, z, F);
        for (int r = 0; r < N + M + 3; r++) ck_assert_double_eq_tol(w[r], F[r], 1e-13);
        perp_lift_up(&lift, s.z, up);
        perp_lift_down(&lift, up, back);
        ck_assert_mem_eq(back, s.z, sizeof back);
        if (has_H) {
            ck_assert_double_le(value_at(&p, s.z), 1e-14);
            ck_assert_double_le(value_at(&lift.problem, up), 1e-14);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* Where each multiplier may live, row by row of make_sample. */
START_TEST(qp_bounds)
{
    sample s;
    make_sample(5, &s);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    const double lo[] = {-INF, 0, 0, -INF, -INF, 0, 0, 0, 0, -INF, -INF, -INF};
    const double hi[] = {INF, INF, INF, 0, 0, 0, INF, INF, INF, 0, 0, 0};
    perp_arena a = {0};
    perp_lift lift;
    lift_to(problem_of(&s, in_format(0, &H, &a), in_format(0, &A, &a)), PERP_KIND_MCP, &a, &lift);
    const perp_mcp *mcp = &lift.problem.as.mcp;
    for (int j = 0; j < N; j++) {
        ck_assert_double_eq(mcp->lo[j], s.xlo[j]);
        ck_assert_double_eq(mcp->hi[j], s.xhi[j]);
    }
    for (int r = 0; r < M + 3; r++) {
        ck_assert_double_eq(mcp->lo[N + r], lo[r]);
        ck_assert_double_eq(mcp->hi[N + r], hi[r]);
    }
    perp_arena_free(&a);
}
END_TEST

/* What nearly solves the lifted problem nearly solves the qp: every component moved in turn. Some
 * moves lead to another solution. */
START_TEST(qp_residuals_agree)
{
    sample s;
    make_sample((uint64_t)_i + 400, &s);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    perp_arena a = {0};
    perp_lift lift;
    perp_problem p = problem_of(&s, in_format(1, &H, &a), in_format(1, &A, &a));
    lift_to(p, PERP_KIND_MCP, &a, &lift);
    double up[N + M + 3], down[N + M];
    int seen = 0;
    for (int k = 0; k < N + M + 3; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            perp_lift_up(&lift, s.z, up);
            up[k] += sign * 1e-3;
            perp_lift_down(&lift, up, down);
            double wide = value_at(&lift.problem, up), narrow = value_at(&p, down);
            seen += wide > 1e-6;
            ck_assert_double_le(narrow, 100 * wide + 1e-14);
        }
    }
    ck_assert_int_gt(seen, N + M);
    perp_arena_free(&a);
}
END_TEST

/* y and y2 of a range may both move; their sum is what counts. */
START_TEST(range_multipliers)
{
    const int range[] = {1};
    perp_lift lift = {.n = 1, .m = 2, .extra = 1, .range = range};
    const double z[] = {7, 8, -3}, pos[] = {7, 8, 3};
    double up[4], down[3];
    perp_lift_up(&lift, z, up);
    ck_assert(up[0] == 7 && up[1] == 8 && up[2] == 0 && up[3] == -3);
    perp_lift_up(&lift, pos, up);
    ck_assert(up[2] == 3 && up[3] == 0);
    const double both[] = {7, 8, 5, -2};
    perp_lift_down(&lift, both, down);
    ck_assert(down[0] == 7 && down[1] == 8 && down[2] == 3);
    const double nan_z[] = {7, 8, NAN};
    perp_lift_up(&lift, nan_z, up);
    ck_assert(isnan(up[2]));
}
END_TEST

START_TEST(operators)
{
    sample s;
    make_sample(8, &s);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    perp_arena a = {0};
    perp_lift lift;
    perp_error e;
    for (int k = 0; k < 2; k++) {
        perp_problem p = problem_of(&s, in_format(k ? 0 : 3, &H, &a), in_format(k ? 3 : 0, &A, &a));
        p = perp_complete(&p);
        ck_assert_int_eq(perp_lift_problem(&p, PERP_KIND_MCP, &a, &lift, &e), PERP_E_FORMAT);
        ck_assert_ptr_nonnull(strstr(e.text, "operator"));
    }
    /* Without rows the matrix is H itself, whatever it is. */
    perp_problem p = perp_make_qp(N, 0, in_format(3, &H, &a), s.c, (perp_matrix){0}, NULL, NULL);
    lift_to(p, PERP_KIND_MCP, &a, &lift);
    ck_assert(lift.problem.as.mcp.F.M.format == PERP_FORMAT_OPERATOR);
    p = perp_make_qp(N, 0, (perp_matrix){0}, s.c, (perp_matrix){0}, NULL, NULL);
    lift_to(p, PERP_KIND_MCP, &a, &lift);
    ck_assert(lift.problem.as.mcp.F.M.format == PERP_FORMAT_CSC);
    p = perp_make_qp(0, 0, (perp_matrix){0}, NULL, (perp_matrix){0}, NULL, NULL);
    lift_to(p, PERP_KIND_MCP, &a, &lift);
    perp_arena_free(&a);
}
END_TEST

static unsigned char buffer[16384];

/* Every amount of room: lifted, or no_memory with a sentence. */
START_TEST(every_amount_of_room)
{
    sample s;
    make_sample(12, &s);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    perp_arena keep = {0};
    double b[M] = {1};
    for (int k = 0; k < 4; k++) {
        perp_problem qp = problem_of(&s, in_format(k % 3, &H, &keep), in_format(k % 3, &A, &keep));
        const perp_problem list[] = {perp_complete(&qp), perp_make_nnls(in_format(k, &A, &keep), b),
                                     perp_make_lcp(N, in_format(k, &H, &keep), s.c)};
        for (int l = 0; l < 3; l++) {
            perp_status status = PERP_E_MEMORY;
            for (size_t size = 0; size <= sizeof buffer; size += 64) {
                perp_arena a;
                perp_lift lift;
                perp_error e = {0};
                perp_arena_fixed(&a, buffer, size);
                status = perp_lift_problem(&list[l], PERP_KIND_MCP, &a, &lift, &e);
                ck_assert(status == PERP_SOLVED || status == PERP_E_MEMORY);
                if (status) ck_assert(e.status == status && e.text[0]);
            }
            ck_assert_int_eq(status, PERP_SOLVED);
        }
    }
    perp_arena_free(&keep);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lift");
    TCase *c = tcase_create("lift");
    tcase_add_test(c, which_kinds);
    tcase_add_test(c, lcp_and_ncp);
    tcase_add_loop_test(c, nnls, 0, 10);
    tcase_add_test(c, nnls_solutions);
    tcase_add_test(c, nnls_of_untidy_columns);
    tcase_add_loop_test(c, qp_in_every_format, 0, 10);
    tcase_add_test(c, qp_bounds);
    tcase_add_loop_test(c, qp_residuals_agree, 0, 5);
    tcase_add_test(c, range_multipliers);
    tcase_add_test(c, operators);
    tcase_add_test(c, every_amount_of_room);
    suite_add_tcase(s, c);
    return support_run(s);
}
