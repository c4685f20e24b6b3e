/* tests/io/test_hdf5_process.c: the program that links HDF5: found, not found, wrong, silent,
 * killed, and never taken from where somebody else may have put it.
 *
 * The test program starts itself again under other names, "test_io_hdf5_process start FOLDER": it
 * goes to the folder, then starts perp_hdf5, and its exit status says whether that answered. */
#include "io/hdf5.h"
#include "io_files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static char *modules; /* $PERP_MODULES as the build set it */

static void restore(void)
{
    setenv("PERP_MODULES", modules, 1);
}

static bool starts(char why[PERP_HDF5_WHY])
{
    perp_hdf5 h = {0};
    if (!perp_hdf5_start(&h, 60, why)) return false;
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

/* ---- where it is looked for ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* This program from `file`, with `name` for argv[0]; did it start perp_hdf5? */
static bool started_as(const char *file, const char *name, const char *folder)
{
    int status = -1;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        execl(file, name, "start", folder, (char *)NULL);
        _exit(99);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) < 2, "status %d", status);
    return WEXITSTATUS(status) == 0;
}

static int start_again(const char *folder)
{
    char why[PERP_HDF5_WHY];
    perp_hdf5 h = {0};
    if (chdir(folder)) return 98;
    if (!perp_hdf5_start(&h, 60, why)) return 1;
    perp_hdf5_end(&h);
    return 0;
}

/* A program that leaves a mark when it is started. */
static void put_hostile(char folder[1024], char path[1024], char mark[1024])
{
    char text[2200];
    scratch_path("started", mark);
    snprintf(text, sizeof text, "#!/bin/sh\necho yes >%s\n", mark);
    put_program(text, folder, path);
    unlink(mark);
}

/* A program of that name in the current folder is not perp's, whatever argv[0] and the environment
 * say; nor is one where everybody can write. */
START_TEST(never_from_elsewhere)
{
    char folder[1024], path[1024], mark[1024], name[1100], why[PERP_HDF5_WHY];
    static const char *const relative[] = {".", "./", "programs", "../programs", ":.:", ""};
    put_hostile(folder, path, mark);
    ck_assert(!starts(why)); /* it works as a trap: an absolute folder that the user named */
    ck_assert_int_eq(access(mark, F_OK), 0);
    unlink(mark);
    for (size_t k = 0; k < sizeof relative / sizeof *relative; k++) {
        setenv("PERP_MODULES", relative[k], 1);
        ck_assert(!started_as("/proc/self/exe", "./perp", folder));
        ck_assert_int_ne(access(mark, F_OK), 0);
    }
    unsetenv("PERP_MODULES");
    snprintf(name, sizeof name, "%s/perp", folder);
    const char *const names[] = {"./perp", "perp", "../programs/perp", name};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        ck_assert(!started_as("/proc/self/exe", names[k], folder));
        ck_assert_msg(access(mark, F_OK) != 0, "started as %s", names[k]);
    }
    setenv("PERP_MODULES", folder, 1);
    ck_assert_int_eq(chmod(folder, 0777), 0);
    ck_assert(!starts(why) && strstr(why, "everybody can write there"));
    ck_assert_int_eq(chmod(folder, 0700) | chmod(path, 0777), 0);
    ck_assert(!starts(why) && strstr(why, "everybody can write there"));
    ck_assert_int_ne(access(mark, F_OK), 0);
    unlink(path);
    ck_assert_int_eq(mkdir(path, 0700), 0); /* a folder of that name is no program */
    ck_assert(!starts(why));
    rmdir(path);
    rmdir(folder);
}
END_TEST

static void copy_file(const char *from, const char *to)
{
    char block[65536];
    size_t n;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    ck_assert(in && out);
    while ((n = fread(block, 1, sizeof block, in)) > 0)
        ck_assert_uint_eq(fwrite(block, 1, n, out), n);
    ck_assert(fclose(in) == 0 && fclose(out) == 0);
    ck_assert_int_eq(chmod(to, 0700), 0);
}

