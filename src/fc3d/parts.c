/* fc3d/parts.c: contacts in parts that can be solved at the same time.
 *
 * Nested dissection (George 1973) by breadth-first levels: the nodes of a part are ordered by their
 * distance from one at its rim, and cut where the smaller half is largest. Two passes over the
 * couplings for each of at most 7 generations; depends on the problem alone. */
#include "parts.h"

#include <math.h>
#include <string.h>

#define LEAF 64      /* contacts: a part of fewer than two leaves is not halved */
#define WORTHWHILE 8 /* a half has at least so many in a hundred of the contacts */
#define NEAR 0.25    /* members: a cut so near to a whole number of them is there */

typedef struct dissection {
    const perp_couplings *c;
    perp_parts *parts;
    int *node;     /* part by part */
    int *contact;  /* part by part: becomes the order */
    int *queue;    /* nodes of the part at hand, by distance */
    int *place;    /* of a node in the queue */
    int *label;    /* of a node: when it was last seen */
    int now;       /* labels from now on belong to the part at hand */
    int *ends[2];  /* contacts of the part whose first, whose last node has this place */
    int *spare[2]; /* contacts on their way */
} dissection;

typedef struct span {
    int from, to;
} span;

/* Appends the nodes connected with `start`, with labels between now and `label`, to the queue. */
static int spread(dissection *d, int start, int label, int tail)
{
    int head = tail;
    d->queue[tail++] = start;
    d->label[start] = label;
    for (; head < tail; head++) {
        int k = d->queue[head];
        for (int list = 0; list < 2 && d->c->start[list]; list++) {
            const int *other = d->c->other[list];
            for (int l = d->c->start[list][k]; l < d->c->start[list][k + 1]; l++) {
                int seen = d->label[other[l]];
                if (seen < d->now || seen >= label) continue;
                d->label[other[l]] = label;
                d->queue[tail++] = other[l];
            }
        }
    }
    return tail;
}

/* The nodes of a part into the queue, by distance from one that is far from the first. */
static void order_nodes(dissection *d, span nodes)
{
    int count = 0;
    d->now += 3;
    for (int k = nodes.from; k < nodes.to; k++) d->label[d->node[k]] = d->now;
    int reached = spread(d, d->node[nodes.from], d->now + 1, 0);
    count = spread(d, d->queue[reached - 1], d->now + 2, 0);
    for (int k = nodes.from; k < nodes.to; k++) {
        if (d->label[d->node[k]] < d->now + 2) count = spread(d, d->node[k], d->now + 2, count);
    }
    for (int k = 0; k < count; k++) d->place[d->queue[k]] = k;
}

/* The first and the last place of what a contact is coupled to. Before a cut between them it
 * belongs to neither half. */
static span reach(const dissection *d, int contact)
{
    const perp_couplings *c = d->c;
    if (c->touch) {
        int a = d->place[c->touch[2 * (size_t)contact]];
        int b = d->place[c->touch[2 * (size_t)contact + 1]];
        return a < b ? (span){a, b} : (span){b, a};
    }
    int last = d->place[contact];
    for (int list = 0; list < 2 && c->start[list]; list++) {
        for (int l = c->start[list][contact]; l < c->start[list][contact + 1]; l++) {
            int k = c->other[list][l];
            if (d->label[k] == d->now + 2 && d->place[k] > last) last = d->place[k];
        }
    }
    return (span){d->place[contact], last};
}

/* Where to cut the queue: nodes before it, and the contacts of the smaller half. */
static int find_cut(dissection *d, int nodes, span contacts, int *smaller)
{
    int before = 0, after = contacts.to - contacts.from, cut = 0;
    for (int e = 0; e < 2; e++) memset(d->ends[e], 0, (size_t)nodes * sizeof *d->ends[e]);
    for (int k = contacts.from; k < contacts.to; k++) {
        span s = reach(d, d->contact[k]);
        d->ends[0][s.from]++;
        d->ends[1][s.to]++;
    }
    *smaller = 0;
    for (int k = 0; k < nodes; k++) {
        before += d->ends[1][k];
        after -= d->ends[0][k];
        int least = before < after ? before : after;
        if (least <= *smaller) continue;
        *smaller = least;
        cut = k + 1;
    }
    return cut;
}

/* Contacts before the cut, then after it, then across, each in the order they had. */
static void part_contacts(dissection *d, span contacts, int cut, span half[2])
{
    int before = contacts.from, after = 0, across = 0;
    for (int k = contacts.from; k < contacts.to; k++) {
        int contact = d->contact[k];
        span s = reach(d, contact);
        if (s.to < cut)
            d->contact[before++] = contact;
        else if (s.from >= cut)
            d->spare[0][after++] = contact;
        else
            d->spare[1][across++] = contact;
    }
    half[0] = (span){contacts.from, before};
    half[1] = (span){before, before + after};
    memcpy(d->contact + before, d->spare[0], (size_t)after * sizeof(int));
    memcpy(d->contact + before + after, d->spare[1], (size_t)across * sizeof(int));
}

