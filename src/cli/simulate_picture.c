/* cli/simulate_picture.c: what a scene looks like, as SVG: an orthographic view, painted from the
 * back to the front. Spheres are shaded discs with a spot that turns with them, boxes their visible
 * faces, capsules thick lines, planes seen from the side the edge of their ground; contact impulses
 * are lines from body to body, as thick as they are strong. Joints are rings, with the axis of a
 * hinge as a line through them, in front of everything. */
#include "simulate.h"
#include "simulate/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 640.0
#define EDGE 0.06      /* of the picture, free on each side */
#define FLAT 0.1       /* a plane seen at less than this sine is drawn */
#define THICKEST 0.012 /* line of the strongest impulse, of the picture's width */
#define RING 0.008     /* radius of a joint's ring, of the picture's width */
#define AXLE 0.03      /* half of a hinge's axis that is square to the view, the same */

/* Okabe and Ito's, as in plots. */
static const char *const colours[] = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7",
                                      "#0072b2", "#d55e00", "#f0e442", "#999999"};
#define COLOURS ((int)(sizeof colours / sizeof *colours))

/* A face, a disc or a line. */
typedef struct item {
    double depth; /* towards the eye */
    const sim_shape *shape;
    int points;
    double at[4][2], radius, light;
} item;

static void normalise(double *x)
{
    double length = sqrt(space_dot(x, x));
    for (int i = 0; i < 3; i++) x[i] /= length;
}

/* ---- the view ---------------------------------------------------------------------------- */

static void project(const simulate_view *v, const double *x, double at[2])
{
    at[0] = (space_dot(x, v->right) - v->least[0]) * v->scale + EDGE * WIDTH;
    at[1] = v->height - EDGE * WIDTH - (space_dot(x, v->up) - v->least[1]) * v->scale;
}

static void include(simulate_view *v, double most[2], const double *x, double radius)
{
    const double at[2] = {space_dot(x, v->right), space_dot(x, v->up)};
    for (int i = 0; i < 2; i++) {
        v->least[i] = fmin(v->least[i], at[i] - radius);
        most[i] = fmax(most[i], at[i] + radius);
    }
}

static double reach_of(const sim_shape *s)
{
    switch (s->kind) {
    case SIM_SPHERE: return s->size[0];
    case SIM_CAPSULE: return s->size[0] + s->size[1];
    case SIM_BOX: return sqrt(space_dot(s->size, s->size));
    default: return 0;
    }
}

static void find_middle(const sim *s, simulate_view *v)
{
    const perp_world *w = &s->world;
    for (int k = 0; k < w->bodies; k++) {
        for (int i = 0; i < 3; i++) v->middle[i] += w->body[k].position[i] / w->bodies;
    }
    for (int k = 0; k < s->shapes; k++) {
        double x[3], R[9];
        if (s->shape[k].kind == SIM_PLANE) continue;
        sim_shape_pose(s->shape + k, w->body, x, R);
        for (int i = 0; i < 3; i++) x[i] -= v->middle[i];
        v->around = fmax(v->around, sqrt(space_dot(x, x)) + reach_of(s->shape + k));
    }
}

/* Of the frame, the bits of k saying which end of each axis. */
static void find_corner(const sim *s, int k, double corner[3])
{
    for (int i = 0; i < 3; i++) corner[i] = s->frame[k >> i & 1][i];
}

simulate_view simulate_look(const sim *s)
{
    simulate_view v = {.least = {INFINITY, INFINITY}};
    double most[2] = {-INFINITY, -INFINITY};
    memcpy(v.eye, s->view, sizeof v.eye);
    normalise(v.eye);
    space_cross(s->up, v.eye, v.right);
    normalise(v.right);
    space_cross(v.eye, v.right, v.up);
    for (int k = 0; k < s->shapes; k++) {
        double x[3], R[9];
        sim_shape_pose(s->shape + k, s->world.body, x, R);
        include(&v, most, x, reach_of(s->shape + k));
    }
    for (int k = 0; k < 8 && s->framed; k += s->boxed ? 1 : 7) {
        double corner[3];
        find_corner(s, k, corner);
        include(&v, most, corner, 0);
    }
    find_middle(s, &v);
    double wide = fmax(most[0] - v.least[0], 1e-9), high = fmax(most[1] - v.least[1], 1e-9);
    if (wide < high) { /* no higher than wide */
        v.least[0] -= (high - wide) / 2;
        wide = high;
    }
    v.scale = WIDTH * (1 - 2 * EDGE) / wide;
    v.height = high * v.scale + 2 * EDGE * WIDTH;
    return v;
}

