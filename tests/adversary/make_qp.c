/* tests/adversary/make_qp.c: qp with rows and bounds; infeasible and unbounded ones by construction
 * and by their last bits. */
#include "sample.h"

#include <math.h>

/* Two rows that exclude each other, by much or by the last bits. */
static void contradict(sample *s, generator *g)
{
    if (s->m < 2) return;
    double a = draw_number(g, generator_below(g, 2));
    for (int j = 0; j < s->n; j++) AT(&s->A, 1, j) = AT(&s->A, 0, j);
    if (generator_below(g, 2)) {
        for (int j = 0; j < s->n; j++) AT(&s->A, 1, j) /= 3;
        for (int j = 0; j < s->n; j++) AT(&s->A, 0, j) /= 3;
    }
    if (generator_below(g, 3) == 0 && s->n > 0) {
        int j = generator_below(g, s->n);
        AT(&s->A, 1, j) = draw_moved(g, AT(&s->A, 1, j));
    }
    static const double gap[] = {1, 1e-6, 1e-9, 1e-12};
    s->lo[0] = a;
    s->hi[0] = INFINITY;
    s->lo[1] = -INFINITY;
    int k = generator_below(g, 5);
    s->hi[1] = k < 4 ? a - gap[k] : nextafter(a, -INFINITY);
    draw_note(s, "contradictory rows");
}

/* Column 0 appears in no row and has no upper bound; its cost is negative, sometimes barely. */
static void release(sample *s, generator *g)
{
    if (s->n == 0) return;
    for (int i = 0; i < s->m; i++) AT(&s->A, i, 0) = 0;
    for (int j = 0; j < s->n; j++) AT(&s->M, 0, j) = AT(&s->M, j, 0) = 0;
    static const double cost[] = {-1, -1e-6, -1e-12, -1e-300};
    s->q[0] = cost[generator_below(g, 4)];
    if (generator_below(g, 3) == 0) AT(&s->M, 0, 0) = ldexp(1, -generator_between(g, 20, 70));
    s->xhi[0] = INFINITY;
    draw_note(s, "unbounded");
}

/* A direction in which two columns cancel, but for the last bits. */
static void release_pair(sample *s, generator *g)
{
    if (s->n < 2) return;
    for (int i = 0; i < s->m; i++) {
        AT(&s->A, i, 1) = -AT(&s->A, i, 0) / 3;
        if (generator_below(g, 4) == 0) AT(&s->A, i, 1) = draw_moved(g, AT(&s->A, i, 1));
    }
    for (int i = 0; i < s->n; i++) AT(&s->M, i, 0) = AT(&s->M, 0, i) = 0;
    for (int i = 0; i < s->n; i++) AT(&s->M, i, 1) = AT(&s->M, 1, i) = 0;
    s->q[0] = -1;
    s->q[1] = generator_below(g, 2) ? draw_moved(g, 1.0 / 3) : 0;
    s->xhi[0] = s->xhi[1] = INFINITY;
    draw_note(s, "unbounded pair");
}

static void draw_hessian(sample *s, generator *g)
{
    draw_square(s, g, s->n, &s->M);
    int way = generator_below(g, 4);
    if (way == 0) {
        for (int k = 0; k < s->n * s->n; k++) s->M.x[k] = 0;
        draw_note(s, "linear");
    } else if (way < 3) {
        for (int i = 0; i < s->n; i++) {
            for (int j = 0; j < i; j++) AT(&s->M, i, j) = AT(&s->M, j, i);
        }
        draw_note(s, "symmetric");
    }
}

/* Row bounds moved so that they contain A x for some x within the bounds of the columns; often one
 * of them exactly, up to rounding. */
static void make_feasible(sample *s, generator *g)
{
    for (int i = 0; i < s->m; i++) {
        double Ax = 0;
        for (int j = 0; j < s->n; j++) {
            double lo = s->xlo[j], hi = s->xhi[j], x = lo > 0 ? lo : hi < 0 ? hi : 0;
            if (lo < 0.5 && hi > 0.5 && j % 2) x = 0.5;
            Ax += AT(&s->A, i, j) * x;
        }
        if (s->lo[i] > Ax) s->lo[i] = Ax;
        if (s->hi[i] < Ax) s->hi[i] = Ax;
        if (generator_below(g, 4) == 0) s->lo[i] = draw_moved(g, Ax);
    }
    draw_note(s, "feasible");
}

void make_qp(sample *s, generator *g)
{
    s->n = draw_size(g, 18);
    s->m = generator_below(g, 5) ? draw_size(g, 12) : 0;
    s->size = s->n + s->m;
    draw_hessian(s, g);
    draw_vector(s, g, s->n, generator_below(g, 2), s->q);
    draw_rectangle(s, g, s->m, s->n, &s->A);
    draw_box(s, g, s->m, generator_below(g, 40) == 0, s->lo, s->hi);
    draw_box(s, g, s->n, generator_below(g, 40) == 0, s->xlo, s->xhi);
    int way = generator_below(g, 10);
    if (way == 0) contradict(s, g);
    if (way == 1) release(s, g);
    if (way == 2) release_pair(s, g);
    if (way % 2) make_feasible(s, g);
    draw_scaled(s, g, &s->M, s->q);
    if (generator_below(g, 3) == 0) draw_scaled(s, g, &s->A, NULL);
}
