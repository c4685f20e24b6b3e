/* tests/core/test_certify.c: the two public calls: what they refuse, what they leave behind. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const double I3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, minus[] = {-1, -1, -1}, mu[] = {0.5};
static const double first[] = {1, 0, 0}; /* the row of the qp */

static bool shifted(void *ctx, const double *z, double *F)
{
    (void)ctx;
    for (int i = 0; i < 3; i++) F[i] = z[i] - 1;
    return true;
}

/* One problem of each kind, and body form; z solves it. */
static const struct {
    perp_kind kind;
    bool body;
    int n;
    double z[6];
} cases[] = {
    {PERP_KIND_LCP, false, 3, {1, 1, 1}},
    {PERP_KIND_NCP, false, 3, {1, 1, 1}},
    {PERP_KIND_MCP, false, 3, {1, 1, 1}},
    {PERP_KIND_FC3D, false, 3, {1, 0.35355339059327373, 0.35355339059327373}},
    {PERP_KIND_NNLS, false, 3, {0, 0, 0}},
    {PERP_KIND_QP, false, 4, {1, 1, 1, 0}},
    {PERP_KIND_FC3D,
     true,
     6,
     {1, 0.35355339059327373, 0.35355339059327373, 0, -0.64644660940672627, -0.64644660940672627}},
};
#define CASES ((int)(sizeof cases / sizeof *cases))

static perp_problem problem_of(int k)
{
    perp_matrix M = perp_dense(3, 3, I3), A = perp_dense(1, 3, first);
    perp_problem p = {.kind = cases[k].kind};
    switch (cases[k].kind) {
    case PERP_KIND_LCP: return perp_make_lcp(3, M, minus);
    case PERP_KIND_NCP: p.as.ncp.F = (perp_map){.n = 3, .eval = shifted}; return p;
    case PERP_KIND_MCP: return perp_make_mcp(3, M, minus, NULL, NULL);
    case PERP_KIND_NNLS: return perp_make_nnls(M, minus);
    case PERP_KIND_QP: return perp_make_qp(3, 1, M, minus, A, NULL, NULL);
    default: break;
    }
    p = perp_make_fc3d(1, M, minus, mu);
    if (!cases[k].body) return p;
    p.as.fc3d.form = PERP_FORM_BODY;
    p.as.fc3d.M = p.as.fc3d.H = M;
    p.as.fc3d.f = minus;
    return p;
}

static bool all_infinite(const perp_residual *r)
{
    return r->value == INFINITY && r->absolute == INFINITY && r->primal == INFINITY &&
           r->dual == INFINITY && r->complementarity == INFINITY;
}

START_TEST(solutions_and_neighbours)
{
    perp_problem p = problem_of(_i);
    perp_arena a = {0};
    perp_residual r;
    int n = cases[_i].n;
    double z[6];
    memcpy(z, cases[_i].z, sizeof z);
    ck_assert_int_eq(perp_size(&p), n);
    ck_assert_int_eq(perp_certify(&p, z, &a, &r), PERP_SOLVED);
    ck_assert_double_le(r.value, 1e-15);
    ck_assert_uint_eq(a.used, 0);
    unsigned blocks = a.allocations;
    for (int i = 0; i < n; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            z[i] = cases[_i].z[i] + 1e-5 * sign;
            ck_assert_int_eq(perp_certify(&p, z, &a, &r), PERP_SOLVED);
            ck_assert_double_gt(r.value, 1e-7);
            ck_assert_double_lt(r.value, 1e-3);
            z[i] = sign < 0 ? NAN : -INFINITY;
            ck_assert_int_eq(perp_certify(&p, z, &a, &r), PERP_E_NUMBER);
            ck_assert(all_infinite(&r));
        }
        z[i] = cases[_i].z[i];
    }
    ck_assert_uint_eq(a.allocations, blocks); /* the first call made all the room */
    perp_arena_free(&a);
}
END_TEST

static void certify_refused(const perp_problem *p, const double *z, perp_arena *a)
{
    perp_residual r = {0};
    ck_assert_int_eq(perp_certify(p, z, a, &r), PERP_E_ARGUMENT);
    ck_assert(all_infinite(&r));
}

static void check_refused(const perp_problem *p, perp_status claim, const double *y, perp_arena *a,
                          perp_status expected)
{
    perp_residual r = {0};
    ck_assert_int_eq(perp_check(p, claim, y, NULL, a, &r), expected);
    ck_assert(all_infinite(&r));
}

