/* tests/support/files.h: what the tests of problem files share: files that are strings, a place for
 * files to be written to, and the comparison of what was read, bit for bit. */
#ifndef PERP_FILES_H
#define PERP_FILES_H

#include "perp/io.h"

/* Read a string as a file of this format. The error is never empty after a refusal. */
perp_status load_string(const char *text, perp_file_format format, perp_arena *a, perp_file *file,
                        perp_error *e);
/* The same where it must succeed. */
perp_file load_good(const char *text, perp_file_format format, perp_arena *a);
/* The same where it must be refused with this line and these words, leaving the arena as it was. */
void load_bad(const char *text, perp_file_format format, int line, const char *words);

/* A file name in a directory of the test's own; files_clean removes both. */
const char *files_path(const char *name);
void files_clean(void);
/* Write text to files_path(name), which is returned. */
const char *files_write(const char *name, const char *text);
/* The text of a file; the caller frees it. */
char *files_read(const char *path, size_t *length);

/* Do two files say the same, bit for bit, in the same matrix formats? Bounds that are not given are
 * infinite ones, vectors that may be left out zeros. Titles, solutions and guesses count when
 * `all`. The first difference is named; NULL: none. */
const char *files_differ(const perp_file *a, const perp_file *b, bool all);

/* Are the entries equal, whatever is stored? */
bool files_same_entries(const perp_matrix *A, const perp_matrix *B);

/* Save, read back and compare; ck_assert where it fails. */
void round_trip(const perp_file *file, perp_file_format format, bool all);

#endif
