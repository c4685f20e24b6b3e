/* io/siconos_write.c: problems as Siconos' .dat files.
 *
 * Dense matrices are written dense, 3 x 3 blocks as sparse blocks, compressed columns as CSparse
 * prints them, with all digits. An mcp whose bounds are those of a mixed LCP is written as one, any
 * other as a relay, whose bounds may be infinite. */
#include "siconos.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

static void write_reals(perp_sink *s, int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        perp_sink_real(s, x[i]);
        perp_sink_bytes(s, i + 1 < n ? " " : "\n", 1);
    }
}

void perp_siconos_put_vector(perp_sink *s, int n, const double *x, double none)
{
    for (int i = 0; i < n; i++) {
        char text[32];
        int length = perp_print_real(x ? x[i] : none, text);
        perp_sink_bytes(s, text, (size_t)length);
        if (!strpbrk(text, ".en")) perp_sink_bytes(s, ".0", 2);
        perp_sink_bytes(s, i + 1 < n ? " " : "\n", 1);
    }
}

static void write_line(perp_sink *s, int x)
{
    perp_sink_int(s, x);
    perp_sink_bytes(s, "\n", 1);
}

static void write_ints(perp_sink *s, int n, const int *x)
{
    for (int i = 0; i < n; i++) {
        perp_sink_int(s, x[i]);
        perp_sink_bytes(s, "\t", 1);
    }
    perp_sink_bytes(s, "\n", 1);
}

/* ---- matrices ---- */

static void write_dense(perp_sink *s, const perp_matrix *A, int m, int n)
{
    perp_sink_text(s, "0\n%d\n%d\n%d\t%d\n", m, n, m, n);
    for (int j = 0; j < n && m > 0; j++) {
        write_reals(s, m, A->as.dense.x + (size_t)j * (size_t)A->as.dense.ld);
    }
}

static void write_sizes(perp_sink *s, int count)
{
    for (int k = 1; k <= count; k++) perp_sink_text(s, "%d\t", 3 * k);
    perp_sink_bytes(s, "\n", 1);
}

static void write_blocks(perp_sink *s, const perp_matrix *A)
{
    int rows = A->m / 3, columns = A->n / 3, count = A->as.bsr3.p[rows];
    perp_sink_text(s, "1\n%d\n%d\n%d\n", A->m, A->n, count);
    if (count == 0) return;
    perp_sink_text(s, "%d\n%d\n", rows, columns);
    write_sizes(s, rows);
    write_sizes(s, columns);
    perp_sink_text(s, "%d\n%d\n", rows + 1, count);
    write_ints(s, rows + 1, A->as.bsr3.p);
    write_ints(s, count, A->as.bsr3.j);
    for (int k = 0; k < count; k++) {
        write_line(s, k);
        for (size_t i = 0; i < 9; i++) write_reals(s, 1, A->as.bsr3.x + 9 * (size_t)k + i);
    }
}

/* The largest column sum, which CSparse prints and nobody reads. */
static double one_norm(const perp_matrix *A)
{
    double norm = 0;
    for (int j = 0; j < A->n; j++) {
        double sum = 0;
        for (int k = A->as.csc.p[j]; k < A->as.csc.p[j + 1]; k++) sum += fabs(A->as.csc.x[k]);
        norm = sum > norm ? sum : norm;
    }
    return norm;
}

static void write_columns(perp_sink *s, const perp_matrix *A)
{
    const int *p = A->as.csc.p;
    perp_sink_text(s, "2\n%d\n%d\n2\nCSparse\n%d-by-%d, nzmax: %d nnz: %d, 1-norm: ", A->m, A->n,
                   A->m, A->n, p[A->n], p[A->n]);
    perp_sink_real(s, one_norm(A));
    perp_sink_bytes(s, "\n", 1);
    for (int j = 0; j < A->n; j++) {
        perp_sink_text(s, "    col %d : locations %d to %d\n", j, p[j], p[j + 1] - 1);
        for (int k = p[j]; k < p[j + 1]; k++) {
            perp_sink_text(s, "      %d : ", A->as.csc.i[k]);
            write_reals(s, 1, &A->as.csc.x[k]);
        }
    }
}

void perp_siconos_put_matrix(perp_sink *s, const perp_matrix *A, int m, int n)
{
    switch (A->format) {
    case PERP_FORMAT_BSR3: write_blocks(s, A); break;
    case PERP_FORMAT_CSC: write_columns(s, A); break;
    default: write_dense(s, A, m, n); break;
    }
}

