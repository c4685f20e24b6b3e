/* method/cone_set.c: blocks of a product of cones: how they are found, their projections and
 * natural maps. O(rows) each, but for at most as many passes over a cone's groups as it has. */
#include "cone_set.h"

#include "base/box.h"
#include "base/pair.h"
#include "base/vector.h"

#include <string.h>

static int master_of(const perp_cone *c, int i)
{
    return c->follows ? c->follows[i] : -1;
}

/* The first row of the group of row i; -1: i is in none. */
static int leader_of(const perp_cone *c, int i)
{
    if (c->group && c->group[i] >= 0) return c->group[i];
    return master_of(c, i) >= 0 ? i : -1;
}

/* Chains of rows: those of a group behind its leader, groups behind their normal. */
typedef struct chains {
    int *member, *next; /* first row of the group of a leader; the row after this one */
    int *list, *more;   /* first leader that follows a normal; the leader after this one */
} chains;

static void link_rows(const perp_cone *c, chains *l)
{
    for (int i = 0; i < c->n; i++) l->member[i] = l->next[i] = l->list[i] = l->more[i] = -1;
    for (int i = c->n - 1; i >= 0; i--) {
        int leader = leader_of(c, i);
        if (leader < 0) continue;
        l->next[i] = l->member[leader];
        l->member[leader] = i;
    }
    for (int i = c->n - 1; i >= 0; i--) {
        int master = master_of(c, i);
        if (master < 0 || leader_of(c, i) != i) continue;
        l->more[i] = l->list[master];
        l->list[master] = i;
    }
}

static int add_members(perp_cone_set *t, const chains *l, int leader, int at)
{
    for (int i = l->member[leader]; i >= 0; i = l->next[i]) t->row[at++] = i;
    return at;
}

static int add_cone(perp_cone_set *t, const perp_cone *c, const chains *l, int normal, int at,
                    int *groups)
{
    perp_cone_block *b = &t->block[t->blocks++];
    *b = (perp_cone_block){.type = PERP_CONE_GROUPS, .first = at, .group = *groups};
    t->row[at++] = normal;
    for (int g = l->list[normal]; g >= 0; g = l->more[g]) {
        int end = add_members(t, l, g, at);
        t->group[(*groups)++] = (perp_cone_group){
            .first = at, .count = end - at, .mu = c->mu[g], .s = c->s ? c->s[g] : c->mu[g]};
        b->groups++;
        at = end;
    }
    b->count = at - b->first;
    return at;
}

static int add_box(perp_cone_set *t, const perp_cone *c, const chains *l, int i, int at)
{
    int leader = leader_of(c, i);
    perp_cone_block *b = &t->block[t->blocks++];
    *b = (perp_cone_block){.type = leader < 0 ? PERP_CONE_BOX : PERP_CONE_BALL,
                           .first = at,
                           .lo = c->lo ? c->lo[i] : -INFINITY,
                           .hi = c->hi ? c->hi[i] : INFINITY};
    if (leader < 0)
        t->row[at++] = i;
    else
        at = add_members(t, l, leader, at);
    b->count = at - b->first;
    return at;
}

/* Rows that lie in any order. */
static bool add_scattered(perp_cone_set *t, perp_arena *a, const perp_cone *c)
{
    size_t n = (size_t)c->n;
    perp_mark mark = perp_arena_mark(a);
    chains l = {perp_alloc_unset(a, n, sizeof(int)), perp_alloc_unset(a, n, sizeof(int)),
                perp_alloc_unset(a, n, sizeof(int)), perp_alloc_unset(a, n, sizeof(int))};
    if (a->failed) return false;
    link_rows(c, &l);
    int at = 0, groups = 0;
    for (int i = 0; i < c->n; i++) {
        int leader = leader_of(c, i);
        if (l.list[i] >= 0)
            at = add_cone(t, c, &l, i, at, &groups);
        else if (leader < 0 || (leader == i && master_of(c, i) < 0))
            at = add_box(t, c, &l, i, at);
    }
    perp_arena_release(a, mark);
    return true;
}

/* The groups that follow the normal right before row i. The row after them; -1: one is in pieces.
 */
