/* tests/io/test_qps.c: QPS as it is read: stored files, hand-worked ones, wrong ones. */
#include "io_files.h"

static perp_qp read_qps(const char *text, perp_arena *a, double *constant)
{
    perp_file file;
    perp_error e = {0};
    perp_status status = load_bytes(text, strlen(text), PERP_FILE_ANY, a, &file, &e);
    ck_assert_msg(!status, "line %d: %s", e.line, e.text);
    ck_assert(file.problem.kind == PERP_KIND_QP && file.format == PERP_FILE_QPS);
    if (constant) *constant = file.constant;
    return file.problem.as.qp;
}

static double at(const perp_matrix *A, int i, int j)
{
    double v = 0;
    if (A->format == PERP_FORMAT_ABSENT) return 0;
    for (int k = A->as.csc.p[j]; k < A->as.csc.p[j + 1]; k++) {
        if (A->as.csc.i[k] == i) v += A->as.csc.x[k];
    }
    return v;
}

static double objective(const perp_qp *p, const double *x, double constant)
{
    double value = constant;
    for (int j = 0; j < p->n; j++) {
        value += p->c[j] * x[j];
        for (int i = 0; i < p->n; i++) value += at(&p->H, i, j) * x[i] * x[j] / 2;
    }
    return value;
}

/* Rows and variables as Maros and Meszaros publish them. */
static const struct {
    const char *name;
    int m, n;
} collection[] = {
    {"CVXQP1_S", 50, 100},  {"CVXQP3_S", 75, 100}, {"DPKLO1", 77, 133},  {"DUAL1", 1, 85},
    {"DUAL4", 1, 75},       {"DUALC1", 215, 9},    {"DUALC5", 278, 8},   {"GENHS28", 8, 10},
    {"GOULDQP2", 349, 699}, {"HS118", 17, 15},     {"HS21", 1, 2},       {"HS268", 5, 5},
    {"HS35", 1, 3},         {"HS51", 3, 5},        {"HS53", 3, 5},       {"MOSARQP2", 600, 900},
    {"PRIMALC1", 9, 230},   {"PRIMALC5", 8, 287},  {"QADLITTL", 56, 97}, {"QAFIRO", 27, 32},
    {"QBORE3D", 233, 315},  {"QPCBLEND", 74, 83},  {"QPTEST", 2, 2},     {"QRECIPE", 91, 180},
    {"QSC205", 205, 203},   {"QSCAGR7", 129, 140}, {"QSHARE2B", 96, 79}, {"TAME", 1, 2},
    {"ZECEVIC2", 2, 2},
};

START_TEST(stored)
{
    char name[64], path[1024];
    perp_arena a = {0};
    for (size_t k = 0; k < sizeof collection / sizeof *collection; k++) {
        snprintf(name, sizeof name, "qp/%s.QPS", collection[k].name);
        if (!*stored_path(name, path)) continue;
        perp_file file = load_stored(path, &a);
        ck_assert_int_eq(file.format, PERP_FILE_QPS);
        ck_assert_int_eq(file.problem.as.qp.m, collection[k].m);
        ck_assert_int_eq(file.problem.as.qp.n, collection[k].n);
        trip(&file, "stored.qps");
    }
    perp_arena_free(&a);
}
END_TEST

/* The published optima at the known solutions: the constant, the factor 1/2 and both triangles. */
START_TEST(known_values)
{
    static const struct {
        const char *name;
        double x[5], value;
    } known[] = {
        {"qp/HS21.QPS", {2, 0}, -99.96},
        {"qp/HS35.QPS", {4. / 3, 7. / 9, 4. / 9}, 1. / 9},
        {"qp/HS51.QPS", {1, 1, 1, 1, 1}, 0},
        {"qp/HS268.QPS", {1, 2, -1, 3, -4}, 0},
        {"qp/HS53.QPS", {-33. / 43, 11. / 43, 27. / 43, -5. / 43, 11. / 43}, 176. / 43},
        {"qp/QPTEST.QPS", {0.7625, 0.475}, 4.371875},
        {"qp/TAME.QPS", {0.5, 0.5}, 0},
        {"qp/ZECEVIC2.QPS", {1.75, 0.25}, -4.125},
    };
    char path[1024];
    perp_arena a = {0};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (!*stored_path(known[k].name, path)) continue;
        perp_file file = load_stored(path, &a);
        double value = objective(&file.problem.as.qp, known[k].x, file.constant);
        ck_assert_msg(fabs(value - known[k].value) < 1e-9, "%s: %.12g", known[k].name, value);
    }
    perp_arena_free(&a);
}
END_TEST

