/* generate/qp_collection.c: sparse convex quadratic programs after four families of Maros and
 * Meszaros (A repository of convex quadratic programming problems, Optimization Methods and
 * Software 11, 1999), of any size. Linear time and memory. No answer is known beforehand; of
 * qp_cvxqp1 and qp_cvxqp3 the collection has the optima for n = 100.
 *
 * CVXQP   Toint's convex QPs of CUTE (Bongartz, Conn, Gould, Toint, ACM TOMS 21, 1995).
 * LISWET  the nearest k-convex sequence (Li, Swetits, SIAM J. Optimization 3, 1993).
 * CONT    boundary control of an elliptic equation, bounds on control and state (Maurer,
 *         Mittelmann, Computational Optimization and Applications 16, 2000).
 * AUG3D   least flows on the edges of a grid in space, the expanded system of Poisson's equation
 *         (CUTE, as above). */
#include "problem_parts.h"

/* Entries of a sparse matrix in any order; equal places add up. */
typedef struct entries {
    int count;
    int *row, *column;
    double *value;
} entries;

static entries open_entries(perp_arena *a, int room)
{
    return (entries){.row = perp_alloc(a, (size_t)room, sizeof(int)),
                     .column = perp_alloc(a, (size_t)room, sizeof(int)),
                     .value = perp_alloc(a, (size_t)room, sizeof(double))};
}

static void add_entry(entries *e, int row, int column, double value)
{
    e->row[e->count] = row;
    e->column[e->count] = column;
    e->value[e->count++] = value;
}

/* place[k]: the k-th entry in the order of key, which has values below n; entries of one key stay
 * in the order of `before`. */
static void sort_by(int n, int count, const int *key, const int *before, int *start, int *place)
{
    for (int k = 0; k <= n; k++) start[k] = 0;
    for (int k = 0; k < count; k++) start[key[k] + 1]++;
    for (int k = 0; k < n; k++) start[k + 1] += start[k];
    for (int k = 0; k < count; k++) place[start[key[before[k]]]++] = before[k];
}

/* Compressed columns, rows in order. */
static perp_matrix compress(const entries *e, int m, int n, perp_arena *a)
{
    size_t count = (size_t)e->count, keys = (size_t)(m > n ? m : n) + 1;
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p), *i = perp_alloc(a, count, sizeof *i);
    double *x = perp_alloc(a, count, sizeof *x);
    int *start = perp_alloc(a, keys, sizeof *start), *given = perp_alloc(a, count, sizeof *given);
    int *by_row = perp_alloc(a, count, sizeof *by_row), at = 0, last = -1;
    if (a->failed) return (perp_matrix){0};
    for (int k = 0; k < e->count; k++) given[k] = k;
    sort_by(m, e->count, e->row, given, start, by_row);
    sort_by(n, e->count, e->column, by_row, start, given);
    for (int k = 0; k < e->count; k++) {
        int row = e->row[given[k]], column = e->column[given[k]];
        if (column == last && i[at - 1] == row) {
            x[at - 1] += e->value[given[k]];
            continue;
        }
        i[at] = row;
        x[at++] = e->value[given[k]];
        p[column + 1] = at;
        last = column;
    }
    for (int j = 0; j < n; j++) p[j + 1] = p[j + 1] > p[j] ? p[j + 1] : p[j];
    return perp_csc(m, n, p, i, x);
}

static void fill(double *x, int n, double value)
{
    for (int k = 0; x && k < n; k++) x[k] = value;
}

/* ---- CVXQP ---- */

/* The sum of i (x_i + x_(2i) + x_(3i))^2 / 2 with x_i + 2 x_(4i) + 3 x_(5i) = 6 for the first m of
 * n unknowns, indices modulo n, in the box [0.1, 10]. x = 1 is feasible. Nothing is random. */
static void make_cvxqp(int n, int m, perp_arena *a, generated_problem *out)
{
    entries H = open_entries(a, 9 * n), A = open_entries(a, 3 * m);
    double *c = problem_vector(a, n), *b = problem_vector(a, m);
    double *xlo = problem_vector(a, n), *xhi = problem_vector(a, n);
    if (a->failed) return;
    for (int i = 1; i <= n; i++) {
        const int term[] = {i - 1, (2 * i - 1) % n, (3 * i - 1) % n};
        for (int k = 0; k < 9; k++) add_entry(&H, term[k / 3], term[k % 3], i);
    }
    for (int i = 1; i <= m; i++) {
        add_entry(&A, i - 1, i - 1, 1);
        add_entry(&A, i - 1, (4 * i - 1) % n, 2);
        add_entry(&A, i - 1, (5 * i - 1) % n, 3);
    }
    fill(b, m, 6);
    fill(xlo, n, 0.1);
    fill(xhi, n, 10);
    out->p = perp_make_qp(n, m, compress(&H, n, n, a), c, compress(&A, m, n, a), b, b);
    out->p.as.qp.xlo = xlo;
    out->p.as.qp.xhi = xhi;
}