static int add_groups(perp_cone_set *t, const perp_cone *c, int i, int *groups)
{
    int normal = i - 1;
    while (i < c->n && master_of(c, i) == normal) {
        int first = i;
        if (leader_of(c, i) != first) return -1;
        while (++i < c->n && leader_of(c, i) == first) continue;
        t->group[(*groups)++] = (perp_cone_group){.first = first,
                                                  .count = i - first,
                                                  .mu = c->mu[first],
                                                  .s = c->s ? c->s[first] : c->mu[first]};
    }
    return i;
}

/* Rows that lie as the blocks have them: groups right behind their normal, each in one piece.
 * False: they do not, and nothing is added. */
static bool add_ordered(perp_cone_set *t, const perp_cone *c)
{
    int groups = 0, blocks = 0;
    for (int i = 0, end; i < c->n; i = end) {
        int leader = leader_of(c, i);
        perp_cone_block *b = &t->block[blocks++];
        *b = (perp_cone_block){.first = i, .group = groups};
        if (master_of(c, i) >= 0 || (leader >= 0 && leader != i)) return false;
        end = i + 1;
        if (leader < 0)
            end = add_groups(t, c, end, &groups);
        else
            while (end < c->n && leader_of(c, end) == i) end++;
        if (end < 0) return false;
        b->count = end - i;
        b->groups = groups - b->group;
        b->type = b->groups > 0 ? PERP_CONE_GROUPS : leader < 0 ? PERP_CONE_BOX : PERP_CONE_BALL;
        if (b->groups > 0) continue;
        b->group = 0;
        b->lo = c->lo ? c->lo[i] : -INFINITY;
        b->hi = c->hi ? c->hi[i] : INFINITY;
    }
    for (int i = 0; i < c->n; i++) t->row[i] = i;
    t->blocks = blocks;
    return true;
}

bool perp_cone_set_open(perp_cone_set *t, perp_arena *a, const perp_cone *c)
{
    size_t n = (size_t)c->n;
    *t = (perp_cone_set){.n = c->n};
    t->block = perp_alloc_unset(a, n, sizeof *t->block);
    t->group = perp_alloc_unset(a, n, sizeof *t->group);
    t->row = perp_alloc_unset(a, n, sizeof *t->row);
    if (a->failed || !(add_ordered(t, c) || add_scattered(t, a, c))) return false;
    for (int b = 0; b < t->blocks; b++) {
        if (t->block[b].count > t->largest) t->largest = t->block[b].count;
    }
    return true;
}

double perp_cone_set_norm(int n, const double *x)
{
    if (n == 1) return fabs(x[0]);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    if (sum > 1e-280 && sum < 1e280) return sqrt(sum);
    return sum == 0 && vector_max(n, x) == 0 ? 0 : vector_norm(n, x);
}

double perp_cone_set_excess(int n, const double *z, double mu, double zn)
{
    double t = perp_cone_set_length(n, z), m = mu * zn, rest = fma(mu, zn, -m);
    double plain = t - m, high = 0, low = 0;
    bool far = !(fabs(plain) < 1e-6 * t), extreme = !(t > 1e-140 && t < 1e140);
    if (m <= 0 || far || extreme) return plain; /* no digits are lost, or squares cannot help */
    for (int i = 0; i < n; i++) pair_add_product(z[i], z[i], &high, &low);
    pair_add_product(-m, m, &high, &low);
    return (high + (low - 2 * m * rest)) / (t + m);
}

void perp_cone_set_law(const perp_cone_set *t, int b, const double *u, double *v)
{
    const perp_cone_block *k = &t->block[b];
    double sum = 0;
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *p = &t->group[g];
        if (p->s > 0) sum += p->s * perp_cone_set_length(p->count, u + (p->first - k->first));
    }
    if (v != u) memcpy(v, u, (size_t)k->count * sizeof *v);
    if (k->type == PERP_CONE_GROUPS) v[0] = u[0] + sum;
}

/* |z - v| - |z| = v'(v - 2 z) / (|z - v| + |z|). */
static double find_turn(int n, const double *z, const double *v, double sum)
{
    double product = 0;
    if (!(sum > 0)) return 0;
    for (int i = 0; i < n; i++) product += v[i] * ((v[i] - 2 * z[i]) / sum);
    return product;
}

