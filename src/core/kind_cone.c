/* core/kind_cone.c: products of cones with groups, balls, boxes and free rows, local and body form.
 *
 * Residual |z - P(z - v)| / |W P(0) + q| with v = u + (sum_g s_g |u_g|) n (de Saxce and Feng, 1998,
 * for one group), in the units of u too; in body form plus the equations. One product with each
 * matrix; 3 n numbers of scratch, and the blocks of the product. A body form becomes a local one
 * for the solvers (reduction.h). No proof of infeasibility is defined. */
#include "base/format.h"
#include "body_form.h"
#include "kinds.h"
#include "method/cone_set.h"
#include "reduction.h"
#include "scale.h"

#include <string.h>

static bool has_followers(const perp_problem *p)
{
    return p->as.cone.follows != NULL;
}

enum { ROWS, EQUALITIES, VELOCITIES };

static const perp_kind_size cone_sizes[] = {
    [ROWS] = {.offset = PERP_AT(cone.n), .label = "rows"},
    [EQUALITIES] = {.offset = PERP_AT(cone.G), .place = PERP_SIZE_COLUMNS},
    [VELOCITIES] = {.offset = PERP_AT(cone.M), .place = PERP_SIZE_ROWS},
    {0},
};

static const char *const cone_forms[] = {
    [PERP_FORM_LOCAL] = "local", [PERP_FORM_BODY] = "body", NULL};

static const perp_field cone_fields[] = {
    {.name = "W", .type = PERP_FIELD_MATRIX, .offset = PERP_AT(cone.W), .form = "local"},
    {.name = "q", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(cone.q), .form = "local"},
    {.name = "M",
     .type = PERP_FIELD_MATRIX,
     .offset = PERP_AT(cone.M),
     .rows = VELOCITIES,
     .columns = VELOCITIES,
     .form = "body"},
    {.name = "H",
     .type = PERP_FIELD_MATRIX,
     .offset = PERP_AT(cone.H),
     .rows = VELOCITIES,
     .slot = 1,
     .form = "body"},
    {.name = "G",
     .type = PERP_FIELD_MATRIX,
     .offset = PERP_AT(cone.G),
     .rows = VELOCITIES,
     .columns = EQUALITIES,
     .slot = 1,
     .form = "body"},
    {.name = "R", .type = PERP_FIELD_MATRIX, .offset = PERP_AT(cone.R), .slot = 1, .form = "body"},
    {.name = "f",
     .type = PERP_FIELD_VECTOR,
     .offset = PERP_AT(cone.f),
     .rows = VELOCITIES,
     .form = "body"},
    {.name = "w", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(cone.w), .form = "body"},
    {.name = "b",
     .type = PERP_FIELD_VECTOR,
     .offset = PERP_AT(cone.b),
     .rows = EQUALITIES,
     .form = "body",
     .needs = "G"},
    {.name = "lo", .type = PERP_FIELD_BOUND, .offset = PERP_AT(cone.lo), .role = PERP_ROLE_LOWER},
    {.name = "hi", .type = PERP_FIELD_BOUND, .offset = PERP_AT(cone.hi), .role = PERP_ROLE_UPPER},
    {.name = "findex",
     .type = PERP_FIELD_INDEX,
     .offset = PERP_AT(cone.follows),
     .role = PERP_ROLE_FOLLOWS},
    {.name = "group", .type = PERP_FIELD_INDEX, .offset = PERP_AT(cone.group)},
    {.name = "mu",
     .type = PERP_FIELD_VECTOR,
     .offset = PERP_AT(cone.mu),
     .role = PERP_ROLE_FRICTION,
     .applies = has_followers},
    {.name = "s", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(cone.s), .applies = has_followers},
    {0},
};

static perp_body_form body_of(const perp_cone *c)
{
    return (perp_body_form){.rows = c->n,
                            .M = &c->M,
                            .H = &c->H,
                            .G = &c->G,
                            .R = &c->R,
                            .f = c->f,
                            .w = c->w,
                            .b = c->b};
}

static int cone_size(const perp_problem *p)
{
    const perp_cone *c = &p->as.cone;
    const perp_body_form body = body_of(c);
    if (c->n < 0) return -1;
    if (c->form == PERP_FORM_LOCAL) return c->n;
    return c->form == PERP_FORM_BODY ? perp_body_size(&body) : -1;
}

/* ---- validation ---- */

static int master_of(const perp_cone *c, int i)
{
    return c->follows ? c->follows[i] : -1;
}