/* The same for the nodes. Where these are the contacts, those across are gone. */
static void part_nodes(dissection *d, span nodes, int cut, span half[2])
{
    int count = nodes.to - nodes.from, before = nodes.from;
    for (int k = 0; k < cut; k++) {
        int node = d->queue[k];
        if (d->c->touch || reach(d, node).to < cut) d->node[before++] = node;
    }
    half[0] = (span){nodes.from, before};
    half[1] = (span){before, before + count - cut};
    memcpy(d->node + before, d->queue + cut, (size_t)(count - cut) * sizeof(int));
}

/* Halve a part; false: it cannot be, or is not worth it. */
static bool halve(dissection *d, span nodes, span contacts, span nodes_of[2], span contacts_of[2])
{
    int count = contacts.to - contacts.from, smaller;
    if (count < 2 * LEAF) return false;
    order_nodes(d, nodes);
    int cut = find_cut(d, nodes.to - nodes.from, contacts, &smaller);
    if (100 * (long long)smaller < WORTHWHILE * (long long)count) return false;
    part_contacts(d, contacts, cut, contacts_of);
    part_nodes(d, nodes, cut, nodes_of);
    return true;
}

/* The tree of a part, its own part last; returns its number. */
static int dissect(dissection *d, span nodes, span contacts, int depth)
{
    span n[2], c[2];
    int child[2] = {-1, -1}, from = contacts.from;
    if (depth > 0 && halve(d, nodes, contacts, n, c)) {
        for (int k = 0; k < 2; k++) child[k] = dissect(d, n[k], c[k], depth - 1);
        from = c[1].to;
    } else {
        d->parts->leaves++;
    }
    int me = d->parts->count++;
    perp_part *p = &d->parts->part[me];
    *p = (perp_part){
        .first = contacts.from, .from = from, .to = contacts.to, .child = {child[0], child[1]}};
    atomic_init(&p->done.value, 0);
    return me;
}

bool perp_couplings_bodies(perp_arena *a, int contacts, int bodies, const int *touch,
                           perp_couplings *c)
{
    int *start = perp_alloc(a, (size_t)bodies + 2, sizeof *start);
    int *other = perp_alloc_unset(a, 2 * (size_t)contacts, sizeof *other);
    if (a->failed) return false;
    for (size_t k = 0; k < 2 * (size_t)contacts; k++) start[touch[k] + 2]++;
    for (int b = 0; b < bodies; b++) start[b + 2] += start[b + 1];
    for (size_t k = 0; k < 2 * (size_t)contacts; k++) other[start[touch[k] + 1]++] = touch[k ^ 1];
    *c = (perp_couplings){contacts, bodies, touch, {start, NULL}, {other, NULL}};
    return true;
}

bool perp_parts_open(perp_arena *a, const perp_couplings *c, perp_parts *parts, int *order)
{
    dissection d = {.c = c, .parts = parts, .contact = order, .now = 1};
    size_t nodes = (size_t)c->nodes, contacts = (size_t)c->contacts;
    perp_mark mark = perp_arena_mark(a);
    int **const by_node[] = {&d.node, &d.queue, &d.place, &d.label, &d.ends[0], &d.ends[1]};
    for (int k = 0; k < 6; k++) *by_node[k] = perp_alloc(a, nodes, sizeof(int));
    for (int k = 0; k < 2; k++) d.spare[k] = perp_alloc_unset(a, contacts, sizeof(int));
    if (a->failed) return false;
    for (int k = 0; k < c->nodes; k++) d.node[k] = k;
    for (int k = 0; k < c->contacts; k++) order[k] = k;
    parts->count = parts->leaves = 0;
    dissect(&d, (span){0, c->nodes}, (span){0, c->contacts}, PERP_PARTS_DEPTH);
    perp_arena_release(a, mark);
    return true;
}

/* The members from..to, whole or not, do the tree of part k. */
static void assign(perp_parts *parts, int k, double from, double to)
{
    perp_part *p = &parts->part[k];
    p->member = (int)from;
    p->tree = p->child[0] < 0 || to <= floor(from) + 1;
    if (p->tree) return;
    const perp_part *one = &parts->part[p->child[0]], *two = &parts->part[p->child[1]];
    double share = (double)(one->to - one->first) / (double)(two->to - one->first);
    double cut = from + share * (to - from), whole = floor(cut + 0.5);
    if (fabs(cut - whole) < NEAR && whole > from && whole < to) cut = whole;
    assign(parts, p->child[0], from, cut);
    assign(parts, p->child[1], cut, to);
}

void perp_parts_assign(perp_parts *parts, int members)
{
    for (int k = 0; k < parts->count; k++) parts->part[k].member = -1;
    assign(parts, parts->count - 1, 0, members);
}
