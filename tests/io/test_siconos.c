/* tests/io/test_siconos.c: which problem a .dat file holds where two layouts fit; hostile files,
 * and files cut short at every byte. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT PERP_FILE_SICONOS

static perp_arena arena;

static void give_back(void)
{
    perp_arena_free(&arena);
}

static const char lcp[] = "2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 -6\n";
static const char local[] = "3\n1\n0\n3\n3\n3\t3\n4 1 2\n0 5 3\n0 0 6\n-1 0.5 0.25\n0.7\n";
static const char global[] = "3\n1\n0\n2\n2\n2\t2\n4 1\n0 5\n0\n2\n3\n2\t3\n1 2\n3 4\n5 6\n"
                             "-1 -2\n0.5 0 0.25\n0.7\n";
static const char mlcp[] = "1\n1\n1\n2\n0 1 3 \n0 1 \n0\n3\n3\n3\t3\n1 4 7\n2 5 8\n3 6 9\n"
                           "-1 -2 -3\n1\n5 6\n8 9\n2 3\n4\n7\n-1\n-2 -3\n";
static const char relay[] = "2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 -6\n-1 -1\n1 1\n";

/* Two layouts of different kinds: where the sparse body of 2D contacts has its banner, of which
 * every word may be a number, and a dense LCP its numbers. */
START_TEST(two_layouts)
{
    static const char both[] = "2 0 2 2 2 2\n1 0 0 1 -5 -6\n2-by-2, nzmax: 0 nnz: 0, 1-norm: 0\n"
                               "col 0 : locations 0 to -1\ncol 1 : locations 0 to -1\n"
                               "0 2 0 2 0\n1.5 2.5\n";
    load_bad(both, FORMAT, 2,
             "reads as an LCP with n = 2 and as frictional contact in 2D (GFC2D); say "
             "--kind=lcp or --kind=cone");
    perp_file f;
    perp_error e;
    perp_load_options o = {.format = FORMAT, .has_kind = true, .kind = PERP_KIND_LCP};
    ck_assert_int_eq(perp_load_memory(both, strlen(both), NULL, &o, &arena, &f, &e), 0);
    ck_assert(f.problem.kind == PERP_KIND_LCP && f.problem.as.lcp.q[0] == -5);
    o.kind = PERP_KIND_FC3D;
    ck_assert_int_eq(perp_load_memory(both, strlen(both), NULL, &o, &arena, &f, &e), PERP_E_FILE);
    ck_assert_msg(strstr(e.text, "no Siconos problem of kind fc3d") != NULL, "%s", e.text);
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
    cut(lcp, PERP_KIND_LCP);
    cut(local, PERP_KIND_FC3D);
    cut(mlcp, PERP_KIND_MCP);
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
    tcase_add_test(t, two_layouts);
    tcase_add_test(t, hostile_files);
    tcase_add_test(t, cut_short);
    tcase_add_test(t, memory_may_end_anywhere);
    tcase_add_test(t, the_limit_is_held);
    suite_add_tcase(s, t);
    return support_run(s);
}