static int group_of(const perp_cone *c, int i)
{
    return c->group ? c->group[i] : -1;
}

static perp_status validate_group(const perp_cone *c, int i, perp_error *e)
{
    int first = group_of(c, i);
    if (first == -1) return PERP_SOLVED;
    if (first < 0 || first > i) {
        return perp_refuse(e, PERP_E_ARGUMENT, "group[%d] = %d is not in -1 .. %d", i, first, i);
    }
    if (c->group[first] != first) {
        return perp_refuse(e, PERP_E_ARGUMENT,
                           "group[%d] = %d is no first row of a group: group[%d] = %d", i, first,
                           first, c->group[first]);
    }
    if (master_of(c, i) != master_of(c, first)) {
        return perp_refuse(e, PERP_E_ARGUMENT, "rows %d and %d of one group follow rows %d and %d",
                           first, i, master_of(c, first), master_of(c, i));
    }
    if (master_of(c, i) >= 0) return PERP_SOLVED;
    double radius = c->hi ? c->hi[first] : INFINITY;
    if (radius >= 0 && isfinite(radius)) return PERP_SOLVED;
    return perp_refuse(e, isnan(radius) ? PERP_E_NUMBER : PERP_E_ARGUMENT,
                       "hi[%d] = %g, the radius of a ball, is not finite and at least 0", first,
                       radius);
}

static perp_status validate_coefficients(const perp_cone *c, int i, perp_error *e)
{
    if (!c->mu) return perp_refuse(e, PERP_E_ARGUMENT, "mu must not be NULL with findex");
    double mu = c->mu[i], s = c->s ? c->s[i] : mu;
    if (!isfinite(mu)) return perp_refuse(e, PERP_E_NUMBER, "mu[%d] = %g is not finite", i, mu);
    if (mu < 0) return perp_refuse(e, PERP_E_ARGUMENT, "mu[%d] = %g is negative", i, mu);
    if (s >= 0 && s <= mu) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT, "s[%d] = %g is not between 0 and mu = %g", i, s, mu);
}

static perp_status validate_follower(const perp_cone *c, int i, perp_error *e)
{
    int k = master_of(c, i);
    if (k == -1) return PERP_SOLVED;
    if (k < 0 || k >= c->n) {
        return perp_refuse(e, PERP_E_ARGUMENT, "findex[%d] = %d is not in -1 .. %d", i, k,
                           c->n - 1);
    }
    if (k == i) return perp_refuse(e, PERP_E_ARGUMENT, "findex[%d] points at itself", i);
    if (c->follows[k] >= 0 || group_of(c, k) >= 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "findex[%d] = %d points at a row that %s", i, k,
                           c->follows[k] >= 0 ? "follows another" : "is in a ball");
    }
    bool leads = group_of(c, i) < 0 || group_of(c, i) == i;
    return leads ? validate_coefficients(c, i, e) : PERP_SOLVED;
}

static perp_status validate_form(const perp_cone *c, perp_error *e)
{
    const perp_body_form body = body_of(c);
    if (c->form == PERP_FORM_BODY) return perp_body_validate(&body, e);
    perp_status status = perp_check_view(&c->W, c->n, c->n, "W", c->n == 0, e);
    return status ? status : perp_check_vector(c->q, c->n, "q", false, e);
}

static perp_status cone_validate(const perp_problem *p, perp_error *e)
{
    const perp_cone *c = &p->as.cone;
    int n = c->n;
    if (n < 0) return perp_refuse(e, PERP_E_ARGUMENT, "n = %d is negative", n);
    if (c->form != PERP_FORM_LOCAL && c->form != PERP_FORM_BODY) {
        return perp_refuse(e, PERP_E_ARGUMENT, "form %d is neither local nor body", (int)c->form);
    }
    perp_status status = validate_form(c, e);
    if (!status) status = perp_check_bounds(c->lo, c->hi, n, "lo", "hi", e);
    if (!status) status = perp_check_vector(c->s, n, "s", true, e);
    for (int i = 0; i < n && !status; i++) {
        status = validate_group(c, i, e);
        if (!status) status = validate_follower(c, i, e);
    }
    return status;
}

/* ---- scales ---- */

