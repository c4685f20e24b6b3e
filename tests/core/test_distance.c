/* tests/core/test_distance.c: how far from a solution, of every kind, or why nobody knows. */
#include "distance_support.h"

#define INF INFINITY

static perp_distance_report find(const perp_problem *p, const double *z, perp_status want)
{
    perp_arena a = {0};
    perp_distance_report r;
    ck_assert_int_eq(perp_distance(p, z, &a, &r), want);
    ck_assert_uint_eq(a.used, 0);
    ck_assert((want == PERP_SOLVED) == (r.norm < INF && r.largest < INF));
    ck_assert((want == PERP_SOLVED) == (r.of[0] != 0 && r.by[0] != 0));
    ck_assert((want == PERP_UNCERTIFIED) == (r.detail[0] != 0));
    perp_arena_free(&a);
    return r;
}

/* The distance is at most 1 % more than it is. */
static void is_near(const perp_problem *p, const double *z, double norm, double largest,
                    bool unique, const char *by)
{
    perp_distance_report r = find(p, z, PERP_SOLVED);
    ck_assert_double_ge(r.norm, norm * (1 - 1e-15));
    ck_assert_double_le(r.norm, norm * 1.01);
    ck_assert_double_ge(r.largest, largest * (1 - 1e-15));
    ck_assert_double_le(r.largest, largest * 1.01);
    ck_assert(r.unique == unique);
    ck_assert_str_eq(r.of, unique ? "the solution" : "a solution, locally unique");
    if (by) ck_assert_str_eq(r.by, by); /* NULL: two are as good */
}

static void refused(const perp_problem *p, const double *z, const char *word)
{
    perp_distance_report r = find(p, z, PERP_UNCERTIFIED);
    if (!strstr(r.detail, word)) ck_abort_msg("%s: %s", word, r.detail);
}

static const double eye[] = {1, 0, 0, 1}, minus[] = {-1, -1}, near[] = {1 + 0x3p-10, 1 - 0x4p-10};
static const double springs[] = {2, -1, -1, 2}, zero[4];

START_TEST(lcps)
{
    const double tied[] = {-1, 0}, wide[] = {1, 2, 2, 1}, three[] = {-3, -3},
                 at[] = {1 + 0x3p-10, 0x4p-10};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, springs), minus);
    is_near(&p, near, 0x5p-10, 0x4p-10, true, NULL);
    p = perp_make_lcp(2, perp_dense(2, 2, eye), tied); /* (1, 0), a tie */
    is_near(&p, at, 0x5p-10, 0x4p-10, true, "H-matrix");
    const double skew[] = {1, -2, 2, 1}, sum[] = {-1, 2}; /* (1, 0), a tie, and no H-matrix */
    p = perp_make_lcp(2, perp_dense(2, 2, skew), sum);
    is_near(&p, at, 0x5p-10, 0x4p-10, true, "positive definite");
    p = perp_make_lcp(2, perp_dense(2, 2, wide), three);
    is_near(&p, near, 0x5p-10, 0x4p-10, false, "Krawczyk");
    p = perp_make_ncp((perp_map){.n = 2, .M = perp_dense(2, 2, wide), .q = three});
    is_near(&p, near, 0x5p-10, 0x4p-10, false, "Krawczyk");
}
END_TEST

START_TEST(sizes)
{
    const double one[] = {2}, q[] = {-2}, z[] = {1.25};
    perp_problem p = perp_make_lcp(0, (perp_matrix){0}, NULL);
    ck_assert(find(&p, NULL, PERP_SOLVED).norm == 0);
    p = perp_make_lcp(1, perp_dense(1, 1, one), q);
    is_near(&p, z, 0.25, 0.25, true, NULL);
}
END_TEST

