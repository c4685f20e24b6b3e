/* fc3d/dissection.c: contacts in parts that can be solved at the same time.
 *
 * Nested dissection (George 1973) by breadth-first levels: the nodes of a part are ordered by their
 * distance from one at its rim, and cut where both threads have the same to do. Two passes over the
 * couplings for each of a few generations; depends on the problem alone. */
#include "dissection.h"

#include <math.h>
#include <string.h>

#define GENERATIONS 6
#define LEAF 256     /* contacts: a smaller part is not halved */
#define WORTHWHILE 8 /* in a hundred of the contacts: what the smaller half has at least */
#define NEAR 0.25    /* members: a cut so near to a whole number of them is there */
#define STAMPS 4     /* labels of one part: its nodes, seen once, seen twice, coupled to between */

typedef struct dissection {
    const perp_couplings *c;
    perp_dissection *parts;
    int *contact;  /* part by part: becomes the order */
    int *node;     /* of the part at hand */
    int nodes;     /* their number */
    int *queue;    /* the same, by distance */
    int *place;    /* of a node in the queue */
    int *label;    /* of a node: when it was last seen */
    int now;       /* labels from now on belong to the part at hand */
    int *ends[2];  /* contacts of the part whose first, whose last node has this place */
    int *spare[2]; /* contacts on their way */
} dissection;

typedef struct contact_range {
    int from, to;
} contact_range;

static void add_node(dissection *d, int node)
{
    if (d->label[node] >= d->now) return;
    d->label[node] = d->now;
    d->node[d->nodes++] = node;
}

static void list_nodes(dissection *d, contact_range contacts)
{
    d->now += STAMPS;
    d->nodes = 0;
    for (int k = contacts.from; k < contacts.to; k++) {
        int contact = d->contact[k];
        const int *touch = d->c->touch ? d->c->touch + 2 * (size_t)contact : &contact;
        for (int e = 0; e < (d->c->touch ? 2 : 1); e++) add_node(d, touch[e]);
    }
}

/* Appends what is connected with `start` and has a label from now on, but below `label`. */
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

/* The nodes into the queue, by distance from one that is far from the first. */
static void order_nodes(dissection *d)
{
    int reached = spread(d, d->node[0], d->now + 1, 0);
    int count = spread(d, d->queue[reached - 1], d->now + 2, 0);
    for (int k = 0; k < d->nodes; k++) {
        if (d->label[d->node[k]] < d->now + 2) count = spread(d, d->node[k], d->now + 2, count);
    }
    for (int k = 0; k < count; k++) d->place[d->queue[k]] = k;
}

/* The first and the last place of what a contact is coupled to: after a cut, before it, or
 * between. */
static contact_range reach(const dissection *d, int contact)
{
    const perp_couplings *c = d->c;
    if (c->touch) {
        int a = d->place[c->touch[2 * (size_t)contact]];
        int b = d->place[c->touch[2 * (size_t)contact + 1]];
        return a < b ? (contact_range){a, b} : (contact_range){b, a};
    }
    int last = d->place[contact];
    for (int list = 0; list < 2 && c->start[list]; list++) {
        for (int l = c->start[list][contact]; l < c->start[list][contact + 1]; l++) {
            int k = c->other[list][l];
            if (d->label[k] == d->now + 2 && d->place[k] > last) last = d->place[k];
        }
    }
    return (contact_range){d->place[contact], last};
}

/* Where to cut the queue; 0: nowhere. */
static int find_cut(dissection *d, contact_range contacts)
{
    int all = contacts.to - contacts.from, before = 0, after = all, cut = 0, best = 0;
    for (int e = 0; e < 2; e++) memset(d->ends[e], 0, (size_t)d->nodes * sizeof *d->ends[e]);
    for (int k = contacts.from; k < contacts.to; k++) {
        contact_range s = reach(d, d->contact[k]);
        d->ends[0][s.from]++;
        d->ends[1][s.to]++;
    }
    for (int k = 0; k < d->nodes; k++) {
        before += d->ends[1][k];
        after -= d->ends[0][k];
        int smaller = before < after ? before : after;
        int busy = after < all - after ? after : all - after; /* the less busy thread */
        if (busy <= best || 100 * (long long)smaller < WORTHWHILE * (long long)all) continue;
        best = busy;
        cut = k + 1;
    }
    return cut;
}

/* Contacts in the order first, second half, between, each in the order they had; where the second
 * half and where `between` begins. */
static contact_range part_contacts(dissection *d, contact_range contacts, int cut)
{
    int first = contacts.from, second = 0, between = 0;
    for (int k = contacts.from; k < contacts.to; k++) {
        int contact = d->contact[k];
        contact_range s = reach(d, contact);
        if (s.to < cut)
            d->contact[first++] = contact;
        else if (s.from >= cut)
            d->spare[0][second++] = contact;
        else
            d->spare[1][between++] = contact;
    }
    memcpy(d->contact + first, d->spare[0], (size_t)second * sizeof(int));
    memcpy(d->contact + first + second, d->spare[1], (size_t)between * sizeof(int));
    return (contact_range){first, first + second};
}

/* Label the nodes that a contact is coupled by. */
static void mark(dissection *d, int contact)
{
    const perp_couplings *c = d->c;
    for (int e = 0; e < 2 && c->touch; e++) {
        d->label[c->touch[2 * (size_t)contact + (size_t)e]] = d->now + 3;
    }
    for (int list = 0; list < 2 && !c->touch && c->start[list]; list++) {
        for (int l = c->start[list][contact]; l < c->start[list][contact + 1]; l++) {
            int k = c->other[list][l];
            if (d->label[k] >= d->now) d->label[k] = d->now + 3;
        }
    }
}

