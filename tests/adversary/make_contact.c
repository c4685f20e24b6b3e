/* tests/adversary/make_contact.c: friction in local and body form, and maps by callback. */
#include "sample.h"

#include <math.h>

static void draw_friction(sample *s, generator *g)
{
    static const double mu[] = {0, 0.1, 0.5, 0.7, 1, 3, 1e-8, 1e6};
    int same = generator_below(g, 8);
    for (int k = 0; k < s->contacts; k++) {
        s->mu[k] = mu[generator_below(g, 2) ? same : generator_below(g, 8)];
    }
}

/* q = -W r and a bit more: the contacts are nearly at rest with forces inside, on or off the
 * cones. */
static void balance(sample *s, generator *g)
{
    for (int k = 0; k < s->contacts; k++) {
        double r[3] = {generator_unit(g), 0, 0}, reach = s->mu[k] * r[0];
        if (generator_below(g, 2)) r[1] = reach;
        if (generator_below(g, 3) == 0) r[2] = 0.5 * reach;
        for (int i = 0; i < s->n; i++) {
            for (int c = 0; c < 3; c++) s->q[i] -= AT(&s->M, i, 3 * k + c) * r[c];
        }
    }
    draw_note(s, "balanced");
}

void make_fc3d(sample *s, generator *g)
{
    s->contacts = (draw_size(g, MOST) + 2) / 3;
    if (generator_below(g, 3) == 0 && s->contacts > 1) s->contacts = 1;
    s->n = s->size = 3 * s->contacts;
    bool integer = draw_square(s, g, s->n, &s->M);
    draw_friction(s, g);
    draw_vector(s, g, s->n, integer, s->q);
    if (generator_below(g, 3) == 0) {
        for (int i = 0; i < s->n; i++) s->q[i] = 0;
        balance(s, g);
    }
    draw_scaled(s, g, &s->M, s->q);
}

/* A diagonal mass matrix, or a full one that is definite. */
static void draw_mass(sample *s, generator *g)
{
    s->M.m = s->M.n = s->n;
    int exponent = generator_below(g, 2) ? 1 : draw_exponent(g) / 3;
    bool full = generator_below(g, 3) == 0;
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            AT(&s->M, i, j) = full && i != j ? (i < j ? 1 : 1) / (2.0 * s->n) : 0;
        }
        double x = full ? 1 : 0.5 + generator_unit(g);
        AT(&s->M, i, i) = full ? 1 + x : ldexp(x, generator_between(g, -exponent, exponent));
    }
    draw_note(s, full ? "full mass" : "diagonal mass");
}

void make_body(sample *s, generator *g)
{
    int bodies = generator_between(g, 1, 2);
    s->n = generator_below(g, 4) ? 6 * bodies : generator_between(g, 1, 5);
    s->contacts = generator_below(g, 20) ? generator_between(g, 1, s->n > 6 ? 4 : 3) : 0;
    s->joints = generator_below(g, 3) ? 0 : generator_between(g, 1, 2);
    s->size = s->n + 3 * s->contacts + s->joints;
    draw_mass(s, g);
    draw_friction(s, g);
    draw_vector(s, g, s->n, false, s->q);
    draw_rectangle(s, g, s->n, 3 * s->contacts, &s->A);
    draw_rectangle(s, g, s->n, s->joints, &s->G);
    if (generator_below(g, 2)) draw_vector(s, g, 3 * s->contacts, false, s->w);
    if (generator_below(g, 2)) draw_vector(s, g, s->joints, false, s->b);
    if (generator_below(g, 4) == 0) draw_scaled(s, g, &s->A, NULL);
}

/* Bounds as economic models have them: prices from 1e-5 down to 1e-12. */
static void draw_price_bounds(sample *s, generator *g)
{
    double least = pow(10, -generator_between(g, 5, 12));
    for (int i = 0; i < s->n; i++) {
        s->xlo[i] = least;
        s->xhi[i] = generator_below(g, 5) ? INFINITY : 10;
    }
    draw_note(s, "price bounds");
}

void make_map(sample *s, generator *g)
{
    s->n = s->size = draw_size(g, 8);
    bool integer = draw_square(s, g, s->n, &s->M);
    draw_vector(s, g, s->n, integer, s->q);
    int exponent = generator_below(g, 3) ? 0 : generator_between(g, 1, 40);
    int common = generator_below(g, CURVES);
    bool one_curve = generator_below(g, 2);
    for (int i = 0; i < s->n; i++) {
        s->curve[i] = (curve)(one_curve ? common : generator_below(g, CURVES));
        s->shift[i] = ldexp(1, -generator_below(g, 35));
        s->row[i] = ldexp(1, generator_between(g, -exponent, exponent));
        s->xlo[i] = 0;
        s->xhi[i] = INFINITY;
    }
    s->has_jacobian = generator_below(g, 3) > 0;
    draw_note(s, s->has_jacobian ? "jacobian" : "differences");
    if (s->kind != V_MCP_MAP) return;
    if (generator_below(g, 2))
        draw_price_bounds(s, g);
    else
        draw_box(s, g, s->n, false, s->xlo, s->xhi);
}
