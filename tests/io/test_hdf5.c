/* tests/io/test_hdf5.c: arrays of HDF5 files, through the program that links it. */
#include "io/hdf5.h"
#include "io_files.h"

#include <pthread.h>
#include <sys/stat.h>

static perp_hdf5 open_bytes(const void *bytes, size_t length)
{
    char why[PERP_HDF5_WHY] = "";
    perp_hdf5 h;
    ck_assert_msg(perp_hdf5_open(&h, bytes, length, why), "%s", why);
    return h;
}

static bool opens(const void *bytes, size_t length)
{
    char why[PERP_HDF5_WHY] = "";
    perp_hdf5 h;
    if (perp_hdf5_open(&h, bytes, length, why)) {
        perp_hdf5_close(&h);
        return true;
    }
    ck_assert_ptr_nonnull(strstr(why, "damaged"));
    ck_assert(h.socket == -1 && h.process == -1);
    return false;
}

/* A file with one of each, as bytes. */
static char *make_file(size_t *length)
{
    char why[PERP_HDF5_WHY] = "";
    const int ints[] = {1, -2, 3};
    const double reals[] = {0.5, -0.0, 1e300};
    perp_hdf5 h;
    ck_assert_msg(perp_hdf5_create(&h, why), "%s", why);
    ck_assert(perp_hdf5_write(&h, "/g", PERP_HDF5_GROUP, 0, NULL));
    ck_assert(!perp_hdf5_write(&h, "/g", PERP_HDF5_GROUP, 0, NULL)); /* there already */
    ck_assert(perp_hdf5_write(&h, "/g/ints", PERP_HDF5_INTS, 3, ints));
    ck_assert(perp_hdf5_write(&h, "/g/reals", PERP_HDF5_REALS, 3, reals));
    ck_assert(perp_hdf5_write(&h, "/g/none", PERP_HDF5_REALS, 0, reals));
    ck_assert(perp_hdf5_write(&h, "/g/text", PERP_HDF5_TEXT, 3, "ab"));
    ck_assert(!perp_hdf5_write(&h, "/no/ints", PERP_HDF5_INTS, 3, ints));
    *length = perp_hdf5_image(&h, NULL, 0);
    char *bytes = malloc(*length);
    ck_assert(bytes && perp_hdf5_image(&h, bytes, *length) == *length);
    ck_assert_uint_eq(perp_hdf5_image(&h, bytes, *length - 1), 0);
    perp_hdf5_close(&h);
    return bytes;
}

/* Files of that name where the program runs are of no concern to it. */
START_TEST(a_file_called_perp)
{
    char folder[1024], path[1100], *before = getcwd(NULL, 0);
    ck_assert_int_eq(mkdir(scratch_path("cwd", folder), 0700), 0);
    snprintf(path, sizeof path, "%s/perp", folder);
    FILE *f = fopen(path, "w");
    ck_assert(before && f && fclose(f) == 0 && chdir(folder) == 0);
    size_t length;
    char *bytes = make_file(&length);
    bool good = opens(bytes, length);
    ck_assert(chdir(before) == 0);
    unlink(path);
    rmdir(folder);
    free(bytes);
    free(before);
    ck_assert(good);
}
END_TEST