void make_qp_cvxqp1(generator *g, int size, perp_arena *a, generated_problem *out)
{
    (void)g;
    make_cvxqp(size, size / 2, a, out);
}

void make_qp_cvxqp2(generator *g, int size, perp_arena *a, generated_problem *out)
{
    (void)g;
    make_cvxqp(size, size / 4, a, out);
}

void make_qp_cvxqp3(generator *g, int size, perp_arena *a, generated_problem *out)
{
    (void)g;
    make_cvxqp(size, size - (size + 3) / 4, a, out);
}

/* ---- LISWET ---- */

#define NOISE 0.1 /* of the data, uniform; a choice with which many rows hold */

/* min |x - y|^2 / 2 with all k-th differences of x at least 0; y = f(t) + noise, t from 0 to 1.
 * Multipliers grow like n^k where many rows hold, which is what makes it hard. */
static void make_liswet(generator *g, int size, int k, double (*f)(double), perp_arena *a,
                        generated_problem *out)
{
    int n = size > k ? size : k + 1, m = n - k;
    entries H = open_entries(a, n), A = open_entries(a, (k + 1) * m);
    double *c = problem_vector(a, n), *lo = problem_vector(a, m), binomial = 1;
    if (a->failed) return;
    for (int j = 0; j < n; j++) {
        add_entry(&H, j, j, 1);
        c[j] = -f((double)j / (n - 1)) - NOISE * generator_uniform(g);
    }
    for (int d = 0; d <= k; d++) {
        for (int i = 0; i < m; i++) add_entry(&A, i, i + k - d, d % 2 ? -binomial : binomial);
        binomial *= (double)(k - d) / (d + 1);
    }
    out->p = perp_make_qp(n, m, compress(&H, n, n, a), c, compress(&A, m, n, a), lo, NULL);
}

static double cube(double t)
{
    return t * t * t;
}

/* Concave data, so that the nearest convex sequence is nearly a line and most rows hold. */
void make_qp_liswet2(generator *g, int size, perp_arena *a, generated_problem *out)
{
    make_liswet(g, size, 2, sqrt, a, out);
}

void make_qp_liswet3(generator *g, int size, perp_arena *a, generated_problem *out)
{
    make_liswet(g, size, 3, cube, a, out);
}

void make_qp_liswet4(generator *g, int size, perp_arena *a, generated_problem *out)
{
    make_liswet(g, size, 4, exp, a, out);
}

/* ---- CONT ---- */

/* The unit square in `cells` x `cells`, unknowns are its grid points without the four corners. */
typedef struct square {
    int cells;
    double h;
} square;

static square make_square(int size)
{
    int cells = 3;
    while ((cells + 2) * (cells + 2) <= size + 4) cells++;
    return (square){.cells = cells, .h = 1. / cells};
}

static int point_at(const square *s, int i, int j)
{
    int last = s->cells, at = i * (last + 1) + j;
    return at - (at > 0) - (at > last) - (at > last * (last + 1));
}

static bool is_corner(const square *s, int i, int j)
{
    return (i == 0 || i == s->cells) && (j == 0 || j == s->cells);
}

static bool is_inside(const square *s, int i, int j)
{
    return i > 0 && i < s->cells && j > 0 && j < s->cells;
}

/* 4 y - the four neighbours = h^2 load, at all inner points; rows from 0 on. */
static int add_laplacian(const square *s, double load, entries *A, double *b)
{
    int row = 0;
    for (int i = 1; i < s->cells; i++) {
        for (int j = 1; j < s->cells; j++, row++) {
            add_entry(A, row, point_at(s, i, j), 4);
            add_entry(A, row, point_at(s, i - 1, j), -1);
            add_entry(A, row, point_at(s, i + 1, j), -1);
            add_entry(A, row, point_at(s, i, j - 1), -1);
            add_entry(A, row, point_at(s, i, j + 1), -1);
            b[row] = s->h * s->h * load;
        }
    }
    return row;
}

/* What a control problem has beside the equation. */
typedef struct control {
    double load, weight; /* the source; the price of the control's square */
    double most;         /* bound of the state */
    double low, high;    /* bounds of the control, on the whole boundary or the side i = 0 */
    bool insulated;      /* the other three sides have no flux, so that only one is controlled */
    double (*wanted)(double s, double t);
} control;

/* The distance of y from what is wanted, over inner points, and the control's square. */
static void add_costs(const square *s, const control *u, entries *H, double *c, double *xlo,
                      double *xhi)
{
    for (int i = 0; i <= s->cells; i++) {
        for (int j = 0; j <= s->cells; j++) {
            if (is_corner(s, i, j)) continue;
            int k = point_at(s, i, j);
            bool inside = is_inside(s, i, j), controlled = !inside && (!u->insulated || i == 0);
            double weight = inside ? s->h * s->h : controlled ? s->h * u->weight : 0;
            if (weight > 0) add_entry(H, k, k, weight);
            if (inside) c[k] = -weight * u->wanted(i * s->h, j * s->h);
            xlo[k] = controlled ? u->low : -INFINITY;
            xhi[k] = controlled ? u->high : u->most;
        }
    }
}

