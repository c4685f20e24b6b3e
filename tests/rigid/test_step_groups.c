/* tests/rigid/test_step_groups.c: by groups, all together and by threads: the same motion. */
#include "rigid/step.h"
#include "rigid_support.h"

#define BODIES 40

typedef struct motion {
    double v[6 * BODIES], r[3 * BODIES], l[6 * BODIES];
    perp_step_report report;
} motion;

static void solve(const scene *c, const perp_step_options *o, motion *m)
{
    perp_arena scratch[PERP_STEP_THREADS] = {{0}};
    memset(m, 0, sizeof *m);
    perp_step_solve_all(&c->s, o, scratch, m->v, m->r, m->l, &m->report);
    for (int k = 0; k < PERP_STEP_THREADS; k++) {
        ck_assert(scratch[k].used == 0);
        perp_arena_free(scratch + k);
    }
}

START_TEST(groups_and_all_agree)
{
    perp_arena a = {0};
    generator g = generator_start((uint64_t)_i + 1);
    scene c = random_feasible(&g, &a, BODIES, 15, _i % 3);
    perp_step_options o = perp_step_defaults();
    perp_options *solver = perp_options_new(&a, "fc3d/auto");
    solver->tol = 1e-12;
    o.solver = solver;
    o.form = PERP_RIGID_FORM_FC3D_BODY;
    for (int k = 0; k < 15; k++) c.contact[k].mu = 0; /* one motion only */
    motion all, parts, threads;
    o.single_problem = true;
    solve(&c, &o, &all);
    ck_assert_msg(all.report.status == PERP_SOLVED, "%s", all.report.detail);
    ck_assert_int_eq(all.report.groups, 1);
    o.single_problem = false;
    solve(&c, &o, &parts);
    ck_assert_msg(parts.report.status == PERP_SOLVED, "%s", parts.report.detail);
    ck_assert_int_gt(parts.report.groups, 1);
    ck_assert_double_le(difference(6 * BODIES, all.v, parts.v), 1e-7);
    ck_assert_double_le(difference(6 * BODIES, all.l, parts.l), 1e-6);
    o.threads = 3;
    solve(&c, &o, &threads);
    ck_assert_mem_eq(threads.v, parts.v, sizeof parts.v);
    ck_assert_mem_eq(threads.r, parts.r, sizeof parts.r);
    ck_assert_mem_eq(threads.l, parts.l, sizeof parts.l);
    perp_arena_free(&a);
}
END_TEST

/* Two slides in different directions, alone and both: the report has the worse of their groups. */
START_TEST(the_worst_group_is_reported)
{
    double residual[3];
    for (int which = 0; which < 3; which++) {
        perp_body b[2];
        perp_contact c[2];
        perp_rigid s = {.body = b, .contact = c};
        for (int k = 0; k < 2; k++) {
            if (which < 2 && k != which) continue;
            b[s.bodies] = perp_body_make(1 + k, 1, 1, 1);
            b[s.bodies].velocity[0] = 1 + k;
            b[s.bodies].velocity[1] = 0.3 + 2 * k;
            b[s.bodies].velocity[2] = -1;
            c[s.contacts] = (perp_contact){.a = s.bodies, .b = -1, .normal = {0, 0, 1}, .mu = 0.3};
            c[s.contacts].point[2] = -1;
            s.bodies++;
            s.contacts++;
        }
        perp_step_options o = perp_step_defaults();
        perp_fc3d_facets_options solver = perp_fc3d_facets_defaults();
        o.solver = &solver.base;
        scene both = {.s = s};
        motion m;
        solve(&both, &o, &m);
        ck_assert_int_eq(m.report.groups, s.bodies);
        residual[which] = m.report.model_residual;
    }
    ck_assert_double_ne(residual[0], residual[1]);
    ck_assert_double_eq(residual[2], fmax(residual[0], residual[1]));
}
END_TEST

START_TEST(nothing_touches)
{
    perp_arena a = {0};
    generator g = generator_start(1);
    scene c = random_feasible(&g, &a, BODIES, 0, 0);
    perp_step_options o = perp_step_defaults();
    motion groups, all;
    solve(&c, &o, &groups);
    o.single_problem = true;
    solve(&c, &o, &all);
    ck_assert_int_eq(groups.report.groups, 0);
    ck_assert_double_le(difference(6 * BODIES, groups.v, all.v), 1e-14);
    perp_arena_free(&a);
}
END_TEST

/* One group that is not solved is counted, and one that is refused ends it. */
START_TEST(the_worst_is_reported)
{
    perp_arena a = {0};
    generator g = generator_start(2);
    scene c = random_feasible(&g, &a, BODIES, 15, 0);
    perp_step_options o = perp_step_defaults();
    perp_options *solver = perp_options_new(&a, "fc3d/nsgs");
    solver->tol = 1e-14;
    solver->max_iter = 2;
    o.solver = solver;
    motion m;
    solve(&c, &o, &m);
    ck_assert_int_gt(m.report.status, 0);
    ck_assert_int_gt(m.report.unsolved, 0);
    ck_assert_int_le(m.report.unsolved, m.report.groups);
    ck_assert_double_gt(m.report.residual, 1e-14);
    ck_assert(m.report.detail[0]);
    c.contact[14].restitution = 2;
    for (int k = 0; k < 2; k++) {
        o.single_problem = k;
        solve(&c, &o, &m);
        ck_assert_int_eq(m.report.status, PERP_E_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(m.report.detail, "contact 14"));
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_step_groups");
    TCase *c = tcase_create("groups");
    tcase_add_loop_test(c, groups_and_all_agree, 0, 6);
    tcase_add_test(c, the_worst_group_is_reported);
    tcase_add_test(c, nothing_touches);
    tcase_add_test(c, the_worst_is_reported);
    suite_add_tcase(s, c);
    return support_run(s);
}
