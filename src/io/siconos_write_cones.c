/* io/siconos_write_cones.c: problems of kind cone as Siconos' .dat files.
 *
 * The layout follows from the blocks, whose rows must stand one behind the other, each normal
 * first: contacts in the plane (FC2D), contacts with rolling resistance (RFC3D, RFC2D), plasticity
 * where all cones have one group of two rows, second-order cones where s = 0, and generic
 * mechanical problems, whose blocks are 3D contacts, bounds at 0 and free rows. Anything else is
 * refused. RFC2D has the shape of plasticity in its old layout: such a file is read with its
 * layout's name only. */
#include "siconos.h"

#include "base/format.h"

#include <string.h>

/* ---- which layout ---- */

/* Could this block stand in a file of that layout? */
static bool fits(siconos_layout layout, const perp_cone_run *r)
{
    switch (layout) {
    case SICONOS_FC2D: return r->groups == 1 && r->width == 1 && r->coulomb;
    case SICONOS_RFC2D: return r->groups == 2 && r->width == 1 && r->coulomb;
    case SICONOS_RFC3D: return r->groups == 2 && r->width == 2 && r->coulomb;
    case SICONOS_PLASTICITY: return r->groups == 1 && r->width == 2;
    case SICONOS_SOCLCP: return r->is_bound || (r->groups == 1 && r->convex);
    case SICONOS_GMP:
        return r->is_bound || r->is_free || (r->groups == 1 && r->width == 2 && r->coulomb);
    default: return false;
    }
}

/* The blocks of c one behind the other, in the arena. NULL: they are not, or there is no memory. */
static perp_cone_run *list_runs(const perp_cone *c, perp_arena *a, int *count)
{
    perp_cone_run *list = perp_alloc(a, (size_t)c->n + 1, sizeof *list);
    *count = 0;
    for (int i = 0; list && i < c->n; i += list[(*count)++].count) {
        if (!perp_cone_rows_find(c, i, &list[*count])) return NULL;
    }
    return list;
}

static siconos_layout find_layout(const perp_cone_run *list, int count)
{
    static const siconos_layout order[] = {SICONOS_FC2D,       SICONOS_RFC2D,  SICONOS_RFC3D,
                                           SICONOS_PLASTICITY, SICONOS_SOCLCP, SICONOS_GMP};
    for (size_t l = 0; l < sizeof order / sizeof *order; l++) {
        bool all = true;
        for (int b = 0; b < count && all; b++) all = fits(order[l], &list[b]);
        if (all) return order[l];
    }
    return SICONOS_ANY;
}

/* ---- writing ---- */

/* What is written, and to where. */
typedef struct output {
    perp_sink *s;
    const perp_cone *c;
    const perp_cone_run *block;
    int blocks;
    double *x; /* a number for each block */
} output;

static void put_line(perp_sink *s, int value)
{
    perp_sink_text(s, "%d\n", value);
}

/* mu, or s, of group g of every cone; `none` where a block is no cone. */
static void put_coefficients(const output *o, int g, const double *from, double none)
{
    for (int b = 0; b < o->blocks; b++) {
        const perp_cone_run *r = &o->block[b];
        o->x[b] = r->groups == 0 ? none : from[perp_cone_rows_leader(r, g)];
    }
    perp_siconos_put_vector(o->s, o->blocks, o->x, 0);
}

static void put_map(const output *o)
{
    int n = o->c->n, nv = o->c->M.m;
    if (o->c->form == PERP_FORM_BODY) {
        perp_siconos_put_matrix(o->s, &o->c->M, nv, nv);
        perp_siconos_put_matrix(o->s, &o->c->H, nv, n);
        perp_siconos_put_vector(o->s, nv, o->c->f, 0);
        perp_siconos_put_vector(o->s, n, o->c->w, 0);
        return;
    }
    perp_siconos_put_matrix(o->s, &o->c->W, o->c->n, o->c->n);
    perp_siconos_put_vector(o->s, o->c->n, o->c->q, 0);
}

static void write_contacts(const output *o, int d, int groups)
{
    put_line(o->s, d);
    put_line(o->s, o->blocks);
    put_map(o);
    for (int g = 0; g < groups; g++) put_coefficients(o, g, o->c->mu, 0);
}

