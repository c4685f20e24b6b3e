/* tests/adversary/refute.c: has a problem that was called infeasible a feasible point, and how far
 * is the nearest? An exact linear program minimises the sum of the distances of unknowns from their
 * finite bounds over those that have an infinite one. */
#include "exact.h"
#include "simplex.h"

#include <math.h>

enum { PIVOTS = 400, ROWS = 4 * MOST, UNKNOWNS = 2 * MOST };

/* x_j = shift_j + sign_j y_first (- y_second where it is free), y >= 0. */
typedef struct program {
    int rows, unknowns;
    int first[MOST], second[MOST]; /* -1: none */
    int sign[MOST];
    double shift[MOST];
    mpq_t *A, *b, *c; /* ROWS x (UNKNOWNS + ROWS): a slack for each row */
} program;

static int width(void)
{
    return UNKNOWNS + ROWS;
}

static mpq_t *at(program *l, int row, int column)
{
    return &l->A[row * width() + column];
}

static void add_coefficient(program *l, int row, int j, const mpq_t a)
{
    mpq_t value, shift;
    mpq_inits(value, shift, NULL);
    mpq_set(value, a);
    if (l->sign[j] < 0) mpq_neg(value, value);
    mpq_add(*at(l, row, l->first[j]), *at(l, row, l->first[j]), value);
    if (l->second[j] >= 0) {
        mpq_sub(*at(l, row, l->second[j]), *at(l, row, l->second[j]), value);
    }
    mpq_set_d(shift, -l->shift[j]);
    exact_add_product(l->b[row], shift, a);
    mpq_clears(value, shift, NULL);
}

static void add_double(program *l, int row, int j, double a)
{
    mpq_t value;
    mpq_init(value);
    mpq_set_d(value, a);
    if (mpq_sgn(value) != 0) add_coefficient(l, row, j, value);
    mpq_clear(value);
}

/* The row ends: >= (sense 1), <= (-1) or = (0) a number; its slack is an unknown of its own. */
static void end_row(program *l, int sense, double right)
{
    mpq_t value;
    mpq_init(value);
    mpq_set_d(value, right);
    mpq_add(l->b[l->rows], l->b[l->rows], value);
    mpq_set_si(*at(l, l->rows, UNKNOWNS + l->rows), -sense, 1);
    l->rows++;
    mpq_clear(value);
}

static void open_unknown(program *l, int j, double lo, double hi)
{
    bool below = isfinite(lo), above = isfinite(hi);
    l->first[j] = l->unknowns++;
    l->second[j] = below || above ? -1 : l->unknowns++;
    l->sign[j] = !below && above ? -1 : 1;
    l->shift[j] = below ? lo : above ? hi : 0;
    bool counts = !below || !above;
    mpq_set_ui(l->c[l->first[j]], counts, 1);
    if (l->second[j] >= 0) mpq_set_ui(l->c[l->second[j]], 1, 1);
    if (!below || !above) return;
    add_double(l, l->rows, j, 1);
    end_row(l, -1, hi);
}

static void add_table_row(program *l, const table *A, int i)
{
    for (int j = 0; j < A->n; j++) add_double(l, l->rows, j, AT(A, i, j));
}

/* |z_i| <= mu z_k; the followed unknown is not negative. */
static bool add_followers(const sample *s, program *l)
{
    for (int i = 0; i < s->n; i++) {
        int k = s->follows[i];
        if (s->kind != V_FOLLOWS || k < 0) continue;
        if (!(s->xlo[k] >= 0)) return false;
        for (int side = -1; side < 2; side += 2) {
            add_double(l, l->rows, i, side);
            add_double(l, l->rows, k, -s->mu[i]);
            end_row(l, -1, 0);
        }
    }
    return true;
}

static bool build_map(const sample *s, program *l)
{
    for (int j = 0; j < s->n; j++) {
        bool follows = s->kind == V_FOLLOWS && s->follows[j] >= 0;
        open_unknown(l, j, follows ? -INFINITY : s->xlo[j], follows ? INFINITY : s->xhi[j]);
    }
    for (int i = 0; i < s->n; i++) {
        bool follows = s->kind == V_FOLLOWS && s->follows[i] >= 0,
             below = isfinite(s->xlo[i]) || follows, above = isfinite(s->xhi[i]) || follows;
        if (below && above) continue;
        add_table_row(l, &s->M, i);
        end_row(l, below ? 1 : above ? -1 : 0, -s->q[i]);
    }
    return add_followers(s, l);
}

static bool build_qp(const sample *s, program *l)
{
    for (int j = 0; j < s->n; j++) open_unknown(l, j, s->xlo[j], s->xhi[j]);
    for (int i = 0; i < s->m; i++) {
        if (isfinite(s->lo[i])) {
            add_table_row(l, &s->A, i);
            end_row(l, 1, s->lo[i]);
        }
        if (isfinite(s->hi[i])) {
            add_table_row(l, &s->A, i);
            end_row(l, -1, s->hi[i]);
        }
    }
    return true;
}

/* Columns of slacks follow those of unknowns directly. */
static simplex_end solve(program *l, mpq_t value)
{
    int n = l->unknowns + l->rows;
    mpq_t *A = exact_new(l->rows * n), *c = exact_new(n);
    for (int j = 0; j < l->unknowns; j++) mpq_set(c[j], l->c[j]);
    for (int i = 0; i < l->rows; i++) {
        for (int j = 0; j < l->unknowns; j++) mpq_set(A[i * n + j], *at(l, i, j));
        mpq_set(A[i * n + l->unknowns + i], *at(l, i, UNKNOWNS + i));
    }
    simplex_end end = simplex_solve(l->rows, n, A, l->b, c, PIVOTS, value, NULL);
    exact_free(l->rows * n, A);
    exact_free(n, c);
    return end;
}

bool refute_infeasible(const sample *s, double radius, judgement *j)
{
    program l = {0};
    mpq_t value;
    mpf_t nearest;
    mpq_init(value);
    mpf_init2(nearest, WIDE);
    l.A = exact_new(ROWS * width());
    l.b = exact_new(ROWS);
    l.c = exact_new(UNKNOWNS);
    bool known = s->kind == V_QP ? build_qp(s, &l) : build_map(s, &l);
    simplex_end end = known ? solve(&l, value) : SIMPLEX_LIMIT;
    known = end == SIMPLEX_OPTIMAL || end == SIMPLEX_INFEASIBLE;
    if (end == SIMPLEX_OPTIMAL) {
        mpf_set_q(nearest, value);
        bool near = isinf(radius) || mpf_cmp_d(nearest, radius) < 0;
        *j = (judgement){.wrong = near, .part = "feasible point", .ratio = mpf_get_d(nearest)};
    }
    exact_free(ROWS * width(), l.A);
    exact_free(ROWS, l.b);
    exact_free(UNKNOWNS, l.c);
    mpf_clear(nearest);
    mpq_clear(value);
    return known;
}
