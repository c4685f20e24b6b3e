/* tests/adversary/draw_matrix.c: square and rectangular matrices: P-matrices, semidefinite,
 * indefinite, skew, singular to the last bit. */
#include "sample.h"

#include <math.h>

static void fill(generator *g, table *A, bool integer)
{
    for (int k = 0; k < A->m * A->n; k++) A->x[k] = draw_number(g, integer);
}

/* B B', of the rank of B. */
static void fill_gram(generator *g, table *M, int rank, bool integer)
{
    double B[MOST * MOST];
    int n = M->n;
    for (int k = 0; k < n * rank; k++) B[k] = draw_number(g, integer);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            AT(M, i, j) = 0;
            for (int r = 0; r < rank; r++) AT(M, i, j) += B[r * n + i] * B[r * n + j];
        }
    }
}

static void add_skew(generator *g, table *M, bool integer)
{
    for (int i = 0; i < M->n; i++) {
        for (int j = 0; j < i; j++) {
            double x = draw_number(g, integer);
            AT(M, i, j) += x;
            AT(M, j, i) -= x;
        }
    }
}

static void fill_positive_definite(generator *g, table *M, bool integer)
{
    fill_gram(g, M, M->n, integer);
    for (int i = 0; i < M->n; i++) AT(M, i, i) += integer ? 1 : 0.01;
    if (generator_below(g, 2)) add_skew(g, M, integer);
}

/* Row diagonally dominant with a positive diagonal; with signs of a Z-matrix an M-matrix. */
static void fill_dominant(generator *g, table *M, bool integer)
{
    bool z = generator_below(g, 2);
    fill(g, M, integer);
    for (int i = 0; i < M->n; i++) {
        double sum = 0;
        for (int j = 0; j < M->n; j++) {
            if (z) AT(M, i, j) = -fabs(AT(M, i, j));
            if (j != i) sum += fabs(AT(M, i, j));
        }
        AT(M, i, i) = sum + (generator_below(g, 3) ? 1 : 0);
    }
}

static void fill_symmetric(generator *g, table *M, bool integer)
{
    fill(g, M, integer);
    for (int i = 0; i < M->n; i++) {
        for (int j = 0; j < i; j++) AT(M, i, j) = AT(M, j, i);
    }
}

/* The last row is a combination of the others, rounded, and often moved by some last bits. */
static void fill_singular(generator *g, table *M, bool integer)
{
    int n = M->n;
    fill(g, M, integer);
    if (generator_below(g, 3) == 0) fill_dominant(g, M, integer);
    if (n < 2) return;
    double factor[MOST];
    for (int i = 0; i < n - 1; i++) {
        factor[i] = generator_below(g, 2) ? generator_between(g, -2, 2) : generator_uniform(g);
    }
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n - 1; i++) sum += factor[i] * AT(M, i, j);
        AT(M, n - 1, j) = sum;
    }
    for (int k = generator_below(g, 4); k > 0; k--) {
        int e = generator_below(g, n * n);
        M->x[e] = draw_moved(g, M->x[e]);
    }
}

/* {a, b; c, bc/a} and its like in blocks of two: P-matrices by their last bits, or nearly so. */
static void fill_nearly_singular_blocks(generator *g, table *M)
{
    int n = M->n;
    for (int k = 0; k < n * n; k++) M->x[k] = 0;
    for (int k = 0; k + 1 < n; k += 2) {
        double a = 10 * generator_unit(g) + 0.1, b = generator_uniform(g),
               c = generator_below(g, 2) ? b : generator_uniform(g);
        if (generator_below(g, 2)) {
            b = -fabs(b);
            c = -fabs(c);
        }
        if (generator_below(g, 4) == 0) {
            a = 1;
            b = -1;
            c = -(1 - 0x1p-48);
        }
        AT(M, k, k) = a;
        AT(M, k, k + 1) = b;
        AT(M, k + 1, k) = c;
        AT(M, k + 1, k + 1) = b * c / a;
        if (generator_below(g, 2)) AT(M, k + 1, k + 1) = draw_moved(g, AT(M, k + 1, k + 1));
        if (generator_below(g, 2)) {
            AT(M, k + 1, k + 1) *= 1 + ldexp(1, -generator_between(g, 20, 50));
        }
    }
    if (n % 2 == 1) AT(M, n - 1, n - 1) = 1;
}

static void zero_some(generator *g, table *A)
{
    for (int k = 0; k < A->m * A->n; k++) {
        if (generator_below(g, 3) > 0) A->x[k] = 0;
    }
}

bool draw_square(sample *s, generator *g, int n, table *M)
{
    static const char *const name[] = {
        "general", "definite",          "semidefinite",           "dominant", "indefinite",
        "skew",    "last-bit singular", "nearly singular blocks", "sparse"};
    bool integer = generator_below(g, 2);
    int family = generator_below(g, 9);
    M->m = M->n = n;
    fill(g, M, integer);
    if (family == 1) fill_positive_definite(g, M, integer);
    if (family == 2) fill_gram(g, M, n ? generator_below(g, n) : 0, integer);
    if (family == 3) fill_dominant(g, M, integer);
    if (family == 4) fill_symmetric(g, M, integer);
    if (family == 5) {
        for (int k = 0; k < n * n; k++) M->x[k] = 0;
        add_skew(g, M, integer);
    }
    if (family == 6) fill_singular(g, M, integer);
    if (family == 7) fill_nearly_singular_blocks(g, M);
    if (family == 8) zero_some(g, M);
    draw_note(s, name[family]);
    if (integer && family != 7) draw_note(s, "integer");
    return integer;
}

static void copy_column(table *A, int from, int to, double factor)
{
    for (int i = 0; i < A->m; i++) AT(A, i, to) = factor * AT(A, i, from);
}

static void copy_row(table *A, int from, int to, double factor)
{
    for (int j = 0; j < A->n; j++) AT(A, to, j) = factor * AT(A, from, j);
}

/* Columns or rows that are multiples of others, exactly or but for some last bits. */
static void repeat(sample *s, generator *g, table *A)
{
    double factor = generator_below(g, 2) ? 1 : generator_between(g, -3, 3) / 3.0;
    bool columns = generator_below(g, 2);
    if (columns && A->n > 1) copy_column(A, 0, 1 + generator_below(g, A->n - 1), factor);
    if (!columns && A->m > 1) copy_row(A, 0, 1 + generator_below(g, A->m - 1), factor);
    for (int k = generator_below(g, 3); k > 0 && A->m * A->n > 0; k--) {
        int e = generator_below(g, A->m * A->n);
        A->x[e] = draw_moved(g, A->x[e]);
    }
    draw_note(s, columns ? "repeated column" : "repeated row");
}

void draw_rectangle(sample *s, generator *g, int m, int n, table *A)
{
    bool integer = generator_below(g, 2);
    A->m = m;
    A->n = n;
    fill(g, A, integer);
    int family = generator_below(g, 5);
    if (family == 0) zero_some(g, A);
    if (family == 1) repeat(s, g, A);
    if (family == 2 && m > 1) copy_row(A, 0, m - 1, -1);
    if (integer) draw_note(s, "integer");
}
