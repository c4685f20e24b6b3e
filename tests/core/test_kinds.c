/* tests/core/test_kinds.c: names, sizes, the short constructors, and problems of no kind. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <limits.h>
#include <string.h>

static const double I3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, v3[] = {1, 2, 3}, w3[] = {4, 5, 6};

START_TEST(names)
{
    const char *const words[PERP_KINDS] = {"lcp", "ncp", "mcp", "fc3d", "nnls", "qp"};
    for (int k = 0; k < PERP_KINDS; k++) {
        ck_assert_str_eq(perp_kind_name((perp_kind)k), words[k]);
        const perp_kind_ops *ops = perp_kind_ops_of((perp_kind)k);
        ck_assert(ops->size && ops->validate && ops->matrices && ops->scale && ops->measure);
        ck_assert_str_eq(ops->name, words[k]);
    }
    const int outside[] = {-1, PERP_KINDS, 1000, INT_MAX, INT_MIN};
    for (int k = 0; k < 5; k++) {
        ck_assert_ptr_null(perp_kind_name((perp_kind)outside[k]));
        ck_assert_ptr_null(perp_kind_ops_of((perp_kind)outside[k]));
    }
}
END_TEST

START_TEST(no_problem)
{
    perp_error e;
    ck_assert_int_eq(perp_size(NULL), -1);
    ck_assert_int_eq(perp_validate(NULL, &e), PERP_E_ARGUMENT);
    ck_assert_int_eq(e.status, PERP_E_ARGUMENT);
    ck_assert_str_ne(e.text, "");
    ck_assert_int_eq(perp_validate(NULL, NULL), PERP_E_ARGUMENT);
    perp_problem p = {.kind = (perp_kind)17};
    ck_assert_int_eq(perp_size(&p), -1);
    ck_assert_int_eq(perp_validate(&p, &e), PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(e.text, "17"));
    ck_assert_int_eq((int)perp_complete(&p).kind, 17);
}
END_TEST

/* A good problem clears what an earlier refusal left in the error. */
START_TEST(error_is_cleared)
{
    perp_error e = {PERP_E_NUMBER, 3, "old"};
    perp_problem p = perp_make_lcp(3, perp_dense(3, 3, I3), v3);
    ck_assert_int_eq(perp_validate(&p, &e), PERP_SOLVED);
    ck_assert_int_eq(e.status, PERP_SOLVED);
    ck_assert_int_eq(e.line, 0);
    ck_assert_str_eq(e.text, "");
}
END_TEST

START_TEST(constructors)
{
    perp_matrix M = perp_dense(3, 3, I3), A = perp_dense(1, 3, v3);
    perp_problem p = perp_make_lcp(3, M, v3);
    ck_assert(p.kind == PERP_KIND_LCP && p.as.lcp.n == 3 && p.as.lcp.q == v3 && !p.name);
    ck_assert_ptr_eq(p.as.lcp.M.as.dense.x, I3);
    ck_assert_int_eq(perp_size(&p), 3);
    p = perp_make_mcp(3, M, v3, v3, w3);
    ck_assert(p.kind == PERP_KIND_MCP && p.as.mcp.F.n == 3 && p.as.mcp.lo == v3 &&
              p.as.mcp.hi == w3);
    ck_assert(!p.as.mcp.F.eval && !p.as.mcp.follows);
    ck_assert_int_eq(perp_size(&p), 3);
    p = perp_make_fc3d(1, M, v3, w3);
    ck_assert(p.kind == PERP_KIND_FC3D && p.as.fc3d.form == PERP_FORM_LOCAL && p.as.fc3d.mu == w3);
    ck_assert_int_eq(perp_size(&p), 3);
    p = perp_make_nnls(A, w3);
    ck_assert(p.kind == PERP_KIND_NNLS && p.as.nnls.b == w3 && !p.as.nnls.is_free);
    ck_assert_int_eq(perp_size(&p), 3);
    p = perp_make_qp(3, 1, M, v3, A, w3, NULL);
    ck_assert(p.kind == PERP_KIND_QP && p.as.qp.c == v3 && p.as.qp.lo == w3 && !p.as.qp.hi);
    ck_assert(!p.as.qp.xlo && !p.as.qp.xhi);
    ck_assert_int_eq(perp_size(&p), 4);
    perp_problem list[] = {perp_make_lcp(3, M, v3), perp_make_mcp(3, M, v3, v3, w3),
                           perp_make_fc3d(1, M, v3, w3), perp_make_nnls(A, w3), p};
    for (int k = 0; k < 5; k++) ck_assert_int_eq(perp_validate(&list[k], NULL), PERP_SOLVED);
}
END_TEST

