/* tests/io/test_fclib_write.c: FCLIB files as they are written: their layout, and bit for bit. */
#include "io_files.h"

#include "io/hdf5.h"

static void check_int(perp_hdf5 *h, const char *path, int expected)
{
    int v = -99;
    size_t n;
    ck_assert(perp_hdf5_find(h, path, &n) == PERP_HDF5_INTS && n == 1);
    ck_assert(perp_hdf5_read(h, path, PERP_HDF5_INTS, 1, &v));
    ck_assert_msg(v == expected, "%s: %d, not %d", path, v, expected);
}

static void check_reals(perp_hdf5 *h, const char *path, int count, const double *expected)
{
    double v[16];
    size_t n;
    ck_assert_msg(perp_hdf5_find(h, path, &n) == PERP_HDF5_REALS && n == (size_t)count, "%s", path);
    ck_assert(perp_hdf5_read(h, path, PERP_HDF5_REALS, n, v));
    same_vector(v, expected, count, 0);
}

static void save_and_open(const perp_file *file, perp_hdf5 *h)
{
    char path[1024];
    size_t length;
    perp_error e = {0};
    perp_status status = perp_save_file(scratch_path("layout.hdf5", path), file, &e);
    ck_assert_msg(!status, "%s", e.text);
    char *bytes = files_read(path, &length);
    unlink(path);
    char why[PERP_HDF5_WHY];
    ck_assert_msg(perp_hdf5_open(h, bytes, length, why), "%s", why);
    free(bytes);
}

static const double W[] = {4, 1, 2, 0, 5, 3, 0, 0, 6}, q[] = {-1, 0.5, 0.25}, mu[] = {0.7};
static const double r[] = {1, 0, 2}, u[] = {3, 1.5, 14.25}; /* u = W r + q */

/* By rows: 4 | 1 5 | 2 3 6, and the zeros, as W is dense. */
START_TEST(local)
{
    perp_hdf5 h;
    static const double rows[] = {4, 0, 0, 1, 5, 0, 2, 3, 6};
    const double *guess[] = {r, q};
    perp_file file = {.format = PERP_FILE_FCLIB,
                      .problem = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu),
                      .title = "one contact",
                      .solution = r,
                      .guesses = 2,
                      .guess = guess};
    save_and_open(&file, &h);
    size_t n;
    char title[16];
    int p[4], i[9];
    check_int(&h, "/fclib_local/spacedim", 3);
    check_int(&h, "/fclib_local/W/m", 3);
    check_int(&h, "/fclib_local/W/n", 3);
    check_int(&h, "/fclib_local/W/nz", -2);
    check_int(&h, "/fclib_local/W/nzmax", 9);
    ck_assert(perp_hdf5_read(&h, "/fclib_local/W/p", PERP_HDF5_INTS, 4, p));
    ck_assert(perp_hdf5_read(&h, "/fclib_local/W/i", PERP_HDF5_INTS, 9, i));
    for (int k = 0; k < 4; k++) ck_assert_int_eq(p[k], 3 * k);
    for (int k = 0; k < 9; k++) ck_assert_int_eq(i[k], k % 3);
    check_reals(&h, "/fclib_local/W/x", 9, rows);
    check_reals(&h, "/fclib_local/vectors/q", 3, q);
    check_reals(&h, "/fclib_local/vectors/mu", 1, mu);
    check_reals(&h, "/solution/r", 3, r);
    check_reals(&h, "/solution/u", 3, u);
    check_int(&h, "/guesses/number_of_guesses", 2);
    check_reals(&h, "/guesses/2/r", 3, q);
    ck_assert(perp_hdf5_find(&h, "/fclib_local/info/title", &n) == PERP_HDF5_TEXT && n == 12);
    ck_assert(perp_hdf5_read(&h, "/fclib_local/info/title", PERP_HDF5_TEXT, n, title));
    ck_assert_str_eq(title, "one contact");
    ck_assert(perp_hdf5_find(&h, "/fclib_local/info/math_info", &n) == PERP_HDF5_TEXT && n == 9);
    ck_assert(perp_hdf5_read(&h, "/fclib_local/info/math_info", PERP_HDF5_TEXT, n, title));
    ck_assert_str_eq(title, "W: dense");
    perp_hdf5_close(&h);
    trip(&file, "local.hdf5");
}
END_TEST

static perp_problem body_problem(void)
{
    static const double M[] = {2, 0, 0, 4}, H[] = {1, 0, 0, 1, 0, 0.5}, G[] = {0, 3}, f[] = {1, 2},
                        b[] = {6};
    perp_problem p = {.kind = PERP_KIND_FC3D};
    p.as.fc3d = (perp_fc3d){.contacts = 1,
                            .form = PERP_FORM_BODY,
                            .mu = mu,
                            .M = perp_dense(2, 2, M),
                            .H = perp_dense(2, 3, H),
                            .G = perp_dense(2, 1, G),
                            .f = f,
                            .b = b};
    return p;
}

