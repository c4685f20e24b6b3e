/* tests/rigid/test_forms.c: every form has its row; what the row says holds for the problem that it
 * makes, and impulses go into z and come back. */
#include "rigid_support.h"

static scene make_scene(generator *g, perp_arena *a, const perp_form_ops *f)
{
    return random_scene(g, a, 4, 6, f->joint ? 2 : 0);
}

START_TEST(every_form_has_its_row)
{
    for (int k = 0; k < PERP_FORMS; k++) {
        const perp_form_ops *f = perp_forms[k];
        ck_assert_ptr_nonnull(f);
        ck_assert(f->make != NULL);
        ck_assert_int_ge(f->each, 1);
        ck_assert_int_le(f->each, 3);
        ck_assert(f->name || f->accelerations);
        for (int j = 0; j < k; j++) ck_assert_ptr_ne(f, perp_forms[j]);
        for (int j = 0; f->name && j < k; j++) ck_assert_str_ne(f->name, perp_forms[j]->name);
    }
}
END_TEST

START_TEST(kind_and_size_are_those_of_the_problem)
{
    perp_arena a = {0};
    for (int k = 0; k < PERP_FORMS; k++) {
        const perp_form_ops *f = perp_forms[k];
        generator g = generator_start(7);
        scene c = make_scene(&g, &a, f);
        perp_problem p;
        ck_assert_int_eq(perp_rigid_assemble(&c.s, f, 6, &a, &p, NULL), PERP_SOLVED);
        ck_assert_int_eq(p.kind, f->kind);
        int size = (f->each + (f->facets ? 6 : 0)) * c.s.contacts;
        if (f->body) size += perp_rigid_unknowns(&c.s);
        if (f->joint) size += perp_rigid_joint_rows(&c.s);
        ck_assert_int_eq(perp_size(&p), size);
    }
    perp_arena_free(&a);
}
END_TEST

/* Impulses inside the cone, so that a pyramid has them too. */
START_TEST(impulses_come_back_from_the_start)
{
    perp_arena a = {0};
    for (int k = 0; k < PERP_FORMS; k++) {
        const perp_form_ops *f = perp_forms[k];
        if (f->cold || f->accelerations) continue;
        generator g = generator_start(8);
        scene c = make_scene(&g, &a, f);
        perp_assembly parts;
        perp_problem p = {0};
        ck_assert_int_eq(perp_assembly_make(&c.s, &a, &parts, NULL), PERP_SOLVED);
        parts.form = f;
        parts.facets = 6;
        ck_assert_int_eq(perp_form_make(&c.s, &parts, &a, &p, NULL), PERP_SOLVED);
        int contacts = 3 * c.s.contacts, rows = contacts + (f->joint ? parts.joint_rows : 0);
        double *r = perp_alloc(&a, (size_t)rows + 1, sizeof *r);
        double *back = perp_alloc(&a, (size_t)rows + 1, sizeof *back);
        double *z = perp_alloc(&a, (size_t)perp_size(&p), sizeof *z);
        for (int i = 0; i < rows; i++) r[i] = 1 + 0.01 * i;
        perp_form_start(&c.s, &parts, r, r + contacts, z);
        parts.facets = 0;
        ck_assert_int_eq(perp_form_gather(&c.s, &parts, &p, z, back, NULL), PERP_SOLVED);
        ck_assert_int_eq(parts.facets, f->facets ? 6 : 0);
        bool normals = f->each == 1;
        for (int i = 0; i < rows; i++) {
            double expected = normals && i < contacts && i % 3 ? 0 : r[i];
            ck_assert_double_eq_tol(back[i], expected, 1e-12);
        }
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(facets_and_joints_that_do_not_fit_are_refused)
{
    perp_arena a = {0};
    generator g = generator_start(9);
    scene c = random_scene(&g, &a, 3, 3, 1);
    for (int k = 0; k < PERP_FORMS; k++) {
        const perp_form_ops *f = perp_forms[k];
        perp_problem p;
        perp_error e;
        size_t used = a.used;
        perp_status status = perp_rigid_assemble(&c.s, f, 6, &a, &p, &e);
        ck_assert_int_eq(status, f->joint ? PERP_SOLVED : PERP_E_FORMAT);
        if (status) ck_assert_ptr_nonnull(strstr(e.text, "no place for joints"));
        if (status) ck_assert_uint_eq(a.used, used);
        for (int facets = -1; facets < 8; facets++) {
            bool fits = facets >= f->facets && !(f->even && facets % 2);
            status = perp_form_facets(f, facets, PERP_E_OPTION, &e);
            ck_assert_int_eq(status, fits || !f->facets ? PERP_SOLVED : PERP_E_OPTION);
        }
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_forms");
    TCase *c = tcase_create("all");
    tcase_add_test(c, every_form_has_its_row);
    tcase_add_test(c, kind_and_size_are_those_of_the_problem);
    tcase_add_test(c, impulses_come_back_from_the_start);
    tcase_add_test(c, facets_and_joints_that_do_not_fit_are_refused);
    suite_add_tcase(s, c);
    return support_run(s);
}
