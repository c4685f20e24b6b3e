/* tests/test_io_hdf5_process.c: the program that links HDF5: found, not found, wrong, killed. */
#include "io/hdf5.h"
#include "io_files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char *modules; /* $PERP_MODULES as the build set it */

static void restore(void)
{
    setenv("PERP_MODULES", modules, 1);
}

static bool starts(char why[PERP_HDF5_WHY])
{
    perp_hdf5 h = {0};
    if (!perp_hdf5_start(&h, why)) return false;
    perp_hdf5_end(&h);
    ck_assert(h.socket == -1 && h.process == -1);
    return true;
}

/* A file of the program's name in a folder of its own. */
static void put_program(const char *text, char folder[1024], char path[1024])
{
    mkdir(scratch_path("programs", folder), 0700);
    snprintf(path, 1024, "%.900s/perp_hdf5", folder);
    FILE *f = fopen(path, "w");
    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    ck_assert_int_eq(chmod(path, 0700), 0);
    setenv("PERP_MODULES", folder, 1);
}

START_TEST(finding)
{
    char why[PERP_HDF5_WHY] = "";
    char folder[1024], path[1024], both[2100];
    ck_assert_msg(starts(why), "%s", why);
    setenv("PERP_MODULES", "/no/such/folder::/nor/this", 1);
    ck_assert(!starts(why) && strstr(why, "perp_hdf5") && strstr(why, "PERP_MODULES"));
    unsetenv("PERP_MODULES");
    ck_assert(!starts(why));

    put_program("nothing", folder, path); /* nor a script: it cannot be executed, or says nothing */
    ck_assert(!starts(why) && strstr(why, "cannot be used"));
    put_program("#!/bin/sh\necho hello, this is no answer of perp_hdf5 >&0\n", folder, path);
    ck_assert(!starts(why) && strstr(why, "another version"));
    snprintf(both, sizeof both, "/no/such/folder:%s", modules);
    setenv("PERP_MODULES", both, 1);
    ck_assert(starts(why));
    unlink(path);
    rmdir(folder);
}
END_TEST

/* Without the program a file is refused with the sentence, not with a crash. */
START_TEST(missing_for_a_file)
{
    char path[1024];
    setenv("PERP_MODULES", "/no/such/folder", 1);
    refused("\x89HDF\r\n\x1a\n", PERP_FILE_ANY, 0, "perp_hdf5");
    perp_problem p = perp_make_fc3d(0, (perp_matrix){0}, NULL, NULL);
    perp_error e = {0};
    ck_assert_int_eq(perp_save(scratch_path("no.hdf5", path), PERP_FILE_ANY, &p, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "perp_hdf5"));
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

/* Killed between two calls: the next fails, and so do all others. */
START_TEST(killed)
{
    char why[PERP_HDF5_WHY];
    perp_hdf5 h;
    ck_assert_msg(perp_hdf5_create(&h, why), "%s", why);
    ck_assert_int_eq(kill((pid_t)h.process, SIGKILL), 0);
    ck_assert(!perp_hdf5_write(&h, "/g", PERP_HDF5_GROUP, 0, NULL));
    ck_assert(h.fallen);
    ck_assert_uint_eq(perp_hdf5_image(&h, NULL, 0), 0);
    perp_hdf5_close(&h);
}
END_TEST

/* Ignores its children, blocks all signals and has closed its standard files. */
static bool call_oddly(void)
{
    char why[PERP_HDF5_WHY];
    perp_hdf5 h;
    sigset_t all;
    sigfillset(&all);
    signal(SIGCHLD, SIG_IGN);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int k = 0; k < 3; k++) close(k);
    if (!starts(why) || !perp_hdf5_create(&h, why)) return false;
    bool good = perp_hdf5_write(&h, "/g", PERP_HDF5_GROUP, 0, NULL);
    perp_hdf5_close(&h);
    return good;
}

START_TEST(odd_caller)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) _exit(call_oddly() ? 0 : 3);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* No descriptor and no child is left. */
START_TEST(nothing_left)
{
    char why[PERP_HDF5_WHY];
    int before = open("/dev/null", O_RDONLY);
    close(before);
    for (int k = 0; k < 5; k++) ck_assert(starts(why));
    int after = open("/dev/null", O_RDONLY);
    close(after);
    ck_assert_int_eq(before, after);
    ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_hdf5_process");
    TCase *t = tcase_create("all");
    modules = strdup(getenv("PERP_MODULES"));
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, NULL, restore);
    tcase_add_test(t, finding);
    tcase_add_test(t, missing_for_a_file);
    tcase_add_test(t, killed);
    tcase_add_test(t, odd_caller);
    tcase_add_test(t, nothing_left);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    free(modules);
    return failed;
}