/* The diagonal of W, its mean over the rows of a cone or a ball; 1 where that is not positive. */
static const double *block_units(const perp_cone *c, const perp_cone_set *t, perp_arena *a)
{
    double *d = perp_has_entries(&c->W) ? perp_alloc(a, (size_t)c->n, sizeof *d) : NULL;
    if (!d) return NULL;
    perp_formats[c->W.format]->read_diagonal(&c->W, d);
    for (int b = 0; b < t->blocks; b++) {
        const int *row = t->row + t->block[b].first;
        double mean = 0;
        for (int i = 0; i < t->block[b].count; i++) mean += d[row[i]] / t->block[b].count;
        for (int i = 0; i < t->block[b].count; i++) d[row[i]] = mean > 0 ? mean : 1;
    }
    return d;
}

static void cone_scale(const perp_problem *p, perp_arena *a, perp_scales *s)
{
    const perp_cone *c = &p->as.cone;
    *s = (perp_scales){.s = {NAN, 1, 1}}; /* no memory: nothing can be certified */
    perp_cone_set *t = perp_alloc(a, 1, sizeof *t);
    if (a->failed || !perp_cone_set_open(t, a, c)) return;
    s->blocks = t;
    if (c->form == PERP_FORM_LOCAL) s->unit = block_units(c, t, a);
    if (a->failed) return;
    perp_mark mark = perp_arena_mark(a);
    double *z = perp_alloc(a, (size_t)c->n, sizeof *z);
    if (a->failed) return;
    for (int b = 0; b < t->blocks; b++) {
        const perp_cone_block *k = &t->block[b];
        if (k->type == PERP_CONE_BOX) z[t->row[k->first]] = box_project(0, k->lo, k->hi);
    }
    const perp_body_form body = body_of(c);
    if (c->form == PERP_FORM_BODY)
        perp_body_scales(&body, z, a, s->s);
    else
        s->s[0] = perp_scale_affine(c->n, &c->W, c->q, z, a);
    if (!a->failed) perp_arena_release(a, mark);
}

/* ---- the residual ---- */

static bool cone_slack(const perp_problem *p, const double *z, perp_sums *t)
{
    const perp_cone *c = &p->as.cone;
    const perp_body_form body = body_of(c);
    if (c->form == PERP_FORM_BODY) {
        perp_body_slack(&body, z, t);
        return true;
    }
    perp_sums_add(t, 0, 1, &c->W, z);
    perp_sums_add_vector(t, 0, c->n, 1, c->q);
    return true;
}

/* Local vectors of a block lie in the scratch of n numbers from where the block begins. */
typedef struct room {
    double *z, *v, *map;
} room;

static room find_room(const perp_scales *s, int n, int b)
{
    double *x = s->scratch + s->blocks->block[b].first;
    return (room){x, x + n, x + 2 * (size_t)n};
}

/* D (z - P(z - v / D)) of block b into r.map. */
static void measure_map(const perp_cone_set *t, int b, double D, room *r)
{
    int count = t->block[b].count;
    bool known = true;
    for (int i = 0; i < count; i++) {
        r->v[i] /= D;
        known = known && isfinite(r->v[i]);
    }
    perp_cone_set_natural(t, b, r->z, r->v, r->map);
    for (int i = 0; i < count; i++) r->map[i] = known ? r->map[i] * D : NAN; /* beyond numbers */
}

/* The rounding of the maps of a cone or ball themselves: of v, of the excess of z where that is not
 * so far inside that the map is v, and of what is too small to be a number before D multiplies. */
static double find_own(const perp_cone_set *t, int b, double D, const double *z, const double *u,
                       const double *error)
{
    const perp_cone_block *k = &t->block[b];
    double most = 0, edges = 0, grow = 1, unit = D > 1 ? D : 1, least = D < 1 ? D : 1;
    for (int i = 0; i < k->count; i++) most += fabs(u[i]) + error[i];
    for (int g = k->group; g < k->group + k->groups; g++) grow += t->group[g].mu;
    int parts = k->type == PERP_CONE_GROUPS ? k->groups : 1;
    for (int g = 0; g < parts; g++) {
        const perp_cone_group *p = k->groups ? &t->group[k->group + g] : NULL;
        int at = p ? p->first - k->first : 0, count = p ? p->count : k->count;
        double length = perp_cone_set_length(count, z + at);
        double excess = perp_cone_set_excess(count, z + at, p ? p->mu : k->hi, p ? z[0] : 1);
        double edge = fabs(excess) + 1.5e-16 * length; /* 1e-30 |z_g|: squares in pairs */
        if (!(length > 1e-140 && length < 1e140)) edge += length;
        if (-least * excess > 4 * grow * grow * most) edge = 0;
        edges += edge < 2 * length ? edge : 2 * length;
    }
    double own = (16 + 16.0 * k->count) * DBL_EPSILON;
    return own * (unit * edges + grow * most) + 32 * unit * grow * DBL_TRUE_MIN;
}