#define ROWS2                                                                                      \
    "NAME t\nROWS\n N f\n N g\n L l\n G h\n E e\nCOLUMNS\n x f 1 g 9\n x l 2 h 3\n y e 4\n z l "   \
    "5\n"

START_TEST(sections)
{
    perp_arena a = {0};
    double constant;
    perp_qp p = read_qps("* a comment\n\n" ROWS2 " z l 0.5\nRHS\n r l 10 h 20\n r e 30 f 7\n"
                         "RHS\n s l 99\nRANGES\n R l 1 h -2\n R e -3\n"
                         "BOUNDS\n UP b x 4\n LO b y -5\nQUADOBJ\n x x 2\n x y 1 z 3\nENDATA\njunk",
                         &a, &constant);
    ck_assert(p.n == 3 && p.m == 3 && constant == -7);
    ck_assert(p.c[0] == 1 && p.c[1] == 0 && p.c[2] == 0);
    ck_assert(at(&p.A, 0, 0) == 2 && at(&p.A, 1, 0) == 3 && at(&p.A, 2, 1) == 4);
    ck_assert(at(&p.A, 0, 2) == 5.5); /* two entries of one place */
    ck_assert_int_eq(p.A.as.csc.p[3], 4);
    ck_assert(p.lo[0] == 9 && p.hi[0] == 10 && p.lo[1] == 20 && p.hi[1] == 22);
    ck_assert(p.lo[2] == 27 && p.hi[2] == 30);
    ck_assert(p.xlo[0] == 0 && p.xhi[0] == 4 && p.xlo[1] == -5 && isinf(p.xhi[1]));
    ck_assert(at(&p.H, 0, 0) == 2 && at(&p.H, 0, 1) == 1 && at(&p.H, 1, 0) == 1);
    ck_assert(at(&p.H, 2, 0) == 3 && at(&p.H, 0, 2) == 3 && p.H.as.csc.p[3] == 5);

    p = read_qps(ROWS2 "QMATRIX\n x y 1\n y x 2\nENDATA\n", &a, NULL);
    ck_assert(at(&p.H, 1, 0) == 1 && at(&p.H, 0, 1) == 2); /* column, row */
    ck_assert(isinf(p.lo[0]) && p.hi[0] == 0 && p.lo[1] == 0 && isinf(p.hi[1]) && p.lo[2] == 0);
    p = read_qps(ROWS2 "QSECTION\n y x 2\nENDATA\n", &a, NULL);
    ck_assert(at(&p.H, 1, 0) == 2 && at(&p.H, 0, 1) == 2);
    p = read_qps("ROWS\n N f\nCOLUMNS\n x f 1\nENDATA", &a, NULL);
    ck_assert(p.n == 1 && p.m == 0 && p.A.format == PERP_FORMAT_ABSENT &&
              p.H.format == PERP_FORMAT_ABSENT);
    p = read_qps(ROWS2 "BOUNDS\n LO b x 3\n UP b x 2\nENDATA\n", &a, NULL);
    ck_assert(p.xlo[0] == 3 && p.xhi[0] == 2); /* infeasible, and no error */
    p = read_qps("ROWS\nCOLUMNS\nENDATA", &a, NULL);
    ck_assert(p.n == 0 && p.m == 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(ranges_of_equalities)
{
    static const struct {
        const char *range;
        double lo, hi;
    } cases[] = {{"3", 30, 33}, {"-3", 27, 30}, {"0", 30, 30}, {"1e30", 30, INFINITY}};
    for (size_t k = 0; k < 4; k++) {
        char text[512];
        perp_arena a = {0};
        snprintf(text, sizeof text, ROWS2 "RHS\n r e 30\nRANGES\n R e %s\nENDATA\n",
                 cases[k].range);
        perp_qp p = read_qps(text, &a, NULL);
        ck_assert(p.lo[2] == cases[k].lo && p.hi[2] == cases[k].hi);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(bounds)
{
    static const struct {
        const char *lines;
        double lo, hi;
    } cases[] = {
        {"", 0, INFINITY},
        {" UP b x 4\n", 0, 4},
        {" UP x 4\n", 0, 4}, /* no set */
        {" UP b x 0\n", 0, 0},
        {" UP b x -4\n", -INFINITY, -4}, /* negative, and no lower bound given */
        {" LO b x -9\n UP b x -4\n", -9, -4},
        {" UP b x -4\n LO b x -9\n", -9, -4},
        {" FX b x 2.5D+1\n", 25, 25},
        {" FR b x\n", -INFINITY, INFINITY},
        {" FR x\n", -INFINITY, INFINITY},
        {" MI b x\n", -INFINITY, INFINITY},
        {" MI b x\n UP b x 3\n", -INFINITY, 3},
        {" UP b x 3\n PL b x\n", 0, INFINITY},
        {" BV b x\n", 0, 1},
        {" LI b x -2\n UI b x 7\n", -2, 7},
        {" UP b x 1e20\n LO b x -1e30\n", -INFINITY, INFINITY},
        {" UP b x Inf\n", 0, INFINITY},
        {" UP b x 4\n UP other x 5\n", 0, 4}, /* the first set counts */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512];
        perp_arena a = {0};
        snprintf(text, sizeof text, ROWS2 "BOUNDS\n FX b y 1\n%sENDATA\n", cases[k].lines);
        perp_qp p = read_qps(text, &a, NULL);
        ck_assert_msg(p.xlo[0] == cases[k].lo, "%s: lo %g", cases[k].lines, p.xlo[0]);
        ck_assert_msg((p.xhi ? p.xhi[0] : INFINITY) == cases[k].hi, "%s: hi", cases[k].lines);
        perp_arena_free(&a);
    }
}
END_TEST

/* Names with spaces, in the columns that cards had. */
START_TEST(fixed_columns)
{
    static const char text[] = "NAME          TWO WORDS\n"
                               "ROWS\n"
                               " N  THE COST\n"
                               " G  ROW 1\n"
                               "COLUMNS\n"
                               "    COL A     THE COST          1.5    ROW 1              2.0\n"
                               "    COL B     ROW 1             3.0\n"
                               "RHS\n"
                               "    RHS 1     ROW 1             4.0\n"
                               "BOUNDS\n"
                               " UP BND 1     COL A             5.0\n"
                               " FR BND 1     COL B\n"
                               "QUADOBJ\n"
                               "    COL A     COL B             6.0\n"
                               "ENDATA\n";
    perp_arena a = {0};
    perp_qp p = read_qps(text, &a, NULL);
    ck_assert(p.n == 2 && p.m == 1 && p.c[0] == 1.5 && at(&p.A, 0, 0) == 2 && at(&p.A, 0, 1) == 3);
    ck_assert(p.lo[0] == 4 && p.xhi[0] == 5 && isinf(p.xlo[1]) && at(&p.H, 1, 0) == 6);
    perp_file file;
    ck_assert(!load_bytes(text, sizeof text - 1, PERP_FILE_ANY, &a, &file, NULL));
    ck_assert_str_eq(file.title, "TWO WORDS");
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
        {"NAME x\n", 2, "ENDATA"},
        {ROWS2, 13, "ENDATA"},
        {"NAME x\nROWS\n N f\n L f\nCOLUMNS\nENDATA\n", 4, "second row 'f'"},
        {"NAME x\nROWS\n Q f\nCOLUMNS\nENDATA\n", 3, "'Q'"},
        {"NAME x\nCOLUMNS\nENDATA\n", 2, "ROWS before"},
        {"NAME x\nROWS\n N f\nENDATA\n", 4, "COLUMNS before"},
        {"NAME x\nROWS\n N f\nROWS\n", 4, "one section ROWS"},
        {"NAME x\n a b\n", 2, "a section"},
        {ROWS2 "SOS1\nENDATA\n", 13, "'SOS1'"},
        {ROWS2 "OBJSENSE\n MAX\nENDATA\n", 14, "minimises"},
        {ROWS2 " x nowhere 1\nENDATA\n", 13, "no such row: 'nowhere'"},
        {ROWS2 " x l 1 h\nENDATA\n", 13, "expected"},
        {ROWS2 " x l one\nENDATA\n", 13, "'one'"},
        {ROWS2 " x l nan\nENDATA\n", 13, "'nan'"},
        {ROWS2 " x l inf\nENDATA\n", 13, "finite"},
        {ROWS2 " x l 1e999\nENDATA\n", 13, "finite"},
        {ROWS2 "RHS\n r l 1\n r l 2\nENDATA\n", 15, "second number"},
        {ROWS2 "RHS\n r f inf\nENDATA\n", 14, "finite"},
        {ROWS2 "RHS\n r e inf\nENDATA\n", -1, "lo"},
        {ROWS2 "BOUNDS\n UP b w 1\nENDATA\n", 14, "no such column: 'w'"},
        {ROWS2 "BOUNDS\n UP b x\nENDATA\n", 14, "'b'"},
        {ROWS2 "BOUNDS\n SC b x 3\nENDATA\n", 14, "'SC'"},
        {ROWS2 "BOUNDS\n UP b x -inf\nENDATA\n", 14, "upper bound"},
        {ROWS2 "BOUNDS\n LO b x inf\nENDATA\n", 14, "lower bound"},
        {ROWS2 "QUADOBJ\n x w 1\nENDATA\n", 14, "no such column: 'w'"},
        {ROWS2 "QUADOBJ\n x y 1 2 3 4 5\nENDATA\n", 14, "expected"},
        {ROWS2 "RANGES\n*PERP RANGE l 1\nENDATA\n", 14, "a number"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        refused(cases[k].text, PERP_FILE_QPS, cases[k].line, cases[k].words);
    }
}
END_TEST

START_TEST(damaged)
{
    char path[1024];
    static const char small[] =
        ROWS2 "RHS\n r l 10 h 20\nRANGES\n R l 1\n*PERP RANGE e 1 2\nBOUNDS\n"
              " UP b x 4\n FR b y\nQUADOBJ\n x x 2\n x y 1 z 3\nENDATA\n";
    survive_damage(small, sizeof small - 1, PERP_FILE_QPS, 300, 2000);
    if (!*stored_path("qp/QAFIRO.QPS", path)) return;
    size_t length;
    char *bytes = files_read(path, &length);
    survive_damage(bytes, length, PERP_FILE_QPS, 200, 500);
    free(bytes);
}
END_TEST

/* Each allocation in turn fails: refused for memory, and nothing kept. */
START_TEST(no_memory)
{
    static const char text[] = ROWS2 "QUADOBJ\n x x 2\nENDATA\n";
    for (int calls = 0; calls < 4; calls++) {
        supply s = {.left = calls};
        perp_arena a = {.resize = scarce, .ctx = &s};
        perp_file file;
        perp_error e = {0};
        perp_status status = load_bytes(text, sizeof text - 1, PERP_FILE_QPS, &a, &file, &e);
        ck_assert(status == PERP_E_MEMORY || status == PERP_SOLVED);
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
    }
    perp_arena a = {0};
    perp_file file;
    perp_error e;
    perp_load_options o = {.format = PERP_FILE_QPS, .max_bytes = sizeof text + 200};
    ck_assert_int_eq(perp_load_memory(text, sizeof text - 1, "t", &o, &a, &file, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "limit"));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_qps");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, stored);
    tcase_add_test(t, known_values);
    tcase_add_test(t, sections);
    tcase_add_test(t, ranges_of_equalities);
    tcase_add_test(t, bounds);
    tcase_add_test(t, fixed_columns);
    tcase_add_test(t, refusals);
    tcase_add_test(t, damaged);
    tcase_add_test(t, no_memory);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    return failed;
}
