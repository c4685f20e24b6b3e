/* method/cone_interior_blocks.c: the blocks B = T P^2 F of the system, and their inverses, in
 * closed form from the scalings: nothing large is inverted. O(rows^2) a block, with a compliance
 * rows^3. */
#include "cone_interior_parts.h"

#include "linalg/dense.h"

#include <string.h>

/* B^-1 of a cone without the lag: with Q = P^-2 of each group, and by elimination of the groups,
 *     1 / B^-1_nn = sum_g mu_g^2 / Q_g00,   B^-1_gn = mu_g Q_gt0 / Q_g00 B^-1_nn. */
static void invert_cone(const perp_interior *t, int b, double *D)
{
    int d = t->set->block[b].count;
    double normal = 0;
    for (int p = t->first[b]; p < t->first[b + 1]; p++) {
        const perp_interior_part *k = &t->part[p];
        double w = t->w[k->at], root = t->root[p];
        normal += k->scale * k->scale * root * root / (2 * w * w - 1);
    }
    D[0] = 1 / normal;
    for (int p = t->first[b]; p < t->first[b + 1]; p++) {
        const perp_interior_part *k = &t->part[p];
        const double *w = t->w + k->at;
        double r = 1 / (t->root[p] * t->root[p]), head = 2 * w[0] * w[0] - 1;
        for (int j = 1; j < k->count; j++) {
            int column = (k->tail + j - 1) * d;
            D[column] = D[k->tail + j - 1] = -2 * k->scale * w[0] * w[j] / head * D[0];
            for (int i = 1; i < k->count; i++) {
                D[column + k->tail + i - 1] = r * ((i == j) - 2 * w[i] * (w[j] / head));
            }
        }
    }
    for (int j = 1; j < d; j++) {
        for (int i = 1; i < d; i++) D[j * d + i] += D[i] / D[0] * D[j * d];
    }
}

/* The same of a single group, whose entries need no differences. */
static void invert_simple(const perp_interior_part *k, double root, const double *w, double *D)
{
    double r = 1 / (root * root), mu = k->scale;
    int d = k->count;
    for (int j = 0; j < d; j++) {
        double a = j == 0 ? w[0] / mu : -w[j];
        for (int i = 0; i < d; i++) {
            double b = i == 0 ? w[0] / mu : -w[i];
            D[j * d + i] = 2 * r * a * b;
        }
        D[j * d + j] += j == 0 ? -r / (mu * mu) : r;
    }
}

/* P^2 of a part, entry (i, j). */
static double square(double root, const double *w, int i, int j)
{
    double J = i != j ? 0 : i == 0 ? 1 : -1;
    return root * root * (2 * w[i] * w[j] - J);
}

static void invert_block(const perp_interior *t, int b, double *D)
{
    const perp_cone_block *k = &t->set->block[b];
    int d = k->count, first = t->first[b], last = t->first[b + 1];
    memset(D, 0, (size_t)d * (size_t)d * sizeof *D);
    if (first == last) return;
    const perp_interior_part *p = &t->part[first];
    if (k->type == PERP_CONE_BOX) {
        double sum = 0;
        for (int i = first; i < last; i++) sum += t->root[i] * t->root[i];
        D[0] = 1 / sum;
    } else if (k->type == PERP_CONE_BALL) {
        const double *w = t->w + p->at;
        double r = 1 / (t->root[first] * t->root[first]), head = 2 * w[0] * w[0] - 1;
        for (int j = 0; j < d; j++) {
            for (int i = 0; i < d; i++)
                D[j * d + i] = r * ((i == j) - 2 * w[1 + i] * (w[1 + j] / head));
        }
    } else if (last - first == 1 && p->count == d) {
        invert_simple(p, t->root[first], t->w + p->at, D);
    } else {
        invert_cone(t, b, D);
    }
}

/* h' = sum_g kappa s_g (slope)' P_g^2 F_g, a row over the block. */
static void find_row(const perp_interior *t, int b, double *h)
{
    for (int i = 0; i < t->set->block[b].count; i++) h[i] = 0;
    for (int p = t->first[b]; p < t->first[b + 1]; p++) {
        const perp_interior_part *k = &t->part[p];
        const double *w = t->w + k->at, *y = t->y + k->at;
        if (!(k->s > 0)) continue;
        for (int j = 0; j < k->count; j++) {
            double sum = head_slope(k, y) * square(t->root[p], w, 0, j);
            for (int i = 1; i < k->count; i++) sum += slope(y, i) * square(t->root[p], w, i, j);
            sum *= t->kappa * k->s;
            if (j == 0)
                h[k->head] += k->scale * sum;
            else
                h[k->tail + j - 1] += sum;
        }
    }
}

