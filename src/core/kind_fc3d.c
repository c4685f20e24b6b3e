/* core/kind_fc3d.c: Coulomb friction in 3D on the exact cone, local and body form.
 *
 * Residual |r - P_K(r - (u + mu |u_t| n))| / |q|, with rho = 1, as in Acary, Bremond and Huber, "On
 * solving contact problems with Coulomb friction: formulations and numerical comparisons" (2018);
 * in body form plus the equations. One product with each matrix, 3 numbers of scratch a contact.
 * No proof of infeasibility is defined. */
#include "base/format.h"
#include "kinds.h"
#include "method/cone.h"

enum { CONTACTS, CONTACT_ROWS, VELOCITIES, EQUALITIES };

static const perp_kind_size fc3d_sizes[] = {
    [CONTACTS] = {.offset = PERP_AT(fc3d.contacts), .label = "contacts"},
    [CONTACT_ROWS] = {.times = 3, .of = CONTACTS},
    [VELOCITIES] = {.offset = PERP_AT(fc3d.M), .place = PERP_SIZE_ROWS},
    [EQUALITIES] = {.offset = PERP_AT(fc3d.G), .place = PERP_SIZE_COLUMNS},
    {0},
};

static const char *const fc3d_forms[] = {
    [PERP_FORM_LOCAL] = "local", [PERP_FORM_BODY] = "body", NULL};

static const perp_field fc3d_fields[] = {
    {.name = "mu",
     .type = PERP_FIELD_VECTOR,
     .offset = PERP_AT(fc3d.mu),
     .rows = CONTACTS,
     .role = PERP_ROLE_FRICTION},
    {.name = "W",
     .type = PERP_FIELD_MATRIX,
     .offset = PERP_AT(fc3d.W),
     .rows = CONTACT_ROWS,
     .columns = CONTACT_ROWS,
     .form = "local"},
    {.name = "q",
     .type = PERP_FIELD_VECTOR,
     .offset = PERP_AT(fc3d.q),
     .rows = CONTACT_ROWS,
     .form = "local"},
    {.name = "M",
     .type = PERP_FIELD_MATRIX,
     .offset = PERP_AT(fc3d.M),
     .rows = VELOCITIES,
     .columns = VELOCITIES,
     .form = "body"},
    {.name = "H",
     .type = PERP_FIELD_MATRIX,
     .offset = PERP_AT(fc3d.H),
     .rows = VELOCITIES,
     .columns = CONTACT_ROWS,
     .slot = 1,
     .form = "body"},
    {.name = "G",
     .type = PERP_FIELD_MATRIX,
     .offset = PERP_AT(fc3d.G),
     .rows = VELOCITIES,
     .columns = EQUALITIES,
     .slot = 1,
     .form = "body"},
    {.name = "f",
     .type = PERP_FIELD_VECTOR,
     .offset = PERP_AT(fc3d.f),
     .rows = VELOCITIES,
     .form = "body"},
    {.name = "w",
     .type = PERP_FIELD_VECTOR,
     .offset = PERP_AT(fc3d.w),
     .rows = CONTACT_ROWS,
     .form = "body"},
    {.name = "b",
     .type = PERP_FIELD_VECTOR,
     .offset = PERP_AT(fc3d.b),
     .rows = EQUALITIES,
     .form = "body",
     .needs = "G"},
    {0},
};

static int velocities(const perp_fc3d *f)
{
    return f->M.m;
}

static int equalities(const perp_fc3d *f)
{
    return f->G.format == PERP_FORMAT_ABSENT ? 0 : f->G.n;
}

static int fc3d_size(const perp_problem *p)
{
    const perp_fc3d *f = &p->as.fc3d;
    if (f->contacts < 0 || f->contacts > INT_MAX / 3) return -1;
    int n = 3 * f->contacts;
    if (f->form == PERP_FORM_LOCAL) return n;
    return f->form == PERP_FORM_BODY ? kind_sum(kind_sum(n, velocities(f)), equalities(f)) : -1;
}

static perp_status validate_mu(const perp_fc3d *f, perp_error *e)
{
    if (f->contacts > 0 && !f->mu) {
        return perp_refuse(e, PERP_E_ARGUMENT, "mu must not be NULL");
    }
    for (int k = 0; k < f->contacts; k++) {
        double mu = f->mu[k];
        if (!isfinite(mu)) {
            return perp_refuse(e, PERP_E_NUMBER, "mu = %g of contact %d is not finite", mu, k);
        }
        if (mu < 0) {
            return perp_refuse(e, PERP_E_ARGUMENT, "mu = %g of contact %d is negative", mu, k);
        }
    }
    return PERP_SOLVED;
}