/* u = H'v + w with w left out. */
START_TEST(global)
{
    perp_hdf5 h;
    static const double z[] = {1, 2, 3, 4, 5, 6}, slip[] = {4, 5, 2.5}, zero[3] = {0},
                        entries[] = {1, 0, 0, 1, 0, 0.5};
    perp_file file = {.format = PERP_FILE_FCLIB, .problem = body_problem(), .solution = z};
    save_and_open(&file, &h);
    int p[6], i[6];
    check_int(&h, "/fclib_global/H/nz", 6);
    ck_assert(perp_hdf5_read(&h, "/fclib_global/H/p", PERP_HDF5_INTS, 6, p));
    ck_assert(perp_hdf5_read(&h, "/fclib_global/H/i", PERP_HDF5_INTS, 6, i));
    for (int k = 0; k < 6; k++) ck_assert(p[k] == k / 2 && i[k] == k % 2);
    check_reals(&h, "/fclib_global/H/x", 6, entries);
    check_reals(&h, "/fclib_global/vectors/w", 3, zero);
    check_reals(&h, "/solution/u", 3, slip);
    check_reals(&h, "/solution/v", 2, z + 3);
    check_reals(&h, "/solution/l", 1, z + 5);
    perp_hdf5_close(&h);
    trip(&file, "global.hdf5");
    file.problem.as.fc3d.G = (perp_matrix){0};
    file.problem.as.fc3d.b = NULL;
    trip(&file, "global.hdf5");
}
END_TEST

/* Blocks, a zero one and a -0 among them, dense matrices and sparse ones stay what they are. */
START_TEST(storage_is_kept)
{
    static const int p[] = {0, 1, 3}, j[] = {0, 0, 1}, cp[] = {0, 1, 1, 2}, ci[] = {0, 1};
    static const double x[27] = {4, -0.0, 2, 0, 5, 3, 0, 0, 6, [18] = 1}, v[] = {0, 7},
                        q2[6] = {-1};
    static const double mu2[] = {0.5, 0.5};
    perp_arena a = {0};
    char path[1024];
    perp_file file = {.format = PERP_FILE_FCLIB};
    file.problem = perp_make_fc3d(2, perp_bsr3(2, 2, p, j, x), q2, mu2);
    ck_assert(!perp_save_file(scratch_path("kept.hdf5", path), &file, NULL));
    const perp_matrix W2 = load_stored(path, &a).problem.as.fc3d.W;
    ck_assert(W2.format == PERP_FORMAT_BSR3 && W2.as.bsr3.p[2] == 3);
    ck_assert(W2.as.bsr3.j[1] == 0 && W2.as.bsr3.j[2] == 1);
    same_vector(W2.as.bsr3.x, x, 27, 0);
    file.problem = body_problem();
    file.problem.as.fc3d.H = perp_csc(2, 3, cp, ci, v);
    ck_assert(!perp_save_file(path, &file, NULL));
    const perp_fc3d f = load_stored(path, &a).problem.as.fc3d;
    ck_assert(f.M.format == PERP_FORMAT_DENSE && f.H.format == PERP_FORMAT_CSC &&
              f.G.format == PERP_FORMAT_DENSE);
    same_vector(f.M.as.dense.x, file.problem.as.fc3d.M.as.dense.x, 4, 0);
    ck_assert_int_eq(f.H.as.csc.p[3], 2); /* the stored zero of a sparse matrix, too */
    unlink(path);
    perp_arena_free(&a);
}
END_TEST

START_TEST(extremes)
{
    static const int p[] = {0, 1}, j[] = {0};
    perp_file file = {.format = PERP_FILE_FCLIB};
    file.problem = perp_make_fc3d(0, (perp_matrix){0}, NULL, NULL);
    trip(&file, "empty.hdf5");
    file.problem = perp_make_fc3d(1, perp_bsr3(1, 1, p, j, W), q, mu);
    trip(&file, "blocks.hdf5");
    perp_problem lcp = perp_make_lcp(0, (perp_matrix){0}, NULL);
    char path[1024];
    perp_error e = {0};
    ck_assert_int_lt(perp_save(scratch_path("lcp.h5", path), PERP_FILE_ANY, &lcp, &e), 0);
    ck_assert_ptr_nonnull(strstr(e.text, "lcp"));
}
END_TEST

/* What h5dump -H says, without the file's name and without attributes; NULL: no h5dump. */
static char *header(const char *path)
{
    char command[1200], line[256];
    size_t used = 0;
    int inside = 0;
    char *text = calloc(1, 1 << 16);
    snprintf(command, sizeof command, "h5dump -H '%s' 2>/dev/null", path);
    FILE *f = popen(command, "r");
    ck_assert(f && text);
    for (int k = 0; fgets(line, sizeof line, f); k++) {
        if (k == 0) continue;
        if (strstr(line, "ATTRIBUTE")) inside = 1;
        if (!inside) used += (size_t)snprintf(text + used, (1 << 16) - used, "%s", line);
        if (inside && strchr(line, '}') && !strchr(line, '{')) inside = 0;
    }
    pclose(f);
    if (used) return text;
    free(text);
    return NULL;
}