static void write_plasticity(const output *o)
{
    const int drucker_prager = 1;
    put_line(o->s, 3);
    put_line(o->s, o->blocks);
    put_line(o->s, drucker_prager);
    put_map(o);
    put_coefficients(o, 0, o->c->mu, 0);
    put_coefficients(o, 0, o->c->s ? o->c->s : o->c->mu, 0);
}

static void write_soclcp(const output *o)
{
    put_line(o->s, o->c->n);
    put_line(o->s, o->blocks);
    put_map(o);
    for (int b = 0; b < o->blocks; b++) perp_sink_text(o->s, "%d ", o->block[b].first);
    put_line(o->s, o->c->n);
    put_coefficients(o, 0, o->c->mu, 1); /* the aperture of a cone of one row means nothing */
}

/* ---- generic mechanical problems ---- */

/* W by blocks: row i belongs to block of[i]. seen[J] = I + 1: block (I, J) has a place. */
typedef struct partition {
    const output *o;
    int *of, *first, *column, *seen; /* of: rows; first: blocks + 1; column: of each block */
} partition;

static bool open_partition(partition *p, const perp_matrix *W, const output *o, perp_arena *a)
{
    size_t n = (size_t)o->c->n, blocks = (size_t)o->blocks;
    size_t entries = (size_t)W->as.csc.p[W->n];
    p->o = o;
    p->of = perp_alloc(a, n, sizeof *p->of);
    p->first = perp_alloc(a, blocks + 2, sizeof *p->first);
    p->column = perp_alloc(a, entries + 1, sizeof *p->column);
    p->seen = perp_alloc(a, blocks, sizeof *p->seen);
    if (a->failed) return false;
    for (int b = 0; b < o->blocks; b++) {
        for (int i = 0; i < o->block[b].count; i++) p->of[o->block[b].first + i] = b;
    }
    return true;
}

/* Lists the blocks of every block row, ascending: once to count them, once to keep them. */
static void list_blocks(partition *p, const perp_matrix *W, bool keep)
{
    const struct perp_csc_view *v = &W->as.csc;
    int blocks = p->o->blocks;
    memset(p->seen, 0, (size_t)blocks * sizeof *p->seen);
    for (int J = 0; J < blocks; J++) {
        const perp_cone_run *k = &p->o->block[J];
        for (int e = v->p[k->first]; e < v->p[k->first + k->count]; e++) {
            int I = p->of[v->i[e]];
            if (p->seen[I] == J + 1) continue;
            p->seen[I] = J + 1;
            if (keep)
                p->column[p->first[I + 1]++] = J;
            else
                p->first[I + 2]++;
        }
    }
    for (int I = 0; !keep && I < blocks; I++) p->first[I + 2] += p->first[I + 1];
}

static void put_ints(perp_sink *s, int n, const int *x)
{
    for (int i = 0; i < n; i++) perp_sink_text(s, "%d\t", x[i]);
    perp_sink_bytes(s, "\n", 1);
}

static void put_ends(const output *o)
{
    for (int b = 0; b < o->blocks; b++)
        perp_sink_text(o->s, "%d\t", o->block[b].first + o->block[b].count);
    perp_sink_bytes(o->s, "\n", 1);
}

static void put_block(perp_sink *s, const struct perp_csc_view *v, const perp_cone_run *rows,
                      const perp_cone_run *columns)
{
    for (int j = columns->first; j < columns->first + columns->count; j++) {
        for (int i = rows->first; i < rows->first + rows->count; i++) {
            perp_sink_real(s, perp_csc_entry(v, i, j));
            perp_sink_bytes(s, "\n", 1);
        }
    }
}

/* The section has no tables without a block, and its rows are what the file is about: then the
 * first block is written, full of zeros. */
static void put_blocks(const perp_matrix *W, partition *p)
{
    const output *o = p->o;
    int blocks = o->blocks;
    list_blocks(p, W, false);
    list_blocks(p, W, true);
    if (blocks > 0 && p->first[blocks] == 0) {
        p->column[0] = 0;
        for (int I = 1; I <= blocks; I++) p->first[I] = 1;
    }
    int count = p->first[blocks];
    perp_sink_text(o->s, "1\n%d\n%d\n%d\n%d\n%d\n", W->n, W->n, count, blocks, blocks);
    put_ends(o);
    put_ends(o);
    perp_sink_text(o->s, "%d\n%d\n", blocks + 1, count);
    put_ints(o->s, blocks + 1, p->first);
    put_ints(o->s, count, p->column);
    for (int I = 0, k = 0; I < blocks; I++) {
        for (; k < p->first[I + 1]; k++) {
            put_line(o->s, k);
            put_block(o->s, &W->as.csc, &o->block[I], &o->block[p->column[k]]);
        }
    }
}

