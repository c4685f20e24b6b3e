/* io/siconos.c: Siconos' .dat files, streams of numbers that do not say what problem they hold.
 *
 *     LCP      n M q                         FC      d nc M q mu
 *     relay    n M q lb ub                   global  d nc M H q b mu
 *     MLCP     flags n m, then blocks with M and q, or A B C D a b by rows, or both
 *
 * The layout is found from the first integers, which must be sizes that fit together; where more
 * than one layout fits, the first that reads to its end has it. Text behind the last number that a
 * layout needs is not looked at: stored files have remarks, flags and solutions there. One pass
 * over the text in all but a few small cases. */
#include "siconos.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A reader's verdict: this is its layout to the end, and perp has no such problems. */
#define KNOWN PERP_E_FORMAT

/* ---- the first integers ---- */

typedef struct head {
    int count, t[6];
} head;

static head read_head(const perp_lexer *x)
{
    perp_error scratch;
    perp_lexer look = *x;
    head h = {0};
    look.error = &scratch;
    while (h.count < 6 && perp_lexer_int(&look, 0, INT_MAX, "", &h.t[h.count])) h.count++;
    return h;
}

/* What a short file lacks fits everything: its layout's reader says what was expected. */
static bool within(const head *h, int k, int min, int max)
{
    return k >= h->count || (h->t[k] >= min && h->t[k] <= max);
}

static bool same(const head *h, int k, int l)
{
    return k >= h->count || l >= h->count || h->t[k] == h->t[l];
}

static bool like_lcp(const head *h)
{
    return within(h, 1, 0, 2) && same(h, 2, 0) && same(h, 3, 0);
}

/* Two flags and two sizes, then the first row of the first block, where there are blocks. */
static bool like_mlcp(const head *h)
{
    if (h->count < 4 || !within(h, 0, 0, 1) || !within(h, 1, 0, 1)) return false;
    return h->t[0] ? within(h, 4, 0, 0) : h->t[1] == 1 && (h->t[2] > 0 || h->t[3] > 0);
}

/* 2 0 2 2 2 2 could also be 2D contacts, none of them; then an error would be told at a word of
 * sparse matrices that an LCP never has. */
static bool is_dense_lcp(const head *h)
{
    return h->count == 6 && h->t[1] == 0 && like_lcp(h) && same(h, 4, 0) && same(h, 5, 0);
}

static bool like_friction(const head *h)
{
    bool dimension = within(h, 0, 2, 3) || within(h, 0, 5, 5);
    return dimension && !is_dense_lcp(h) && within(h, 2, 0, 2) && same(h, 3, 4);
}

static bool like_cones(const head *h)
{
    return h->count == 6 && within(h, 1, 1, h->t[0]) && within(h, 2, 0, 2) && same(h, 3, 0) &&
           same(h, 4, 0);
}

static bool like_plasticity(const head *h)
{
    return h->count == 6 && within(h, 0, 2, 3) && within(h, 3, 0, 2) && same(h, 4, 5);
}

static bool like_matrix(const head *h)
{
    return h->count > 2 && within(h, 0, 0, 2);
}

/* ---- what may follow ---- */

/* Are there exactly `count` numbers up to the end of the file? None has to be finite. */
static bool ends_after(const perp_lexer *x, size_t count)
{
    perp_error scratch;
    perp_lexer look = *x;
    look.error = &scratch;
    double value;
    for (size_t k = 0; k < count; k++) {
        if (!perp_lexer_real(&look, true, "", &value)) return false;
    }
    return !perp_lexer_skip(&look);
}

/* ---- LCP and relay ---- */

static perp_status read_box(perp_lexer *x, int n, perp_matrix M, const double *q,
                            perp_problem *problem)
{
    const double *lo = perp_lexer_reals(x, (size_t)n, true, "lb");
    const double *hi = lo ? perp_lexer_reals(x, (size_t)n, true, "ub") : NULL;
    if (!hi) return x->error->status;
    *problem = perp_make_mcp(n, M, q, lo, hi);
    return PERP_SOLVED;
}

/* Two vectors in order behind an LCP, and nothing else, are the bounds of a relay: a solution and
 * its slack, which some files have there, are hardly ever in order. */
static bool is_relay(const perp_lexer *x, int n)
{
    if (n == 0 || !ends_after(x, 2 * (size_t)n)) return false;
    perp_error scratch;
    perp_lexer lower = *x, upper = *x;
    lower.error = upper.error = &scratch;
    double lo, hi;
    for (int i = 0; i < n; i++) perp_lexer_real(&upper, true, "", &hi);
    for (int i = 0; i < n; i++) {
        perp_lexer_real(&lower, true, "", &lo);
        perp_lexer_real(&upper, true, "", &hi);
        if (lo > hi) return false;
    }
    return true;
}

