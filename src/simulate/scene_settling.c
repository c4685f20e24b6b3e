/* simulate/scene_settling.c: spheres that fall into a box and come to rest: Renouf, Acary and
 * Dumont (2005), 8.3, Table 1. The paper gives neither sizes nor gravity; its overlaps scale like
 * g h^2 / R with R = 1 m. The box is square, and wide enough for the heap to be about as high. */
#include "scenes.h"

#include <math.h>
#include <string.h>

static const sim_parameter parameters[] = {
    {"dt", 0.02, 1e-6, 1, false, "time step, s"},
    {"seconds", 20, 0, 1e6, false, "time to simulate, s"},
    {"spheres", 320, 1, 1e6, true, "number of spheres"},
    {"radius", 1, 1e-3, 1e3, false, "of each sphere, m"},
    {"density", 1000, 1e-3, 1e6, false, "kg/m^3"},
    {"mu", 0.3, 0, 10, false, "friction coefficient; 0: none"},
    {"margin", 0.3, 0, 10, false,
     "of contacts, in radii; at least the way of the fastest in a step"},
    {"width", 0, 0, 1e6, false, "of the box, m; 0: as high as the heap"},
    {"drop", 2, 0, 1e3, false, "of the lowest layer, in radii"},
    {"jitter", 0.1, 0, 0.2, false, "of the places at the start, in radii"},
    {"seed", 1, 1, 1e9, true, "of the jitter"},
    {"theta", 1, 0.5, 1, false, "of the time integration"},
    {"fixed_point", 0, 0, 100, true, "rounds of the geometric fixed point, at most"},
    {"impact", 0, 0, 1, true, "1: the paper's rule, active where the predicted gap is negative"},
    {"impact_from", 0, 0, 1e6, false,
     "s, from when on; the linearised gap before, which ends overlap"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"top", "speed", "closed", NULL};

/* In radii: spheres fill about 0.6 of the space. */
static double find_width(const sim *s)
{
    double wanted = sim_get(s, "width"), radius = sim_get(s, "radius");
    double volume = sim_get(s, "spheres") * 4.0 / 3 * SIM_PI / 0.6;
    return wanted > 0 ? wanted / radius : fmax(ceil(cbrt(volume)), 3);
}

static void add_box(sim *s, double width)
{
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    sim_add_plane(s, origin, up);
    for (int k = 0; k < 4; k++) {
        double side = k % 2 ? 1 : -1, normal[3] = {0}, point[3] = {0};
        normal[k / 2] = -side;
        point[k / 2] = 0.5 * side * width;
        sim_add_plane(s, point, normal);
    }
}

static void add_spheres(sim *s, int count, double width)
{
    uint64_t seed = (uint64_t)sim_get(s, "seed") * UINT64_C(0x9E3779B97F4A7C15);
    double radius = sim_get(s, "radius"), jitter = sim_get(s, "jitter");
    double mass = sim_get(s, "density") * 4.0 / 3 * SIM_PI * pow(radius, 3);
    double room = 2 * (1 + jitter) + 0.01; /* of a sphere, in radii */
    int row = (int)floor(width / room);
    if (row < 1) row = 1;
    double pitch = width / row;
    for (int k = 0; k < count; k++) {
        const int at[3] = {k % row, k / row % row, k / row / row};
        double position[3];
        for (int i = 0; i < 3; i++) {
            double place =
                i < 2 ? (at[i] + 0.5) * pitch - 0.5 * width : 1 + sim_get(s, "drop") + at[2] * room;
            position[i] = radius * (place + jitter * (2 * sim_random(&seed) - 1));
        }
        sim_add_sphere(s, mass, radius, position);
    }
}

/* Three quarters, from above: the edges of the box up to the highest sphere. */
static void set_view(sim *s, double width)
{
    double top = width;
    for (int k = 0; k < s->world.bodies; k++)
        top = fmax(top, s->world.body[k].position[2] + s->shape[k].size[0]);
    const double corners[2][3] = {{-0.5 * width, -0.5 * width, 0}, {0.5 * width, 0.5 * width, top}};
    memcpy(s->frame, corners, sizeof corners);
    s->framed = s->boxed = true;
    s->view[0] = 0.45;
    s->view[1] = -1;
    s->view[2] = 0.4;
}

/* Half a step early, for times are sums of steps. */
static bool has_impact(const sim *s)
{
    double time = s->world.time + 0.5 * sim_get(s, "dt");
    return sim_get(s, "impact") > 0 && time >= sim_get(s, "impact_from");
}

static bool build(sim *s, perp_error *e)
{
    (void)e;
    int count = (int)sim_get(s, "spheres");
    double radius = sim_get(s, "radius"), width = find_width(s);
    if (!sim_room(s, count, count + 5)) return false;
    add_spheres(s, count, width);
    add_box(s, radius * width);
    set_view(s, radius * width);
    sim_set_contact(s, sim_get(s, "mu"), 0);
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.theta = sim_get(s, "theta");
    s->step.fixed_point = (int)sim_get(s, "fixed_point");
    if (has_impact(s)) s->step.rule = PERP_RULE_IMPACT;
    s->step.escape_radius = 1e3 * radius * (width + count);
    if (sim_get(s, "mu") == 0) s->step.form = PERP_RIGID_FORM_LCP;
    return true;
}

static double find_fastest(const sim *s)
{
    double square = 0;
    for (int k = 0; k < s->world.bodies; k++) {
        const double *v = s->world.body[k].velocity;
        square = fmax(square, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return sqrt(square);
}

static void drive(sim *s)
{
    double margin = sim_get(s, "margin") * sim_get(s, "radius");
    s->step.margin = fmax(margin, s->step.dt * find_fastest(s));
    if (has_impact(s)) s->step.rule = PERP_RULE_IMPACT;
}

static void measure(const sim *s, double *out)
{
    out[0] = 0;
    for (int k = 0; k < s->world.bodies; k++) out[0] = fmax(out[0], s->world.body[k].position[2]);
    out[1] = find_fastest(s);
    out[2] = 0; /* contacts that press */
    for (int k = 0; k < s->world.contacts; k++) out[2] += s->world.impulse[3 * (size_t)k] > 0;
}

const sim_scene sim_settling = {
    .name = "settling",
    .about = "spheres fall into a box and come to rest, with or without friction (the same)",
    .parameters = parameters,
    .solver = "fc3d/nsgs:max_iter=40",
    .frictionless = "lcp/psor:max_iter=100",
    .tol = 2e-3,
    .build = build,
    .drive = drive,
    .measures = names,
    .measure = measure,
};
