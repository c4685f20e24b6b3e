/* tests/core/test_reduction.c: W and q of a body form by hand, the way back, and refusals; dense
 * and compressed, on growing and on fixed arenas. */
#include "core/reduction.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double M[] = {2, 0, 0, 0, 4, 0, 0, 0, 1}, H[] = {1, 0, 1, 0, 2, 0};
static const double R[] = {3, 0, 0, 5}, f[] = {6, 8, 1}, w[] = {0.5, -1};
static const double G[] = {1, 1, 0}, b[] = {-1};
static perp_matrix views[4];

static perp_body_form make_form(bool joined, bool rigid)
{
    const perp_matrix none = {.format = PERP_FORMAT_ABSENT};
    views[0] = perp_dense(3, 3, M);
    views[1] = perp_dense(3, 2, H);
    views[2] = joined ? perp_dense(3, 1, G) : none;
    views[3] = rigid ? none : perp_dense(2, 2, R);
    return (perp_body_form){.rows = 2,
                            .M = &views[0],
                            .H = &views[1],
                            .G = &views[2],
                            .R = &views[3],
                            .f = f,
                            .w = w,
                            .b = joined ? b : NULL};
}

/* Entry (i, j) of W. */
static double entry(const perp_reduction *d, int i, int j)
{
    double e[2] = {0}, u[2];
    e[j] = 1;
    perp_mul(&d->W, 1, e, 0, u);
    return u[i];
}

static void check(const perp_body_form *t, perp_arena *a, bool sparse, const double W[4],
                  const double expected[2])
{
    perp_reduction d;
    perp_error e = {0};
    double q[2], z[] = {0.3, -0.7}, v[4] = {0}, u[2];
    perp_status s = perp_reduction_open(t, perp_reduction_key(t), sparse, a, q, &d, &e);
    ck_assert_msg(!s, "%s", e.text);
    ck_assert_int_eq(d.W.format, sparse ? PERP_FORMAT_CSC : PERP_FORMAT_DENSE);
    for (int k = 0; k < 4; k++) ck_assert_double_eq_tol(entry(&d, k % 2, k / 2), W[k], 1e-14);
    for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(q[k], expected[k], 1e-14);

    /* the velocities give the u of the local form */
    ck_assert(perp_reduction_back(&d, z, v));
    memcpy(u, w, sizeof u);
    perp_mul_t(t->H, 1, v, 1, u);
    if (!perp_body_is_rigid(t)) perp_mul(t->R, 1, z, 1, u);
    for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(u[k], W[k] * z[0] + W[2 + k] * z[1] + q[k], 1e-14);
    if (t->b) ck_assert_double_eq_tol(v[0] + v[1] + t->b[0], 0, 1e-14);
    ck_assert(perp_reduction_act(&d, z, v)); /* without f and b */
    if (t->b) ck_assert_double_eq_tol(v[0] + v[1], 0, 1e-14);
    memset(z, 0, sizeof z);
    ck_assert(perp_reduction_act(&d, z, v) && v[0] == 0 && v[2] == 0);
}

/* H'M^-1 H = diag(1.5, 1), q = H'M^-1 f + w = (3 + 1 + 0.5, 4 - 1). With v_1 + v_2 = 1: the mass of
 * both is 6, H'PH = (1 / 6 + 1, 1 / 3; 1 / 3, 4 / 6), and (2, 3) moves to (-1 / 3, 4 / 3). */
START_TEST(by_hand)
{
    static const double plain[] = {1.5, 0, 0, 1}, soft[] = {4.5, 0, 0, 6}, q[] = {4.5, 3};
    const double slow = (6.0 - 8 + 4) / 6; /* v_1 of 2 v_1 + 4 v_2 = f + l, v_2 = 1 - v_1 */
    const double joined[] = {1 + 1.0 / 6, -2.0 / 6, -2.0 / 6, 4.0 / 6};
    const double p[] = {slow + 1 + 0.5, 2 * (1 - slow) - 1};
    for (int fixed = 0; fixed < 2; fixed++) {
        for (int sparse = 0; sparse < 2; sparse++) {
            size_t room = 1 << 16;
            void *buffer = fixed ? malloc(room) : NULL;
            perp_arena a = {0};
            if (fixed) perp_arena_fixed(&a, buffer, room);
            for (int again = 0; again < 2; again++) {
                perp_body_form t = make_form(false, true);
                check(&t, &a, sparse, plain, q);
                t = make_form(false, false);
                check(&t, &a, sparse, soft, q);
                t = make_form(true, true);
                check(&t, &a, sparse, joined, p);
            }
            perp_arena_free(&a);
            free(buffer);
        }
    }
}
END_TEST

START_TEST(singular)
{
    static const double zero[9] = {0}, twice[] = {1, 1, 0, 1, 1, 0};
    perp_arena a = {0};
    perp_reduction d;
    perp_error e = {0};
    double q[2];
    perp_body_form t = make_form(false, true);
    views[0] = perp_dense(3, 3, zero);
    ck_assert_int_eq(perp_reduction_open(&t, perp_reduction_key(&t), true, &a, q, &d, &e),
                     PERP_E_NUMBER);
    ck_assert_msg(strstr(e.text, "M is singular") != NULL, "%s", e.text);
    t = make_form(true, true);
    views[2] = perp_dense(3, 2, twice);
    t.b = NULL;
    ck_assert_int_eq(perp_reduction_open(&t, perp_reduction_key(&t), true, &a, q, &d, &e),
                     PERP_E_NUMBER);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reduction");
    TCase *t = tcase_create("reduction");
    tcase_add_test(t, by_hand);
    tcase_add_test(t, singular);
    suite_add_tcase(s, t);
    return support_run(s);
}