/* What errors of u change in the maps, all blocks together; P does not enlarge them. */
static double find_spread(const perp_problem *p, const perp_scales *s, const double *z,
                          const double *u, const double *error, double *map)
{
    const perp_cone_set *t = s->blocks;
    int n = p->as.cone.n;
    for (int b = 0; b < t->blocks; b++) {
        const perp_cone_block *k = &t->block[b];
        room r = find_room(s, n, b);
        perp_cone_set_gather(t, b, z, r.z);
        perp_cone_set_gather(t, b, u, r.v);
        perp_cone_set_gather(t, b, error, r.map);
        if (k->type != PERP_CONE_BOX) {
            double D = s->unit ? s->unit[t->row[k->first]] : 1;
            double own = find_own(t, b, D, r.z, r.v, r.map);
            perp_cone_set_law(t, b, r.map, r.map); /* the errors grow as u does */
            r.map[0] += own;
        }
        perp_cone_set_scatter(t, b, r.map, map);
    }
    return vector_norm(n, map);
}

/* Violations of a cone or a ball; r.v is u. */
static void add_violations(const perp_cone_set *t, int b, const room *r, perp_residual *res)
{
    const perp_cone_block *k = &t->block[b];
    double open = 0, work = 0;
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *p = &t->group[g];
        int at = p->first - k->first;
        double out = perp_cone_set_excess(p->count, r->z + at, p->mu, r->z[0]);
        res->primal = perp_worst(res->primal, kind_positive(out));
        double length = perp_cone_set_length(p->count, r->v + at);
        open += (p->mu - p->s) * length;
        work += p->s * length * r->z[0];
    }
    if (k->type == PERP_CONE_GROUPS) {
        res->primal = perp_worst(res->primal, kind_positive(-r->z[0]));
        res->dual = perp_worst(res->dual, kind_positive(open - r->v[0]));
    } else {
        double out = perp_cone_set_excess(k->count, r->z, k->hi, 1);
        res->primal = perp_worst(res->primal, kind_positive(out));
        work += k->hi * perp_cone_set_length(k->count, r->v); /* u'z is least at the boundary */
    }
    for (int i = 0; i < k->count; i++) work += r->z[i] * r->v[i];
    res->complementarity = perp_worst(res->complementarity, fabs(work));
}

/* The map of block b into map, that of its units into the room of the block, and violations. */
static void measure_block(const perp_scales *s, int n, int b, const double *z, const double *u,
                          double *map, perp_residual *res)
{
    const perp_cone_set *t = s->blocks;
    const perp_cone_block *k = &t->block[b];
    int first = t->row[k->first];
    double D = s->unit ? s->unit[first] : 1;
    room r = find_room(s, n, b);
    if (k->type == PERP_CONE_BOX) {
        map[first] = box_natural(z[first], u[first], k->lo, k->hi);
        r.map[0] = box_units(z[first], u[first], k->lo, k->hi, D);
        box_violations(z[first], u[first], k->lo, k->hi, res);
        return;
    }
    perp_cone_set_gather(t, b, z, r.z);
    perp_cone_set_gather(t, b, u, r.v);
    add_violations(t, b, &r, res);
    perp_cone_set_law(t, b, r.v, r.v);
    measure_map(t, b, 1, &r);
    perp_cone_set_scatter(t, b, r.map, map);
    /* Cones have no size of their own: at z = 0 both maps are the same. */
    bool same = D == 1 || (k->type == PERP_CONE_GROUPS && vector_max(k->count, r.z) == 0);
    if (!same) measure_map(t, b, D, &r);
}

static void add_equations(const perp_cone *c, const perp_scales *s, const double *w,
                          const double *error, double *map, perp_residual *r)
{
    const perp_body_form body = body_of(c);
    int n = c->n, nv = perp_body_velocities(&body), nl = perp_body_equalities(&body);
    double equations = perp_body_equations(&body, w, s->s);
    for (int i = n; i < n + nv + nl; i++) map[i] = w[i];
    r->absolute += vector_norm(nv, w + n) + vector_norm(nl, w + n + nv);
    r->value += equations;
    r->natural += equations;
    r->units += equations;
    if (error) {
        r->bound += perp_body_equations(&body, error, s->s) +
                    (n + nv + nl + 16.0) * DBL_EPSILON * equations;
    }
    r->dual = perp_worst(r->dual, vector_max(nv + nl, w + n));
}

