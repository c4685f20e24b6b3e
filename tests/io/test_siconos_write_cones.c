/* tests/io/test_siconos_write_cones.c: cones come back bit for bit from the layout that holds their
 * blocks, and what none holds is refused. */
#include "base/convert.h"
#include "files.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT PERP_FILE_SICONOS

static double draw(generator *g)
{
    return generator_uniform(g) * pow(10, generator_between(g, -300, 300));
}

static const random_entries entries = {.draw = draw, .zeros = 0.3, .padding = NAN};

enum { ROWS = 24 };

/* The arrays of a problem that is put together block by block. */
typedef struct build {
    int n, follows[ROWS], group[ROWS];
    double lo[ROWS], mu[ROWS], s[ROWS], q[ROWS];
} build;

static void add_box(build *b, double lo)
{
    b->follows[b->n] = b->group[b->n] = -1;
    b->mu[b->n] = b->s[b->n] = 0;
    b->lo[b->n++] = lo;
}

static void add_group(build *b, int normal, int width, double mu, double s)
{
    int first = b->n;
    for (int k = 0; k < width; k++) {
        add_box(b, -INFINITY);
        b->follows[b->n - 1] = normal;
        b->group[b->n - 1] = first;
    }
    b->mu[first] = mu;
    b->s[first] = s;
}

/* A normal and groups of these widths, up to 0. */
static void add_cone(build *b, const int *width, double mu, double s)
{
    int normal = b->n;
    add_box(b, -INFINITY);
    for (int k = 0; width[k]; k++) add_group(b, normal, width[k], mu + k, s + k);
}

static perp_problem state(build *b, const perp_matrix *W, bool coulomb)
{
    bool bounded = false;
    for (int i = 0; i < b->n; i++) bounded = bounded || b->lo[i] == 0;
    perp_cone c = {.n = b->n, .W = *W, .q = b->q, .follows = b->follows, .group = b->group};
    c.mu = b->mu;
    c.s = coulomb ? NULL : b->s;
    c.lo = bounded ? b->lo : NULL;
    return (perp_problem){.kind = PERP_KIND_CONE, .as.cone = c};
}

static void comes_back(build *b, bool coulomb, const char *layout, generator *g)
{
    static const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};
    for (int k = 0; k < (b->n % 3 ? 2 : 3); k++) {
        random_matrix *W = random_matrix_new(formats[k], b->n, b->n, &entries, g);
        for (int i = 0; i < b->n; i++) b->q[i] = draw(g);
        perp_file f = {.format = FORMAT, .problem = state(b, &W->A, coulomb)}, back;
        perp_load_options o = {.layout = layout};
        perp_arena a = {0};
        perp_error e = {0};
        const char *name = files_path("cone.dat");
        ck_assert_msg(!perp_save_file(name, &f, &e), "%s: %s", layout, e.text);
        ck_assert_msg(!perp_load_file(name, &o, &a, &back, &e), "%s: %s", layout, e.text);
        if (strcmp(layout, "gmp") == 0) { /* whose blocks become columns, without their zeros */
            ck_assert(!perp_convert(&f.problem.as.cone.W, PERP_FORMAT_DENSE, &a,
                                    &f.problem.as.cone.W, &e));
            ck_assert(!perp_convert(&back.problem.as.cone.W, PERP_FORMAT_DENSE, &a,
                                    &back.problem.as.cone.W, &e));
        }
        const char *difference = files_differ(&f, &back, false);
        ck_assert_msg(!difference, "%s, format %d: %s differs", layout, k, difference);
        perp_arena_free(&a);
        free(W);
    }
}

START_TEST(every_layout_comes_back)
{
    generator g = generator_start((uint64_t)_i + 1);
    build b = {0};
    for (int k = 0; k < 3; k++) add_cone(&b, (int[]){1, 0}, 0.3, 0);
    comes_back(&b, true, "fc2d", &g);
    b.n = 0;
    for (int k = 0; k < 3; k++) add_cone(&b, (int[]){2, 2, 0}, 0.3, 0);
    comes_back(&b, true, "rfc3d", &g);
    b.n = 0;
    for (int k = 0; k < 3; k++) add_cone(&b, (int[]){1, 1, 0}, 0.3, 0);
    comes_back(&b, true, "rfc2d", &g);
    b.n = 0;
    for (int k = 0; k < 3; k++) add_cone(&b, (int[]){2, 0}, 0.3, 0.1 * k);
    comes_back(&b, false, "plasticity", &g);
    b.n = 0;
    add_cone(&b, (int[]){4, 0}, 0.3, 0);
    add_box(&b, 0);
    add_cone(&b, (int[]){1, 0}, 0.3, 0);
    comes_back(&b, false, "soclcp", &g);
    b.n = 0;
    add_box(&b, 0);
    add_cone(&b, (int[]){2, 0}, 0.3, 0);
    add_box(&b, -INFINITY);
    comes_back(&b, true, "gmp", &g);
    b.n = 0;
    for (int k = 0; k < 4; k++) add_box(&b, k % 2 ? 0 : -INFINITY);
    comes_back(&b, true, "gmp", &g);
    files_clean();
}
END_TEST

