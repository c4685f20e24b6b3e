/* tests/fc3d/test_dissection.c: parts that do not meet share nothing, all contacts have a place,
 * and all parts somebody who does them. */
#include "fc3d/dissection.h"
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

/* Contacts as nodes: those with a common body are neighbours, earlier ones in one list, later ones
 * in the other. */
static void by_contacts(perp_arena *a, const scene *s, perp_couplings *c)
{
    int n = s->contacts, *start[2], *other[2];
    for (int list = 0; list < 2; list++) {
        start[list] = perp_alloc(a, (size_t)n + 1, sizeof *start[list]);
        other[list] = perp_alloc(a, (size_t)n * (size_t)n, sizeof *other[list]);
        for (int i = 0; i < n; i++) {
            start[list][i + 1] = start[list][i];
            for (int j = list ? i + 1 : 0; j < (list ? n : i + 1); j++) {
                const int *p = s->touch + 2 * i, *q = s->touch + 2 * j;
                bool meet = p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1];
                if (meet) other[list][start[list][i + 1]++] = j;
            }
        }
    }
    *c = (perp_couplings){n, n, NULL, {start[0], start[1]}, {other[0], other[1]}};
}

/* Do the places of two ranges share a body? */
static bool share(const scene *s, const int *order, const int one[2], const int two[2])
{
    bool common = false;
    char *seen = calloc((size_t)s->bodies + 1, 1);
    ck_assert_ptr_nonnull(seen);
    for (int k = one[0]; k < one[1]; k++)
        seen[s->touch[2 * order[k]]] = seen[s->touch[2 * order[k] + 1]] = 1;
    for (int k = two[0]; k < two[1]; k++)
        common |= seen[s->touch[2 * order[k]]] || seen[s->touch[2 * order[k] + 1]];
    free(seen);
    return common;
}

/* The first half has nothing to do with the second, nor the far ones with what is between. */
static void check_apart(const scene *s, const perp_dissection *p, int k, const int *order)
{
    const perp_dissection_part *q = &p->part[k];
    if (q->child[0] < 0) return;
    const perp_dissection_part *first = &p->part[q->child[PERP_PART_FIRST]];
    const perp_dissection_part *near = &p->part[q->child[PERP_PART_NEAR]];
    const perp_dissection_part *far = &p->part[q->child[PERP_PART_FAR]];
    ck_assert(first->first == q->first && near->first == first->to && far->first == near->to);
    ck_assert(q->from == far->to && first->to > first->first && far->to > near->first);
    ck_assert(!share(s, order, (int[]){first->first, first->to}, (int[]){near->first, far->to}));
    ck_assert(!share(s, order, (int[]){far->first, far->to}, (int[]){q->from, q->to}));
    ck_assert(first->after == q->after && near->after == q->after);
    ck_assert_int_eq(far->after, q->child[PERP_PART_NEAR]);
}

static void check_parts(const scene *s, const perp_dissection *p, const int *order)
{
    int *seen = calloc((size_t)s->contacts + 1, sizeof *seen), leaves = 0;
    ck_assert_ptr_nonnull(seen);
    for (int k = 0; k < s->contacts; k++) seen[order[k]]++;
    for (int k = 0; k < s->contacts; k++) ck_assert_int_eq(seen[k], 1);
    for (int k = 0; k < p->count; k++) {
        check_apart(s, p, k, order);
        leaves += p->part[k].child[0] < 0;
    }
    ck_assert_int_eq(leaves, p->leaves);
    const perp_dissection_part *all = &p->part[p->count - 1];
    ck_assert(all->first == 0 && all->to == s->contacts && all->after == -1);
    free(seen);
}

/* Each place is done once; who is waited for is there, and comes first. */
static void check_members(perp_dissection *p, int contacts, int members)
{
    int done = 0;
    perp_dissection_assign(p, members);
    for (int k = 0; k < p->count; k++) {
        const perp_dissection_part *q = &p->part[k];
        if (q->member < 0) continue;
        ck_assert_int_lt(q->member, members);
        ck_assert_int_eq(q->whole ? q->first : q->from, done);
        done = q->to;
        if (q->whole && q->after >= 0) {
            ck_assert_int_ge(p->part[q->after].member, 0);
            ck_assert_int_lt(q->after, k);
        }
        for (int e = 0; e < PERP_PART_CHILDREN && !q->whole; e++) {
            ck_assert_int_ge(p->part[q->child[e]].member, 0);
            ck_assert_int_lt(q->child[e], k);
        }
    }
    ck_assert_int_eq(done, contacts);
}

typedef struct outline {
    int leaves, between; /* the two halves */
    int second;          /* what the second of two members has to do */
} outline;

static outline check_scene(const scene *s, bool local)
{
    perp_arena a = {0};
    perp_couplings c;
    perp_dissection p;
    int *order = perp_alloc(&a, (size_t)s->contacts, sizeof *order);
    if (local)
        by_contacts(&a, s, &c);
    else
        ck_assert(perp_couplings_bodies(&a, s->contacts, s->bodies, s->touch, &c));
    ck_assert(perp_dissection_open(&a, &c, &p, order));
    check_parts(s, &p, order);
    for (int members = 9; members > 0; members--) check_members(&p, s->contacts, members);
    const perp_dissection_part *all = &p.part[p.count - 1];
    outline o = {.leaves = p.leaves, .between = all->to - all->from};
    if (all->child[0] >= 0) o.second = all->from - p.part[all->child[PERP_PART_NEAR]].first;
    perp_arena_free(&a);
    return o;
}

START_TEST(apart)
{
    for (int local = 0; local < 2; local++) {
        static scene grid, random, chains, hub;
        grid = random = chains = hub = (scene){0};
        make_grid(&grid, 30);
        outline o = check_scene(&grid, local);
        ck_assert_int_ge(o.leaves, 9);
        ck_assert_int_le(o.between, 170);
        make_chains(&chains, 40, 20);
        o = check_scene(&chains, local);
        ck_assert_int_le(o.between, 2);
        make_random(&random, 300, 900, 3);
        check_scene(&random, local);
        make_hub(&hub, 500); /* nothing can be done at the same time */
        o = check_scene(&hub, local);
        ck_assert_int_eq(o.leaves, 1);
    }
}
END_TEST

/* Two members have the same to do. */
START_TEST(fair)
{
    static scene grid;
    grid.contacts = 0;
    make_grid(&grid, 40);
    outline o = check_scene(&grid, false);
    ck_assert_int_le(abs(2 * o.second - grid.contacts), grid.contacts / 20);
}
END_TEST

START_TEST(nothing)
{
    static scene none;
    none.bodies = none.contacts = 0;
    ck_assert_int_eq(check_scene(&none, false).leaves, 1);
    static scene grid;
    grid.contacts = 0;
    make_grid(&grid, 20);
    for (int left = 0;; left++) {
        supply some = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &some};
        perp_couplings c;
        perp_dissection p;
        int order[1000];
        bool good = perp_couplings_bodies(&a, grid.contacts, grid.bodies, grid.touch, &c) &&
                    perp_dissection_open(&a, &c, &p, order);
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
