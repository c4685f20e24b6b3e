/* tests/core/test_refusals.c: bad data through perp_solve. Each kind of it gives its typed status
 * and one sentence that names the place, from every solver; z is not touched and nothing is
 * printed. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "refusal.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Every solver refuses p like this. */
static void refused(const perp_problem *p, perp_status status, const char *place)
{
    for (int k = 0;; k++) {
        const perp_options *o = nth_solver(k);
        answer a = solve(p, o);
        ck_assert_msg(a.status == status && strstr(a.r.detail, place),
                      "%s: %s, '%s'; expected %s naming '%s'", o ? o->solver->name : "auto",
                      perp_status_name(a.status), a.r.detail, perp_status_name(status), place);
        if (!o) return;
    }
}

START_TEST(the_sample_itself_is_solved)
{
    sample s;
    make_sample(&s);
    const perp_problem *all[] = {&s.dense, &s.csc, &s.bsr3};
    for (int f = 0; f < 3; f++) {
        for (int k = 0; k == 0 || nth_solver(k - 1); k++) {
            answer a = solve(all[f], nth_solver(k));
            ck_assert_msg(a.status == PERP_SOLVED, "%s", a.r.detail);
            ck_assert_double_eq_tol(a.z[0], 4.0 / 3, 1e-6);
            ck_assert_double_eq_tol(a.z[1], 7.0 / 3, 1e-6);
            ck_assert_double_eq_tol(a.z[2], 1, 1e-6);
        }
    }
}
END_TEST

/* ---- pointers and sizes ---- */

START_TEST(null_arguments)
{
    sample s;
    perp_arena arena = {0};
    answer a = {0};
    make_sample(&s);
    ck_assert_int_eq(solve_quietly(NULL, NULL, &arena, a.z, NULL, &a), 0);
    ck_assert_int_eq(a.status, PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(a.r.detail, "problem"));
    ck_assert_int_eq(solve_quietly(&s.dense, NULL, &arena, NULL, NULL, &a), 0);
    ck_assert_int_eq(a.status, PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(a.r.detail, "z "));
    ck_assert_int_eq(perp_solve(&s.dense, NULL, &arena, a.z, NULL, NULL), PERP_E_ARGUMENT);
    a = solve_with(&s.dense, NULL, NULL);
    ck_assert_int_eq(a.status, PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(a.r.detail, "arena"));
    perp_arena_free(&arena);
}
END_TEST

/* n claims more unknowns than M has and than there is room for in z, which the caller made for M.
 */
START_TEST(inconsistent_sizes)
{
    static const double x[] = {2, 1, 1, 2}, q[] = {-5, -6};
    const perp_matrix M = perp_dense(2, 2, x);
    perp_problem map = {.kind = PERP_KIND_MCP};
    map.as.mcp.F = (perp_map){.n = 1 << 20, .M = M, .q = q};
    perp_problem all[] = {perp_make_lcp(1 << 20, M, q), map,
                          perp_make_qp(1 << 20, 0, M, q, (perp_matrix){0}, NULL, NULL)};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (int warm = 0; warm < 2; warm++) {
            double *z = malloc(2 * sizeof *z); /* a sanitizer watches its end */
            perp_arena arena = {0};
            perp_plain_options o = perp_lcp_auto_defaults();
            perp_result r;
            ck_assert_ptr_nonnull(z);
            z[0] = 3;
            z[1] = 4;
            o.base.warm_start = warm;
            perp_status s = perp_solve(&all[k], warm ? &o.base : NULL, &arena, z, NULL, &r);
            ck_assert_msg(s == PERP_E_ARGUMENT, "%zu: %s", k, r.detail);
            ck_assert(z[0] == 3 && z[1] == 4);
            perp_arena_free(&arena);
            free(z);
        }
    }
}
END_TEST

/* mu is not read before the matrices agree with the number of contacts: here it would end long
 * before, in a page that nobody may read. */
START_TEST(inconsistent_contacts)
{
    static const double x[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 0, 0};
    const perp_matrix W = perp_dense(3, 3, x);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(pages != MAP_FAILED && !mprotect(pages + page, page, PROT_NONE));
    double *mu = (double *)(void *)(pages + page) - 1, z[3] = {3, 4, 5};
    *mu = 0.5;
    perp_problem local = perp_make_fc3d(1 << 20, W, q, mu), body = {.kind = PERP_KIND_FC3D};
    body.as.fc3d =
        (perp_fc3d){.contacts = 1 << 20, .form = PERP_FORM_BODY, .mu = mu, .M = W, .H = W, .f = q};
    for (int k = 0; k < 2; k++) {
        perp_arena arena = {0};
        perp_result r;
        ck_assert_int_eq(perp_solve(k ? &body : &local, NULL, &arena, z, NULL, &r),
                         PERP_E_ARGUMENT);
        ck_assert_msg(strstr(r.detail, k ? "H is 3 x 3" : "W is 3 x 3"), "%s", r.detail);
        ck_assert(z[0] == 3 && z[1] == 4 && z[2] == 5);
        perp_arena_free(&arena);
    }
    munmap(pages, 2 * page);
}
END_TEST

