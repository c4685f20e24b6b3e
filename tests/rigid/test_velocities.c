/* tests/rigid/test_velocities.c: all forms move the bodies alike; momentum and energy. */
#include "rigid_support.h"

enum { BODIES = 6, MOST = 24 };

typedef struct trial {
    scene c;
    perp_arena a;
    double r[3 * MOST], v[6 * BODIES]; /* the answer of the LCP */
} trial;

static void check_velocities(trial *t, perp_rigid_form form, const perp_problem *p, const double *z)
{
    double v[6 * BODIES];
    ck_assert_int_eq(perp_rigid_velocities(&t->c.s, form, p, z, &t->a, v, NULL, NULL, NULL),
                     PERP_SOLVED);
    double most = difference(6 * t->c.s.bodies, v, t->v);
    ck_assert_msg(most <= 1e-9, "form %d differs by %g", form, most);
}

static void solve_lcp(trial *t)
{
    perp_problem p;
    perp_result res;
    double z[MOST];
    ck_assert_int_eq(perp_rigid_lcp(&t->c.s, &t->a, &p, NULL), PERP_SOLVED);
    ck_assert_msg(solve_checked(&p, perp_find("lcp/lemke"), z, NULL, &res) == PERP_SOLVED, "%s",
                  res.detail);
    ck_assert_int_eq(
        perp_rigid_velocities(&t->c.s, PERP_RIGID_FORM_LCP, &p, z, &t->a, t->v, t->r, NULL, NULL),
        PERP_SOLVED);
}

/* By its normal equations, an LCP with A'A and -A'b. */
static void try_nnls(trial *t)
{
    perp_problem p, lcp;
    perp_result res;
    double x[MOST];
    ck_assert_int_eq(perp_rigid_nnls(&t->c.s, PERP_MOTION_VELOCITIES, &t->a, &p, NULL),
                     PERP_SOLVED);
    int n = p.as.nnls.A.n, m = p.as.nnls.A.m;
    double *A = dense_of(&p.as.nnls.A, &t->a), *M = inner(m, n, A, n, A, &t->a);
    double *q = inner(m, n, A, 1, p.as.nnls.b, &t->a);
    for (int i = 0; i < n; i++) q[i] = -q[i];
    lcp = perp_make_lcp(n, perp_dense(n, n, M), q);
    ck_assert_msg(solve_checked(&lcp, perp_find("lcp/lemke"), x, NULL, &res) == PERP_SOLVED, "%s",
                  res.detail);
    ck_assert_double_le(certify(&p, x, PERP_SOLVED).value, 1e-9);
    check_velocities(t, PERP_RIGID_FORM_NNLS_VELOCITIES, &p, x);
}

static void try_facets(trial *t)
{
    perp_problem p;
    perp_result res;
    double z[6 * MOST];
    ck_assert_int_eq(perp_rigid_lcp_facets(&t->c.s, 4, &t->a, &p, NULL), PERP_SOLVED);
    ck_assert_msg(solve_checked(&p, perp_find("lcp/lemke"), z, NULL, &res) == PERP_SOLVED, "%s",
                  res.detail);
    check_velocities(t, PERP_RIGID_FORM_LCP_FACETS, &p, z);
}

/* Forms without a solver: the LCP's impulses solve them, and their velocities are the same. */
static void try_cones(trial *t)
{
    perp_problem local, body, box, outer;
    perp_rigid *s = &t->c.s;
    int n = 3 * s->contacts;
    double z[9 * MOST + 6 * BODIES], u[3 * MOST];
    ck_assert_int_eq(perp_rigid_fc3d_local(s, &t->a, &local, NULL), PERP_SOLVED);
    ck_assert_double_le(certify(&local, t->r, PERP_SOLVED).value, 1e-10);
    check_velocities(t, PERP_RIGID_FORM_FC3D_LOCAL, &local, t->r);

    ck_assert_int_eq(perp_rigid_fc3d_body(s, &t->a, &body, NULL), PERP_SOLVED);
    memcpy(z, t->r, (size_t)n * sizeof *z);
    for (int k = 0, at = n; k < s->bodies; k++) {
        if (t->c.body[k].kind != PERP_BODY_FREE) continue;
        memcpy(z + at, t->v + 6 * k, 6 * sizeof *z);
        at += 6;
    }
    ck_assert_double_le(certify(&body, z, PERP_SOLVED).value, 1e-10);
    check_velocities(t, PERP_RIGID_FORM_FC3D_BODY, &body, z);

    ck_assert_int_eq(perp_rigid_mcp(s, &t->a, &box, NULL), PERP_SOLVED);
    ck_assert_double_le(certify(&box, t->r, PERP_SOLVED).value, 1e-10);
    check_velocities(t, PERP_RIGID_FORM_MCP, &box, t->r);

    ck_assert_int_eq(perp_rigid_mcp_facets(s, 4, &t->a, &outer, NULL), PERP_SOLVED);
    memcpy(z, t->r, (size_t)n * sizeof *z);
    memcpy(u, local.as.fc3d.q, (size_t)n * sizeof *u);
    perp_mul(&local.as.fc3d.W, 1, t->r, 1, u);
    for (int k = 0; k < s->contacts; k++) { /* u_t + sum kappa c = 0 */
        for (int h = 0; h < 4; h++) {
            double along = (h < 2 ? -1 : 1) * u[3 * k + 1 + h % 2];
            z[n + 4 * k + h] = along > 0 ? along : 0;
        }
    }
    ck_assert_double_le(certify(&outer, z, PERP_SOLVED).value, 1e-10);
    check_velocities(t, PERP_RIGID_FORM_MCP_FACETS, &outer, z);
}

