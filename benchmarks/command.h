/* command.h: what the programs of this folder share: the clock, one BLAS thread, and the table of
 * runs as CSV. */
#ifndef PERP_BENCH_COMMAND_H
#define PERP_BENCH_COMMAND_H

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

/* BLAS reads its environment when it is loaded, so the program starts itself once more. */
static inline void use_one_thread(char **argv)
{
    const char *set = getenv("OPENBLAS_NUM_THREADS");
    if (set && strcmp(set, "1") == 0) return;
    if (setenv("OPENBLAS_NUM_THREADS", "1", 1) || setenv("OMP_NUM_THREADS", "1", 1)) return;
    execv("/proc/self/exe", argv);
    execvp(argv[0], argv);
    fprintf(stderr, "%s: cannot restart with one BLAS thread; times may be of several\n", argv[0]);
}

/* "100,500" into sizes; how many, or 0 when the text is not a list of positive numbers. */
static inline int parse_sizes(const char *text, int most, int *sizes)
{
    int count = 0;
    for (char *end;; text = end + 1) {
        long n = strtol(text, &end, 10);
        if (end == text || n < 1 || n > 20000 || count == most) return 0;
        sizes[count++] = (int)n;
        if (*end == 0) return count;
        if (*end != ',') return 0;
    }
}

#define CSV_HEADER "problem,kind,n,solver,status,residual,iterations,seconds\n"

/* csv may be NULL: no table was asked for. */
static inline void csv_row(FILE *csv, const char *problem, const char *kind, int n,
                           const char *solver, const char *status, double residual, int iterations,
                           double seconds)
{
    if (!csv) return;
    fprintf(csv, "%s,%s,%d,%s,%s,%.6g,%d,%.9g\n", problem, kind, n, solver, status, residual,
            iterations, seconds);
}

static inline FILE *csv_open(const char *path)
{
    FILE *csv = fopen(path, "w");
    if (csv)
        fputs(CSV_HEADER, csv);
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