/* ---- problems ---- */

static void write_linear(perp_sink *s, int n, const perp_matrix *M, const double *q)
{
    write_line(s, n);
    perp_siconos_put_matrix(s, M, n, n);
    perp_siconos_put_vector(s, n, q, 0);
}

/* 1: equality, 0: complementarity, -1: neither. */
static int row_of_mlcp(const perp_mcp *p, int i)
{
    double lo = p->lo ? p->lo[i] : -INFINITY, hi = p->hi ? p->hi[i] : INFINITY;
    if (hi < INFINITY) return -1;
    if (lo == -INFINITY) return 1;
    return lo == 0 && !signbit(lo) ? 0 : -1;
}

static bool is_mlcp(const perp_mcp *p, int *equalities)
{
    *equalities = 0;
    for (int i = 0; i < p->F.n; i++) {
        int row = row_of_mlcp(p, i);
        if (row < 0) return false;
        *equalities += row;
    }
    return true;
}

/* Runs of equal rows are blocks. The parts A, B, C, D are not written a second time: not every
 * order of the rows has them. */
static void write_mlcp(perp_sink *s, const perp_mcp *p, int equalities)
{
    int n = p->F.n;
    perp_sink_text(s, "1\n0\n%d\n%d\n", equalities, n - equalities);
    for (int i = 0; i < n; i++) {
        if (i == 0 || row_of_mlcp(p, i) != row_of_mlcp(p, i - 1)) perp_sink_text(s, "%d ", i);
    }
    perp_sink_text(s, "%d\n", n);
    for (int i = 0; i < n; i++) {
        if (i && row_of_mlcp(p, i) == row_of_mlcp(p, i - 1)) continue;
        perp_sink_text(s, "%d ", 1 - row_of_mlcp(p, i));
    }
    perp_sink_bytes(s, "\n", 1);
    perp_siconos_put_matrix(s, &p->F.M, n, n);
    perp_siconos_put_vector(s, n, p->F.q, 0);
}

static perp_status write_mcp(perp_sink *s, const perp_mcp *p, perp_error *e)
{
    int n = p->F.n, equalities;
    for (int i = 0; p->follows && i < n; i++) {
        if (p->follows[i] < 0) continue;
        return perp_refuse(e, PERP_E_FORMAT,
                           "a .dat file cannot hold bounds that follow another unknown");
    }
    if (is_mlcp(p, &equalities)) {
        write_mlcp(s, p, equalities);
        return PERP_SOLVED;
    }
    write_linear(s, n, &p->F.M, p->F.q);
    perp_siconos_put_vector(s, n, p->lo, -INFINITY);
    perp_siconos_put_vector(s, n, p->hi, INFINITY);
    return PERP_SOLVED;
}

static perp_status write_friction(perp_sink *s, const perp_fc3d *f, perp_error *e)
{
    int n = 3 * f->contacts, nv = f->M.m;
    if (f->form == PERP_FORM_BODY && f->G.format != PERP_FORMAT_ABSENT && f->G.n > 0) {
        return perp_refuse(e, PERP_E_FORMAT, "a .dat file cannot hold the equalities G and b");
    }
    perp_sink_text(s, "3\n%d\n", f->contacts);
    if (f->form == PERP_FORM_LOCAL) {
        perp_siconos_put_matrix(s, &f->W, n, n);
        perp_siconos_put_vector(s, n, f->q, 0);
    } else {
        perp_siconos_put_matrix(s, &f->M, nv, nv);
        perp_siconos_put_matrix(s, &f->H, nv, n);
        perp_siconos_put_vector(s, nv, f->f, 0);
        perp_siconos_put_vector(s, n, f->w, 0);
    }
    perp_siconos_put_vector(s, f->contacts, f->mu, 0);
    return PERP_SOLVED;
}

perp_status perp_siconos_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e)
{
    const perp_problem *p = &file->problem;
    if (p->kind == PERP_KIND_FC3D) return write_friction(s, &p->as.fc3d, e);
    if (p->kind == PERP_KIND_CONE) return perp_siconos_write_cone(s, &p->as.cone, a, e);
    if (p->kind == PERP_KIND_MCP) return write_mcp(s, &p->as.mcp, e);
    write_linear(s, p->as.lcp.n, &p->as.lcp.M, p->as.lcp.q);
    return PERP_SOLVED;
}