/* Without an entry of W the file still tells the block rows. */
START_TEST(a_matrix_of_zeros)
{
    static const int p[5] = {0};
    build b = {0};
    add_box(&b, 0);
    add_cone(&b, (int[]){2, 0}, 0.5, 0);
    perp_matrix W = perp_csc(4, 4, p, NULL, NULL);
    perp_file f = {.problem = state(&b, &W, true)};
    round_trip(&f, FORMAT, false);
    files_clean();
}
END_TEST

static void is_refused(build *b, const double *hi, bool coulomb)
{
    double W[ROWS * ROWS] = {0};
    perp_matrix A = perp_dense(b->n, b->n, W);
    perp_problem p = state(b, &A, coulomb);
    perp_error e = {0};
    p.as.cone.hi = hi;
    ck_assert_int_eq(perp_save(files_path("no.dat"), FORMAT, &p, &e), PERP_E_FORMAT);
    ck_assert_msg(strstr(e.text, "no layout of a .dat file holds these blocks") != NULL, "%s",
                  e.text);
}

/* Contacts in body form: GFC2D, GRFC3D and GRFC2D. */
START_TEST(bodies_come_back)
{
    static const int widths[3][3] = {{1, 0}, {2, 2, 0}, {1, 1, 0}};
    static const char *const layouts[] = {"gfc2d", "grfc3d", "grfc2d"};
    generator g = generator_start((uint64_t)_i + 1);
    for (int k = 0; k < 3; k++) {
        build b = {0};
        double f[7], w[ROWS];
        for (int c = 0; c < 3; c++) add_cone(&b, widths[k], 0.3, 0);
        random_matrix *M =
            random_matrix_new(_i % 2 ? PERP_FORMAT_CSC : PERP_FORMAT_DENSE, 7, 7, &entries, &g);
        random_matrix *H =
            random_matrix_new(_i < 2 ? PERP_FORMAT_CSC : PERP_FORMAT_DENSE, 7, b.n, &entries, &g);
        for (int i = 0; i < 7; i++) f[i] = draw(&g);
        for (int i = 0; i < b.n; i++) w[i] = draw(&g);
        perp_file file = {.format = FORMAT}, back;
        perp_cone *c = &file.problem.as.cone;
        *c = (perp_cone){.n = b.n, .form = PERP_FORM_BODY, .M = M->A, .H = H->A, .f = f, .w = w};
        file.problem.kind = PERP_KIND_CONE;
        c->follows = b.follows;
        c->group = b.group;
        c->mu = b.mu;
        perp_load_options o = {.layout = layouts[k]};
        perp_arena a = {0};
        perp_error e = {0};
        const char *name = files_path("body.dat");
        ck_assert_msg(!perp_save_file(name, &file, &e), "%s: %s", layouts[k], e.text);
        ck_assert_msg(!perp_load_file(name, &o, &a, &back, &e), "%s: %s", layouts[k], e.text);
        const char *difference = files_differ(&file, &back, false);
        ck_assert_msg(!difference, "%s: %s differs", layouts[k], difference);

        c->R = perp_dense(b.n, b.n, (double[ROWS * ROWS]){0});
        ck_assert_int_eq(perp_save_file(name, &file, &e), PERP_E_FORMAT);
        ck_assert_ptr_nonnull(strstr(e.text, "the compliance R"));
        c->R = (perp_matrix){.format = PERP_FORMAT_ABSENT};
        c->G = perp_dense(7, 1, f);
        ck_assert_int_eq(perp_save_file(name, &file, &e), PERP_E_FORMAT);
        ck_assert_ptr_nonnull(strstr(e.text, "the equalities G and b"));
        perp_arena_free(&a);
        free(M);
        free(H);
    }
    files_clean();
}
END_TEST

START_TEST(what_no_layout_holds)
{
    static const double hi[ROWS] = {1, 1, 1, 1};
    build b = {0};
    add_box(&b, 0);
    is_refused(&b, hi, true); /* a bound above */
    add_cone(&b, (int[]){1, 0}, 0.5, 0);
    is_refused(&b, NULL, true); /* friction in the plane beside a bound */
    b.n = 0;
    add_group(&b, -1, 2, 0, 0);
    is_refused(&b, hi, true); /* a ball */
    b.n = 0;
    add_cone(&b, (int[]){2, 1, 0}, 0.5, 0);
    is_refused(&b, NULL, true); /* torsion beside friction */
    b.n = 0;
    add_cone(&b, (int[]){1, 0}, 0.5, 0.25);
    is_refused(&b, NULL, false); /* neither Coulomb's law nor a convex one */
    b.n = 0;
    add_group(&b, 2, 2, 0.5, 0);
    add_box(&b, -INFINITY);
    is_refused(&b, NULL, true); /* the normal behind its group */
    files_clean();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("siconos_write_cones");
    TCase *t = tcase_create("siconos_write_cones");
    tcase_add_loop_test(t, every_layout_comes_back, 0, 8);
    tcase_add_loop_test(t, bodies_come_back, 0, 4);
    tcase_add_test(t, a_matrix_of_zeros);
    tcase_add_test(t, what_no_layout_holds);
    suite_add_tcase(s, t);
    return support_run(s);
}
