/* io/siconos_contacts.c: the layouts of Siconos' .dat files that hold contacts.
 *
 *     local      d nc M q mu
 *     global     d nc M H q b mu
 *
 * d = 3 is friction in space, d = 2 in the plane; with mu_r behind mu there is rolling resistance
 * too, in space for d = 5 and in the plane for d = 3. Plasticity in its old layout is local, with
 * d = 3, eta and theta in place of mu and mu_r. One pass over the text, and a second one where q
 * begins like the sizes of H. */
#include "siconos.h"

#include <limits.h>

typedef struct contacts {
    int d, count;
    bool global;
    perp_matrix M, H;        /* M of bodies, or W */
    const double *f, *q;     /* of bodies, of contacts */
    const double *mu, *more; /* more: mu_r or theta; NULL: there is none */
} contacts;

/* ---- which layout ---- */

typedef struct shape {
    int d;
    bool global, more; /* more: two vectors of coefficients */
} shape;

/* d = 0: no layout of contacts. */
static shape shape_of(siconos_layout layout)
{
    static const shape shapes[SICONOS_LAYOUTS] = {
        [SICONOS_FC2D] = {2, false, false},          [SICONOS_GFC2D] = {2, true, false},
        [SICONOS_FC3D] = {3, false, false},          [SICONOS_GFC3D] = {3, true, false},
        [SICONOS_RFC2D] = {3, false, true},          [SICONOS_GRFC2D] = {3, true, true},
        [SICONOS_RFC3D] = {5, false, true},          [SICONOS_GRFC3D] = {5, true, true},
        [SICONOS_PLASTICITY_OLD] = {3, false, true},
    };
    return shapes[layout];
}

/* By what is left behind mu: nothing, the flag of old files, or a number for each contact. */
static siconos_layout find_layout(const perp_lexer *x, const contacts *c)
{
    bool each = c->count > 0 && perp_siconos_left(x) == (size_t)c->count;
    if (c->d == 2) return c->global ? SICONOS_GFC2D : SICONOS_FC2D;
    if (c->d == 5) return c->global ? SICONOS_GRFC3D : SICONOS_RFC3D;
    if (each && !perp_siconos_flag(x)) return c->global ? SICONOS_GRFC2D : SICONOS_RFC2D;
    return c->global ? SICONOS_GFC3D : SICONOS_FC3D;
}

/* Nothing decides between rolling contacts in the plane and plasticity in its old layout. */
static perp_status read_more(perp_lexer *x, contacts *c, siconos_reading *r)
{
    siconos_layout layout = r->wanted ? r->wanted : find_layout(x, c);
    bool plastic = layout == SICONOS_PLASTICITY_OLD;
    perp_siconos_name(r, layout);
    r->other = layout == SICONOS_RFC2D && !r->wanted ? SICONOS_PLASTICITY_OLD : SICONOS_ANY;
    if (shape_of(layout).more) {
        c->more = perp_lexer_reals(x, (size_t)c->count, false, plastic ? "theta" : "mu_r");
        if (!c->more) return x->error->status;
        return perp_siconos_end(x, r->name);
    }
    return perp_siconos_flag(x) ? PERP_SOLVED : perp_siconos_end(x, r->name);
}

/* ---- the problem ---- */

static perp_problem make_friction(const contacts *c)
{
    perp_fc3d f = {.contacts = c->count, .mu = c->mu};
    if (c->global) {
        f.form = PERP_FORM_BODY;
        f.M = c->M;
        f.H = c->H;
        f.f = c->f;
        f.w = c->q;
    } else {
        f.W = c->M;
        f.q = c->q;
    }
    return (perp_problem){.kind = PERP_KIND_FC3D, .as.fc3d = f};
}

static void cone_of_bodies(const contacts *c, perp_cone *p)
{
    p->form = PERP_FORM_BODY;
    p->W = (perp_matrix){.format = PERP_FORMAT_ABSENT};
    p->q = NULL;
    p->M = c->M;
    p->H = c->H;
    p->f = c->f;
    p->w = c->q;
}

