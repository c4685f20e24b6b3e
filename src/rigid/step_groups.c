/* rigid/step_groups.c: all contact problems of a step: one of everything, or one of each contact
 * group, which threads take from a common counter. Each group is copied out with the bodies that it
 * touches, solved alone, and written back to places of its own, so that the bits do not depend on
 * who solved what. */
#include "base/team.h"
#include "step.h"

typedef struct task {
    int group, contacts, joints;
} task;

typedef struct work {
    const perp_rigid *s;
    const perp_step_options *o;
    const perp_rigid_groups *g;
    const int *joint_start, *joint_order; /* joints by group, as contacts are */
    const int *joint_row;                 /* first row of each joint */
    int tasks;
    const task *task;
    perp_arena *scratch;
    int **local; /* of each member: the local number of a body, -1 */
    double *v, *r, *l;
    perp_solved *solved; /* of each task */
    atomic_int next;
} work;

/* ---- one group -------------------------------------------------------------------------- */

typedef struct part {
    perp_rigid s;
    perp_body *body;
    perp_contact *contact;
    perp_joint *joint;
    int *global; /* of each body */
    double *v, *r, *l;
} part;

static int take_body(const perp_rigid *s, int k, int *local, part *p)
{
    if (k < 0) return k;
    if (local[k] < 0) {
        local[k] = p->s.bodies;
        p->global[p->s.bodies] = k;
        p->body[p->s.bodies++] = s->body[k];
    }
    return local[k];
}

static bool make_part(const task *t, perp_arena *a, part *p)
{
    size_t contacts = (size_t)t->contacts, joints = (size_t)t->joints;
    size_t bodies = 2 * (contacts + joints);
    p->body = perp_alloc_unset(a, bodies, sizeof *p->body);
    p->global = perp_alloc_unset(a, bodies, sizeof *p->global);
    p->contact = perp_alloc_unset(a, contacts, sizeof *p->contact);
    p->joint = perp_alloc_unset(a, joints, sizeof *p->joint);
    p->v = perp_alloc_unset(a, 6 * bodies, sizeof *p->v);
    p->r = perp_alloc_unset(a, 3 * contacts, sizeof *p->r);
    p->l = perp_alloc_unset(a, 6 * joints, sizeof *p->l);
    return !a->failed;
}

static void copy_rows(const work *w, int joint, double *own, int *at, bool back)
{
    int count = perp_joint_count(w->s->joint[joint].kind);
    double *all = w->l + w->joint_row[joint];
    for (int i = 0; i < count; i++, (*at)++) {
        if (back)
            all[i] = own[*at];
        else
            own[*at] = all[i];
    }
}

static void copy_out(const work *w, const task *t, int *local, part *p)
{
    const int *contact = w->g->order + w->g->start[t->group];
    const int *joint = w->joint_order + w->joint_start[t->group];
    p->s = *w->s;
    p->s.bodies = 0;
    p->s.contacts = t->contacts;
    p->s.joints = t->joints;
    for (int i = 0; i < t->contacts; i++) {
        perp_contact *c = p->contact + i;
        *c = w->s->contact[contact[i]];
        c->a = take_body(w->s, c->a, local, p);
        c->b = take_body(w->s, c->b, local, p);
        memcpy(p->r + 3 * (size_t)i, w->r + 3 * (size_t)contact[i], 3 * sizeof *p->r);
    }
    for (int i = 0, row = 0; i < t->joints; i++) {
        perp_joint *j = p->joint + i;
        *j = w->s->joint[joint[i]];
        j->a = take_body(w->s, j->a, local, p);
        j->b = take_body(w->s, j->b, local, p);
        copy_rows(w, joint[i], p->l, &row, false);
    }
    p->s.body = p->body;
    p->s.contact = p->contact;
    p->s.joint = p->joint;
}

static void copy_back(const work *w, const task *t, const part *p)
{
    const int *contact = w->g->order + w->g->start[t->group];
    const int *joint = w->joint_order + w->joint_start[t->group];
    for (int k = 0; k < p->s.bodies; k++) {
        if (p->body[k].kind != PERP_BODY_FREE) continue; /* others may be in several groups */
        memcpy(w->v + 6 * (size_t)p->global[k], p->v + 6 * (size_t)k, 6 * sizeof *p->v);
    }
    for (int i = 0; i < t->contacts; i++)
        memcpy(w->r + 3 * (size_t)contact[i], p->r + 3 * (size_t)i, 3 * sizeof *p->r);
    for (int i = 0, row = 0; i < t->joints; i++) copy_rows(w, joint[i], p->l, &row, true);
}

static void solve_group(const work *w, int k, int member)
{
    perp_arena *a = w->scratch + member;
    perp_mark mark = perp_arena_mark(a);
    perp_solved *out = w->solved + k;
    part p;
    if (make_part(w->task + k, a, &p)) {
        copy_out(w, w->task + k, w->local[member], &p);
        perp_step_solve(&p.s, w->o, a, p.v, p.r, p.l, out);
        if (out->status >= 0) copy_back(w, w->task + k, &p);
        for (int i = 0; i < p.s.bodies; i++) w->local[member][p.global[i]] = -1;
    } else {
        *out = (perp_solved){.status = PERP_E_MEMORY,
                             .model_residual = NAN,
                             .detail = "the scratch arena has no room"};
    }
    perp_arena_release(a, mark);
}

static void take_groups(void *ctx, perp_team *team, int member)
{
    work *w = ctx;
    (void)team;
    for (int k; (k = atomic_fetch_add(&w->next, 1)) < w->tasks;) solve_group(w, k, member);
}

/* ---- all groups -------------------------------------------------------------------------- */

