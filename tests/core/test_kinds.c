/* tests/core/test_kinds.c: names, sizes, the short constructors, and problems of no kind. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <limits.h>
#include <string.h>

static const double I3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, v3[] = {1, 2, 3}, w3[] = {4, 5, 6};

START_TEST(names)
{
    const char *const words[] = {
        [PERP_KIND_LCP] = "lcp",   [PERP_KIND_NCP] = "ncp",   [PERP_KIND_MCP] = "mcp",
        [PERP_KIND_FC3D] = "fc3d", [PERP_KIND_NNLS] = "nnls", [PERP_KIND_QP] = "qp",
        [PERP_KIND_CONE] = "cone"};
    for (int k = 0; k < (int)(sizeof words / sizeof *words); k++) {
        ck_assert_str_eq(perp_kind_name((perp_kind)k), words[k]);
    }
    ck_assert(PERP_KIND_LCP == 0 && PERP_KIND_QP == 5 && PERP_KINDS >= 6); /* callers' numbers */
    const int outside[] = {-1, PERP_KINDS, 1000, INT_MAX, INT_MIN};
    for (int k = 0; k < 5; k++) {
        ck_assert_ptr_null(perp_kind_name((perp_kind)outside[k]));
        ck_assert_ptr_null(perp_kind_ops_of((perp_kind)outside[k]));
    }
}
END_TEST

/* What no kind can do without, and the lists end. */
START_TEST(operations)
{
    for (int k = 0; k < PERP_KINDS; k++) {
        const perp_kind_ops *ops = perp_kind_ops_of((perp_kind)k);
        int steps = 0;
        ck_assert(ops->sizes && ops->fields);
        ck_assert(ops->size && ops->validate && ops->scale && ops->measure);
        ck_assert_int_eq(!ops->form, !ops->forms);
        ck_assert(!ops->least_squares || ops->objective);
        for (; ops->lift; ops = perp_kind_ops_of(ops->wider)) ck_assert_int_lt(steps++, PERP_KINDS);
    }
}
END_TEST

START_TEST(lists)
{
    char text[200], tiny[8];
    perp_kind_list("or", text, sizeof text);
    ck_assert_ptr_eq(strstr(text, "lcp, ncp, mcp, fc3d, nnls"), text);
    const char *last = perp_kind_name((perp_kind)(PERP_KINDS - 1)), *word = strstr(text, " or ");
    ck_assert_ptr_nonnull(word);
    ck_assert_str_eq(word + 4, last);
    ck_assert_ptr_eq(perp_kind_list("and", tiny, sizeof tiny), tiny);
    ck_assert_str_eq(tiny, "lcp, nc");
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

int main(void)
{
    Suite *s = suite_create("kinds");
    TCase *c = tcase_create("kinds");
    tcase_add_test(c, names);
    tcase_add_test(c, operations);
    tcase_add_test(c, lists);
    tcase_add_test(c, no_problem);
    tcase_add_test(c, error_is_cleared);
    tcase_add_test(c, constructors);
    tcase_add_test(c, sizes);
    suite_add_tcase(s, c);
    return support_run(s);
}
