/* nonlinear.c: a nonlinear complementarity problem by callbacks: three firms that share a market.
 *
 * Firm i sells z_i >= 0 at the price 100 / (1 + sum z), which costs it c_i z_i + z_i^2 / 2. At the
 * equilibrium no firm gains by selling a little more or less:
 *
 *     0 <= z_i  _|_  F_i = c_i + z_i - price - z_i price' >= 0,    z_i <= 5, what it can make.
 *
 *     cc nonlinear.c $(pkg-config --cflags --libs perp) -lm */
#include <math.h>
#include <perp/perp.h>
#include <stdio.h>

#define FIRMS 3

typedef struct market {
    double cost[FIRMS];
} market;

static double total(const double *z)
{
    double sum = 0;
    for (int i = 0; i < FIRMS; i++) sum += z[i];
    return sum;
}

/* false where F is undefined: a solver steps back from there. */
static bool eval(void *ctx, const double *z, double *F)
{
    const market *m = ctx;
    double s = 1 + total(z);
    if (s <= 0) return false;
    for (int i = 0; i < FIRMS; i++) F[i] = m->cost[i] + z[i] - 100 / s + z[i] * 100 / (s * s);
    return true;
}

/* dF_i / dz_j, column by column; leave it out (NULL), and differences take its place. */
static bool jacobian(void *ctx, const double *z, double *values)
{
    double s = 1 + total(z);
    (void)ctx;
    for (int j = 0; j < FIRMS; j++) {
        for (int i = 0; i < FIRMS; i++) {
            values[j * FIRMS + i] = 100 / (s * s) - 200 * z[i] / (s * s * s);
            if (i == j) values[j * FIRMS + i] += 1 + 100 / (s * s);
        }
    }
    return s > 0;
}

int main(void)
{
    market m = {{2, 5, 40}};
    const double lo[FIRMS] = {0}, hi[FIRMS] = {5, 5, 5};
    perp_map F = perp_make_map(FIRMS, eval, jacobian, (perp_matrix){0}, &m);
    perp_problem p = perp_make_mcp_map(F, lo, hi);

    perp_arena a = {0};
    perp_jacobian_report report;
    perp_error error;
    double z[FIRMS] = {1, 1, 1}, w[FIRMS];
    if (perp_check_jacobian(&p, z, &a, &report, &error)) /* while you write it */
        fprintf(stderr, "%s\n", error.text);

    perp_mcp_auto_options o = perp_mcp_auto_defaults(); /* chooses among the solvers for MCPs */
    o.base.warm_start = true; /* z is the start; without this it would be 0 */
    perp_result r;
    perp_solve(&p, &o.base, &a, z, w, &r);
    printf("%s by %s, residual %.0e\n", perp_status_name(r.status), r.solver,
           pow(10, ceil(log10(r.residual.value + 1e-15))));
    for (int i = 0; i < FIRMS; i++) printf("firm %d sells %.6f, F = %+.3f\n", i + 1, z[i], w[i]);
    perp_arena_free(&a);
    return r.status != PERP_SOLVED;
}
