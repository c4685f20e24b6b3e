/* rigid/contact.c: one contact: its checks, its three rows of J, the terms of the laws.
 * Newton's and Moreau's impact laws (Moreau 1988), or the linearised gap of Sauer and Schoemer
 * (1998), as it is or bounded; for accelerations the drift terms of Redon, Kheddar and Coquillart
 * (2002), equation (3). */
#include "assembly.h"
#include "base/vector.h"

void perp_rows_point(const double d[3], const double ra[3], const double rb[3], double J[12])
{
    memcpy(J, d, 3 * sizeof *J);
    rigid_cross(ra, d, J + 3);
    rigid_cross(d, rb, J + 9);
    for (int i = 0; i < 3; i++) J[6 + i] = -d[i];
}

static double dot6(const double *x, const double *y)
{
    return rigid_dot(x, y) + rigid_dot(x + 3, y + 3);
}

double perp_rows_free(const perp_jacobian_rows *rows, int i, const double *v)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        int slot = rows->slot[side];
        if (slot >= 0) sum += dot6(rows->J[i] + 6 * side, v + 6 * (size_t)slot);
    }
    return sum;
}

static void find_arm(const perp_rigid *s, int body, const double point[3], double arm[3])
{
    static const double origin[3] = {0};
    const double *centre = body < 0 ? origin : s->body[body].position;
    for (int i = 0; i < 3; i++) arm[i] = point[i] - centre[i];
}

double perp_contact_repair(const perp_rigid *s, const perp_contact *c)
{
    if (s->rule != PERP_RULE_GAP && s->rule != PERP_RULE_RECOVERY) return 0;
    double speed = -c->gap / s->dt;
    return s->rule == PERP_RULE_GAP ? speed : fmin(speed, s->recovery_speed);
}

/* The least u_n that the law asks for, with this u_n(-). */
static double least_speed(const perp_rigid *s, const perp_contact *c, double before)
{
    double repair = perp_contact_repair(s, c), rebound = -c->restitution * before;
    switch (s->rule) {
    case PERP_RULE_IMPACT:
    case PERP_RULE_MOREAU: return rebound;
    case PERP_RULE_RECOVERY:
        if (c->restitution == 0 || before >= -s->restitution_threshold) return repair;
        return c->gap + s->dt * before < 0 ? fmax(rebound, repair) : repair;
    default: return repair;
    }
}

void perp_contact_rows(const perp_rigid *s, const perp_assembly *parts, int k,
                       perp_jacobian_rows *out)
{
    const perp_contact *c = s->contact + k;
    const int body[2] = {c->a, c->b};
    double E[9], ra[3], rb[3], before[2][6];
    perp_contact_frame(c->normal, E);
    find_arm(s, c->a, c->point, ra);
    find_arm(s, c->b, c->point, rb);
    out->count = 3;
    for (int side = 0; side < 2; side++) {
        out->slot[side] = perp_assembly_slot(parts, body[side]);
        perp_body_velocity(s, body[side], before[side]);
    }
    for (int i = 0; i < 3; i++) {
        perp_rows_point(E + 3 * i, ra, rb, out->J[i]);
        double u = dot6(out->J[i], before[0]) + dot6(out->J[i] + 6, before[1]);
        out->bias[i] = i == 0                        ? -least_speed(s, c, u)
                       : s->rule == PERP_RULE_MOREAU ? c->restitution * u
                                                     : 0;
        for (int side = 0; side < 2; side++) {
            if (out->slot[side] < 0) out->bias[i] += dot6(out->J[i] + 6 * side, before[side]);
        }
    }
}

/* spin x (spin x arm), and the velocity of the point. */
static void point_motion(const double v[6], const double arm[3], double velocity[3],
                         double centripetal[3])
{
    double turn[3];
    rigid_cross(v + 3, arm, turn);
    rigid_cross(v + 3, turn, centripetal);
    for (int i = 0; i < 3; i++) velocity[i] = v[i] + turn[i];
}

double perp_contact_acceleration_bias(const perp_rigid *s, int k)
{
    const perp_contact *c = s->contact + k;
    const int body[2] = {c->a, c->b};
    double E[9], sum = 0;
    perp_contact_frame(c->normal, E);
    for (int side = 0; side < 2; side++) {
        double v[6], arm[3], velocity[3], centripetal[3];
        perp_body_velocity(s, body[side], v);
        find_arm(s, body[side], c->point, arm);
        point_motion(v, arm, velocity, centripetal);
        double part = rigid_dot(E, centripetal) + 2 * rigid_dot(c->dn, velocity);
        sum += side == 0 ? part : -part;
    }
    return sum;
}

static perp_status check_coefficients(const perp_rigid *s, int k, perp_error *e)
{
    const perp_contact *c = s->contact + k;
    if (!isfinite(c->mu))
        return perp_refuse(e, PERP_E_NUMBER, "mu = %g of contact %d is not finite", c->mu, k);
    if (c->mu < 0)
        return perp_refuse(e, PERP_E_ARGUMENT, "mu = %g of contact %d is negative", c->mu, k);
    if (isnan(c->restitution))
        return perp_refuse(e, PERP_E_NUMBER, "the restitution of contact %d is not a number", k);
    if (c->restitution < 0 || c->restitution > 1) {
        return perp_refuse(e, PERP_E_ARGUMENT, "restitution = %g of contact %d is outside 0 .. 1",
                           c->restitution, k);
    }
    if (c->restitution > 0 && s->rule == PERP_RULE_GAP) {
        return perp_refuse(
            e, PERP_E_ARGUMENT,
            "contact %d has restitution %g, which the rule PERP_RULE_GAP does not know; "
            "take PERP_RULE_RECOVERY or PERP_RULE_IMPACT, or set it to 0",
            k, c->restitution);
    }
    return PERP_SOLVED;
}

perp_status perp_contact_check(const perp_rigid *s, int k, perp_error *e)
{
    const perp_contact *c = s->contact + k;
    const struct {
        const char *name;
        const double *x;
        size_t n;
    } fields[] = {
        {"point", c->point, 3}, {"normal", c->normal, 3}, {"gap", &c->gap, 1}, {"dn/dt", c->dn, 3}};
    perp_status status = perp_pair_check(s, c->a, c->b, "contact", k, e);
    if (status) return status;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!vector_is_finite(fields[i].n, fields[i].x)) {
            return perp_refuse(e, PERP_E_NUMBER, "the %s of contact %d is not finite",
                               fields[i].name, k);
        }
    }
    double length = vector_norm(3, c->normal);
    if (!(fabs(length - 1) <= PERP_NORMAL_SLACK)) {
        return perp_refuse(e, PERP_E_ARGUMENT, "the normal of contact %d has length %.9g, not 1", k,
                           length);
    }
    return check_coefficients(s, k, e);
}
