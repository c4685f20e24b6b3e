/* tests/support/files.c: what the tests of problem files share. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "files.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

perp_status load_string(const char *text, perp_file_format format, perp_arena *a, perp_file *file,
                        perp_error *e)
{
    const perp_load_options o = {.format = format};
    *e = (perp_error){.line = -1};
    perp_status status = perp_load_memory(text, strlen(text), "string", &o, a, file, e);
    if (status) {
        ck_assert_int_eq(e->status, status);
        ck_assert_uint_gt(strlen(e->text), 10);
        ck_assert_uint_lt(strlen(e->text), sizeof e->text - 1);
        ck_assert_int_ge(e->line, 0);
    }
    return status;
}

perp_file load_good(const char *text, perp_file_format format, perp_arena *a)
{
    perp_file file;
    perp_error e;
    perp_status status = load_string(text, format, a, &file, &e);
    ck_assert_msg(status == PERP_SOLVED, "%d: %s", e.line, e.text);
    ck_assert_str_eq(file.problem.name, "string");
    return file;
}

void load_bad(const char *text, perp_file_format format, int line, const char *words)
{
    perp_arena a = {0};
    perp_file file = {.guesses = 77};
    perp_error e;
    ck_assert_msg(load_string(text, format, &a, &file, &e) == PERP_E_FILE, "accepted: %s", text);
    ck_assert_msg(strstr(e.text, words) != NULL, "\"%s\" does not say \"%s\"", e.text, words);
    ck_assert_msg(e.line == line, "%d, not %d: %s", e.line, line, e.text);
    ck_assert_int_eq(file.guesses, 77);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
}

/* ---- places ---- */

static char directory[64], path[192];

const char *files_path(const char *name)
{
    if (!*directory) {
        strcpy(directory, "/tmp/perp-test-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(directory));
    }
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static int remove_entry(const char *name, const struct stat *s, int type, struct FTW *ftw)
{
    (void)s, (void)type, (void)ftw;
    return remove(name);
}

void files_clean(void)
{
    if (*directory) nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    *directory = '\0';
}

const char *files_write(const char *name, const char *text)
{
    FILE *f = fopen(files_path(name), "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, strlen(text), f), strlen(text));
    ck_assert_int_eq(fclose(f), 0);
    return path;
}

char *files_read(const char *name, size_t *length)
{
    FILE *f = fopen(name, "rb");
    ck_assert_msg(f != NULL, "%s is not there", name);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    ck_assert_int_ge(size, 0);
    rewind(f);
    char *text = malloc((size_t)size + 1);
    ck_assert_ptr_nonnull(text);
    *length = fread(text, 1, (size_t)size, f);
    text[*length] = '\0';
    fclose(f);
    return text;
}

void round_trip(const perp_file *file, perp_file_format format, bool all)
{
    perp_arena a = {0};
    perp_file out = *file, back;
    perp_error e;
    char name[200];
    snprintf(name, sizeof name, "%s", files_path("trip"));
    out.format = format;
    perp_status status = perp_save_file(name, &out, &e);
    ck_assert_msg(status == PERP_SOLVED, "save: %s", e.text);
    status = perp_load_file(name, NULL, &a, &back, &e);
    ck_assert_msg(status == PERP_SOLVED, "load: %d: %s", e.line, e.text);
    ck_assert_int_eq(back.format, format);
    const char *difference = files_differ(file, &back, all);
    ck_assert_msg(!difference, "%s: %s differs", perp_file_format_name(format), difference);
    perp_arena_free(&a);
}
