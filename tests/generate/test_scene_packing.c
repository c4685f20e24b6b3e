/* tests/generate/test_scene_packing.c: gaps as geometry has them, no pair forgotten, linear time.
 */
#include "generate_support.h"

#include <time.h>

/* The radius from the inertia of a sphere, 2/5 m r^2. */
static double radius(const perp_body *b)
{
    return sqrt(2.5 * b->inertia[0] / b->mass);
}

/* Every pair, against the grid: those nearer than 0.005, each once, with the gap it has. */
START_TEST(all_pairs)
{
    for (int n = 1; n <= 200; n = 2 * n + 3) {
        perp_arena a = {0};
        perp_rigid s = scene_make("packing", n, (uint64_t)n, 1, &a);
        int pairs = 0, found = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                double d[3];
                for (int k = 0; k < 3; k++) d[k] = s.body[i].position[k] - s.body[j].position[k];
                pairs += plain_norm(3, d) - radius(&s.body[i]) - radius(&s.body[j]) < 0.005;
            }
        }
        for (int k = 0; k < s.contacts; k++) {
            const perp_contact *c = &s.contact[k];
            double d[3], gap = -radius(&s.body[c->a]);
            for (int i = 0; i < 3; i++) {
                double from = c->b < 0 ? c->point[i] : s.body[c->b].position[i];
                d[i] = s.body[c->a].position[i] - from;
                gap += c->normal[i] * d[i];
            }
            if (c->b >= 0) {
                gap -= radius(&s.body[c->b]);
                found++;
            }
            ck_assert(fabs(gap - c->gap) < 1e-12 && gap < 0.005);
        }
        ck_assert_msg(pairs == found, "%d: %d pairs, %d found", n, pairs, found);
        perp_arena_free(&a);
    }
}
END_TEST

/* About six contacts a sphere, a pair counted at both, and overlaps that are small. */
START_TEST(dense_and_loose_enough)
{
    perp_arena a = {0};
    perp_rigid s = scene_make("packing", 5000, 1, 1, &a);
    double worst = 0, sum = 0;
    for (int k = 0; k < s.contacts; k++) {
        worst = fmin(worst, s.contact[k].gap);
        sum += s.contact[k].gap;
    }
    ck_assert(s.contacts > 12000 && s.contacts < 20000);
    ck_assert(worst > -0.2 && sum / s.contacts > -0.01);
    perp_arena_free(&a);
}
END_TEST

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ten times as many spheres take ten times as long, and no more than twice that. */
START_TEST(linear_time)
{
    double ratio = INFINITY;
    for (int attempt = 0; attempt < 3 && ratio > 20; attempt++) {
        perp_arena a = {0};
        double t0 = cpu();
        scene_make("packing", 3500, 1, 1, &a);
        double t1 = cpu();
        perp_rigid s = scene_make("packing", 35000, 1, 1, &a);
        ratio = (cpu() - t1) / (t1 - t0);
        ck_assert_int_ge(s.contacts, 90000);
        perp_arena_free(&a);
    }
    ck_assert_msg(ratio <= 20, "%g times as long", ratio);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_scene_packing");
    TCase *t = tcase_create("generate_scene_packing");
    tcase_add_test(t, all_pairs);
    tcase_add_test(t, dense_and_loose_enough);
    tcase_add_test(t, linear_time);
    suite_add_tcase(s, t);
    return support_run(s);
}
