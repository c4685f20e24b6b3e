/* tests/io/test_fclib.c: FCLIB files as they are read: stored ones, each encoding, wrong ones. */
#include "io/hdf5.h"
#include "io_files.h"

/* ---- files made piece by piece ---- */

typedef perp_hdf5 maker;

static maker make(void)
{
    char why[PERP_HDF5_WHY] = "";
    maker k;
    ck_assert_msg(perp_hdf5_create(&k, why), "%s", why);
    return k;
}

static void group(maker k, const char *path)
{
    ck_assert(perp_hdf5_write(&k, path, PERP_HDF5_GROUP, 0, NULL));
}

static void ints(maker k, const char *at, const char *name, int n, const int *v)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", at, name);
    ck_assert(perp_hdf5_write(&k, path, PERP_HDF5_INTS, (size_t)n, v));
}

static void one(maker k, const char *at, const char *name, int v)
{
    ints(k, at, name, 1, &v);
}

static void reals(maker k, const char *at, const char *name, int n, const double *v)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", at, name);
    ck_assert(perp_hdf5_write(&k, path, PERP_HDF5_REALS, (size_t)n, v));
}

/* p has length np, i and x length nx. */
static void matrix(maker k, const char *at, int m, int n, int nz, int np, const int *p, int nx,
                   const int *i, const double *x)
{
    group(k, at);
    one(k, at, "m", m);
    one(k, at, "n", n);
    one(k, at, "nz", nz);
    one(k, at, "nzmax", nx);
    ints(k, at, "p", np, p);
    ints(k, at, "i", nx, i);
    reals(k, at, "x", nx, x);
}

/* Load what was made, and close it. */
static perp_status finish(maker k, perp_arena *a, perp_file *file, perp_error *e)
{
    size_t length = perp_hdf5_image(&k, NULL, 0);
    char *bytes = malloc(length);
    ck_assert(bytes && perp_hdf5_image(&k, bytes, length) == length);
    perp_hdf5_close(&k);
    perp_status status = load_bytes(bytes, length, PERP_FILE_ANY, a, file, e);
    free(bytes);
    return status;
}

static void finish_refused(maker k, const char *words)
{
    perp_arena a = {0};
    perp_file file;
    perp_error e = {0};
    ck_assert_int_lt(finish(k, &a, &file, &e), 0);
    ck_assert_msg(strstr(e.text, words) != NULL, "'%s' has no '%s'", e.text, words);
    ck_assert(a.used == 0 && e.line == 0);
    perp_arena_free(&a);
}

/* W = [4 0 0; 1 5 0; 2 3 6] in three encodings */
static const int tp[] = {2, 0, 1, 0, 1, 0}, ti[] = {2, 2, 1, 1, 2, 0};
static const double tx[] = {6, 2, 5, 1, 3, 4};
static const int cp[] = {0, 3, 5, 6}, ci[] = {0, 1, 2, 1, 2, 2};
static const double cx[] = {4, 1, 2, 5, 3, 6};
static const int rp[] = {0, 1, 3, 6}, ri[] = {0, 0, 1, 0, 1, 2};
static const double rx[] = {4, 1, 5, 2, 3, 6};
static const double W[] = {4, 1, 2, 0, 5, 3, 0, 0, 6}, q[] = {-1, 0.5, 0.25}, mu[] = {0.7};

static maker make_local(int dimension)
{
    maker k = make();
    group(k, "/fclib_local");
    one(k, "/fclib_local", "spacedim", dimension);
    group(k, "/fclib_local/vectors");
    reals(k, "/fclib_local/vectors", "q", 3, q);
    reals(k, "/fclib_local/vectors", "mu", 1, mu);
    return k;
}

START_TEST(encodings)
{
    for (int nz = -2; nz <= 0; nz++) {
        maker k = make_local(3);
        perp_arena a = {0};
        perp_file file;
        perp_error e = {0};
        if (nz == -2) matrix(k, "/fclib_local/W", 3, 3, nz, 4, rp, 6, ri, rx);
        if (nz == -1) matrix(k, "/fclib_local/W", 3, 3, nz, 4, cp, 6, ci, cx);
        if (nz == 0) matrix(k, "/fclib_local/W", 3, 3, 6, 6, tp, 6, ti, tx);
        perp_status status = finish(k, &a, &file, &e);
        ck_assert_msg(!status, "%s", e.text);
        perp_matrix dense = perp_dense(3, 3, W);
        const perp_fc3d *f = &file.problem.as.fc3d;
        ck_assert(f->contacts == 1 && f->form == PERP_FORM_LOCAL && f->mu[0] == 0.7 &&
                  f->q[1] == 0.5);
        same_matrix(&f->W, &dense);
        ck_assert(!file.solution && !file.guesses && !file.title);
        ck_assert_str_eq(file.problem.name, "memory");
        perp_arena_free(&a);
    }
}
END_TEST