static perp_status make_cones(perp_lexer *x, const contacts *c, siconos_reading *r)
{
    bool plastic = r->layout == SICONOS_PLASTICITY_OLD, rolls = c->more && !plastic;
    perp_cone_shape cone = {.groups = rolls ? 2 : 1, .width = c->d == 5 || plastic ? 2 : 1};
    perp_cone_rows rows;
    if (!perp_cone_rows_open(x, c->d * c->count, !plastic, &rows)) return x->error->status;
    for (int k = 0; k < c->count; k++) {
        cone.mu[0] = c->mu[k];
        if (rolls) cone.mu[1] = c->more[k];
        if (plastic) cone.s[0] = c->more[k];
        perp_cone_rows_add(&rows, c->d * k, &cone);
    }
    perp_status status = perp_siconos_cone(&rows, c->M, c->q, r);
    if (c->global) cone_of_bodies(c, &r->problem.as.cone);
    return status;
}

/* ---- reading ---- */

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

static perp_status read_rest(perp_lexer *x, contacts *c, siconos_reading *r)
{
    size_t rows = (size_t)c->d * (size_t)c->count;
    if (c->global && !perp_siconos_matrix(x, c->M.m, c->d * c->count, "H", &c->H))
        return x->error->status;
    if (c->global && !(c->f = perp_lexer_reals(x, (size_t)c->M.m, false, "q")))
        return x->error->status;
    if (!(c->q = perp_lexer_reals(x, rows, false, c->global ? "b" : "q")) ||
        !(c->mu = perp_lexer_reals(x, (size_t)c->count, false, "mu")))
        return x->error->status;
    perp_status status = read_more(x, c, r);
    if (status) return status;
    bool friction = c->d == 3 && !c->more;
    if (!friction) return make_cones(x, c, r);
    r->readable = true;
    r->problem = make_friction(c);
    return PERP_SOLVED;
}

/* What follows M may be the sizes of H, or a q of whole numbers. It is H where that reads to its
 * end; where neither does, the error is that of the reading that came further. */
static perp_status read_either(perp_lexer *x, contacts *c, siconos_reading *r)
{
    perp_lexer before = *x;
    perp_mark mark = perp_arena_mark(x->arena);
    c->global = true;
    perp_status status = read_rest(x, c, r);
    if (status == PERP_SOLVED || status == PERP_E_MEMORY) return status;
    perp_error error = *x->error;
    const char *reached = x->at;
    perp_arena_release(x->arena, mark);
    *x = before;
    c->global = false;
    status = read_rest(x, c, r);
    if (status == PERP_SOLVED || status == PERP_E_MEMORY || x->at > reached) return status;
    x->at = reached;
    *x->error = error;
    return error.status;
}

perp_status perp_siconos_contacts(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    (void)o;
    contacts c = {0};
    shape wanted = shape_of(r->wanted);
    int least = r->wanted ? wanted.d : 2, most = r->wanted ? wanted.d : 5;
    if (!perp_lexer_int(x, least, most, "the dimension of the contacts", &c.d) ||
        !perp_lexer_int(x, 0, INT_MAX / 5, "the number of contacts", &c.count) ||
        !perp_siconos_matrix(x, -1, -1, "M", &c.M)) {
        return x->error->status;
    }
    if (c.M.m != c.M.n)
        return perp_lexer_refuse(x, "M is %d x %d, expected a square one", c.M.m, c.M.n);
    bool local = c.M.m == c.d * c.count;
    if (r->wanted && !wanted.global && !local) {
        return perp_lexer_refuse(x, "M is %d x %d, expected %d rows of %d contacts", c.M.m, c.M.n,
                                 c.d * c.count, c.count);
    }
    if (!r->wanted && local && matrix_follows(x, c.M.m, c.M.m)) return read_either(x, &c, r);
    c.global = r->wanted ? wanted.global : !local;
    return read_rest(x, &c, r);
}
