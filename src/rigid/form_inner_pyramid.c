/* rigid/form_inner_pyramid.c: the inner friction pyramid, an LCP.
 * Stewart, Trinkle (1996), in the blocks of Sauer, Schoemer (1998), section 2.2:
 *     [D'WD  D'WN  e] [beta  ]   [D'q]
 *     [N'WD  N'WN  0] [f     ] + [N'q]
 *     [ -e'   mu   0] [lambda]   [ 0 ]
 * as CSC. With W's blocks: (facets + 1)^2 entries a pair of coupled contacts. */
#include "assembly.h"

/* Reduced to half a turn, the second half being the first with its sign changed, and to the axes.
 */
void perp_facet(int facets, int h, double c[2])
{
    static const double axis[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    if (4 * (int64_t)h % facets == 0) {
        memcpy(c, axis[4 * (int64_t)h / facets % 4], 2 * sizeof *c);
        return;
    }
    bool opposite = facets % 2 == 0 && 2 * (int64_t)h >= facets;
    double angle = 2 * 3.14159265358979323846 * (opposite ? h - facets / 2 : h) / facets;
    c[0] = opposite ? -cos(angle) : cos(angle);
    c[1] = opposite ? -sin(angle) : sin(angle);
}

/* The sizes of the problem and the matrix being filled. */
typedef struct pyramid {
    int K, facets;
    const perp_items *items;
    double *direction; /* 2 a facet */
    double *W;         /* 9 a contact coupled with the one at hand */
    int *p, *i;
    double *x;
    int at;
} pyramid;

static void add_entry(pyramid *y, int row, double value)
{
    y->i[y->at] = row;
    y->x[y->at++] = value;
}

static void find_blocks(pyramid *y, int l)
{
    int first = y->items->p[l], end = y->items->p[l + 1];
    for (int t = first; t < end; t++)
        perp_items_block(y->items, y->items->to[t], l, y->W + 9 * (size_t)(t - first), 3);
}

/* The column of an impulse of contact l, whose blocks are in W, along d in its frame: on friction
 * first, then on normal velocities. */
static void add_impulse(pyramid *y, int l, const double d[3])
{
    int first = y->items->p[l], end = y->items->p[l + 1];
    double u[3];
    for (int t = first; t < end; t++) {
        rigid_mul(y->W + 9 * (size_t)(t - first), d, u);
        for (int h = 0; h < y->facets; h++) {
            const double *c = y->direction + 2 * h;
            add_entry(y, y->facets * y->items->to[t] + h, c[0] * u[1] + c[1] * u[2]);
        }
    }
    for (int t = first; t < end; t++) {
        rigid_mul(y->W + 9 * (size_t)(t - first), d, u);
        add_entry(y, y->facets * y->K + y->items->to[t], u[0]);
    }
}

static void fill_matrix(const perp_rigid *s, pyramid *y)
{
    int K = y->K, normal = y->facets * K, speed = normal + K, column = 0;
    for (int k = 0; k < K; k++) {
        find_blocks(y, k);
        for (int h = 0; h < y->facets; h++) {
            const double d[3] = {0, y->direction[2 * h], y->direction[2 * h + 1]};
            y->p[column++] = y->at;
            add_impulse(y, k, d);
            add_entry(y, speed + k, -1);
        }
    }
    for (int k = 0; k < K; k++) {
        const double d[3] = {1, 0, 0};
        find_blocks(y, k);
        y->p[column++] = y->at;
        add_impulse(y, k, d);
        add_entry(y, speed + k, s->contact[k].mu);
    }
    for (int k = 0; k < K; k++) {
        y->p[column++] = y->at;
        for (int h = 0; h < y->facets; h++) add_entry(y, y->facets * k + h, 1);
    }
    y->p[column] = y->at;
}

static void fill_vector(const pyramid *y, const double *q, double *out)
{
    for (int k = 0; k < y->K; k++) {
        for (int h = 0; h < y->facets; h++) {
            const double *c = y->direction + 2 * h;
            out[y->facets * k + h] = c[0] * q[3 * k + 1] + c[1] * q[3 * k + 2];
        }
        out[y->facets * y->K + k] = q[3 * k];
    }
}

static int most_neighbours(const perp_items *items)
{
    int most = 0;
    for (int k = 0; k < items->count; k++) {
        int count = items->p[k + 1] - items->p[k];
        most = count > most ? count : most;
    }
    return most;
}

static perp_status make(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                        perp_problem *p, perp_error *e)
{
    perp_items items;
    int facets = parts->facets;
    perp_status status = perp_items_make(s, parts, 3, false, a, &items, e);
    if (status) return status;

    int64_t K = s->contacts, eta = facets, n = (eta + 2) * K;
    double entries =
        (double)(eta + 1) * (double)(eta + 1) * items.p[K] + (2 * (double)eta + 1) * (double)K;
    if (n > INT_MAX || entries > INT_MAX) {
        return perp_refuse(e, PERP_E_FORMAT,
                           "%d contacts with %d facets have too many entries for int indices",
                           s->contacts, facets);
    }
    pyramid y = {.K = s->contacts, .facets = facets, .items = &items};
    y.direction = perp_alloc_unset(a, 2 * (size_t)facets, sizeof *y.direction);
    y.W = perp_alloc_unset(a, 9 * (size_t)most_neighbours(&items), sizeof *y.W);
    y.p = perp_alloc_unset(a, (size_t)n + 1, sizeof *y.p);
    y.i = perp_alloc_unset(a, (size_t)entries, sizeof *y.i);
    y.x = perp_alloc_unset(a, (size_t)entries, sizeof *y.x);
    double *q = perp_alloc(a, (size_t)n, sizeof *q);
    if (a->failed) return perp_assembly_memory(s, e);
    for (int h = 0; h < facets; h++) perp_facet(facets, h, y.direction + 2 * h);
    fill_matrix(s, &y);
    fill_vector(&y, items.q, q);
    *p = perp_make_lcp((int)n, perp_csc((int)n, (int)n, y.p, y.i, y.x), q);
    return PERP_SOLVED;
}

/* The friction impulse by the two directions of the pyramid on either side of it. */
static void start(const perp_rigid *s, const perp_assembly *parts, const double *r, double *z)
{
    int facets = parts->facets;
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < s->contacts; k++, r += 3) {
        double *beta = z + (size_t)facets * (size_t)k, c[2], d[2];
        z[(size_t)facets * (size_t)s->contacts + (size_t)k] = r[0];
        double turns = atan2(r[2], r[1]) / (2 * pi) * facets;
        int h = (int)floor(turns), from = (h % facets + facets) % facets;
        perp_facet(facets, from, c);
        perp_facet(facets, (from + 1) % facets, d);
        double det = c[0] * d[1] - c[1] * d[0];
        beta[from] = fmax((r[1] * d[1] - r[2] * d[0]) / det, 0);
        beta[(from + 1) % facets] = fmax((c[0] * r[2] - c[1] * r[1]) / det, 0);
    }
}