static maker make_global(void)
{
    static const int diagonal[] = {0, 1}, hp[] = {0, 1, 2}, hi[] = {0, 1, 1}, gp[] = {0, 1},
                     gi[] = {1};
    static const double m[] = {2, 4}, h[] = {1, 1, 0.5}, g[] = {3}, f[] = {1, 2}, w[] = {3, 4, 5},
                        b[] = {6};
    static const char at[] = "/fclib_global/vectors";
    maker k = make();
    group(k, "/fclib_global");
    one(k, "/fclib_global", "spacedim", 3);
    matrix(k, "/fclib_global/M", 2, 2, 2, 2, diagonal, 2, diagonal, m);
    matrix(k, "/fclib_global/H", 2, 3, 3, 3, hp, 3, hi, h);
    matrix(k, "/fclib_global/G", 2, 1, -1, 2, gp, 1, gi, g);
    group(k, at);
    reals(k, at, "f", 2, f);
    reals(k, at, "w", 3, w);
    reals(k, at, "b", 1, b);
    reals(k, at, "mu", 1, mu);
    return k;
}

/* z = (r, v, l), points with a part missing left out */
START_TEST(global_with_points)
{
    static const double r[] = {1, 2, 3}, v[] = {4, 5}, l[] = {6};
    maker k = make_global();
    group(k, "/solution");
    reals(k, "/solution", "r", 3, r);
    reals(k, "/solution", "u", 3, r);
    reals(k, "/solution", "v", 2, v);
    reals(k, "/solution", "l", 1, l);
    group(k, "/guesses");
    one(k, "/guesses", "number_of_guesses", 2);
    group(k, "/guesses/1");
    reals(k, "/guesses/1", "r", 3, r);
    group(k, "/guesses/2");
    reals(k, "/guesses/2", "r", 3, r);
    reals(k, "/guesses/2", "v", 2, v);
    reals(k, "/guesses/2", "l", 1, l);
    group(k, "/fclib_global/info");
    ck_assert(perp_hdf5_write(&k, "/fclib_global/info/title", PERP_HDF5_TEXT, 5, "four"));
    ck_assert(perp_hdf5_write(&k, "/fclib_global/info/description", PERP_HDF5_TEXT, 1, ""));
    perp_arena a = {0};
    perp_file file;
    perp_error e = {0};
    perp_status status = finish(k, &a, &file, &e);
    ck_assert_msg(!status, "%s", e.text);
    const perp_fc3d *f = &file.problem.as.fc3d;
    ck_assert(f->form == PERP_FORM_BODY && f->contacts == 1 && f->M.n == 2 && f->G.n == 1);
    ck_assert(f->G.as.csc.i[0] == 1 && f->G.as.csc.x[0] == 3 && f->b[0] == 6 && f->w[2] == 5);
    ck_assert(f->H.as.csc.i[2] == 1 && f->H.as.csc.x[2] == 0.5 && f->H.as.csc.p[3] == 3);
    ck_assert_int_eq(perp_size(&file.problem), 6);
    for (int i = 0; i < 6; i++) ck_assert(file.solution[i] == i + 1);
    ck_assert(file.guesses == 1 && file.guess[0][5] == 6);
    ck_assert_str_eq(file.title, "four");
    ck_assert_ptr_null(file.description);
    perp_arena_free(&a);
}
END_TEST