/* Are the 3 x 3 blocks of W those of the problem? */
static bool has_own_blocks(const perp_matrix *W, const output *o)
{
    if (W->format != PERP_FORMAT_BSR3 || W->as.bsr3.p[W->m / 3] == 0) return false;
    for (int b = 0; b < o->blocks; b++) {
        if (o->block[b].count != 3) return false;
    }
    return true;
}

static perp_status put_partition(const output *o, perp_arena *a, perp_error *e)
{
    perp_matrix columns;
    partition p = {0};
    if (has_own_blocks(&o->c->W, o)) {
        perp_siconos_put_matrix(o->s, &o->c->W, o->c->n, o->c->n);
        return PERP_SOLVED;
    }
    perp_status status = perp_io_csc(&o->c->W, a, &columns, e);
    if (status) return status;
    if (!open_partition(&p, &columns, o, a))
        return perp_refuse(e, PERP_E_MEMORY, "no memory for the blocks of W");
    put_blocks(&columns, &p);
    return PERP_SOLVED;
}

static void put_types(const output *o)
{
    enum { COMPLEMENTARY = 0, EQUALITY = 2, CONTACT = 4 };
    for (int b = 0; b < o->blocks; b++) {
        const perp_cone_run *r = &o->block[b];
        put_line(o->s, r->is_bound ? COMPLEMENTARY : r->is_free ? EQUALITY : CONTACT);
        if (r->groups) perp_siconos_put_vector(o->s, 1, &o->c->mu[perp_cone_rows_leader(r, 0)], 0);
    }
}

static perp_status write_mechanical(const output *o, perp_arena *a, perp_error *e)
{
    perp_status status = put_partition(o, a, e);
    if (status) return status;
    perp_sink_bytes(o->s, "\n", 1);
    for (int i = 0; i < o->c->n; i++) perp_siconos_put_vector(o->s, 1, &o->c->q[i], 0);
    perp_sink_bytes(o->s, "\n", 1);
    put_types(o);
    return PERP_SOLVED;
}

perp_status perp_siconos_write_cone(perp_sink *s, const perp_cone *c, perp_arena *a, perp_error *e)
{
    output o = {.s = s, .c = c};
    bool body = c->form == PERP_FORM_BODY;
    if (body && c->G.format != PERP_FORMAT_ABSENT && c->G.n > 0)
        return perp_refuse(e, PERP_E_FORMAT, "a .dat file cannot hold the equalities G and b");
    if (body && c->R.format != PERP_FORMAT_ABSENT)
        return perp_refuse(e, PERP_E_FORMAT, "a .dat file cannot hold the compliance R");
    o.block = list_runs(c, a, &o.blocks);
    siconos_layout layout = o.block ? find_layout(o.block, o.blocks) : SICONOS_ANY;
    bool contacts = layout == SICONOS_FC2D || layout == SICONOS_RFC2D || layout == SICONOS_RFC3D;
    if (body && !contacts) layout = SICONOS_ANY;
    o.x = perp_alloc(a, (size_t)o.blocks + 1, sizeof *o.x);
    if (a->failed) return perp_refuse(e, PERP_E_MEMORY, "no memory for the blocks");
    switch (layout) {
    case SICONOS_FC2D: write_contacts(&o, 2, 1); break;
    case SICONOS_RFC2D: write_contacts(&o, 3, 2); break;
    case SICONOS_RFC3D: write_contacts(&o, 5, 2); break;
    case SICONOS_PLASTICITY: write_plasticity(&o); break;
    case SICONOS_SOCLCP: write_soclcp(&o); break;
    case SICONOS_GMP: return write_mechanical(&o, a, e);
    default:
        return perp_refuse(e, PERP_E_FORMAT,
                           "no layout of a .dat file holds these blocks; a .perp file does");
    }
    return PERP_SOLVED;
}