START_TEST(sizes)
{
    perp_problem p = perp_make_fc3d(INT_MAX / 3, (perp_matrix){0}, NULL, NULL);
    ck_assert_int_eq(perp_size(&p), INT_MAX / 3 * 3);
    p.as.fc3d.contacts++;
    ck_assert_int_eq(perp_size(&p), -1);
    p = perp_make_qp(INT_MAX, 0, (perp_matrix){0}, NULL, (perp_matrix){0}, NULL, NULL);
    ck_assert_int_eq(perp_size(&p), INT_MAX);
    p.as.qp.m = 1;
    ck_assert_int_eq(perp_size(&p), -1);
    p.as.qp.m = -1;
    ck_assert_int_eq(perp_size(&p), -1);
}
END_TEST

/* Absent matrices get their sizes, present ones stay; the solver's formats rule each. */
START_TEST(completion)
{
    perp_matrix none = {0}, M = perp_dense(3, 3, I3), *list[4];
    int slot[4];
    perp_problem p = perp_make_qp(3, 0, none, v3, none, NULL, NULL), full = perp_complete(&p);
    ck_assert(full.as.qp.H.m == 3 && full.as.qp.H.n == 3);
    ck_assert(full.as.qp.A.m == 0 && full.as.qp.A.n == 3);
    ck_assert_int_eq(p.as.qp.H.m, 0);
    ck_assert_int_eq(perp_kind_ops_of(PERP_KIND_QP)->matrices(&full, list, slot), 2);
    ck_assert(list[0] == &full.as.qp.H && list[1] == &full.as.qp.A && slot[0] == 0 && slot[1] == 1);

    p = (perp_problem){.kind = PERP_KIND_FC3D};
    p.as.fc3d =
        (perp_fc3d){.contacts = 1, .form = PERP_FORM_BODY, .mu = v3, .M = M, .H = M, .f = v3};
    full = perp_complete(&p);
    ck_assert(full.as.fc3d.G.m == 3 && full.as.fc3d.G.n == 0);
    ck_assert_int_eq(perp_kind_ops_of(PERP_KIND_FC3D)->matrices(&full, list, slot), 3);
    ck_assert(list[0] == &full.as.fc3d.M && list[1] == &full.as.fc3d.H &&
              list[2] == &full.as.fc3d.G && slot[0] == 0 && slot[1] == 1 && slot[2] == 1);
    p = perp_make_fc3d(1, M, v3, v3);
    ck_assert_int_eq(perp_kind_ops_of(PERP_KIND_FC3D)->matrices(&p, list, slot), 1);
    ck_assert(list[0] == &p.as.fc3d.W && slot[0] == 0);

    p = perp_make_lcp(3, M, v3);
    ck_assert_int_eq(perp_kind_ops_of(PERP_KIND_LCP)->matrices(&p, list, slot), 1);
    ck_assert(list[0] == &p.as.lcp.M && slot[0] == 0);
    p = perp_make_nnls(M, v3);
    ck_assert_int_eq(perp_kind_ops_of(PERP_KIND_NNLS)->matrices(&p, list, slot), 1);
    ck_assert(list[0] == &p.as.nnls.A && slot[0] == 0);
    p = perp_make_mcp(3, M, v3, NULL, NULL);
    ck_assert_int_eq(perp_kind_ops_of(PERP_KIND_MCP)->matrices(&p, list, slot), 1);
    ck_assert(list[0] == &p.as.mcp.F.M && slot[0] == 0);
}
END_TEST

static bool eval(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0];
    return true;
}

START_TEST(callback_has_no_matrix)
{
    perp_matrix *list[4];
    int slot[4];
    perp_problem p = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 1, .eval = eval}};
    perp_problem full = perp_complete(&p);
    ck_assert_int_eq(perp_kind_ops_of(PERP_KIND_NCP)->matrices(&full, list, slot), 0);
    ck_assert(full.as.ncp.F.pattern.m == 1 && full.as.ncp.F.pattern.n == 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kinds");
    TCase *c = tcase_create("kinds");
    tcase_add_test(c, names);
    tcase_add_test(c, no_problem);
    tcase_add_test(c, error_is_cleared);
    tcase_add_test(c, constructors);
    tcase_add_test(c, sizes);
    tcase_add_test(c, completion);
    tcase_add_test(c, callback_has_no_matrix);
    suite_add_tcase(s, c);
    return support_run(s);
}
