/* fc3d/sweep.c: the variant of a sweep, the local solvers by name, and the run of one sweep.
 * Block Gauss-Seidel for contacts: Jean and Moreau (1992); Renouf, Acary and Dumont (2005), 6.2. */
#include "sweep.h"

#include "base/vector.h"
#include "base/watch.h"
#include "colour.h"
#include "contact_matrix.h"
#include "contact_update.h"
#include "core/internal.h"
#include "sweep_variant.h"

#define NEWTON_STEPS 15
#define PROJECTIONS 10
#define SLICE 4096 /* places between two looks at the watch, about a millisecond */
#define SINGULAR 4 /* units of rounding, times |W_TT|^2: a smaller det S is 0 */

static size_t scratch_doubles(perp_contact_solver local, int facets)
{
    return local == PERP_CONTACT_SOLVER_QP ? perp_contact_qp_doubles(facets)
                                           : perp_contact_pyramid_doubles(facets);
}

static size_t scratch_ints(perp_contact_solver local, int facets)
{
    return local == PERP_CONTACT_SOLVER_QP ? perp_contact_qp_ints(facets)
                                           : perp_contact_pyramid_ints(facets);
}

/* On the pyramid, by Lemke or as a QP; r stays where it fails. */
static void resolve_faceted(const perp_sweep *s, int place, int member, const double q[3],
                            double r[3])
{
    size_t n = (size_t)s->facets + 2, m = (size_t)member;
    double *doubles = s->doubles + m * scratch_doubles(s->local, s->facets);
    int *ints = s->ints + m * scratch_ints(s->local, s->facets);
    const double *matrix = s->pyramid + n * n * (size_t)place, *W = s->W + 9 * (size_t)place;
    if (s->local == PERP_CONTACT_SOLVER_QP)
        perp_contact_qp(matrix, W, q, s->facets, doubles, ints, r);
    else
        perp_contact_lemke(matrix, W, q, s->facets, s->pivots, doubles, ints, r);
}

void perp_sweep_resolve(const perp_sweep *s, int place, int member, const double u[3], double r[3])
{
    perp_contact_block *k = &s->block[place];
    if (s->local == PERP_CONTACT_SOLVER_AUTO && k->plain && perp_contact_step_from(k, u, r)) return;
    const double *W = s->W + 9 * (size_t)place;
    double q[3];
    if (s->local == PERP_CONTACT_SOLVER_DIAGONAL) {
        perp_contact_diagonal(W, k->mu, u, r);
        return;
    }
    for (int i = 0; i < 3; i++) q[i] = u[i] - (W[i] * r[0] + W[i + 3] * r[1] + W[i + 6] * r[2]);
    switch (s->local) {
    case PERP_CONTACT_SOLVER_NEWTON:
        perp_contact_newton(W, q, k->mu, PERP_ALART_CURNIER, NEWTON_STEPS, r);
        return;
    case PERP_CONTACT_SOLVER_ENUMERATE: perp_contact_enumerate(W, k, q, r); return;
    case PERP_CONTACT_SOLVER_PROJECTION: perp_contact_project(W, q, k->mu, PROJECTIONS, r); return;
    case PERP_CONTACT_SOLVER_EXPLICIT: perp_contact_explicit(k, q, r); return;
    case PERP_CONTACT_SOLVER_LEMKE:
    case PERP_CONTACT_SOLVER_QP: resolve_faceted(s, place, member, q, r); return;
    default: perp_contact_solve(W, k, q, r);
    }
}

/* What a local solver divides by has to be there; the others take a block of any rank. */
static perp_status refuse_local(perp_run *run, const perp_sweep *s, int contact, bool prepared,
                                const double W[9], const perp_contact_block *k)
{
    double tangent = fabs(W[4]) + fabs(W[5]) + fabs(W[7]) + fabs(W[8]);
    bool singular = !prepared || fabs(k->det) <= SINGULAR * 2.2e-16 * tangent * tangent;
    if (s->local == PERP_CONTACT_SOLVER_EXPLICIT && singular) {
        return perp_fail(run, PERP_E_NUMBER,
                         "the diagonal block of contact %d is singular: local = explicit divides "
                         "by it",
                         contact);
    }
    if (s->local != PERP_CONTACT_SOLVER_DIAGONAL) return PERP_SOLVED;
    for (int i = 0; i < 3; i++) {
        if (W[4 * i] > 0) continue;
        return perp_fail(run, PERP_E_NUMBER,
                         "%s = %g of contact %d is not positive: local = diagonal divides by it",
                         i ? "W_TT" : "W_NN", W[4 * i], contact);
    }
    return PERP_SOLVED;
}

