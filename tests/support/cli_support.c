/* tests/support/cli_support.c: the command called from a test, its output kept. */
#include "cli_support.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MOST 32
#define FILES_MOST 32

char *call_out, *call_err;
static size_t out_length, err_length;
static char paths[FILES_MOST][200];
static int files;
static cli session;

/* dense Siconos layout: n, storage 0, n, n, "n n", rows, q */
const char lcp_easy[] = "2\n0\n2\n2\n2\t2\n2 1\n1 2\n-5 -6\n";
const char lcp_infeasible[] = "2\n0\n2\n2\n2\t2\n0 0\n0 1\n-1 -1\n";
const char lcp_singular[] = "3\n0\n3\n3\n3\t3\n2 0 0\n0 1 1\n0 1 1\n-1 -1 -1\n";

void call_free(void)
{
    free(call_out);
    free(call_err);
    call_out = call_err = NULL;
}

static int call_with(const char *line, va_list files_given)
{
    static char words[2000];
    const char *argv[WORDS_MOST] = {"perp"};
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *w = strtok(words, " "); w; w = strtok(NULL, " ")) {
        argv[argc++] = strcmp(w, "%s") == 0 ? va_arg(files_given, const char *) : w;
        ck_assert_int_lt(argc, WORDS_MOST);
    }
    call_free();
    FILE *out = open_memstream(&call_out, &out_length),
         *err = open_memstream(&call_err, &err_length);
    int status = cli_main(argc, argv, out, err);
    fclose(out);
    fclose(err);
    return status;
}

int call(const char *line, ...)
{
    va_list list;
    va_start(list, line);
    int status = call_with(line, list);
    va_end(list);
    return status;
}

static void contains(const char *line, const char *printed, const char *expected)
{
    if (expected)
        ck_assert_msg(strstr(printed, expected) != NULL, "perp %s: '%s' is not in '%s'", line,
                      expected, printed);
    else
        ck_assert_msg(printed[0] == 0, "perp %s: printed '%s'", line, printed);
}

void calls(int status, const char *out, const char *err, const char *line, ...)
{
    va_list list;
    va_start(list, line);
    int got = call_with(line, list);
    va_end(list);
    ck_assert_msg(got == status, "perp %s: exit status %d, expected %d; '%s'", line, got, status,
                  call_err);
    contains(line, call_out, out);
    contains(line, call_err, err);
}

const char *file_path(const char *name)
{
    const char *folder = getenv("TMPDIR");
    ck_assert_int_lt(files, FILES_MOST);
    snprintf(paths[files], sizeof paths[files], "%s/perp_test_%ld_%s", folder ? folder : "/tmp",
             (long)getpid(), name);
    return paths[files++];
}

const char *file_make(const char *name, const char *content)
{
    const char *path = file_path(name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(content, f);
    ck_assert_int_eq(fclose(f), 0);
    return path;
}

char *file_read(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    char *text = calloc(1, 100000);
    ck_assert_ptr_nonnull(text);
    size_t n = fread(text, 1, 99999, f);
    text[n] = 0;
    fclose(f);
    return text;
}

void files_remove(void)
{
    while (files > 0) remove(paths[--files]);
}

cli *cli_begin(const cli_command *command)
{
    call_free();
    session = (cli){.command = command};
    session.out = open_memstream(&call_out, &out_length);
    session.err = open_memstream(&call_err, &err_length);
    return &session;
}

void cli_end(void)
{
    fclose(session.out);
    fclose(session.err);
    perp_arena_free(&session.arena);
}
