/* tests/io/test_matrix_market.c: single matrices and vectors in Matrix Market's format. */
#include "io_files.h"

#define BANNER "%%MatrixMarket matrix "

static const char *save(const char *text, char path[1024])
{
    FILE *f = fopen(scratch_path("m.mtx", path), "w");
    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    return path;
}

static perp_status load(const char *text, perp_arena *a, perp_matrix *A, perp_error *e)
{
    char path[1024];
    perp_status status = perp_load_matrix(save(text, path), a, A, e);
    unlink(path);
    return status;
}

/* full is column-major */
static void reads(const char *text, int m, int n, perp_format format, const double *full)
{
    perp_arena a = {0};
    perp_matrix A, dense = perp_dense(m, n, full);
    perp_error e = {0};
    perp_status status = load(text, &a, &A, &e);
    ck_assert_msg(!status, "line %d: %s", e.line, e.text);
    ck_assert_int_eq(A.format, format);
    same_matrix(&A, &dense);
    perp_arena_free(&a);
}

START_TEST(matrices)
{
    static const double general[] = {1, 0, 0, 2.5, -3, 0}, symmetric[] = {1, 2, 2, 0},
                        skew[] = {0, 2, -2, 0}, pattern[] = {0, 1, 1, 0}, sum[] = {3},
                        array[] = {1, 2, 3, 4, 5, 6}, triangle[] = {1, 2, 3, 2, 4, 5, 3, 5, 6};
    reads(BANNER "coordinate real general\n% a comment\n%\n\n2 3 3\n1 1 1\n2 2 2.5\n1 3 -3\n", 2, 3,
          PERP_FORMAT_CSC, general);
    reads("%%matrixmarket MATRIX Coordinate Integer Symmetric\n2 2 2\n1 1 1\n2 1 2", 2, 2,
          PERP_FORMAT_CSC, symmetric);
    reads(BANNER "coordinate real skew-symmetric\n2 2 1\n2 1 2\n", 2, 2, PERP_FORMAT_CSC, skew);
    reads(BANNER "coordinate pattern symmetric\n2 2 1\n2 1\n", 2, 2, PERP_FORMAT_CSC, pattern);
    reads(BANNER "coordinate real general\n1 1 2\n1 1 1\n1 1 2\n", 1, 1, PERP_FORMAT_CSC, sum);
    reads(BANNER "array real general\n2 3\n1\n2\n3\n4\n5\n6\n", 2, 3, PERP_FORMAT_DENSE, array);
    reads(BANNER "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 3, 3, PERP_FORMAT_DENSE,
          triangle);
    reads(BANNER "array real skew-symmetric\n2 2\n2\n", 2, 2, PERP_FORMAT_DENSE, skew);
    reads(BANNER "coordinate real general\n0 0 0\n", 0, 0, PERP_FORMAT_CSC, sum);
    reads(BANNER "array real general\n0 3\n", 0, 3, PERP_FORMAT_DENSE, sum);
}
END_TEST

