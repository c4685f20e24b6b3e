/* tests/io/test_siconos_write.c: .dat files come back bit for bit, and look as Siconos' do. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT PERP_FILE_SICONOS

static double draw(generator *g)
{
    return generator_uniform(g) * pow(10, generator_between(g, -300, 300));
}

static const random_entries entries = {.draw = draw, .zeros = 0.3, .padding = NAN};

static double *draw_vector(generator *g, int n)
{
    double *x = malloc(((size_t)n + 1) * sizeof *x);
    for (int i = 0; i < n; i++) x[i] = generator_below(g, 4) ? draw(g) : generator_below(g, 3) - 1;
    return x;
}

static void written(const perp_problem *p, const char *expected)
{
    size_t length;
    perp_error e;
    ck_assert_int_eq(perp_save(files_path("x.dat"), PERP_FILE_ANY, p, &e), PERP_SOLVED);
    char *text = files_read(files_path("x.dat"), &length);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(by_hand)
{
    static const double M[] = {2, 0, 99, 1, 3, 99}, q[] = {-5, 0.1};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    p.as.lcp.M.as.dense.ld = 3;
    written(&p, "2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5.0 0.1\n");
    static const int cp[] = {0, 1, 1}, ci[] = {1};
    static const double cx[] = {-0.5};
    p = perp_make_lcp(2, perp_csc(2, 2, cp, ci, cx), q);
    written(&p, "2\n2\n2\n2\n2\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 0.5\n"
                "    col 0 : locations 0 to 0\n      1 : -0.5\n    col 1 : locations 1 to 0\n"
                "-5.0 0.1\n");
    static const double lo[] = {0, -INFINITY}, hi[] = {1, INFINITY};
    p = perp_make_mcp(2, perp_dense(2, 2, (double[]){2, 0, 1, 3}), q, lo, NULL);
    written(&p, "1\n0\n1\n1\n0 1 2\n1 0 \n0\n2\n2\n2\t2\n2 0\n1 3\n-5.0 0.1\n");
    p.as.mcp.hi = hi;
    written(&p, "2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5.0 0.1\n0.0 -inf\n1.0 inf\n");
    files_clean();
}
END_TEST

static const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};

START_TEST(random_problems_come_back)
{
    generator g = generator_start((uint64_t)_i + 1);
    for (int n = 0; n < 13; n += 3) {
        random_matrix *M = random_matrix_new(formats[_i % 3], n, n, &entries, &g);
        random_matrix *H = random_matrix_new(formats[(_i + n) % 3], n, 6, &entries, &g);
        double *q = draw_vector(&g, n), *w = draw_vector(&g, n + 6), mu[4] = {0.5, 0, 1, 2};
        double lo[13], hi[13];
        for (int i = 0; i < n; i++) {
            lo[i] = i % 3 == 0 ? -INFINITY : i % 3 == 1 ? 0 : -0.0;
            hi[i] = i % 5 == 4 ? 3 : INFINITY;
        }
        perp_file f = {.problem = perp_make_lcp(n, M->A, q)};
        round_trip(&f, FORMAT, false);
        f.problem = perp_make_mcp(n, M->A, q, lo, hi);
        round_trip(&f, FORMAT, false);
        f.problem = perp_make_mcp(n, M->A, q, lo, NULL);
        round_trip(&f, FORMAT, false);
        f.problem = perp_make_mcp(n, M->A, q, NULL, NULL);
        round_trip(&f, FORMAT, false);
        f.problem = perp_make_fc3d(n / 3, M->A, q, mu);
        round_trip(&f, FORMAT, false);
        f.problem = (perp_problem){.kind = PERP_KIND_FC3D,
                                   .as.fc3d = {.contacts = 2,
                                               .form = PERP_FORM_BODY,
                                               .mu = mu,
                                               .M = M->A,
                                               .H = H->A,
                                               .f = q,
                                               .w = _i % 2 ? w : NULL}};
        round_trip(&f, FORMAT, false);
        free(M);
        free(H);
        free(q);
        free(w);
    }
    files_clean();
}
END_TEST

/* q = (0, 3, 3) begins like the section of a 3 x 3 matrix. */
START_TEST(numbers_are_not_taken_for_sizes)
{
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {0, 3, 3}, mu[] = {3};
    perp_file f = {.problem = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu)};
    round_trip(&f, FORMAT, false);
    files_clean();
}
END_TEST

static void refused(const perp_problem *p, const char *words)
{
    perp_error e = {0};
    ck_assert_int_eq(perp_save(files_path("no.dat"), PERP_FILE_ANY, p, &e), PERP_E_FORMAT);
    ck_assert_msg(strstr(e.text, words) != NULL, "%s", e.text);
    perp_arena a = {0};
    ck_assert_int_eq(perp_load(files_path("no.dat"), &a, (perp_problem *)p, &e), PERP_E_FILE);
    perp_arena_free(&a);
}

START_TEST(what_it_cannot_hold)
{
    static const double one[] = {1, 0, 0, 1}, q[] = {1, 2}, G[] = {1, 1};
    static const int follows[] = {-1, 0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, one), q, NULL, NULL);
    p.as.mcp.follows = follows;
    p.as.mcp.mu = q;
    refused(&p, "bounds that follow another unknown");
    p = (perp_problem){
        .kind = PERP_KIND_FC3D,
        .as.fc3d = {
            .form = PERP_FORM_BODY, .M = perp_dense(2, 2, one), .G = perp_dense(2, 1, G), .f = q}};
    refused(&p, "equalities G and b");
    p = perp_make_nnls(perp_dense(2, 2, one), q);
    refused(&p, "siconos cannot hold a problem of kind nnls");
    files_clean();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("siconos_write");
    TCase *t = tcase_create("siconos_write");
    tcase_add_test(t, by_hand);
    tcase_add_loop_test(t, random_problems_come_back, 0, 12);
    tcase_add_test(t, numbers_are_not_taken_for_sizes);
    tcase_add_test(t, what_it_cannot_hold);
    suite_add_tcase(s, t);
    return support_run(s);
}