/* Contacts in the plane are cones, and so are rolling ones, which have a group of their own. */
START_TEST(cones)
{
    static const int diagonal[] = {0, 1}, hp[] = {0, 1, 2}, hi[] = {0, 1, 1};
    static const double m[] = {2, 4}, h[] = {1, 1, 0.5}, f[] = {1, 2}, w[] = {3, 4, 5};
    static const double mu_r[] = {0.1};
    static const char at[] = "/fclib_global_rolling", vectors[] = "/fclib_global_rolling/vectors";
    maker k = make();
    group(k, at);
    one(k, at, "spacedim", 3);
    matrix(k, "/fclib_global_rolling/M", 2, 2, 2, 2, diagonal, 2, diagonal, m);
    matrix(k, "/fclib_global_rolling/H", 2, 3, 3, 3, hp, 3, hi, h);
    group(k, vectors);
    reals(k, vectors, "f", 2, f);
    reals(k, vectors, "w", 3, w);
    reals(k, vectors, "mu", 1, mu);
    reals(k, vectors, "mu_r", 1, mu_r);
    perp_arena a = {0};
    perp_file file;
    perp_error e = {0};
    perp_status status = finish(k, &a, &file, &e);
    ck_assert_msg(!status, "%s", e.text);
    const perp_cone *c = &file.problem.as.cone;
    ck_assert(file.problem.kind == PERP_KIND_CONE && c->form == PERP_FORM_BODY && c->n == 3);
    ck_assert(c->follows[1] == 0 && c->group[1] == 1 && c->group[2] == 2 && !c->s);
    ck_assert(c->mu[1] == 0.7 && c->mu[2] == 0.1 && c->w[2] == 5 && c->f[1] == 2);

    /* arrays compressed by deflate, shuffled, and one with a checksum, in the plane */
    const char *packed =
        SOURCE_ROOT "/tests/fuzz/corpus/fclib/47de857875a42b836458b75a6d387e27d7617d30";
    ck_assert_msg(!perp_load_file(packed, NULL, &a, &file, &e), "%s", e.text);
    c = &file.problem.as.cone;
    ck_assert(file.problem.kind == PERP_KIND_CONE && c->form == PERP_FORM_LOCAL && c->n == 80);
    ck_assert(c->follows[79] == 78 && c->mu[79] == 0.5 && c->q[78] == -1 && c->q[79] == 0.25);
    ck_assert(c->W.as.csc.x[79] == 2 && c->W.as.csc.i[79] == 79);
    perp_arena_free(&a);
}
END_TEST

START_TEST(wrong_dimension)
{
    finish_refused(make_local(1), "spacedim is 1, expected 2 or 3");
    finish_refused(make_local(5), "spacedim is 5, expected 2 or 3");
    maker k = make();
    group(k, "/fclib_global_rolling");
    finish_refused(k, "/fclib_global_rolling/spacedim");
    k = make();
    group(k, "/fclib_global_rolling");
    one(k, "/fclib_global_rolling", "spacedim", 2);
    finish_refused(k, "spacedim is 2, expected 3 or 5");
    finish_refused(make(), "not one of FCLIB's");
    k = make_local(3);
    group(k, "/fclib_local/V");
    finish_refused(k, "equalities");
}
END_TEST

/* One local problem with a W of the given kind. */
static void bad_matrix(int m, int n, int nz, int np, const int *p, int nx, const int *i,
                       const char *words)
{
    maker k = make_local(3);
    matrix(k, "/fclib_local/W", m, n, nz, np, p, nx, i, cx);
    finish_refused(k, words);
}

START_TEST(wrong_matrices)
{
    const int down[] = {0, 3, 2, 6}, late[] = {1, 3, 5, 6}, far[] = {0, 3, 5, 2000000000},
              wide[] = {0, 1, 3, 1, 2, 2}, below[] = {0, 1, -1, 1, 2, 2};
    bad_matrix(3, 3, -1, 4, down, 6, ci, "ascend");
    bad_matrix(3, 3, -1, 4, late, 6, ci, "starts");
    bad_matrix(3, 3, -1, 4, far, 6, ci, "beyond");
    bad_matrix(3, 3, -1, 3, cp, 6, ci, "length");
    bad_matrix(3, 3, -1, 4, cp, 5, ci, "beyond");
    bad_matrix(3, 3, -1, 4, cp, 6, wide, "(3, 0)");
    bad_matrix(3, 3, -1, 4, cp, 6, below, "(-1, 0)");
    bad_matrix(3, 3, 6, 4, cp, 6, ci, "shorter");
    bad_matrix(3, 3, 2000000000, 4, cp, 6, ci, "shorter");
    bad_matrix(3, 3, -3, 4, cp, 6, ci, "nz");
    bad_matrix(-3, 3, -1, 4, cp, 6, ci, "W/m");
    bad_matrix(4, 3, -1, 4, cp, 6, ci, "square");
    bad_matrix(2000000000, 3, -2, 4, rp, 6, ri, "length");
    bad_matrix(4, 4, -1, 4, cp, 0, ci, "length");
    const int p2[] = {0, 0, 0, 0, 0};
    bad_matrix(4, 4, -1, 5, p2, 0, ci, "multiple of 3");
    const int p6[] = {0, 0, 0, 0, 0, 0, 0};
    bad_matrix(6, 6, -1, 7, p6, 0, ci, "q: 3 numbers, 6 expected");
}
END_TEST

