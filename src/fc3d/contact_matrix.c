/* fc3d/contact_matrix.c: W by canonical block rows, and products with it; contact_system.c has the
 * systems. */
#include "contact_matrix.h"

#include "base/clones.h"
#include "method/cone.h"

#include <limits.h>
#include <string.h>

#define BELOW 1e-12 /* of the largest diagonal entry: what rounding makes of 0 */

/* ---- opening ---- */

static bool is_canonical(int n, const struct perp_bsr3_view *W)
{
    for (int i = 0; i < n; i++) {
        bool diagonal = false;
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            if (k > W->p[i] && W->j[k] <= W->j[k - 1]) return false;
            diagonal |= W->j[k] == i;
        }
        if (!diagonal) return false;
    }
    return true;
}

/* Sorted, duplicates added up, a zero block where the diagonal is missing. `where` is work space, a
 * number a contact. */
static void sort_rows(int n, const struct perp_bsr3_view *W, int *where, int *p, int *j, double *x)
{
    for (int i = 0, count = 0; i < n; i++) {
        int from = count;
        j[count++] = i;
        for (int k = W->p[i]; k < W->p[i + 1]; k++) j[count++] = W->j[k];
        for (int k = from + 1; k < count; k++) { /* rows are short: by insertion */
            int c = j[k], m = k;
            for (; m > from && j[m - 1] > c; m--) j[m] = j[m - 1];
            j[m] = c;
        }
        int kept = from;
        for (int k = from; k < count; k++) {
            if (k == from || j[k] != j[kept - 1]) j[kept++] = j[k];
            where[j[kept - 1]] = kept - 1;
        }
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            double *to = x + 9 * (size_t)where[W->j[k]];
            for (int e = 0; e < 9; e++) to[e] += W->x[9 * (size_t)k + (size_t)e];
        }
        p[i + 1] = count = kept;
    }
}

static perp_status make_canonical(perp_run *run, const perp_key *key, int n,
                                  const struct perp_bsr3_view *W, const perp_opened **out)
{
    perp_opening g;
    long long most = (long long)W->p[n] + n;
    if (most > INT_MAX) return perp_fail(run, PERP_E_MEMORY, "W has too many blocks");
    if (!perp_opened_begin(run->arena, key, &g)) return PERP_E_MEMORY;
    run->arena->work[PERP_WORK_CANONICAL]++;
    int *p = PERP_ALLOC(run, int, (size_t)n + 1), *j = PERP_ALLOC(run, int, most);
    double *x = PERP_ALLOC(run, double, 9 * (size_t)most);
    int *where = PERP_ALLOC(run, int, n);
    if (run->arena->failed) return PERP_E_MEMORY;
    sort_rows(n, W, where, p, j, x);
    perp_opened_part(&g, p, ((size_t)n + 1) * sizeof *p);
    perp_opened_part(&g, j, (size_t)p[n] * sizeof *j);
    perp_opened_part(&g, x, 9 * (size_t)p[n] * sizeof *x);
    *out = perp_opened_end(&g);
    return PERP_SOLVED;
}

/* b->W from W, which stays as it is where it is canonical. */
static perp_status open_rows(perp_run *run, const perp_matrix *W, perp_contact_matrix *b)
{
    perp_matrix rows;
    perp_error e = {0};
    perp_key key = perp_key_for(b->key, PERP_WORK_CANONICAL);
    const perp_opened *o = perp_opened_find(run->arena, &key);
    if (!o) {
        perp_status status = perp_opened_convert(W, PERP_FORMAT_BSR3, run->arena, &rows, &e);
        if (status) return perp_fail(run, status, "%s", e.text);
        b->W = rows.as.bsr3;
        if (b->contacts == 0 || is_canonical(b->contacts, &b->W)) return PERP_SOLVED;
        status = make_canonical(run, &key, b->contacts, &rows.as.bsr3, &o);
        if (status) return status;
    }
    b->W = (struct perp_bsr3_view){o->part[0], o->part[1], o->part[2]};
    return PERP_SOLVED;
}

static const double *diagonal_block(const perp_contact_matrix *b, int i)
{
    int k = b->W.p[i];
    while (b->W.j[k] != i) k++;
    return b->W.x + 9 * (size_t)k;
}

perp_status perp_contact_check_normal(perp_run *run, int contact, double normal, double qn,
                                      double largest)
{
    if (normal > 0 || (normal >= -BELOW * largest && qn >= 0)) return PERP_SOLVED;
    if (normal < 0) {
        return perp_fail(run, PERP_E_NUMBER, "W_NN = %g of contact %d is negative", normal,
                         contact);
    }
    return perp_fail(run, PERP_E_NUMBER, "W_NN = 0 of contact %d, and q_N = %g: no force opens it",
                     contact, qn);
}

