/* core/kind_fc3d.c: Coulomb friction in 3D on the exact cone, local and body form.
 *
 * Residual |r - P_K(r - (u + mu |u_t| n))| / |q|, with rho = 1, as in Acary, Bremond and Huber, "On
 * solving contact problems with Coulomb friction: formulations and numerical comparisons" (2018);
 * in body form plus the equations. One product with each matrix, 3 numbers of scratch a contact.
 * No proof of infeasibility is defined. */
#include "base/format.h"
#include "base/pair.h"
#include "body_form.h"
#include "distance.h"
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

static perp_body_form body_of(const perp_fc3d *f)
{
    static const perp_matrix none = {.format = PERP_FORMAT_ABSENT};
    return (perp_body_form){.rows = 3 * f->contacts,
                            .M = &f->M,
                            .H = &f->H,
                            .G = &f->G,
                            .R = &none,
                            .f = f->f,
                            .w = f->w,
                            .b = f->b};
}

static int fc3d_size(const perp_problem *p)
{
    const perp_fc3d *f = &p->as.fc3d;
    if (f->contacts < 0 || f->contacts > INT_MAX / 3) return -1;
    int n = 3 * f->contacts;
    if (f->form == PERP_FORM_LOCAL) return n;
    const perp_body_form body = body_of(f);
    return f->form == PERP_FORM_BODY ? perp_body_size(&body) : -1;
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
    const perp_body_form body = body_of(f);
    bool local = f->form == PERP_FORM_LOCAL;
    perp_status status = local ? validate_local(f, e) : perp_body_validate(&body, e);
    return status ? status : validate_mu(f, e);
}

/* The mean of the diagonal of each contact's own block, three times. */
static const double *contact_units(const perp_matrix *W, perp_arena *a)
{
    double *d = perp_has_entries(W) ? perp_alloc(a, (size_t)W->m, sizeof *d) : NULL;
    if (!d) return NULL;
    perp_formats[W->format]->read_diagonal(W, d);
    for (int k = 0; k < W->m; k += 3) {
        double mean = (d[k] + d[k + 1] + d[k + 2]) / 3;
        d[k] = d[k + 1] = d[k + 2] = mean > 0 ? mean : 1;
    }
    return d;
}

static void fc3d_scale(const perp_problem *p, perp_arena *a, perp_scales *s)
{
    const perp_fc3d *f = &p->as.fc3d;
    *s = (perp_scales){.s = {1, 1, 1}};
    if (f->form == PERP_FORM_LOCAL) {
        s->s[0] = kind_scale(vector_norm(3 * f->contacts, f->q));
        s->unit = contact_units(&f->W, a);
        return;
    }
    const perp_body_form body = body_of(f);
    perp_body_scales(&body, NULL, a, s->s);
}

/* Slack u = W r + q, and of the body form (u, M v - f - H r - G l, G'v + b). */
static bool fc3d_slack(const perp_problem *p, const double *z, perp_sums *t)
{
    const perp_fc3d *f = &p->as.fc3d;
    const perp_body_form body = body_of(f);
    if (f->form == PERP_FORM_BODY) {
        perp_body_slack(&body, z, t);
        return true;
    }
    perp_sums_add(t, 0, 1, &f->W, z);
    perp_sums_add_vector(t, 0, 3 * f->contacts, 1, f->q);
    return true;
}

/* |r_t| - mu r_n, not by the difference of two large numbers: (|r_t|^2 - (mu r_n)^2) / (their sum),
 * the squares in pairs. The rounding of r is no part of the certificate's own. */
static double find_excess(double mu, const double r[3])
{
    double t = perp_cone_length(r[1], r[2]), m = mu * r[0], rest = fma(mu, r[0], -m);
    double plain = t - m, high = 0, low = 0;
    bool far = !(fabs(plain) < 1e-6 * t), extreme = !(t > 1e-140 && t < 1e140);
    if (m <= 0 || far || extreme) return plain; /* no digits are lost, or squares cannot help */
    pair_add_product(r[1], r[1], &high, &low);
    pair_add_product(r[2], r[2], &high, &low);
    pair_add_product(-m, m, &high, &low);
    return (high + (low - 2 * m * rest)) / (t + m);
}