START_TEST(refusals)
{
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
        {"", -1, "expected"},
        {"1 2 3\n", 1, "%%MatrixMarket"},
        {"%%MatrixMarket graph coordinate real general\n", 1, "'graph'"},
        {BANNER "list real general\n", 1, "'list'"},
        {BANNER "coordinate complex general\n", 1, "'complex'"},
        {BANNER "coordinate real hermitian\n", 1, "'hermitian'"},
        {BANNER "coordinate real\n", 1, "general"},
        {BANNER "array pattern general\n", 1, "'pattern'"},
        {BANNER "coordinate real general\n", -1, "rows"},
        {BANNER "coordinate real general\n-1 2 0\n", 2, "rows"},
        {BANNER "coordinate real general\n99999999999 2 0\n", 2, "rows"},
        {BANNER "coordinate real general\n%\n2 2 2000000000\n1 1 1\n", -1, "bytes are left"},
        {BANNER "coordinate real symmetric\n2 3 0\n", 2, "symmetric"},
        {BANNER "coordinate real general\n2 2 1\n3 1 1\n", 3, "a row"},
        {BANNER "coordinate real general\n2 2 1\n1 0 1\n", 3, "a column"},
        {BANNER "coordinate real general\n2 2 1\n1 1 x\n", 3, "'x'"},
        {BANNER "coordinate real general\n2 2 1\n1 1 nan\n", 3, "finite"},
        {BANNER "coordinate real general\n2 2 2\n1 1 1.00000000\n", -1, "after 1 of the 2 entries"},
        {BANNER "coordinate real general\n2 2 1\n1 1 1\n2 2 2\n", 4, "end of the file"},
        {BANNER "coordinate real skew-symmetric\n2 2 1\n1 1 1\n", 3, "diagonal"},
        {BANNER "array real general\n2 2\n1 2 3\n", -1, "expected"},
        {BANNER "array real general\n100000 100000\n1 2 3\n", -1, "bytes are left"},
        {BANNER "array real symmetric\n100000 100000\n1 2 3\n", -1, "bytes are left"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_arena a = {0};
        perp_matrix A;
        perp_error e = {0};
        ck_assert_int_eq(load(cases[k].text, &a, &A, &e), PERP_E_FILE);
        ck_assert_msg(strstr(e.text, cases[k].words) != NULL, "%s", e.text);
        ck_assert_msg(cases[k].line < 0 || cases[k].line == e.line, "line %d: %s", e.line, e.text);
        ck_assert_uint_eq(a.used, 0);
        perp_arena_free(&a);
    }
    perp_arena a = {0};
    perp_matrix A;
    ck_assert_int_eq(perp_load_matrix("/no/such/file", &a, &A, NULL), PERP_E_FILE);
    ck_assert_int_eq(perp_load_matrix(NULL, &a, &A, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_save_matrix(NULL, &A, NULL), PERP_E_ARGUMENT);
}
END_TEST

/* A few bytes claim half a billion rows, and memory for each. */
START_TEST(sizes_without_entries)
{
    static const char *const sizes[] = {"555555554 4 3", "4 555555554 3"};
    for (int k = 0; k < 2; k++) {
        char text[200];
        perp_arena a = {0};
        perp_matrix A;
        perp_error e = {0};
        snprintf(text, sizeof text, "%s%s\n1 1 0\n2 1 25\n1 1 -3\n",
                 BANNER "coordinate real general\n", sizes[k]);
        ck_assert_int_eq(load(text, &a, &A, &e), PERP_E_FILE);
        ck_assert_msg(strstr(e.text, "not plausible") != NULL, "%s", e.text);
        ck_assert_uint_lt(a.peak, 1 << 20);
        perp_arena_free(&a);
    }
}
END_TEST

/* A matrix is as large as its file makes plausible, and that is the length of this file. */
START_TEST(a_large_sparse_matrix)
{
    enum { N = 1200000 };
    char path[1024];
    FILE *f = fopen(scratch_path("large.mtx", path), "w");
    ck_assert(f && fprintf(f, "%s%d %d %d\n", BANNER "coordinate real general\n", N, N, N) > 0);
    for (int k = 1; k <= N; k++) fprintf(f, "%d %d 2\n", k, k);
    ck_assert(fclose(f) == 0);
    perp_arena a = {0};
    perp_matrix A;
    perp_error e = {0};
    perp_status status = perp_load_matrix(path, &a, &A, &e);
    unlink(path);
    ck_assert_msg(!status, "line %d: %s", e.line, e.text);
    ck_assert_int_eq(A.n, N);
    ck_assert_int_eq(A.as.csc.p[N], N);
    ck_assert_int_eq(A.as.csc.i[N - 1], N - 1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(a_large_vector_of_few_entries)
{
    char path[1024];
    perp_arena a = {0};
    int n;
    const double *x;
    perp_error e = {0};
    save(BANNER "coordinate real general\n400000 1 1\n399999 1 5\n", path);
    perp_status status = perp_load_vector(path, &a, &n, &x, &e);
    unlink(path);
    ck_assert_msg(!status, "line %d: %s", e.line, e.text);
    ck_assert_int_eq(n, 400000);
    ck_assert(x[399998] == 5 && x[399999] == 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(vectors)
{
    static const struct {
        const char *text;
        int n;
        double x[3];
    } cases[] = {
        {BANNER "array real general\n3 1\n1\n-2\n0.5\n", 3, {1, -2, 0.5}},
        {BANNER "array real general\n1 2\n1\n2\n", 2, {1, 2}},
        {BANNER "coordinate real general\n3 1 2\n3 1 5\n1 1 4\n", 3, {4, 0, 5}},
        {BANNER "coordinate real general\n1 3 1\n1 2 7\n", 3, {0, 7, 0}},
        {BANNER "array real general\n0 1\n", 0, {0}},
    };
    char path[1024];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_arena a = {0};
        int n;
        const double *x;
        perp_error e = {0};
        perp_status status = perp_load_vector(save(cases[k].text, path), &a, &n, &x, &e);
        ck_assert_msg(!status, "%s", e.text);
        ck_assert_int_eq(n, cases[k].n);
        same_vector(x, cases[k].x, n, 0);
        perp_arena_free(&a);
    }
    perp_arena a = {0};
    int n;
    const double *x;
    perp_error e = {0};
    save(BANNER "array real general\n2 2\n1\n2\n3\n4\n", path);
    ck_assert_int_eq(perp_load_vector(path, &a, &n, &x, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "2 x 2"));
    unlink(path);
    perp_arena_free(&a);
}
END_TEST

START_TEST(no_problem)
{
    refused(BANNER "array real general\n1 1\n1\n", PERP_FILE_ANY, -1, "alone");
    for (int kind = 0; kind < PERP_KINDS; kind++) {
        ck_assert(!perp_file_format_holds(PERP_FILE_MATRIX_MARKET, (perp_kind)kind));
    }
    ck_assert_str_eq(perp_file_format_name(PERP_FILE_MATRIX_MARKET), "matrix_market");
}
END_TEST

static double draw(generator *g)
{
    return ldexp(generator_uniform(g), generator_between(g, -1000, 1000));
}

/* Every format, every size: bit for bit. */
START_TEST(round_trips)
{
    const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};
    const random_entries entries = {.draw = draw, .zeros = 0.3, .padding = NAN};
    generator g = generator_start(3);
    char path[1024];
    scratch_path("round.mtx", path);
    for (int k = 0; k < 90; k++) {
        perp_arena a = {0};
        perp_error e = {0};
        int m = generator_below(&g, 12), n = generator_below(&g, 12);
        random_matrix *R = random_matrix_new(formats[k % 3], m, n, &entries, &g);
        perp_matrix B, sorted = R->A;
        perp_status status = perp_save_matrix(path, &R->A, &e);
        if (!status) status = perp_load_matrix(path, &a, &B, &e);
        ck_assert_msg(!status, "%d: %s", e.line, e.text);
        ck_assert_int_eq(B.format, k % 3 ? PERP_FORMAT_CSC : PERP_FORMAT_DENSE);
        if (k % 3 == 1) { /* unsorted, with duplicates: through the dense one */
            ck_assert(!perp_convert(&R->A, PERP_FORMAT_DENSE, &a, &sorted, NULL));
            perp_matrix dense;
            ck_assert(!perp_convert(&B, PERP_FORMAT_DENSE, &a, &dense, NULL));
            same_matrix(&dense, &sorted);
        } else {
            same_matrix(&B, &sorted);
        }
        free(R);
        perp_arena_free(&a);
    }
    unlink(path);
    const double one[] = {1};
    perp_matrix dense = perp_dense(1, 1, one), op = as_operator(&dense);
    ck_assert_int_eq(perp_save_matrix(path, &op, NULL), PERP_E_FORMAT);
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

/* Through perp_load_vector, as the whole reader is behind it. */
START_TEST(damaged)
{
    static const char *const texts[] = {
        BANNER "coordinate real symmetric\n% c\n3 3 4\n1 1 1\n2 1 2.5e3\n3 3 -3\n3 2 .5\n",
        BANNER "array real general\n2 3\n1\n2\n3\n4\n5\n6\n"};
    generator g = generator_start(5);
    for (int k = 0; k < 600; k++) {
        char copy[256];
        const char *text = texts[k % 2];
        size_t length = strlen(text);
        memcpy(copy, text, length + 1);
        if (k % 4 < 2) {
            copy[generator_below(&g, (int)length)] = 0;
        } else {
            copy[generator_below(&g, (int)length)] ^= (char)(1 << generator_below(&g, 8));
        }
        perp_arena a = {0};
        perp_matrix A;
        perp_error e = {0};
        perp_status status = load(copy, &a, &A, &e);
        ck_assert(status == PERP_SOLVED || (status == PERP_E_FILE && a.used == 0));
        ck_assert(status == PERP_SOLVED || strlen(e.text) > 5);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_matrix_market");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, matrices);
    tcase_add_test(t, refusals);
    tcase_add_test(t, sizes_without_entries);
    tcase_add_test(t, a_large_sparse_matrix);
    tcase_add_test(t, a_large_vector_of_few_entries);
    tcase_add_test(t, vectors);
    tcase_add_test(t, no_problem);
    tcase_add_test(t, round_trips);
    tcase_add_test(t, damaged);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    return failed;
}
