/* tests/test_io_siconos.c: which problem a .dat file holds, in every layout; those that perp has no
 * solver for; files cut short at every byte. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

static const char lcp[] = "2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 -6\n";
static const char local[] = "3\n1\n0\n3\n3\n3\t3\n4 1 2\n0 5 3\n0 0 6\n-1 0.5 0.25\n0.7\n";
static const char global[] = "3\n1\n0\n2\n2\n2\t2\n4 1\n0 5\n0\n2\n3\n2\t3\n1 2\n3 4\n5 6\n"
                             "-1 -2\n0.5 0 0.25\n0.7\n";
static const char mlcp[] = "1\n1\n1\n2\n0 1 3 \n0 1 \n0\n3\n3\n3\t3\n1 4 7\n2 5 8\n3 6 9\n"
                           "-1 -2 -3\n1\n5 6\n8 9\n2 3\n4\n7\n-1\n-2 -3\n";
static const char relay[] = "2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 -6\n-1 -1\n1 1\n";

START_TEST(linear_problems)
{
    perp_file f = load_good(lcp, PERP_FILE_ANY, &arena);
    ck_assert(f.format == FORMAT && f.problem.kind == PERP_LCP && f.problem.as.lcp.n == 2);
    ARE(f.problem.as.lcp.M.as.dense.x, 2, 0, 1, 3);
    ARE(f.problem.as.lcp.q, -5, -6);
    f = load_good("0 0 0 0 0 0", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_LCP && f.problem.as.lcp.n == 0);
    f = load_good("1 0 1 1 1 1 2 -1", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_LCP && f.problem.as.lcp.n == 1);
    f = load_good("1 1 1 1 1 1 1 1 1 2 1 0 1 0 0 2 -1", FORMAT, &arena); /* blocks, n = 1 */
    ck_assert(f.problem.kind == PERP_LCP && f.problem.as.lcp.n == 1);
    f = load_good("2 1 2 2 1 1 1 2 2 2 1 0 1 0 0 2 0 1 3 -5 -6", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_LCP && f.problem.as.lcp.M.format == PERP_CSC);
    ARE(f.problem.as.lcp.q, -5, -6);
}
END_TEST

/* Remarks, flags and solutions stand behind the last number that a layout needs. */
START_TEST(what_follows_is_not_read)
{
    static const char *const more[] = {"\nRemark 4.1.14\nset of solutions",
                                       " 1.333 2.333",
                                       " 0",
                                       " 0 1 1",
                                       "\n# one more",
                                       " 4 5 1 1",
                                       " \x01\xff"};
    char text[400];
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        snprintf(text, sizeof text, "%s%s", lcp, more[k]);
        perp_file f = load_good(text, FORMAT, &arena);
        ck_assert_int_eq(f.problem.kind, PERP_LCP);
        snprintf(text, sizeof text, "%s%s", mlcp, more[k]);
        f = load_good(text, FORMAT, &arena);
        ck_assert_int_eq(f.problem.kind, PERP_MCP);
    }
    snprintf(text, sizeof text, "%s0\n", local); /* an old flag */
    ck_assert_int_eq(load_good(text, FORMAT, &arena).problem.kind, PERP_FC3D);
    snprintf(text, sizeof text, "%s1", global);
    ck_assert_int_eq(load_good(text, FORMAT, &arena).problem.kind, PERP_FC3D);
}
END_TEST

START_TEST(relays)
{
    perp_file f = load_good(relay, FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_MCP && f.problem.as.mcp.F.n == 2);
    ARE(f.problem.as.mcp.F.q, -5, -6);
    ARE(f.problem.as.mcp.lo, -1, -1);
    ARE(f.problem.as.mcp.hi, 1, 1);
    f = load_good("1 0 1 1 1 1 2 -1 -inf 3", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_MCP && f.problem.as.mcp.lo[0] == -INFINITY);

    /* What can be taken for either is what the caller says. */
    perp_error e;
    perp_load_options o = {.format = FORMAT, .has_kind = true, .kind = PERP_LCP};
    ck_assert_int_eq(perp_load_memory(relay, strlen(relay), NULL, &o, &arena, &f, &e), 0);
    ck_assert_int_eq(f.problem.kind, PERP_LCP);
    ck_assert_ptr_null(f.problem.name);
    o.kind = PERP_MCP;
    ck_assert_int_eq(perp_load_memory(lcp, strlen(lcp), NULL, &o, &arena, &f, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "expected lb"));
    o.kind = PERP_FC3D;
    ck_assert_int_eq(perp_load_memory(lcp, strlen(lcp), NULL, &o, &arena, &f, &e), PERP_E_FILE);
    o.kind = PERP_QP;
    ck_assert_int_eq(perp_load_memory(lcp, strlen(lcp), NULL, &o, &arena, &f, &e), PERP_E_FILE);
}
END_TEST

