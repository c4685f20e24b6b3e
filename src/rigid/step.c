/* rigid/step.c: one step: drift, contacts, impulses, drift.
 * Moreau and Jean's theta-method with an impact law (Renouf, Acary, Dumont 2005), or the linearised
 * gap, as it is or bounded, also with the fixed-point iteration on the geometry (Sauer and Schoemer
 * 1998, 2.3-2.4); first-order worlds as in Redon, Kheddar and Coquillart (2002).
 *
 * Everything is done on a copy of the bodies: a refusal leaves the world as it was. */
#include "step.h"
#include "base/vector.h"

static const perp_step_options defaults = {
    .size = sizeof(perp_step_options),
    .dt = 0.01,
    .theta = 1,
    .rule = PERP_RULE_RECOVERY,
    .margin = 0.01,
    .recovery_speed = 1,
    .restitution_threshold = 0.1,
    .form = PERP_RIGID_FORM_FC3D_LOCAL,
    .facets = 8,
    .fixed_tol = 1e-4,
    .threads = 1,
};

typedef struct stepping {
    perp_world *w;
    const perp_step_options *o; /* with all fields */
    perp_step_report *report;
    perp_step_memory *kept;
    perp_body *body;  /* as they start the step, drifted by (1 - theta) h */
    perp_body *moved; /* as contacts see them */
    double *v;        /* 6 a body, after the impulses */
    double *l;
    double *shift; /* velocities that move positions alone, 6 a body; NULL: none */
    perp_contacts *list;
    perp_error e;
} stepping;

/* ---- options ------------------------------------------------------------------------------- */

void perp_step_options_init(perp_step_options *o, size_t size)
{
    if (!o) return;
    memset(o, 0, size);
    memcpy(o, &defaults, size < sizeof defaults ? size : sizeof defaults);
    if (size >= sizeof o->size) o->size = size;
}

/* All fields: those that the caller's version of perp did not know have their defaults. */
static perp_status complete(const perp_step_options *o, perp_step_options *all, perp_error *e)
{
    *all = defaults;
    size_t size = !o ? 0 : o->size ? o->size : sizeof *all;
    if (size > sizeof *all) {
        return perp_refuse(e, PERP_E_OPTION,
                           "options of a step have %zu bytes and this perp (%s) knows %zu: the "
                           "program was built with a later version",
                           size, perp_version(), sizeof *all);
    }
    if (o) memcpy(all, o, size);
    return PERP_SOLVED;
}

/* ---- checks ------------------------------------------------------------------------------ */

static bool in_range(double x, double low, double high)
{
    return x >= low && x <= high && isfinite(x);
}

static perp_status check_numbers(const perp_step_options *o, perp_error *e)
{
    const struct {
        const char *name;
        double x, low, high;
    } row[] = {
        {"dt", o->dt, 0, INFINITY},
        {"theta", o->theta, 0.5, 1},
        {"margin", o->margin, 0, INFINITY},
        {"rolling_friction", o->rolling_friction, 0, INFINITY},
        {"air_drag", o->air_drag, 0, INFINITY},
        {"fixed_tol", o->fixed_tol, 0, INFINITY},
        {"escape_radius", o->escape_radius, 0, INFINITY},
        {"recovery_speed", o->recovery_speed, 0, INFINITY},
        {"restitution_threshold", o->restitution_threshold, 0, INFINITY},
        {"fixed_point", o->fixed_point, 0, 1000000},
        {"threads", o->threads, 0, PERP_STEP_THREADS},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        if (!in_range(row[k].x, row[k].low, row[k].high)) {
            return perp_refuse(e, PERP_E_OPTION, "%s = %g is not in %g .. %g", row[k].name,
                               row[k].x, row[k].low, row[k].high);
        }
    }
    if (!(o->dt > 0)) return perp_refuse(e, PERP_E_OPTION, "dt = %g is not positive", o->dt);
    if (!vector_is_finite(3, o->gravity))
        return perp_refuse(e, PERP_E_NUMBER, "gravity is not finite");
    return PERP_SOLVED;
}