/* Skew: (1/2, 1/2) is the only solution, since solutions of monotone maps are convex. */
START_TEST(monotone)
{
    const double skew[] = {0, 2, -2, 0}, q[] = {1, -1}, z[] = {0.5 + 0x3p-10, 0.5 - 0x4p-10};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, skew), q);
    is_near(&p, z, 0x5p-10, 0x4p-10, true, "Krawczyk");
}
END_TEST

START_TEST(squares)
{
    const double A[] = {1, 1, 0, 0, 1, 2}, b[] = {3, -1, 1}, z[] = {1.5 + 0x3p-10, 0x4p-10};
    /* A'(A x - b) at (1, 0): (1 - 3) + (1 + 1) = 0 and (1 + 1) - 2 = 0, a tie */
    const double x[] = {1 + 0x3p-10, 0x4p-10};
    perp_problem p = perp_make_nnls(perp_dense(3, 2, A), b);
    is_near(&p, x, 0x5p-10, 0x4p-10, true, "full rank");
    const double row[] = {2, 1}, one[] = {3}; /* wide: x = (1.5, 0), w = 0: no tie-free solution */
    p = perp_make_nnls(perp_dense(1, 2, row), one);
    refused(&p, z, "full column rank");
    const double same[] = {1, 0, 1, 1, -1, 1}, c[] = {2, 1}; /* (1, 1, 0), w_3 = 0 likewise */
    const double y[] = {1 + 0x3p-10, 1 - 0x4p-10, 0};
    p = perp_make_nnls(perp_dense(2, 3, same), c);
    refused(&p, y, "tie");
}
END_TEST

