/* generate/scene_packing.c: spheres of two to one in volume, packed at random in an open box.
 *
 * Random points with radii that fill 0.6 of the box are pushed apart pair by pair until overlaps
 * are small, after Jodrey and Tory, "Computer simulation of close random packing of equal spheres",
 * Physical Review A 32 (1985). Neighbours come from a grid of cells as wide as the largest sphere:
 * a fixed number of sweeps, each in linear time. Pairs that overlap or nearly touch are contacts,
 * with the gap they have. */
#include "scene_parts.h"

#include <string.h>

#define FILLED 0.57
#define SWEEPS 60
#define LARGEST 1.1 /* diameter */
#define NEAR 0.005  /* a gap up to this is a contact */

typedef struct packing {
    int n, cells; /* cells along an edge */
    double side;
    double *x, *r;      /* 3 a sphere, 1 a sphere */
    int *start, *order; /* spheres of cell c: order[start[c] .. start[c + 1] - 1] */
} packing;

static int cell_of(const packing *p, double x)
{
    int c = (int)(x / p->side * p->cells);
    return c < 0 ? 0 : c < p->cells ? c : p->cells - 1;
}

static int cell_index(const packing *p, const double x[3])
{
    return (cell_of(p, x[2]) * p->cells + cell_of(p, x[1])) * p->cells + cell_of(p, x[0]);
}

/* Counting sort. */
static void sort_cells(packing *p)
{
    int cells = p->cells * p->cells * p->cells;
    memset(p->start, 0, ((size_t)cells + 1) * sizeof *p->start);
    for (int k = 0; k < p->n; k++) p->start[cell_index(p, p->x + 3 * k)]++;
    for (int c = 0, sum = 0; c <= cells; c++) {
        sum += p->start[c];
        p->start[c] = sum;
    }
    for (int k = p->n - 1; k >= 0; k--) p->order[--p->start[cell_index(p, p->x + 3 * k)]] = k;
}

static double gap(const packing *p, int i, int j, double d[3])
{
    double length = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = p->x[3 * i + k] - p->x[3 * j + k];
        length += d[k] * d[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; k++) d[k] = length > 0 ? d[k] / length : k == 2;
    return length - p->r[i] - p->r[j];
}

/* The neighbours j < i of sphere i: push them apart, and keep both in the box. */
static void push(packing *p, int i, int j)
{
    double d[3], g = gap(p, i, j, d);
    if (g >= 0) return;
    for (int k = 0; k < 3; k++) {
        double *x = p->x + 3 * i + k, *y = p->x + 3 * j + k;
        *x = fmin(fmax(*x - 0.5 * g * d[k], p->r[i]), p->side - p->r[i]);
        *y = fmin(fmax(*y + 0.5 * g * d[k], p->r[j]), p->side - p->r[j]);
    }
}

typedef struct neighbours {
    const packing *p;
    int from[3], to[3];
} neighbours;

static neighbours neighbours_of(const packing *p, int i)
{
    neighbours b = {.p = p};
    for (int k = 0; k < 3; k++) {
        int c = cell_of(p, p->x[3 * i + k]);
        b.from[k] = c > 0 ? c - 1 : 0;
        b.to[k] = c < p->cells - 1 ? c + 1 : c;
    }
    return b;
}

/* The spheres of one row of cells stand side by side in `order`. */
static void row_range(const neighbours *b, int y, int z, int *from, int *to)
{
    int row = (z * b->p->cells + y) * b->p->cells;
    *from = b->p->start[row + b->from[0]];
    *to = b->p->start[row + b->to[0] + 1];
}

static void sweep(packing *p)
{
    sort_cells(p);
    for (int i = 0; i < p->n; i++) {
        neighbours b = neighbours_of(p, i);
        for (int z = b.from[2]; z <= b.to[2]; z++) {
            for (int y = b.from[1]; y <= b.to[1]; y++) {
                int from, to;
                row_range(&b, y, z, &from, &to);
                for (int e = from; e < to; e++) {
                    if (p->order[e] < i) push(p, i, p->order[e]);
                }
            }
        }
    }
}

