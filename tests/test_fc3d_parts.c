/* tests/test_fc3d_parts.c: parts that do not meet share nothing, all contacts have a place, and all
 * parts somebody who does them. */
#include "fc3d/parts.h"
#include "fc3d_support.h"

#include <stdlib.h>

typedef struct scene {
    const char *name;
    int bodies, contacts;
    int touch[2 * 4000];
} scene;

static void add(scene *s, int a, int b)
{
    s->touch[2 * s->contacts] = a;
    s->touch[2 * s->contacts++ + 1] = b;
}

static void make_grid(scene *s, int side)
{
    s->bodies = side * side;
    for (int k = 0; k < side * side; k++) {
        if (k % side + 1 < side) add(s, k, k + 1);
        if (k + side < side * side) add(s, k + side, k);
        if (k < side) add(s, k, k); /* on the ground */
    }
}

static void make_random(scene *s, int bodies, int contacts, uint64_t seed)
{
    generator g = generator_start(seed);
    s->bodies = bodies;
    while (s->contacts < contacts) add(s, generator_below(&g, bodies), generator_below(&g, bodies));
}

static void make_chains(scene *s, int chains, int length)
{
    s->bodies = chains * length;
    for (int k = 0; k < s->bodies; k++) add(s, k, k % length ? k - 1 : k);
}

static void make_hub(scene *s, int spokes)
{
    s->bodies = spokes + 1;
    for (int k = 1; k <= spokes; k++) add(s, 0, k);
}

/* Contacts as nodes: those with a common body are neighbours. */
static void by_contacts(perp_arena *a, const scene *s, perp_couplings *c)
{
    int n = s->contacts, *start = perp_alloc(a, (size_t)n + 1, sizeof *start);
    int *other = perp_alloc(a, (size_t)n * (size_t)n, sizeof *other);
    for (int i = 0; i < n; i++) {
        start[i + 1] = start[i];
        for (int j = 0; j < n; j++) {
            const int *p = s->touch + 2 * i, *q = s->touch + 2 * j;
            bool meet = p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1];
            if (meet) other[start[i + 1]++] = j;
        }
    }
    *c = (perp_couplings){n, n, NULL, {start, NULL}, {other, NULL}};
}

/* The two trees below a part have no body in common. */
static void check_apart(const scene *s, const perp_parts *p, int k, const int *order)
{
    if (p->part[k].child[0] < 0) return;
    const perp_part *one = &p->part[p->part[k].child[0]], *two = &p->part[p->part[k].child[1]];
    char *seen = calloc((size_t)s->bodies, 1);
    ck_assert_ptr_nonnull(seen);
    ck_assert(one->first == p->part[k].first && one->to == two->first &&
              two->to == p->part[k].from);
    for (int l = one->first; l < one->to; l++)
        seen[s->touch[2 * order[l]]] = seen[s->touch[2 * order[l] + 1]] = 1;
    for (int l = two->first; l < two->to; l++)
        ck_assert(!seen[s->touch[2 * order[l]]] && !seen[s->touch[2 * order[l] + 1]]);
    free(seen);
}

static void check_parts(const scene *s, const perp_parts *p, const int *order)
{
    int *seen = calloc((size_t)s->contacts + 1, sizeof *seen), leaves = 0;
    ck_assert_ptr_nonnull(seen);
    for (int k = 0; k < s->contacts; k++) seen[order[k]]++;
    for (int k = 0; k < s->contacts; k++) ck_assert_int_eq(seen[k], 1);
    for (int k = 0; k < p->count; k++) {
        check_apart(s, p, k, order);
        leaves += p->part[k].child[0] < 0;
    }
    ck_assert(leaves == p->leaves && p->count == 2 * leaves - 1);
    ck_assert(p->part[p->count - 1].first == 0 && p->part[p->count - 1].to == s->contacts);
    free(seen);
}

/* Each place is done once, and nobody waits for who is not there. */
static void check_members(perp_parts *p, int contacts, int members)
{
    int done = 0;
    perp_parts_assign(p, members);
    for (int k = 0; k < p->count; k++) {
        const perp_part *q = &p->part[k];
        if (q->member < 0) continue;
        ck_assert_int_lt(q->member, members);
        ck_assert_int_eq(q->tree ? q->first : q->from, done);
        done = q->to;
        for (int e = 0; e < 2 && !q->tree; e++) ck_assert_int_ge(p->part[q->child[e]].member, 0);
    }
    ck_assert_int_eq(done, contacts);
}

static void check_scene(const scene *s, bool local, perp_parts *p)
{
    perp_arena a = {0};
    perp_couplings c;
    int *order = perp_alloc(&a, (size_t)s->contacts, sizeof *order);
    if (local)
        by_contacts(&a, s, &c);
    else
        ck_assert(perp_couplings_bodies(&a, s->contacts, s->bodies, s->touch, &c));
    ck_assert(perp_parts_open(&a, &c, p, order));
    check_parts(s, p, order);
    for (int members = 1; members <= 9; members++) check_members(p, s->contacts, members);
    perp_arena_free(&a);
}

START_TEST(apart)
{
    static perp_parts p;
    for (int local = 0; local < 2; local++) {
        static scene grid, random, chains, hub;
        grid = random = chains = hub = (scene){0};
        make_grid(&grid, 30);
        check_scene(&grid, local, &p);
        ck_assert_int_ge(p.leaves, 8);
        const perp_part *last = &p.part[p.count - 1];
        ck_assert_int_le(last->to - last->from, 170); /* what stands between the halves */
        make_chains(&chains, 40, 20);
        check_scene(&chains, local, &p);
        last = &p.part[p.count - 1];
        ck_assert_int_le(last->to - last->from, 2);
        make_random(&random, 300, 900, 3);
        check_scene(&random, local, &p);
        make_hub(&hub, 500); /* nothing can be done at the same time */
        check_scene(&hub, local, &p);
        ck_assert_int_eq(p.leaves, 1);
    }
}
END_TEST

/* Two members have nearly the same to do. */
START_TEST(fair)
{
    static perp_parts p;
    static scene grid;
    int load[2] = {0};
    grid.contacts = 0;
    make_grid(&grid, 40);
    check_scene(&grid, false, &p);
    perp_parts_assign(&p, 2);
    for (int k = 0; k < p.count - 1; k++) {
        const perp_part *q = &p.part[k];
        if (q->member >= 0) load[q->member] += q->to - (q->tree ? q->first : q->from);
    }
    ck_assert_int_le(abs(load[0] - load[1]), grid.contacts / 20);
}
END_TEST

START_TEST(nothing)
{
    static perp_parts p;
    static scene none;
    none.bodies = none.contacts = 0;
    check_scene(&none, false, &p);
    ck_assert_int_eq(p.leaves, 1);
    static scene grid;
    grid.contacts = 0;
    make_grid(&grid, 20);
    for (int left = 0;; left++) {
        supply some = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &some};
        perp_couplings c;
        int order[1000];
        bool good = perp_couplings_bodies(&a, grid.contacts, grid.bodies, grid.touch, &c) &&
                    perp_parts_open(&a, &c, &p, order);
        perp_arena_free(&a);
        if (good) break;
        ck_assert_int_lt(left, 100);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_parts");
    TCase *t = tcase_create("fc3d_parts");
    tcase_add_test(t, apart);
    tcase_add_test(t, fair);
    tcase_add_test(t, nothing);
    suite_add_tcase(s, t);
    return support_run(s);
}