/* (x - 1)^2 + (y - 2)^2 over 2: x + y = 2 gives (0.5, 1.5) and the multiplier -0.5. */
START_TEST(programs)
{
    const double c[] = {-1, -2}, ones[] = {1, 1}, two[] = {2}, xhi[] = {0.25, 9};
    const double z[] = {0.5 + 0x3p-10, 1.5, -0.5 + 0x4p-10}, x[] = {1, 2.5},
                 y[] = {0.25 + 0x3p-10, 1.75, 0};
    perp_problem p = perp_make_qp(2, 1, perp_dense(2, 2, eye), c, perp_dense(1, 2, ones), two, two);
    is_near(&p, z, 0x5p-10, 0x4p-10, true, "Krawczyk");
    const double low[] = {-3}; /* a range: z is told of the sum of its two multipliers */
    p.as.qp.lo = low;
    is_near(&p, z, 0x5p-10, 0x4p-10, true, "Krawczyk");
    p = perp_make_qp(2, 0, perp_dense(2, 2, eye), c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xhi = xhi;
    is_near(&p, x, sqrt(0.75 * 0.75 + 0.25), 0.75, true, NULL);
    p.as.qp.xlo = x; /* 1 <= x <= 0.25 */
    refused(&p, x, "no solution");
    const double flat[] = {1, 0, 0, 0}, nothing[] = {0, 0};
    p = perp_make_qp(2, 0, perp_dense(2, 2, flat), nothing, (perp_matrix){0}, NULL, NULL);
    refused(&p, y, "H is not positive definite");
}
END_TEST

START_TEST(contacts)
{
    double W[36] = {0}, mu[] = {0, 0};
    const double q[] = {-2, 1, 1, 1, 5, 5}, z[] = {1 + 0x3p-10, 0, 0, 0, 0x4p-10, 0};
    for (int i = 0; i < 6; i++) W[7 * i] = 2;
    W[1] = 7; /* a column of a tangential row and others: of no account */
    W[6] = 7;
    perp_problem p = perp_make_fc3d(2, perp_dense(6, 6, W), q, mu);
    is_near(&p, z, 0x5p-10, 0x4p-10, true, "H-matrix");
    mu[1] = 0.5;
    refused(&p, z, "contact 1 has Coulomb friction");
}
END_TEST

/* One problem in all formats: the same answer; operators and duplicates have none. */
START_TEST(formats)
{
    const double q[] = {-1, -1, -1, 0, 0, 0},
                 M[] = {4, -1, 0, 0, 0, 0, -1, 4, -1, 0, 0, 0, 0, -1, 4, 0, 0, 0,
                        0, 0,  0, 1, 0, 0, 0,  0, 0,  0, 1, 0, 0, 0,  0, 0, 0, 1};
    const double z[6] = {0.3, 0.4, 0.3, 0, 1e-3, 0};
    const perp_format others[] = {PERP_FORMAT_CSC, PERP_FORMAT_BSR3, PERP_FORMAT_DENSE_ROWS,
                                  PERP_FORMAT_CSR};
    perp_arena a = {0};
    perp_matrix dense = perp_dense(6, 6, M), other;
    perp_problem p = perp_make_lcp(6, dense, q);
    perp_distance_report r = find(&p, z, PERP_SOLVED);
    for (int k = 0; k < 4; k++) {
        if (perp_convert(&dense, others[k], &a, &other, NULL)) continue;
        p.as.lcp.M = other;
        ck_assert_double_eq_tol(find(&p, z, PERP_SOLVED).norm, r.norm, 1e-9 * r.norm);
    }
    p.as.lcp.M = as_operator(&dense);
    refused(&p, z, "the entries of M are not known");
    const int start[] = {0, 2}, index[] = {0, 0};
    const double x[] = {0.5, 0.1};
    p = perp_make_lcp(1, perp_csc(1, 1, start, index, x), q);
    refused(&p, z, "duplicate");
    p.as.lcp.M = perp_csr(1, 1, start, index, x);
    refused(&p, z, "duplicate");
    perp_arena_free(&a);
}
END_TEST

/* By CSR and rows as well, which no conversion makes. */
START_TEST(rows)
{
    const int start[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
    const double x[] = {3, -1, 0, 2}, q[] = {-2, -2}; /* {3, -1; 0, 2}: z* = (1, 1) */
    perp_problem p = perp_make_lcp(2, perp_csr(2, 2, start, index, x), q);
    is_near(&p, near, 0x5p-10, 0x4p-10, true, NULL);
    p.as.lcp.M = perp_dense_rows(2, 2, x);
    is_near(&p, near, 0x5p-10, 0x4p-10, true, NULL);
}
END_TEST

static bool eval(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0] - 1;
    F[1] = z[1] - 1;
    return true;
}

START_TEST(refusals)
{
    const double nan[] = {NAN, 0}, mu[] = {0, 1}, singular[] = {1, 1, 1, 1};
    const int follows[] = {-1, 0};
    perp_arena a = {0};
    perp_distance_report r;
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, singular), minus);
    refused(&p, near, "M is no H-matrix");
    refused(&p, near, "M + M' is not");
    p = perp_make_ncp(perp_make_map(2, eval, NULL, (perp_matrix){0}, NULL));
    refused(&p, near, "callback");
    p = perp_make_mcp(2, perp_dense(2, 2, eye), minus, NULL, NULL);
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    refused(&p, near, "follow");
    p = perp_make_lcp(2, perp_dense(2, 2, eye), minus);
    ck_assert_int_eq(perp_distance(&p, near, &a, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_distance(&p, NULL, &a, &r), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_distance(&p, near, NULL, &r), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_distance(NULL, near, &a, &r), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_distance(&p, nan, &a, &r), PERP_E_NUMBER);
    ck_assert(r.norm == INF && r.of[0] == 0 && r.by[0] == 0);
    p.as.lcp.n = -1;
    ck_assert_int_eq(perp_distance(&p, near, &a, &r), PERP_E_ARGUMENT);
    perp_arena_free(&a);
}
END_TEST