static void try_all(trial *t)
{
    for (int k = 0; k < t->c.s.contacts; k++) t->c.contact[k].mu = 0;
    solve_lcp(t);
    try_nnls(t);
    try_facets(t);
    try_cones(t);
}

/* Gaps that leave room for some motion; many contacts: more constraints than velocities. */
START_TEST(frictionless_forms_agree_on_gaps)
{
    generator g = generator_start((uint64_t)_i + 1);
    trial t = {.a = {0}};
    t.c = random_feasible(&g, &t.a, 2 + _i % (BODIES - 1), 1 + _i % MOST, 0);
    try_all(&t);
    perp_arena_free(&t.a);
}
END_TEST

/* With one restitution e for all and nothing driven, v = -e v(-) is possible. */
START_TEST(frictionless_forms_agree_on_impacts)
{
    generator g = generator_start((uint64_t)_i + 1000);
    trial t = {.a = {0}};
    t.c = random_scene(&g, &t.a, 2 + _i % (BODIES - 1), 1 + _i % MOST, 0);
    double e = generator_unit(&g);
    t.c.s.rule = PERP_RULE_IMPACT;
    for (int k = 0; k < t.c.s.bodies; k++) {
        if (t.c.body[k].kind == PERP_BODY_DRIVEN) t.c.body[k].kind = PERP_BODY_FIXED;
    }
    for (int k = 0; k < t.c.s.contacts; k++) t.c.contact[k].restitution = e;
    try_all(&t);
    perp_arena_free(&t.a);
}
END_TEST

/* One contact with a driven body. */
START_TEST(frictionless_forms_agree_on_driven_bodies)
{
    generator g = generator_start((uint64_t)_i + 2000);
    trial t = {.a = {0}};
    t.c = random_scene(&g, &t.a, 2, 1, 0);
    t.c.contact[0].a = _i % 2;
    t.c.contact[0].b = 1 - _i % 2;
    t.c.body[0].kind = PERP_BODY_DRIVEN;
    try_all(&t);
    ck_assert_double_eq(difference(3, t.v, t.c.body[0].velocity), 0);
    perp_arena_free(&t.a);
}
END_TEST

/* Linear and angular momentum about the origin, from M and velocities. */
static void add_momentum(const perp_body *b, const double v[6], double sum[6], double size[1])
{
    perp_mass m;
    double spin[3], orbit[3];
    ck_assert(perp_body_mass(b, &m));
    rigid_mul(m.inertia, v + 3, spin);
    rigid_cross(b->position, v, orbit);
    for (int i = 0; i < 3; i++) {
        sum[i] += m.mass * v[i];
        sum[3 + i] += m.mass * orbit[i] + spin[i];
        *size += fabs(m.mass * v[i]) + fabs(m.mass * orbit[i]) + fabs(spin[i]);
    }
}

START_TEST(impulses_conserve_momentum)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, BODIES, MOST, 3);
    for (int k = 0; k < BODIES; k++) c.body[k].kind = PERP_BODY_FREE;
    for (int k = 0; k < MOST; k++) {
        if (c.contact[k].b < 0) c.contact[k].b = (c.contact[k].a + 1) % BODIES;
        if (c.contact[k].a < 0) c.contact[k].a = (c.contact[k].b + 1) % BODIES;
    }
    const double origin[3] = {0.1, 0.2, 0.3}, axis[3] = {0, 0.6, 0.8};
    for (int k = 0; k < 3; k++) {
        c.joint[k] = perp_joint_make((perp_joint_kind)k, c.body, BODIES, k, 3 + k, origin, axis);
    }
    c.s.dt = 0;
    c.s.rule = PERP_RULE_IMPACT;
    int n = 3 * MOST + perp_rigid_joint_rows(&c.s);
    ck_assert_int_eq(n, 3 * MOST + 3 + 5 + 6);
    double z[3 * MOST + 14], v[6 * BODIES], before[6] = {0}, after[6] = {0}, size = 0;
    random_vector(&g, n, z);
    ck_assert_int_eq(
        perp_rigid_velocities(&c.s, PERP_RIGID_FORM_MCP, NULL, z, &a, v, NULL, NULL, NULL),
        PERP_SOLVED);
    for (int k = 0; k < BODIES; k++) {
        double old[6];
        perp_body_velocity(&c.s, k, old);
        add_momentum(c.body + k, old, before, &size);
        add_momentum(c.body + k, v + 6 * k, after, &size);
    }
    ck_assert_double_le(difference(6, before, after), 1e-15 * size);
    perp_arena_free(&a);
}
END_TEST

