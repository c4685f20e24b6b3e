/* io/qps_problem.c: what the lines of a QPS file say together: sides, objective, A and H.
 * Bounds that are all infinite become NULL, no rows an absent A, no quadratic entries an absent H,
 * so that a problem written and read again is the same. */
#include "qps.h"

#include <math.h>

void perp_qps_sides(char type, double rhs, double range, double *lo, double *hi)
{
    if (isnan(rhs)) rhs = 0;
    *lo = *hi = rhs;
    if (isnan(range)) {
        if (type == 'L') *lo = -INFINITY;
        if (type == 'G') *hi = INFINITY;
    } else if (type == 'L' || (type == 'E' && range < 0)) {
        *lo = rhs - fabs(range);
    } else {
        *hi = rhs + fabs(range);
    }
    bool equal = type == 'E' && isnan(range);
    if (!equal && *lo <= -QPS_INFINITY) *lo = -INFINITY;
    if (!equal && *hi >= QPS_INFINITY) *hi = INFINITY;
}

/* Bounds that are all infinite are none. */
static const double *bounds_or_none(const double *x, int n, double none)
{
    for (int k = 0; k < n; k++) {
        if (x[k] != none) return x;
    }
    return NULL;
}

static bool set_sides(perp_qps *q, perp_qp *p)
{
    size_t m = (size_t)q->m + 1;
    double *lo = perp_lexer_alloc(q->x, m, sizeof *lo, "the sides");
    double *hi = lo ? perp_lexer_alloc(q->x, m, sizeof *hi, "the sides") : NULL;
    if (!hi) return false;
    for (int row = 0; row < q->rows.count; row++) {
        int i = q->place[row];
        if (i < 0) continue;
        perp_qps_sides(q->type[row], q->rhs[row], q->range[row], &lo[i], &hi[i]);
        if (!isnan(q->exact[0][row])) {
            lo[i] = q->exact[0][row];
            hi[i] = q->exact[1][row];
        }
    }
    p->lo = bounds_or_none(lo, q->m, -INFINITY);
    p->hi = bounds_or_none(hi, q->m, INFINITY);
    return true;
}

/* c is what is in row -1; the other entries move together. */
static bool set_linear(perp_qps *q, perp_qp *p)
{
    int kept = 0;
    perp_triplets *t = &q->A;
    double *c = perp_lexer_alloc(q->x, (size_t)p->n + 1, sizeof *c, "the objective");
    if (!c) return false;
    for (int j = 0; j < p->n; j++) c[j] = NAN; /* none yet: 0 + -0 is not -0 */
    for (int k = 0; k < t->count; k++) {
        int j = t->j[k];
        if (t->i[k] < 0) {
            c[j] = isnan(c[j]) ? t->v[k] : c[j] + t->v[k];
        } else {
            t->i[kept] = t->i[k];
            t->j[kept] = j;
            t->v[kept++] = t->v[k];
        }
    }
    for (int j = 0; j < p->n; j++) {
        if (isnan(c[j])) c[j] = 0;
    }
    p->c = c;
    return p->m == 0 || perp_lexer_compress(q->x, p->m, p->n, kept, t->i, t->j, t->v, &p->A);
}

bool perp_qps_problem(perp_qps *q, perp_file *file)
{
    perp_qp *p = &file->problem.as.qp;
    file->problem.kind = PERP_KIND_QP;
    p->n = q->columns.count;
    p->m = q->m;
    p->xlo = bounds_or_none(q->xlo, p->n, -INFINITY);
    p->xhi = bounds_or_none(q->xhi, p->n, INFINITY);
    for (int row = 0; row < q->rows.count; row++) {
        if (q->place[row] == -1 && !isnan(q->rhs[row])) file->constant = -q->rhs[row];
    }
    if (q->title.length) {
        char *title = perp_lexer_alloc(q->x, q->title.length + 1, 1, "the name");
        if (!title) return false;
        memcpy(title, q->title.text, q->title.length);
        title[q->title.length] = 0;
        file->title = title;
    }
    const perp_triplets *H = &q->H;
    return set_sides(q, p) && set_linear(q, p) &&
           (H->count == 0 ||
            perp_lexer_compress(q->x, p->n, p->n, H->count, H->i, H->j, H->v, &p->H));
}
