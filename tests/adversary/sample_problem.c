/* tests/adversary/sample_problem.c: a sample as perp gets it: matrices in the formats that were
 * drawn, operators and maps by callback. */
#include "sample.h"

#include <math.h>

static void *room(perp_arena *a, int count, size_t size)
{
    return perp_alloc(a, (size_t)count, size);
}

/* How often an entry is stored: half of it twice where that is exact. */
static int copies(const sample *s, double x)
{
    return fabs(x) == 0 ? 0 : s->split && fabs(x) > 1e-300 ? 2 : 1;
}

/* Compressed columns of A, or with `rows` compressed rows. */
static perp_matrix compress(const sample *s, const table *A, bool rows, perp_arena *a)
{
    int outer = rows ? A->m : A->n, inner = rows ? A->n : A->m, count = 0;
    int *p = room(a, outer + 1, sizeof *p), *index = room(a, 2 * A->m * A->n, sizeof *index);
    double *x = room(a, 2 * A->m * A->n, sizeof *x);
    for (int k = 0; k < outer; k++) {
        for (int l = inner - 1; l >= 0; l--) {
            double value = rows ? AT(A, k, l) : AT(A, l, k);
            int times = copies(s, value);
            for (int c = 0; c < times; c++) {
                index[count] = l;
                x[count++] = value / times;
            }
        }
        p[k + 1] = count;
    }
    return rows ? perp_csr(A->m, A->n, p, index, x) : perp_csc(A->m, A->n, p, index, x);
}

static perp_matrix rows_first(const table *A, perp_arena *a)
{
    double *x = room(a, A->m * A->n, sizeof *x);
    for (int i = 0; i < A->m; i++) {
        for (int j = 0; j < A->n; j++) x[i * A->n + j] = AT(A, i, j);
    }
    return perp_dense_rows(A->m, A->n, x);
}

static bool block_is_zero(const table *A, int bi, int bj)
{
    for (int k = 0; k < 9; k++) {
        if (fabs(AT(A, 3 * bi + k % 3, 3 * bj + k / 3)) > 0) return false;
    }
    return true;
}

static perp_matrix in_blocks(const table *A, perp_arena *a)
{
    int mb = A->m / 3, nb = A->n / 3, count = 0;
    int *p = room(a, mb + 1, sizeof *p), *j = room(a, mb * nb, sizeof *j);
    double *x = room(a, A->m * A->n, sizeof *x);
    for (int bi = 0; bi < mb; bi++) {
        for (int bj = 0; bj < nb; bj++) {
            if (block_is_zero(A, bi, bj)) continue;
            for (int k = 0; k < 9; k++) {
                x[9 * count + k] = AT(A, 3 * bi + k % 3, 3 * bj + k / 3);
            }
            j[count++] = bj;
        }
        p[bi + 1] = count;
    }
    return perp_bsr3(mb, nb, p, j, x);
}

static void mul(void *ctx, double a, const double *x, double b, double *y)
{
    const table *A = ctx;
    for (int i = 0; i < A->m; i++) {
        double sum = 0;
        for (int j = 0; j < A->n; j++) sum += AT(A, i, j) * x[j];
        y[i] = fabs(b) > 0 ? a * sum + b * y[i] : a * sum;
    }
}

static void mul_t(void *ctx, double a, const double *x, double b, double *y)
{
    const table *A = ctx;
    for (int j = 0; j < A->n; j++) {
        double sum = 0;
        for (int i = 0; i < A->m; i++) sum += AT(A, i, j) * x[i];
        y[j] = fabs(b) > 0 ? a * sum + b * y[j] : a * sum;
    }
}

static perp_matrix view(const sample *s, const table *A, perp_format format, perp_arena *a)
{
    switch (format) {
    case PERP_FORMAT_CSC: return compress(s, A, false, a);
    case PERP_FORMAT_CSR: return compress(s, A, true, a);
    case PERP_FORMAT_DENSE_ROWS: return rows_first(A, a);
    case PERP_FORMAT_BSR3: return in_blocks(A, a);
    case PERP_FORMAT_OPERATOR: {
        perp_matrix M = perp_dense(A->m, A->n, A->x);
        M.format = format;
        M.as.op = (struct perp_operator){.mul = mul, .mul_t = mul_t, .ctx = (void *)(uintptr_t)A};
        return M;
    }
    default: return perp_dense(A->m, A->n, A->x);
    }
}

static double curve_value(curve c, double shift, double z)
{
    switch (c) {
    case CURVE_CUBE: return z + z * z * z;
    case CURVE_SQUARE: return z * fabs(z);
    case CURVE_EXP: return expm1(z);
    case CURVE_INVERSE: return z + shift > 0 ? -1 / (z + shift) : NAN;
    case CURVE_LOG: return z + shift > 0 ? log(z + shift) : NAN;
    case CURVE_ATAN: return atan(z);
    default: return z;
    }
}

