/* simulate/scene_arch.c: a semicircular arch of dry voussoirs on the ground. It stands by friction
 * and shape alone, above a threshold of the friction coefficient, and falls below it (Heyman, The
 * stone skeleton, 1966; thinner than 0.1075 of its mean radius it falls whatever the friction).
 *
 * Voussoirs are sectors of a ring between radial faces. Neighbours touch with those faces, clipped
 * where they have slid apart, and all touch the ground with their corners; blocks that fall pass
 * through each other otherwise, and through their neighbours where they overlap by more than the
 * margin. No collision library is needed. Pictures show boxes. */
#include "scenes.h"

#include <math.h>

static const sim_parameter parameters[] = {
    {"dt", 0.005, 1e-6, 1, false, "time step, s"},
    {"seconds", 5, 0, 1e6, false, "time to simulate, s"},
    {"voussoirs", 11, 3, 199, true, "how many"},
    {"mu", 0.6, 0, 10, false, "friction coefficient"},
    {"radius", 1, 1e-2, 1e3, false, "mean of the arch, m"},
    {"thickness", 0.25, 1e-3, 1, false, "of the ring, parts of the mean radius"},
    {"depth", 0.4, 1e-3, 1e3, false, "of the arch, m"},
    {"density", 2400, 1e-3, 1e6, false, "kg/m3"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"moved", "key", NULL};

/* In the frame of a voussoir x is the radius through its middle, y the depth, z the way round. */
typedef struct arch {
    int count;
    double inner, outer, half_depth, half_angle, centre; /* centre: radius of the centre of mass */
    double mu;
} arch;

/* A corner: on the face at angle +-half_angle, inner or outer, front or back. */
static void corner(const arch *a, int side, double radius, int back, double out[3])
{
    out[0] = radius * cos(a->half_angle) - a->centre;
    out[1] = back ? a->half_depth : -a->half_depth;
    out[2] = (side ? 1 : -1) * radius * sin(a->half_angle);
}

static void to_world(const perp_body *b, const double in[3], bool vector, double out[3])
{
    const double *q = b->rotation, w = q[0];
    const double t[3] = {2 * (q[2] * in[2] - q[3] * in[1]), 2 * (q[3] * in[0] - q[1] * in[2]),
                         2 * (q[1] * in[1] - q[2] * in[0])};
    out[0] = in[0] + w * t[0] + q[2] * t[2] - q[3] * t[1];
    out[1] = in[1] + w * t[1] + q[3] * t[0] - q[1] * t[2];
    out[2] = in[2] + w * t[2] + q[1] * t[1] - q[2] * t[0];
    for (int i = 0; i < 3 && !vector; i++) out[i] += b->position[i];
}

static double dot(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static bool add(const arch *a, perp_contacts *list, int one, int other, const double point[3],
                const double normal[3], double gap, int id)
{
    perp_contact *c = perp_contacts_add(list, one, other);
    if (!c) return false;
    for (int i = 0; i < 3; i++) {
        c->point[i] = point[i];
        c->normal[i] = normal[i];
    }
    c->gap = gap;
    c->mu = a->mu;
    c->id = id;
    return true;
}

/* One edge of k + 1's face, front or back, against the face of k: its part between k's edges. */
static bool touch_edge(const arch *a, const perp_body *body, int k, int back, double margin,
                       perp_contacts *list)
{
    const double angle = a->half_angle;
    const double normal_k[3] = {-sin(angle), 0, cos(angle)},
                 along_k[3] = {cos(angle), 0, sin(angle)};
    double n[3], along[3], origin[3], p[2][3], s[2], local[3];
    const double zero[3] = {-a->centre, 0, 0}; /* where the faces meet */
    to_world(body + k, normal_k, true, n);
    to_world(body + k, along_k, true, along);
    to_world(body + k, zero, false, origin);
    for (int e = 0; e < 2; e++) {
        corner(a, 0, e ? a->outer : a->inner, back, local);
        to_world(body + k + 1, local, false, p[e]);
        s[e] = dot(along, p[e]) - dot(along, origin);
    }
    if (!(s[1] > s[0]) || s[0] > a->outer || s[1] < a->inner) return true;
    for (int e = 0; e < 2; e++) {
        double at = fmin(fmax(s[e], a->inner), a->outer), t = (at - s[0]) / (s[1] - s[0]), x[3];
        for (int i = 0; i < 3; i++) x[i] = p[0][i] + t * (p[1][i] - p[0][i]);
        double gap = dot(n, x) - dot(n, origin);
        if (fabs(gap) <= margin && !add(a, list, k + 1, k, x, n, gap, 2 * back + e)) return false;
    }
    return true;
}

static bool touch_ground(const arch *a, const perp_body *body, int k, double margin,
                         perp_contacts *list)
{
    const double up[3] = {0, 0, 1};
    for (int c = 0; c < 8; c++) {
        double local[3], x[3];
        corner(a, c & 1, c & 2 ? a->outer : a->inner, c & 4, local);
        to_world(body + k, local, false, x);
        if (x[2] <= margin && !add(a, list, k, -1, x, up, x[2], c)) return false;
    }
    return true;
}

static bool collide(void *ctx, const perp_body *body, int bodies, double margin,
                    perp_contacts *list)
{
    const arch *a = ((sim *)ctx)->own;
    for (int k = 0; k < bodies; k++) {
        if (!touch_ground(a, body, k, margin, list)) return false;
        for (int back = 0; back < 2 && k + 1 < bodies; back++) {
            if (!touch_edge(a, body, k, back, margin, list)) return false;
        }
    }
    return true;
}

/* A sector of a ring: mass and principal moments by integration in polar coordinates. */
static perp_body make_voussoir(const arch *a, double density, int k)
{
    double b = a->half_angle, outer = a->outer * a->outer, inner = a->inner * a->inner;
    double mass = density * b * (outer - inner) * 2 * a->half_depth;
    double sum = mass * (outer + inner) / 4, share = sin(2 * b) / (2 * b);
    double round = sum * (1 - share), radial = sum * (1 + share) - mass * a->centre * a->centre;
    double deep = mass * a->half_depth * a->half_depth / 3, middle = (2 * k + 1) * b;
    perp_body v = perp_body_make(mass, round + deep, round + radial, radial + deep);
    v.position[0] = a->centre * cos(middle);
    v.position[2] = a->centre * sin(middle);
    v.rotation[0] = cos(middle / 2); /* about y, x to the radius */
    v.rotation[2] = -sin(middle / 2);
    return v;
}

static bool build(sim *s, perp_error *e)
{
    (void)e;
    arch *a = perp_alloc(&s->arena, 1, sizeof *a);
    int count = (int)sim_get(s, "voussoirs");
    if (!a || !sim_room(s, count, count)) return false;
    double radius = sim_get(s, "radius"), half = 0.5 * sim_get(s, "thickness") * radius;
    *a = (arch){.count = count, .inner = radius - half, .outer = radius + half};
    a->half_depth = 0.5 * sim_get(s, "depth");
    a->half_angle = 0.5 * SIM_PI / count;
    a->mu = sim_get(s, "mu");
    a->centre = 2 * sin(a->half_angle) / (3 * a->half_angle) *
                (pow(a->outer, 3) - pow(a->inner, 3)) / (a->outer * a->outer - a->inner * a->inner);
    for (int k = 0; k < count; k++) {
        int body = sim_add_body(s, make_voussoir(a, sim_get(s, "density"), k));
        sim_add_shape(s, (sim_shape){.kind = SIM_BOX,
                                     .body = body,
                                     .rotation = {1, 0, 0, 0},
                                     .size = {half, a->half_depth, a->centre * sin(a->half_angle)},
                                     .mu = a->mu,
                                     .colour = k});
    }
    s->own = a;
    s->world.collide = collide;
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.escape_radius = 100 * sim_get(s, "radius");
    s->step.margin = 0.02 * radius;
    return true;
}

/* The largest way of a voussoir from its place, and of the middle one downwards, in mean radii. */
static void measure(const sim *s, double *out)
{
    const arch *a = s->own;
    double radius = sim_get(s, "radius");
    out[0] = 0;
    for (int k = 0; k < a->count; k++) {
        perp_body b = make_voussoir(a, 1, k);
        const double *x = s->world.body[k].position;
        double way = hypot(hypot(x[0] - b.position[0], x[1]), x[2] - b.position[2]) / radius;
        out[0] = fmax(out[0], way);
        if (k == a->count / 2) out[1] = (b.position[2] - x[2]) / radius;
    }
}

const sim_scene sim_arch = {
    .name = "arch",
    .about = "dry arch of voussoirs: stands with enough friction, falls with less (Heyman 1966)",
    .parameters = parameters,
    .tol = 1e-8,
    .build = build,
    .measures = names,
    .measure = measure,
};