static perp_status check_options(const perp_step_options *o, perp_error *error)
{
    perp_status status = check_numbers(o, error);
    if (status) return status;
    if (o->form < 0 || o->form >= PERP_FORMS || !perp_forms[o->form]->name)
        return perp_refuse(error, PERP_E_OPTION, "form %d is no form of a step", (int)o->form);
    if (o->rule < PERP_RULE_IMPACT || o->rule > PERP_RULE_RECOVERY)
        return perp_refuse(error, PERP_E_OPTION, "rule %d is no contact law", (int)o->rule);
    if (o->split_impulse && o->rule != PERP_RULE_RECOVERY)
        return perp_refuse(error, PERP_E_OPTION, "a split impulse needs PERP_RULE_RECOVERY");
    if (o->fixed_point > 0 && o->rule != PERP_RULE_GAP)
        return perp_refuse(error, PERP_E_OPTION, "the fixed-point iteration needs the gap rule");
    status = perp_form_facets(perp_forms[o->form], o->facets, PERP_E_OPTION, error);
    return status || !o->solver ? status : perp_options_check(o->solver, error);
}

perp_status perp_step_check(const perp_step_options *o, perp_error *error)
{
    perp_step_options all;
    perp_status status = complete(o, &all, error);
    return status ? status : check_options(&all, error);
}

static perp_status check_world(stepping *s)
{
    const perp_world *w = s->w;
    const perp_rigid all = {.bodies = w->bodies,
                            .joints = w->joints,
                            .body = w->body,
                            .joint = w->joint,
                            .dt = s->o->dt,
                            .rule = s->o->rule};
    perp_status status = check_options(s->o, &s->e);
    if (!status) status = perp_rigid_validate(&all, &s->e);
    if (!status && s->o->fixed_point > 0 && w->joints > 0) {
        return perp_refuse(&s->e, PERP_E_OPTION,
                           "the fixed-point iteration has no place for joints");
    }
    return status;
}

/* ---- before the contacts ------------------------------------------------------------------ */

static perp_status no_memory(stepping *s)
{
    return perp_refuse(&s->e, PERP_E_MEMORY, "the arenas have no room for %d bodies", s->w->bodies);
}

static perp_status open_step(stepping *s)
{
    perp_world *w = s->w;
    perp_arena *a = w->scratch;
    size_t n = (size_t)w->bodies;
    const perp_rigid joints = {.joints = w->joints, .joint = w->joint};
    s->kept = perp_step_memory_open(w, perp_rigid_joint_rows(&joints));
    s->body = perp_alloc_unset(a, n, sizeof *s->body);
    s->moved = perp_alloc_unset(a, n, sizeof *s->moved);
    s->v = perp_alloc_unset(a, 6 * n, sizeof *s->v);
    if (!s->kept || a->failed) return no_memory(s);
    s->l = s->kept->joint[!s->kept->now];
    memcpy(s->body, w->body, n * sizeof *s->body);
    return PERP_SOLVED;
}

/* Forces of the step on the copies, and the drift to where contacts are. */
static void prepare_bodies(stepping *s)
{
    const perp_step_options *o = s->o;
    if (o->dynamics == PERP_DYNAMICS_SECOND_ORDER) perp_step_drag(s->w, o, o->dt, s->body);
    for (int k = 0; k < s->w->bodies; k++) {
        perp_body *b = s->body + k;
        if (b->kind == PERP_BODY_FREE) {
            for (int i = 0; i < 3; i++) b->force[i] += b->mass * o->gravity[i];
        }
        if (b->kind == PERP_BODY_FREE && o->dynamics == PERP_DYNAMICS_FIRST_ORDER) {
            for (int i = 0; i < 3; i++) {
                b->velocity[i] = b->spin[i] = 0;
                b->force[i] /= o->dt;
                b->torque[i] /= o->dt;
            }
        }
        perp_body_drift(b, (1 - o->theta) * o->dt, o->gyroscopic);
    }
    memcpy(s->moved, s->body, (size_t)s->w->bodies * sizeof *s->moved);
}

/* ---- contacts ----------------------------------------------------------------------------- */

