/* tests/generate/test_scene.c: the table, reproducible scenes, every form of each. */
#include "generate_support.h"

START_TEST(table)
{
    for (const scene_family *f = scene_families; f->name; f++) {
        ck_assert_ptr_eq(scene_family_find(f->name), f);
        ck_assert(f->about[0] && f->counts[0] && f->size > 0 && f->mu >= 0);
        for (int k = 0; lcp_families[k].name; k++) ck_assert_str_ne(f->name, lcp_families[k].name);
    }
    ck_assert_ptr_null(scene_family_find("heap"));
}
END_TEST

static uint64_t hash_scene(const perp_rigid *s)
{
    uint64_t h = 1;
    for (int k = 0; k < s->bodies; k++) h = hash_reals(h, &s->body[k].mass, 1 + 9 + 3 + 4 + 12);
    for (int k = 0; k < s->contacts; k++) h = hash_reals(h, s->contact[k].point, 3 + 3 + 1);
    for (int k = 0; k < s->joints; k++) h = hash_reals(h, s->joint[k].anchor_a, 3);
    return h;
}

/* Large masses too; gravity pulls at everything; contacts are of distinct bodies, unit normals. */
START_TEST(sound)
{
    static const int sizes[] = {1, 2, 3, 5, 12};
    for (const scene_family *f = scene_families; f->name; f++) {
        for (size_t k = 0; k < 5; k++) {
            perp_arena a = {0};
            perp_rigid s = scene_make(f->name, sizes[k], 3, 1e6, &a);
            perp_rigid same = scene_make(f->name, sizes[k], 3, 1e6, &a);
            perp_rigid other = scene_make(f->name, sizes[k], 4, 1e6, &a);
            ck_assert_msg(hash_scene(&s) == hash_scene(&same), "%s", f->name);
            ck_assert_msg(hash_scene(&s) != hash_scene(&other), "%s %d", f->name, sizes[k]);
            ck_assert(s.bodies > 0 && (s.contacts > 0 || s.joints > 0 || s.bodies == 1));
            ck_assert(s.joints == 0 || f->joints);
            for (int i = 0; i < s.bodies; i++) {
                const perp_body *b = &s.body[i];
                ck_assert(fabs(b->force[2] + 9.81 * b->mass) <= 1e-12 * b->mass);
            }
            for (int i = 0; i < s.contacts; i++) {
                const perp_contact *c = &s.contact[i];
                ck_assert(c->a != c->b && c->mu == f->mu && c->restitution == 0 && c->id == i);
                ck_assert(fabs(plain_norm(3, c->normal) - 1) < 1e-15);
            }
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* The normal points from b to a: seen from the contact, a's centre is on its positive side, but for
 * bodies that are not convex or clouds without shape. */
START_TEST(normals)
{
    for (const scene_family *f = scene_families; f->name; f++) {
        if (strcmp(f->name, "boxes") == 0) continue;
        for (int size = 3; size <= 9; size += 3) {
            perp_arena a = {0};
            perp_rigid s = scene_make(f->name, size, 2, 1, &a);
            for (int i = 0; i < s.contacts; i++) {
                const perp_contact *c = &s.contact[i];
                double side = 0, other = 0;
                for (int j = 0; j < 3; j++) {
                    side += c->normal[j] * (s.body[c->a].position[j] - c->point[j]);
                    if (c->b >= 0) other += c->normal[j] * (s.body[c->b].position[j] - c->point[j]);
                }
                ck_assert_msg(side > 0 && other <= 0, "%s %d: contact %d", f->name, size, i);
            }
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* The heaviest body to the lightest, up to what the family does by itself. */
START_TEST(ratios)
{
    for (const scene_family *f = scene_families; f->name; f++) {
        perp_arena a = {0};
        perp_rigid s = scene_make(f->name, 12, 2, 1e6, &a);
        double least = INFINITY, most = 0;
        for (int k = 0; k < s.bodies; k++) {
            least = fmin(least, s.body[k].mass);
            most = fmax(most, s.body[k].mass);
        }
        if (s.bodies > 1) ck_assert_msg(most / least > 1e3, "%s: %g", f->name, most / least);
        ck_assert_msg(most / least < 2e7, "%s: %g", f->name, most / least);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(no_memory)
{
    for (const scene_family *f = scene_families; f->name; f++) {
        for (size_t size = 64; size <= 16384; size *= 4) {
            static char buffer[16384];
            perp_arena a;
            perp_rigid s;
            perp_arena_fixed(&a, buffer, size);
            scene_parameters r = {.size = 200, .seed = 1, .mu = 0.5, .ratio = 1};
            ck_assert_msg(!scene_generate(f, &r, &a, &s), "%s", f->name);
        }
    }
    perp_arena a = {0};
    perp_rigid s;
    scene_parameters r = {.size = 40000, .seed = 1, .mu = 0.5, .ratio = 1};
    ck_assert(!scene_generate(scene_family_find("wall"), &r, &a, &s)); /* 1.6e9 bricks */
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_scene");
    TCase *t = tcase_create("generate_scene");
    tcase_add_test(t, table);
    tcase_add_test(t, sound);
    tcase_add_test(t, normals);
    tcase_add_test(t, ratios);
    tcase_add_test(t, no_memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