START_TEST(refusals)
{
    perp_problem p = problem_of(_i), bad = p;
    perp_arena a = {0};
    const double *z = cases[_i].z, y[6] = {1, NAN, 1, 1, 1, 1};
    bad.kind = (perp_kind)99;
    ck_assert_int_eq(perp_certify(&p, z, &a, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_check(&p, PERP_RAY, z, NULL, &a, NULL), PERP_E_ARGUMENT);
    certify_refused(NULL, z, &a);
    certify_refused(&p, NULL, &a);
    certify_refused(&p, z, NULL);
    certify_refused(&bad, z, &a);
    check_refused(&p, PERP_INFEASIBLE, NULL, &a, PERP_E_ARGUMENT);
    check_refused(&bad, PERP_RAY, z, &a, PERP_E_ARGUMENT);
    check_refused(&p, PERP_INFEASIBLE, y, &a, PERP_E_NUMBER);
    check_refused(&p, PERP_SOLVED, z, &a, PERP_E_ARGUMENT);
    perp_arena_free(&a);
}
END_TEST

/* Every amount of room: an answer or no_memory, never a wrong scale. */
START_TEST(every_amount_of_room)
{
    perp_problem p = problem_of(_i);
    perp_arena a = {0};
    perp_residual right, r;
    double z[6] = {2, 3, 4, 5, 6, 7};
    unsigned char buffer[4096];
    ck_assert_int_eq(perp_certify(&p, z, &a, &right), PERP_SOLVED);
    perp_arena_free(&a);
    int refused = 0;
    for (size_t size = 0; size <= sizeof buffer; size += 32) {
        perp_arena_fixed(&a, buffer, size);
        perp_status s = perp_certify(&p, z, &a, &r);
        ck_assert(s == PERP_SOLVED || s == PERP_E_MEMORY);
        if (s == PERP_SOLVED)
            ck_assert_double_eq(r.value, right.value);
        else
            ck_assert(all_infinite(&r));
        refused += s != PERP_SOLVED;
        ck_assert(!a.failed);
        perp_status c = perp_check(&p, PERP_INFEASIBLE, z, NULL, &a, &r);
        ck_assert(c == PERP_UNCERTIFIED || c == PERP_E_MEMORY || c == PERP_E_ARGUMENT);
        ck_assert(!(r.value <= 1e-9));
    }
    ck_assert_int_gt(refused, 0);
    ck_assert_int_eq(perp_certify(&p, z, &a, &r), PERP_SOLVED);
}
END_TEST

/* A failure of an earlier user of the arena is not this call's. */
START_TEST(old_failure_is_forgotten)
{
    perp_problem p = problem_of(0);
    perp_arena a = {0};
    perp_residual r;
    a.failed = true;
    ck_assert_int_eq(perp_certify(&p, cases[0].z, &a, &r), PERP_SOLVED);
    a.failed = true;
    ck_assert_int_eq(perp_check(&p, PERP_RAY, cases[0].z, NULL, &a, &r), PERP_UNCERTIFIED);
    perp_arena_free(&a);
}
END_TEST

/* Numbers near the ends of the range: measured or refused, never quietly fine. */
START_TEST(extremes)
{
    const double big[] = {DBL_MAX, DBL_MAX, DBL_MAX}, tiny[] = {-5e-324, -1e-310, -1e-300};
    const double zero[] = {0, 0, 0};
    perp_arena a = {0};
    perp_residual r;
    perp_problem p = perp_make_lcp(3, perp_dense(3, 3, I3), tiny);
    ck_assert_int_eq(perp_certify(&p, zero, &a, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(r.value, 1, 1e-12); /* |q| does not vanish */
    ck_assert_int_eq(perp_certify(&p, big, &a, &r), PERP_E_NUMBER);
    ck_assert(all_infinite(&r));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("certify");
    TCase *c = tcase_create("certify");
    tcase_add_loop_test(c, solutions_and_neighbours, 0, CASES);
    tcase_add_loop_test(c, refusals, 0, CASES);
    tcase_add_loop_test(c, every_amount_of_room, 0, CASES);
    tcase_add_test(c, old_failure_is_forgotten);
    tcase_add_test(c, extremes);
    suite_add_tcase(s, c);
    return support_run(s);
}