/* The block of a place; refuses a bad one. */
static perp_status prepare(perp_run *run, perp_sweep *s, int place)
{
    int contact = s->order ? s->order[place] : place;
    perp_contact_block *k = &s->block[place];
    double *W = s->W + 9 * (size_t)place, size = 0;
    s->ops->block(s, place, W);
    bool prepared = perp_contact_prepare(W, run->problem->as.fc3d.mu[contact], k);
    for (int i = 0; i < 9; i++) size += fabs(W[i]);
    if (!isfinite(size) || (W[0] > 0 && !isfinite(k->det))) {
        return perp_fail(run, PERP_E_NUMBER, "the diagonal block of contact %d overflows", contact);
    }
    perp_status status = refuse_local(run, s, contact, prepared, W, k);
    if (status) return status;
    if (s->pyramid) {
        size_t n = (size_t)s->facets + 2;
        perp_contact_pyramid(W, k->mu, s->facets, s->pyramid + n * n * (size_t)place);
    }
    return PERP_SOLVED;
}

static void wait_for(const perp_sweep *s, int part)
{
    if (part >= 0) perp_flag_wait(&s->parts->part[part].done, s->team.round);
}

static void sweep_part(perp_sweep *s, perp_dissection_part *p, int member)
{
    if (p->whole) {
        wait_for(s, p->after);
        s->ops->places(s, p->first, p->to, member);
    } else {
        wait_for(s, p->child[PERP_PART_FIRST]);
        wait_for(s, p->child[PERP_PART_NEAR]);
        s->ops->places(s, p->from, p->to, member);
        wait_for(s, p->child[PERP_PART_FAR]);
    }
    perp_flag_set(&p->done, s->team.round);
}

static void sweep_alone(perp_sweep *s, int member)
{
    for (int from = 0; from < s->contacts && !s->stopped; from += SLICE) {
        int to = s->contacts - from < SLICE ? s->contacts : from + SLICE;
        s->ops->places(s, from, to, member);
        s->stopped = to < s->contacts && perp_watch_stops(s->arena);
    }
}

/* The parts of a member in their order: who waits, waits for an earlier part. */
static void work(void *ctx, perp_team *team, int member)
{
    perp_sweep *s = ctx;
    if (team->size == 1) {
        sweep_alone(s, member);
        return;
    }
    for (int k = 0; k < s->parts->count; k++) {
        if (s->parts->part[k].member == member) sweep_part(s, &s->parts->part[k], member);
    }
}

perp_key perp_sweep_key(const perp_sweep *s)
{
    if (s->reduced) return s->reduced->key;
    return perp_key_matrix(perp_key_of(PERP_WORK_REDUCTION), &s->problem->W);
}

static const perp_opened *find_order(perp_arena *a, perp_key key, perp_sweep_couple *couple,
                                     const perp_sweep *s)
{
    const perp_opened *o = perp_opened_find(a, &key);
    perp_opening g;
    perp_couplings c;
    perp_dissection parts;
    if (o) return o;
    if (!perp_opened_begin(a, &key, &g) || !couple(a, s, &c)) return NULL;
    a->work[PERP_WORK_ORDER]++;
    int *order = perp_alloc(a, (size_t)c.contacts, sizeof *order);
    if (a->failed || !perp_dissection_open(a, &c, &parts, order)) return NULL;
    if (!perp_colour(a, &c, &parts, order)) return NULL;
    g.object->info[0] = parts.count;
    g.object->info[1] = parts.leaves;
    perp_opened_part(&g, order, (size_t)c.contacts * sizeof *order);
    perp_opened_part(&g, parts.part, (size_t)parts.count * sizeof *parts.part);
    return perp_opened_end(&g);
}

