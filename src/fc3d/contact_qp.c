/* fc3d/contact_qp.c: one contact on an inner pyramid, as a non-symmetric quadratic program.
 * Renouf and Acary (paper 002) call the affine variational inequality of the faceted contact so,
 * and solve it by a generalised Fletcher method as one of the local solvers of block splitting.
 *
 * The unknowns and the matrix are those of fc3d/contact_lemke.c, all >= 0; the path of
 * method/avi_path.c starts with all of them held at zero. Its proximal term keeps opposite edges
 * apart, whose columns depend on each other; it is taken back once the set is known. 3 to 10
 * changes of the set, each with a small LU factor. */
#include "base/vector.h"
#include "contact.h"
#include "method/avi_path.h"

#define PROX 1e-5   /* to begin with; the matrix has entries of the size of 1 */
#define ROUNDS 3    /* anchors at most */
#define CHANGES 8   /* of the set on one path, times the unknowns */
#define WRONG 1e-10 /* what may be missing to a sign */
#define TURN 6.283185307179586

size_t perp_contact_qp_doubles(int facets)
{
    int n = facets + 2;
    return perp_avi_doubles(n, 0) + 5 * (size_t)n;
}

size_t perp_contact_qp_ints(int facets)
{
    int n = facets + 2;
    return perp_avi_ints(n, 0) + ((size_t)n + sizeof(int) - 1) / sizeof(int);
}

static double size_of(const double *x, int n)
{
    double size = vector_max(n, x);
    return size > 0 ? size : 1;
}

/* To a solution with the proximal term; false: the path ends. */
static bool follow(perp_avi *p)
{
    perp_avi_step step = PERP_AVI_MOVED;
    int most = CHANGES * p->s.rows->n;
    perp_avi_begin(p);
    while (step == PERP_AVI_MOVED && p->changes < most) step = perp_avi_advance(p);
    return step == PERP_AVI_SOLUTION;
}

/* Are x and y of the set of the right signs? */
static bool is_solution(const perp_avi *p)
{
    for (int i = 0; i < p->s.rows->n; i++) {
        if (p->s.value[i] < -WRONG || (p->s.side[i] && p->s.y[i] < -WRONG)) return false;
    }
    return true;
}

/* Is the proximal term at rest? */
static bool is_at_rest(const perp_avi *p)
{
    double most = 0;
    for (int i = 0; i < p->s.rows->n; i++) {
        most = fmax(most, fabs(p->s.value[i] - p->anchor[i]));
    }
    return p->prox * most <= WRONG;
}

/* The set without the proximal term; or, where that is singular, as for a contact that sticks
 * between many edges, the solution with it once it rests. x and y of the latter stay in `saved`. */
static bool solve(perp_avi *p, double *saved)
{
    int n = p->s.rows->n;
    size_t bytes = (size_t)n * sizeof *saved;
    p->prox = PROX;
    for (int round = 0; round < ROUNDS; round++) {
        if (!follow(p)) return false;
        memcpy(saved, p->s.value, bytes);
        memcpy(saved + n, p->s.y, bytes);
        if (perp_avi_polish(p) && is_solution(p)) return true;
        memcpy(p->s.value, saved, bytes);
        memcpy(p->s.y, saved + n, bytes);
        if (is_at_rest(p)) return true;
    }
    return false;
}

bool perp_contact_qp(const double *matrix, const double W[9], const double q[3], int facets,
                     double *doubles, int *ints, double r[3])
{
    int n = facets + 2;
    perp_avi p;
    double *c = doubles + perp_avi_doubles(n, 0), *lo = c + n, *hi = lo + n, scale = size_of(q, 3);
    signed char *held = (signed char *)(ints + perp_avi_ints(n, 0));
    perp_constraint_rows rows = {.n = n, .m = 0, .A = lo, .lo = lo, .hi = hi};
    for (int i = 0; i < n; i++) {
        double turn = TURN * (i - 1) / facets;
        lo[i] = 0;
        hi[i] = INFINITY;
        held[i] = 1;
        c[i] = i == 0 ? q[0] : i > facets ? 0 : cos(turn) * q[1] + sin(turn) * q[2];
        c[i] /= scale;
    }
    perp_avi_open(&p, &rows, matrix, n, c, doubles, ints);
    perp_dual_hold(&p.s, held);
    for (int i = 0; i < n; i++) p.s.y[i] = 1;
    if (!solve(&p, hi + n)) return false;
    double back = scale / size_of(W, 9);
    r[0] = back * p.s.value[0];
    r[1] = r[2] = 0;
    for (int h = 0; h < facets; h++) {
        double turn = TURN * h / facets, beta = back * p.s.value[1 + h];
        r[1] += beta * cos(turn);
        r[2] += beta * sin(turn);
    }
    return true;
}
