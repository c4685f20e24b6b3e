/* tests/io/test_siconos_contacts.c: contacts in .dat files, of every dimension. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define FORMAT PERP_FILE_SICONOS

static perp_arena arena;

static void give_back(void)
{
    perp_arena_free(&arena);
}

static void are(int n, const double *x, const double *expected)
{
    for (int i = 0; i < n; i++) ck_assert_double_eq(x[i], expected[i]);
}

#define ARE(x, ...)                                                                                \
    are((int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), x, (const double[]){__VA_ARGS__})

static const char local[] = "3\n1\n0\n3\n3\n3\t3\n4 1 2\n0 5 3\n0 0 6\n-1 0.5 0.25\n0.7\n";
static const char global[] = "3\n1\n0\n2\n2\n2\t2\n4 1\n0 5\n0\n2\n3\n2\t3\n1 2\n3 4\n5 6\n"
                             "-1 -2\n0.5 0 0.25\n0.7\n";

START_TEST(contacts)
{
    perp_file f = load_good(local, FORMAT, &arena);
    const perp_fc3d *c = &f.problem.as.fc3d;
    ck_assert(f.problem.kind == PERP_KIND_FC3D && c->contacts == 1 && c->form == PERP_FORM_LOCAL);
    ARE(c->W.as.dense.x, 4, 1, 2, 0, 5, 3, 0, 0, 6);
    ARE(c->q, -1, 0.5, 0.25);
    ARE(c->mu, 0.7);

    perp_file g = load_good(global, FORMAT, &arena);
    const perp_fc3d *b = &g.problem.as.fc3d;
    ck_assert(b->contacts == 1 && b->form == PERP_FORM_BODY && b->M.m == 2);
    ARE(b->M.as.dense.x, 4, 1, 0, 5);
    ARE(b->H.as.dense.x, 1, 2, 3, 4, 5, 6);
    ARE(b->f, -1, -2);
    ARE(b->w, 0.5, 0, 0.25);
    ARE(b->mu, 0.7);

    g = load_good("3 0 0 2 2 2 2 1 0 0 1 0 2 0 2 0 5 6", FORMAT,
                  &arena); /* no contact, two bodies */
    ck_assert(g.problem.as.fc3d.form == PERP_FORM_BODY && g.problem.as.fc3d.contacts == 0);
    ARE(g.problem.as.fc3d.f, 5, 6);
    g = load_good("3 0 0 0 0 0 0", FORMAT, &arena);
    ck_assert(g.problem.as.fc3d.form == PERP_FORM_LOCAL && g.problem.as.fc3d.contacts == 0);

    load_bad("3\n1\n0\n3\n3\n3\t3\n4 1 2\n0 5 3\n0 0 6\n-1 0.5 0.25\n-0.7\n", FORMAT, 0,
             "is negative");
    load_bad("3\n1\n0\n3\n3\n3\t3\n4 1 2\n0 5 3\n0 0 6\n-1 0.5 0.25\ninf\n", FORMAT, 11, "mu[0]");
    load_bad("3 2 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 7 8 9 10\n0.7\n", FORMAT, 1,
             "the storage of H");
}
END_TEST

static const char plane[] = "2\n1\n0\n2\n2\n2\t2\n4 1\n0 5\n-1 0.5\n0.7\n";
static const char rolling[] = "5 1 0 5 5 5 5 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 "
                              "-8.9 1 0 0 .2 0.6 0.5";
static const char either[] = "3 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0.7 0.1";

static void rows(const perp_index *x, int n, const int *expected)
{
    for (int i = 0; i < n; i++) ck_assert_int_eq(x[i], expected[i]);
}

#define ROWS(x, ...)                                                                               \
    rows(x, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (const int[]){__VA_ARGS__})