/* B = D^-1 + R for D: D <- (I + D R)^-1 D. */
static void add_compliance(perp_interior *t, int b, double *D)
{
    size_t d = (size_t)t->set->block[b].count;
    const double *R = t->e->R + t->place[b];
    double *A = t->local;
    for (size_t j = 0; j < d; j++) {
        for (size_t i = 0; i < d; i++) {
            double sum = i == j;
            for (size_t k = 0; k < d; k++) sum += D[k * d + i] * R[j * d + k];
            A[j * d + i] = sum;
        }
    }
    if (perp_lu_factor((int)d, A, (int)d, t->pivot, NULL)) return;
    for (size_t j = 0; j < d; j++) {
        perp_lu_solve((int)d, A, (int)d, t->pivot, false, 1, D + j * d);
        for (size_t i = 0; i < d; i++) {
            if (t->fixed[rows_of(t, b)[i]]) D[j * d + i] = 0; /* as it was, but for rounding */
        }
    }
}

/* B less n h' for D = B^-1: D <- D + D n h'D / (1 - h'D n). */
static void add_lag(perp_interior *t, int b, bool rigid, double *D)
{
    int d = t->set->block[b].count, first = t->first[b];
    double *h = t->local, *hD = h + d, *Dn = hD + d;
    const perp_interior_part *k = &t->part[first];
    bool simple = t->first[b + 1] - first == 1 && k->count == d && rigid;
    find_row(t, b, h);
    for (int j = 0; j < d; j++) {
        const double *y = t->y + k->at;
        double sum = 0;
        Dn[j] = D[j];
        for (int i = 0; i < d; i++) sum += h[i] * D[j * d + i];
        if (simple) sum = t->kappa * k->s * (j == 0 ? head_slope(k, y) / k->scale : slope(y, j));
        hD[j] = sum;
    }
    for (int j = 0; j < d; j++) {
        for (int i = 0; i < d; i++) D[j * d + i] += Dn[i] * (hD[j] / (1 - hD[0]));
    }
}

static bool has_lag(const perp_interior *t, int b)
{
    bool any = false;
    for (int p = t->first[b]; p < t->first[b + 1]; p++) any |= t->part[p].s > 0;
    return any && t->kappa > 0;
}

/* B = T P^2 F itself, with 1 on the diagonal of rows that are fixed. */
static void fill_block(const perp_interior *t, int b, double *B)
{
    int d = t->set->block[b].count;
    const int *row = rows_of(t, b);
    memset(B, 0, (size_t)d * (size_t)d * sizeof *B);
    for (int p = t->first[b]; p < t->first[b + 1]; p++) {
        const perp_interior_part *k = &t->part[p];
        for (int j = 0; j < k->count; j++) {
            for (int i = 0; i < k->count; i++) {
                double x = square(t->root[p], t->w + k->at, i, j);
                if (i == 0) x *= k->scale;
                if (j == 0) x *= k->scale;
                int to = i == 0 ? k->head : k->tail + i - 1;
                B[(j == 0 ? k->head : k->tail + j - 1) * d + to] += x;
            }
        }
    }
    if (has_lag(t, b)) {
        find_row(t, b, t->local);
        for (int j = 0; j < d; j++) B[j * d] -= t->local[j];
    }
    for (int i = 0; i < d; i++) {
        if (t->fixed[row[i]]) B[i * d + i] = 1;
    }
}

void perp_interior_fill_blocks(perp_interior *t)
{
    for (int b = 0; b < t->set->blocks; b++) {
        double *D = t->blocks + t->place[b];
        if (!t->e->inverse) {
            fill_block(t, b, D);
            continue;
        }
        invert_block(t, b, D);
        if (t->e->R) {
            size_t d = (size_t)t->set->block[b].count;
            memcpy(t->rigid + t->place[b], D, d * d * sizeof *D);
            add_compliance(t, b, D);
            if (has_lag(t, b)) add_lag(t, b, true, t->rigid + t->place[b]);
        }
        if (has_lag(t, b)) add_lag(t, b, !t->e->R, D);
    }
}
