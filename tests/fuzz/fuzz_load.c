/* tests/fuzz/fuzz_load.c: whatever the bytes, a reader refuses them with a sentence and a clean
 * arena, or gives a valid problem that survives being saved and read again, bit for bit.
 *
 * One harness for each reader: -DFORMAT=PERP_FILE_SICONOS and so on. tests/fuzz/run builds and runs
 * them all. Arguments that are files are replayed by libFuzzer's own main. */
#include "files.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define LIMIT ((size_t)256 << 20) /* bytes a problem may take */

#define MUST(condition, text) ((condition) ? (void)0 : fail(#condition, text))

static void fail(const char *condition, const char *text)
{
    fprintf(stderr, "fuzz_load: not %s: %s\n", condition, text);
    abort();
}

/* In place of the C library's: nobody needs these files after a failure of the machine, and
 * bringing each to the disk would be most of the time. */
int fsync(int file)
{
    (void)file;
    return 0;
}

static const char *scratch_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/perp-fuzz-%ld", (long)getpid());
    return path;
}

/* Siconos' generic mechanical problems come back in whole blocks: W has the same entries, with more
 * zeros among those that are stored, or in another format. */
static bool may_be_stored_anew(const perp_file *file, const perp_file *back)
{
    const perp_problem *p = &file->problem, *b = &back->problem;
    return p->kind == PERP_KIND_CONE && b->kind == PERP_KIND_CONE &&
           p->as.cone.form == PERP_FORM_LOCAL && b->as.cone.form == PERP_FORM_LOCAL &&
           files_same_entries(&p->as.cone.W, &b->as.cone.W);
}

/* Save as `format`, read again, compare; a kind may have parts that a format cannot hold. */
static void survive(const perp_file *file, perp_file_format format, bool all)
{
    perp_arena a = {0};
    perp_error e = {0};
    perp_file out = *file, back;
    const perp_load_options o = {.format = format, /* a bare matrix does not say what it is for */
                                 .has_kind = format == PERP_FILE_MATRIX_MARKET,
                                 .kind = file->problem.kind};
    out.format = format;
    perp_status status = perp_save_file(scratch_path(), &out, &e);
    if (status == PERP_E_FORMAT) return;
    MUST(status == PERP_SOLVED, e.text);
    status = perp_load_file(scratch_path(), &o, &a, &back, &e);
    unlink(scratch_path());
    MUST(status == PERP_SOLVED, e.text);
    const char *difference = files_differ(file, &back, all);
    if (difference && !all && may_be_stored_anew(file, &back)) {
        back.problem.as.cone.W = file->problem.as.cone.W;
        difference = files_differ(file, &back, all);
    }
    MUST(difference == NULL, difference);
    perp_arena_free(&a);
}

/* Matrix Market has single matrices, which come from files alone. */
static void fuzz_matrix(const uint8_t *data, size_t size)
{
    perp_arena a = {0};
    perp_error e = {0};
    perp_matrix A, B;
    FILE *f = fopen(scratch_path(), "wb");
    MUST(f && fwrite(data, 1, size, f) == size && fclose(f) == 0, "the input cannot be written");
    perp_status status = perp_load_matrix(scratch_path(), &a, &A, &e);
    if (status) {
        MUST(status == PERP_E_FILE || status == PERP_E_MEMORY, perp_status_name(status));
        MUST(e.status == status && strlen(e.text) > 5 && a.used == 0, e.text);
    } else {
        perp_file one = {.problem.kind = PERP_KIND_NNLS}, other = one;
        MUST(perp_save_matrix(scratch_path(), &A, &e) == PERP_SOLVED, e.text);
        MUST(perp_load_matrix(scratch_path(), &a, &B, &e) == PERP_SOLVED, e.text);
        one.problem.as.nnls.A = A, other.problem.as.nnls.A = B;
        MUST(A.format == B.format && !files_differ(&one, &other, false), "the matrix");
    }
    unlink(scratch_path());
    perp_arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (FORMAT == PERP_FILE_MATRIX_MARKET) {
        fuzz_matrix(data, size);
        return 0;
    }
    perp_arena a = {0};
    perp_error e = {0};
    perp_file file;
    const perp_load_options o = {.format = FORMAT, .max_bytes = LIMIT};
    perp_status status = perp_load_memory(data, size, "fuzz", &o, &a, &file, &e);
    if (status) {
        MUST(status == PERP_E_FILE || status == PERP_E_MEMORY, perp_status_name(status));
        MUST(e.status == status && strlen(e.text) > 5, e.text);
        MUST(a.used == 0, e.text);
        /* without the program nothing would be tried */
        MUST(FORMAT != PERP_FILE_FCLIB || !strstr(e.text, "perp_hdf5"), e.text);
    } else {
        MUST(perp_validate(&file.problem, &e) == PERP_SOLVED, e.text);
        survive(&file, PERP_FILE_TEXT, true);
        if (FORMAT != PERP_FILE_TEXT && perp_file_format_holds(FORMAT, file.problem.kind)) {
            survive(&file, FORMAT, false);
        }
    }
    perp_arena_free(&a);
    return 0;
}

/* For the process that HDF5 runs in: its reports go to files, and it has a limit of memory. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    char options[4096];
    const char *reports = getenv("PERP_REPORTS");
    if (!reports) return 0;
    snprintf(options, sizeof options,
             "allocator_may_return_null=1:max_allocation_size_mb=256:hard_rss_limit_mb=1024:"
             "log_path=%s",
             reports);
    setenv("ASAN_OPTIONS", options, 1);
    setenv("UBSAN_OPTIONS", options, 1);
    return 0;
}
