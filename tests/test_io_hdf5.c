/* tests/test_io_hdf5.c: the module that links HDF5: found, not found, and what it refuses. */
#include "io/hdf5.h"
#include "io_files.h"

#include <pthread.h>
#include <sys/stat.h>

static const perp_hdf5 *module(void)
{
    char why[160] = "";
    const perp_hdf5 *h = perp_hdf5_load(why);
    ck_assert_msg(h != NULL, "%s", why);
    return h;
}

START_TEST(loading)
{
    char why[160] = "", *old = strdup(getenv("PERP_MODULES")), path[1024];
    ck_assert_ptr_eq(module(), module());

    setenv("PERP_MODULES", "/no/such/folder::/nor/this", 1);
    ck_assert_ptr_null(perp_hdf5_load(why));
    ck_assert(strstr(why, "perp_fclib.so") && strstr(why, "PERP_MODULES"));
    unsetenv("PERP_MODULES");
    ck_assert_ptr_null(perp_hdf5_load(why));

    /* a file of that name that is no module */
    char folder[1024];
    ck_assert_int_eq(mkdir(scratch_path("modules", folder), 0700), 0);
    snprintf(path, sizeof path, "%.900s/perp_fclib.so", folder);
    FILE *f = fopen(path, "w");
    ck_assert(f && fputs("nothing", f) >= 0 && fclose(f) == 0);
    setenv("PERP_MODULES", folder, 1);
    ck_assert_ptr_null(perp_hdf5_load(why));
    ck_assert_ptr_nonnull(strstr(why, "cannot be loaded"));
    char both[2100];
    snprintf(both, sizeof both, "/no/such/folder:%s", old);
    setenv("PERP_MODULES", both, 1);
    ck_assert_ptr_nonnull(perp_hdf5_load(why));
    setenv("PERP_MODULES", old, 1);
    unlink(path);
    rmdir(folder);
    free(old);
}
END_TEST

/* Without the module a file is refused with the sentence, not with a crash. */
START_TEST(missing_for_a_file)
{
    char *old = strdup(getenv("PERP_MODULES")), path[1024];
    setenv("PERP_MODULES", "/no/such/folder", 1);
    refused("\x89HDF\r\n\x1a\n", PERP_FILE_ANY, 0, "perp_fclib.so");
    perp_problem p = perp_make_fc3d(0, (perp_matrix){0}, NULL, NULL);
    perp_error e = {0};
    ck_assert_int_eq(perp_save(scratch_path("no.hdf5", path), PERP_FILE_ANY, &p, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "perp_fclib.so"));
    ck_assert_int_ne(access(path, F_OK), 0);
    setenv("PERP_MODULES", old, 1);
    free(old);
}
END_TEST

/* A file with one of each, as bytes. */
static char *make_file(size_t *length)
{
    const perp_hdf5 *h = module();
    const int ints[] = {1, -2, 3};
    const double reals[] = {0.5, -0.0, 1e300};
    int64_t file = h->create();
    ck_assert(file >= 0);
    ck_assert(h->write(file, "/g", PERP_HDF5_GROUP, 0, NULL));
    ck_assert(!h->write(file, "/g", PERP_HDF5_GROUP, 0, NULL)); /* there already */
    ck_assert(h->write(file, "/g/ints", PERP_HDF5_INTS, 3, ints));
    ck_assert(h->write(file, "/g/reals", PERP_HDF5_REALS, 3, reals));
    ck_assert(h->write(file, "/g/none", PERP_HDF5_REALS, 0, reals));
    ck_assert(h->write(file, "/g/text", PERP_HDF5_TEXT, 3, "ab"));
    ck_assert(!h->write(file, "/no/ints", PERP_HDF5_INTS, 3, ints));
    *length = h->image(file, NULL, 0);
    char *bytes = malloc(*length);
    ck_assert(bytes && h->image(file, bytes, *length) == *length);
    ck_assert_uint_eq(h->image(file, bytes, *length - 1), 0);
    h->close(file);
    return bytes;
}

