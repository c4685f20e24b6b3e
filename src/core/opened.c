/* core/opened.c: what is expensive to open for a problem is opened once.
 *
 * Hash: four strands of 64 bits, each word multiplied by an odd constant and folded, so that a
 * strand is a bijection of every word; then mixed to two lanes (the finaliser of MurmurHash3).
 * About 4 instructions a word, where a conversion takes some 20 an entry.
 *
 * Moving: the arena hands out memory in one direction, so what is allocated again in the same order
 * with gaps left out comes to lie at the same address or before it, never in the way of what has
 * yet to move, and always fits. */
#include "opened.h"

#include "base/watch.h"

#include <assert.h>
#include <string.h>

#define ALIGN ((size_t)64)
/* Entries, zeros too: naming, moving and keeping an object took as many instructions as two
 * conversions of 9 x 9 entries. */
#define LEAST_ENTRIES 81

/* ---- keys ---- */

static uint64_t scramble(uint64_t h)
{
    h = (h ^ h >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    h = (h ^ h >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return h ^ h >> 33;
}

/* Two lanes of one word, each by its own constants. */
static perp_key add_word(perp_key key, uint64_t word)
{
    key.h[0] = scramble(key.h[0] ^ word);
    key.h[1] = scramble((key.h[1] + word) * UINT64_C(0x9E3779B97F4A7C15));
    return key;
}

static uint64_t read_word(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static uint64_t fold(uint64_t strand, uint64_t word)
{
    strand = (strand ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return strand ^ strand >> 32;
}

static perp_key add_bytes(perp_key key, const void *data, size_t bytes)
{
    const unsigned char *at = data, *end = at + bytes / 32 * 32;
    uint64_t s[4] = {1, 2, 3, 4}, last[4] = {0};
    for (; at < end; at += 32) {
        for (int k = 0; k < 4; k++) s[k] = fold(s[k], read_word(at + 8 * k));
    }
    if (bytes % 32) memcpy(last, at, bytes % 32);
    for (int k = 0; k < 4; k++) key = add_word(key, fold(s[k], last[k]));
    return add_word(key, bytes);
}

perp_key perp_key_of(perp_work kind)
{
    return (perp_key){kind, {1, 2}};
}

perp_key perp_key_for(perp_key key, perp_work kind)
{
    key.kind = kind;
    return key;
}

perp_key perp_key_number(perp_key key, long long number)
{
    return add_word(key, (uint64_t)number);
}

static perp_key add_sizes(perp_key key, const perp_matrix *A)
{
    key = add_word(key, (uint64_t)A->format);
    return add_word(key, (uint64_t)(unsigned)A->m << 32 | (unsigned)A->n);
}

perp_key perp_key_pattern(perp_key key, const perp_matrix *A)
{
    key = add_sizes(key, A);
    size_t starts = 0;
    const int *p = NULL, *i = NULL;
    if (A->format == PERP_FORMAT_CSC) {
        starts = (size_t)A->n;
        p = A->as.csc.p;
        i = A->as.csc.i;
    }
    if (A->format == PERP_FORMAT_CSR) {
        starts = (size_t)A->m;
        p = A->as.csr.p;
        i = A->as.csr.j;
    }
    if (A->format == PERP_FORMAT_BSR3) {
        starts = (size_t)A->m / 3;
        p = A->as.bsr3.p;
        i = A->as.bsr3.j;
    }
    if (starts == 0) return key;
    key = add_bytes(key, p, (starts + 1) * sizeof *p);
    return p[starts] ? add_bytes(key, i, (size_t)p[starts] * sizeof *i) : key;
}

static perp_key add_operator(perp_key key, const struct perp_operator *op)
{
    key = add_word(key, (uint64_t)(uintptr_t)op->mul);
    key = add_word(key, (uint64_t)(uintptr_t)op->mul_t);
    return add_word(key, (uint64_t)(uintptr_t)op->ctx);
}

perp_key perp_key_matrix(perp_key key, const perp_matrix *A)
{
    size_t m = (size_t)A->m, n = (size_t)A->n, count = 0;
    key = perp_key_pattern(key, A);
    if (A->format == PERP_FORMAT_OPERATOR) return add_operator(key, &A->as.op);
    if (A->format == PERP_FORMAT_CSC && n) count = (size_t)A->as.csc.p[n];
    if (A->format == PERP_FORMAT_CSC && count)
        return add_bytes(key, A->as.csc.x, count * sizeof(double));
    if (A->format == PERP_FORMAT_BSR3 && m) count = 9 * (size_t)A->as.bsr3.p[m / 3];
    if (A->format == PERP_FORMAT_BSR3 && count)
        return add_bytes(key, A->as.bsr3.x, count * sizeof(double));
    if (A->format == PERP_FORMAT_CSR && m) count = (size_t)A->as.csr.p[m];
    if (A->format == PERP_FORMAT_CSR && count)
        return add_bytes(key, A->as.csr.x, count * sizeof(double));
    if (!(A->format & (PERP_FORMAT_DENSE | PERP_FORMAT_DENSE_ROWS))) return key;
    if (A->format == PERP_FORMAT_DENSE_ROWS) { /* as the columns of A' */
        m = (size_t)A->n;
        n = (size_t)A->m;
    }
    if (m == 0) return key;
    size_t ld = (size_t)A->as.dense.ld;
    if (ld == m) return add_bytes(key, A->as.dense.x, m * n * sizeof(double));
    for (size_t j = 0; j < n; j++) key = add_bytes(key, A->as.dense.x + j * ld, m * sizeof(double));
    return key;
}

/* ---- finding ---- */

static bool is_named(const perp_opened *o, const perp_key *key)
{
    return o->key[0] == key->h[0] && o->key[1] == key->h[1] && o->kind == key->kind;
}

/* A kept object is pinned by some memory of the scope that found it. */
static const perp_opened *find_kept(perp_arena *a, const perp_key *key)
{
    perp_opened **at = &a->kept;
    if (!perp_arena_keeps(a)) return NULL;
    while (*at && !is_named(*at, key)) at = &(*at)->next;
    perp_opened *k = *at;
    if (!k) return NULL;
    if (!k->pinned_at) {
        bool failed = a->failed;
        if (!perp_alloc_unset(a, 1, 1)) {
            a->failed = failed;
            return NULL;
        }
        k->pinned_at = a->used;
    }
    k->solve = a->solves;
    *at = k->next;
    k->next = a->kept;
    return a->kept = k;
}

const perp_opened *perp_opened_find(perp_arena *a, const perp_key *key)
{
    for (const perp_opened *o = a->opened; o; o = o->next) {
        if (is_named(o, key)) return o;
    }
    return find_kept(a, key);
}

/* ---- making ---- */

bool perp_opened_begin(perp_arena *a, const perp_key *key, perp_opening *g)
{
    *g = (perp_opening){.arena = a, .mark = perp_arena_mark(a)};
    g->object = perp_alloc_unset(a, 1, sizeof *g->object);
    if (!g->object) return false;
    *g->object = (perp_opened){.next = a->opened, .key = {key->h[0], key->h[1]}, .kind = key->kind};
    return true;
}

void perp_opened_part(perp_opening *g, void *part, size_t bytes)
{
    perp_opened *o = g->object;
    assert(o->parts < PERP_OPENED_PARTS);
    o->part[o->parts] = part;
    o->bytes[o->parts++] = bytes;
}

static void *move_down(perp_arena *a, const void *from, size_t bytes)
{
    const perp_watch *watch = a->watch;
    a->watch = NULL; /* what is there is kept, whoever asks to stop */
    void *to = perp_alloc_unset(a, 1, bytes);
    a->watch = watch;
    assert(to); /* see the head: it fits */
    return to == from || bytes == 0 ? to : memmove(to, from, bytes);
}

/* The object to where the arena ends now, below where it is. */
static const perp_opened *settle(perp_arena *a, const perp_opened *from)
{
    perp_opened *o = move_down(a, from, sizeof *o);
    for (int k = 0; k < o->parts; k++) o->part[k] = move_down(a, o->part[k], o->bytes[k]);
    o->end = a->used;
    o->next = a->opened;
    return a->opened = o;
}

const perp_opened *perp_opened_end(perp_opening *g)
{
    assert(g->arena->opened == g->object->next);
    perp_arena_release(g->arena, g->mark);
    return settle(g->arena, g->object);
}

/* ---- the ends of solves ---- */

static size_t round_up(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Of all that belongs to an object. */
static size_t size_of(const perp_opened *o)
{
    size_t size = round_up(sizeof *o);
    for (int k = 0; k < o->parts; k++) size += round_up(o->bytes[k]);
    return size;
}

/* Objects above the mark, the oldest first; they are no longer those of the arena. */
static perp_opened *take_above(perp_arena *a, perp_mark mark)
{
    perp_opened *list = NULL;
    while (a->opened && a->opened->end > mark.used) {
        perp_opened *o = a->opened;
        a->opened = o->next;
        o->next = list;
        list = o;
    }
    return list;
}

void perp_opened_release(perp_arena *a, perp_mark mark)
{
    perp_opened *list = take_above(a, mark);
    perp_arena_release(a, mark);
    while (list) {
        perp_opened *next = list->next; /* settle may write over it */
        if (size_of(list) <= PERP_OPENED_BYTES) settle(a, list);
        list = next;
    }
}

/* Bytes of a block for this size: up to a quarter more, so that an object of about the same size
 * can have its memory later. */
static size_t capacity_for(size_t size)
{
    size_t step = 4 * ALIGN;
    while (size / step >= 8) step *= 2;
    return (size + ALIGN + step - 1) / step * step;
}

/* The least recently used block of at least this capacity that nobody reads and no solve used for
 * so long. */
static perp_opened **find_idle(perp_arena *a, size_t capacity, unsigned solves)
{
    perp_opened **idle = NULL;
    for (perp_opened **at = &a->kept; *at; at = &(*at)->next) {
        bool unused = !(*at)->pinned_at && a->solves - (*at)->solve >= solves;
        if (unused && (*at)->capacity >= capacity) idle = at;
    }
    return idle;
}

static perp_opened *unlink_block(perp_opened **at)
{
    perp_opened *block = *at;
    *at = block->next;
    return block;
}

static bool has_room(const perp_arena *a, size_t capacity)
{
    size_t bytes = capacity, count = 1;
    for (const perp_opened *k = a->kept; k; k = k->next) {
        bytes += k->capacity;
        count++;
    }
    return bytes <= PERP_OPENED_BYTES && count <= PERP_OPENED_COUNT;
}

/* Memory for an object to be kept: that of one out of use, so that a sequence of different problems
 * allocates nothing in the end; new memory within the limits; or that of whatever the solve at hand
 * did not use. NULL: none. */
static perp_opened *find_block(perp_arena *a, size_t capacity)
{
    perp_opened **idle = find_idle(a, capacity, PERP_OPENED_SOLVES);
    if (!idle && !has_room(a, capacity)) idle = find_idle(a, capacity, 1);
    if (idle) return unlink_block(idle);
    while (!has_room(a, capacity)) {
        if (capacity > PERP_OPENED_BYTES || !(idle = find_idle(a, 0, 1))) return NULL;
        perp_arena_resize(a, unlink_block(idle), 0);
    }
    perp_opened *block = perp_arena_resize(a, NULL, capacity);
    if (block) block->capacity = capacity;
    return block;
}

static void keep(perp_arena *a, const perp_opened *o)
{
    perp_opened *k = find_block(a, capacity_for(size_of(o)));
    if (!k) return;
    size_t capacity = k->capacity;
    *k = *o;
    unsigned char *at = (unsigned char *)k + round_up(sizeof *k);
    at += (ALIGN - (uintptr_t)at % ALIGN) % ALIGN;
    for (int p = 0; p < k->parts; p++) {
        if (k->bytes[p]) memcpy(at, k->part[p], k->bytes[p]);
        k->part[p] = at;
        at += round_up(k->bytes[p]);
    }
    k->capacity = capacity;
    k->solve = a->solves;
    k->pinned_at = 0;
    k->next = a->kept;
    a->kept = k;
}

void perp_opened_keep(perp_arena *a, perp_mark mark)
{
    if (!a->fixed) {
        for (const perp_opened *o = a->opened; o && o->end > mark.used; o = o->next) keep(a, o);
    }
    perp_arena_release(a, mark);
}

/* ---- conversions ---- */

/* The pattern and the values of a converted matrix, and how many there are of each. */
static void list_parts(const perp_matrix *A, perp_opening *g)
{
    if (A->format == PERP_FORMAT_DENSE) {
        perp_opened_part(g, (void *)A->as.dense.x, (size_t)A->m * (size_t)A->n * sizeof(double));
        return;
    }
    bool csc = A->format == PERP_FORMAT_CSC;
    size_t starts = csc ? (size_t)A->n : (size_t)A->m / 3;
    const int *p = csc ? A->as.csc.p : A->as.bsr3.p, *i = csc ? A->as.csc.i : A->as.bsr3.j;
    const double *x = csc ? A->as.csc.x : A->as.bsr3.x;
    size_t count = (size_t)p[starts];
    perp_opened_part(g, (void *)p, (starts + 1) * sizeof *p); /* ours: perp_convert made them */
    perp_opened_part(g, (void *)i, count * sizeof *i);
    perp_opened_part(g, (void *)x, count * (csc ? 1 : 9) * sizeof *x);
}

static void view_parts(const perp_opened *o, perp_format format, int m, int n, perp_matrix *out)
{
    if (format == PERP_FORMAT_DENSE)
        *out = perp_dense(m, n, o->part[0]);
    else if (format == PERP_FORMAT_CSC)
        *out = perp_csc(m, n, o->part[0], o->part[1], o->part[2]);
    else
        *out = perp_bsr3(m / 3, n / 3, o->part[0], o->part[1], o->part[2]);
}

bool perp_opened_pays(const perp_matrix *A)
{
    return (long long)A->m * A->n > LEAST_ENTRIES;
}

perp_status perp_opened_convert(const perp_matrix *A, perp_format format, perp_arena *a,
                                perp_matrix *out, perp_error *e)
{
    int m = A->m, n = A->n;
    bool same = A->format == format || A->format == PERP_FORMAT_OPERATOR;
    if (same || !perp_opened_pays(A)) return perp_convert(A, format, a, out, e);
    perp_key key = perp_key_of(PERP_WORK_CONVERSION);
    key = perp_key_matrix(perp_key_number(key, format), A);
    const perp_opened *o = perp_opened_find(a, &key);
    if (!o) {
        perp_opening g;
        perp_matrix made;
        bool room = perp_opened_begin(a, &key, &g);
        perp_status status = perp_convert(A, format, a, &made, e); /* without room it says so */
        if (status) return status;
        if (!room) return PERP_E_MEMORY;
        list_parts(&made, &g);
        o = perp_opened_end(&g);
    }
    view_parts(o, format, m, n, out);
    return PERP_SOLVED;
}
