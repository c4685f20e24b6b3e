/* simulate/scene_nut.c: the Brazil nut: one large sphere under many small ones in a box whose floor
 * goes up and down; it rises. Renouf and Acary, on block splitting for granular assemblies, Figure
 * 2: 800 spheres of radius 1, one of radius 2.
 *
 * The paper gives neither the box nor the shaking. Both decide: a narrow box holds the nut down, a
 * way of 2 radii lifts it late, and one of 4 mixes all, so that a sphere like the others rises as
 * often. The walls stand. */
#include "scenes.h"

#include <math.h>
#include <string.h>

#define WALLS 4
#define NUT_COLOUR 5

static const sim_parameter parameters[] = {
    {"dt", 0.02, 1e-6, 1, false, "time step, s"},
    {"seconds", 40, 0, 1e6, false, "time to simulate, s"},
    {"spheres", 800, 1, 1e6, true, "small ones"},
    {"nut", 2, 0.1, 10, false, "radius of the other one, in radii of the small"},
    {"radius", 1, 1e-3, 1e3, false, "of the small ones, m"},
    {"density", 1000, 1e-3, 1e6, false, "of all, kg/m^3"},
    {"mu", 0.5, 0, 10, false, "friction coefficient"},
    {"width", 22, 4, 1e4, false, "of the box, in radii"},
    {"shake", 2.5, 0, 1e3, false, "way of the floor from lowest to highest, in radii"},
    {"frequency", 1, 0, 1e3, false, "of the floor, Hz"},
    {"margin", 0.2, 0, 10, false,
     "of contacts, in radii; at least the way of the fastest in a step"},
    {"jitter", 0.1, 0, 0.2, false, "of the places at the start, in radii"},
    {"seed", 1, 1, 1e9, true, "of the jitter"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"share", "best", "first", "height", NULL};

typedef struct nut {
    int small, floor; /* bodies: small ones 0 .. small - 1, the nut, the floor */
    double best;      /* highest share so far */
    double first;     /* time at which it was first above two thirds, -1: never */
} nut;

/* ---- build ------------------------------------------------------------------------------- */

static void add_box(sim *s, double width)
{
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    nut *n = s->own;
    n->floor = sim_add_body(s, perp_body_make(1, 1, 1, 1));
    s->world.body[n->floor].kind = PERP_BODY_DRIVEN;
    sim_shape *floor = s->shape + sim_add_plane(s, origin, up);
    floor->body = n->floor;
    floor->part = 0;
    for (int k = 0; k < WALLS; k++) {
        double side = k % 2 ? 1 : -1, normal[3] = {0}, point[3] = {0};
        normal[k / 2] = -side;
        point[k / 2] = 0.5 * side * width;
        sim_add_plane(s, point, normal);
    }
}

/* Layer on layer, with room for the nut on the floor in the middle. */
static void add_small(sim *s, double radius)
{
    uint64_t seed = (uint64_t)sim_get(s, "seed") * UINT64_C(0x9E3779B97F4A7C15);
    double jitter = sim_get(s, "jitter"), width = sim_get(s, "width"), large = sim_get(s, "nut");
    double mass = sim_get(s, "density") * 4.0 / 3 * SIM_PI * pow(radius, 3);
    double room = 2 * (1 + jitter) + 0.01; /* of a sphere, in radii */
    int row = (int)fmax(floor(width / room), 1), count = ((nut *)s->own)->small;
    double pitch = width / row;
    for (int k = 0, at = 0; k < count; at++) {
        double place[3] = {(at % row + 0.5) * pitch - 0.5 * width,
                           (at / row % row + 0.5) * pitch - 0.5 * width,
                           1 + jitter + at / row / row * room};
        double away = hypot(hypot(place[0], place[1]), place[2] - large);
        if (away < large + 1 + 2 * jitter) continue;
        for (int i = 0; i < 3; i++)
            place[i] = radius * (place[i] + jitter * (2 * sim_random(&seed) - 1));
        sim_add_sphere(s, mass, radius, place);
        k++;
    }
}

static void add_nut(sim *s, double radius)
{
    double large = radius * sim_get(s, "nut");
    const double place[3] = {0, 0, large};
    double mass = sim_get(s, "density") * 4.0 / 3 * SIM_PI * pow(large, 3);
    sim_add_sphere(s, mass, large, place);
    s->shape[s->shapes - 1].colour = NUT_COLOUR;
    s->sight = s->shapes;
}

static bool build(sim *s, perp_error *e)
{
    (void)e;
    int count = (int)sim_get(s, "spheres");
    double radius = sim_get(s, "radius"), width = radius * sim_get(s, "width");
    nut *n = perp_alloc(&s->arena, 1, sizeof *n);
    if (!n || !sim_room(s, count + 2, count + 2 + WALLS)) return false;
    *n = (nut){.small = count, .first = -1};
    s->own = n;
    add_small(s, radius);
    add_nut(s, radius);
    add_box(s, width);
    sim_set_contact(s, sim_get(s, "mu"), 0);
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.escape_radius = 1e3 * (width + radius * count);
    const double corners[2][3] = {{-0.5 * width, -0.5 * width, 0},
                                  {0.5 * width, 0.5 * width, 1.3 * width}};
    memcpy(s->frame, corners, sizeof corners);
    s->framed = s->boxed = true;
    s->view[0] = 0.45; /* three quarters, from above */
    s->view[1] = -1;
    s->view[2] = 0.4;
    return true;
}

/* ---- steps ------------------------------------------------------------------------------- */

static double floor_height(const sim *s, double time)
{
    double way = sim_get(s, "shake") * sim_get(s, "radius");
    return 0.5 * way * (1 - cos(2 * SIM_PI * sim_get(s, "frequency") * time));
}

/* Of the small spheres, those whose centre is below the nut's. */
static double find_share(const sim *s)
{
    const nut *n = s->own;
    int below = 0;
    for (int k = 0; k < n->small; k++)
        below += s->world.body[k].position[2] < s->world.body[n->small].position[2];
    return (double)below / n->small;
}

static void drive(sim *s)
{
    nut *n = s->own;
    double time = s->world.time, h = s->step.dt, square = 0, share = find_share(s);
    s->world.body[n->floor].velocity[2] = (floor_height(s, time + h) - floor_height(s, time)) / h;
    for (int k = 0; k < s->world.bodies; k++) {
        const double *v = s->world.body[k].velocity;
        square = fmax(square, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    s->step.margin = fmax(sim_get(s, "margin") * sim_get(s, "radius"), h * sqrt(square));
    n->best = fmax(n->best, share);
    if (n->first < 0 && share > 2.0 / 3) n->first = time;
}

static void measure(const sim *s, double *out)
{
    const nut *n = s->own;
    out[0] = find_share(s);
    out[1] = fmax(n->best, out[0]);
    out[2] = n->first;
    out[3] = s->world.body[n->small].position[2] / sim_get(s, "radius");
}

const sim_scene sim_nut = {
    .name = "nut",
    .about = "Brazil nut: a large sphere rises among 800 small ones on a shaken floor (the same)",
    .parameters = parameters,
    .solver = "fc3d/nsgs:max_iter=20",
    .tol = 1e-2,
    .build = build,
    .drive = drive,
    .measures = names,
    .measure = measure,
};