START_TEST(null_data)
{
    sample s;
    make_sample(&s);
    perp_problem p = s.dense;
    p.as.lcp.q = NULL;
    refused(&p, PERP_E_ARGUMENT, "q is NULL");
    p = s.dense;
    p.as.lcp.M.as.dense.x = NULL;
    refused(&p, PERP_E_ARGUMENT, "M.x");
    p = s.csc;
    p.as.lcp.M.as.csc.p = NULL;
    refused(&p, PERP_E_ARGUMENT, "M.p");
    p = s.csc;
    p.as.lcp.M.as.csc.i = NULL;
    refused(&p, PERP_E_ARGUMENT, "M.i");
    p = s.csc;
    p.as.lcp.M.as.csc.x = NULL;
    refused(&p, PERP_E_ARGUMENT, "M.x");
    p = s.bsr3;
    p.as.lcp.M.as.bsr3.p = NULL;
    refused(&p, PERP_E_ARGUMENT, "M.p");
    p = s.bsr3;
    p.as.lcp.M.as.bsr3.j = NULL;
    refused(&p, PERP_E_ARGUMENT, "M.j");
    p = s.bsr3;
    p.as.lcp.M.as.bsr3.x = NULL;
    refused(&p, PERP_E_ARGUMENT, "M.x");
    p = s.dense;
    p.as.lcp.M = (perp_matrix){0};
    refused(&p, PERP_E_ARGUMENT, "M is missing");
    p.as.lcp.M = (perp_matrix){.format = PERP_FORMAT_OPERATOR, .m = 3, .n = 3};
    refused(&p, PERP_E_ARGUMENT, "M.mul");
}
END_TEST

START_TEST(sizes)
{
    sample s;
    make_sample(&s);
    perp_problem p = s.dense;
    static const int below[] = {-1, -3, INT_MIN};
    for (int k = 0; k < 3; k++) {
        char text[32];
        snprintf(text, sizeof text, "n = %d", below[k]);
        p.as.lcp.n = below[k];
        refused(&p, PERP_E_ARGUMENT, text);
    }
    p = s.dense;
    p.as.lcp.n = 2;
    refused(&p, PERP_E_ARGUMENT, "M is 3 x 3");
    p = s.dense;
    p.as.lcp.M.m = -3;
    refused(&p, PERP_E_ARGUMENT, "M is -3 x 3");
    static const int ld[] = {2, 0, -1, INT_MIN};
    for (int k = 0; k < 4; k++) {
        p = s.dense;
        p.as.lcp.M.as.dense.ld = ld[k];
        refused(&p, PERP_E_ARGUMENT, "ld = ");
    }
    p = s.dense;
    p.as.lcp.M.format = (perp_format)3;
    refused(&p, PERP_E_ARGUMENT, "format 3");
    p = s.dense;
    p.kind = (perp_kind)PERP_KINDS;
    refused(&p, PERP_E_ARGUMENT, "kind");
    p = perp_make_lcp(2, perp_bsr3(1, 1, s.bp, s.bj, s.block), s.q);
    refused(&p, PERP_E_ARGUMENT, "M is 3 x 3");
    p.as.lcp.M.m = p.as.lcp.M.n = 2;
    refused(&p, PERP_E_ARGUMENT, "multiples of 3");
}
END_TEST

/* Nothing to do is done, whatever the pointers. */
START_TEST(nothing)
{
    static const double x[1] = {0};
    static const int zero[1] = {0};
    const perp_matrix empty[] = {{0},
                                 perp_dense(0, 0, NULL),
                                 perp_dense(0, 0, x),
                                 perp_csc(0, 0, zero, NULL, NULL),
                                 perp_bsr3(0, 0, zero, NULL, NULL)};
    for (size_t f = 0; f < sizeof empty / sizeof *empty; f++) {
        perp_problem p = perp_make_lcp(0, empty[f], f % 2 ? NULL : x);
        for (int k = 0; k == 0 || nth_solver(k - 1); k++) {
            perp_arena arena = {0};
            answer a = solve(&p, nth_solver(k));
            ck_assert_msg(a.status == PERP_SOLVED, "%s", a.r.detail);
            ck_assert_double_eq(a.r.residual.value, 0);
            ck_assert_int_eq(solve_quietly(&p, nth_solver(k), &arena, NULL, NULL, &a), 0);
            ck_assert_msg(a.status == PERP_SOLVED, "%s", a.r.detail);
            perp_arena_free(&arena);
        }
    }
}
END_TEST