/* How fast a contact opens, with velocities of the bodies or, unless NULL, those of v. */
static double opening(const stepping *s, const perp_contact *c, const double *v)
{
    double speed = 0;
    const int pair[2] = {c->a, c->b};
    for (int side = 0; side < 2; side++) {
        if (pair[side] < 0) continue;
        const perp_body *b = s->moved + pair[side];
        if (b->kind == PERP_BODY_FIXED) continue;
        const double *own = v ? v + 6 * (size_t)pair[side] : NULL;
        const double *velocity = own ? own : b->velocity, *spin = own ? own + 3 : b->spin;
        double arm[3], turn[3];
        for (int i = 0; i < 3; i++) arm[i] = c->point[i] - b->position[i];
        rigid_cross(spin, arm, turn);
        double part = rigid_dot(c->normal, velocity) + rigid_dot(c->normal, turn);
        speed += side == 0 ? part : -part;
    }
    return speed;
}

static bool reads_gap(const perp_step_options *o)
{
    return o->rule == PERP_RULE_GAP || o->rule == PERP_RULE_RECOVERY;
}

/* The law reads gap / h; what is left of the step is theta h. */
static bool admit(const stepping *s, perp_contact *c, const double *v)
{
    const perp_step_options *o = s->o;
    double left = o->theta * o->dt;
    if (!reads_gap(o)) return c->gap + left * opening(s, c, NULL) < 0;
    if (v) c->gap -= left * opening(s, c, v);
    c->gap /= o->theta;
    return true;
}

static bool is_listed(const stepping *s, const perp_contact *c)
{
    int n = s->w->bodies;
    return c->a >= -1 && c->a < n && c->b >= -1 && c->b < n && isfinite(c->gap);
}

/* v: velocities that brought the bodies here, or NULL when they stand at the start. */
static perp_status find_contacts(stepping *s, const double *v)
{
    perp_world *w = s->w;
    double begin = perp_now();
    s->list = perp_step_memory_start(s->kept);
    bool found = !w->collide || w->collide(w->ctx, s->moved, w->bodies, s->o->margin, s->list);
    if (!found) {
        if (w->memory.failed) return no_memory(s);
        return perp_refuse(&s->e, PERP_E_ARGUMENT, "the search for contacts failed");
    }
    int count = 0;
    s->report->overlap = 0;
    for (int k = 0; k < s->list->count; k++) {
        perp_contact c = s->list->contact[k];
        if (is_listed(s, &c)) { /* what is wrong with others, the assembly says */
            s->report->overlap = fmax(s->report->overlap, -c.gap);
            if (!admit(s, &c, v)) continue;
        }
        s->list->contact[count++] = c;
    }
    s->list->count = count;
    s->report->collide_seconds += perp_now() - begin;
    return PERP_SOLVED;
}

/* What still overlaps at the end of the step is undone by velocities of bodies at rest, without
 * friction, which move positions alone. */
static perp_status split(stepping *s, const perp_rigid *all)
{
    perp_arena *a = s->w->scratch;
    perp_rigid still = *all;
    perp_body *body = perp_alloc_unset(a, (size_t)all->bodies, sizeof *body);
    perp_contact *contact = perp_alloc_unset(a, (size_t)all->contacts, sizeof *contact);
    double *r = perp_alloc(a, 3 * (size_t)all->contacts, sizeof *r);
    double *l = perp_alloc(a, (size_t)s->kept->joint_rows, sizeof *l);
    s->shift = perp_alloc(a, 6 * (size_t)all->bodies, sizeof *s->shift);
    if (a->failed) return no_memory(s);
    for (int k = 0; k < all->bodies; k++) {
        const perp_body *b = all->body + k;
        body[k] = perp_body_make(b->mass, 0, 0, 0);
        body[k].kind = b->kind;
        memcpy(body[k].inertia, b->inertia, sizeof b->inertia);
        memcpy(body[k].position, b->position, sizeof b->position);
        memcpy(body[k].rotation, b->rotation, sizeof b->rotation);
    }
    for (int k = 0; k < all->contacts; k++) {
        contact[k] = all->contact[k];
        contact[k].gap += all->dt * opening(s, contact + k, s->v);
        contact[k].mu = contact[k].restitution = 0;
    }
    still.body = body;
    still.contact = contact;
    still.recovery_speed = s->o->recovery_speed;
    perp_step_report own = {.model_residual = NAN};
    perp_step_solve_all(&still, s->o, a, s->shift, r, l, &own);
    s->report->iterations += own.iterations;
    s->report->unsolved += own.unsolved;
    if (own.status < 0) return perp_refuse(&s->e, own.status, "%.150s", own.detail);
    if (!own.status || s->report->status) return PERP_SOLVED;
    s->report->status = own.status;
    memcpy(s->report->detail, own.detail, sizeof own.detail);
    return PERP_SOLVED;
}

