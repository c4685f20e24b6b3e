/* command.h: what the programs of this folder share: the clock, one BLAS thread, and the table of
 * runs as CSV. */
#ifndef PERP_BENCH_COMMAND_H
#define PERP_BENCH_COMMAND_H

#include "../src/cli/blas.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Processor time of the whole process. */
static inline double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* BLAS and OpenMP read their environment when they are loaded, so the program starts itself once
 * more, also for kernels of BLAS that suit the processor: all contenders use them. CHOLMOD asks for
 * four threads whatever OMP_NUM_THREADS says; the limit holds for it too. */
static inline void use_one_thread(char **argv)
{
    static const char *const names[] = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS",
                                        "OMP_THREAD_LIMIT"};
    bool set = true;
    cli_blas_mend();
    for (int k = 0; k < 3; k++) {
        const char *value = getenv(names[k]);
        if (value && strcmp(value, "1") == 0) continue;
        if (setenv(names[k], "1", 1)) return;
        set = false;
    }
    if (set) return;
    execv("/proc/self/exe", argv);
    execvp(argv[0], argv);
    fprintf(stderr, "%s: cannot restart with one thread; times may be of several\n", argv[0]);
}

/* The kernels of BLAS in use. */
static inline const char *blas_kernels(void)
{
    const char *kernels = cli_blas_kernels();
    return kernels ? kernels : "unknown";
}

/* "100,500" into sizes; how many, or 0 when the text is not a list of numbers 1 .. limit. */
static inline int parse_sizes(const char *text, int most, int limit, int *sizes)
{
    int count = 0;
    for (char *end;; text = end + 1) {
        long n = strtol(text, &end, 10);
        if (end == text || n < 1 || n > limit || count == most) return 0;
        sizes[count++] = (int)n;
        if (*end == 0) return count;
        if (*end != ',') return 0;
    }
}

static inline FILE *csv_open(const char *path, const char *header)
{
    FILE *csv = fopen(path, "w");
    if (csv)
        fputs(header, csv);
    else
        perror(path);
    return csv;
}

/* False: something could not be written. */
static inline bool csv_close(FILE *csv, const char *path)
{
    if (!csv) return true;
    bool good = !ferror(csv);
    good = fclose(csv) == 0 && good;
    if (!good) fprintf(stderr, "%s: not all could be written\n", path);
    return good;
}

#endif
