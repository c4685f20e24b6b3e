/* tests/lcp/test_face_solve.c: linear solves on a face of the orthant. */
#include "generate.h"
#include "support.h"

#include "lcp/face_solve.h"

#include <check.h>
#include <math.h>

/* Two of three: M on {0, 2} is (4, 1; 1, 3). */
static const int p3[] = {0, 3, 6, 9}, i3[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
static const double x3[] = {4, -2, 1, -2, 0, 5, 1, 5, 3}, q3[] = {-6, 7, -7};

START_TEST(hand_worked)
{
    perp_matrix M = perp_csc(3, 3, p3, i3, x3);
    perp_arena a = {0};
    const unsigned char face[] = {1, 0, 1}, all[] = {1, 1, 1}, none[] = {0, 0, 0};
    double z[3] = {NAN, NAN, NAN};
    ck_assert(perp_face_solve(&a, &M, q3, face, z));
    ck_assert_double_eq_tol(z[0], 1, 1e-15);
    ck_assert(z[1] == 0);
    ck_assert_double_eq_tol(z[2], 2, 1e-15);
    ck_assert(!perp_face_solve(&a, &M, q3, all, z)); /* indefinite */
    ck_assert(perp_face_solve(&a, &M, q3, none, z));
    ck_assert(z[0] == 0 && z[1] == 0 && z[2] == 0);
    ck_assert_uint_eq(a.used, 0);

    const int p2[] = {0, 1, 2}, i2[] = {1, 0}; /* no diagonal: not definite */
    M = perp_csc(2, 2, p2, i2, x3);
    ck_assert(!perp_face_solve(&a, &M, q3, all, z));
    perp_arena_free(&a);
}
END_TEST

START_TEST(random_faces)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("obstacle2d"), 400, 3, &a, &g));
    perp_matrix M = lcp_generated_problem(&g).as.lcp.M;
    generator r = generator_start(5);
    unsigned char face[400];
    double z[400], w[400];
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < 400; i++) face[i] = generator_below(&r, 20) < k;
        ck_assert(perp_face_solve(&a, &M, g.q, face, z));
        for (int i = 0; i < 400; i++) w[i] = g.q[i];
        perp_mul(&M, 1, z, 1, w);
        for (int i = 0; i < 400; i++) {
            ck_assert(face[i] ? fabs(w[i]) <= 1e-12 * (plain_norm(400, z) + 1) : z[i] == 0);
        }
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    perp_matrix M = perp_csc(3, 3, p3, i3, x3), dense = perp_dense(3, 3, x3);
    const unsigned char face[] = {1, 0, 1};
    double z[3];
    static char buffer[4096];
    perp_arena a = {0};
    bool ever = false;
    for (size_t size = 0; size <= sizeof buffer; size += 64) {
        perp_arena fixed;
        perp_arena_fixed(&fixed, buffer, size);
        bool solved = perp_face_solve(&fixed, &M, q3, face, z);
        ck_assert(!fixed.failed && fixed.used == 0 && fixed.allocations == 0);
        ck_assert(solved || !ever);
        ever = solved;
    }
    ck_assert(ever);
    ck_assert(!perp_face_solve(&a, &dense, q3, face, z));
    perp_arena_free(&a);
    for (int k = 0; k < 3; k++) {
        supply left = {.left = k};
        perp_arena poor = {.resize = scarce, .ctx = &left};
        bool solved = perp_face_solve(&poor, &M, q3, face, z);
        ck_assert(solved || k < 2);
        ck_assert(poor.used == 0 && !poor.failed);
        perp_arena_free(&poor);
        ck_assert_int_eq(left.out, 0);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("face");
    TCase *t = tcase_create("face");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, random_faces);
    tcase_add_test(t, refusals);
    suite_add_tcase(s, t);
    return support_run(s);
}