static bool is_marked(const dissection *d, int contact)
{
    const int *touch = d->c->touch ? d->c->touch + 2 * (size_t)contact : NULL;
    if (!touch) return d->label[contact] == d->now + 3;
    return d->label[touch[0]] == d->now + 3 || d->label[touch[1]] == d->now + 3;
}

/* The second half: near what is between first, then far; where the far ones begin. */
static int part_half(dissection *d, contact_range half, int to)
{
    int near = half.from, far = 0;
    for (int k = half.to; k < to; k++) mark(d, d->contact[k]);
    for (int k = half.from; k < half.to; k++) {
        int contact = d->contact[k];
        if (is_marked(d, contact))
            d->contact[near++] = contact;
        else
            d->spare[0][far++] = contact;
    }
    memcpy(d->contact + near, d->spare[0], (size_t)far * sizeof(int));
    return near;
}

/* Cut a part in its children and what is between; false: it cannot be, or is not worth it. */
static bool halve(dissection *d, contact_range contacts, contact_range child[PERP_PART_CHILDREN])
{
    if (contacts.to - contacts.from < LEAF) return false;
    list_nodes(d, contacts);
    order_nodes(d);
    int cut = find_cut(d, contacts);
    if (cut == 0) return false;
    contact_range half = part_contacts(d, contacts, cut);
    int far = part_half(d, half, contacts.to);
    child[PERP_PART_FIRST] = (contact_range){contacts.from, half.from};
    child[PERP_PART_NEAR] = (contact_range){half.from, far};
    child[PERP_PART_FAR] = (contact_range){far, half.to};
    return true;
}

/* The tree of a part, its own part last; returns its number. */
static int dissect(dissection *d, contact_range contacts, int after, int generations)
{
    contact_range span_of[PERP_PART_CHILDREN];
    perp_dissection_part p = {.first = contacts.from, .from = contacts.from, .to = contacts.to};
    for (int k = 0; k < PERP_PART_CHILDREN; k++) p.child[k] = -1;
    p.after = after;
    if (generations > 0 && halve(d, contacts, span_of)) {
        for (int k = 0; k < PERP_PART_CHILDREN; k++) {
            if (k == PERP_PART_FAR) after = p.child[PERP_PART_NEAR];
            p.child[k] = dissect(d, span_of[k], after, generations - 1);
        }
        p.from = span_of[PERP_PART_FAR].to;
    } else {
        d->parts->leaves++;
    }
    atomic_init(&p.done.value, 0);
    d->parts->part[d->parts->count] = p;
    return d->parts->count++;
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

/* At most so many: each cut part has LEAF contacts, of its generation's all. */
static size_t most_parts(int contacts)
{
    size_t cuts = 0, wide = 1;
    for (int k = 0; k < GENERATIONS; k++, wide *= PERP_PART_CHILDREN) {
        size_t room = (size_t)contacts / LEAF;
        cuts += wide < room ? wide : room;
    }
    return 1 + PERP_PART_CHILDREN * cuts;
}

bool perp_dissection_open(perp_arena *a, const perp_couplings *c, perp_dissection *parts,
                          int *order)
{
    dissection d = {.c = c, .parts = parts, .contact = order, .now = 1};
    size_t nodes = (size_t)c->nodes, contacts = (size_t)c->contacts;
    parts->part = perp_alloc(a, most_parts(c->contacts), sizeof *parts->part);
    perp_mark mark = perp_arena_mark(a);
    int **const by_node[] = {&d.node, &d.queue, &d.place, &d.label, &d.ends[0], &d.ends[1]};
    for (int k = 0; k < 6; k++) *by_node[k] = perp_alloc(a, nodes, sizeof(int));
    for (int k = 0; k < 2; k++) d.spare[k] = perp_alloc_unset(a, contacts, sizeof(int));
    if (a->failed) return false;
    for (int k = 0; k < c->contacts; k++) order[k] = k;
    parts->count = parts->leaves = 0;
    dissect(&d, (contact_range){0, c->contacts}, -1, GENERATIONS);
    perp_arena_release(a, mark);
    return true;
}

/* The members from..to, whole or not, do the tree of part k. */
static void assign(perp_dissection *parts, int k, double from, double to)
{
    perp_dissection_part *p = &parts->part[k];
    p->member = (int)from;
    p->whole = p->child[PERP_PART_FIRST] < 0 || to <= floor(from) + 1;
    if (p->whole) return;
    const perp_dissection_part *near = &parts->part[p->child[PERP_PART_NEAR]];
    double share = 1 - (double)(p->from - near->first) / (double)(p->to - p->first);
    double cut = from + share * (to - from), whole = floor(cut + 0.5);
    if (fabs(cut - whole) < NEAR && whole > from && whole < to) cut = whole;
    assign(parts, p->child[PERP_PART_FIRST], from, cut);
    assign(parts, p->child[PERP_PART_NEAR], cut, to);
    assign(parts, p->child[PERP_PART_FAR], cut, to);
}

void perp_dissection_assign(perp_dissection *parts, int members)
{
    for (int k = 0; k < parts->count; k++) parts->part[k].member = -1;
    assign(parts, parts->count - 1, 0, members);
}
