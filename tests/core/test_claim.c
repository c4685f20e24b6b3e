/* tests/core/test_claim.c: what a claim is worth: cleaned of rounding, with a point, with a
 * sentence. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

typedef struct actor_options {
    perp_options base;
    perp_status says;
    const double *vector;
    bool asks; /* perp_prove first, whose answer is in `answer` */
} actor_options;

static perp_status answer;

static perp_status act(perp_run *run, double *z)
{
    const actor_options *o = (const actor_options *)run->options;
    int n = perp_size(run->problem);
    double *y = PERP_ALLOC(run, double, n);
    (void)z;
    memcpy(y, o->vector, (size_t)n * sizeof *y);
    if (o->asks) answer = perp_prove(run, o->says, y);
    run->proof = y;
    return run->status = o->says;
}

static const perp_solver lcp_actor = {.name = "lcp/actor",
                                      .about = "says what it is told to",
                                      .kind = PERP_KIND_LCP,
                                      .formats = {PERP_FORMAT_DENSE},
                                      .options_size = sizeof(actor_options),
                                      .options = (const perp_option[]){{0}},
                                      .solve = act};
static const perp_solver qp_actor = {.name = "qp/actor",
                                     .about = "says what it is told to",
                                     .kind = PERP_KIND_QP,
                                     .formats = {PERP_FORMAT_DENSE, PERP_FORMAT_DENSE},
                                     .options_size = sizeof(actor_options),
                                     .options = (const perp_option[]){{0}},
                                     .solve = act};

static perp_status play(const perp_solver *s, const perp_problem *p, perp_status says,
                        const double *y, double *z, double *w, perp_result *r)
{
    actor_options o = {.base = {.solver = s, .tol = 1e-8, .max_iter = 1000, .threads = 1},
                       .says = says,
                       .vector = y,
                       .asks = true};
    perp_arena a = {0};
    perp_status status = perp_solve(p, &o.base, &a, z, w, r);
    perp_arena_free(&a);
    return status;
}

/* Rounding beside the large entries, of the wrong sign too, is cut from a proof. */
START_TEST(rounding_is_cut)
{
    const double M[] = {2, 0, 0, 0}, q[] = {1, -1};
    const double y[] = {1e-15, 1}, minus[] = {-1e-9, 1}, rough[] = {1e-3, 1};
    double z[2], w[2];
    perp_result r;
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    ck_assert_int_eq(play(&lcp_actor, &p, PERP_INFEASIBLE, y, z, w, &r), PERP_INFEASIBLE);
    ck_assert_int_eq(answer, PERP_SOLVED);
    ck_assert(w[0] == 0 && w[1] == 1);
    ck_assert_int_eq(play(&lcp_actor, &p, PERP_INFEASIBLE, minus, z, w, &r), PERP_INFEASIBLE);
    ck_assert_int_eq(play(&lcp_actor, &p, PERP_INFEASIBLE, rough, z, w, &r), PERP_UNCERTIFIED);
    ck_assert_int_eq(answer, PERP_UNCERTIFIED);
    ck_assert_str_eq(r.detail, "lcp/actor: no solution with |z|_1 < 5.0e+02");
}
END_TEST

/* min -x_0, x_1 >= 1: the start 0 is no feasible point, so one is found, and returned. */
START_TEST(a_point_is_found)
{
    const double c[] = {-1, 0}, A[] = {0, 1}, lo[] = {1}, d[] = {1, 0, 0};
    double z[3], w[3];
    perp_result r;
    perp_residual check;
    perp_arena a = {0};
    perp_problem p = perp_make_qp(2, 1, (perp_matrix){0}, c, perp_dense(1, 2, A), lo, NULL);
    ck_assert_int_eq(play(&qp_actor, &p, PERP_UNBOUNDED, d, z, w, &r), PERP_UNBOUNDED);
    ck_assert_double_ge(z[1], 1 - 1e-8);
    ck_assert_int_eq(perp_check(&p, PERP_UNBOUNDED, w, z, &a, &check), PERP_SOLVED);
    const double hi[] = {0.5};
    p.as.qp.hi = hi; /* and where there is none that is what is proved */
    ck_assert_int_eq(play(&qp_actor, &p, PERP_UNBOUNDED, d, z, w, &r), PERP_INFEASIBLE);
    p.as.qp.hi = NULL;
    const double up[] = {-1, 0, 0};
    ck_assert_int_eq(play(&qp_actor, &p, PERP_UNBOUNDED, up, z, w, &r), PERP_UNCERTIFIED);
    ck_assert_msg(strstr(r.detail, "does not prove it"), "%s", r.detail);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("claim");
    TCase *c = tcase_create("claim");
    tcase_add_test(c, rounding_is_cut);
    tcase_add_test(c, a_point_is_found);
    suite_add_tcase(s, c);
    return support_run(s);
}