/* Friction in the plane, and rolling in space: one group, and two, behind each normal. */
START_TEST(cones)
{
    perp_file f = load_good(plane, FORMAT, &arena);
    const perp_cone *c = &f.problem.as.cone;
    ck_assert(f.problem.kind == PERP_KIND_CONE && c->n == 2 && !c->lo && !c->hi && !c->s);
    ARE(c->W.as.dense.x, 4, 1, 0, 5);
    ARE(c->q, -1, 0.5);
    ROWS(c->follows, -1, 0);
    ROWS(c->group, -1, 1);
    ck_assert_double_eq(c->mu[1], 0.7);

    f = load_good(rolling, FORMAT, &arena);
    c = &f.problem.as.cone;
    ck_assert(c->n == 5 && !c->s);
    ROWS(c->follows, -1, 0, 0, 0, 0);
    ROWS(c->group, -1, 1, 1, 3, 3);
    ck_assert(c->mu[1] == 0.6 && c->mu[3] == 0.5);

    char text[200];
    snprintf(text, sizeof text, "%s1\n", plane); /* the flag of old files */
    ck_assert_int_eq(load_good(text, FORMAT, &arena).problem.as.cone.n, 2);
    snprintf(text, sizeof text, "%s0.5\n", plane);
    load_bad(text, FORMAT, 11, "left behind frictional contact in 2D (FC2D)");
    load_bad("2\n1\n0\n2\n2\n2\t2\n4 1\n0 5\n-1 0.5\n-0.7\n", FORMAT, 0, "is negative");
    load_bad("5 1 0 5 5 5 5 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 -8.9 1 0 0 .2 0.6",
             FORMAT, 1, "mu_r");
    ck_assert_int_eq(load_good("2 0 0 0 0 0 0", FORMAT, &arena).problem.as.cone.n, 0);
}
END_TEST

static perp_status load_as(const char *text, const char *layout, perp_file *f, perp_error *e)
{
    perp_load_options o = {.layout = layout};
    *e = (perp_error){.status = PERP_SOLVED};
    return perp_load_memory(text, strlen(text), NULL, &o, &arena, f, e);
}

/* The name of the layout decides between rolling contacts in the plane and plasticity. */
START_TEST(layouts)
{
    perp_file f;
    perp_error e;
    ck_assert_msg(!load_as(either, "rfc2d", &f, &e), "%s", e.text);
    const perp_cone *c = &f.problem.as.cone;
    ck_assert(f.problem.kind == PERP_KIND_CONE && !c->s);
    ROWS(c->follows, -1, 0, 0);
    ROWS(c->group, -1, 1, 2);
    ARE(c->mu, 0, 0.7, 0.1);

    ck_assert_msg(!load_as(either, "plasticity-old", &f, &e), "%s", e.text);
    c = &f.problem.as.cone;
    ROWS(c->group, -1, 1, 1);
    ck_assert(c->mu[1] == 0.7 && c->s[1] == 0.1);

    /* the flag of one contact is a coefficient where the caller says so */
    char text[200];
    snprintf(text, sizeof text, "%s1", local);
    ck_assert(!load_as(text, NULL, &f, &e) && f.problem.kind == PERP_KIND_FC3D);
    ck_assert(!load_as(text, "rfc2d", &f, &e) && f.problem.kind == PERP_KIND_CONE);
    ck_assert_double_eq(f.problem.as.cone.mu[2], 1);

    /* a file that reads in one way alone is read so, and there are no other names */
    ck_assert(!load_as(plane, "rfc3d", &f, &e) && f.problem.as.cone.n == 2);
    ck_assert(!load_as(local, "fc3d", &f, &e) && !load_as(global, "gfc3d", &f, &e));
    ck_assert_int_eq(load_as(either, "fc3d", &f, &e), PERP_E_FILE);
    ck_assert_int_eq(load_as(global, "fc3d", &f, &e), PERP_SOLVED);
    ck_assert_int_eq(load_as(local, "fc4d", &f, &e), PERP_E_ARGUMENT);
    ck_assert_msg(strstr(e.text, "no layout 'fc4d'; there are lcp, relay") != NULL, "%s", e.text);
    ck_assert_msg(strstr(e.text, " and plasticity-old") != NULL, "%s", e.text);
}
END_TEST

