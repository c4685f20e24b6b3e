/* io/siconos_linear.c: the layouts of Siconos' .dat files that hold LCPs, relays and mixed LCPs.
 *
 *     LCP      n M q
 *     relay    n M q lb ub
 *     MLCP     flags n m, then blocks with M and q, or A B C D a b by rows, or both
 *
 * One pass over the text, and a second one over lb and ub. */
#include "siconos.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* ---- LCP and relay ---- */

static perp_status read_box(perp_lexer *x, int n, perp_matrix M, const double *q,
                            siconos_reading *r)
{
    const double *lo = perp_lexer_reals(x, (size_t)n, true, "lb");
    const double *hi = lo ? perp_lexer_reals(x, (size_t)n, true, "ub") : NULL;
    if (!hi) return x->error->status;
    r->problem = perp_make_mcp(n, M, q, lo, hi);
    perp_siconos_name(r, SICONOS_RELAY);
    return perp_siconos_end(x, r->name);
}

/* Two vectors in order behind an LCP, and nothing else, are the bounds of a relay. */
static bool is_relay(const perp_lexer *x, int n)
{
    if (n == 0 || perp_siconos_left(x) != 2 * (size_t)n) return false;
    perp_error scratch;
    perp_lexer lower = *x, upper = *x;
    lower.error = upper.error = &scratch;
    double lo, hi;
    for (int i = 0; i < n; i++) {
        if (!perp_lexer_real(&upper, true, "", &hi)) return false;
    }
    for (int i = 0; i < n; i++) {
        if (!perp_lexer_real(&lower, true, "", &lo) || !perp_lexer_real(&upper, true, "", &hi) ||
            lo > hi) {
            return false;
        }
    }
    return true;
}

perp_status perp_siconos_lcp(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    int n;
    perp_matrix M;
    r->readable = true;
    if (!perp_lexer_int(x, 0, INT_MAX, "the number of unknowns", &n) ||
        !perp_siconos_matrix(x, n, n, "M", &M)) {
        return x->error->status;
    }
    const double *q = perp_lexer_reals(x, (size_t)n, false, "q");
    if (!q) return x->error->status;
    bool box = o->has_kind ? o->kind == PERP_KIND_MCP : is_relay(x, n);
    if (r->wanted) box = r->wanted == SICONOS_RELAY;
    if (box) return read_box(x, n, M, q, r);
    r->problem = perp_make_lcp(n, M, q);
    perp_siconos_name(r, SICONOS_LCP);
    snprintf(r->name, sizeof r->name, "an LCP with n = %d", n);
    return perp_siconos_end(x, r->name);
}

/* ---- MLCP ---- */

/* lo: -inf in blocks of equalities, 0 in blocks of complementarity. The offsets of the blocks are
 * read up to n + m; how many there are is not said. */
static double *read_rows(perp_lexer *x, int n, int size)
{
    if (!perp_lexer_room(x, (size_t)size, "the rows of M")) return NULL;
    double *lo = perp_lexer_alloc(x, (size_t)size, sizeof *lo, "the rows of M");
    int *end = lo ? perp_lexer_alloc(x, (size_t)size + 1, sizeof *end, "the blocks' rows") : NULL;
    int blocks = 0, equalities = 0;
    if (!end || !perp_lexer_int(x, 0, 0, "the first row of the first block", &end[0])) return NULL;
    while (end[blocks] < size) {
        if (!perp_lexer_int(x, end[blocks] + 1, size, "the first row of the next block",
                            &end[blocks + 1])) {
            return NULL;
        }
        blocks++;
    }
    for (int k = 0; k < blocks; k++) {
        int complementary;
        if (!perp_lexer_int(x, 0, 1, "what the block is", &complementary)) return NULL;
        for (int i = end[k]; i < end[k + 1]; i++) lo[i] = complementary ? 0 : -INFINITY;
        equalities += complementary ? 0 : end[k + 1] - end[k];
    }
    if (equalities == n) return lo;
    perp_lexer_refuse(x, "expected blocks with %d equalities, found %d", n, equalities);
    return NULL;
}