START_TEST(arrays)
{
    size_t length, n;
    char *bytes = make_file(&length), text[3];
    perp_hdf5 file = open_bytes(bytes, length), *h = &file;
    int ints[3];
    double reals[3];
    ck_assert_int_eq(perp_hdf5_find(h, "/g", &n), PERP_HDF5_GROUP);
    ck_assert(perp_hdf5_find(h, "/g/ints", &n) == PERP_HDF5_INTS && n == 3);
    ck_assert(perp_hdf5_find(h, "/g/reals", &n) == PERP_HDF5_REALS && n == 3);
    ck_assert(perp_hdf5_find(h, "/g/none", &n) == PERP_HDF5_REALS && n == 0);
    ck_assert(perp_hdf5_find(h, "/g/text", &n) == PERP_HDF5_TEXT && n == 3);
    ck_assert_int_eq(perp_hdf5_find(h, "/nothing", &n), PERP_HDF5_NOTHING);
    ck_assert_int_eq(perp_hdf5_find(h, "/g/ints/below", &n), PERP_HDF5_NOTHING);
    ck_assert_int_eq(perp_hdf5_find(h, "//", &n), PERP_HDF5_NOTHING);
    ck_assert(perp_hdf5_read(h, "/g/ints", PERP_HDF5_INTS, 3, ints));
    ck_assert(ints[0] == 1 && ints[1] == -2 && ints[2] == 3);
    ck_assert(perp_hdf5_read(h, "/g/reals", PERP_HDF5_REALS, 3, reals));
    ck_assert(reals[0] == 0.5 && reals[1] == 0 && signbit(reals[1]) && reals[2] == 1e300);
    ck_assert(perp_hdf5_read(h, "/g/none", PERP_HDF5_REALS, 0, reals));
    ck_assert(perp_hdf5_read(h, "/g/text", PERP_HDF5_TEXT, 3, text));
    ck_assert_str_eq(text, "ab");
    ck_assert(!perp_hdf5_read(h, "/g/ints", PERP_HDF5_REALS, 3, reals));
    ck_assert(!perp_hdf5_read(h, "/g/ints", PERP_HDF5_INTS, 2, ints));
    ck_assert(!perp_hdf5_read(h, "/g", PERP_HDF5_INTS, 0, ints));
    ck_assert(!h->fallen);
    perp_hdf5_close(h);
    free(bytes);
}
END_TEST

/* Longer than any path, and than what is sent. */
START_TEST(long_path)
{
    char path[300];
    size_t length, n;
    char *bytes = make_file(&length);
    perp_hdf5 h = open_bytes(bytes, length);
    memset(path, 'g', sizeof path - 1);
    path[0] = '/';
    path[sizeof path - 1] = 0;
    ck_assert_int_eq(perp_hdf5_find(&h, path, &n), PERP_HDF5_OTHER);
    ck_assert_int_eq(perp_hdf5_find(&h, "/g", &n), PERP_HDF5_GROUP);
    perp_hdf5_close(&h);
    free(bytes);
}
END_TEST

START_TEST(not_a_file)
{
    size_t length;
    char *bytes = make_file(&length);
    ck_assert(opens(bytes, length));
    ck_assert(!opens("", 0) && !opens("no HDF5", 7));
    for (size_t end = 0; end < length; end += 397) ck_assert(!opens(bytes, end));
    free(bytes);
}
END_TEST

/* HDF5 1.10 follows a list of free blocks that bites its own tail until the memory, or the time, is
 * used up. */
START_TEST(endless)
{
    size_t length, n;
    char *bytes = make_file(&length), *heap = bytes;
    for (char *end = bytes + length - 32; heap < end && memcmp(heap, "HEAP", 4);) heap++;
    uint64_t first, data;
    memcpy(&first, heap + 16, 8);
    memcpy(&data, heap + 24, 8);
    ck_assert(first < length && data + first + 8 <= length);
    memcpy(bytes + data + first, &first, 8); /* the next free block is the first */

    char why[PERP_HDF5_WHY];
    perp_hdf5 h;
    if (perp_hdf5_open(&h, bytes, length, why)) {
        ck_assert_int_ne(perp_hdf5_find(&h, "/g", &n), PERP_HDF5_GROUP);
        perp_hdf5_close(&h);
    }
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
    for (int k = 0; k < 4; k++) {
        size_t length, n;
        char *bytes = make_file(&length);
        perp_hdf5 h = open_bytes(bytes, length);
        *(int *)data += perp_hdf5_find(&h, "/g/ints", &n) == PERP_HDF5_INTS && n == 3;
        perp_hdf5_close(&h);
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
        ck_assert_int_eq(good[k], 4);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_hdf5");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_file_called_perp);
    tcase_add_test(t, arrays);
    tcase_add_test(t, long_path);
    tcase_add_test(t, not_a_file);
    tcase_add_test(t, endless);
    tcase_add_test(t, same_bytes);
    tcase_add_test(t, threads);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    return failed;
}
