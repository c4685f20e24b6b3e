/* io/siconos_cones.c: the layouts of Siconos' .dat files that hold cones and no contacts.
 *
 *     SOCLCP         n nc M q, the first row of each cone and n, tau
 *     plasticity     3 nc model M q and what the model needs
 *     mechanical     M by blocks, q, then the type of each block row and, of contacts, mu
 *     matrix alone   recognised, so that it is refused by that name
 *
 * What perp has no problems for is read to its end as well, so that a file is refused by the name
 * of what it holds and never taken for another. One pass over the text. */
#include "siconos.h"

#include <limits.h>
#include <stdio.h>

perp_status perp_siconos_cone(const perp_cone_rows *rows, perp_matrix W, const double *q,
                              siconos_reading *r)
{
    r->readable = true;
    r->problem = perp_cone_rows_end(rows);
    r->problem.as.cone.W = W;
    r->problem.as.cone.q = q;
    return PERP_SOLVED;
}

/* ---- second-order cones ---- */

/* The first rows of the cones and n: no cone is empty. NULL: refused. */
static const int *read_index(perp_lexer *x, int n, int cones)
{
    int *first = perp_lexer_room(x, (size_t)cones + 1, "coneIndex")
                     ? perp_lexer_alloc(x, (size_t)cones + 1, sizeof *first, "coneIndex")
                     : NULL;
    if (!first || !perp_lexer_int(x, 0, 0, "the first cone", &first[0])) return NULL;
    for (int k = 1; k <= cones; k++) {
        int most = n - (cones - k), least = k == cones ? most : first[k - 1] + 1;
        if (!perp_lexer_int(x, least, most, "the next cone", &first[k])) return NULL;
    }
    return first;
}

perp_status perp_siconos_soclcp(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    (void)o;
    int n, cones;
    const double *q;
    perp_matrix M;
    perp_cone_rows rows;
    if (!perp_lexer_int(x, 0, INT_MAX, "n", &n) || !perp_lexer_int(x, n > 0, n, "nc", &cones) ||
        !perp_siconos_matrix(x, n, n, "M", &M) ||
        !(q = perp_lexer_reals(x, (size_t)n, false, "q"))) {
        return x->error->status;
    }
    const int *first = read_index(x, n, cones);
    const double *tau = first ? perp_lexer_reals(x, (size_t)cones, false, "tau") : NULL;
    if (!tau || !perp_cone_rows_open(x, n, false, &rows)) return x->error->status;
    for (int k = 0; k < cones; k++) {
        const perp_cone_shape cone = {1, first[k + 1] - first[k] - 1, {tau[k]}, {0}};
        if (cone.width > 0)
            perp_cone_rows_add(&rows, first[k], &cone);
        else if (!perp_cone_rows_bound(x, &rows, first[k]))
            return x->error->status;
    }
    perp_siconos_name(r, SICONOS_SOCLCP);
    perp_status status = perp_siconos_end(x, r->name);
    return status ? status : perp_siconos_cone(&rows, M, q, r);
}

/* ---- plasticity ---- */

static perp_status read_yields(perp_lexer *x, int points, perp_matrix M, const double *q,
                               siconos_reading *r)
{
    perp_cone_rows rows;
    const double *eta = perp_lexer_reals(x, (size_t)points, false, "eta");
    const double *theta = eta ? perp_lexer_reals(x, (size_t)points, false, "theta") : NULL;
    if (!theta || !perp_cone_rows_open(x, 3 * points, false, &rows)) return x->error->status;
    for (int k = 0; k < points; k++) {
        const perp_cone_shape cone = {1, 2, {eta[k]}, {theta[k]}};
        perp_cone_rows_add(&rows, 3 * k, &cone);
    }
    perp_siconos_name(r, SICONOS_PLASTICITY);
    perp_status status = perp_siconos_end(x, r->name);
    return status ? status : perp_siconos_cone(&rows, M, q, r);
}

