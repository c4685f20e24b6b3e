/* tests/support/compare_support.h: rows and groups made by hand. */
#ifndef PERP_COMPARE_SUPPORT_H
#define PERP_COMPARE_SUPPORT_H

#include "cli/compare.h"
#include "cli_support.h"
#include "support.h"

/* Three problems, two solvers: a solves p1 in 1 s and p2 in 4 s, b solves p1 in 2 s, p2 in 1 s and
 * p3 in 3 s. */
static inline cli_rows sample_rows(cli *c)
{
    static const struct {
        const char *problem, *solver, *status;
        double seconds;
        int iterations;
    } sample[] = {
        {"d/p1", "lcp/a", "solved", 1, 10},  {"d/p1", "lcp/b", "solved", 2, 0},
        {"d/p2", "lcp/a", "solved", 4, 5},   {"d/p2", "lcp/b", "solved", 1, 20},
        {"d/p3", "lcp/a", "max_iter", 9, 9}, {"d/p3", "lcp/b", "solved", 3, 7},
    };
    cli_rows rows = {0};
    for (int k = 0; k < 6; k++) {
        cli_row *row = cli_rows_add(&c->arena, &rows);
        ck_assert_ptr_nonnull(row);
        row->problem = sample[k].problem;
        row->solver = sample[k].solver;
        row->status = sample[k].status;
        row->kind = "lcp";
        row->n = 2;
        row->tol = 1e-8;
        row->seconds = row->median = sample[k].seconds;
        row->iterations = sample[k].iterations;
        row->residual = k == 4 ? 0.5 : 1e-12;
        row->run = k;
        row->jobs = 1;
        row->repeats = 1;
    }
    return rows;
}

static inline cli *begin(void)
{
    static const char *const argv[] = {"perp", "compare", "a b", NULL};
    cli *c = cli_begin(NULL);
    c->argc = 3;
    c->argv = argv;
    return c;
}

/* What a function prints to a FILE, to be freed. */
#define PRINTED(text, out, statement)                                                              \
    do {                                                                                           \
        size_t printed_length_;                                                                    \
        FILE *out = open_memstream(&(text), &printed_length_);                                     \
        ck_assert_ptr_nonnull(out);                                                                \
        statement;                                                                                 \
        fclose(out);                                                                               \
    } while (0)

#endif