/* The body form, with no contact too. */
START_TEST(bodies)
{
    perp_file f = load_good("2 0 2 1 1 1\nbanner\ntriplet: 1-by-1, nzmax: 1 nnz: 1\n 0 0 : 5\n"
                            "2 1 0 1\nbanner\ntriplet: 1-by-0, nzmax: 0 nnz: 0\n7\n",
                            FORMAT, &arena);
    const perp_cone *c = &f.problem.as.cone;
    ck_assert(f.problem.kind == PERP_KIND_CONE && c->form == PERP_FORM_BODY && c->n == 0);
    ck_assert(perp_size(&f.problem) == 1 && c->f[0] == 7);
    f = load_good("5 1 0 1 1 1 1 2 0 1 5 1 5 1 0 0 0 0 -9 1 2 3 4 5 0.5 1", FORMAT, &arena);
    c = &f.problem.as.cone;
    ck_assert(c->form == PERP_FORM_BODY && c->n == 5 && perp_size(&f.problem) == 6);
    ARE(c->M.as.dense.x, 2);
    ARE(c->H.as.dense.x, 1, 0, 0, 0, 0);
    ARE(c->f, -9);
    ARE(c->w, 1, 2, 3, 4, 5);
    ck_assert(c->mu[1] == 0.5 && c->mu[3] == 1 && !c->q);
    f = load_good("3 1 0 1 1 1 1 2 0 1 3 1 3 1 0 0 -9 1 2 3 0.5 0.1", FORMAT, &arena);
    c = &f.problem.as.cone;
    ROWS(c->group, -1, 1, 2);
    ARE(c->mu, 0, 0.5, 0.1);
    f = load_good("2\n1\n0\n2\n2\n2\t2\n2 0\n0 2\n0\n2\n2\n2\t2\n1 0\n0 1\n0 -9.81\n0 0\n0.5\n0",
                  FORMAT, &arena); /* and the flag of old files */
    ck_assert(f.problem.as.cone.form == PERP_FORM_BODY && f.problem.as.cone.n == 2);
}
END_TEST

/* Nothing decides between rolling contacts in the plane and old plasticity, and to skip the last
 * numbers would make 3D contacts of either. One number 0 or 1 behind one contact is a flag. */
START_TEST(numbers_behind_mu)
{
    char text[400];
    load_bad(either, FORMAT, 1,
             "in 2D with rolling resistance (RFC2D) and as plasticity, old layout; say "
             "--layout=rfc2d or "
             "--layout=plasticity-old");
    perp_file f;
    perp_error e;
    perp_load_options o = {.format = FORMAT, .has_kind = true, .kind = PERP_KIND_FC3D};
    ck_assert_int_eq(perp_load_memory(either, strlen(either), NULL, &o, &arena, &f, &e),
                     PERP_E_FILE);
    static const char *const flags[] = {"0\n", "1", "1 a remark"};
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "%s%s", local, flags[k]);
        ck_assert_int_eq(load_good(text, FORMAT, &arena).problem.kind, PERP_KIND_FC3D);
        snprintf(text, sizeof text, "%s%s", global, flags[k]);
        ck_assert_int_eq(load_good(text, FORMAT, &arena).problem.kind, PERP_KIND_FC3D);
    }
    static const char *const others[] = {"0 0", "1.5 0", "0 1 2"};
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "%s%s", local, others[k]);
        load_bad(text, FORMAT, 12, "left behind 3D frictional contact, the first is");
    }
    snprintf(text, sizeof text, "%s0.0", local); /* not spelled as a flag is */
    load_bad(text, FORMAT, 12, "say --layout=rfc2d or");
}
END_TEST

/* Sizes of H may be numbers of q: then what reads to its end has it. */
START_TEST(whole_numbers_behind_M)
{
    perp_file f = load_good("3 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 0 3 3 0.5", FORMAT, &arena);
    ck_assert_int_eq(f.problem.as.fc3d.form, PERP_FORM_LOCAL);
    ARE(f.problem.as.fc3d.q, 0, 3, 3);
    f = load_good("3 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6\n2 3 3 1\nbanner\n"
                  "triplet: 3-by-3, nzmax: 1 nnz: 1\n 0 0 : 5\n1.5 2 3 4 5 6 0.5",
                  FORMAT, &arena);
    ck_assert_int_eq(f.problem.as.fc3d.form, PERP_FORM_BODY);
    ARE(f.problem.as.fc3d.f, 1.5, 2, 3);
    load_bad("3 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6\n0 3 3\n3 3 1 0 0 0 1 0 0 0\nx", FORMAT, 4,
             "expected H[8], a finite number, found 'x'");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("siconos_contacts");
    TCase *t = tcase_create("siconos_contacts");
    tcase_add_checked_fixture(t, NULL, give_back);
    tcase_add_test(t, contacts);
    tcase_add_test(t, cones);
    tcase_add_test(t, layouts);
    tcase_add_test(t, bodies);
    tcase_add_test(t, numbers_behind_mu);
    tcase_add_test(t, whole_numbers_behind_M);
    suite_add_tcase(s, t);
    return support_run(s);
}