static void cone_residual(const perp_problem *p, const perp_scales *s, const double *z,
                          const double *w, const double *error, double *map, perp_residual *r)
{
    int n = p->as.cone.n;
    *r = (perp_residual){.omega = NAN, .floor = NAN};
    double off = error ? find_spread(p, s, z, w, error, map) : INFINITY;
    for (int b = 0; b < s->blocks->blocks; b++) measure_block(s, n, b, z, w, map, r);
    r->absolute = vector_norm(n, map);
    double units = s->unit ? vector_norm(n, s->scratch + 2 * (size_t)n) : r->absolute;
    kind_finish(n, s->s[0], units, off, r);
    if (p->as.cone.form == PERP_FORM_BODY) add_equations(&p->as.cone, s, w, error, map, r);
}

static perp_status cone_measure(const perp_problem *p, const perp_scales *s, const double *z,
                                double *w, double tol, perp_arena *a, perp_residual *r)
{
    static const perp_measuring how = {.slack = cone_slack, .residual = cone_residual};
    perp_scales own = *s;
    perp_mark mark = perp_arena_mark(a);
    own.scratch = perp_alloc_unset(a, 3 * (size_t)p->as.cone.n, sizeof *own.scratch);
    if (a->failed) return PERP_E_MEMORY;
    perp_status status = perp_measure_sums(&how, p, &own, z, w, tol, a, r);
    perp_arena_release(a, mark);
    return status;
}

/* ---- the local form ---- */

typedef struct bodies {
    perp_reduction e;
    size_t rows, rest; /* numbers of z, of (v, l) */
} bodies;

static void drop_velocities(const void *ctx, const double *z, double *local)
{
    const bodies *t = ctx;
    if (t->rows) memcpy(local, z, t->rows * sizeof *local);
}

/* Zeros where it is not finite, which the certificate refuses. */
static void find_velocities(const void *ctx, const double *local, double *z)
{
    const bodies *t = ctx;
    if (t->rows) memcpy(z, local, t->rows * sizeof *z);
    if (perp_reduction_back(&t->e, local, z + t->rows)) return;
    for (size_t i = 0; i < t->rest; i++) z[t->rows + i] = 0;
}

/* A proof d of the local form has H d + G l = 0: v is the velocity that it gives the bodies, 0 but
 * for rounding. */
static void find_multipliers(const void *ctx, const double *local, double *z)
{
    const bodies *t = ctx;
    size_t nv = (size_t)perp_body_velocities(&t->e.from);
    if (t->rows) memcpy(z, local, t->rows * sizeof *z);
    bool known = perp_reduction_act(&t->e, local, z + t->rows);
    for (size_t i = 0; i < (known ? nv : t->rest); i++) z[t->rows + i] = 0;
}

static perp_status cone_settle(const perp_solver *s, perp_arena *a, perp_lift *lift, perp_error *e)
{
    perp_cone *c = &lift->problem.as.cone;
    if (c->form == PERP_FORM_LOCAL || s->flags & PERP_SOLVER_READS_BODY) return PERP_SOLVED;
    bodies *t = perp_alloc(a, 1, sizeof *t);
    perp_cone *own = perp_alloc(a, 1, sizeof *own);
    double *q = perp_alloc(a, (size_t)c->n, sizeof *q);
    if (a->failed) return perp_lift_refuse_memory(e);
    *own = *c; /* the elimination keeps its matrices */
    const perp_body_form body = body_of(own);
    perp_key key = perp_reduction_key(&body);
    perp_status status = perp_reduction_open(&body, key, true, a, q, &t->e, e);
    if (status) return status;
    t->rows = (size_t)c->n;
    t->rest = (size_t)perp_body_velocities(&body) + (size_t)perp_body_equalities(&body);
    lift->up = drop_velocities;
    lift->down = find_velocities;
    lift->down_proof = find_multipliers;
    lift->ctx = t;
    c->form = PERP_FORM_LOCAL;
    c->W = t->e.W;
    c->q = q;
    return PERP_SOLVED;
}

const perp_kind_ops perp_ops_cone = {
    .sizes = cone_sizes,
    .fields = cone_fields,
    .form = PERP_AT(cone.form),
    .forms = cone_forms,
    .size = cone_size,
    .validate = cone_validate,
    .scale = cone_scale,
    .measure = cone_measure,
    .settle = cone_settle,
};
