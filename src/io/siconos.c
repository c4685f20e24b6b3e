/* io/siconos.c: Siconos' .dat files, streams of numbers that do not say what problem they hold.
 *
 * Every layout whose sizes fit the first integers is tried to its last number (siconos_linear.c,
 * siconos_contacts.c, siconos_cones.c). A reading counts when no number is left behind it but for
 * the tails that its layout is known to have; words are remarks. Exactly one reading must count:
 * where none does, the error is that of the layout that came furthest; where two do, both are
 * named, and the caller has to say the kind or the layout, which is then tried first. One pass over
 * the text in all but a few small cases. */
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

/* ---- the layouts ---- */

static const struct {
    const char *word, *title;
    siconos_reader *read;
} names[SICONOS_LAYOUTS] = {
    [SICONOS_ANY] = {NULL, "", NULL},
    [SICONOS_LCP] = {"lcp", "an LCP", perp_siconos_lcp},
    [SICONOS_RELAY] = {"relay", "a relay problem", perp_siconos_lcp},
    [SICONOS_MLCP] = {"mlcp", "a mixed LCP (MLCP)", perp_siconos_mlcp},
    [SICONOS_FC2D] = {"fc2d", "frictional contact in 2D (FC2D)", perp_siconos_contacts},
    [SICONOS_GFC2D] = {"gfc2d", "frictional contact in 2D (GFC2D)", perp_siconos_contacts},
    [SICONOS_FC3D] = {"fc3d", "3D frictional contact", perp_siconos_contacts},
    [SICONOS_GFC3D] = {"gfc3d", "3D frictional contact", perp_siconos_contacts},
    [SICONOS_RFC2D] = {"rfc2d", "frictional contact in 2D with rolling resistance (RFC2D)",
                       perp_siconos_contacts},
    [SICONOS_GRFC2D] = {"grfc2d", "frictional contact in 2D with rolling resistance (GRFC2D)",
                        perp_siconos_contacts},
    [SICONOS_RFC3D] = {"rfc3d", "frictional contact with rolling resistance (RFC3D)",
                       perp_siconos_contacts},
    [SICONOS_GRFC3D] = {"grfc3d", "frictional contact with rolling resistance (GRFC3D)",
                        perp_siconos_contacts},
    [SICONOS_SOCLCP] = {"soclcp", "a second-order cone LCP (SOCLCP)", perp_siconos_soclcp},
    [SICONOS_GMP] = {"gmp", "a generic mechanical problem (GMP)", perp_siconos_mechanical},
    [SICONOS_PLASTICITY] = {"plasticity", "plasticity (Drucker-Prager)", perp_siconos_plasticity},
    [SICONOS_PLASTICITY_OLD] = {"plasticity-old", "plasticity, old layout", perp_siconos_contacts},
};

const char *perp_siconos_word(siconos_layout layout)
{
    return names[layout].word;
}

const char *perp_siconos_title(siconos_layout layout)
{
    return names[layout].title;
}

siconos_layout perp_siconos_layout_of(const char *word)
{
    for (int k = SICONOS_ANY + 1; k < SICONOS_LAYOUTS; k++) {
        if (strcmp(names[k].word, word) == 0) return (siconos_layout)k;
    }
    return SICONOS_ANY;
}

perp_status perp_siconos_refuse_layout(const char *word, perp_error *e)
{
    char list[200];
    size_t used = 0;
    for (int k = SICONOS_ANY + 1; k < SICONOS_LAYOUTS && used < sizeof list; k++) {
        int more = snprintf(list + used, sizeof list - used, "%s%s",
                            k == SICONOS_ANY + 1      ? ""
                            : k + 1 < SICONOS_LAYOUTS ? ", "
                                                      : " and ",
                            names[k].word);
        used += more > 0 ? (size_t)more : 0;
    }
    return perp_refuse(e, PERP_E_ARGUMENT, "there is no layout '%.16s'; there are %s", word, list);
}

void perp_siconos_name(siconos_reading *r, siconos_layout layout)
{
    r->layout = layout;
    snprintf(r->name, sizeof r->name, "%s", names[layout].title);
}

/* ---- which one it is ---- */

typedef struct layout {
    bool (*like)(const head *h);
    siconos_reader *read;
    unsigned kinds;
    bool rare; /* what is wrong with it is worth less than what is wrong with the others */
} layout;