static perp_status solve_contacts(stepping *s)
{
    const perp_rigid all = {.bodies = s->w->bodies,
                            .contacts = s->list->count,
                            .joints = s->w->joints,
                            .body = s->moved,
                            .contact = s->list->contact,
                            .joint = s->w->joint,
                            .dt = s->o->dt,
                            .rule = s->o->rule,
                            .recovery_speed = s->o->split_impulse ? 0 : s->o->recovery_speed,
                            .restitution_threshold = s->o->restitution_threshold};
    perp_step_report *report = s->report;
    double *r = s->list->impulse;
    if (s->o->no_warm_start)
        memset(r, 0, 3 * (size_t)all.contacts * sizeof *r);
    else
        perp_step_memory_recall(s->kept, all.contact, all.contacts, r);
    if (s->w->joints > 0)
        memcpy(s->l, s->kept->joint[s->kept->now], (size_t)s->kept->joint_rows * sizeof *s->l);
    if (s->o->inspect) s->o->inspect(s->o->inspect_ctx, &all, r);
    report->status = PERP_SOLVED;
    report->residual = 0;
    report->detail[0] = 0;
    report->groups = report->unsolved = 0;
    report->model_residual = NAN;
    report->contact_work = 0;
    report->restitution_scale = 1;
    perp_step_solve_all(&all, s->o, s->w->scratch, s->v, r, s->l, report);
    report->contacts = all.contacts;
    if (report->status < 0) return perp_refuse(&s->e, report->status, "%.150s", report->detail);
    perp_status status = s->o->split_impulse ? split(s, &all) : PERP_SOLVED;
    if (status) return status;
    return perp_step_memory_remember(s->w, s->list) ? PERP_SOLVED : no_memory(s);
}

/* ---- motion ------------------------------------------------------------------------------- */

/* The copy of body k with its new velocities, moved to the end of the step. */
static perp_body finish_body(const stepping *s, int k)
{
    perp_body b = s->body[k];
    if (b.kind == PERP_BODY_FREE) {
        memcpy(b.velocity, s->v + 6 * (size_t)k, sizeof b.velocity);
        memcpy(b.spin, s->v + 6 * (size_t)k + 3, sizeof b.spin);
    }
    perp_body_drift(&b, s->o->theta * s->o->dt, s->o->gyroscopic);
    if (!s->shift || b.kind != PERP_BODY_FREE) return b;
    perp_body moved = b;
    memcpy(moved.velocity, s->shift + 6 * (size_t)k, sizeof moved.velocity);
    memcpy(moved.spin, s->shift + 6 * (size_t)k + 3, sizeof moved.spin);
    perp_body_drift(&moved, s->o->theta * s->o->dt, false);
    memcpy(b.position, moved.position, sizeof b.position);
    memcpy(b.rotation, moved.rotation, sizeof b.rotation);
    return b;
}

/* Poses of the end of the step where contacts are looked for: the position alone is moved in what
 * is assembled, for the impulses act on the inertia of the start. Returns the change. */
static double predict(stepping *s, perp_body *end)
{
    double sum = 0;
    for (int k = 0; k < s->w->bodies; k++) {
        perp_body b = finish_body(s, k);
        for (int i = 0; i < 3; i++) sum += pow(b.position[i] - end[k].position[i], 2);
        for (int i = 0; i < 4; i++) sum += pow(b.rotation[i] - end[k].rotation[i], 2);
        end[k] = b;
    }
    return sqrt(sum);
}

static perp_status collide_at_end(stepping *s, perp_body *end)
{
    perp_body *start = s->moved;
    s->moved = end;
    perp_status status = find_contacts(s, s->v);
    s->moved = start;
    for (int k = 0; k < s->w->bodies; k++)
        memcpy(s->moved[k].position, end[k].position, sizeof end[k].position);
    return status;
}