START_TEST(broken_columns)
{
    static const struct {
        int at, value;
        const char *place;
    } pointers[] = {{0, 1, "M.p[0] = 1"}, {0, -1, "M.p[0] = -1"}, {1, 7, "M.p[2] = 6"},
                    {2, 2, "M.p[2] = 2"}, {1, INT_MIN, "M.p[1]"}, {3, -5, "M.p[3] = -5"}},
      rows[] = {{4, 3, "M.i[4] = 3"}, {0, -1, "M.i[0] = -1"}, {8, INT_MAX, "M.i[8]"}};
    sample s;
    for (size_t k = 0; k < sizeof pointers / sizeof *pointers; k++) {
        make_sample(&s);
        s.p[pointers[k].at] = pointers[k].value;
        refused(&s.csc, PERP_E_ARGUMENT, pointers[k].place);
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        make_sample(&s);
        s.i[rows[k].at] = rows[k].value;
        refused(&s.csc, PERP_E_ARGUMENT, rows[k].place);
    }
    make_sample(&s);
    s.bj[0] = 1;
    refused(&s.bsr3, PERP_E_ARGUMENT, "M.j[0] = 1");
    s.bj[0] = -1;
    refused(&s.bsr3, PERP_E_ARGUMENT, "M.j[0] = -1");
    make_sample(&s);
    s.bp[1] = -1;
    refused(&s.bsr3, PERP_E_ARGUMENT, "M.p[1] = -1");
}
END_TEST

/* ---- numbers ---- */

static const double bad[] = {NAN, INFINITY, -INFINITY};

START_TEST(not_finite)
{
    double x = bad[_i];
    char place[32];
    sample s;
    for (int k = 0; k < 9; k++) {
        make_sample(&s);
        s.M[k] = s.block[k] = x;
        snprintf(place, sizeof place, "M[%d][%d]", k % 3, k / 3);
        refused(&s.dense, PERP_E_NUMBER, place);
        refused(&s.bsr3, PERP_E_NUMBER, place);
        s.x[k] = x;
        snprintf(place, sizeof place, "M[%d][%d]", s.i[k], k / 3);
        refused(&s.csc, PERP_E_NUMBER, place);
    }
    for (int k = 0; k < 3; k++) {
        make_sample(&s);
        s.q[k] = x;
        snprintf(place, sizeof place, "q[%d]", k);
        refused(&s.dense, PERP_E_NUMBER, place);
    }
}
END_TEST

/* Finite, but products and sums are not: no claim, z finite. */
START_TEST(overflow)
{
    static const double huge[] = {1e308, -1e308, 1e200, 5e-324};
    for (int a = 0; a < 4 * 4 * 4; a++) {
        const double M[4] = {huge[a % 4], huge[a / 4 % 4], huge[a / 4 % 4], huge[a % 4]};
        const double q[2] = {huge[a / 16], -huge[a / 16]};
        perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
        for (int k = 0; k == 0 || nth_solver(k - 1); k++) {
            answer r = solve(&p, nth_solver(k));
            ck_assert(r.status != PERP_SOLVED || r.r.residual.value <= 1e-8);
        }
    }
}
END_TEST

START_TEST(warm_start)
{
    sample s;
    make_sample(&s);
    for (int k = 0; nth_solver(k); k++) {
        perp_arena arena = {0};
        perp_options *o = nth_options(k, &arena);
        o->warm_start = true;
        for (int i = 0; i < 3; i++) {
            answer a = {.z = {1, 2, 3}};
            a.z[i] = bad[_i];
            ck_assert_int_eq(solve_quietly(&s.dense, o, &arena, a.z, NULL, &a), 0);
            ck_assert_int_eq(a.status, PERP_E_NUMBER);
            ck_assert_ptr_nonnull(strstr(a.r.detail, "warm start z"));
            for (int j = 0; j < 3; j++) ck_assert_double_eq(a.z[j], j == i ? 0 : j + 1);
        }
        perp_arena_free(&arena);
    }
}
END_TEST

/* PSOR divides by the diagonal; auto gets around it. */
START_TEST(diagonal)
{
    static const double wrong[] = {0, -0.0, -1, 5e-324};
    for (int k = 0; k < 4; k++) {
        sample s;
        make_sample(&s);
        s.M[4] = s.x[4] = s.block[4] = wrong[k];
        const perp_problem *all[] = {&s.dense, &s.csc, &s.bsr3};
        for (int f = 0; f < 3; f++) {
            answer a = solve(all[f], perp_find("lcp/psor"));
            ck_assert_int_eq(a.status, PERP_E_NUMBER);
            ck_assert_msg(strstr(a.r.detail, "M[1][1]"), "%s", a.r.detail);
            ck_assert_int_ge(solve(all[f], NULL).status, 0);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("refusals");
    TCase *tests = tcase_create("refusals");
    tcase_add_test(tests, the_sample_itself_is_solved);
    tcase_add_test(tests, null_arguments);
    tcase_add_test(tests, inconsistent_sizes);
    tcase_add_test(tests, inconsistent_contacts);
    tcase_add_test(tests, null_data);
    tcase_add_test(tests, sizes);
    tcase_add_test(tests, nothing);
    tcase_add_test(tests, broken_columns);
    tcase_add_loop_test(tests, not_finite, 0, 3);
    tcase_add_test(tests, overflow);
    tcase_add_loop_test(tests, warm_start, 0, 3);
    tcase_add_test(tests, diagonal);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
