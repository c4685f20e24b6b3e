/* io/qps_write.c: quadratic programs to QPS, columns x1 x2 ..., rows c1 c2 ...
 *
 * Names stand in the columns of the fixed format, numbers may be longer than it has room for. A
 * symmetric H is written as its lower triangle (QUADOBJ), another as a whole (QMATRIX). A row with
 * two sides is a G or L row with a range; where rounding leaves no range that gives both sides to
 * the last bit, a comment that perp's reader knows holds them. A row without sides is an L row
 * below 1e30. */
#include "qps.h"

#include <math.h>

static bool same_bits(double x, double y)
{
    return !memcmp(&x, &y, sizeof x);
}

/* A zero that a reader would not put there by itself. */
static bool is_plain_zero(double x)
{
    return same_bits(x, 0);
}

/* ---- rows ---- */

typedef struct row {
    char type;
    double rhs, range; /* NaN: none */
    bool exact;        /* type, rhs and range give the sides to the last bit */
} row;

static bool gives(const row *r, double lo, double hi)
{
    double l, h;
    perp_qps_sides(r->type, r->rhs, r->range, &l, &h);
    return same_bits(l, lo) && same_bits(h, hi);
}

static row make_row(double lo, double hi)
{
    if (isinf(lo) && isinf(hi)) return (row){'L', 1e30, NAN, true};
    if (isinf(lo)) return (row){'L', hi, NAN, true};
    if (isinf(hi)) return (row){'G', lo, NAN, true};
    if (same_bits(lo, hi)) return (row){'E', lo, NAN, true};
    const double width = hi - lo,
                 tries[] = {width, nextafter(width, 0), nextafter(width, INFINITY)};
    for (int k = 0; k < 6; k++) {
        row r = {k < 3 ? 'G' : 'L', k < 3 ? lo : hi, tries[k % 3], true};
        if (gives(&r, lo, hi)) return r;
    }
    return (row){'G', lo, width, false};
}

static row row_of(const perp_qp *p, int i)
{
    return make_row(p->lo ? p->lo[i] : -INFINITY, p->hi ? p->hi[i] : INFINITY);
}

static void write_pair(perp_sink *s, const char *set, int i, double v)
{
    perp_sink_text(s, "    %-8s  c%-7d  ", set, i + 1);
    perp_sink_real(s, v);
    perp_sink_text(s, "\n");
}

static void write_rows(perp_sink *s, const perp_qp *p)
{
    perp_sink_text(s, "ROWS\n N  obj\n");
    for (int i = 0; i < p->m; i++) perp_sink_text(s, " %c  c%d\n", row_of(p, i).type, i + 1);
}

static void write_rhs(perp_sink *s, const perp_qp *p, double constant)
{
    perp_sink_text(s, "RHS\n");
    if (!is_plain_zero(constant)) {
        perp_sink_text(s, "    rhs       obj       ");
        perp_sink_real(s, -constant);
        perp_sink_text(s, "\n");
    }
    for (int i = 0; i < p->m; i++) {
        row r = row_of(p, i);
        if (!is_plain_zero(r.rhs)) write_pair(s, "rhs", i, r.rhs);
    }
}

static void write_ranges(perp_sink *s, const perp_qp *p)
{
    bool first = true;
    for (int i = 0; i < p->m; i++) {
        row r = row_of(p, i);
        if (isnan(r.range)) continue;
        if (first) perp_sink_text(s, "RANGES\n");
        first = false;
        write_pair(s, "range", i, r.range);
        if (r.exact) continue;
        perp_sink_text(s, "*PERP RANGE c%d ", i + 1);
        perp_sink_real(s, p->lo[i]);
        perp_sink_text(s, " ");
        perp_sink_real(s, p->hi[i]);
        perp_sink_text(s, "\n");
    }
}

/* ---- columns ---- */

/* A column without entries has to be named all the same. */
static void write_columns(perp_sink *s, const perp_qp *p)
{
    perp_sink_text(s, "COLUMNS\n");
    for (int j = 0; j < p->n; j++) {
        int begin = p->m ? p->A.as.csc.p[j] : 0, end = p->m ? p->A.as.csc.p[j + 1] : 0;
        if (begin == end || !is_plain_zero(p->c[j])) {
            perp_sink_text(s, "    x%-7d  obj       ", j + 1);
            perp_sink_real(s, p->c[j]);
            perp_sink_text(s, "\n");
        }
        for (int k = begin; k < end; k++) {
            perp_sink_text(s, "    x%-7d  c%-7d  ", j + 1, p->A.as.csc.i[k] + 1);
            perp_sink_real(s, p->A.as.csc.x[k]);
            perp_sink_text(s, "\n");
        }
    }
}