/* The block of `rows` x `columns` whose first entry is `to`, given by rows. */
static bool read_part(perp_lexer *x, int rows, int columns, double *to, size_t ld, const char *name)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            if (!perp_lexer_real(x, false, name, &to[(size_t)i + (size_t)j * ld])) return false;
        }
    }
    return true;
}

/* M = [A C; D B] and q = (a, b). */
static bool read_parts(perp_lexer *x, int n, int m, double **M, double **q)
{
    size_t size = (size_t)n + (size_t)m, split = (size_t)n * (size + 1), right = (size_t)n * size;
    if (!perp_lexer_room(x, size, "A, B, C, D, a and b") ||
        !perp_lexer_room(x, size * size + size, "A, B, C, D, a and b")) {
        return false;
    }
    *M = perp_lexer_alloc(x, size * size, sizeof **M, "M");
    *q = *M ? perp_lexer_alloc(x, size, sizeof **q, "q") : NULL;
    return *q && read_part(x, n, n, *M, size, "an entry of A") &&
           read_part(x, m, m, *M + split, size, "an entry of B") &&
           read_part(x, n, m, *M + right, size, "an entry of C") &&
           read_part(x, m, n, *M + n, size, "an entry of D") &&
           read_part(x, 1, n, *q, 1, "an entry of a") &&
           read_part(x, 1, m, *q + n, 1, "an entry of b");
}

/* The blocks' rows, M and q. M may have more rows than columns; then q lacks its last numbers. */
static bool read_whole(perp_lexer *x, int n, int m, perp_matrix *M, const double **q, double **lo)
{
    *lo = read_rows(x, n, n + m);
    if (!*lo || !perp_siconos_matrix(x, -1, n + m, "M", M)) return false;
    if (M->m < n + m) {
        perp_lexer_refuse(x, "M is %d x %d, expected at least %d rows", M->m, M->n, n + m);
        return false;
    }
    *q = perp_lexer_reals(x, (size_t)(n + m), false, "q");
    return *q != NULL;
}

/* The parts, where they are all there is. */
static bool read_only_parts(perp_lexer *x, int n, int m, perp_matrix *M, const double **q,
                            double **lo)
{
    double *values, *vector;
    if (!read_parts(x, n, m, &values, &vector)) return false;
    *M = perp_dense(n + m, n + m, values);
    *q = vector;
    *lo = perp_lexer_alloc(x, (size_t)(n + m), sizeof **lo, "lo");
    for (int i = 0; *lo && i < n + m; i++) (*lo)[i] = i < n ? -INFINITY : 0;
    return *lo != NULL;
}

/* The parts behind M and q: the same numbers once more, which have to be there. */
static bool pass_parts(perp_lexer *x, int n, int m)
{
    double *values, *vector;
    perp_mark mark = perp_arena_mark(x->arena);
    size_t budget = x->budget;
    if (!read_parts(x, n, m, &values, &vector)) return false;
    perp_arena_release(x->arena, mark);
    x->budget = budget;
    return true;
}

/* Numbers behind an MLCP are solutions, of any length, in stored files. */
perp_status perp_siconos_mlcp(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    (void)o;
    int whole, parts, n, m;
    double *lo;
    perp_matrix M;
    const double *q;
    if (!perp_lexer_int(x, 0, 1, "whether M follows", &whole) ||
        !perp_lexer_int(x, whole ? 0 : 1, 1, "whether A, B, C, D follow", &parts) ||
        !perp_lexer_int(x, 0, INT_MAX / 2, "the number of equalities", &n) ||
        !perp_lexer_int(x, 0, INT_MAX / 2, "the number of complementarity rows", &m)) {
        return x->error->status;
    }
    bool good = whole ? read_whole(x, n, m, &M, &q, &lo) : read_only_parts(x, n, m, &M, &q, &lo);
    if (!good || (whole && parts && !pass_parts(x, n, m))) return x->error->status;
    r->readable = M.m == M.n;
    if (r->readable) {
        r->problem = perp_make_mcp(n + m, M, q, lo, NULL);
        perp_siconos_name(r, SICONOS_MLCP);
    } else {
        perp_siconos_name(r, SICONOS_MLCP);
        snprintf(r->name, sizeof r->name, "a mixed LCP (MLCP) whose M is %d x %d", M.m, M.n);
    }
    return PERP_SOLVED;
}
