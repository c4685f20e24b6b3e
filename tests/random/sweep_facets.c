/* tests/random/sweep_facets.c: lcp/lemke on the LCPs of Stewart and Trinkle that random boxes give,
 * n from 6 to 500 with 4 and 8 facets.
 *
 *     build/tests/sweep_facets SEEDS
 *
 * For each size: how many of the SEEDS problems were solved to 1e-10, the worst residual among
 * those, and how the others ended. Fails when fewer than 99 in 100 are solved, or when an ending is
 * not borne out: a residual measured anew, a proof or ray that perp_check refuses. These problems
 * all have solutions (Anitescu and Potra 1997: restitution is zero), so infeasibility is an error.
 */
#include "generate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOL 1e-10
#define ENDINGS 9 /* statuses from 0 up */

typedef struct row {
    int facets, contacts, tried, ended[ENDINGS], lies;
    double worst, seconds;
    long pivots;
} row;

/* What the solver says is true. */
static bool is_honest(const perp_problem *p, const perp_result *result, const double *z,
                      const double *w, perp_arena *a)
{
    perp_residual r;
    if (result->status < 0 || result->status >= ENDINGS || result->status == PERP_INFEASIBLE)
        return false;
    if (result->status == PERP_RAY) return perp_check(p, PERP_RAY, w, NULL, a, &r) == PERP_SOLVED;
    if (perp_certify(p, z, a, &r) != PERP_SOLVED ||
        fabs(r.value - result->residual.value) > r.bound + result->residual.bound)
        return false;
    return (r.value + r.bound <= TOL) == (result->status == PERP_SOLVED);
}

/* False: no memory. */
static bool run(row *t, uint64_t seed)
{
    perp_arena data = {0}, work = {0};
    generate_request request = generate_defaults;
    generated_problem made;
    perp_result result;
    request.family = "boxes";
    request.form = "lcp_facets";
    request.size = t->contacts;
    request.facets = t->facets;
    request.seed = seed;
    bool good = generate_problem(&request, &data, &made, NULL) == PERP_SOLVED;
    int n = good ? perp_size(&made.p) : 0;
    double *z = perp_alloc(&data, (size_t)n, sizeof *z),
           *w = perp_alloc(&data, (size_t)n, sizeof *w);
    perp_lcp_lemke_options lemke = perp_lcp_lemke_defaults();
    lemke.base.tol = TOL;
    good = good && z && w;
    if (good) {
        perp_status status = perp_solve(&made.p, &lemke.base, &work, z, w, &result);
        t->tried++;
        t->pivots += result.iterations;
        t->seconds += result.seconds;
        if (!is_honest(&made.p, &result, z, w, &work)) t->lies++;
        if (status >= 0 && status < ENDINGS) t->ended[status]++;
        if (status == PERP_SOLVED) t->worst = fmax(t->worst, result.residual.value);
        if (status != PERP_SOLVED)
            fprintf(stderr, "facets %d, contacts %d, seed %d: %s, residual %.2g: %s\n", t->facets,
                    t->contacts, (int)seed, perp_status_name(status), result.residual.value,
                    result.detail);
    }
    perp_arena_free(&data);
    perp_arena_free(&work);
    return good;
}

static void print(const row *t)
{
    printf("%6d %8d %5d %6d %7d %9.1e %8.1f %8.3f  ", t->facets, t->contacts,
           t->contacts * (t->facets + 2), t->tried, t->ended[0], t->worst,
           (double)t->pivots / t->tried, 1e3 * t->seconds / t->tried);
    for (int k = 1; k < ENDINGS; k++) {
        if (t->ended[k]) printf(" %s %d", perp_status_name((perp_status)k), t->ended[k]);
    }
    printf("%s\n", t->lies ? " DISHONEST" : "");
}

int main(int argc, char **argv)
{
    static const int contacts[] = {1, 2, 3, 5, 8, 13, 22, 35, 50, 66, 83};
    int seeds = argc > 1 ? atoi(argv[1]) : 100;
    bool good = seeds > 0;
    printf("facets contacts     n  tried  solved     worst   pivots       ms   others\n");
    for (int facets = 4; facets <= 8 && good; facets += 4) {
        for (size_t k = 0; k < sizeof contacts / sizeof *contacts; k++) {
            row t = {.facets = facets, .contacts = contacts[k]};
            if (t.contacts * (facets + 2) > 500) continue;
            for (int seed = 1; seed <= seeds; seed++) good = run(&t, (uint64_t)seed) && good;
            print(&t);
            good = good && t.lies == 0 && 100 * t.ended[0] >= 99 * t.tried;
        }
    }
    puts(good ? "passed" : "FAILED");
    return good ? 0 : 1;
}
