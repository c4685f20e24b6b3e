/* tests/core/test_fields.c: the tables of every kind are sound, and what they say about problems.
 */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const double I3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, v3[] = {1, 2, 3};

static int count_sizes(const perp_kind_ops *ops)
{
    int count = 0;
    while (!perp_size_is_last(&ops->sizes[count])) count++;
    return count;
}

static bool is_form(const perp_kind_ops *ops, const char *form)
{
    const char *const *f = ops->forms;
    while (f && *f && strcmp(*f, form) != 0) f++;
    return f && *f;
}

static bool is_field(const perp_kind_ops *ops, const char *name)
{
    const perp_field *f = ops->fields;
    while (f->name && strcmp(f->name, name) != 0) f++;
    return f->name != NULL;
}

static void check_field(const perp_kind_ops *ops, const perp_field *f)
{
    int sizes = count_sizes(ops);
    ck_assert(f->offset > 0 && f->offset < sizeof(perp_problem));
    ck_assert(f->rows >= 0 && f->rows < sizes && f->columns >= 0 && f->columns < sizes);
    ck_assert(f->slot == 0 || (f->slot == 1 && f->type == PERP_FIELD_MATRIX));
    ck_assert(!f->form || is_form(ops, f->form));
    ck_assert(!f->needs || is_field(ops, f->needs));
    for (const perp_field *g = ops->fields; g != f; g++) {
        ck_assert_str_ne(f->name, g->name);
        ck_assert_uint_ne(f->offset, g->offset);
    }
    static const char *const others[] = {"end",      "title", "description", "constant",
                                         "solution", "guess"}; /* keywords of every kind */
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        ck_assert_str_ne(f->name, others[k]);
    }
}

START_TEST(tables)
{
    for (int k = 0; k < PERP_KINDS; k++) {
        const perp_kind_ops *ops = perp_kind_ops_of((perp_kind)k);
        int count = 0, matrices[2] = {0}, sizes = count_sizes(ops); /* of the local form or none */
        ck_assert(sizes >= 1 && sizes <= PERP_SIZES_MOST);
        for (int s = 0; s < sizes; s++) {
            const perp_kind_size *size = &ops->sizes[s];
            ck_assert_uint_lt(size->offset, sizeof(perp_problem));
            ck_assert_int_eq(!size->times, size->offset > 0); /* one of the two */
            ck_assert(!size->times || (size->of < sizes && !ops->sizes[size->of].times));
        }
        for (; ops->fields[count].name; count++) {
            check_field(ops, &ops->fields[count]);
            const char *form = ops->fields[count].form;
            bool body = form && strcmp(form, "body") == 0;
            matrices[body] += ops->fields[count].type == PERP_FIELD_MATRIX;
        }
        ck_assert(count >= 1 && count < 32); /* a bit each in the reader of the text format */
        ck_assert_int_le(matrices[0], PERP_MATRICES_MOST);
        ck_assert_int_le(matrices[1], PERP_MATRICES_MOST);
    }
}
END_TEST

/* The names are the text format's: a file that was written stays readable. */
START_TEST(keywords)
{
    const char *const names[] = {[PERP_KIND_LCP] = "M q",
                                 [PERP_KIND_NCP] = "M q",
                                 [PERP_KIND_MCP] = "M q lo hi findex mu",
                                 [PERP_KIND_FC3D] = "mu W q M H G f w b",
                                 [PERP_KIND_NNLS] = "A b free",
                                 [PERP_KIND_QP] = "H c A lo hi xlo xhi",
                                 [PERP_KIND_CONE] = "W q M H G R f w b lo hi findex group mu s"};
    for (int k = 0; k < (int)(sizeof names / sizeof *names); k++) {
        char text[100] = "";
        for (const perp_field *f = perp_kind_ops_of((perp_kind)k)->fields; f->name; f++) {
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? " " : "",
                     f->name);
        }
        ck_assert_str_eq(text, names[k]);
    }
}
END_TEST

START_TEST(sizes)
{
    perp_problem p = {.kind = PERP_KIND_QP, .as.qp = {.n = 3, .m = 2}};
    ck_assert(perp_size_get(&p, 0) == 3 && perp_size_get(&p, 1) == 2);
    perp_size_set(&p, 1, 7);
    ck_assert(p.as.qp.n == 3 && p.as.qp.m == 7);
    p = perp_make_nnls(perp_dense(1, 3, v3), v3);
    ck_assert(perp_size_get(&p, 0) == 3 && perp_size_get(&p, 1) == 1);
    p = (perp_problem){.kind = PERP_KIND_NNLS};
    perp_size_set(&p, 0, 4);
    perp_size_set(&p, 1, 5);
    ck_assert(p.as.nnls.A.n == 4 && p.as.nnls.A.m == 5);
    ck_assert_int_eq(perp_size_get(&p, 0), 0); /* there is no A */
    p = (perp_problem){.kind = PERP_KIND_FC3D, .as.fc3d = {.contacts = 4, .M = {.m = 6}}};
    p.as.fc3d.M.format = PERP_FORMAT_DENSE;
    ck_assert(perp_size_get(&p, 0) == 4 && perp_size_get(&p, 1) == 12);
    ck_assert(perp_size_get(&p, 2) == 6 && perp_size_get(&p, 3) == 0);
    p.as.fc3d.G = perp_dense(6, 2, NULL);
    ck_assert_int_eq(perp_size_get(&p, 3), 2);
}
END_TEST