/* The parts are copied: a sweep writes to them. */
bool perp_sweep_arrange(perp_arena *a, perp_key key, perp_sweep_couple *couple, perp_sweep *s)
{
    key = perp_key_number(perp_key_for(key, PERP_WORK_ORDER), 1);
    const perp_opened *o = find_order(a, key, couple, s);
    if (!o) return false;
    s->parts = perp_alloc(a, 1, sizeof *s->parts);
    perp_dissection_part *part = perp_alloc_unset(a, (size_t)o->info[0], sizeof *part);
    if (a->failed) return false;
    memcpy(part, o->part[1], (size_t)o->info[0] * sizeof *part);
    *s->parts = (perp_dissection){o->info[0], o->info[1], part};
    s->order = o->part[0];
    return true;
}

double *perp_sweep_by_place(perp_arena *a, const perp_sweep *s, const double *x)
{
    double *y = perp_alloc_unset(a, 3 * (size_t)s->contacts, sizeof *y);
    for (int p = 0; p < s->contacts && y; p++) {
        memcpy(y + 3 * (size_t)p, x + 3 * (size_t)s->order[p], 3 * sizeof *y);
    }
    return y;
}

static void allocate_common(perp_run *run, const perp_sweep_options *o, perp_sweep *s)
{
    int n = s->contacts, threads = o->threads < 1 ? 1 : o->threads;
    s->block = PERP_ALLOC(run, perp_contact_block, n);
    s->W = PERP_ALLOC(run, double, 9 * (size_t)n);
    s->error = PERP_ALLOC(run, double, n);
    if (o->freeze > 0) s->quiet = PERP_ALLOC(run, int, n);
    if (!perp_contact_is_faceted(o->local)) return;
    size_t m = (size_t)o->facets + 2;
    size_t doubles = scratch_doubles(o->local, o->facets);
    size_t ints = scratch_ints(o->local, o->facets);
    if (threads > PERP_TEAM_MOST) threads = PERP_TEAM_MOST;
    s->pyramid = PERP_ALLOC(run, double, (size_t)n *m *m);
    s->doubles = PERP_ALLOC(run, double, (size_t)threads *doubles);
    s->ints = PERP_ALLOC(run, int, (size_t)threads *ints);
}

/* The variant of each order, by the form of the problem. */
static const perp_sweep_ops *const variants[][2] = {
    [PERP_ORDER_GIVEN] =
        {[PERP_FORM_LOCAL] = &perp_sweep_columns, [PERP_FORM_BODY] = &perp_sweep_bodies},
    [PERP_ORDER_COLOURED] =
        {[PERP_FORM_LOCAL] = &perp_sweep_rows, [PERP_FORM_BODY] = &perp_sweep_bodies},
};

static perp_status open_as(perp_run *run, const perp_sweep_options *o, const perp_fc3d *problem,
                           perp_sweep *s)
{
    s->problem = problem;
    s->ops = o->variant ? o->variant : variants[o->order][problem->form];
    return s->ops->open(run, o, s);
}

static perp_status open_form(perp_run *run, const perp_sweep_options *o, perp_sweep *s)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    if (f->form == PERP_FORM_LOCAL) return open_as(run, o, f, s);
    perp_status status = open_as(run, o, f, s);
    if (status != PERP_E_FORMAT || o->variant) return status;
    s->reduced = PERP_ALLOC(run, perp_body_to_local, 1);
    if (run->arena->failed) return PERP_E_MEMORY;
    status = perp_body_to_local_open(run, s->reduced);
    if (status) return status;
    return open_as(run, o, &s->reduced->local, s);
}

/* W_NN is not negative but by rounding, as where joints leave a contact nothing to move; a contact
 * that no force opens and that closes has no solution. */
static perp_status check_normals(perp_run *run, const perp_sweep *s)
{
    const perp_fc3d *f = s->problem;
    double largest = 0;
    for (size_t p = 0; p < (size_t)s->contacts; p++) {
        for (size_t i = 0; i < 9; i += 4) largest = fmax(largest, fabs(s->W[9 * p + i]));
    }
    for (size_t p = 0; p < (size_t)s->contacts; p++) {
        int contact = s->order ? s->order[p] : (int)p;
        double qn = f->form == PERP_FORM_LOCAL ? f->q[3 * (size_t)contact] : 0;
        perp_status status = perp_contact_check_normal(run, contact, s->W[9 * p], qn, largest);
        if (status) return status;
    }
    return PERP_SOLVED;
}