/* The first `room` partners j < i of sphere i, in the order of the cells. */
static int find_partners(const packing *p, int i, int room, int *partner)
{
    neighbours b = neighbours_of(p, i);
    int count = 0;
    double d[3];
    for (int z = b.from[2]; z <= b.to[2]; z++) {
        for (int y = b.from[1]; y <= b.to[1]; y++) {
            int from, to;
            row_range(&b, y, z, &from, &to);
            for (int e = from; e < to; e++) {
                int j = p->order[e];
                if (j < i && count < room && gap(p, i, j, d) < NEAR) partner[count++] = j;
            }
        }
    }
    return count;
}

#define PARTNERS 64 /* more than fit around a sphere twice as large */

/* Floor and four walls, no lid; returns how many, and adds them where s is not NULL. */
static int touch_walls(const packing *p, int i, scene *s)
{
    int count = 0;
    for (int wall = 0; wall < 5; wall++) {
        int axis = wall / 2, side = wall % 2 ? -1 : 1;
        double normal[3] = {0}, point[3], x = p->x[3 * i + axis];
        double distance = (side > 0 ? x : p->side - x) - p->r[i];
        if (distance >= NEAR) continue;
        count++;
        if (!s) continue;
        memcpy(point, p->x + 3 * i, sizeof point);
        point[axis] = side > 0 ? 0 : p->side;
        normal[axis] = side;
        s->contact[scene_add_contact(s, i, -1, point, normal)].gap = distance;
    }
    return count;
}

static void touch_partners(const packing *p, int i, scene *s)
{
    int partner[PARTNERS], count = find_partners(p, i, PARTNERS, partner);
    for (int k = 0; k < count; k++) {
        int j = partner[k];
        double point[3], d[3], g = gap(p, i, j, d);
        for (int c = 0; c < 3; c++) point[c] = p->x[3 * j + c] + (p->r[j] + 0.5 * g) * d[c];
        s->contact[scene_add_contact(s, i, j, point, d)].gap = g;
    }
}

/* One point in each of `size` cells of a coarser grid: spread evenly, and spheres with numbers near
 * each other are neighbours. */
static bool start_packing(int size, scene *s, packing *p)
{
    double volume = 0;
    int edge = 1;
    *p = (packing){.n = size};
    p->x = perp_alloc(s->a, 3 * (size_t)size, sizeof *p->x);
    p->r = perp_alloc(s->a, (size_t)size, sizeof *p->r);
    p->order = perp_alloc(s->a, (size_t)size, sizeof *p->order);
    if (s->a->failed) return false;
    for (int k = 0; k < size; k++) {
        p->r[k] = 0.5 * LARGEST * (0.8 + 0.2 * generator_unit(s->g));
        volume += 4.18879020478639098 * p->r[k] * p->r[k] * p->r[k];
    }
    p->side = fmax(cbrt(volume / FILLED), 1.2 * LARGEST);
    p->cells = (int)(p->side / LARGEST);
    p->start = perp_alloc(s->a, (size_t)(p->cells * p->cells * p->cells) + 1, sizeof *p->start);
    if (s->a->failed) return false;
    while ((int64_t)edge * edge * edge < size) edge++;
    int64_t places = (int64_t)edge * edge * edge;
    for (int k = 0; k < size; k++) {
        int64_t place = k * places / size;
        const int64_t at[3] = {place % edge, place / edge % edge, place / edge / edge};
        for (int c = 0; c < 3; c++) {
            double x = ((double)at[c] + generator_unit(s->g)) * p->side / edge;
            p->x[3 * k + c] = fmin(fmax(x, p->r[k]), p->side - p->r[k]);
        }
    }
    return true;
}

void make_packing(int size, scene *s)
{
    packing p;
    int64_t contacts = 0;
    int partner[PARTNERS];
    if (!start_packing(size, s, &p)) return;
    for (int k = 0; k < SWEEPS; k++) sweep(&p);
    sort_cells(&p);
    for (int i = 0; i < size; i++) {
        contacts += find_partners(&p, i, PARTNERS, partner) + touch_walls(&p, i, NULL);
    }
    if (!scene_room(s, size, contacts, 0)) return;
    for (int i = 0; i < size; i++) {
        scene_add_sphere(s, scene_random_density(s), p.r[i], p.x + 3 * i);
    }
    for (int i = 0; i < size; i++) {
        touch_walls(&p, i, s);
        touch_partners(&p, i, s);
    }
}