/* ---- what is seen ------------------------------------------------------------------------ */

static int list_box(const simulate_view *v, const sim_shape *shape, const double *x,
                    const double *R, item *out)
{
    static const double lamp[3] = {0.4, 0.7, 0.6}; /* right, up, towards the eye */
    int count = 0;
    for (int face = 0; face < 6; face++) {
        int i = face / 2, j = (i + 1) % 3, k = (i + 2) % 3;
        double sign = face % 2 ? 1 : -1, n[3], centre[3];
        for (int c = 0; c < 3; c++) {
            n[c] = sign * R[3 * i + c];
            centre[c] = x[c] + n[c] * shape->size[i];
        }
        if (space_dot(n, v->eye) <= 1e-9) continue;
        item *t = out + count++;
        *t = (item){.depth = space_dot(centre, v->eye), .shape = shape, .points = 4};
        const double seen[3] = {space_dot(n, v->right), space_dot(n, v->up), space_dot(n, v->eye)};
        t->light = fmax(space_dot(seen, lamp), 0);
        for (int p = 0; p < 4; p++) {
            double a = p == 0 || p == 3 ? 1 : -1, b = p < 2 ? 1 : -1, corner[3];
            for (int c = 0; c < 3; c++)
                corner[c] = centre[c] + a * shape->size[j] * R[3 * j + c] +
                            b * shape->size[k] * R[3 * k + c];
            project(v, corner, t->at[p]);
        }
    }
    return count;
}

static int list_round(const simulate_view *v, const sim_shape *shape, const double *x,
                      const double *R, item *out)
{
    int ends = shape->kind == SIM_CAPSULE ? 2 : 1;
    *out = (item){.depth = space_dot(x, v->eye), .shape = shape, .points = ends};
    out->radius = shape->size[0] * v->scale;
    for (int e = 0; e < ends; e++) {
        double at[3], along = ends == 2 ? (e ? shape->size[1] : -shape->size[1]) : 0;
        for (int c = 0; c < 3; c++) at[c] = x[c] + along * R[6 + c];
        project(v, at, out->at[e]);
    }
    return 1;
}

