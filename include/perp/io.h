/* perp/io.h: problems in files.
 *
 * Five formats: perp's own text, Siconos' .dat, FCLIB's HDF5, QPS, Matrix Market. Kind and format
 * are found from the content, never from the name. Reading refuses hostile and broken files with
 * the place in the error; writing goes to a temporary name first and to the disk, so that a file is
 * whole or not there, and an old one is replaced by a whole one or stays, also when the process is
 * killed or the disk is full. Text is written and read with a decimal point in every locale. */
#ifndef PERP_IO_H
#define PERP_IO_H

#include "perp/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum perp_file_format {
    PERP_FILE_ANY, /* when reading: by content; when writing: by the name's ending */
    PERP_FILE_TEXT,
    PERP_FILE_SICONOS,
    PERP_FILE_FCLIB,
    PERP_FILE_QPS,
    PERP_FILE_MATRIX_MARKET,
} perp_file_format;
#define PERP_FILE_FORMATS (PERP_FILE_MATRIX_MARKET + 1) /* a new format is the last */

/* What a file holds. Everything is the arena's. */
typedef struct perp_file {
    perp_file_format format;
    perp_problem problem;
    const char *title, *description; /* NULL: none */
    double constant;                 /* of a QP's objective; perp never needs it to solve */
    const double *solution;          /* length perp_size, as stored: judge it; NULL: none */
    int guesses;                     /* stored starts, length perp_size each */
    const double *const *guess;
    void *reserved[8];
} perp_file;

typedef struct perp_load_options {
    perp_file_format format; /* PERP_FILE_ANY: found */
    bool has_kind;           /* kind says what a .dat is that reads in two ways */
    perp_kind kind;
    size_t max_bytes; /* refuse files, and problems, that would take more. 0: 16 GiB (on 32 bits 1
                         GiB), and 256 MiB from a stream: standard input, a pipe, a device */
    /* What a .dat is that reads in two ways of one kind: lcp, relay, mlcp, fc2d, gfc2d, fc3d,
       gfc3d, rfc2d, grfc2d, rfc3d, grfc3d, soclcp, gmp, plasticity or plasticity-old. A .dat that
       reads in one way alone is read so, a file of another format refused. NULL: nothing is said */
    const char *layout;
    void *reserved[3];
} perp_load_options;

/* The problem alone, or all that the file holds; o may be NULL. "-" is standard input. When they
 * refuse, the arena is as it was, *p and *file are untouched, and the error (may be NULL) has the
 * line and, in one sentence that does not repeat the file's name, what was expected there. The
 * file's bytes are in memory meanwhile, beside the arena. A stream is read to its end, and waited
 * for, as `cat` does; perp_load takes 256 MiB of it at most, perp_load_file max_bytes. */
PERP_API perp_status perp_load(const char *path, perp_arena *a, perp_problem *p, perp_error *error);
PERP_API perp_status perp_load_file(const char *path, const perp_load_options *o, perp_arena *a,
                                    perp_file *file, perp_error *error);
/* The same from memory. `name` is for errors and for problem.name. */
PERP_API perp_status perp_load_memory(const void *bytes, size_t length, const char *name,
                                      const perp_load_options *o, perp_arena *a, perp_file *file,
                                      perp_error *error);

/* Write to `path` ("-": standard output, which must be able to hold the format), by its ending when
 * format is PERP_FILE_ANY: .perp .dat .hdf5 .h5 .qps .mtx. Numbers are written so that they read
 * back bit for bit. A kind that the format cannot hold is refused; a title, solution or guess that
 * it has no place for is left out. */
PERP_API perp_status perp_save(const char *path, perp_file_format format, const perp_problem *p,
                               perp_error *error);
PERP_API perp_status perp_save_file(const char *path, const perp_file *file, perp_error *error);

PERP_API const char *perp_file_format_name(perp_file_format format); /* "siconos"; NULL: no such */
PERP_API bool perp_file_format_holds(perp_file_format format, perp_kind kind);

/* A vector of numbers from a text or Matrix Market file, as `perp certify` reads solutions. */
PERP_API perp_status perp_load_vector(const char *path, perp_arena *a, perp_index *n,
                                      const double **x, perp_error *error);
PERP_API perp_status perp_save_vector(const char *path, perp_index n, const double *x,
                                      perp_error *error);

/* A single matrix in Matrix Market's format: dense of array files, CSC of coordinate files. What is
 * dense is written as an array, anything else by coordinates. */
PERP_API perp_status perp_load_matrix(const char *path, perp_arena *a, perp_matrix *A,
                                      perp_error *error);
PERP_API perp_status perp_save_matrix(const char *path, const perp_matrix *A, perp_error *error);

#ifdef __cplusplus
}
#endif
#endif
