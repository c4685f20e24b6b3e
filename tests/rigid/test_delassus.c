/* tests/rigid/test_delassus.c: J M^-1 J' against dense products, exactly symmetric, sorted. */
#include "rigid_support.h"

/* J M^-1 J' and J v_free + bias from the factors, dense. */
static void naive(const perp_rigid_factored *f, perp_arena *a, double **A, double **q)
{
    int n = f->rows, m = 6 * f->bodies;
    double *J = perp_alloc(a, (size_t)n * (size_t)m, sizeof *J); /* m x n: J' */
    double *K = perp_alloc(a, (size_t)n * (size_t)m, sizeof *K); /* M^-1 J' */
    *q = perp_alloc(a, (size_t)n, sizeof **q);
    for (int i = 0; i < n; i++) {
        for (int side = 0; side < 2; side++) {
            int b = f->body[2 * i + side];
            if (b < 0) continue;
            double *to = K + i * m + 6 * b;
            const double *row = f->J + 12 * i + 6 * side, *inverse = f->inverse + 10 * b;
            memcpy(J + i * m + 6 * b, row, 6 * sizeof *row);
            for (int j = 0; j < 3; j++) to[j] = inverse[0] * row[j];
            rigid_mul(inverse + 1, row + 3, to + 3);
        }
        (*q)[i] = f->bias[i];
        for (int j = 0; j < m; j++) (*q)[i] += J[i * m + j] * f->v_free[j];
    }
    *A = inner(m, n, J, n, K, a);
}

START_TEST(against_dense_products)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 2 + _i % 6, _i % 9, _i % 4);
    perp_assembly parts;
    perp_items items;
    perp_matrix M;
    perp_rigid_factored f;
    double *A, *q;
    ck_assert_int_eq(perp_assembly_make(&c.s, &a, &parts, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_items_make(&c.s, &parts, 3, true, &a, &items, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_items_csc(&items, &a, &M, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_factor(&c.s, &a, &f, NULL), PERP_SOLVED);
    naive(&f, &a, &A, &q);
    ck_assert_int_eq(M.n, f.rows);
    ck_assert(ascending(M.n, M.as.csc.p, M.as.csc.i));
    double *D = dense_of(&M, &a);
    ck_assert_double_le(difference(M.n * M.n, D, A), 1e-14 * (1 + plain_norm(M.n * M.n, A)));
    ck_assert_double_le(difference(M.n, items.q, q), 1e-14 * (1 + plain_norm(M.n, q)));
    for (int j = 0; j < M.n; j++) {
        for (int i = 0; i < M.n; i++) ck_assert(D[j * M.n + i] == D[i * M.n + j]);
    }
    perp_arena_free(&a);
}
END_TEST

/* A chain couples neighbours only; floor and driven bodies couple nothing. */
START_TEST(pattern_of_a_chain)
{
    enum { N = 5 };
    perp_body b[N];
    perp_contact contact[N + 1];
    for (int k = 0; k < N; k++) b[k] = perp_body_make(1, 1, 1, 1);
    for (int k = 0; k <= N; k++) {
        contact[k] = (perp_contact){.a = k < N ? k : -1, .b = k - 1, .normal = {0, 0, 1}};
    }
    perp_rigid s = {.bodies = N, .contacts = N + 1, .body = b, .contact = contact, .dt = 1};
    perp_arena a = {0};
    perp_assembly parts;
    perp_items items;
    ck_assert_int_eq(perp_assembly_make(&s, &a, &parts, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_items_make(&s, &parts, 1, false, &a, &items, NULL), PERP_SOLVED);
    for (int k = 0; k <= N; k++) {
        int first = k > 0 ? k - 1 : 0, last = k < N ? k + 1 : N;
        ck_assert_int_eq(items.p[k + 1] - items.p[k], last - first + 1);
        for (int t = items.p[k]; t < items.p[k + 1]; t++)
            ck_assert_int_eq(items.to[t], first + t - items.p[k]);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_couple");
    TCase *c = tcase_create("couple");
    tcase_add_loop_test(c, against_dense_products, 0, 100);
    tcase_add_test(c, pattern_of_a_chain);
    suite_add_tcase(s, c);
    return support_run(s);
}
