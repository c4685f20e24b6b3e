/* simulate/scene_erleben.c: the nine configurations of Silcowitz-Hansen, Niebe and Erleben (2010),
 * Figure 4: boxes on an incline, stacks, pyramids of gears, snakes with hinges, a heavy box on
 * light ones.
 *
 * The paper gives pictures, and in Table 1 the numbers of bodies, constraints and eigenvalues above
 * zero. Bodies less a sixth of the eigenvalues are 5 wherever that is whole: a floor and four
 * walls, which are planes here. The shapes were chosen so that the numbers of contacts come near
 * the table's. Free bodies have unit mass but for the heavy one. Boxes that lie on each other
 * differ a little in width where they are aligned, so that rounding does not invent points of
 * contact. */
#include "scenes.h"

#include <math.h>
#include <string.h>

static const sim_parameter parameters[] = {
    {"dt", 0.01, 1e-6, 1, false, "time step, s"},
    {"seconds", 1, 0, 1e6, false, "time to simulate, s"},
    {"case", 1, 1, 9, true, "of Figure 4: a .. i, or 1 .. 9"},
    {"mu", 0.5, 0, 10, false, "friction coefficient"},
    {"incline", 15, 0, 60, false, "slope of (a), degrees"},
    {"ratio", 100, 1e-3, 1e6, false, "mass of the heavy box of (h) over that of a light one"},
    {"teeth", 16, 4, 32, true, "of a gear of (d) and (e), even"},
    {"fall", 45, 0, 90, false, "of the hanging snake (i) below the horizontal, degrees"},
    {"margin", 0.01, 0, 1, false, "of contacts, m"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"free", "static", "rows", "moved", NULL};

typedef struct place {
    double x[3];
} place;

/* Where the bodies were at the start. */
typedef struct own {
    place *start;
} own;

/* ---- parts ---- */

/* Room for bodies of so many shapes each, a floor that may be inclined, and walls at +-x and +-y.
 * The front wall is left out where something else stands for a fifth fixed body. */
static bool open_room(sim *s, int bodies, int shapes, double x, double y, double incline, int walls)
{
    const double slope = SIM_PI / 180 * incline;
    const double at[5][3] = {{0, 0, 0}, {-x, 0, 0}, {x, 0, 0}, {0, y, 0}, {0, -y, 0}};
    const double normal[5][3] = {
        {sin(slope), 0, cos(slope)}, {1, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    if (!sim_room(s, bodies, bodies * shapes + 1 + walls)) return false;
    for (int k = 0; k <= walls; k++) sim_add_plane(s, at[k], normal[k]);
    return true;
}

/* A unit cube, unless half is given, turned about z by an angle in degrees. */
static int add_cube(sim *s, double mass, const double *half, double x, double y, double z,
                    double angle)
{
    static const double unit[3] = {0.5, 0.5, 0.5};
    const double position[3] = {x, y, z}, turn = SIM_PI / 360 * angle;
    int body = sim_add_box(s, mass, half ? half : unit, position);
    perp_body *b = s->world.body + body;
    b->rotation[0] = cos(turn);
    b->rotation[3] = sin(turn);
    s->shape[s->shapes - 1].colour = body;
    return body;
}

/* ---- (a), (b), (c), (f), (h): boxes ---- */

/* Four files of 3, 2, 2 and 2 boxes down the slope, each leaning on the next. */
static bool make_incline(sim *s)
{
    const double slope = SIM_PI / 180 * sim_get(s, "incline"), c = cos(slope), n = sin(slope);
    if (!open_room(s, 9, 1, 5, 5, sim_get(s, "incline"), 4)) return false;
    for (int k = 0; k < 9; k++) {
        int file = k < 3 ? 0 : (k - 1) / 2, at = k < 3 ? k : (k - 1) % 2;
        double along = at - 0.5;
        int body =
            add_cube(s, 1, NULL, c * along + 0.5 * n, 1.5 * file - 2.25, -n * along + 0.5 * c, 0);
        perp_body *b = s->world.body + body;
        b->rotation[0] = cos(0.5 * slope);
        b->rotation[2] = sin(0.5 * slope);
        s->shape[s->shapes - 1].colour = file;
    }
    s->view[0] = -0.5; /* the files behind each other, their slope from the side */
    s->view[1] = -1;
    s->view[2] = 0.6;
    return true;
}

/* Rows of 7, 6, 5, 4 and 3 bricks, each across a gap of the row below: friction alone keeps the
 * bricks below from being pressed apart. */
static bool make_heap(sim *s)
{
    if (!open_room(s, 25, 1, 6, 3, 0, 4)) return false;
    for (int row = 0; row < 5; row++) {
        const double half[3] = {0.5, 0.25 - 0.01 * row, 0.25};
        for (int k = 0; k < 7 - row; k++) {
            int body = add_cube(s, 1, half, 1.25 * (k - 0.5 * (6 - row)), 0, 0.25 + 0.5 * row, 0);
            s->shape[s->shapes - 1].colour = row + body % 2 * 4;
        }
    }
    return true;
}

/* Cubes on top of each other; pairs are turned against each other, so that every second joint has
 * eight contacts. */
static bool make_stack(sim *s)
{
    if (!open_room(s, 9, 1, 3, 3, 0, 4)) return false;
    for (int k = 0; k < 9; k++) add_cube(s, 1, NULL, 0, 0, k + 0.5, 20 * (k / 2));
    return true;
}

static bool make_small_stack(sim *s)
{
    if (!open_room(s, 4, 1, 3, 3, 0, 4)) return false;
    for (int k = 0; k < 4; k++) {
        const double half[3] = {0.5 - 0.01 * k, 0.5 - 0.01 * k, 0.5};
        add_cube(s, 1, half, 0, 0, k + 0.5, 0);
    }
    return true;
}

/* Four columns of two cubes and a pillar of their height carry a heavy slab. */
static bool make_heavy(sim *s)
{
    const double pillar[3] = {0.5, 0.5, 1}, slab[3] = {2.1, 2.1, 0.5};
    if (!open_room(s, 10, 1, 4, 4, 0, 4)) return false;
    for (int k = 0; k < 8; k++)
        add_cube(s, 1, NULL, k & 1 ? 1.5 : -1.5, k & 2 ? 1.5 : -1.5, k & 4 ? 1.5 : 0.5, 0);
    add_cube(s, 1, pillar, 0, 0, 1, 0);
    add_cube(s, sim_get(s, "ratio"), slab, 0, 0, 2.5, 0);
    return true;
}

/* ---- (d), (e): gears ---- */

void sim_add_gear(sim *s, int bars, double x, double z, double phase)
{
    const double radius = 0.5, deep = 0.15, wide = 0.42 * SIM_PI * radius / (2 * bars);
    double across = 0.25 * radius * radius + deep * deep / 3;
    perp_body b = perp_body_make(1, across, 0.5 * radius * radius, across);
    b.position[0] = x;
    b.position[2] = z;
    int body = sim_add_body(s, b);
    for (int k = 0; k < bars; k++) {
        double turn = 0.5 * (phase + k * SIM_PI / bars);
        sim_add_shape(s, (sim_shape){.kind = SIM_BOX,
                                     .body = body,
                                     .rotation = {cos(turn), 0, sin(turn), 0},
                                     .size = {radius, deep, wide},
                                     .colour = body});
    }
}

/* A pyramid with so many gears in its lowest row, which walls hold together: below a pitch of 1
 * neighbours mesh. */
static bool make_pyramid(sim *s, int rows, double pitch)
{
    int bars = (int)sim_get(s, "teeth") / 2;
    double wide = 0.5 * (pitch * (rows - 1) + 1.02), tooth = SIM_PI / (2 * bars);
    if (!open_room(s, rows * (rows + 1) / 2, bars, wide, 1, 0, 4)) return false;
    for (int row = 0; row < rows; row++) {
        for (int k = 0; k < rows - row; k++)
            sim_add_gear(s, bars, pitch * (k - 0.5 * (rows - row - 1)), 0.51 + 0.9 * row,
                         (k + row) % 2 ? tooth : 0);
    }
    s->view[0] = 0.3; /* teeth are seen best from the front */
    s->view[2] = 0.2;
    return true;
}

static bool make_small_pyramid(sim *s)
{
    return make_pyramid(s, 3, 0.94);
}

static bool make_large_pyramid(sim *s)
{
    return make_pyramid(s, 4, 1.02);
}

/* ---- (g), (i): snakes ---- */

#define LINKS 6

/* Links of unit length between points, hinged to each other and the first to the world; the axes
 * are in turn square to the plane and along a link. The boxes leave room at the hinges; `foot`: the
 * last one goes to its end. */
static bool make_links(sim *s, const double point[LINKS + 1][3], bool foot)
{
    perp_joint *joint = perp_alloc(&s->arena, LINKS, sizeof *joint);
    if (!joint) return false;
    for (int k = 0; k < LINKS; k++) {
        const double *p = point[k], *q = point[k + 1];
        double d[3] = {q[0] - p[0], 0, q[2] - p[2]}, end = foot && k == LINKS - 1 ? 0 : 0.12;
        double half[3] = {0.5 * (0.88 - end), 0.1, 0.1}, middle = 0.12 + half[0];
        double turn = -0.5 * atan2(d[2], d[0]), axis[3] = {0, 1, 0};
        int body = add_cube(s, 1, half, p[0] + middle * d[0], 0, p[2] + middle * d[2], 0);
        perp_body *b = s->world.body + body;
        b->rotation[0] = cos(turn);
        b->rotation[2] = sin(turn);
        if (k % 2) memcpy(axis, d, sizeof axis);
        joint[k] = perp_joint_make(PERP_JOINT_HINGE, s->world.body, s->world.bodies, body, body - 1,
                                   p, axis);
    }
    s->world.joint = joint;
    s->world.joints = LINKS;
    return true;
}

/* Six links stand as an arch that leaves the floor in a hinge and comes down on a foot. Six hinges
 * whose axes have nothing in common are a rigid loop as long as the foot sticks. */
static bool make_arched(sim *s)
{
    static const double slope[LINKS] = {90, 60, 20, -20, -60, -90};
    double point[LINKS + 1][3] = {{-1.44, 0, 0}};
    if (!open_room(s, LINKS, 1, 3, 3, 0, 4)) return false;
    for (int k = 0; k < LINKS; k++) {
        point[k + 1][0] = point[k][0] + cos(SIM_PI / 180 * slope[k]);
        point[k + 1][1] = 0;
        point[k + 1][2] = point[k][2] + sin(SIM_PI / 180 * slope[k]);
    }
    return make_links(s, (const double(*)[3])point, true);
}

/* Six links in a line, held in the air by a fixed one at its upper end. */
static bool make_hanging(sim *s)
{
    const double fall = SIM_PI / 180 * sim_get(s, "fall"), c = cos(fall), n = sin(fall);
    double point[LINKS + 1][3];
    if (!open_room(s, LINKS, 2, 8, 8, 0, 3)) return false;
    for (int k = 0; k <= LINKS; k++) {
        point[k][0] = k * c;
        point[k][1] = 0;
        point[k][2] = 8 - k * n;
    }
    sim_shape fixed = {.kind = SIM_BOX,
                       .body = -1,
                       .position = {-0.5 * c, 0, 8 + 0.5 * n},
                       .rotation = {cos(0.5 * fall), 0, sin(0.5 * fall), 0},
                       .size = {0.38, 0.1, 0.1},
                       .colour = 7};
    sim_add_shape(s, fixed);
    return make_links(s, (const double(*)[3])point, false);
}

/* ---- the scene ---- */

static bool build(sim *s, perp_error *e)
{
    static bool (*const make[9])(sim *) = {
        make_incline,     make_heap,   make_stack, make_small_pyramid, make_large_pyramid,
        make_small_stack, make_arched, make_heavy, make_hanging,
    };
    int which = (int)sim_get(s, "case") - 1;
    if ((int)sim_get(s, "teeth") % 2) {
        *e = (perp_error){.status = PERP_E_OPTION, .text = "teeth must be an even number"};
        return false;
    }
    s->view[0] = 0.45; /* from the right and above */
    s->view[1] = -1;
    s->view[2] = 0.35;
    if (!make[which](s)) return false;
    sim_set_contact(s, sim_get(s, "mu"), 0);
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.margin = sim_get(s, "margin");
    s->step.form = PERP_RIGID_FORM_MCP;
    s->step.escape_radius = 100;
    own *o = perp_alloc(&s->arena, 1, sizeof *o);
    place *start = perp_alloc(&s->arena, (size_t)s->world.bodies, sizeof *start);
    if (!o || !start) return false;
    for (int k = 0; k < s->world.bodies; k++)
        memcpy(start[k].x, s->world.body[k].position, sizeof start[k].x);
    o->start = start;
    s->own = o;
    return true;
}

/* Bodies and constraints as Table 1 counts them; the longest way from the start, m. */
static void measure(const sim *s, double *out)
{
    const own *o = s->own;
    const perp_world *w = &s->world;
    out[0] = w->bodies;
    out[1] = out[3] = 0;
    for (int k = 0; k < s->shapes; k++) out[1] += s->shape[k].body < 0;
    const perp_rigid joints = {.joints = w->joints, .joint = w->joint};
    out[2] = 3.0 * w->contacts + perp_rigid_joint_rows(&joints);
    for (int k = 0; k < w->bodies; k++) {
        const double *x = w->body[k].position, *y = o->start[k].x;
        out[3] = fmax(out[3], hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]));
    }
}

const sim_scene sim_erleben = {
    .name = "erleben",
    .about = "nine stacks, gears, snakes on friction boxes (Silcowitz-Hansen, Niebe, Erleben 2010)",
    .parameters = parameters,
    .solver = "mcp/nncg:max_iter=500",
    .tol = 1e-8,
    .ode = true,
    .build = build,
    .measures = names,
    .measure = measure,
};