/* The traces of the diagonal blocks; where rounding is all there is, as of a contact that joints
 * leave nothing to move, the mean of the others, for it scales the maps. A block may be singular:
 * no solver that comes here inverts one by itself. */
static perp_status read_traces(perp_run *run, perp_contact_matrix *b)
{
    double *trace = PERP_ALLOC(run, double, b->contacts), largest = 0;
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int i = 0; i < b->contacts; i++) {
        const double *B = diagonal_block(b, i);
        trace[i] = B[0] + B[4] + B[8];
        for (int k = 0; k < 9; k += 4) largest = fmax(largest, fabs(B[k]));
        b->mean += trace[i] / (3.0 * b->contacts);
    }
    if (!(b->mean > 0)) b->mean = largest > 0 ? largest : 1;
    for (int i = 0; i < b->contacts; i++) {
        double normal = diagonal_block(b, i)[0], qn = b->q[3 * (size_t)i];
        perp_status status = perp_contact_check_normal(run, i, normal, qn, largest);
        if (status) return status;
        if (!(trace[i] > BELOW * largest)) trace[i] = 3 * b->mean;
    }
    b->trace = trace;
    return PERP_SOLVED;
}

perp_status perp_contact_matrix_open(perp_run *run, perp_contact_matrix *b)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    *b = (perp_contact_matrix){.contacts = f->contacts, .mu = f->mu, .arena = run->arena};
    if (f->form == PERP_FORM_BODY) {
        b->reduced = PERP_ALLOC(run, perp_body_to_local, 1);
        if (run->arena->failed) return PERP_E_MEMORY;
        perp_status status = perp_body_to_local_open(run, b->reduced);
        if (status) return status;
        f = &b->reduced->local;
        b->key = b->reduced->key;
    } else {
        b->key = perp_key_matrix(perp_key_of(PERP_WORK_REDUCTION), &f->W);
    }
    b->q = f->q;
    b->place = PERP_ALLOC(run, int, b->contacts);
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_status status = open_rows(run, &f->W, b);
    return status ? status : read_traces(run, b);
}

/* ---- products ---- */

PERP_CLONED_VOID(row_product, (const struct perp_bsr3_view *W, int i, const double *r, double u[3]),
                 (W, i, r, u))
{
    double s0[3] = {0}, s1[3] = {0}, s2[3] = {0};
    for (int k = W->p[i]; k < W->p[i + 1]; k++) {
        const double *B = W->x + 9 * (size_t)k, *c = r + 3 * (size_t)W->j[k];
        for (int e = 0; e < 3; e++) {
            s0[e] += B[e] * c[0];
            s1[e] += B[3 + e] * c[1];
            s2[e] += B[6 + e] * c[2];
        }
    }
    for (int e = 0; e < 3; e++) u[e] += s0[e] + s1[e] + s2[e];
}

void perp_contact_matrix_velocity(const perp_contact_matrix *b, const double *r, double *u)
{
    for (int i = 0; i < b->contacts; i++) {
        memcpy(u + 3 * (size_t)i, b->q + 3 * (size_t)i, 3 * sizeof *u);
        row_product(&b->W, i, r, u + 3 * (size_t)i);
    }
}

double perp_contact_matrix_error(const perp_contact_matrix *b, const double *r, const double *u,
                                 int *worst)
{
    double sum = 0, most = -1;
    for (int i = 0; i < b->contacts; i++) {
        const double *x = u + 3 * (size_t)i;
        double v[3] = {x[0] + b->mu[i] * perp_cone_length(x[1], x[2]), x[1], x[2]}, map[3];
        perp_cone_natural(b->mu[i], r + 3 * (size_t)i, v, map);
        double error = map[0] * map[0] + map[1] * map[1] + map[2] * map[2];
        sum += error;
        if (worst && error > most) {
            *worst = i;
            most = error;
        }
    }
    return sqrt(sum);
}

/* ---- the run ---- */

bool perp_contact_matrix_continue(perp_run *run, const perp_contact_matrix *b, double *z,
                                  double estimate)
{
    if (b->reduced) perp_body_to_local_back(b->reduced, z);
    return perp_continue(run, z, estimate);
}

perp_status perp_contact_matrix_end(perp_run *run, const perp_contact_matrix *b, double *z,
                                    int worst)
{
    if (b->reduced) perp_body_to_local_back(b->reduced, z);
    if (run->status == PERP_STALLED || run->status == PERP_MAX_ITER) {
        return perp_fail(run, run->status, "%s; the largest remaining error is at contact %d",
                         perp_status_text(run->status), worst);
    }
    return run->status;
}
