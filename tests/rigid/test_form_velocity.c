/* tests/rigid/test_form_velocity.c: a sweep's view of the step gives the same F as the assembled
 * MCP. */
#include "rigid_support.h"

/* F(z) = J v + bias, v = v_free + M^-1 J' z, by loops. */
static void apply(const perp_rigid_factored *f, const double *z, double *v, double *F)
{
    memcpy(v, f->v_free, 6 * (size_t)f->bodies * sizeof *v);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < f->rows; i++) {
            if (pass) F[i] = f->bias[i];
            for (int side = 0; side < 2; side++) {
                int b = f->body[2 * i + side];
                if (b < 0) continue;
                const double *J = f->J + 12 * i + 6 * side, *inverse = f->inverse + 10 * b;
                double step[6], *at = v + 6 * b;
                for (int j = 0; j < 3; j++) step[j] = inverse[0] * J[j];
                rigid_mul(inverse + 1, J + 3, step + 3);
                for (int j = 0; j < 6; j++) {
                    if (pass)
                        F[i] += J[j] * at[j];
                    else
                        at[j] += step[j] * z[i];
                }
            }
        }
    }
}

START_TEST(same_map_as_the_mcp)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 2 + _i % 6, _i % 11, _i % 4);
    perp_problem p;
    perp_rigid_factored f;
    ck_assert_int_eq(perp_rigid_mcp(&c.s, &a, &p, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_factor(&c.s, &a, &f, NULL), PERP_SOLVED);
    const perp_mcp *m = &p.as.mcp;
    ck_assert_int_eq(f.rows, m->F.n);
    ck_assert_int_eq(6 * f.bodies, perp_rigid_unknowns(&c.s));
    size_t n = (size_t)f.rows;
    double *z = perp_alloc(&a, n, sizeof *z), *F = perp_alloc(&a, n, sizeof *F);
    double *w = perp_alloc(&a, n, sizeof *w), *v = perp_alloc(&a, 6 * 8, sizeof *v);
    double *all = perp_alloc(&a, 6 * 8, sizeof *all);
    random_vector(&g, f.rows, z);
    memcpy(w, m->F.q, n * sizeof *w);
    if (n) perp_mul(&m->F.M, 1, z, 1, w);
    apply(&f, z, v, F);
    ck_assert_double_le(difference(f.rows, F, w), 1e-13 * (1 + plain_norm(f.rows, w)));
    for (int i = 0; i < f.rows; i++) {
        ck_assert(f.lo[i] == m->lo[i] && f.hi[i] == m->hi[i]);
        ck_assert(f.follows[i] == m->follows[i] && f.mu[i] == m->mu[i]);
    }
    ck_assert_int_eq(/* and the same velocities; no problem needed */
                     perp_rigid_velocities(&c.s, PERP_RIGID_FORM_MCP, NULL, z, &a, all, NULL, NULL,
                                           NULL),
                     PERP_SOLVED);
    for (int k = 0, at = 0; k < c.s.bodies; k++) {
        if (c.body[k].kind != PERP_BODY_FREE) continue;
        ck_assert_double_le(difference(6, all + 6 * k, v + 6 * at++), 1e-13);
    }
    perp_arena_free(&a);
}
END_TEST

/* As a problem: an operator with the products of the assembled matrix, and the same q. */
START_TEST(same_problem)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 2 + _i % 6, _i % 11, _i % 4);
    perp_problem p, o;
    perp_rigid_factored f;
    ck_assert(!perp_rigid_mcp(&c.s, &a, &p, NULL));
    ck_assert(!perp_rigid_factor(&c.s, &a, &f, NULL));
    ck_assert(!perp_rigid_factored_mcp(&f, &a, &o, NULL));
    ck_assert_int_eq(o.as.mcp.F.M.format, PERP_FORMAT_OPERATOR);
    int n = perp_size(&p);
    ck_assert_int_eq(perp_size(&o), n);
    double *z = perp_alloc(&a, (size_t)n, sizeof *z), *w = perp_alloc(&a, (size_t)n, sizeof *w);
    double *y = perp_alloc(&a, (size_t)n, sizeof *y);
    random_vector(&g, n, z);
    ck_assert_double_le(difference(n, o.as.mcp.F.q, p.as.mcp.F.q), 1e-13);
    perp_mul(&p.as.mcp.F.M, 1, z, 0, w);
    perp_mul_t(&o.as.mcp.F.M, 1, z, 0, y);
    ck_assert_double_le(difference(n, y, w), 1e-13 * (1 + plain_norm(n, w)));
    perp_residual one = certify(&p, z, PERP_SOLVED), two = certify(&o, z, PERP_SOLVED);
    ck_assert_double_eq_tol(one.natural, two.natural, 1e-12 * (1 + one.natural));
    perp_arena_free(&a);
}
END_TEST

static void refuses(perp_rigid_factored f, perp_status status, const char *word)
{
    perp_arena a = {0};
    perp_problem p = {.kind = PERP_KIND_QP};
    perp_error e = {0};
    ck_assert_int_eq(perp_rigid_factored_mcp(&f, &a, &p, &e), status);
    ck_assert_int_eq(perp_rigid_factored_mcp(&f, &a, &p, NULL), status);
    ck_assert_msg(strstr(e.text, word), "'%s' does not say %s", e.text, word);
    ck_assert(p.kind == PERP_KIND_QP && a.used == 0);
    perp_arena_free(&a);
}

START_TEST(refusals)
{
    const int body[] = {0, -1}, outside[] = {0, 1}, twice[] = {0, 0}, own[] = {0};
    const double J[12] = {1}, nan[12] = {NAN}, inverse[10] = {1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double v[6] = {-1}, bias[] = {0}, lo[] = {2}, hi[] = {1};
    perp_rigid_factored f = {.rows = 1,
                             .bodies = 1,
                             .body = body,
                             .J = J,
                             .inverse = inverse,
                             .v_free = v,
                             .bias = bias};
    perp_rigid_factored x;
    perp_arena a = {0};
    perp_problem p;
    ck_assert(!perp_rigid_factored_mcp(&f, &a, &p, NULL));
    ck_assert_double_eq(p.as.mcp.F.q[0], -1);
    x = f;
    x.rows = -1;
    refuses(x, PERP_E_ARGUMENT, "rows");
    x = f;
    x.body = outside;
    refuses(x, PERP_E_ARGUMENT, "row 0");
    x = f;
    x.body = twice;
    refuses(x, PERP_E_ARGUMENT, "row 0");
    x = f;
    x.body = NULL;
    refuses(x, PERP_E_ARGUMENT, "body");
    x = f;
    x.J = nan;
    refuses(x, PERP_E_NUMBER, "J[0]");
    x = f;
    x.inverse = NULL;
    refuses(x, PERP_E_ARGUMENT, "inverse");
    x = f;
    x.lo = lo;
    x.hi = hi;
    refuses(x, PERP_E_ARGUMENT, "lo");
    x = f;
    x.follows = own;
    refuses(x, PERP_E_ARGUMENT, "findex");
    ck_assert_int_eq(perp_rigid_factored_mcp(NULL, &a, &p, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_rigid_factored_mcp(&f, NULL, &p, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_rigid_factored_mcp(&f, &a, NULL, NULL), PERP_E_ARGUMENT);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_factored");
    TCase *c = tcase_create("factored");
    tcase_add_loop_test(c, same_map_as_the_mcp, 0, 60);
    tcase_add_loop_test(c, same_problem, 0, 60);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
