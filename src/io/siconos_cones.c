/* io/siconos_cones.c: the layouts of Siconos' .dat files that hold contacts and other cones.
 *
 *     contacts      d nc M q mu, or by bodies d nc M H q b mu; with rolling resistance also mu_r
 *     cones         n nc M q, the first row of each cone and n, tau
 *     plasticity    3 nc model M q and what the model needs; the old layout has no model
 *     mechanical    M q, then the type of each block row and, of contacts, mu
 *
 * perp has the contacts with d = 3 and without rolling resistance. All others are read to their end
 * as well, so that a file is refused by the name of what it holds and never taken for another. One
 * pass over the text, and a second one where q begins like the sizes of H. */
#include "siconos.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static void set_name(siconos_reading *r, int which, const char *name)
{
    snprintf(r->name[which], sizeof r->name[which], "%s", name);
}

/* ---- contacts ---- */

/* Does a matrix section of this size begin here? */
static bool matrix_follows(const perp_lexer *x, int m, int n)
{
    perp_error scratch;
    perp_lexer look = *x;
    int value;
    look.error = &scratch;
    return perp_lexer_int(&look, 0, 2, "", &value) && perp_lexer_int(&look, m, m, "", &value) &&
           perp_lexer_int(&look, n, n, "", &value);
}

static perp_status read_local(perp_lexer *x, perp_matrix W, perp_fc3d *f)
{
    f->form = PERP_FORM_LOCAL;
    f->W = W;
    f->q = perp_lexer_reals(x, (size_t)W.m, false, "q");
    return f->q ? PERP_SOLVED : x->error->status;
}

static perp_status read_global(perp_lexer *x, perp_matrix M, int n, perp_fc3d *f)
{
    f->form = PERP_FORM_BODY;
    f->M = M;
    if (!perp_siconos_matrix(x, M.m, n, "H", &f->H)) return x->error->status;
    f->f = perp_lexer_reals(x, (size_t)M.m, false, "q");
    f->w = f->f ? perp_lexer_reals(x, (size_t)n, false, "b") : NULL;
    return f->w ? PERP_SOLVED : x->error->status;
}

/* The layout by what is left behind mu: nothing, the flag of old files, or mu_r. Rolling contacts
 * in the plane have the shape of plasticity in its old layout, always. */
static perp_status name_contacts(perp_lexer *x, int d, int contacts, bool global,
                                 siconos_reading *r)
{
    const char *plane =
        global ? "frictional contact in 2D (GFC2D)" : "frictional contact in 2D (FC2D)";
    const char *plane_rolling = global ? "frictional contact in 2D with rolling resistance (GRFC2D)"
                                       : "frictional contact in 2D with rolling resistance (RFC2D)";
    const char *rolling = global ? "frictional contact with rolling resistance (GRFC3D)"
                                 : "frictional contact with rolling resistance (RFC3D)";
    bool flag = perp_siconos_flag(x), each = perp_siconos_left(x) == (size_t)contacts;
    set_name(r, 0, d == 2 ? plane : d == 5 ? rolling : "3D frictional contact");
    if (d == 5) {
        if (!perp_lexer_reals(x, (size_t)contacts, false, "mu_r")) return x->error->status;
    } else if (d == 3 && contacts > 0 && each && !flag) {
        set_name(r, 0, plane_rolling);
        if (!global) set_name(r, 1, "plasticity in its old layout");
        return PERP_SOLVED;
    }
    r->readable = d == 3;
    return flag && d != 5 ? PERP_SOLVED : perp_siconos_end(x, r->name[0]);
}

static perp_status read_form(perp_lexer *x, int d, int contacts, perp_matrix M, bool global,
                             siconos_reading *r)
{
    perp_fc3d f = {.contacts = contacts};
    perp_status status = global ? read_global(x, M, d * contacts, &f) : read_local(x, M, &f);
    if (status) return status;
    f.mu = perp_lexer_reals(x, (size_t)contacts, false, "mu");
    if (!f.mu) return x->error->status;
    r->problem = (perp_problem){.kind = PERP_KIND_FC3D, .as.fc3d = f};
    return name_contacts(x, d, contacts, global, r);
}

/* What follows M may be the sizes of H, or a q of whole numbers. It is H where that reads to its
 * end; where neither does, the error is that of the reading that came further. */