START_TEST(layout_of_stored_files)
{
    static const char *const names[] = {"fc3d/Capsules-i125-1213.hdf5",
                                        "fc3d/Box_Stacks-i0122-82-5.hdf5",
                                        "fc3d/Spheres-i099-356-679.hdf5"};
    char path[1024], ours[1024];
    for (size_t k = 0; k < 3; k++) {
        perp_arena a = {0};
        if (!*stored_path(names[k], path)) continue;
        perp_file file = load_stored(path, &a);
        ck_assert(!perp_save_file(scratch_path("layout.hdf5", ours), &file, NULL));
        char *theirs = header(path), *written = header(ours);
        unlink(ours);
        if (theirs) {
            ck_assert_ptr_nonnull(written);
            ck_assert_str_eq(written, theirs);
        } else {
            printf("skipped: no h5dump\n");
        }
        free(theirs);
        free(written);
        perp_arena_free(&a);
    }
}
END_TEST

/* Other formats' problems, blocks and dense matrices among them, come back with the same bits. */
START_TEST(problems_of_other_formats)
{
    static const char *const names[] = {
        "fc3d/FC3D_Example1.dat",  "fc3d/FC3D_Example1_SBM.dat",  "fc3d/Confeti-ex03-Fc3D-SBM.dat",
        "fc3d/GFC3D_Example0.dat", "fc3d/GFC3D_Example0_SBM.dat", "fc3d/GFC3D_OneContact.dat",
        "formats/fc3d_csc.dat",    "formats/fc3d_triplet.dat"};
    char path[1024];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_arena a = {0};
        if (!*stored_path(names[k], path)) continue;
        perp_file file = load_stored(path, &a);
        file.format = PERP_FILE_FCLIB;
        trip(&file, "other.hdf5");
        perp_arena_free(&a);
    }
}
END_TEST

/* The stored rolling problem, and one in the plane with equalities. */
START_TEST(cones)
{
    static const double M[] = {2, 0, 0, 4}, H[] = {1, 0, 0, 1}, G[] = {1, 1}, f[] = {1, 2};
    static const int follows[] = {-1, 0}, group[] = {-1, 1}, torsion[] = {-1, 0, 0, 0};
    static const double friction[] = {0, 0.5, 0, 0.1}, b[] = {3, 4, 5};
    static const double z[] = {1, 0.25, 3, 4, 5};
    perp_file file = {.format = PERP_FILE_FCLIB, .solution = z};
    file.problem.kind = PERP_KIND_CONE;
    perp_cone *c = &file.problem.as.cone;
    *c = (perp_cone){.n = 2, .form = PERP_FORM_BODY, .follows = follows, .group = group};
    c->M = perp_dense(2, 2, M);
    c->H = perp_dense(2, 2, H);
    c->G = perp_dense(2, 1, G);
    c->f = f;
    c->w = b + 1;
    c->b = b;
    c->mu = friction;
    round_trip(&file, PERP_FILE_FCLIB, true);
    perp_error e = {0};
    char path[1024];
    c->R = perp_dense(2, 2, M);
    ck_assert_int_eq(perp_save_file(scratch_path("no.hdf5", path), &file, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "the compliance R"));
    *c = (perp_cone){.n = 4, .W = perp_dense(4, 4, NULL), .follows = torsion, .mu = friction};
    static const double zero[16] = {0};
    c->W = perp_dense(4, 4, zero);
    c->q = zero;
    file.solution = NULL;
    ck_assert_int_eq(perp_save_file(scratch_path("no.hdf5", path), &file, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "FCLIB holds contacts in the plane"));

    perp_arena a = {0};
    char chute[1024];
    snprintf(chute, sizeof chute, "%s/rolling/Chute-ndof-768-nc-4-3.hdf5",
             getenv("PERP_PROBLEMS") ? getenv("PERP_PROBLEMS") : SOURCE_ROOT "/../shared/problems");
    if (perp_load_file(chute, NULL, &a, &file, &e)) {
        printf("skipped: %s: %s\n", chute, e.text);
    } else {
        ck_assert(file.problem.as.cone.n == 20 && file.problem.as.cone.M.n == 768);
        round_trip(&file, PERP_FILE_FCLIB, true);
        round_trip(&file, PERP_FILE_TEXT, true);
        round_trip(&file, PERP_FILE_SICONOS, false);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_fclib_write");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, cones);
    tcase_add_test(t, local);
    tcase_add_test(t, global);
    tcase_add_test(t, storage_is_kept);
    tcase_add_test(t, extremes);
    tcase_add_test(t, layout_of_stored_files);
    tcase_add_test(t, problems_of_other_formats);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    return failed;
}
