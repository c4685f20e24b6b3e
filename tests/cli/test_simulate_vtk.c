/* test_cli_simulate_vtk.c: the counts of a PolyData file agree with what it holds, points lie on
 * their shapes, and every picture is in the collection. */
#include "cli/simulate.h"
#include "cli_support.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers up to the next tag. */
static int numbers(const char *from, double *x, int most)
{
    int count = 0;
    for (char *end; count < most; from = end) {
        x[count] = strtod(from, &end);
        if (end == from) break;
        count++;
    }
    return count;
}

static const char *after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    ck_assert_msg(at != NULL, "%s is missing", word);
    return strchr(at, '\n') + 1;
}

START_TEST(counts_agree)
{
    enum { MOST = 100000 };
    static double x[MOST], cell[MOST], offset[MOST];
    sim s;
    sim_open(&s, sim_find("column"));
    ck_assert_int_eq(sim_build(&s, NULL), PERP_SOLVED);
    s.shape[1].kind = SIM_BOX;
    s.shape[1].size[1] = s.shape[1].size[2] = 0.5;
    s.shape[2].kind = SIM_CAPSULE;
    s.shape[2].size[1] = 0.3;
    cli *c = cli_begin(NULL);
    simulate_vtk(&s, c->out);
    cli_end();
    int points, cells;
    const char *piece = strstr(call_out, "<Piece ");
    ck_assert_int_eq(sscanf(piece, "<Piece NumberOfPoints=\"%d\"", &points), 1);
    ck_assert_int_eq(sscanf(strstr(piece, "NumberOfPolys"), "NumberOfPolys=\"%d\"", &cells), 1);
    ck_assert_int_eq(numbers(after(call_out, "Name=\"body\""), x, MOST), cells);
    ck_assert_int_eq(numbers(after(call_out, "Name=\"speed\""), x, MOST), cells);
    ck_assert_int_eq(numbers(after(call_out, "NumberOfComponents"), x, MOST), 3 * points);
    ck_assert_int_eq(numbers(after(call_out, "connectivity"), cell, MOST), 4 * cells);
    ck_assert_int_eq(numbers(after(call_out, "offsets"), offset, MOST), cells);
    ck_assert(offset[cells - 1] == 4 * cells);
    for (int k = 0; k < 4 * cells; k++) ck_assert(cell[k] >= 0 && cell[k] < points);
    const double *centre = s.world.body[0].position;
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = x[3 * 20 + i] - centre[i];
    ck_assert_double_eq_tol(plain_norm(3, d), 0.5, 1e-6);
    sim_close(&s);
}
END_TEST

START_TEST(pictures_have_their_times)
{
    cli *c = cli_begin(NULL);
    simulate_vtk_times(c->out, "a", 2, (int[]){0, 50}, (double[]){0, 0.25});
    cli_end();
    ck_assert_ptr_nonnull(
        strstr(call_out, "timestep=\"0\" group=\"\" part=\"0\" file=\"a_000000.vtp\""));
    ck_assert_ptr_nonnull(strstr(call_out, "timestep=\"0.25\""));
    ck_assert_ptr_nonnull(strstr(call_out, "file=\"a_000050.vtp\""));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_simulate_vtk");
    TCase *c = tcase_create("vtk");
    tcase_add_checked_fixture(c, NULL, call_free);
    tcase_add_test(c, counts_agree);
    tcase_add_test(c, pictures_have_their_times);
    suite_add_tcase(s, c);
    return support_run(s);
}
