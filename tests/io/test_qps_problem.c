/* tests/io/test_qps_problem.c: the sides of rows by type, RHS and range; what is left out. */
#include "io/qps.h"
#include "io_files.h"

START_TEST(sides)
{
    static const struct {
        char type;
        double rhs, range, lo, hi;
    } cases[] = {
        {'L', 5, NAN, -INFINITY, 5},
        {'G', 5, NAN, 5, INFINITY},
        {'E', 5, NAN, 5, 5},
        {'L', NAN, NAN, -INFINITY, 0},
        {'L', 5, 2, 3, 5},
        {'L', 5, -2, 3, 5},
        {'G', 5, 2, 5, 7},
        {'G', 5, -2, 5, 7},
        {'E', 5, 2, 5, 7},
        {'E', 5, -2, 3, 5},
        {'E', 5, 0, 5, 5},
        {'L', 1e20, NAN, -INFINITY, INFINITY},
        {'G', -1e20, NAN, -INFINITY, INFINITY},
        {'L', 9e19, NAN, -INFINITY, 9e19},
        {'E', 1e30, NAN, 1e30, 1e30}, /* nothing else would make sense of it */
        {'G', 0, INFINITY, 0, INFINITY},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double lo, hi;
        perp_qps_sides(cases[k].type, cases[k].rhs, cases[k].range, &lo, &hi);
        ck_assert_msg(lo == cases[k].lo && hi == cases[k].hi, "case %d: [%g, %g]", (int)k, lo, hi);
    }
}
END_TEST

/* Nothing that is infinite throughout is kept as an array. */
START_TEST(absent_parts)
{
    static const char text[] = "ROWS\n N f\n L a\n L b\nCOLUMNS\n x a 1\n y b 1\n"
                               "BOUNDS\n FR B x\n FR B y\nENDATA\n";
    perp_arena a = {0};
    perp_file file;
    ck_assert(!load_bytes(text, sizeof text - 1, PERP_FILE_QPS, &a, &file, NULL));
    const perp_qp *p = &file.problem.as.qp;
    ck_assert(p->H.format == PERP_FORMAT_ABSENT && !p->xlo && !p->xhi && !p->lo && p->hi);
    ck_assert(p->hi[0] == 0 && p->hi[1] == 0 && p->c[0] == 0 && !signbit(p->c[0]));
    ck_assert_ptr_null(file.title);
    perp_arena_free(&a);
}
END_TEST

/* c adds up, and a zero keeps its sign. */
START_TEST(objective)
{
    static const char text[] = "NAME  a b \nROWS\n N f\nCOLUMNS\n x f 1\n y f -0\n z f 2\n x f 4\n"
                               "RHS\n r f -0\nENDATA\n";
    perp_arena a = {0};
    perp_file file;
    ck_assert(!load_bytes(text, sizeof text - 1, PERP_FILE_QPS, &a, &file, NULL));
    const double *c = file.problem.as.qp.c;
    ck_assert(c[0] == 5 && c[1] == 0 && signbit(c[1]) && c[2] == 2);
    ck_assert(file.constant == 0 && !signbit(file.constant));
    ck_assert_str_eq(file.title, "a b");
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_qps_problem");
    TCase *t = tcase_create("all");
    tcase_add_test(t, sides);
    tcase_add_test(t, absent_parts);
    tcase_add_test(t, objective);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    return failed;
}