#define LCP (1U << PERP_KIND_LCP)
#define MCP (1U << PERP_KIND_MCP)
#define FC3D (1U << PERP_KIND_FC3D)
#define CONE (1U << PERP_KIND_CONE)

static const layout layouts[] = {
    {like_mlcp, perp_siconos_mlcp, MCP, false},
    {like_lcp, perp_siconos_lcp, LCP | MCP, false},
    {like_3d, perp_siconos_contacts, FC3D | CONE, false},
    {like_2d, perp_siconos_contacts, CONE, true},
    {like_rolling, perp_siconos_contacts, CONE, true},
    {like_cones, perp_siconos_soclcp, CONE, true},
    {like_plasticity, perp_siconos_plasticity, CONE, true},
    {like_mechanical, perp_siconos_mechanical, CONE, true},
    {like_matrix, perp_siconos_matrix_alone, 0, true},
};
#define LAYOUTS (sizeof layouts / sizeof *layouts)

/* Whose error is worth showing, in ascending order; of equals, that which came furthest. */
typedef enum rank { NOTHING, OF_A_MATRIX, OF_RARE_LAYOUTS, OF_LAYOUTS, OF_A_MATRIX_ALONE } rank;

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
    siconos_reading r = {.wanted = SICONOS_ANY};
    perp_status status = l->read(x, o, &r);
    if (status == PERP_E_MEMORY) return false;
    if (status) {
        keep_error(s,
                   r.matrix_alone ? OF_A_MATRIX_ALONE
                   : !l->kinds    ? OF_A_MATRIX
                   : l->rare      ? OF_RARE_LAYOUTS
                                  : OF_LAYOUTS,
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

/* By their kinds where these decide, otherwise by their layouts. */
static perp_status refuse_two(perp_lexer *x, const search *s)
{
    const siconos_reading *a = &s->reading[0], *b = &s->reading[1];
    siconos_layout other = s->count > 1 ? b->layout : a->other;
    char answer[80];
    if (s->count > 1 && a->readable && b->readable && a->problem.kind != b->problem.kind) {
        snprintf(answer, sizeof answer, "--kind=%s or --kind=%s", perp_kind_name(a->problem.kind),
                 perp_kind_name(b->problem.kind));
    } else {
        snprintf(answer, sizeof answer, "--layout=%s or --layout=%s", perp_siconos_word(a->layout),
                 perp_siconos_word(other));
    }
    return perp_lexer_refuse(x, "the file reads as %.60s and as %.60s; say %s", a->name,
                             s->count > 1 ? b->name : perp_siconos_title(other), answer);
}

static perp_status conclude(perp_lexer *x, const search *s, perp_problem *problem)
{
    const siconos_reading *r = &s->reading[0];
    if (s->count == 0) {
        *x->error = s->error;
        return s->error.status;
    }
    *x = s->after;
    if (s->count > 1 || r->other) return refuse_two(x, s);
    if (!r->readable) {
        return perp_lexer_refuse(x, "the file holds %s, which perp does not read", r->name);
    }
    *problem = r->problem;
    return PERP_SOLVED;
}

/* What the caller says counts before everything else. */
static bool try_wanted(perp_lexer *x, const perp_load_options *o, siconos_layout wanted, search *s)
{
    perp_mark mark = perp_arena_mark(x->arena);
    perp_lexer before = *x;
    siconos_reading r = {.wanted = wanted};
    perp_status status = names[wanted].read(x, o, &r);
    if (status == PERP_E_MEMORY) return false;
    if (status) {
        perp_arena_release(x->arena, mark);
        keep_error(s, OF_A_MATRIX_ALONE, x);
    } else {
        s->after = *x;
        s->reading[s->count++] = r;
    }
    *x = before;
    return true;
}

static perp_status read_siconos(perp_lexer *x, const perp_load_options *o, perp_file *file)
{
    head h = read_head(x);
    search s = {.rank = NOTHING};
    siconos_layout wanted = o->layout ? perp_siconos_layout_of(o->layout) : SICONOS_ANY;
    if (wanted && h.count > 0 && !try_wanted(x, o, wanted, &s)) return PERP_E_MEMORY;
    bool decided = s.count > 0;
    for (size_t k = 0; h.count > 0 && k < LAYOUTS && !decided; k++) {
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
    .kinds = LCP | MCP | FC3D | CONE,
    .recognise = recognise,
    .read = read_siconos,
    .write = perp_siconos_write,
};
