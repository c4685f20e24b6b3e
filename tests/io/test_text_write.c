/* tests/io/test_text_write.c: every kind in every matrix format comes back from perp's text format
 * bit for bit, title, solution and guesses too. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT PERP_FILE_TEXT
#define SPACE 64

static double draw(generator *g)
{
    return generator_uniform(g) * pow(10, generator_between(g, -305, 305));
}

static const random_entries entries = {.draw = draw, .zeros = 0.3, .padding = NAN};

static void draw_vector(generator *g, double x[SPACE])
{
    for (int i = 0; i < SPACE; i++) x[i] = generator_below(g, 4) ? draw(g) : -0.0;
}

static const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};

START_TEST(random_problems_come_back)
{
    generator g = generator_start((uint64_t)_i + 1);
    double q[SPACE], c[SPACE], mu[SPACE], lo[SPACE], hi[SPACE], solution[2 * SPACE] = {0.1, -0.0};
    const double *const guess[] = {solution, solution + 1};
    draw_vector(&g, q);
    draw_vector(&g, c);
    for (int i = 0; i < SPACE; i++) {
        mu[i] = i % 4 ? generator_unit(&g) : NAN; /* not read there */
        lo[i] = i % 3 ? -generator_unit(&g) : -INFINITY;
        hi[i] = i % 5 ? generator_unit(&g) : INFINITY;
    }
    for (int n = 0; n < 13; n += 3) {
        random_matrix *M = random_matrix_new(formats[_i % 3], n, n, &entries, &g);
        random_matrix *A = random_matrix_new(formats[(_i + n) % 3], 6, n, &entries, &g);
        random_matrix *H = random_matrix_new(formats[(_i + 1) % 3], n, 6, &entries, &g);
        int follows[SPACE];
        bool free_mask[SPACE];
        double friction[2] = {0.3, 7};
        for (int i = 0; i < n; i++) follows[i] = i % 4 ? i - i % 4 : -1;
        for (int i = 0; i < n; i++) free_mask[i] = generator_below(&g, 2);
        perp_file f = {.title = "t \"\\ \x01\x7f\xc3\xa9#", .description = "", .constant = 1e-300};
        f.solution = solution;
        f.guesses = 2;
        f.guess = guess;
        f.problem = perp_make_lcp(n, M->A, q);
        round_trip(&f, FORMAT, true);
        f.problem = (perp_problem){.kind = PERP_KIND_NCP, .as.ncp.F = {.n = n, .M = M->A, .q = q}};
        round_trip(&f, FORMAT, true);
        f.problem = perp_make_mcp(n, M->A, q, _i % 2 ? lo : NULL, hi);
        f.problem.as.mcp.follows = follows;
        f.problem.as.mcp.mu = mu;
        round_trip(&f, FORMAT, true);
        f.problem = perp_make_nnls(A->A, q);
        f.problem.as.nnls.is_free = _i % 2 ? free_mask : NULL;
        round_trip(&f, FORMAT, true);
        f.problem = perp_make_qp(n, 6, _i % 2 ? M->A : (perp_matrix){0}, c, A->A, lo, NULL);
        f.problem.as.qp.xhi = hi;
        round_trip(&f, FORMAT, true);
        for (int i = 0; i < SPACE; i++) mu[i] = fabs(mu[i]);
        f.problem = perp_make_fc3d(n / 3, M->A, q, hi);
        for (int i = 0; i < n / 3; i++) hi[i] = 0.25 * i;
        round_trip(&f, FORMAT, true);
        f.problem = (perp_problem){.kind = PERP_KIND_FC3D,
                                   .as.fc3d = {.contacts = 2,
                                               .form = PERP_FORM_BODY,
                                               .mu = friction,
                                               .M = M->A,
                                               .H = H->A,
                                               .G = _i % 2 ? H->A : (perp_matrix){0},
                                               .f = q,
                                               .w = c,
                                               .b = _i % 4 == 1 ? c : NULL}};
        round_trip(&f, FORMAT, true);
        free(M);
        free(A);
        free(H);
    }
    files_clean();
}
END_TEST

START_TEST(by_hand)
{
    static const double M[] = {2, 0, 1, 3}, q[] = {-5, 0.1};
    size_t length;
    perp_error e;
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    ck_assert_int_eq(perp_save(files_path("x.perp"), PERP_FILE_ANY, &p, &e), PERP_SOLVED);
    char *text = files_read(files_path("x.perp"), &length);
    ck_assert_str_eq(text, "perp 1 lcp\nM dense 2 2\n 2 1\n 0 3\nq -5 0.1\nend\n");
    free(text);
    files_clean();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("text_write");
    TCase *t = tcase_create("text_write");
    tcase_add_loop_test(t, random_problems_come_back, 0, 12);
    tcase_add_test(t, by_hand);
    suite_add_tcase(s, t);
    return support_run(s);
}