/* |z - v| - radius, its two sizes at hand: `excess` is |z| - radius. map is scratch. */
static double find_outside(int n, const double *z, const double *v, double excess, double *map)
{
    for (int i = 0; i < n; i++) map[i] = z[i] - v[i];
    double sum = perp_cone_set_length(n, map) + perp_cone_set_length(n, z);
    return excess + find_turn(n, z, v, sum);
}

/* map = v + outside x / |x|, where x = z - v is outside the disc, v inside. */
static void leave_disc(int n, const double *z, const double *v, double outside, double *map)
{
    for (int i = 0; i < n; i++) map[i] = z[i] - v[i];
    double length = perp_cone_set_length(n, map), part = 0;
    if (outside > 0 && length > 0) part = outside / length;
    for (int i = 0; i < n; i++) map[i] = v[i] + part * map[i];
}

/* The root m; the c_g are in the first entries of the groups of map. */
static double find_root(const perp_cone_set *t, const perp_cone_block *k, double vn,
                        const double *map)
{
    double m = vn;
    for (int pass = 0; pass <= k->groups; pass++) {
        double sum = vn, slope = 1;
        for (int g = k->group; g < k->group + k->groups; g++) {
            const perp_cone_group *p = &t->group[g];
            double c = map[p->first - k->first];
            if (!(c + p->mu * m > 0)) continue;
            sum -= p->mu * c;
            slope += p->mu * p->mu;
        }
        if (!(sum / slope < m)) break;
        m = sum / slope;
    }
    return m;
}

static void natural_of_cone(const perp_cone_set *t, const perp_cone_block *k, const double *z,
                            const double *v, double *map)
{
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *p = &t->group[g];
        int at = p->first - k->first;
        double excess = perp_cone_set_excess(p->count, z + at, p->mu, z[0]);
        map[at] = find_outside(p->count, z + at, v + at, excess, map + at);
    }
    double m = find_root(t, k, v[0], map);
    if (m >= z[0]) {
        memcpy(map, z, (size_t)k->count * sizeof *map);
        return;
    }
    map[0] = m;
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *p = &t->group[g];
        int at = p->first - k->first;
        leave_disc(p->count, z + at, v + at, map[at] + p->mu * m, map + at);
    }
}

void perp_cone_set_natural(const perp_cone_set *t, int b, const double *z, const double *v,
                           double *map)
{
    const perp_cone_block *k = &t->block[b];
    if (k->type == PERP_CONE_BOX) {
        map[0] = box_natural(z[0], v[0], k->lo, k->hi);
    } else if (k->type == PERP_CONE_BALL) {
        double excess = perp_cone_set_excess(k->count, z, k->hi, 1);
        double outside = find_outside(k->count, z, v, excess, map);
        leave_disc(k->count, z, v, outside, map);
    } else {
        natural_of_cone(t, k, z, v, map);
    }
}

static void shorten(int n, double radius, double *x)
{
    double length = perp_cone_set_length(n, x);
    if (length <= radius) return;
    for (int i = 0; i < n; i++) x[i] *= radius / length;
}

/* t of P(x): the largest root, by Newton's method from where all groups are inside. */
static double find_normal(const perp_cone_set *t, const perp_cone_block *k, const double *x)
{
    double normal = x[0];
    for (int pass = 0; pass <= k->groups; pass++) {
        double sum = x[0], slope = 1;
        for (int g = k->group; g < k->group + k->groups; g++) {
            const perp_cone_group *p = &t->group[g];
            double length = perp_cone_set_length(p->count, x + (p->first - k->first));
            if (!(length > p->mu * normal)) continue;
            sum += p->mu * length;
            slope += p->mu * p->mu;
        }
        if (!(sum / slope > normal)) break;
        normal = sum / slope;
    }
    return normal;
}

void perp_cone_set_project(const perp_cone_set *t, int b, double *x)
{
    const perp_cone_block *k = &t->block[b];
    if (k->type == PERP_CONE_BOX) {
        x[0] = box_project(x[0], k->lo, k->hi);
    } else if (k->type == PERP_CONE_BALL) {
        shorten(k->count, k->hi, x);
    } else {
        double normal = find_normal(t, k, x);
        x[0] = normal > 0 ? normal : 0;
        for (int g = k->group; g < k->group + k->groups; g++) {
            const perp_cone_group *p = &t->group[g];
            shorten(p->count, p->mu * x[0], x + (p->first - k->first));
        }
    }
}
