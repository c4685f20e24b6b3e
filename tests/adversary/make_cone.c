/* tests/adversary/make_cone.c: cones with groups, balls, boxes and free rows, their rows in order
 * or scattered. */
#include "sample.h"

#include <math.h>

enum { GROUPS = 3, ROWS = 3 }; /* of a cone, and of a group, at most */

static void add_row(sample *s, int follows, int group)
{
    int i = s->n++;
    s->xlo[i] = -INFINITY;
    s->xhi[i] = INFINITY;
    s->follows[i] = follows;
    s->group[i] = group;
}

static void add_cone(sample *s, generator *g, double shape)
{
    static const double mu[] = {0, 0.1, 0.5, 0.7, 1, 3, 1e-8, 1e6};
    int normal = s->n, groups = generator_between(g, 1, GROUPS);
    add_row(s, -1, -1);
    for (int k = 0; k < groups; k++) {
        int first = s->n, rows = generator_between(g, 1, ROWS);
        if (first + rows > MOST) return;
        s->mu[first] = mu[generator_below(g, 8)];
        s->slip[first] = shape * s->mu[first];
        bool alone = rows == 1 && generator_below(g, 2);
        for (int i = 0; i < rows; i++) add_row(s, normal, alone ? -1 : first);
    }
}

static void add_ball(sample *s, generator *g)
{
    int first = s->n, rows = generator_between(g, 1, ROWS);
    double radius = generator_below(g, 8) ? generator_unit(g) : 0;
    for (int i = 0; i < rows && s->n < MOST; i++) add_row(s, -1, first);
    s->xhi[first] = radius;
}

static void add_box(sample *s, generator *g)
{
    int i = s->n, type = generator_below(g, 4);
    add_row(s, -1, -1);
    if (type > 0) s->xlo[i] = type == 1 ? 0 : generator_uniform(g);
    if (type > 1) s->xhi[i] = s->xlo[i] + (type == 2 ? 1 : 0);
}

/* Rows in another order. */
static void scatter(sample *s, generator *g)
{
    int to[MOST];
    sample old = *s;
    for (int i = 0; i < s->n; i++) to[i] = i;
    for (int i = s->n - 1; i > 0; i--) {
        int k = generator_below(g, i + 1), swap = to[i];
        to[i] = to[k];
        to[k] = swap;
    }
    /* Groups are named after their first row: the first of those in the new order. */
    int first[MOST];
    for (int i = 0; i < s->n; i++) first[i] = s->n;
    for (int i = 0; i < s->n; i++) {
        int k = old.group[i];
        if (k >= 0 && to[i] < first[k]) first[k] = to[i];
    }
    for (int i = 0; i < s->n; i++) {
        int at = to[i], k = old.group[i];
        s->follows[at] = old.follows[i] < 0 ? -1 : to[old.follows[i]];
        s->group[at] = k < 0 ? -1 : first[k];
        s->xlo[at] = old.xlo[i];
        s->xhi[at] = k < 0 || old.follows[i] >= 0 ? old.xhi[i] : old.xhi[k];
        s->mu[at] = k < 0 ? old.mu[i] : old.mu[k];
        s->slip[at] = k < 0 ? old.slip[i] : old.slip[k];
    }
    draw_note(s, "scattered");
}

/* q = -W z for a z with normals > 0 and groups inside or at the edge. */
static void balance(sample *s, generator *g)
{
    double z[MOST] = {0};
    for (int i = 0; i < s->n; i++) z[i] = s->follows[i] < 0 && s->group[i] < 0;
    for (int i = 0; i < s->n; i++) {
        int leader = s->group[i] < 0 ? i : s->group[i];
        if (s->follows[i] >= 0 && leader == i) z[i] = s->mu[i] * (generator_below(g, 2) ? 1 : 0.5);
    }
    for (int i = 0; i < s->n; i++) {
        s->q[i] = 0;
        for (int k = 0; k < s->n; k++) s->q[i] -= AT(&s->M, i, k) * z[k];
    }
    draw_note(s, "balanced");
}

void make_cone(sample *s, generator *g)
{
    int rows = draw_size(g, MOST - 1 - GROUPS * ROWS);
    bool mixed = generator_below(g, 2);
    double shape = 0.5 * generator_below(g, 3);
    do {
        int type = mixed ? generator_below(g, 6) : 0;
        if (type < 4)
            add_cone(s, g, shape);
        else if (type == 4)
            add_ball(s, g);
        else
            add_box(s, g);
    } while (s->n < rows);
    s->size = s->n;
    draw_note(s, shape == 0 ? "convex" : shape < 1 ? "half" : "coulomb");
    if (generator_below(g, 3) == 0) scatter(s, g);
    bool integer = draw_square(s, g, s->n, &s->M);
    draw_vector(s, g, s->n, integer, s->q);
    if (generator_below(g, 3) == 0) balance(s, g);
    draw_scaled(s, g, &s->M, s->q);
}
