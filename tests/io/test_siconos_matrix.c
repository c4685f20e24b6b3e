/* tests/io/test_siconos_matrix.c: the matrix section in every storage, and every way to spoil it.
 */
#include "io/siconos.h"
#include "support.h"

#include <check.h>
#include <string.h>

static perp_arena arena;
static perp_error error;

static bool read(const char *text, int m, int n, perp_matrix *A)
{
    error = (perp_error){0};
    size_t length = strlen(text);
    perp_lexer x = {.at = text,
                    .end = text + length,
                    .line = 1,
                    .budget = 1 << 20,
                    .limit = 1 << 20,
                    .length = length,
                    .arena = &arena,
                    .error = &error};
    return perp_siconos_matrix(&x, m, n, "M", A);
}

/* The matrix, by columns, whatever format it is in. */
static void reads(const char *text, perp_format format, int m, int n, const double *values)
{
    perp_matrix A, D;
    ck_assert_msg(read(text, -1, -1, &A), "%d: %s", error.line, error.text);
    ck_assert_int_eq(A.format, format);
    ck_assert(A.m == m && A.n == n);
    ck_assert_int_eq(perp_check_view(&A, m, n, "M", false, &error), PERP_SOLVED);
    ck_assert_int_eq(perp_convert(&A, PERP_FORMAT_DENSE, &arena, &D, &error), PERP_SOLVED);
    for (int k = 0; k < m * n; k++) ck_assert_double_eq(D.as.dense.x[k], values[k]);
    perp_arena_free(&arena);
}

static void refused(const char *text, int line, const char *words)
{
    perp_matrix A;
    ck_assert_msg(!read(text, -1, -1, &A), "accepted: %s", text);
    ck_assert_msg(strstr(error.text, words) != NULL, "\"%s\" does not say \"%s\"", error.text,
                  words);
    ck_assert_msg(error.line == line, "line %d: %s", error.line, error.text);
    perp_arena_free(&arena);
}

#define FOUR "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0" /* room for vectors behind */

START_TEST(dense)
{
    static const double M[] = {2, 0, 1, 3}, H[] = {1, 2, 3, 4, 5, 6};
    reads("0\n2\n2\n2\t2\n2 0\n1 3\n", PERP_FORMAT_DENSE, 2, 2, M);
    reads("0 2 3 2 3 1 2 3 4 5 6", PERP_FORMAT_DENSE, 2, 3, H);
    reads("0 0 0 0 0", PERP_FORMAT_DENSE, 0, 0, NULL);
    reads("0 2 0 2 0", PERP_FORMAT_DENSE, 2, 0, NULL);
    refused("0 2 2 2 3 1 2 3 4", 1, "the columns of a dense matrix again, which is 2");
    refused("0 2 2\n2 2\n1", 2, "expected M, 4 numbers, but only 2 bytes are left");
    refused("0 2 2\n2 2\n1 2\n3      ", 4, "expected M[3], a finite number, but the file ends");
    refused("0 2 2\n2 2\n1 2\nx 4", 4, "expected M[2], a finite number, found 'x'");
    refused("0 2 2\n2 2\n1 nan 3 4", 3, "found 'nan'");
    refused("3 2 2", 1, "the storage of M in 0 .. 2");
    refused("0 -1 2", 1, "the rows of M, at least 0, found '-1'");
    refused("0 99999999999 2", 1, "the rows of M");
    refused("0 2147483647 2147483647 2147483647 2147483647 1", 1, "the rows of M, 2147483647");
    refused("0 50000 50000", 1, "bytes are left in the file");
    refused("", 1, "the file ends");
}
END_TEST