static perp_status read_either(perp_lexer *x, int d, int contacts, perp_matrix M,
                               siconos_reading *r)
{
    perp_lexer before = *x;
    perp_mark mark = perp_arena_mark(x->arena);
    perp_status status = read_form(x, d, contacts, M, true, r);
    if (status == PERP_SOLVED || status == PERP_E_MEMORY) return status;
    perp_error error = *x->error;
    const char *reached = x->at;
    perp_arena_release(x->arena, mark);
    *x = before;
    status = read_form(x, d, contacts, M, false, r);
    if (status == PERP_SOLVED || status == PERP_E_MEMORY || x->at > reached) return status;
    x->at = reached;
    *x->error = error;
    return error.status;
}

perp_status perp_siconos_contacts(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    (void)o;
    int d, contacts;
    perp_matrix M;
    if (!perp_lexer_int(x, 2, 5, "the dimension of the contacts", &d) ||
        !perp_lexer_int(x, 0, INT_MAX / 5, "the number of contacts", &contacts) ||
        !perp_siconos_matrix(x, -1, -1, "M", &M)) {
        return x->error->status;
    }
    if (M.m != M.n) return perp_lexer_refuse(x, "M is %d x %d, expected a square one", M.m, M.n);
    if (M.m != d * contacts) return read_form(x, d, contacts, M, true, r);
    if (matrix_follows(x, M.m, M.m)) return read_either(x, d, contacts, M, r);
    return read_form(x, d, contacts, M, false, r);
}

/* ---- layouts that perp has no problems for ---- */

perp_status perp_siconos_cones(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    (void)o;
    int n, cones, first = 0;
    perp_matrix M;
    if (!perp_lexer_int(x, 0, INT_MAX, "n", &n) || !perp_lexer_int(x, 0, n, "nc", &cones) ||
        !perp_siconos_matrix(x, n, n, "M", &M) || !perp_lexer_reals(x, (size_t)n, false, "q") ||
        !perp_lexer_int(x, 0, 0, "the first cone", &first)) {
        return x->error->status;
    }
    for (int k = 1; k <= cones; k++) {
        int min = k == cones ? n : first + 1;
        if (!perp_lexer_int(x, min, n, "the next cone", &first)) return x->error->status;
    }
    if (!perp_lexer_reals(x, (size_t)cones, false, "tau")) return x->error->status;
    set_name(r, 0, "a second-order cone LCP (SOCLCP)");
    return perp_siconos_end(x, r->name[0]);
}

perp_status perp_siconos_plasticity(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    static const char *const names[] = {"plasticity of an unknown model",
                                        "plasticity (Drucker-Prager)", "plasticity (von Mises)"};
    static const size_t parameters[] = {0, 2, 1}; /* of each point */
    (void)o;
    int d, points, model;
    perp_matrix M;
    if (!perp_lexer_int(x, 3, 3, "the dimension", &d) ||
        !perp_lexer_int(x, 1, INT_MAX / 3, "the number of points", &points) ||
        !perp_lexer_int(x, 0, 2, "the model", &model) ||
        !perp_siconos_matrix(x, 3 * points, 3 * points, "M", &M) ||
        !perp_lexer_reals(x, 3 * (size_t)points, false, "q") ||
        !perp_lexer_reals(x, parameters[model] * (size_t)points, false, "the parameters")) {
        return x->error->status;
    }
    set_name(r, 0, names[model]);
    return perp_siconos_end(x, r->name[0]);
}

/* The types of the block rows up to the end; how many there are is what the matrix's tables say,
 * and at most n. */
static perp_status read_types(perp_lexer *x, int n)
{
    const int contact = 4;
    for (int k = 0; k < n && (k == 0 || perp_siconos_more(x)); k++) {
        int type;
        double mu;
        if (!perp_lexer_int(x, 0, 9, "the type of a block row", &type)) return x->error->status;
        if (type == contact && !perp_lexer_real(x, false, "mu", &mu)) return x->error->status;
    }
    return PERP_SOLVED;
}

perp_status perp_siconos_mechanical(perp_lexer *x, const perp_load_options *o, siconos_reading *r)
{
    (void)o;
    perp_matrix M;
    if (!perp_siconos_matrix(x, -1, -1, "M", &M)) return x->error->status;
    if (M.m != M.n) return perp_lexer_refuse(x, "M is %d x %d, expected a square one", M.m, M.n);
    if (!perp_lexer_reals(x, (size_t)M.n, false, "q")) return x->error->status;
    perp_status status = read_types(x, M.n);
    if (status) return status;
    set_name(r, 0, "a generic mechanical problem (GMP)");
    return perp_siconos_end(x, r->name[0]);
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