static perp_status validate_local(const perp_fc3d *f, perp_error *e)
{
    int n = 3 * f->contacts;
    perp_status status = perp_check_view(&f->W, n, n, "W", n == 0, e);
    return status ? status : perp_check_vector(f->q, n, "q", false, e);
}

static perp_status validate_body(const perp_fc3d *f, perp_error *e)
{
    int n = 3 * f->contacts, nv = velocities(f), nl = equalities(f);
    if (nv < 0 || nl < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s = %d is negative", nv < 0 ? "M.m" : "G.n",
                           nv < 0 ? nv : nl);
    }
    if (kind_sum(kind_sum(n, nv), nl) < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%d + %d + %d unknowns are too many", n, nv, nl);
    }
    perp_status status = perp_check_view(&f->M, nv, nv, "M", nv == 0 && n == 0, e);
    if (!status) status = perp_check_view(&f->H, nv, n, "H", n == 0, e);
    if (!status) status = perp_check_view(&f->G, nv, nl, "G", true, e);
    if (!status) status = perp_check_vector(f->f, nv, "f", false, e);
    if (!status) status = perp_check_vector(f->w, n, "w", true, e);
    return status ? status : perp_check_vector(f->b, nl, "b", true, e);
}

static perp_status fc3d_validate(const perp_problem *p, perp_error *e)
{
    const perp_fc3d *f = &p->as.fc3d;
    if (f->contacts < 0 || f->contacts > INT_MAX / 3) {
        return perp_refuse(e, PERP_E_ARGUMENT, "contacts = %d is %s", f->contacts,
                           f->contacts < 0 ? "negative" : "too many");
    }
    if (f->form != PERP_FORM_LOCAL && f->form != PERP_FORM_BODY) {
        return perp_refuse(e, PERP_E_ARGUMENT, "form %d is neither local nor body", (int)f->form);
    }
    /* mu last: it is as long as `contacts` says only where the matrices agree with that. */
    perp_status status = f->form == PERP_FORM_LOCAL ? validate_local(f, e) : validate_body(f, e);
    return status ? status : validate_mu(f, e);
}

/* An operator does not show its diagonal: f'M f / f'f stands for every entry of it. */
static void estimate_diagonal(const perp_fc3d *f, double *d)
{
    int nv = velocities(f);
    double fMf = 0, ff = 0;
    perp_mul(&f->M, 1, f->f, 0, d);
    for (int i = 0; i < nv; i++) {
        fMf += f->f[i] * d[i];
        ff += f->f[i] * f->f[i];
    }
    for (int i = 0; i < nv; i++) d[i] = ff > 0 ? fMf / ff : 1;
}

/* q = H' D^-1 f + w stands for the q of the local form, H' M^-1 f + w (without G). */
static double body_norm(const perp_fc3d *f, perp_arena *a)
{
    int n = 3 * f->contacts, nv = velocities(f);
    double *d = perp_alloc(a, (size_t)nv, sizeof *d), *q = perp_alloc(a, (size_t)n, sizeof *q);
    if (a->failed) return NAN;
    if (perp_has_entries(&f->M))
        perp_formats[f->M.format]->read_diagonal(&f->M, d);
    else
        estimate_diagonal(f, d);
    for (int i = 0; i < nv; i++) d[i] = f->f[i] == 0 ? 0 : f->f[i] / d[i];
    kind_copy(n, f->w, q);
    perp_mul_t(&f->H, 1, d, 1, q);
    return vector_norm(n, q);
}

static void fc3d_scale(const perp_problem *p, perp_arena *a, double s[3])
{
    const perp_fc3d *f = &p->as.fc3d;
    s[1] = s[2] = 1;
    if (f->form == PERP_FORM_LOCAL) {
        s[0] = kind_scale(vector_norm(3 * f->contacts, f->q));
        return;
    }
    perp_mark mark = perp_arena_mark(a);
    double norm = body_norm(f, a);
    s[0] = NAN; /* no memory: nothing can be certified; the arena says why */
    if (a->failed) return;
    perp_arena_release(a, mark);
    s[0] = kind_scale(norm);
    s[1] = kind_scale(vector_norm(velocities(f), f->f));
}

