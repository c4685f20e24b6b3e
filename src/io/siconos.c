/* io/siconos.c: Siconos' .dat files, streams of numbers that do not say what problem they hold.
 *
 * Every layout whose sizes fit the first integers is tried to its last number (siconos_linear.c,
 * siconos_cones.c). A reading counts when no number is left behind it but for the tails that its
 * layout is known to have; words are remarks. Exactly one reading must count: where none does, the
 * error is that of the layout that came furthest; where two do, both are named, and the caller has
 * to say the kind. One pass over the text in all but a few small cases. */
#include "siconos.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

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

static bool like_contacts(const head *h, int d)
{
    return within(h, 0, d, d) && within(h, 2, 0, 2) && same(h, 3, 4);
}

static bool like_2d(const head *h)
{
    return like_contacts(h, 2);
}

static bool like_3d(const head *h)
{
    return like_contacts(h, 3);
}

static bool like_rolling(const head *h)
{
    return like_contacts(h, 5);
}

static bool like_cones(const head *h)
{
    return h->count == 6 && within(h, 1, 1, h->t[0]) && within(h, 2, 0, 2) && same(h, 3, 0) &&
           same(h, 4, 0);
}

static bool like_plasticity(const head *h)
{
    return h->count == 6 && within(h, 0, 3, 3) && within(h, 2, 0, 2) && within(h, 3, 0, 2) &&
           same(h, 4, 5);
}

static bool like_mechanical(const head *h)
{
    return h->count > 2 && within(h, 0, 1, 1) && same(h, 1, 2);
}

static bool like_matrix(const head *h)
{
    return h->count > 2 && within(h, 0, 0, 2);
}

/* ---- which one it is ---- */

typedef struct layout {
    bool (*like)(const head *h);
    siconos_reader *read;
    unsigned kinds; /* 0: perp has no such problems */
} layout;

static const layout layouts[] = {
    {like_mlcp, perp_siconos_mlcp, 1U << PERP_KIND_MCP},
    {like_lcp, perp_siconos_lcp, 1U << PERP_KIND_LCP | 1U << PERP_KIND_MCP},
    {like_3d, perp_siconos_contacts, 1U << PERP_KIND_FC3D},
    {like_2d, perp_siconos_contacts, 0},
    {like_rolling, perp_siconos_contacts, 0},
    {like_cones, perp_siconos_cones, 0},
    {like_plasticity, perp_siconos_plasticity, 0},
    {like_mechanical, perp_siconos_mechanical, 0},
    {like_matrix, perp_siconos_matrix_alone, 0},
};
#define LAYOUTS (sizeof layouts / sizeof *layouts)

/* Whose error is worth showing, in ascending order; of equals, that which came furthest. */
typedef enum rank { NOTHING, OF_OTHER_PROBLEMS, OF_PERPS_PROBLEMS, OF_A_MATRIX_ALONE } rank;

typedef struct search {
    int count; /* readings that count */
    siconos_reading reading[2];
    perp_lexer after; /* of the first of them */
    rank rank;        /* of the error, which was met at: */
    const char *at;
    perp_error error;
} search;

static void keep_error(search *s, rank of, const perp_lexer *x)
{
    if (of < s->rank || (of == s->rank && x->at <= s->at)) return;
    s->rank = of;
    s->at = x->at;
    s->error = *x->error;
}

/* False: memory is out. The first reading that counts stays in the arena. */
static bool try_layout(const layout *l, perp_lexer *x, const perp_load_options *o, search *s)
{
    perp_mark mark = perp_arena_mark(x->arena);
    perp_lexer before = *x;
    siconos_reading r = {.name = {""}};
    perp_status status = l->read(x, o, &r);
    if (status == PERP_E_MEMORY) return false;
    if (status) {
        keep_error(s,
                   r.matrix_alone ? OF_A_MATRIX_ALONE
                   : l->kinds     ? OF_PERPS_PROBLEMS
                                  : OF_OTHER_PROBLEMS,
                   x);
    } else if (s->count < 2) {
        if (s->count == 0) s->after = *x;
        s->reading[s->count++] = r;
    }
    if (status || s->count > 1) perp_arena_release(x->arena, mark);
    *x = before;
    return true;
}

/* ---- what becomes of it ---- */

static perp_status refuse_head(perp_lexer *x, const head *h, const perp_load_options *o)
{
    if (h->count < 3) return perp_lexer_expected(x, "the sizes of a Siconos problem");
    return perp_lexer_refuse(
        x, "the first numbers %d %d %d are the sizes of no Siconos problem%s%s", h->t[0], h->t[1],
        h->t[2], o->has_kind ? " of kind " : "", o->has_kind ? perp_kind_name(o->kind) : "");
}

static perp_status refuse_two(perp_lexer *x, const search *s)
{
    const siconos_reading *a = &s->reading[0], *b = &s->reading[1];
    const char *other = s->count > 1 ? b->name[0] : a->name[1];
    char answer[64] = "perp reads neither";
    bool one = a->readable, two = s->count > 1 && b->readable;
    const char *kind = perp_kind_name(one ? a->problem.kind : b->problem.kind);
    if (one && two) {
        snprintf(answer, sizeof answer, "say --kind=%s or --kind=%s", kind,
                 perp_kind_name(b->problem.kind));
    } else if (one || two) {
        snprintf(answer, sizeof answer, "if it is the %s, say --kind=%s", one ? "first" : "second",
                 kind);
    }
    return perp_lexer_refuse(x, "the file reads as %.60s and as %.60s; %s", a->name[0], other,
                             answer);
}

static perp_status conclude(perp_lexer *x, const search *s, perp_problem *problem)
{
    const siconos_reading *r = &s->reading[0];
    if (s->count == 0) {
        *x->error = s->error;
        return s->error.status;
    }
    *x = s->after;
    if (s->count > 1 || *r->name[1]) return refuse_two(x, s);
    if (!r->readable) {
        return perp_lexer_refuse(x, "the file holds %s, which perp does not read", r->name[0]);
    }
    *problem = r->problem;
    return PERP_SOLVED;
}

static perp_status read_siconos(perp_lexer *x, const perp_load_options *o, perp_file *file)
{
    head h = read_head(x);
    search s = {.rank = NOTHING};
    for (size_t k = 0; h.count > 0 && k < LAYOUTS; k++) {
        const layout *l = &layouts[k];
        if (o->has_kind && !(l->kinds >> o->kind & 1)) continue;
        if (l->like(&h) && !try_layout(l, x, o, &s)) return PERP_E_MEMORY;
    }
    if (s.count == 0 && s.rank == NOTHING) return refuse_head(x, &h, o);
    return conclude(x, &s, &file->problem);
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
    .kinds = 1U << PERP_KIND_LCP | 1U << PERP_KIND_MCP | 1U << PERP_KIND_FC3D,
    .recognise = recognise,
    .read = read_siconos,
    .write = perp_siconos_write,
};