START_TEST(mixed_problems)
{
    perp_file f = load_good(mlcp, FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_MCP && f.problem.as.mcp.F.n == 3);
    ARE(f.problem.as.mcp.F.M.as.dense.x, 1, 4, 7, 2, 5, 8, 3, 6, 9);
    ARE(f.problem.as.mcp.F.q, -1, -2, -3);
    ARE(f.problem.as.mcp.lo, -INFINITY, 0, 0);
    ck_assert_ptr_null(f.problem.as.mcp.hi);

    /* A, B, C, D, a, b alone: M = [A C; D B], each by rows. */
    perp_file parts = load_good("0 1 1 2  1  5 6 8 9  2 3  4 7  -1  -2 -3", FORMAT, &arena);
    ck_assert_ptr_null(files_differ(&f, &parts, false));

    /* Equalities last: rows 0 and 1 are complementary, row 2 is not. */
    f = load_good("1 0 1 2 0 2 3 1 0 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", FORMAT, &arena);
    ARE(f.problem.as.mcp.lo, 0, 0, -INFINITY);
    /* The first numbers of the smallest are those of an LCP too. */
    f = load_good("1 1 1 1 0 1 2 0 1 0 2 2 2 2 1 0 -1 1 -1 1 1 1 -1 0 -1 1 0 0", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_MCP && f.problem.as.mcp.F.n == 2);

    load_bad("1 0 1 2 0 2 3 1 1 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", FORMAT, 1,
             "1 equalities, found 0");
    load_bad("1 0 1 2 0 2 4 1 0 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", FORMAT, 1,
             "next block, which is 3");
    load_bad("1 0 1 2 0 2 2 1 0 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", FORMAT, 1, "next block");
    load_bad("1 0 1 2 0 1 3 0 1\n0 4 3 4 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", FORMAT, 2, "the rows of M");
    load_bad("1 1 1 2 0 1 3 0 1 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3\n1 2 3", FORMAT, 1,
             "A, B, C, D");
}
END_TEST

START_TEST(contacts)
{
    perp_file f = load_good(local, FORMAT, &arena);
    const perp_fc3d *c = &f.problem.as.fc3d;
    ck_assert(f.problem.kind == PERP_FC3D && c->contacts == 1 && c->form == PERP_LOCAL);
    ARE(c->W.as.dense.x, 4, 1, 2, 0, 5, 3, 0, 0, 6);
    ARE(c->q, -1, 0.5, 0.25);
    ARE(c->mu, 0.7);

    perp_file g = load_good(global, FORMAT, &arena);
    const perp_fc3d *b = &g.problem.as.fc3d;
    ck_assert(b->contacts == 1 && b->form == PERP_BODY && b->M.m == 2);
    ARE(b->M.as.dense.x, 4, 1, 0, 5);
    ARE(b->H.as.dense.x, 1, 2, 3, 4, 5, 6);
    ARE(b->f, -1, -2);
    ARE(b->w, 0.5, 0, 0.25);
    ARE(b->mu, 0.7);

    g = load_good("3 0 0 2 2 2 2 1 0 0 1 0 2 0 2 0 5 6", FORMAT,
                  &arena); /* no contact, two bodies */
    ck_assert(g.problem.as.fc3d.form == PERP_BODY && g.problem.as.fc3d.contacts == 0);
    ARE(g.problem.as.fc3d.f, 5, 6);
    g = load_good("3 0 0 0 0 0 0", FORMAT, &arena);
    ck_assert(g.problem.as.fc3d.form == PERP_LOCAL && g.problem.as.fc3d.contacts == 0);

    load_bad("3\n1\n0\n3\n3\n3\t3\n4 1 2\n0 5 3\n0 0 6\n-1 0.5 0.25\n-0.7\n", FORMAT, 0,
             "is negative");
    load_bad("3\n1\n0\n3\n3\n3\t3\n4 1 2\n0 5 3\n0 0 6\n-1 0.5 0.25\ninf\n", FORMAT, 11, "mu[0]");
    load_bad("3 2 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 7 8 9 10\n0.7\n", FORMAT, 1,
             "the storage of H");
}
END_TEST