/* The places of a variant that is open: their blocks, and r. */
static perp_status open_places(perp_run *run, double *z, perp_sweep *s)
{
    for (int p = 0; p < s->contacts; p++) {
        if (p % SLICE == SLICE - 1 && perp_watch_stops(run->arena)) return PERP_E_MEMORY; /* time */
        perp_status status = prepare(run, s, p);
        if (status) return status;
    }
    perp_status status = check_normals(run, s);
    if (status) return status;
    s->r = s->order ? perp_sweep_by_place(run->arena, s, z) : z;
    s->apart = s->order || run->problem->as.fc3d.form == PERP_FORM_BODY;
    return s->r ? PERP_SOLVED : PERP_E_MEMORY;
}

static void close_variant(perp_sweep *s)
{
    if (s->ops->close) s->ops->close(s);
}

static void open_team(perp_sweep *s, int threads)
{
    int leaves = s->parts ? s->parts->leaves : 1;
    perp_team_open(&s->team, threads < leaves ? threads : leaves, work, s);
    if (s->team.size > 1) perp_dissection_assign(s->parts, s->team.size);
}

perp_status perp_sweep_open(perp_run *run, const perp_sweep_options *o, double *z, perp_sweep *s)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    memset(s, 0, sizeof *s); /* not by a literal, which is made apart and copied */
    s->contacts = f->contacts;
    s->local = o->local;
    s->relaxation = o->relaxation;
    s->freeze = o->freeze;
    s->facets = o->facets;
    s->pivots = o->pivots;
    s->arena = run->arena;
    s->team.size = 1;
    allocate_common(run, o, s);
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_status status = open_form(run, o, s);
    if (status) return status;
    status = open_places(run, z, s);
    if (status)
        close_variant(s);
    else
        open_team(s, o->threads);
    return status;
}

void perp_sweep_close(perp_sweep *s)
{
    perp_team_close(&s->team);
    close_variant(s);
}

double perp_sweep_run(perp_sweep *s, bool measure)
{
    s->measure = measure;
    s->stopped = false;
    perp_team_go(&s->team);
    if (s->stopped) return INFINITY;
    if (!measure) return 0;
    double sum = 0;
    for (int p = 0; p < s->contacts; p++) sum += s->error[p];
    return sqrt(sum);
}

int perp_sweep_worst(const perp_sweep *s)
{
    int worst = 0;
    for (int p = 1; p < s->contacts; p++) worst = s->error[p] > s->error[worst] ? p : worst;
    return s->order ? s->order[worst] : worst;
}

void perp_sweep_refresh(perp_sweep *s)
{
    if (s->ops->refresh) s->ops->refresh(s);
}

void perp_sweep_write(const perp_sweep *s, double *z)
{
    for (int p = 0; p < s->contacts && s->order; p++) {
        memcpy(z + 3 * (size_t)s->order[p], s->r + 3 * (size_t)p, 3 * sizeof *z);
    }
    if (s->ops->write) s->ops->write(s, z);
    if (s->reduced) perp_body_to_local_back(s->reduced, z);
}

bool perp_sweep_continue(perp_run *run, const perp_sweep *s, double *z, bool measured,
                         double estimate)
{
    if (!measured && s->apart) return perp_continue(run, NULL, INFINITY);
    if (measured) perp_sweep_write(s, z);
    return perp_continue(run, z, estimate);
}

perp_status perp_sweep_end(perp_run *run, const perp_sweep *s, double *z)
{
    perp_sweep_write(s, z);
    bool short_of = run->status == PERP_STALLED || run->status == PERP_MAX_ITER;
    if (short_of && s->contacts > 0) {
        return perp_fail(run, run->status, "%s; the largest remaining error is at contact %d",
                         perp_status_text(run->status), perp_sweep_worst(s));
    }
    return run->status;
}
