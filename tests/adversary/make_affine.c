/* tests/adversary/make_affine.c: lcp, affine ncp and mcp, with and without followers; nnls. */
#include "sample.h"

#include <math.h>
#include <string.h>

/* q = w - M z for a complementary pair with ties; exactly a solution only without rounding. */
static void plant(generator *g, const table *M, bool integer, double *q)
{
    double z[MOST];
    for (int i = 0; i < M->n; i++) {
        z[i] = generator_below(g, 2) ? fabs(draw_number(g, integer)) : 0;
        q[i] = z[i] > 0 || generator_below(g, 3) == 0 ? 0 : fabs(draw_number(g, integer));
    }
    for (int j = 0; j < M->n; j++) {
        for (int i = 0; i < M->m; i++) q[i] -= AT(M, i, j) * z[j];
    }
}

/* Sweeps, the only solvers of followers, need a positive diagonal. */
static void lift_diagonal(table *M)
{
    for (int i = 0; i < M->n; i++) {
        double size = fabs(AT(M, i, i));
        AT(M, i, i) = size > 0 ? size : 1;
    }
}

static void draw_map(sample *s, generator *g, int n)
{
    s->n = s->size = n;
    bool integer = draw_square(s, g, n, &s->M);
    if (s->kind == V_FOLLOWS && generator_below(g, 8)) lift_diagonal(&s->M);
    draw_vector(s, g, n, integer, s->q);
    if (strstr(s->family, "nearly singular") && generator_below(g, 2)) {
        for (int i = 0; i < n; i++) s->q[i] = -fabs(s->q[i]); /* z is huge */
    }
    int way = generator_below(g, 8);
    if (way < 2) {
        plant(g, &s->M, integer, s->q);
        draw_note(s, "planted");
        if (way == 0 && n > 0) {
            int i = generator_below(g, n);
            s->q[i] = draw_moved(g, s->q[i]);
        }
    } else if (way < 4) {
        draw_infeasible(s, g, &s->M, s->q);
    }
    draw_scaled(s, g, &s->M, s->q);
}

void make_lcp(sample *s, generator *g)
{
    draw_map(s, g, draw_size(g, MOST));
    for (int i = 0; i < s->n; i++) {
        s->xlo[i] = 0;
        s->xhi[i] = INFINITY;
    }
}

static void draw_followers(sample *s, generator *g)
{
    static const double mu[] = {0, 0.5, 1, 1.0 / 3, 1e-8, 1e8};
    for (int i = 0; i < s->n; i++) s->follows[i] = -1;
    for (int i = 1; i < s->n; i++) {
        int k = generator_below(g, i);
        if (generator_below(g, 2) || s->follows[k] >= 0) continue;
        s->follows[i] = k;
        s->mu[i] = mu[generator_below(g, 6)];
    }
    if (s->n > 1 && generator_below(g, 50) == 0) { /* 0 follows what follows 0 */
        s->follows[0] = s->n - 1;
        s->follows[s->n - 1] = 0;
        s->mu[0] = s->mu[s->n - 1] = 1;
        s->refused = true;
        draw_note(s, "cycle of followers");
    }
}

void make_mcp(sample *s, generator *g)
{
    draw_map(s, g, draw_size(g, MOST));
    bool crossing = generator_below(g, 100) == 0 && s->n > 0;
    draw_box(s, g, s->n, crossing, s->xlo, s->xhi);
    s->refused = crossing;
    if (s->kind == V_FOLLOWS) draw_followers(s, g);
}

static void draw_right_side(sample *s, generator *g)
{
    draw_vector(s, g, s->m, generator_below(g, 2), s->q);
    if (generator_below(g, 3) > 0) return;
    double x[MOST];
    for (int j = 0; j < s->n; j++) x[j] = generator_below(g, 2) ? generator_unit(g) : 0;
    for (int i = 0; i < s->m; i++) {
        s->q[i] = 0;
        for (int j = 0; j < s->n; j++) s->q[i] += AT(&s->M, i, j) * x[j];
        if (generator_below(g, 4) == 0) s->q[i] = draw_moved(g, s->q[i]);
    }
    draw_note(s, "consistent");
}

void make_nnls(sample *s, generator *g)
{
    s->n = s->size = draw_size(g, MOST);
    s->m = generator_below(g, 4) ? draw_size(g, MOST) : s->n;
    draw_rectangle(s, g, s->m, s->n, &s->M);
    draw_right_side(s, g);
    draw_scaled(s, g, &s->M, generator_below(g, 2) ? s->q : NULL);
    bool none = generator_below(g, 2);
    for (int j = 0; j < s->n; j++) s->is_free[j] = !none && generator_below(g, 3) == 0;
}
