/* tests/link/program.c: a program that uses perp and the archive of stubs.c: a dense problem, whose
 * factors are LAPACK's, and a sparse one, whose factors are SuiteSparse's. Exit status 0: both are
 * solved, and the archive works with its own functions. */
#include <perp/perp.h>

int stubs_solve(void);

enum { N = 60 };

static perp_status solve(const perp_problem *p, const char *solver)
{
    perp_arena a = {0};
    perp_result r;
    double z[N] = {0};
    perp_status status = perp_solve(p, perp_find(solver), &a, z, 0, &r);
    perp_arena_free(&a);
    return status;
}

int main(void)
{
    static double M[N * N], q[N], x[3 * N];
    static int p[N + 1], i[3 * N];
    int count = 0;
    for (int j = 0; j < N; j++) {
        q[j] = j % 3 - 1.5;
        p[j] = count;
        for (int k = j > 0 ? j - 1 : 0; k <= j + 1 && k < N; k++) {
            M[k + j * N] = x[count] = k == j ? 4 : -1;
            i[count++] = k;
        }
    }
    p[N] = count;
    perp_problem dense = perp_make_lcp(N, perp_dense(N, N, M), q);
    perp_problem sparse = perp_make_lcp(N, perp_csc(N, N, p, i, x), q);
    if (stubs_solve()) return 2;
    if (solve(&dense, "lcp/pivot") || solve(&dense, "lcp/newton_min")) return 3;
    if (solve(&sparse, "lcp/newton_min") || solve(&sparse, "lcp/newton_fb")) return 4;
    return 0;
}
