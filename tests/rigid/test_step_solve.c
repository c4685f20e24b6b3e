/* tests/rigid/test_step_solve.c: every form gives the same motion where it can, and starts from the
 * impulses that it is given. */
#include "rigid/step.h"
#include "rigid_support.h"

#define BODIES 8
#define CONTACTS 10

static void solve(const scene *c, const perp_step_options *o, double *v, double *r,
                  perp_solved *out)
{
    perp_arena a = {0};
    double l[12] = {0};
    perp_step_solve(&c->s, o, &a, v, r, l, out);
    ck_assert(a.used == 0);
    perp_arena_free(&a);
}

/* Without friction the motion is unique, whatever the form. */
START_TEST(forms_agree_without_friction)
{
    const struct {
        perp_rigid_form form;
        const char *solver;
    } row[] = {{PERP_RIGID_FORM_FC3D_LOCAL, "fc3d/nsgs"},
               {PERP_RIGID_FORM_FC3D_BODY, "fc3d/auto"},
               {PERP_RIGID_FORM_LCP, "lcp/lemke"},
               {PERP_RIGID_FORM_LCP_FACETS, "lcp/lemke"}};
    perp_arena a = {0};
    generator g = generator_start((uint64_t)_i + 1);
    scene c = random_feasible(&g, &a, BODIES, CONTACTS, 0);
    for (int k = 0; k < CONTACTS; k++) c.contact[k].mu = 0;
    double first[6 * BODIES] = {0};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        double v[6 * BODIES], r[3 * CONTACTS] = {0};
        perp_options *solver = perp_options_new(&a, row[k].solver);
        solver->tol = 1e-12;
        solver->max_iter = 100000;
        perp_step_options o = perp_step_defaults();
        o.form = row[k].form;
        o.solver = solver;
        o.no_warm_start = true;
        perp_solved out;
        solve(&c, &o, v, r, &out);
        ck_assert_msg(out.status == PERP_SOLVED, "%s: %s", row[k].solver, out.detail);
        ck_assert_double_le(out.residual, 1e-12);
        if (k == 0) memcpy(first, v, sizeof v);
        ck_assert_double_le(difference(6 * BODIES, first, v), 1e-8);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(a_warm_start_is_done_at_once)
{
    const perp_rigid_form forms[] = {PERP_RIGID_FORM_FC3D_LOCAL, PERP_RIGID_FORM_LCP};
    const char *const solvers[] = {"fc3d/nsgs", "lcp/psor"};
    perp_arena a = {0};
    generator g = generator_start(3);
    scene c = random_feasible(&g, &a, BODIES, CONTACTS, 0);
    for (int k = 0; k < 2; k++) {
        perp_options *solver = perp_options_new(&a, solvers[k]);
        solver->tol = 1e-9;
        solver->max_iter = 1000000;
        perp_step_options o = perp_step_defaults();
        o.form = forms[k];
        o.solver = solver;
        double v[6 * BODIES], r[3 * CONTACTS] = {0}, cold[6 * BODIES];
        perp_solved first, second;
        solve(&c, &o, cold, r, &first);
        ck_assert_int_eq(first.status, PERP_SOLVED);
        ck_assert_int_gt(first.iterations, 3);
        solve(&c, &o, v, r, &second);
        ck_assert_int_eq(second.status, PERP_SOLVED);
        ck_assert_int_le(second.iterations, 2);
        ck_assert_double_le(difference(6 * BODIES, cold, v), 1e-6);
        o.no_warm_start = true;
        solve(&c, &o, v, r, &second); /* what r holds is not looked at */
        ck_assert_int_eq(second.status, PERP_SOLVED);
        ck_assert_int_gt(second.iterations, 3);
    }
    perp_arena_free(&a);
}
END_TEST

/* Lemke on the pyramid, where every contact presses and none slides: the impulses tell the whole
 * solution, also where their friction lies between two edges of the pyramid, and a start from them
 * needs no pivot. */
START_TEST(facets_start_from_impulses)
{
    int sticking = 0;
    for (int k = 0; k < 200; k++) {
        enum { FEW = 2 };
        perp_arena a = {0};
        generator g = generator_start((uint64_t)k + 1);
        scene c = random_feasible(&g, &a, BODIES, FEW, 0);
        for (int j = 0; j < FEW; j++) c.contact[j].mu = 10;
        perp_step_options o = perp_step_defaults();
        o.form = PERP_RIGID_FORM_LCP_FACETS;
        o.facets = 4 + 2 * (k % 3);
        o.solver = perp_find("lcp/lemke");
        double v[6 * BODIES], w[6 * BODIES], r[3 * FEW] = {0};
        perp_solved out;
        solve(&c, &o, v, r, &out);
        bool sticks = out.status == PERP_SOLVED; /* steep pyramids also end on rays */
        for (int j = 0; j < FEW; j++) {
            double *t = r + 3 * j;
            sticks = sticks && t[0] > 0 && hypot(t[1], t[2]) < 5 * t[0];
        }
        if (sticks) {
            sticking++;
            ck_assert_int_ge(out.iterations, 2 * FEW);
            solve(&c, &o, w, r, &out);
            ck_assert_int_eq(out.status, PERP_SOLVED);
            ck_assert_int_eq(out.iterations, 0);
            ck_assert_double_le(difference(6 * BODIES, v, w), 1e-6);
        }
        perp_arena_free(&a);
    }
    ck_assert_int_ge(sticking, 10);
}
END_TEST

START_TEST(refusals_are_told)
{
    perp_arena a = {0};
    generator g = generator_start(5);
    scene c = random_feasible(&g, &a, BODIES, CONTACTS, 0);
    perp_step_options o = perp_step_defaults();
    o.solver = perp_find("lcp/lemke"); /* of another kind */
    double v[6 * BODIES], r[3 * CONTACTS] = {0};
    perp_solved out;
    solve(&c, &o, v, r, &out);
    ck_assert_int_lt(out.status, 0);
    ck_assert(out.detail[0]);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_step_solve");
    TCase *c = tcase_create("solve");
    tcase_add_loop_test(c, forms_agree_without_friction, 0, 5);
    tcase_add_test(c, a_warm_start_is_done_at_once);
    tcase_add_test(c, facets_start_from_impulses);
    tcase_add_test(c, refusals_are_told);
    suite_add_tcase(s, c);
    return support_run(s);
}