START_TEST(arrays)
{
    size_t length, n;
    char *bytes = make_file(&length), text[3];
    const perp_hdf5 *h = module();
    int64_t file = h->open(bytes, length);
    int ints[3];
    double reals[3];
    ck_assert(file >= 0);
    ck_assert_int_eq(h->find(file, "/g", &n), PERP_HDF5_GROUP);
    ck_assert(h->find(file, "/g/ints", &n) == PERP_HDF5_INTS && n == 3);
    ck_assert(h->find(file, "/g/reals", &n) == PERP_HDF5_REALS && n == 3);
    ck_assert(h->find(file, "/g/none", &n) == PERP_HDF5_REALS && n == 0);
    ck_assert(h->find(file, "/g/text", &n) == PERP_HDF5_TEXT && n == 3);
    ck_assert_int_eq(h->find(file, "/nothing", &n), PERP_HDF5_NOTHING);
    ck_assert_int_eq(h->find(file, "/g/ints/below", &n), PERP_HDF5_NOTHING);
    ck_assert_int_eq(h->find(file, "//", &n), PERP_HDF5_NOTHING);
    ck_assert(h->read(file, "/g/ints", PERP_HDF5_INTS, 3, ints));
    ck_assert(ints[0] == 1 && ints[1] == -2 && ints[2] == 3);
    ck_assert(h->read(file, "/g/reals", PERP_HDF5_REALS, 3, reals));
    ck_assert(reals[0] == 0.5 && reals[1] == 0 && signbit(reals[1]) && reals[2] == 1e300);
    ck_assert(h->read(file, "/g/none", PERP_HDF5_REALS, 0, reals));
    ck_assert(h->read(file, "/g/text", PERP_HDF5_TEXT, 3, text));
    ck_assert_str_eq(text, "ab");
    ck_assert(!h->read(file, "/g/ints", PERP_HDF5_REALS, 3, reals));
    ck_assert(!h->read(file, "/g/ints", PERP_HDF5_INTS, 2, ints));
    ck_assert(!h->read(file, "/g", PERP_HDF5_INTS, 0, ints));
    h->close(file);
    free(bytes);
}
END_TEST

START_TEST(not_a_file)
{
    size_t length;
    char *bytes = make_file(&length);
    const perp_hdf5 *h = module();
    ck_assert(h->open("", 0) < 0 && h->open("no HDF5", 7) < 0);
    for (size_t end = 0; end < length; end += 7) ck_assert(h->open(bytes, end) < 0);
    free(bytes);
}
END_TEST

/* The same problem is the same bytes, whenever it is written. */
START_TEST(same_bytes)
{
    size_t length, other;
    char *bytes = make_file(&length), *again;
    sleep(1); /* a stored time would differ */
    again = make_file(&other);
    ck_assert(length == other && !memcmp(bytes, again, length));
    free(bytes);
    free(again);
}
END_TEST

static void *use(void *data)
{
    for (int k = 0; k < 20; k++) {
        size_t length, n;
        char *bytes = make_file(&length);
        const perp_hdf5 *h = module();
        int64_t file = h->open(bytes, length);
        *(int *)data += file >= 0 && h->find(file, "/g/ints", &n) == PERP_HDF5_INTS && n == 3;
        h->close(file);
        free(bytes);
    }
    return NULL;
}

START_TEST(threads)
{
    pthread_t thread[4];
    int good[4] = {0};
    for (int k = 0; k < 4; k++) ck_assert(!pthread_create(&thread[k], NULL, use, &good[k]));
    for (int k = 0; k < 4; k++) {
        pthread_join(thread[k], NULL);
        ck_assert_int_eq(good[k], 20);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_hdf5");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, loading);
    tcase_add_test(t, missing_for_a_file);
    tcase_add_test(t, arrays);
    tcase_add_test(t, not_a_file);
    tcase_add_test(t, same_bytes);
    tcase_add_test(t, threads);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    return failed;
}