static double curve_slope(curve c, double shift, double z)
{
    switch (c) {
    case CURVE_CUBE: return 1 + 3 * z * z;
    case CURVE_SQUARE: return 2 * fabs(z);
    case CURVE_EXP: return exp(z);
    case CURVE_INVERSE: return z + shift > 0 ? 1 / ((z + shift) * (z + shift)) : NAN;
    case CURVE_LOG: return z + shift > 0 ? 1 / (z + shift) : NAN;
    case CURVE_ATAN: return 1 / (1 + z * z);
    default: return 1;
    }
}

bool sample_eval(void *ctx, const double *z, double *F)
{
    const sample *s = ctx;
    bool defined = true;
    for (int i = 0; i < s->n; i++) F[i] = s->q[i];
    for (int j = 0; j < s->n; j++) {
        double phi = curve_value(s->curve[j], s->shift[j], z[j]);
        for (int i = 0; i < s->n; i++) F[i] += AT(&s->M, i, j) * phi;
    }
    for (int i = 0; i < s->n; i++) F[i] *= s->row[i];
    for (int i = 0; i < s->n; i++) defined = defined && isfinite(F[i]);
    return defined;
}

bool sample_jacobian(void *ctx, const double *z, double *values)
{
    const sample *s = ctx;
    bool defined = true;
    for (int j = 0; j < s->n; j++) {
        double slope = curve_slope(s->curve[j], s->shift[j], z[j]);
        for (int i = 0; i < s->n; i++) {
            values[j * s->n + i] = s->row[i] * AT(&s->M, i, j) * slope;
            defined = defined && isfinite(values[j * s->n + i]);
        }
    }
    return defined;
}

static perp_map callback(const sample *s)
{
    return perp_make_map(s->n, sample_eval, s->has_jacobian ? sample_jacobian : NULL,
                         (perp_matrix){0}, (void *)(uintptr_t)s);
}

static perp_problem fc3d_problem(const sample *s, const perp_format format[3], perp_arena *a)
{
    if (s->kind == V_FC3D) {
        return perp_make_fc3d(s->contacts, view(s, &s->M, format[0], a), s->q, s->mu);
    }
    perp_problem p = {.kind = PERP_KIND_FC3D};
    p.as.fc3d = (perp_fc3d){.contacts = s->contacts,
                            .form = PERP_FORM_BODY,
                            .mu = s->mu,
                            .M = view(s, &s->M, format[0], a),
                            .H = view(s, &s->A, format[1], a),
                            .f = s->q,
                            .w = s->w};
    if (s->joints > 0) {
        p.as.fc3d.G = view(s, &s->G, format[2], a);
        p.as.fc3d.b = s->b;
    }
    return p;
}

static perp_problem cone_problem(const sample *s, const perp_format format[3], perp_arena *a)
{
    perp_problem p = {.kind = PERP_KIND_CONE};
    p.as.cone = (perp_cone){.n = s->n,
                            .W = view(s, &s->M, format[0], a),
                            .q = s->q,
                            .lo = s->xlo,
                            .hi = s->xhi,
                            .follows = s->follows,
                            .group = s->group,
                            .mu = s->mu,
                            .s = s->slip};
    return p;
}

static perp_problem mcp_problem(const sample *s, const perp_format format[3], perp_arena *a)
{
    if (s->kind == V_MCP_MAP) return perp_make_mcp_map(callback(s), s->xlo, s->xhi);
    perp_problem p = perp_make_mcp(s->n, view(s, &s->M, format[0], a), s->q, s->xlo, s->xhi);
    if (s->kind == V_FOLLOWS) {
        p.as.mcp.follows = s->follows;
        p.as.mcp.mu = s->mu;
    }
    return p;
}

perp_problem sample_problem(const sample *s, bool dense, perp_arena *a)
{
    static const perp_format plain[3] = {PERP_FORMAT_DENSE, PERP_FORMAT_DENSE, PERP_FORMAT_DENSE};
    const perp_format *format = dense ? plain : s->format;
    perp_problem p;
    switch (s->kind) {
    case V_LCP: return perp_make_lcp(s->n, view(s, &s->M, format[0], a), s->q);
    case V_NCP:
        p = (perp_problem){.kind = PERP_KIND_NCP};
        p.as.ncp.F = (perp_map){.n = s->n, .M = view(s, &s->M, format[0], a), .q = s->q};
        return p;
    case V_NCP_MAP: return perp_make_ncp(callback(s));
    case V_NNLS:
        p = perp_make_nnls(view(s, &s->M, format[0], a), s->q);
        p.as.nnls.is_free = s->is_free;
        return p;
    case V_QP:
        p = perp_make_qp(s->n, s->m, view(s, &s->M, format[0], a), s->q,
                         view(s, &s->A, format[1], a), s->lo, s->hi);
        p.as.qp.xlo = s->xlo;
        p.as.qp.xhi = s->xhi;
        return p;
    case V_CONE: return cone_problem(s, format, a);
    case V_FC3D:
    case V_BODY: return fc3d_problem(s, format, a);
    default: return mcp_problem(s, format, a);
    }
}