perp_status perp_siconos_plasticity(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    enum { UNKNOWN, DRUCKER_PRAGER, VON_MISES };
    int d, points, model;
    const double *q;
    perp_matrix M;
    (void)o;
    if (!perp_lexer_int(x, 3, 3, "the dimension", &d) ||
        !perp_lexer_int(x, 1, INT_MAX / 3, "the number of points", &points) ||
        !perp_lexer_int(x, UNKNOWN, VON_MISES, "the model", &model) ||
        !perp_siconos_matrix(x, 3 * points, 3 * points, "M", &M) ||
        !(q = perp_lexer_reals(x, 3 * (size_t)points, false, "q"))) {
        return x->error->status;
    }
    if (model == DRUCKER_PRAGER) return read_yields(x, points, M, q, r);
    if (model == VON_MISES && !perp_lexer_reals(x, (size_t)points, false, "sigma_y"))
        return x->error->status;
    perp_siconos_name(r, SICONOS_PLASTICITY);
    snprintf(r->name, sizeof r->name, "plasticity (%s)",
             model == VON_MISES ? "von Mises" : "of an unknown model");
    return perp_siconos_end(x, r->name);
}

/* ---- generic mechanical problems ---- */

enum { COMPLEMENTARY = 0, EQUALITY = 2, PLANE_CONTACT = 3, CONTACT = 4, RELAY = 9 };

static perp_status refuse_type(perp_lexer *x, int type, int k)
{
    if (type == PLANE_CONTACT || type == RELAY) {
        return perp_lexer_refuse(x, "block row %d is of type %d, a %s no such file has", k, type,
                                 type == RELAY ? "relay, whose bounds"
                                               : "contact in the plane, whose mu");
    }
    return perp_lexer_refuse(
        x, "block row %d is of type %d, expected 0 (LCP), 2 (equality) or 4 (3D contact)", k, type);
}

/* Rows first .. end - 1, which are block row k. */
static perp_status read_type(perp_lexer *x, int k, int first, int end, perp_cone_rows *rows)
{
    int type;
    perp_cone_shape cone = {1, 2, {0}, {0}};
    if (!perp_lexer_int(x, 0, 9, "the type of a block row", &type)) return x->error->status;
    if (type == CONTACT) {
        if (end - first != 3)
            return perp_lexer_refuse(x, "block row %d, a 3D contact, has %d rows, expected 3", k,
                                     end - first);
        if (!perp_lexer_real(x, false, "mu", &cone.mu[0])) return x->error->status;
        perp_cone_rows_add(rows, first, &cone);
        return PERP_SOLVED;
    }
    if (type != COMPLEMENTARY && type != EQUALITY) return refuse_type(x, type, k);
    for (int i = first; i < end && type == COMPLEMENTARY; i++) {
        if (!perp_cone_rows_bound(x, rows, i)) return x->error->status;
    }
    return PERP_SOLVED;
}

perp_status perp_siconos_mechanical(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    (void)o;
    siconos_block_rows blocks;
    perp_cone_rows rows;
    perp_matrix M;
    const double *q;
    if (!perp_siconos_block_matrix(x, "M", &M, &blocks)) return x->error->status;
    if (blocks.count == 0 && M.m > 0)
        return perp_lexer_refuse(x, "M has no blocks, whose rows would be the sub-problems");
    if (blocks.stored < blocks.count) {
        return perp_lexer_refuse(x,
                                 "M has blocks in %d of %d block rows, and the types of the others "
                                 "no such file has",
                                 blocks.stored, blocks.count);
    }
    if (!(q = perp_lexer_reals(x, (size_t)M.m, false, "q")) ||
        !perp_cone_rows_open(x, M.m, true, &rows))
        return x->error->status;
    for (int k = 0; k < blocks.count; k++) {
        int first = k ? blocks.end[k - 1] : 0;
        perp_status status = read_type(x, k, first, blocks.end[k], &rows);
        if (status) return status;
    }
    perp_siconos_name(r, SICONOS_GMP);
    perp_status status = perp_siconos_end(x, r->name);
    return status ? status : perp_siconos_cone(&rows, M, q, r);
}

perp_status perp_siconos_matrix_alone(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    (void)o;
    perp_matrix M;
    if (!perp_siconos_matrix(x, -1, -1, "M", &M)) return x->error->status;
    if (perp_siconos_more(x)) return perp_siconos_end(x, "a matrix alone");
    r->matrix_alone = true;
    return perp_lexer_refuse(x, "the file holds a matrix alone, expected a problem");
}