/* Beside the file that the code is in, or in perp/ there, started by a relative name and elsewhere
 * by then. */
START_TEST(beside)
{
    char folder[1024], program[1024], real[1100], link[1100], below[1100], here[1024];
    mkdir(scratch_path("beside", folder), 0700);
    snprintf(program, sizeof program, "%.900s/tool", folder);
    snprintf(below, sizeof below, "%s/perp", folder);
    snprintf(real, sizeof real, "%s/perp_hdf5", modules);
    copy_file("/proc/self/exe", program);
    ck_assert_int_eq(mkdir(below, 0700), 0);
    unsetenv("PERP_MODULES");
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert(!started_as("./tool", "./tool", "/"));
    for (int k = 0; k < 2; k++) {
        snprintf(link, sizeof link, "%s%s/perp_hdf5", folder, k ? "/perp" : "");
        ck_assert_int_eq(symlink(real, link), 0);
        ck_assert(started_as("./tool", "./tool", "/"));
        unlink(link);
    }
    ck_assert_int_eq(chdir(here), 0);
    unlink(program);
    rmdir(below);
    rmdir(folder);
}
END_TEST

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

/* ---- programs that do not behave ---- */

/* Neither a program that never answers keeps the caller, nor one that never ends. */
START_TEST(silent)
{
    char folder[1024], path[1024], why[PERP_HDF5_WHY];
    perp_hdf5 h = {0};
    put_program("#!/bin/sh\nexec sleep 100\n", folder, path);
    double start = now();
    ck_assert(!perp_hdf5_start(&h, 0.2, why) && strstr(why, "it does not answer"));
    ck_assert(h.socket == -1 && h.process == -1);
    ck_assert_double_lt(now() - start, 30);
    ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0); /* and it is gone */

    put_program("#!/bin/sh\nprintf '\\002\\162\\145\\160\\0\\0\\0\\0' >&0\n"
                "printf '\\0\\0\\0\\0\\0\\0\\0\\0' >&0\nexec sleep 100\n",
                folder, path);
    h = (perp_hdf5){0};
    start = now();
    ck_assert_msg(perp_hdf5_start(&h, 60, why), "%s", why);
    perp_hdf5_end(&h);
    ck_assert_double_lt(now() - start, 30);
    ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0);
    unlink(path);
    rmdir(folder);
}
END_TEST

/* The program has 0, 1 and 2 and nothing else of the caller's. */
START_TEST(descriptors)
{
    char folder[1024], path[1024], list[1024], text[2400], why[PERP_HDF5_WHY];
    size_t length;
    scratch_path("list", list);
    snprintf(text, sizeof text,
             "#!/bin/sh\nfor k in 0 1 2 57 58; do\n"
             "[ -e /proc/$$/fd/$k ] && echo \"$k\" >>%s; done\n",
             list);
    put_program(text, folder, path);
    int fd = open("/dev/null", O_RDONLY);
    ck_assert(fd >= 0 && dup2(fd, 57) == 57 && dup2(fd, 58) == 58);
    ck_assert(!starts(why));
    char *seen = files_read(list, &length);
    ck_assert_str_eq(seen, "0\n1\n2\n");
    free(seen);
    close(fd);
    close(57);
    close(58);
    unlink(list);
    unlink(path);
    rmdir(folder);
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
    /* What the caller prints goes nowhere, not to the program. */
    bool good = h.socket > 2 && write(1, "x", 1) < 0 && write(2, "x", 1) < 0;
    good = good && perp_hdf5_write(&h, "/g", PERP_HDF5_GROUP, 0, NULL);
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

int main(int count, char **arguments)
{
    if (count == 3 && !strcmp(arguments[1], "start")) return start_again(arguments[2]);
    Suite *s = suite_create("io_hdf5_process");
    TCase *t = tcase_create("all");
    modules = strdup(getenv("PERP_MODULES"));
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, NULL, restore);
    tcase_add_test(t, finding);
    tcase_add_test(t, never_from_elsewhere);
    tcase_add_test(t, beside);
    tcase_add_test(t, silent);
    tcase_add_test(t, descriptors);
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