static int compare_depth(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

/* ---- SVG --------------------------------------------------------------------------------- */

static const char *colour_of(const sim_shape *s)
{
    int k = s->colour % COLOURS;
    return colours[k < 0 ? -k : k];
}

/* A point of the surface that turns with the body, where it is seen. */
static void print_spot(FILE *out, const simulate_view *v, const sim *s, const item *t)
{
    double x[3], R[9], at[3], seen[2];
    sim_shape_pose(t->shape, s->world.body, x, R);
    for (int axis = 0; axis < 3; axis++) {
        for (int sign = -1; sign < 2; sign += 2) {
            double facing = sign * space_dot(R + 3 * axis, v->eye);
            if (facing < 0.2) continue;
            for (int c = 0; c < 3; c++) at[c] = x[c] + sign * t->shape->size[0] * R[3 * axis + c];
            project(v, at, seen);
            fprintf(out, "<circle cx='%.1f' cy='%.1f' r='%.2f' fill='%s' opacity='%.2f'/>\n",
                    seen[0], seen[1], 0.13 * t->radius, axis == 2 ? "#fff" : "#000", 0.5 * facing);
        }
    }
}

static void print_item(FILE *out, const simulate_view *v, const sim *s, const item *t)
{
    const char *colour = colour_of(t->shape);
    if (t->points == 1) {
        int k = t->shape->colour % COLOURS;
        fprintf(out,
                "<circle cx='%.1f' cy='%.1f' r='%.2f' fill='url(#c%d)' stroke='#333' "
                "stroke-width='0.6'/>\n",
                t->at[0][0], t->at[0][1], t->radius, k < 0 ? -k : k);
        if (t->radius > 4) print_spot(out, v, s, t);
        return;
    }
    if (t->points == 2) {
        fprintf(out,
                "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' "
                "stroke-width='%.1f' stroke-linecap='round'/>\n",
                t->at[0][0], t->at[0][1], t->at[1][0], t->at[1][1], colour, 2 * t->radius);
        return;
    }
    fputs("<polygon points='", out);
    for (int p = 0; p < t->points; p++) fprintf(out, "%.1f,%.1f ", t->at[p][0], t->at[p][1]);
    fprintf(out, "' fill='%s' stroke='#333' stroke-width='0.6' stroke-linejoin='round'/>\n",
            colour);
    double shade = 0.45 * (1 - t->light);
    fputs("<polygon points='", out);
    for (int p = 0; p < t->points; p++) fprintf(out, "%.1f,%.1f ", t->at[p][0], t->at[p][1]);
    fprintf(out, "' fill='#000' opacity='%.2f'/>\n", shade > 0 ? shade : 0);
}

/* The base of the box at a floor's height. */
static void print_base(FILE *out, const simulate_view *v, const sim *s, const double *x)
{
    double corner[3], at[2];
    fputs("<polygon points='", out);
    for (int p = 0; p < 4; p++) {
        find_corner(s, p ^ p >> 1, corner); /* round the base: 00, 01, 11, 10 */
        corner[2] = x[2];
        project(v, corner, at);
        fprintf(out, "%.1f,%.1f ", at[0], at[1]);
    }
    fputs("' fill='#ddd' stroke='#888'/>\n", out);
}

/* Edges of the box, those at the corner nearest to the eye or all others. */
static void print_edges(FILE *out, const simulate_view *v, const sim *s, bool nearest)
{
    int near = 0;
    for (int i = 0; i < 3; i++) near |= (v->eye[i] > 0) << i;
    for (int k = 0; k < 8 && s->boxed; k++) {
        for (int i = 0; i < 3; i++) {
            double one[3], other[3], at[2], to[2];
            int end = k | 1 << i;
            if (end == k || (k == near || end == near) != nearest) continue;
            find_corner(s, k, one);
            find_corner(s, end, other);
            project(v, one, at);
            project(v, other, to);
            fprintf(out,
                    "<path d='M%.1f,%.1f L%.1f,%.1f' stroke='#555' stroke-width='1.5' "
                    "opacity='%s'/>\n",
                    at[0], at[1], to[0], to[1], nearest ? "0.5" : "1");
        }
    }
}

/* The square of a floor below the bodies, where it is seen from above. */
static void print_floor(FILE *out, const simulate_view *v, const double *x, const double *R)
{
    double below[3], corner[3], at[2], height = 0;
    for (int c = 0; c < 3; c++) height += (v->middle[c] - x[c]) * R[6 + c];
    for (int c = 0; c < 3; c++) below[c] = v->middle[c] - height * R[6 + c];
    fputs("<polygon points='", out);
    for (int p = 0; p < 4; p++) {
        double a = p == 0 || p == 3 ? v->around : -v->around, b = p < 2 ? v->around : -v->around;
        for (int c = 0; c < 3; c++) corner[c] = below[c] + a * R[c] + b * R[3 + c];
        project(v, corner, at);
        fprintf(out, "%.1f,%.1f ", at[0], at[1]);
    }
    fputs("' fill='#eee' stroke='#aaa'/>\n", out);
}

/* The ground below a plane that is seen from its side: a long quadrilateral. */
static void print_plane(FILE *out, const simulate_view *v, const sim *s, const sim_shape *shape)
{
    double x[3], R[9], edge[3], corner[3], at[2];
    sim_shape_pose(shape, s->world.body, x, R);
    const double *n = R + 6;
    bool level = space_dot(n, v->eye) > FLAT && space_dot(n, s->up) > 0.5;
    if (level && s->boxed) print_base(out, v, s, x);
    if (level && !s->boxed) print_floor(out, v, x, R);
    if (s->boxed || fabs(space_dot(n, v->eye)) > FLAT) return;
    space_cross(n, v->eye, edge);
    double far = 10 * (WIDTH + v->height) / v->scale;
    fputs("<polygon points='", out);
    for (int p = 0; p < 4; p++) {
        double a = p == 0 || p == 3 ? far : -far, b = p < 2 ? 0 : -far;
        for (int c = 0; c < 3; c++) corner[c] = x[c] + a * edge[c] + b * n[c];
        project(v, corner, at);
        fprintf(out, "%.1f,%.1f ", at[0], at[1]);
    }
    fputs("' fill='#ddd' stroke='#888'/>\n", out);
}

static void print_forces(FILE *out, const simulate_view *v, const sim *s)
{
    const perp_world *w = &s->world;
    double most = 0;
    for (int k = 0; k < w->contacts; k++) most = fmax(most, w->impulse[3 * (size_t)k]);
    if (!(most > 0)) return;
    fputs("<g stroke='#b00020' stroke-linecap='round' opacity='0.75'>\n", out);
    for (int k = 0; k < w->contacts; k++) {
        const perp_contact *c = w->contact + k;
        double size = w->impulse[3 * (size_t)k] / most, at[2], to[2];
        if (size < 0.01) continue;
        const int pair[2] = {c->a, c->b};
        project(v, c->point, at);
        for (int side = 0; side < 2; side++) {
            if (pair[side] < 0 || w->body[pair[side]].kind != PERP_BODY_FREE) continue;
            project(v, w->body[pair[side]].position, to);
            fprintf(out, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke-width='%.2f'/>\n",
                    at[0], at[1], to[0], to[1], THICKEST * WIDTH * size);
        }
    }
    fputs("</g>\n", out);
}

static void print_joints(FILE *out, const simulate_view *v, const sim *s)
{
    for (int k = 0; k < s->world.joints; k++) {
        const perp_joint *j = s->world.joint + k;
        bool first = j->a >= 0;
        sim_shape held = {.body = first ? j->a : j->b, .rotation = {1}};
        const double *axis = first ? j->axis_a : j->axis_b;
        double x[3], R[9], at[2], to[2], end[3];
        memcpy(held.position, first ? j->anchor_a : j->anchor_b, sizeof held.position);
        sim_shape_pose(&held, s->world.body, x, R);
        project(v, x, at);
        if (j->kind == PERP_JOINT_HINGE) {
            for (int c = 0; c < 3; c++) {
                double along = axis[0] * R[c] + axis[1] * R[3 + c] + axis[2] * R[6 + c];
                end[c] = x[c] + AXLE * WIDTH / v->scale * along;
            }
            project(v, end, to);
            fprintf(out,
                    "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#000' "
                    "stroke-width='2.5'/>\n",
                    2 * at[0] - to[0], 2 * at[1] - to[1], to[0], to[1]);
        }
        fprintf(out,
                "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='#fff' stroke='#000' "
                "stroke-width='1.5'/>\n",
                at[0], at[1], RING * WIDTH);
    }
}

static void print_head(FILE *out, const simulate_view *v, const sim *s)
{
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' "
            "viewBox='0 0 %.0f %.0f' font-family='sans-serif'>\n<title>%s, t = %.4g s</title>\n",
            WIDTH, v->height, WIDTH, v->height, s->scene->name, s->world.time);
    fputs("<defs>\n", out);
    for (int k = 0; k < COLOURS; k++) {
        fprintf(out,
                "<radialGradient id='c%d' cx='0.6' cy='0.3' r='0.8'><stop offset='0' "
                "stop-color='#fff'/><stop offset='0.35' stop-color='%s'/><stop offset='1' "
                "stop-color='#222'/></radialGradient>\n",
                k, colours[k]);
    }
    fprintf(out, "</defs>\n<rect width='100%%' height='100%%' fill='#fff'/>\n");
}