static perp_status read_lcp(perp_lexer *x, const perp_load_options *o, perp_problem *problem)
{
    int n;
    perp_matrix M;
    if (!perp_lexer_int(x, 0, INT_MAX, "the number of unknowns", &n) ||
        !perp_siconos_matrix(x, n, n, "M", &M)) {
        return x->error->status;
    }
    const double *q = perp_lexer_reals(x, (size_t)n, false, "q");
    if (!q) return x->error->status;
    bool box = o->has_kind ? o->kind == PERP_MCP : is_relay(x, n);
    if (box) return read_box(x, n, M, q, problem);
    *problem = perp_make_lcp(n, M, q);
    return PERP_SOLVED;
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

/* The blocks' rows, M and q. */
static bool read_whole(perp_lexer *x, int n, int m, perp_matrix *M, const double **q, double **lo)
{
    *lo = read_rows(x, n, n + m);
    if (!*lo || !perp_siconos_matrix(x, n + m, n + m, "M", M)) return false;
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

static perp_status read_mlcp(perp_lexer *x, const perp_load_options *o, perp_problem *problem)
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
    *problem = perp_make_mcp(n + m, M, q, lo, NULL);
    return PERP_SOLVED;
}

/* ---- friction ---- */

/* Does a matrix section of this size begin here? */
static bool matrix_follows(const perp_lexer *x, int m, int n)
{
    perp_error scratch;
    perp_lexer look = *x;
    int value;
    look.error = &scratch;
    return perp_lexer_int(&look, 0, 2, "", &value) && perp_lexer_int(&look, m, m, "", &value) &&
           perp_lexer_int(&look, n, n, "", &value);
}

static perp_status read_local(perp_lexer *x, perp_matrix W, perp_fc3d *f)
{
    f->form = PERP_LOCAL;
    f->W = W;
    f->q = perp_lexer_reals(x, (size_t)W.m, false, "q");
    return f->q ? PERP_SOLVED : x->error->status;
}

static perp_status read_global(perp_lexer *x, perp_matrix M, int n, perp_fc3d *f)
{
    f->form = PERP_BODY;
    f->M = M;
    if (!perp_siconos_matrix(x, M.m, n, "H", &f->H)) return x->error->status;
    f->f = perp_lexer_reals(x, (size_t)M.m, false, "q");
    f->w = f->f ? perp_lexer_reals(x, (size_t)n, false, "b") : NULL;
    return f->w ? PERP_SOLVED : x->error->status;
}

/* One more number for each contact, and nothing else, is rolling friction in the plane; a single 0
 * or 1 is a flag of old files. */
static bool has_rolling(const perp_lexer *x, int contacts)
{
    if (contacts == 0 || !ends_after(x, (size_t)contacts)) return false;
    perp_lexer look = *x;
    size_t length;
    const char *token = perp_lexer_token(&look, &length);
    return contacts > 1 || length != 1 || (*token != '0' && *token != '1');
}

static perp_status refuse_dimension(perp_lexer *x, int d)
{
    perp_lexer_refuse(
        x, "the file holds frictional contact %s; perp reads 3D contacts without rolling",
        d == 2   ? "in 2D (d = 2)"
        : d == 5 ? "with rolling resistance (d = 5)"
                 : "with rolling resistance (mu_r after mu)");
    return KNOWN;
}

static perp_status read_friction(perp_lexer *x, const perp_load_options *o, perp_problem *problem)
{
    int d, contacts;
    perp_matrix M;
    perp_fc3d f = {0};
    if (!perp_lexer_int(x, 2, 5, "the dimension of the contacts", &d) ||
        !perp_lexer_int(x, 0, INT_MAX / 5, "the number of contacts", &contacts)) {
        return x->error->status;
    }
    int n = d * contacts;
    if (!perp_siconos_matrix(x, -1, -1, "M", &M)) return x->error->status;
    if (M.m != M.n) return perp_lexer_refuse(x, "M is %d x %d, expected a square one", M.m, M.n);
    bool global = M.m != n || matrix_follows(x, M.m, n);
    perp_status status = global ? read_global(x, M, n, &f) : read_local(x, M, &f);
    if (status) return status;
    f.contacts = contacts;
    f.mu = perp_lexer_reals(x, (size_t)contacts, false, "mu");
    if (!f.mu) return x->error->status;
    if (d != 3 || (!o->has_kind && has_rolling(x, contacts))) return refuse_dimension(x, d);
    *problem = (perp_problem){.kind = PERP_FC3D, .as.fc3d = f};
    return PERP_SOLVED;
}

/* ---- layouts that are known and not read ---- */

static perp_status read_cones(perp_lexer *x, const perp_load_options *o, perp_problem *problem)
{
    (void)o, (void)problem;
    int n, cones, first = 0;
    perp_matrix M;
    if (!perp_lexer_int(x, 0, INT_MAX, "n", &n) || !perp_lexer_int(x, 0, n, "nc", &cones) ||
        !perp_siconos_matrix(x, n, n, "M", &M) || !perp_lexer_reals(x, (size_t)n, false, "q") ||
        !perp_lexer_int(x, 0, 0, "the first cone", &first)) {
        return x->error->status;
    }
    for (int k = 1; k <= cones; k++) {
        int min = k == cones ? n : first + 1;
        if (!perp_lexer_int(x, min, n, "the next cone", &first)) return x->error->status;
    }
    if (!perp_lexer_reals(x, (size_t)cones, false, "tau")) return x->error->status;
    perp_lexer_refuse(x, "the file holds a second-order cone LCP, which perp does not read");
    return KNOWN;
}

static perp_status read_plasticity(perp_lexer *x, const perp_load_options *o, perp_problem *problem)
{
    (void)o, (void)problem;
    int value;
    perp_matrix M;
    for (int k = 0; k < 3; k++) perp_lexer_int(x, 0, INT_MAX, "", &value);
    if (!perp_siconos_matrix(x, -1, -1, "M", &M)) return x->error->status;
    perp_lexer_refuse(x, "the file holds a plasticity problem, which perp does not read");
    return KNOWN;
}

static perp_status read_matrix(perp_lexer *x, const perp_load_options *o, perp_problem *problem)
{
    (void)o, (void)problem;
    perp_matrix M;
    if (!perp_siconos_matrix(x, -1, -1, "M", &M)) return x->error->status;
    perp_lexer_refuse(x, "the file holds %s, expected a problem",
                      perp_lexer_skip(x) ? "a matrix first, as generic mechanical problems do"
                                         : "a matrix alone");
    return KNOWN;
}

/* ---- which one it is ---- */

typedef struct layout {
    bool (*like)(const head *h);
    perp_status (*read)(perp_lexer *x, const perp_load_options *o, perp_problem *problem);
    unsigned kinds; /* 0: never read */
} layout;

static const layout layouts[] = {
    {like_mlcp, read_mlcp, 1U << PERP_MCP},
    {like_cones, read_cones, 0},
    {like_friction, read_friction, 1U << PERP_FC3D},
    {like_lcp, read_lcp, 1U << PERP_LCP | 1U << PERP_MCP},
    {like_plasticity, read_plasticity, 0},
    {like_matrix, read_matrix, 0},
};
#define LAYOUTS (sizeof layouts / sizeof *layouts)

static perp_status refuse_head(perp_lexer *x, const head *h)
{
    if (h->count < 3) return perp_lexer_expected(x, "the sizes of a Siconos problem");
    return perp_lexer_refuse(x, "the first numbers %d %d %d are the sizes of no Siconos problem",
                             h->t[0], h->t[1], h->t[2]);
}

/* The error worth showing: of a layout that perp reads, where one fits, and which came furthest. */
typedef struct blame {
    perp_error error;
    const char *at; /* NULL: no layout was tried */
    bool readable;
} blame;

/* True: the layout is found, or memory is out. Otherwise all is as it was. */
static bool try_layout(const layout *l, perp_lexer *x, const perp_load_options *o,
                       perp_problem *problem, perp_status *status, blame *worst)
{
    perp_mark mark = perp_arena_mark(x->arena);
    perp_lexer before = *x;
    *status = l->read(x, o, problem);
    if (*status == PERP_SOLVED || *status == KNOWN || *status == PERP_E_MEMORY) {
        if (*status == KNOWN) *status = PERP_E_FILE;
        return true;
    }
    bool readable = l->kinds != 0, further = readable == worst->readable && x->at > worst->at;
    if (!worst->at || further || (readable && !worst->readable)) {
        *worst = (blame){*x->error, x->at, readable};
    }
    perp_arena_release(x->arena, mark);
    *x = before;
    return false;
}

static perp_status read_siconos(perp_lexer *x, const perp_load_options *o, perp_file *file)
{
    head h = read_head(x);
    perp_status status;
    blame worst = {.at = NULL};
    for (size_t k = 0; h.count > 0 && k < LAYOUTS; k++) {
        const layout *l = &layouts[k];
        if (o->has_kind && !(l->kinds >> o->kind & 1)) continue;
        if (!l->like(&h)) continue;
        if (try_layout(l, x, o, &file->problem, &status, &worst)) return status;
    }
    if (!worst.at) return refuse_head(x, &h);
    *x->error = worst.error;
    return worst.error.status;
}

/* Any number: what is wrong with it is for the reader to say. */
static bool recognise(const char *bytes, size_t length)
{
    perp_error scratch;
    perp_arena none = {.fixed = true};
    perp_lexer x = {.at = bytes, .end = bytes + length, .arena = &none, .error = &scratch};
    double value;
    return perp_lexer_real(&x, true, "", &value);
}

const perp_format_ops perp_io_siconos = {
    .format = PERP_FILE_SICONOS,
    .name = "siconos",
    .endings = "dat",
    .kinds = 1U << PERP_LCP | 1U << PERP_MCP | 1U << PERP_FC3D,
    .recognise = recognise,
    .read = read_siconos,
    .write = perp_siconos_write,
};