START_TEST(wrong_parts)
{
    finish_refused(make_local(3), "/fclib_local/W/m: not there");
    maker k = make();
    group(k, "/fclib_local");
    finish_refused(k, "/fclib_local/spacedim: not there");
    k = make();
    group(k, "/fclib_local");
    reals(k, "/fclib_local", "spacedim", 1, q);
    finish_refused(k, "reals, integers expected");
    k = make();
    reals(k, "", "fclib_local", 1, q);
    finish_refused(k, "spacedim: not there");

    const double nan[] = {NAN, 0, 0}, two[] = {1, 2};
    k = make();
    group(k, "/fclib_local");
    one(k, "/fclib_local", "spacedim", 3);
    group(k, "/fclib_local/vectors");
    reals(k, "/fclib_local/vectors", "q", 3, nan);
    reals(k, "/fclib_local/vectors", "mu", 1, mu);
    matrix(k, "/fclib_local/W", 3, 3, -1, 4, cp, 6, ci, cx);
    finish_refused(k, "q");
    k = make_local(3);
    matrix(k, "/fclib_local/W", 3, 3, -1, 4, cp, 6, ci, cx);
    group(k, "/solution");
    reals(k, "/solution", "r", 2, two);
    finish_refused(k, "/solution/r: 2 numbers, 3 expected");
    k = make_local(3);
    matrix(k, "/fclib_local/W", 3, 3, -1, 4, cp, 6, ci, cx);
    group(k, "/guesses");
    one(k, "/guesses", "number_of_guesses", 2000000000);
    finish_refused(k, "do not fit");
}
END_TEST

START_TEST(stored)
{
    static const struct {
        const char *name;
        perp_form form;
        int contacts, size;
    } files[] = {{"fc3d/Capsules-i125-1213.hdf5", PERP_FORM_LOCAL, 286, 858},
                 {"fc3d/Box_Stacks-i0122-82-5.hdf5", PERP_FORM_BODY, 82, 246 + 450},
                 {"fc3d/Spheres-i099-356-679.hdf5", PERP_FORM_BODY, 356, 1068 + 12000}};
    char path[1024];
    perp_arena a = {0};
    for (size_t k = 0; k < 3; k++) {
        if (!*stored_path(files[k].name, path)) continue;
        perp_file file = load_stored(path, &a);
        const perp_fc3d *f = &file.problem.as.fc3d;
        ck_assert(file.format == PERP_FILE_FCLIB && file.problem.kind == PERP_KIND_FC3D);
        ck_assert(f->form == files[k].form && f->contacts == files[k].contacts);
        ck_assert_int_eq(perp_size(&file.problem), files[k].size);
        ck_assert(file.title && file.description && file.solution && file.guesses == 1);
        trip(&file, "stored.hdf5");
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(damaged)
{
    char path[1024];
    maker k = make_global();
    size_t length = perp_hdf5_image(&k, NULL, 0);
    char *bytes = malloc(length);
    ck_assert(bytes && perp_hdf5_image(&k, bytes, length) == length);
    perp_hdf5_close(&k);
    survive_damage(bytes, length, PERP_FILE_FCLIB, 10, 40);
    free(bytes);
    if (!*stored_path("fc3d/Box_Stacks-i0122-82-5.hdf5", path)) return;
    bytes = files_read(path, &length);
    survive_damage(bytes, length, PERP_FILE_FCLIB, 4, 10);
    free(bytes);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_fclib");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, encodings);
    tcase_add_test(t, global_with_points);
    tcase_add_test(t, cones);
    tcase_add_test(t, wrong_dimension);
    tcase_add_test(t, wrong_matrices);
    tcase_add_test(t, wrong_parts);
    tcase_add_test(t, stored);
    tcase_add_test(t, damaged);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    return failed;
}