/* y = that of the neighbour inside, on three sides. */
static int add_insulation(const square *s, entries *A, int row)
{
    for (int k = 1; k < s->cells; k++) {
        const int at[][4] = {
            {s->cells, k, s->cells - 1, k}, {k, 0, k, 1}, {k, s->cells, k, s->cells - 1}};
        for (int side = 0; side < 3; side++, row++) {
            add_entry(A, row, point_at(s, at[side][0], at[side][1]), 1);
            add_entry(A, row, point_at(s, at[side][2], at[side][3]), -1);
        }
    }
    return row;
}

static void make_control(int size, const control *u, perp_arena *a, generated_problem *out)
{
    square s = make_square(size);
    int n = (s.cells + 1) * (s.cells + 1) - 4, inner = s.cells - 1;
    int m = inner * inner + (u->insulated ? 3 * inner : 0);
    entries H = open_entries(a, n), A = open_entries(a, 5 * m);
    double *c = problem_vector(a, n), *b = problem_vector(a, m);
    double *xlo = problem_vector(a, n), *xhi = problem_vector(a, n);
    if (a->failed) return;
    int row = add_laplacian(&s, u->load, &A, b);
    if (u->insulated) add_insulation(&s, &A, row);
    add_costs(&s, u, &H, c, xlo, xhi);
    out->p = perp_make_qp(n, m, compress(&H, n, n, a), c, compress(&A, m, n, a), b, b);
    out->p.as.qp.xlo = xlo;
    out->p.as.qp.xhi = xhi;
}

static double bowl(double s, double t)
{
    return 3 + 5 * s * (s - 1) * t * (t - 1);
}

/* A step across the side that is controlled: the control goes from bound to bound. */
static double step(double s, double t)
{
    (void)s;
    return t < 0.5 ? 2 : 4;
}

void make_qp_cont(generator *g, int size, perp_arena *a, generated_problem *out)
{
    static const control all = {
        .load = 20, .weight = 0.01, .most = 3.371, .low = 1.8, .high = 2.5, .wanted = bowl};
    (void)g;
    make_control(size, &all, a, out);
}

void make_qp_cont_side(generator *g, int size, perp_arena *a, generated_problem *out)
{
    static const control side = {
        .load = 2, .most = 3.5, .low = 1.8, .high = 2.6, .insulated = true, .wanted = step};
    (void)g;
    make_control(size, &side, a, out);
}

/* ---- AUG3D ---- */

/* An edge in one of three directions, its place along that (0 .. side) and across it. */
static int edge_at(int side, int direction, const int node[3], int further)
{
    int along = node[direction] + further;
    int one = node[(direction + 1) % 3], two = node[(direction + 2) % 3];
    return ((direction * (side + 1) + along) * side + one) * side + two;
}

/* A cube of side^3 nodes with six edges each; what flows out less what flows in is a random source.
 * The squares of the flows are least, without those of edges that leave the cube, where H is 0.
 * `forward`: no flow against the direction of its edge. */
static void make_aug3d(generator *g, int size, bool forward, perp_arena *a, generated_problem *out)
{
    int side = 1;
    while (3 * (side + 1) * (side + 1) * (side + 2) <= size) side++;
    int n = 3 * side * side * (side + 1), m = side * side * side, row = 0, layer = side * side;
    entries H = open_entries(a, n), A = open_entries(a, 6 * m);
    double *c = problem_vector(a, n), *b = problem_vector(a, m), *xlo = problem_vector(a, n);
    if (a->failed) return;
    for (int k = 0; k < n; k++) {
        int along = k / layer % (side + 1);
        if (along > 0 && along < side) add_entry(&H, k, k, 1);
    }
    for (; row < m; row++) {
        const int node[] = {row / layer, row / side % side, row % side};
        for (int d = 0; d < 3; d++) {
            add_entry(&A, row, edge_at(side, d, node, 0), -1);
            add_entry(&A, row, edge_at(side, d, node, 1), 1);
        }
        b[row] = generator_uniform(g);
    }
    out->p = perp_make_qp(n, m, compress(&H, n, n, a), c, compress(&A, m, n, a), b, b);
    if (forward) out->p.as.qp.xlo = xlo;
}

void make_qp_aug3d(generator *g, int size, perp_arena *a, generated_problem *out)
{
    make_aug3d(g, size, false, a, out);
}

void make_qp_aug3dqp(generator *g, int size, perp_arena *a, generated_problem *out)
{
    make_aug3d(g, size, true, a, out);
}