static void list_joints(const perp_rigid *s, const perp_rigid_groups *g, int *start, int *order,
                        int *row)
{
    for (int k = 0, rows = 0; k < s->joints; k++) {
        row[k] = rows;
        rows += perp_joint_count(s->joint[k].kind);
        start[g->joint[k] + 1]++;
    }
    for (int i = 0; i < g->count; i++) start[i + 1] += start[i];
    for (int k = 0; k < s->joints; k++) order[start[g->joint[k]]++] = k;
    for (int i = g->count; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

/* Groups with something to solve. */
static int list_tasks(const perp_rigid_groups *g, const int *joint_start, task *out)
{
    int count = 0;
    for (int k = 0; k < g->count; k++) {
        task t = {k, g->start[k + 1] - g->start[k], joint_start[k + 1] - joint_start[k]};
        if (t.contacts + t.joints > 0) out[count++] = t;
    }
    return count;
}

/* Everything that members need, before they start. NULL lists: no memory. */
static bool prepare(work *w, perp_arena *a, const perp_rigid_groups *g, int threads)
{
    const perp_rigid *s = w->s;
    int *start = perp_alloc(a, (size_t)g->count + 1, sizeof *start);
    int *order = perp_alloc_unset(a, (size_t)s->joints, sizeof *order);
    int *row = perp_alloc_unset(a, (size_t)s->joints, sizeof *row);
    task *list = perp_alloc_unset(a, (size_t)g->count, sizeof *list);
    w->local = perp_alloc(a, (size_t)threads, sizeof *w->local);
    if (a->failed) return false;
    list_joints(s, g, start, order, row);
    w->joint_start = start;
    w->joint_order = order;
    w->joint_row = row;
    w->tasks = list_tasks(g, start, list);
    w->task = list;
    w->solved = perp_alloc(a, (size_t)w->tasks, sizeof *w->solved);
    for (int k = 0; k < threads; k++) {
        w->local[k] = perp_alloc_unset(a, (size_t)s->bodies, sizeof **w->local);
        if (!w->local[k]) return false;
        memset(w->local[k], 0xff, (size_t)s->bodies * sizeof **w->local); /* -1 */
    }
    return !a->failed;
}

static void add_up(const perp_solved *one, perp_step_report *report)
{
    report->groups++;
    report->assemble_seconds += one->assemble_seconds;
    report->solve_seconds += one->solve_seconds;
    if (one->iterations > report->iterations) report->iterations = one->iterations;
    report->model_residual = fmax(report->model_residual, one->model_residual); /* NAN: none yet */
    report->contact_work += one->work.contacts;
    report->restitution_scale = fmin(report->restitution_scale, one->restitution_scale);
    if (one->status == PERP_SOLVED) {
        if (one->residual > report->residual) report->residual = one->residual;
        return;
    }
    if (one->status > 0) report->unsolved++;
    bool refused = one->status < 0 && report->status >= 0;
    bool worse = report->status >= 0 && (report->status == 0 || one->residual > report->residual);
    if (refused || worse) {
        report->status = one->status;
        memcpy(report->detail, one->detail, sizeof one->detail);
    }
    if (one->status > 0 && one->residual > report->residual) report->residual = one->residual;
}

/* Velocities of who touches nothing; others are overwritten. */
static void move_freely(const perp_rigid *s, double *v)
{
    for (int k = 0; k < s->bodies; k++, v += 6) {
        const perp_body *b = s->body + k;
        perp_mass mass;
        double a[6] = {0};
        perp_body_velocity(s, k, v);
        if (b->kind != PERP_BODY_FREE || !perp_body_mass(b, &mass)) continue;
        perp_body_accelerate(b, &mass, s->gyroscopic, a);
        for (int i = 0; i < 6; i++) v[i] += s->dt * a[i];
    }
}

static bool solve_groups(work *w, perp_step_report *report)
{
    perp_arena *a = w->scratch;
    perp_rigid_groups g;
    perp_error e = {.status = PERP_SOLVED};
    if (perp_rigid_group(w->s, a, &g, &e)) {
        report->status = e.status;
        memcpy(report->detail, e.text, sizeof e.text);
        return true;
    }
    w->g = &g;
    int threads = w->o->threads > 1 ? w->o->threads : 1;
    if (!prepare(w, a, &g, threads)) return false;
    move_freely(w->s, w->v);
    if (threads > w->tasks) threads = w->tasks;
    perp_team team;
    if (threads > 1) {
        perp_team_open(&team, threads, take_groups, w);
        perp_team_go(&team);
        perp_team_close(&team);
    } else {
        take_groups(w, NULL, 0);
    }
    for (int k = 0; k < w->tasks; k++) add_up(w->solved + k, report);
    return true;
}

void perp_step_solve_all(const perp_rigid *s, const perp_step_options *o, perp_arena *scratch,
                         double *v, double *r, double *l, perp_step_report *report)
{
    perp_mark mark = perp_arena_mark(scratch);
    perp_error e = {.status = PERP_SOLVED};
    perp_solved one;
    if (o->single_problem && perp_rigid_validate(s, &e)) {
        report->status = e.status;
        memcpy(report->detail, e.text, sizeof e.text);
    } else if (o->single_problem) {
        perp_step_solve(s, o, scratch, v, r, l, &one);
        add_up(&one, report);
    } else {
        work w = {.s = s, .o = o, .scratch = scratch, .v = v, .r = r, .l = l};
        if (!solve_groups(&w, report)) {
            report->status = PERP_E_MEMORY;
            memcpy(report->detail, "the scratch arena has no room", 30);
        }
    }
    perp_arena_release(scratch, mark);
}
