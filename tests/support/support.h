/* tests/support/support.h: what several test programs share: solves and certificates that check
 * themselves, memory that ends, matrices in every format with the dense one they mean, and the
 * runner. */
#ifndef PERP_SUPPORT_H
#define PERP_SUPPORT_H

#include "generate.h"

#include <check.h>

/* Run the suite, report, and give main its exit status. */
int support_run(Suite *s);

/* ---- verdicts, each in an arena of its own that is empty afterwards ---- */

/* perp_certify ends as expected. */
perp_residual certify(const perp_problem *p, const double *z, perp_status expected);
/* perp_check, whose verdict and value agree; `value` may be NULL. */
perp_status check_claim(const perp_problem *p, perp_status claim, const double *y, double *value);
/* The same with z as the feasible point, not 0. */
perp_status check_claim_at(const perp_problem *p, perp_status claim, const double *y,
                           const double *z, double *value);
/* perp_validate refuses p like this, with or without an error to fill, and says the word. */
void invalid(perp_problem p, perp_status status, const char *word);
/* perp_solve; a claim that comes with a vector is proved by it. */
perp_status solve_checked(const perp_problem *p, const perp_options *o, double *z, double *w,
                          perp_result *r);
perp_status solve_dense(int n, const double *M, const double *q, const perp_options *o, double *z,
                        double *w, perp_result *r);

/* ---- memory that ends ---- */

typedef struct supply {
    int left; /* calls that succeed */
    int out;  /* blocks not given back */
} supply;

/* An arena's resize function; ctx is a supply. */
void *scarce(void *ctx, void *old, size_t size);
/* A solve ends like this or says that memory ended, with numbers in z either way, whichever of its
 * allocations fails, and gives back all; the second solve in one arena allocates nothing. */
void solve_starved(const perp_problem *p, const perp_options *o, perp_status end);
/* The same in fixed buffers of every size up to the one that does. */
void solve_confined(const perp_problem *p, const perp_options *o, perp_status end);

/* ---- numbers ---- */

double clip(double x, double lo, double hi);
double plain_norm(int n, const double *x);                  /* the textbook's */
double difference(int n, const double *x, const double *y); /* largest; infinite for NaN */
bool ascending(int n, const int *p, const int *index);      /* strictly, within each j */

/* ---- matrices ---- */

/* A, to be had through its products alone. */
perp_matrix as_operator(const perp_matrix *A);
/* A dense matrix as 0 dense, 1 CSC, 2 blocks, 3 operator. */
perp_matrix in_format(int k, const perp_matrix *dense, perp_arena *a);

#define RANDOM_MOST 33 /* above the largest size tried */

/* One random matrix in one format, with the dense matrix it means. */
typedef struct random_matrix {
    perp_matrix A;
    double full[RANDOM_MOST][RANDOM_MOST]; /* full[i][j] */
    double x[3 * RANDOM_MOST * RANDOM_MOST + 9];
    int p[RANDOM_MOST + 1], i[3 * RANDOM_MOST * RANDOM_MOST];
} random_matrix;

typedef struct random_entries {
    double (*draw)(generator *g);
    double zeros;   /* this share of a dense matrix is 0 */
    double padding; /* stands below row m of a dense matrix, where nobody is to read */
} random_entries;

/* CSC and blocks unsorted, with duplicates, empty columns or rows; blocks round m and n down to
 * multiples of 3. The caller frees it. */
random_matrix *random_matrix_new(perp_format format, int m, int n, const random_entries *e,
                                 generator *g);

#endif