START_TEST(known_and_not_read)
{
    load_bad("2 1 0 2 2 2 2 2 0 1 3 -5 -6 0.5", FORMAT, 1, "in 2D (d = 2)");
    load_bad("2 0 2 1 1 1\nbanner\ntriplet: 1-by-1, nzmax: 1 nnz: 1\n 0 0 : 5\n"
             "2 1 0 1\nbanner\ntriplet: 1-by-0, nzmax: 0 nnz: 0\n7\n",
             FORMAT, 8, "in 2D (d = 2)");
    load_bad("5 1 0 5 5 5 5 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 -1 0 0 0 0 0.5 0.1",
             FORMAT, 1, "with rolling resistance (d = 5)");
    load_bad("3 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0.7 0.1", FORMAT, 1, "(mu_r after mu)");
    load_bad("4 1 0 4 4 4 4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 -1 0 0 0 0 4 0.5", FORMAT, 1,
             "second-order cone");
    load_bad("3 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0 3 0.5", FORMAT, 1, "second-order cone");
    load_bad("3 1 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0.5 0.1", FORMAT, 1, "plasticity");
    load_bad("0 2 2 2 2 1 0 0 1", FORMAT, 1, "a matrix alone");
    load_bad("1 4 4 1 1 1 4 4 2 1 0 1 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 -1 0 0 0 2", FORMAT, 1,
             "generic mechanical");
    perp_file f;
    perp_error e; /* whoever knows better may say so */
    const char *flag = "3 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0.7 0.1";
    perp_load_options o = {.format = FORMAT, .has_kind = true, .kind = PERP_FC3D};
    ck_assert_int_eq(perp_load_memory(flag, strlen(flag), NULL, &o, &arena, &f, &e), 0);
}
END_TEST

START_TEST(hostile_files)
{
    load_bad("", FORMAT, 1, "the file is empty");
    load_bad("", PERP_FILE_ANY, 1, "the file is empty");
    load_bad("hello", PERP_FILE_ANY, 1, "like none of the formats");
    load_bad("\x7f"
             "ELF\x02\x01\x01",
             PERP_FILE_ANY, 1, "like none of the formats");
    load_bad("hello", FORMAT, 1, "expected the sizes of a Siconos problem, found 'hello'");
    load_bad("7 3 9", FORMAT, 1, "the first numbers 7 3 9 are the sizes of no Siconos problem");
    load_bad("-2 0 -2 -2", FORMAT, 1, "found '-2'");
    load_bad("-2 0 -2 -2", PERP_FILE_ANY, 1, "found '-2'");
    load_bad("99999999999999999999 0 1", PERP_FILE_ANY, 1, "found '99999999999999999999'");
    load_bad("2\n0\n2\n2\n2\t2\n1 x 2 3\n1 2\n", FORMAT, 6, "found 'x'"); /* not of 2D contacts */
    load_bad("2147483647 0 2147483647 2147483647 2147483647 2147483647 1 2 3", FORMAT, 1,
             "bytes are left in the file");
    load_bad("3 715827882 0 2147483646 2147483646 2147483646 2147483646 1", FORMAT, 1,
             "the number of contacts");
    load_bad("3 400000000 1 1200000000 1200000000 1 1", FORMAT, 1, "bytes are left in the file");
    load_bad("1 1 2147483647 2147483647 0 1 2", FORMAT, 1, "the number of equalities");
    load_bad("1 1 1000000000 1000000000 0 1 2", FORMAT, 1, "bytes are left in the file");
    load_bad("0 1 1000000000 1000000000 0 1 2", FORMAT, 1, "bytes are left in the file");
    load_bad("2\n0\n2\n2\n2\t2\n2 0\n1 nan\n-5 -6\n", FORMAT, 7, "found 'nan'");
    load_bad("2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 1e999\n", FORMAT, 8, "expected q[1], a finite number");
}
END_TEST