/* [2 1 4; 0 3 5; 0 0 6] with block sizes (2, 1). */
START_TEST(uneven_blocks)
{
    static const double M[] = {2, 0, 0, 1, 3, 0, 4, 5, 6};
    reads(
        "1\n3\n3\n3\n2\n2\n2\t3\t\n2\t3\t\n3\n3\n0\t2\t3\t\n0\t1\t1\t\n0\n2\n0\n1\n3\n1\n4\n5\n2\n"
        "6\n",
        PERP_FORMAT_CSC, 3, 3, M);
    /* Trailing empty block rows may be left out of the pointers. */
    static const double top[] = {2, 0, 0, 1, 3, 0, 0, 0, 0};
    reads("1 3 3 1 2 2 2 3 2 3 2 1 0 1 0 0 2 0 1 3 " FOUR, PERP_FORMAT_CSC, 3, 3, top);
    static const double none[4] = {0};
    reads("1 2 2 0", PERP_FORMAT_CSC, 2, 2, none);
    refused("1 3 3 1 2 2 2 4 2 3 2 1 0 1 0 0 2 0 1 3", 1, "cumulative block row sizes");
    refused("1 3 3 1 2 2 2 2 2 3 2 1 0 1 0 0 2 0 1 3", 1, "that ascend to 3, found 2 at place 1");
    refused("1 3 3 1 2 2 2 3 3 2 2 1 0 1 0 0 2 0 1 3", 1, "that ascend to 3");
    refused("1 3 3 1 4 2 2 3 3 2 2 1 0 1 0 0 2 0 1 3", 1, "the number of block rows in 0 .. 3");
    refused("1 3 3 1 2 2 2 3 2 3 2 2 0 1 0 0 2 0 1 3", 1, "the number of blocks again, which is 1");
    refused("1 3 3 1 2 2 2 3 2 3 4 1 0 1 0 0 2 0 1 3", 1, "the number of block row pointers");
    refused("1 3 3 1 2 2 2 3 2 3 2 1 1 1 0 0 2 0 1 3", 1, "that ascend from 0, found 1 at place 0");
    refused("1 3 3 1 2 2 2 3 2 3 3 1 0 1 0 0 2 0 1 3", 1, "that ascend from 0, found 0 at place 2");
    refused("1 3 3 1 2 2 2 3 2 3 3 1 0 0 0 0 2 0 1 3", 1, "block row pointers up to 1, found 0");
    refused("1 3 3 1 2 2 2 3 2 3 2 1 0 1 2 0 2 0 1 3", 1, "the block columns[0] in 0 .. 1");
    reads("1 3 3 1 2 2 2 3 2 3 2 1 0 1 0 7 2 0 1 3 " FOUR, PERP_FORMAT_CSC, 3, 3,
          top); /* block 7? */
    refused("1 3 3 1 2 2 2 3 2 3 2 1 0 1 0 x 2 0 1 3", 1, "the number of the next block");
    refused("1 3 3 1 2 2 2 3 2 3 2 1 0 1 0 0 2 0 1 inf", 1, "an entry of a block");
    refused("1 3 3 999999999 2 2 2 3", 1, "the number of blocks");
    refused("1 3 3 99999999 2 2 2 3 2 3 2 99999999 0 1 0 0 2 0 1 inf", 1, "the block columns");
    refused("1 30 30 1 1 1 30 30 2 1 0 1 0 0 1 2 3 4 5 6 7 8 " FOUR FOUR, 1, "M, 900 numbers");
}
END_TEST

START_TEST(blocks_of_three)
{
    perp_matrix A;
    const char *text = "1 6 6 2 2 2 3 6 3 6 3 2 0 1 2 1 0 0 1 2 3 4 5 6 7 8 9 1 -1 -2 -3 -4 -5 -6 "
                       "-7 -8 -9";
    ck_assert(read(text, 6, 6, &A));
    ck_assert_int_eq(A.format, PERP_FORMAT_BSR3);
    static const int p[] = {0, 1, 2}, j[] = {1, 0};
    ck_assert(memcmp(A.as.bsr3.p, p, sizeof p) == 0);
    ck_assert(memcmp(A.as.bsr3.j, j, sizeof j) == 0);
    for (int k = 0; k < 9; k++) {
        ck_assert_double_eq(A.as.bsr3.x[k], k + 1);
        ck_assert_double_eq(A.as.bsr3.x[9 + k], -k - 1);
    }
    static const double none[9] = {0};
    reads("1 3 3 0 " FOUR, PERP_FORMAT_BSR3, 3, 3, none);
    ck_assert(!read(text, 6, 9, &A));
    ck_assert_ptr_nonnull(strstr(error.text, "the columns of M, which is 9, found '6'"));
    perp_arena_free(&arena);
}
END_TEST

#define HEAD "2\n3\n3\n2\nCSparse Version 3.1.9, any text\n"