/* Slack of the body form, (u, M v - f - H r - G l, G'v + b). */
static void body_slack(const perp_fc3d *f, const double *z, double *w)
{
    int n = 3 * f->contacts, nv = velocities(f), nl = equalities(f);
    const double *r = z, *v = z + n, *l = v + nv;
    double *u = w, *momentum = w + n, *joints = momentum + nv;
    perp_mul_t(&f->H, 1, v, 0, u);
    kind_add(n, f->w, u);
    kind_copy(nv, f->f, momentum);
    perp_mul(&f->H, 1, r, 1, momentum);
    if (nl > 0) perp_mul(&f->G, 1, l, 1, momentum);
    perp_mul(&f->M, 1, v, -1, momentum);
    kind_copy(nl, f->b, joints);
    if (nl > 0) perp_mul_t(&f->G, 1, v, 1, joints);
}

static void measure_contact(double mu, const double r[3], const double u[3], double map[3],
                            perp_residual *res)
{
    double v[3] = {u[0] + mu * perp_cone_length(u[1], u[2]), u[1], u[2]};
    perp_cone_natural(mu, r, v, map);
    double out = perp_worst(perp_cone_length(r[1], r[2]) - mu * r[0], -r[0]);
    res->primal = perp_worst(res->primal, out);
    res->dual = perp_worst(res->dual, -u[0]);
    double work = r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
    res->complementarity = perp_worst(res->complementarity, fabs(work));
}

double perp_fc3d_equations(const perp_fc3d *f, const double *w, const double s[3])
{
    if (f->form == PERP_FORM_LOCAL) return 0;
    const double *momentum = w + 3 * f->contacts, *joints = momentum + velocities(f);
    return vector_norm(velocities(f), momentum) / s[1] + vector_norm(equalities(f), joints) / s[2];
}

static void fc3d_residual(const perp_fc3d *f, const double *z, const double *w, double *map,
                          const double s[3], perp_residual *r)
{
    int n = 3 * f->contacts;
    *r = (perp_residual){0};
    for (int k = 0; k < n; k += 3) measure_contact(f->mu[k / 3], z + k, w + k, map + k, r);
    double cone = vector_norm(n, map);
    r->absolute = cone;
    r->value = cone / s[0];
    if (f->form == PERP_FORM_LOCAL) return;
    int nv = velocities(f), nl = equalities(f);
    const double *momentum = w + n, *joints = momentum + nv;
    r->absolute += vector_norm(nv, momentum) + vector_norm(nl, joints);
    r->value += perp_fc3d_equations(f, w, s);
    r->dual = perp_worst(r->dual, vector_max(nv + nl, momentum));
}

static perp_status fc3d_measure(const perp_problem *p, const double s[3], const double *z,
                                double *w, perp_arena *a, perp_residual *r)
{
    const perp_fc3d *f = &p->as.fc3d;
    int size = fc3d_size(p), n = 3 * f->contacts;
    *r = perp_unmeasured;
    if (!vector_is_finite((size_t)size, z)) return PERP_E_NUMBER;
    if (f->form == PERP_FORM_LOCAL) {
        perp_mul(&f->W, 1, z, 0, w);
        kind_add(n, f->q, w);
    } else {
        body_slack(f, z, w);
    }
    if (!vector_is_finite((size_t)size, w)) return PERP_E_NUMBER;
    perp_mark mark = perp_arena_mark(a);
    double *map = perp_alloc_unset(a, (size_t)n, sizeof *map);
    if (map) fc3d_residual(f, z, w, map, s, r);
    perp_arena_release(a, mark);
    return map ? kind_judge(r) : PERP_E_MEMORY;
}

static perp_status fc3d_suits(const perp_problem *p, const perp_solver *s, perp_error *e)
{
    bool body = p->as.fc3d.form == PERP_FORM_BODY;
    if (body && !(s->flags & (PERP_SOLVER_READS_BODY | PERP_SOLVER_ONLY_BODY))) {
        return perp_refuse(e, PERP_E_FORMAT, "%s does not read the body form", s->name);
    }
    if (!body && (s->flags & PERP_SOLVER_ONLY_BODY)) {
        return perp_refuse(e, PERP_E_FORMAT, "%s reads the body form only", s->name);
    }
    return PERP_SOLVED;
}

const perp_kind_ops perp_ops_fc3d = {
    .sizes = fc3d_sizes,
    .fields = fc3d_fields,
    .form = PERP_AT(fc3d.form),
    .forms = fc3d_forms,
    .size = fc3d_size,
    .validate = fc3d_validate,
    .scale = fc3d_scale,
    .measure = fc3d_measure,
    .suits = fc3d_suits,
};