/* On the eye's side of an upright plane through the shape that is to be seen. */
static bool is_before(const simulate_view *v, const sim *s, const sim_shape *shape, const double *x)
{
    double at[3], R[9], level[3], height = space_dot(v->eye, s->up) / space_dot(s->up, s->up);
    if (!s->sight || shape == s->shape + s->sight - 1) return false;
    sim_shape_pose(s->shape + s->sight - 1, s->world.body, at, R);
    for (int c = 0; c < 3; c++) level[c] = v->eye[c] - height * s->up[c];
    return space_dot(x, level) > space_dot(at, level);
}

bool simulate_picture(cli *c, const sim *s, const simulate_view *v, bool forces, FILE *out)
{
    perp_mark mark = perp_arena_mark(&c->arena);
    item *list = perp_alloc_unset(&c->arena, 3 * (size_t)s->shapes + 1, sizeof *list);
    if (!list) return !cli_fail(c, "out of memory");
    print_head(out, v, s);
    size_t count = 0;
    for (int k = 0; k < s->shapes; k++) {
        const sim_shape *shape = s->shape + k;
        double x[3], R[9];
        if (shape->kind == SIM_PLANE) {
            print_plane(out, v, s, shape);
            continue;
        }
        sim_shape_pose(shape, s->world.body, x, R);
        if (is_before(v, s, shape, x)) continue;
        count += (size_t)(shape->kind == SIM_BOX ? list_box(v, shape, x, R, list + count)
                                                 : list_round(v, shape, x, R, list + count));
    }
    qsort(list, count, sizeof *list, compare_depth);
    print_edges(out, v, s, false);
    for (size_t k = 0; k < count; k++) print_item(out, v, s, list + k);
    print_edges(out, v, s, true);
    print_joints(out, v, s);
    if (forces) print_forces(out, v, s);
    fprintf(out, "<text x='8' y='33' font-size='32'>t = %.3f s</text>\n</svg>\n", s->world.time);
    perp_arena_release(&c->arena, mark);
    return true;
}