START_TEST(forms)
{
    perp_problem p = {.kind = PERP_KIND_FC3D}, lcp = {.kind = PERP_KIND_LCP};
    ck_assert_str_eq(perp_kind_form(&p), "local");
    perp_kind_set_form(&p, "body");
    ck_assert_int_eq(p.as.fc3d.form, PERP_FORM_BODY);
    ck_assert_str_eq(perp_kind_form(&p), "body");
    perp_kind_set_form(&p, "local");
    ck_assert_int_eq(p.as.fc3d.form, PERP_FORM_LOCAL);
    ck_assert_ptr_null(perp_kind_form(&lcp));
}
END_TEST

START_TEST(parts_of_a_problem)
{
    const int none[] = {-1};
    perp_problem p = {.kind = PERP_KIND_MCP};
    const perp_field *mu = perp_field_find(PERP_KIND_MCP, PERP_ROLE_FRICTION);
    ck_assert_str_eq(mu->name, "mu");
    ck_assert(!perp_field_applies(mu, &p));
    p.as.mcp.follows = none;
    p.as.mcp.lo = v3;
    ck_assert(perp_field_applies(mu, &p));
    ck_assert_ptr_eq(perp_field_ints(perp_field_find(PERP_KIND_MCP, PERP_ROLE_FOLLOWS), &p), none);
    ck_assert_ptr_eq(perp_field_reals(perp_field_find(PERP_KIND_MCP, PERP_ROLE_LOWER), &p), v3);
    ck_assert_ptr_null(perp_field_reals(perp_field_find(PERP_KIND_MCP, PERP_ROLE_UPPER), &p));
    ck_assert_str_eq(perp_field_find(PERP_KIND_QP, PERP_ROLE_UPPER)->name, "xhi");
    ck_assert_ptr_null(perp_field_find(PERP_KIND_LCP, PERP_ROLE_LOWER));
    ck_assert_ptr_null(perp_field_find(PERP_KIND_FC3D, PERP_ROLE_FOLLOWS));
    const perp_field *contacts = perp_kind_ops_of(PERP_KIND_FC3D)->fields;
    p = (perp_problem){.kind = PERP_KIND_FC3D};
    for (; contacts->name; contacts++) {
        bool body = strchr("MHGfwb", contacts->name[0]) != NULL && strlen(contacts->name) == 1;
        ck_assert(perp_field_applies(contacts, &p) == !body);
    }
}
END_TEST

static bool eval(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0];
    return true;
}

/* The problem's matrices are these, each with the entry of solver.formats[] that rules it. */
static void lists(perp_problem *p, const char *names, const char *slots)
{
    perp_matrix *list[PERP_MATRICES_MOST];
    const perp_field *field[PERP_MATRICES_MOST];
    int count = perp_kind_matrices(p, list, field);
    ck_assert_int_eq(count, (int)strlen(names));
    for (int k = 0; k < count; k++) {
        ck_assert_int_eq(field[k]->name[0], names[k]);
        ck_assert_int_eq(field[k]->slot, slots[k] - '0');
        ck_assert_ptr_eq(list[k], perp_field_matrix(field[k], p));
    }
}

/* Absent matrices get their sizes, present ones stay. */
START_TEST(matrices)
{
    perp_matrix none = {0}, M = perp_dense(3, 3, I3);
    perp_problem p = perp_make_qp(3, 0, none, v3, none, NULL, NULL), full = perp_complete(&p);
    ck_assert(full.as.qp.H.m == 3 && full.as.qp.H.n == 3);
    ck_assert(full.as.qp.A.m == 0 && full.as.qp.A.n == 3);
    ck_assert_int_eq(p.as.qp.H.m, 0);
    lists(&full, "HA", "01");
    p = (perp_problem){.kind = PERP_KIND_FC3D};
    p.as.fc3d =
        (perp_fc3d){.contacts = 1, .form = PERP_FORM_BODY, .mu = v3, .M = M, .H = M, .f = v3};
    full = perp_complete(&p);
    ck_assert(full.as.fc3d.G.m == 3 && full.as.fc3d.G.n == 0);
    lists(&full, "MHG", "011");
    p = perp_make_fc3d(1, M, v3, v3);
    lists(&p, "W", "0");
    p = perp_make_lcp(3, M, v3);
    lists(&p, "M", "0");
    p = perp_make_nnls(M, v3);
    lists(&p, "A", "0");
    p = perp_make_mcp(3, M, v3, NULL, NULL);
    lists(&p, "M", "0");
    ck_assert_ptr_eq(perp_kind_map(&p), &p.as.mcp.F);
    p = (perp_problem){.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 1, .eval = eval}};
    full = perp_complete(&p);
    lists(&full, "", "");
    ck_assert(full.as.ncp.F.pattern.m == 1 && full.as.ncp.F.pattern.n == 1);
    ck_assert_ptr_eq(perp_kind_map(&p), &p.as.ncp.F);
    p = (perp_problem){.kind = PERP_KIND_QP};
    ck_assert_ptr_null(perp_kind_map(&p));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fields");
    TCase *c = tcase_create("fields");
    tcase_add_test(c, tables);
    tcase_add_test(c, keywords);
    tcase_add_test(c, sizes);
    tcase_add_test(c, forms);
    tcase_add_test(c, parts_of_a_problem);
    tcase_add_test(c, matrices);
    suite_add_tcase(s, c);
    return support_run(s);
}