static double energy(const scene *c, const double *v)
{
    double sum = 0;
    for (int k = 0; k < c->s.bodies; k++) {
        perp_mass m;
        double spin[3];
        if (c->body[k].kind != PERP_BODY_FREE) continue;
        ck_assert(perp_body_mass(c->body + k, &m));
        rigid_mul(m.inertia, v + 6 * k + 3, spin);
        sum += m.mass * rigid_dot(v + 6 * k, v + 6 * k) + rigid_dot(v + 6 * k + 3, spin);
    }
    return sum / 2;
}

/* A frictionless impact with e = 1 keeps the energy, with e < 1 loses some. */
START_TEST(energy_of_impacts)
{
    generator g = generator_start((uint64_t)_i + 1);
    trial t = {.a = {0}};
    double before[12];
    t.c = random_scene(&g, &t.a, 2, 1, 0);
    t.c.s.dt = 0;
    t.c.s.rule = PERP_RULE_IMPACT;
    for (int k = 0; k < 2; k++) perp_body_velocity(&t.c.s, k, before + 6 * k);
    t.c.contact[0].restitution = 1;
    solve_lcp(&t);
    double start = energy(&t.c, before);
    ck_assert_double_eq_tol(energy(&t.c, t.v), start, 1e-14 * start);
    t.c.contact[0].restitution = 0.5;
    solve_lcp(&t);
    ck_assert(t.r[0] == 0 || energy(&t.c, t.v) < start);
    perp_arena_free(&t.a);
}
END_TEST

START_TEST(refusals)
{
    generator g = generator_start(1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 3, 2, 0);
    perp_problem p[8];
    perp_error e;
    double z[64] = {0}, v[18] = {7};
    ck_assert_int_eq(perp_rigid_fc3d_local(&c.s, &a, p, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_fc3d_body(&c.s, &a, p + 1, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_mcp(&c.s, &a, p + 2, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_lcp_facets(&c.s, 4, &a, p + 3, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_mcp_facets(&c.s, 4, &a, p + 4, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_lcp(&c.s, &a, p + 5, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_nnls(&c.s, PERP_MOTION_VELOCITIES, &a, p + 6, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_nnls(&c.s, PERP_MOTION_ACCELERATIONS, &a, p + 7, NULL),
                     PERP_SOLVED);
    size_t used = a.used;
    for (int form = 0; form < 8; form++) {
        for (int k = 0; k < 8; k++) {
            bool fits = form == k || (form >= 6 && k >= 6); /* both NNLS look alike */
            v[0] = 7;
            perp_status status =
                perp_rigid_velocities(&c.s, (perp_rigid_form)form, p + k, z, &a, v, NULL, NULL, &e);
            ck_assert_int_eq(status, fits ? PERP_SOLVED : PERP_E_ARGUMENT);
            ck_assert(fits || v[0] == 7);
            ck_assert_uint_eq(a.used, used);
        }
        ck_assert_int_eq(
            perp_rigid_velocities(&c.s, (perp_rigid_form)form, NULL, z, &a, v, NULL, NULL, &e),
            form == PERP_RIGID_FORM_MCP ? PERP_SOLVED : PERP_E_ARGUMENT);
    }
    ck_assert_int_eq(perp_rigid_velocities(&c.s, (perp_rigid_form)8, p, z, &a, v, NULL, NULL, &e),
                     PERP_E_ARGUMENT);
    ck_assert_int_eq(
        perp_rigid_velocities(NULL, PERP_RIGID_FORM_LCP, p + 5, z, &a, v, NULL, NULL, &e),
        PERP_E_ARGUMENT);
    ck_assert_int_eq(
        perp_rigid_velocities(&c.s, PERP_RIGID_FORM_LCP, p + 5, NULL, &a, v, NULL, NULL, &e),
        PERP_E_ARGUMENT);
    ck_assert_int_eq(
        perp_rigid_velocities(&c.s, PERP_RIGID_FORM_LCP, p + 5, z, &a, NULL, NULL, NULL, &e),
        PERP_E_ARGUMENT);
    ck_assert_int_eq(
        perp_rigid_velocities(&c.s, PERP_RIGID_FORM_LCP, p + 5, z, NULL, v, NULL, NULL, &e),
        PERP_E_ARGUMENT);
    c.contact[1].mu = -1;
    ck_assert_int_eq(
        perp_rigid_velocities(&c.s, PERP_RIGID_FORM_LCP, p + 5, z, &a, v, NULL, NULL, &e),
        PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(e.text, "contact 1"));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_velocities");
    TCase *c = tcase_create("velocities");
    tcase_add_loop_test(c, frictionless_forms_agree_on_gaps, 0, 200);
    tcase_add_loop_test(c, frictionless_forms_agree_on_impacts, 0, 200);
    tcase_add_loop_test(c, frictionless_forms_agree_on_driven_bodies, 0, 40);
    tcase_add_loop_test(c, impulses_conserve_momentum, 0, 50);
    tcase_add_loop_test(c, energy_of_impacts, 0, 50);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