static void write_bound(perp_sink *s, const char *type, int j, const double *v)
{
    perp_sink_text(s, " %s bound     x%-7d", type, j + 1);
    if (v) {
        perp_sink_text(s, "  ");
        perp_sink_real(s, *v);
    }
    perp_sink_text(s, "\n");
}

static void write_bounds(perp_sink *s, const perp_qp *p)
{
    perp_sink_text(s, "BOUNDS\n");
    for (int j = 0; j < p->n; j++) {
        double lo = p->xlo ? p->xlo[j] : -INFINITY, hi = p->xhi ? p->xhi[j] : INFINITY;
        if (isinf(lo) && isinf(hi)) {
            write_bound(s, "FR", j, NULL);
        } else if (same_bits(lo, hi)) {
            write_bound(s, "FX", j, &lo);
        } else {
            if (isinf(lo)) write_bound(s, "MI", j, NULL);
            if (isfinite(lo) && (!is_plain_zero(lo) || hi < 0)) write_bound(s, "LO", j, &lo);
            if (isfinite(hi)) write_bound(s, "UP", j, &hi);
        }
    }
}

/* ---- H ---- */

/* H equals its transpose to the last bit, in pattern and values. Its columns are sorted, so that
 * the entry at the head of each column's remaining list is the one that a walk by rows meets. */
static bool is_symmetric(const perp_matrix *H, int *next)
{
    const struct perp_csc_view *v = &H->as.csc;
    for (int j = 0; j < H->n; j++) next[j] = v->p[j];
    for (int j = 0; j < H->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int i = v->i[k], other = next[i]++;
            if (other >= v->p[i + 1] || v->i[other] != j || !same_bits(v->x[other], v->x[k]))
                return false;
        }
    }
    return true;
}

static void write_quadratic(perp_sink *s, const perp_matrix *H, bool symmetric)
{
    const struct perp_csc_view *v = &H->as.csc;
    perp_sink_text(s, symmetric ? "QUADOBJ\n" : "QMATRIX\n");
    for (int j = 0; j < H->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            if (symmetric && v->i[k] < j) continue;
            perp_sink_text(s, "    x%-7d  x%-7d  ", j + 1, v->i[k] + 1);
            perp_sink_real(s, v->x[k]);
            perp_sink_text(s, "\n");
        }
    }
}

/* ---- the file ---- */

/* What would be read back as infinite is refused. */
static perp_status check_finite(const double *x, int n, const char *name, perp_error *e)
{
    for (int k = 0; x && k < n; k++) {
        if (isfinite(x[k]) && fabs(x[k]) >= QPS_INFINITY)
            return perp_refuse(e, PERP_E_FORMAT,
                               "%s[%d] = %g: QPS takes 1e20 and more for infinite", name, k, x[k]);
    }
    return PERP_SOLVED;
}

/* The name ends with its line. */
static void write_name(perp_sink *s, const char *title)
{
    int length = title ? (int)strcspn(title, "\r\n") : 0;
    perp_sink_text(s, "NAME          %.*s\n", length < 1000 ? length : 1000, title ? title : "");
}

perp_status perp_qps_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e)
{
    perp_problem full = perp_complete(&file->problem);
    perp_qp *p = &full.as.qp;
    perp_status status;
    if ((status = check_finite(p->lo, p->m, "lo", e)) ||
        (status = check_finite(p->hi, p->m, "hi", e)) ||
        (status = check_finite(p->xlo, p->n, "xlo", e)) ||
        (status = check_finite(p->xhi, p->n, "xhi", e)) ||
        (status = perp_io_csc(&p->A, a, &p->A, e)) || (status = perp_io_csc(&p->H, a, &p->H, e)))
        return status;
    int *next = perp_alloc_unset(a, (size_t)p->n + 1, sizeof *next);
    if (!next) return perp_refuse(e, PERP_E_MEMORY, "no memory to write %d columns", p->n);
    write_name(s, file->title);
    write_rows(s, p);
    write_columns(s, p);
    write_rhs(s, p, file->constant);
    write_ranges(s, p);
    write_bounds(s, p);
    if (p->H.as.csc.p[p->n] > 0) write_quadratic(s, &p->H, is_symmetric(&p->H, next));
    perp_sink_text(s, "ENDATA\n");
    return PERP_SOLVED;
}