/* The same answer in every buffer that is large enough, and in every other one the same word. */
START_TEST(confined)
{
    static char buffer[1 << 16];
    const double A[] = {1, 1, 0, 0, 1, 2}, b[] = {3, -1, 1}, z[] = {1 + 0x3p-10, 0x4p-10, 0};
    const double c[] = {-1, -2}, ones[] = {1, 1}, two[] = {2};
    perp_problem problems[] = {
        perp_make_lcp(2, perp_dense(2, 2, springs), minus), perp_make_nnls(perp_dense(3, 2, A), b),
        perp_make_qp(2, 1, perp_dense(2, 2, eye), c, perp_dense(1, 2, ones), two, two)};
    for (int k = 0; k < 3; k++) {
        perp_distance_report r, want = find(&problems[k], z, PERP_SOLVED);
        perp_status s = PERP_E_MEMORY;
        int small = 0;
        for (size_t room = 0; s && room <= sizeof buffer; room += 64, small += s != 0) {
            perp_arena a;
            perp_arena_fixed(&a, buffer, room);
            s = perp_distance(&problems[k], z, &a, &r);
            ck_assert(s == PERP_SOLVED || s == PERP_E_MEMORY);
            ck_assert((s == PERP_E_MEMORY) == (r.norm == INF));
        }
        ck_assert_int_eq(s, PERP_SOLVED);
        ck_assert_int_gt(small, 5);
        ck_assert(r.norm == want.norm && r.largest == want.largest);
    }
}
END_TEST

/* A sparse chain, of which a growing arena factors M, with memory that ends at any call. */
START_TEST(starved)
{
    enum { N = 400 };
    static int p[N + 1], row[3 * N];
    static double x[3 * N], q[N], z[N];
    for (int i = 0; i < N; i++) q[i] = i == 0 || i == N - 1 ? -1 : 0;
    for (int i = 0; i < N; i++) z[i] = 1 + 1e-3 * sin(i);
    perp_problem problem = perp_make_lcp(N, distance_chain(N, p, row, x), q);
    double want = find(&problem, z, PERP_SOLVED).norm;
    perp_status s = PERP_E_MEMORY;
    for (int calls = 0; s && calls < 200; calls++) {
        supply left = {.left = calls};
        perp_arena a = {.resize = scarce, .ctx = &left};
        perp_distance_report r;
        s = perp_distance(&problem, z, &a, &r);
        ck_assert(s == PERP_E_MEMORY || (s == PERP_SOLVED && r.norm == want));
        perp_arena_free(&a);
        ck_assert_int_eq(left.out, 0);
    }
    ck_assert_int_eq(s, PERP_SOLVED);
}
END_TEST

/* Numbers at the ends of the range: bounds that overflow are none. */
START_TEST(extremes)
{
    const double tiny[] = {1e-300}, huge[] = {1e300}, one[] = {-1}, z[] = {1};
    const double denormal[] = {0x5p-1024};
    perp_arena a = {0};
    perp_distance_report r;
    const double *matrices[] = {tiny, huge, denormal};
    for (int k = 0; k < 3; k++) {
        perp_problem p = perp_make_lcp(1, perp_dense(1, 1, matrices[k]), one);
        perp_status s = perp_distance(&p, z, &a, &r);
        ck_assert(s == PERP_SOLVED || s == PERP_UNCERTIFIED);
        if (s == PERP_SOLVED)
            ck_assert_double_ge(r.norm, fabs(1 / matrices[k][0] - 1) * (1 - 1e-15));
    }
    perp_problem p = perp_make_lcp(1, perp_dense(1, 1, huge), zero);
    ck_assert_int_eq(perp_distance(&p, zero, &a, &r), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("distance");
    TCase *c = tcase_create("distance");
    tcase_add_test(c, lcps);
    tcase_add_test(c, sizes);
    tcase_add_test(c, monotone);
    tcase_add_test(c, squares);
    tcase_add_test(c, programs);
    tcase_add_test(c, contacts);
    tcase_add_test(c, formats);
    tcase_add_test(c, rows);
    tcase_add_test(c, refusals);
    tcase_add_test(c, confined);
    tcase_add_test(c, starved);
    tcase_add_test(c, extremes);
    suite_add_tcase(s, c);
    return support_run(s);
}