/* D (r - P_K(r - v / D)). */
static void measure_map(double mu, double D, const double r[3], const double v[3], double map[3])
{
    double cosine, sine;
    const double speed[3] = {v[0] / D, v[1] / D, v[2] / D};
    perp_cone_angle(mu, &cosine, &sine);
    perp_cone_natural_at(mu, cosine, sine, find_excess(mu, r), r, speed, map);
    bool known = isfinite(speed[0]) && isfinite(speed[1]) && isfinite(speed[2]);
    for (int i = 0; i < 3; i++) map[i] = known ? map[i] * D : NAN; /* beyond all numbers */
}

static void measure_contact(double mu, const double r[3], const double u[3], double map[3],
                            perp_residual *res)
{
    double v[3] = {u[0] + mu * perp_cone_length(u[1], u[2]), u[1], u[2]};
    measure_map(mu, 1, r, v, map);
    double out = perp_worst(find_excess(mu, r), -r[0]);
    res->primal = perp_worst(res->primal, out);
    res->dual = perp_worst(res->dual, -u[0]);
    double work = r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
    res->complementarity = perp_worst(res->complementarity, fabs(work));
}

double perp_fc3d_equations(const perp_fc3d *f, const double *w, const double s[3])
{
    const perp_body_form body = body_of(f);
    return f->form == PERP_FORM_LOCAL ? 0 : perp_body_equations(&body, w, s);
}

/* |D (r - P_K(r - v / D))| of all contacts, D = s->unit. */
static double measure_units(const perp_fc3d *f, const perp_scales *s, const double *r,
                            const double *u, double *map)
{
    for (int k = 0; k < 3 * f->contacts; k += 3) {
        double mu = f->mu[k / 3];
        const double v[3] = {u[k] + mu * perp_cone_length(u[k + 1], u[k + 2]), u[k + 1], u[k + 2]};
        measure_map(mu, s->unit[k], r + k, v, map + k);
    }
    return vector_norm(3 * f->contacts, map);
}

/* The error of squares summed in pairs, over 32 DBL_EPSILON |r_t|: 1e-30 |r_t|. */
#define PAIRS 1.5e-16

/* What errors of u change in the maps, all contacts together: they grow with mu in u + mu |u_t| n.
 * And the rounding of the maps themselves: of v, of the excess of r where squares cannot help it,
 * and what is too small to be a number before D multiplies it. */
static double find_spread(const perp_fc3d *f, const perp_scales *s, const double *r,
                          const double *u, const double *error, double *map)
{
    for (int k = 0; k < 3 * f->contacts; k += 3) {
        double D = s->unit && s->unit[k] > 1 ? s->unit[k] : 1, mu = f->mu[k / 3];
        double speed = perp_cone_length(u[k + 1], u[k + 2]), grow = speed > 0 ? mu : 0;
        if (error[k + 1] > 0 || error[k + 2] > 0) grow = mu;
        double t = perp_cone_length(r[k + 1], r[k + 2]);
        double excess = find_excess(mu, r + k), edge = fabs(excess), cosine, sine;
        edge += PAIRS * t;
        if (!(t > 1e-140 && t < 1e140)) edge = t + mu * fabs(r[k]);
        if (edge > t) edge = t; /* further out or in, where the map is r or v */
        perp_cone_angle(mu, &cosine, &sine);
        double most = fabs(u[k]) + error[k] + (1 + grow) * (speed + error[k + 1] + error[k + 2]);
        double least = s->unit && s->unit[k] < 1 ? s->unit[k] : 1;
        if (-least * cosine * excess > 3 * most) edge = 0; /* so far inside K the map is v */
        map[k] = error[k] + 32 * DBL_EPSILON * (D * edge + fabs(u[k]) + (1 + grow) * speed) +
                 32 * D * (1 + mu) * DBL_TRUE_MIN;
        map[k + 1] = (1 + grow) * error[k + 1];
        map[k + 2] = (1 + grow) * error[k + 2];
    }
    return vector_norm(3 * f->contacts, map);
}