START_TEST(columns)
{
    static const double M[] = {4, 0, 2, 0, 5, 0, 0, 0, 6}, gap[] = {4, 0, 0, 0, 0, 0, 0, 0.5, 0};
    reads(HEAD "3-by-3, nzmax: 9 nnz: 4, 1-norm: 6\n col 0 : locations 0 to 1\n 0 : 4\n 2 : 2\n"
               " col 1 : locations 2 to 2\n 1 : 5\n col 2 : locations 3 to 3\n 2 : 6\n",
          PERP_FORMAT_CSC, 3, 3, M);
    reads(HEAD "3-by-3, nzmax: 2 nnz: 2, 1-norm: 6\n col 0 : locations 0 to 0\n 0 : 4\n"
               " col 1 : locations 1 to 0\n col 2 : locations 1 to 1\n 1 : 0.5\n",
          PERP_FORMAT_CSC, 3, 3, gap);
    refused(HEAD "3-by-4, nzmax: 2 nnz: 2, 1-norm: 6\n", 6, "'3-by-3,'");
    refused(HEAD "3-by-3, nzmax: 2 nnz: 3, 1-norm: 6\n", 6, "nnz in 0 .. 2");
    refused(HEAD "3-by-3, nzmax: 2 nnz: x, 1-norm: 6\n", 6, "nnz, a whole number");
    refused(HEAD "3-by-3, nzmax: 2147483647 nnz: 2147483647, 1-norm: 6\n", 7, "bytes are left");
    refused(HEAD "3-by-3, nzmax: 1 nnz: 1, 1-norm: 6\n col 1 : locations 0 to 0\n 0 : 1", 7,
            "the number of the next column, which is 0");
    refused(HEAD "3-by-3, nzmax: 1 nnz: 1, 1-norm: 6\n col 0 : locations 1 to 1\n 0 : 1", 7,
            "the first location of the column, which is 0");
    refused(HEAD "3-by-3, nzmax: 1 nnz: 1, 1-norm: 6\n col 0 : locations 0 to 7\n 0 : 1", 7,
            "the last location of the column in -1 .. 0");
    refused(HEAD "3-by-3, nzmax: 1 nnz: 1, 1-norm: 6\n col 0 : locations 0 to 0\n 3 : 1", 8,
            "a row of the column in 0 .. 2");
    refused(HEAD "3-by-3, nzmax: 1 nnz: 1, 1-norm: 6\n col 0 : locations 0 to 0\n 0 : 1", 8,
            "the word 'col', but the file ends");
    refused(HEAD "3-by-3, nzmax: 5 nnz: 1, 1-norm: 6\n col 0 : locations 0 to -1\n"
                 " col 1 : locations 0 to -1\n col 2 : locations 0 to -1\n",
            9, "expected 1 entries of M, its columns have 0");
    refused("2 3 3 3\nbanner\n", 1, "compressed rows (origin 3)");
    refused("2 3 3 4\nbanner\n", 1, "half a matrix (origin 4)");
    refused("2 3 3 2\nbanner", 2, "the word '3-by-3,', but the file ends");
}
END_TEST

#define TRIPLET "2\n3\n3\n1\nCSparse\n"

START_TEST(triplets)
{
    static const double M[] = {4, 0, 2, 0, 5, 0, 0, 0, 7};
    reads(TRIPLET "triplet: 3-by-3, nzmax: 7 nnz: 5\n 2 2 : 6\n 0 0 : 4\n 2 0 : 2\n 1 1 : 5\n"
                  " 2 2 : 1\n",
          PERP_FORMAT_CSC, 3, 3, M);
    refused(TRIPLET "triplet: 3-by-3, nzmax: 1 nnz: 1\n 3 0 : 4\n", 7, "the row of a triplet");
    refused(TRIPLET "triplet: 3-by-3, nzmax: 1 nnz: 1\n 0 -1 : 4\n", 7, "the column of a triplet");
    refused(TRIPLET "triplet: 3-by-3, nzmax: 1 nnz: 1\n 0 0 4\n", 7, "the word ':'");
    refused(TRIPLET "3-by-3, nzmax: 1 nnz: 1\n 0 0 4\n", 6, "the word 'triplet:'");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("siconos_matrix");
    TCase *t = tcase_create("siconos_matrix");
    tcase_add_test(t, dense);
    tcase_add_test(t, uneven_blocks);
    tcase_add_test(t, blocks_of_three);
    tcase_add_test(t, columns);
    tcase_add_test(t, triplets);
    suite_add_tcase(s, t);
    return support_run(s);
}
