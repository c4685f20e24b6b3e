/* tests/test_rigid_factored.c: a sweep's view of the step gives the same F as the assembled MCP. */
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
        ck_assert(f.findex[i] == m->findex[i] && f.mu[i] == m->mu[i]);
    }
    ck_assert_int_eq(/* and the same velocities; no problem needed */
                     perp_rigid_velocities(&c.s, PERP_RIGID_MCP, NULL, z, &a, all, NULL, NULL,
                                           NULL),
                     PERP_SOLVED);
    for (int k = 0, at = 0; k < c.s.bodies; k++) {
        if (c.body[k].kind != PERP_FREE) continue;
        ck_assert_double_le(difference(6, all + 6 * k, v + 6 * at++), 1e-13);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_factored");
    TCase *c = tcase_create("factored");
    tcase_add_loop_test(c, same_map_as_the_mcp, 0, 60);
    suite_add_tcase(s, c);
    return support_run(s);
}
