/* tests/io/test_hdf5_hostile.c: the program perp_hdf5 in a caller that makes it hard: a hostile
 * environment, descriptors, signals and children of the caller's own, and names that are no files.
 * Nothing runs that should not, nothing hangs, nothing is left over.
 * tests/io/test_hdf5_process.c has where the program is looked for. */
#define _GNU_SOURCE /* SA_NOCLDWAIT */
#include "io/hdf5.h"
#include "io_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* /proc/PID/NAME, whole; zeros between words become newlines. */
static char *read_proc(long process, const char *name)
{
    static char text[65536];
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", process, name);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s", path);
    size_t length = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    for (size_t k = 0; k < length; k++) {
        if (!text[k]) text[k] = '\n';
    }
    text[length] = 0;
    return text;
}

static int count_entries(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

/* Make a file, write to it, read its image back, and end. */
static bool works(void)
{
    char why[PERP_HDF5_WHY];
    perp_hdf5 h;
    if (!perp_hdf5_create(&h, why)) return false;
    bool good = perp_hdf5_write(&h, "/g", PERP_HDF5_GROUP, 0, NULL);
    size_t length = good ? perp_hdf5_image(&h, NULL, 0) : 0;
    char *image = malloc(length ? length : 1);
    good = length && image && perp_hdf5_image(&h, image, length) == length;
    perp_hdf5_close(&h);
    good = good && perp_hdf5_open(&h, image, length, why);
    if (good) {
        good = perp_hdf5_find(&h, "/g", &length) == PERP_HDF5_GROUP;
        perp_hdf5_close(&h);
    }
    free(image);
    return good;
}

/* ---- environment ---- */

START_TEST(environment)
{
    static const char *const hostile[] = {"LD_PRELOAD",          "LD_AUDIT",     "HDF5_PLUGIN_PATH",
                                          "HDF5_PLUGIN_PRELOAD", "HDF5_DRIVER",  "HDF5_DEBUG",
                                          "HDF5_VOL_CONNECTOR",  "MALLOC_TRACE", "PATH_OF_MINE"};
    enum { N = sizeof hostile / sizeof *hostile };
    char why[PERP_HDF5_WHY];
    perp_hdf5 h;
    for (int k = 0; k < N; k++) setenv(hostile[k], "/tmp/hostile", 1);
    ck_assert_msg(perp_hdf5_create(&h, why), "%s", why);
    const char *text = read_proc(h.process, "environ");
    for (int k = 0; k < N; k++) {
        ck_assert_msg(!strstr(text, hostile[k]), "%s is passed on", hostile[k]);
        unsetenv(hostile[k]);
    }
    ck_assert_ptr_null(strstr(text, "HOME="));
    perp_hdf5_close(&h);
}
END_TEST

/* ---- limits ---- */

static void check_limit(const char *text, const char *name, double most)
{
    const char *line = strstr(text, name);
    ck_assert_msg(line != NULL, "%s", name);
    ck_assert_msg(strncmp(line + 26, "unlimited", 9) != 0, "%.70s", line);
    ck_assert_msg(atof(line + 26) <= most, "%.70s", line);
}

/* Whatever a file makes of HDF5, its process ends after seconds, with little memory, and opens
 * nothing. */
START_TEST(limits)
{
    char why[PERP_HDF5_WHY];
    perp_hdf5 h;
    ck_assert_msg(perp_hdf5_create(&h, why), "%s", why);
    size_t length = perp_hdf5_image(&h, NULL, 0);
    char *image = malloc(length);
    ck_assert(image && perp_hdf5_image(&h, image, length) == length);
    perp_hdf5_close(&h);
    ck_assert_msg(perp_hdf5_open(&h, image, length, why), "%s", why);
    const char *text = read_proc(h.process, "limits");
    check_limit(text, "Max cpu time", 2);
    check_limit(text, "Max core file size", 0);
#if !defined(__SANITIZE_ADDRESS__)
    check_limit(text, "Max address space", 300e6);
    check_limit(text, "Max file size", 0);
    check_limit(text, "Max open files", 3);
#endif
    perp_hdf5_close(&h);
    free(image);
}
END_TEST

/* ---- descriptors ---- */

/* Hundreds of files that the caller forgot to close on exec, and none that it may still open. */
START_TEST(descriptors)
{
    char folder[64], why[PERP_HDF5_WHY];
    int opened[300], last = 0, before = count_entries("/proc/self/fd");
    perp_hdf5 h;
    struct rlimit old, few;
    for (int k = 0; k < 300; k++) {
        last = opened[k] = open("/dev/null", O_RDONLY); /* without O_CLOEXEC */
        ck_assert_int_ge(last, 0);
    }
    ck_assert_msg(perp_hdf5_create(&h, why), "%s", why);
    snprintf(folder, sizeof folder, "/proc/%ld/fd", h.process);
    ck_assert_int_eq(count_entries(folder), 3);
    perp_hdf5_close(&h);

    getrlimit(RLIMIT_NOFILE, &old);
    few = (struct rlimit){.rlim_cur = (rlim_t)last + 1, .rlim_max = old.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    ck_assert(!perp_hdf5_create(&h, why));
    ck_assert_msg(strstr(why, "Too many open files") != NULL, "%s", why);
    setrlimit(RLIMIT_NOFILE, &old);
    for (int k = 0; k < 300; k++) close(opened[k]);
    ck_assert_int_eq(count_entries("/proc/self/fd"), before);
}
END_TEST

/* Each of the eight ways to have 0, 1 and 2 closed, in a child. */
START_TEST(closed_standard_files)
{
    for (int closed = 0; closed < 8; closed++) {
        int status;
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            for (int k = 0; k < 3; k++) {
                if (closed >> k & 1) close(k);
            }
            _exit(works() ? 0 : 3);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(status == 0, "closed: %d", closed);
    }
}
END_TEST

/* ---- signals and children ---- */

static void reap_all(int number)
{
    (void)number;
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
}

/* The caller's children, and how it takes their ends. */
static bool works_with(void (*handler)(int), int flags, bool blocked)
{
    struct sigaction act = {.sa_handler = handler, .sa_flags = flags};
    sigset_t set;
    sigemptyset(&act.sa_mask);
    sigaction(SIGCHLD, &act, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
    pid_t other = fork(); /* lives on: it must not be waited for, and not be killed */
    if (other == 0) {
        pause();
        _exit(0);
    }
    double start = now();
    bool good = works() && now() - start < 20 && kill(other, 0) == 0;
    kill(other, SIGKILL);
    return good;
}

START_TEST(ends_of_children)
{
    static const struct {
        void (*handler)(int);
        int flags;
        bool blocked;
    } ways[] = {{SIG_DFL, 0, false},
                {SIG_IGN, 0, false},
                {SIG_IGN, 0, true},
                {SIG_DFL, 0, true},
                {SIG_DFL, SA_NOCLDWAIT, false},
                {reap_all, 0, false},
                {reap_all, SA_RESTART, false}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        int status;
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) _exit(works_with(ways[k].handler, ways[k].flags, ways[k].blocked) ? 0 : 3);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(status == 0, "way %zu", k);
    }
}
END_TEST

/* A program that is gone, or asleep, while megabytes are sent to it: an error and no signal, and at
 * the end nobody waits for it. */
START_TEST(gone_and_stopped)
{
    char why[PERP_HDF5_WHY];
    perp_hdf5 h;
    size_t count = 1 << 20;
    double *data = calloc(count, sizeof *data);
    ck_assert_ptr_nonnull(data);
    signal(SIGPIPE, SIG_DFL);
    ck_assert_msg(perp_hdf5_create(&h, why), "%s", why);
    kill((pid_t)h.process, SIGKILL);
    ck_assert(!perp_hdf5_write(&h, "/x", PERP_HDF5_REALS, count, data));
    perp_hdf5_close(&h);

    ck_assert_msg(perp_hdf5_create(&h, why), "%s", why);
    kill((pid_t)h.process, SIGSTOP);
    double start = now();
    perp_hdf5_close(&h);
    ck_assert_double_lt(now() - start, 20);
    ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0); /* no child is left */
    free(data);
}
END_TEST

/* ---- names ---- */

static void refused_name(const char *path, const char *words)
{
    perp_arena a = {0};
    perp_problem p;
    perp_error e = {0};
    ck_assert_int_eq(perp_load(path, &a, &p, &e), PERP_E_FILE);
    ck_assert_msg(strstr(e.text, words) != NULL, "%s: %s", path, e.text);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
}

START_TEST(names)
{
    char path[1024], target[1024];
    int before = count_entries("/proc/self/fd");
    FILE *f = fopen(scratch_path("short.hdf5", path), "w");
    ck_assert(f && fputs("\x89HDF\r\n\x1a\n", f) >= 0 && fclose(f) == 0);
    refused_name(path, "truncated or damaged");
    ck_assert_int_eq(symlink(path, scratch_path("link.hdf5", target)), 0);
    refused_name(target, "truncated or damaged");
    unlink(target);
    unlink(path);
    mkdir(scratch_path("folder.hdf5", path), 0700);
    refused_name(path, "directory");
    rmdir(path);
    refused_name("/dev/null", "empty");
    refused_name("/dev/zero", "none of the formats");
    mkfifo(scratch_path("fifo.hdf5", path), 0600);
    pid_t child = fork();
    if (child == 0) {
        int out = open(path, O_WRONLY);
        _exit(write(out, "\x89HDF\r\n\x1a\n", 8) != 8);
    }
    refused_name(path, "truncated or damaged");
    waitpid(child, NULL, 0);
    unlink(path);
    ck_assert_int_eq(count_entries("/proc/self/fd"), before);
    ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_hdf5_hostile");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, environment);
    tcase_add_test(t, limits);
    tcase_add_test(t, descriptors);
    tcase_add_test(t, closed_standard_files);
    tcase_add_test(t, ends_of_children);
    tcase_add_test(t, gone_and_stopped);
    tcase_add_test(t, names);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    return failed;
}