/* Cut after k bytes a file is refused, or the cut fell into the last number or behind it. */
static void cut(const char *text, perp_kind kind)
{
    size_t length = strlen(text), last = length;
    while (last && strchr(" \n\t", text[last - 1])) last--;
    while (last && !strchr(" \n\t", text[last - 1])) last--;
    for (size_t k = 0; k < length; k++) {
        perp_arena a = {0};
        perp_file f;
        perp_error e;
        char *part = malloc(k + 1); /* of its own, so that a sanitizer sees what is read */
        memcpy(part, text, k);
        perp_status s = perp_load_memory(part, k, "cut", NULL, &a, &f, &e);
        free(part);
        if (k <= last) {
            ck_assert_msg(s == PERP_E_FILE, "%.*s accepted", (int)k, text);
        } else if (!s) {
            ck_assert_int_eq(f.problem.kind, kind);
        }
        perp_arena_free(&a);
    }
}

START_TEST(cut_short)
{
    cut(lcp, PERP_LCP);
    cut(local, PERP_FC3D);
    cut(mlcp, PERP_MCP);
    /* These without their last vectors are other problems, honestly. */
    static const char *const others[] = {global, relay};
    for (int k = 0; k < 2; k++) {
        for (size_t n = 0; n < strlen(others[k]); n++) {
            perp_arena a = {0};
            perp_file f;
            perp_load_memory(others[k], n, "cut", NULL, &a, &f, NULL);
            perp_arena_free(&a);
        }
    }
}
END_TEST

START_TEST(memory_may_end_anywhere)
{
    static const char *const texts[] = {lcp, local, global, mlcp, relay};
    int failures = 0, tries = 0;
    for (int k = 0; k < 5; k++) {
        for (int left = 0; left < 4; left++, tries++) {
            supply s = {.left = left};
            perp_arena a = {.resize = scarce, .ctx = &s};
            perp_file f;
            perp_error e;
            perp_status status =
                perp_load_memory(texts[k], strlen(texts[k]), "x", NULL, &a, &f, &e);
            ck_assert(status == PERP_SOLVED || status == PERP_E_MEMORY);
            if (status) ck_assert(a.used == 0 && e.status == PERP_E_MEMORY);
            failures += status != PERP_SOLVED;
            perp_arena_free(&a);
            ck_assert_int_eq(s.out, 0);
        }
    }
    ck_assert(failures >= 10 && failures < tries);

    perp_file f; /* and every fixed buffer that is too small */
    perp_error e;
    for (size_t size = 0; size < 4096; size += 64) {
        static double buffer[512];
        perp_arena a;
        perp_arena_fixed(&a, buffer, size);
        perp_status status = perp_load_memory(mlcp, strlen(mlcp), "x", NULL, &a, &f, &e);
        ck_assert(status == (size < 2048 ? status : PERP_SOLVED));
        ck_assert(status == PERP_SOLVED || status == PERP_E_MEMORY);
    }
}
END_TEST

START_TEST(the_limit_is_held)
{
    perp_file f;
    perp_error e;
    perp_load_options o = {.max_bytes = 20};
    ck_assert_int_eq(perp_load_memory(local, strlen(local), "x", &o, &arena, &f, &e), PERP_E_FILE);
    ck_assert_msg(strstr(e.text, "more than the limit of 20 bytes") != NULL, "%s", e.text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("siconos");
    TCase *t = tcase_create("siconos");
    tcase_add_checked_fixture(t, NULL, give_back);
    tcase_add_test(t, linear_problems);
    tcase_add_test(t, what_follows_is_not_read);
    tcase_add_test(t, relays);
    tcase_add_test(t, mixed_problems);
    tcase_add_test(t, contacts);
    tcase_add_test(t, known_and_not_read);
    tcase_add_test(t, hostile_files);
    tcase_add_test(t, cut_short);
    tcase_add_test(t, memory_may_end_anywhere);
    tcase_add_test(t, the_limit_is_held);
    suite_add_tcase(s, t);
    return support_run(s);
}