static perp_status iterate(stepping *s)
{
    int n = s->w->bodies;
    perp_body *end = perp_alloc_unset(s->w->scratch, (size_t)n, sizeof *end);
    if (!end) return no_memory(s);
    memcpy(end, s->body, (size_t)n * sizeof *end);
    for (int k = 0; k < n; k++) { /* as if nothing changed */
        memcpy(s->v + 6 * (size_t)k, s->body[k].velocity, 3 * sizeof *s->v);
        memcpy(s->v + 6 * (size_t)k + 3, s->body[k].spin, 3 * sizeof *s->v);
    }
    predict(s, end);
    perp_status status = PERP_SOLVED;
    double change = INFINITY;
    s->report->rounds = 0;
    while (!status && change > s->o->fixed_tol && s->report->rounds < s->o->fixed_point) {
        status = collide_at_end(s, end);
        if (!status) status = solve_contacts(s);
        if (!status) change = predict(s, end);
        s->report->rounds++;
    }
    return status;
}

static perp_status move_bodies(stepping *s)
{
    const perp_step_options *o = s->o;
    s->report->kinetic = s->report->potential = 0;
    for (int k = 0; k < s->w->bodies; k++) {
        perp_body b = finish_body(s, k);
        if (!vector_is_finite(3, b.position) || !vector_is_finite(4, b.rotation) ||
            !vector_is_finite(3, b.velocity) || !vector_is_finite(3, b.spin)) {
            return perp_refuse(&s->e, PERP_E_NUMBER, "the new position of body %d is not finite",
                               k);
        }
        if (o->escape_radius > 0 && b.kind == PERP_BODY_FREE &&
            vector_norm(3, b.position) > o->escape_radius) {
            return perp_refuse(&s->e, PERP_E_NUMBER, "body %d has escaped to (%.4g, %.4g, %.4g)", k,
                               b.position[0], b.position[1], b.position[2]);
        }
        memcpy(b.force, s->w->body[k].force, sizeof b.force);
        memcpy(b.torque, s->w->body[k].torque, sizeof b.torque);
        s->moved[k] = b;
        s->report->kinetic += perp_body_kinetic(&b);
        if (b.kind == PERP_BODY_FREE)
            s->report->potential -= b.mass * rigid_dot(o->gravity, b.position);
    }
    return PERP_SOLVED;
}

static void commit(stepping *s)
{
    perp_world *w = s->w;
    s->kept->now = !s->kept->now;
    memcpy(w->body, s->moved, (size_t)w->bodies * sizeof *w->body);
    w->contacts = s->list->count;
    w->contact = s->list->contact;
    w->impulse = s->list->impulse;
    w->joint_impulse = s->l;
    w->steps++;
    w->time += s->o->dt;
}

static perp_status step(stepping *s)
{
    perp_status status = check_world(s);
    if (!status) status = open_step(s);
    if (status) return status;
    prepare_bodies(s);
    s->report->rounds = 1;
    if (s->o->fixed_point > 0) {
        status = iterate(s);
    } else {
        status = find_contacts(s, NULL);
        if (!status) status = solve_contacts(s);
    }
    if (!status) status = move_bodies(s);
    if (!status) commit(s);
    return status;
}

perp_status perp_step(perp_world *w, const perp_step_options *o, perp_step_report *report)
{
    perp_step_report own;
    if (!report) report = &own;
    *report = (perp_step_report){.status = PERP_SOLVED, .model_residual = NAN};
    perp_step_options all;
    stepping s = {.w = w, .o = &all, .report = report};
    if (!w) {
        report->status = PERP_E_ARGUMENT;
        snprintf(report->detail, sizeof report->detail, "the world must not be NULL");
        return report->status;
    }
    perp_mark mark = perp_arena_mark(w->scratch);
    int number = w->steps + 1;
    perp_status status = complete(o, &all, &s.e);
    if (!status) status = step(&s);
    perp_arena_release(w->scratch, mark);
    char why[160];
    memcpy(why, status ? s.e.text : report->detail, sizeof why);
    why[sizeof why - 1] = 0;
    if (status) report->status = status;
    if (report->status) snprintf(report->detail, sizeof report->detail, "step %d: %s", number, why);
    return report->status;
}

void perp_world_free(perp_world *w)
{
    perp_arena_free(&w->memory);
    for (int k = 0; k < PERP_STEP_THREADS; k++) perp_arena_free(w->scratch + k);
    w->kept = NULL;
    w->contacts = 0;
    w->contact = NULL;
    w->impulse = w->joint_impulse = NULL;
}