/* Impulses of the friction pyramid: (beta, f, lambda). */
static perp_status gather(const perp_rigid *s, const perp_assembly *parts, const perp_problem *p,
                          const double *z, double *impulse, perp_error *e)
{
    (void)p, (void)e;
    int facets = parts->facets;
    for (int k = 0; k < s->contacts; k++) {
        double *r = impulse + 3 * (size_t)k;
        const double *beta = z + (size_t)facets * (size_t)k;
        r[0] = z[(size_t)facets * (size_t)s->contacts + (size_t)k];
        for (int h = 0; h < facets; h++) {
            double c[2];
            perp_facet(facets, h, c);
            r[1] += beta[h] * c[0];
            r[2] += beta[h] * c[1];
        }
    }
    return PERP_SOLVED;
}

const perp_form_ops perp_form_inner_pyramid = {.name = "lcp_facets",
                                               .kind = PERP_KIND_LCP,
                                               .each = 2,
                                               .facets = 4,
                                               .even = true,
                                               .make = make,
                                               .start = start,
                                               .gather = gather};

perp_status perp_rigid_lcp_facets(const perp_rigid *s, int facets, perp_arena *a, perp_problem *p,
                                  perp_error *error)
{
    return perp_rigid_assemble(s, &perp_form_inner_pyramid, facets, a, p, error);
}
