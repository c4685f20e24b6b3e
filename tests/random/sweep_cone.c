/* tests/random/sweep_cone.c COUNT FIRST: how many random cone problems with a planted solution
 * cone/auto solves at 1e-8, from z = 0: COUNT of each family, with the seeds from FIRST, of 1 to 30
 * cones. Fails where a `solved` is none by a second certificate, and where fewer are solved than
 * the bar of the family says. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct tally {
    int solved, wrong, most;
    double steps;
} tally;

static bool solve_one(const char *family, unsigned long seed, tally *t)
{
    perp_arena a = {0};
    generated_problem g = {0};
    generate_request r = generate_defaults;
    perp_result result = {0};
    perp_residual again = {0};
    r.family = family;
    r.seed = seed;
    r.size = 1 + (int)(seed % 30);
    if (generate_problem(&r, &a, &g, NULL)) return false;
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    perp_status status = perp_solve(&g.p, NULL, &a, z, NULL, &result);
    bool solved = status == PERP_SOLVED;
    if (solved && (perp_certify(&g.p, z, &a, &again) || !(again.value <= 1e-8))) t->wrong++;
    t->solved += solved;
    t->steps += result.iterations;
    if (result.iterations > t->most) t->most = result.iterations;
    if (!solved) {
        printf("%s --size=%d --seed=%lu: %s, %.1e\n", family, r.size, seed,
               perp_status_name(status), result.residual.value);
    }
    perp_arena_free(&a);
    return true;
}

int main(int count, char **word)
{
    static const struct {
        const char *name;
        double bar; /* of all draws, that are to be solved */
    } families[] = {{"cone_known", 0.999}, {"cone_convex", 0.999}, {"cone_mixed", 0.98}};
    int draws = count > 1 ? atoi(word[1]) : 100;
    bool good = true;
    unsigned long first = count > 2 ? strtoul(word[2], NULL, 10) : 1;
    for (int f = 0; f < 3; f++) {
        tally t = {0};
        for (int k = 0; k < draws; k++) {
            if (!solve_one(families[f].name, first + (unsigned long)k, &t)) return 1;
        }
        printf("%s: %d of %d solved, %d wrong, %.1f iterations in the mean, %d at most\n",
               families[f].name, t.solved, draws, t.wrong, t.steps / draws, t.most);
        if (t.solved < families[f].bar * draws) {
            printf("%s: fewer than %g %%\n", families[f].name, 100 * families[f].bar);
            good = false;
        }
        good = good && t.wrong == 0;
    }
    return !good;
}