static void fc3d_residual(const perp_problem *p, const perp_scales *s, const double *z,
                          const double *w, const double *error, double *map, perp_residual *r)
{
    const perp_fc3d *f = &p->as.fc3d;
    int n = 3 * f->contacts, size = perp_size(p);
    *r = (perp_residual){.omega = NAN, .floor = NAN};
    double off = error ? find_spread(f, s, z, w, error, map) : INFINITY;
    double units = s->unit ? measure_units(f, s, z, w, map) : 0;
    for (int k = 0; k < n; k += 3) measure_contact(f->mu[k / 3], z + k, w + k, map + k, r);
    for (int i = n; i < size; i++) map[i] = w[i];
    r->absolute = vector_norm(n, map);
    kind_finish(n, s->s[0], s->unit ? units : r->absolute, off, r);
    if (f->form == PERP_FORM_LOCAL) return;
    double equations = perp_fc3d_equations(f, w, s->s);
    int nv = f->M.m;
    r->absolute += vector_norm(nv, w + n) + vector_norm(size - n - nv, w + n + nv);
    r->value += equations;
    r->natural += equations;
    r->units += equations;
    if (error) {
        r->bound += perp_fc3d_equations(f, error, s->s) + (size + 16.0) * DBL_EPSILON * equations;
    }
    r->dual = perp_worst(r->dual, vector_max(size - n, w + n));
}

/* The value of a body form has parts whose rounding is bounded apart. */
static void fc3d_bound(const perp_problem *p, const perp_scales *s, const double *z,
                       const double *w, const double *error, double *scratch, perp_residual *r)
{
    const perp_fc3d *f = &p->as.fc3d;
    if (f->form == PERP_FORM_LOCAL)
        kind_bound_value(3 * f->contacts, s->s[0], find_spread(f, s, z, w, error, scratch), r);
    else
        fc3d_residual(p, s, z, w, error, scratch, r);
}

static perp_status fc3d_measure(const perp_problem *p, const perp_scales *s, const double *z,
                                double *w, double tol, perp_arena *a, perp_residual *r)
{
    static const perp_measuring how = {
        .slack = fc3d_slack, .residual = fc3d_residual, .bound = fc3d_bound};
    return perp_measure_sums(&how, p, s, z, w, tol, a, r);
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

/* Without friction tangential forces are 0, and what remains is an LCP. */
static perp_status fc3d_box_map(const perp_problem *p, perp_arena *a, perp_distance_map *map,
                                perp_error *e)
{
    const perp_fc3d *f = &p->as.fc3d;
    int n = 3 * f->contacts;
    for (int k = 0; k < f->contacts; k++) {
        if (f->mu[k] == 0) continue;
        return perp_refuse(e, PERP_UNCERTIFIED,
                           "contact %d has Coulomb friction, with which solutions may be many", k);
    }
    if (f->form != PERP_FORM_LOCAL) {
        return perp_refuse(e, PERP_UNCERTIFIED, "the body form has no matrix of contacts alone");
    }
    double *lo = perp_alloc(a, (size_t)n, sizeof *lo), *hi = perp_alloc(a, (size_t)n, sizeof *hi);
    if (a->failed) return PERP_E_MEMORY;
    for (int i = 0; i < n; i += 3) hi[i] = INFINITY;
    *map = (perp_distance_map){.n = n, .M = f->W, .q = f->q, .lo = lo, .hi = hi};
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
    .box_map = fc3d_box_map,
    .suits = fc3d_suits,
};
