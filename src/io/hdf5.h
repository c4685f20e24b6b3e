/* io/hdf5.h: HDF5 files, through a process of its own.
 *
 * HDF5 costs a program milliseconds of start-up, is not safe for threads, and falls on hostile
 * files: it has looped for ever, crashed and taken all memory under fuzzing. So the library does
 * not link it. The program perp_hdf5 does (process/perp_hdf5.c); it is started for each file, has
 * limits of time and memory, and is asked for plain arrays by their path ("/fclib_local/W/x"). When
 * it falls, that file is refused, and nothing else happens.
 *
 * What it answers is believed as little as a file is: no length is larger than the file allows. */
#ifndef PERP_HDF5_H
#define PERP_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum perp_hdf5_type {
    PERP_HDF5_NOTHING, /* no such path */
    PERP_HDF5_GROUP,
    PERP_HDF5_INTS,
    PERP_HDF5_REALS,
    PERP_HDF5_TEXT,  /* the length counts bytes, the final 0 included */
    PERP_HDF5_OTHER, /* there, but nothing that perp is willing to read */
} perp_hdf5_type;

/* One file and its process; any number at a time, in any thread. */
typedef struct perp_hdf5 {
    int socket;   /* -1: none */
    long process; /* its pid */
    size_t bytes; /* of a file that is read */
    bool fallen;  /* the process ended before it was told to, or does not answer */
} perp_hdf5;

#define PERP_HDF5_WHY 160 /* room for a sentence */

/* A file in memory, which is copied. False: *why says what is wrong, and there is nothing to close.
 */
bool perp_hdf5_open(perp_hdf5 *h, const void *bytes, size_t length, char why[PERP_HDF5_WHY]);
/* What is there: *length numbers or bytes. */
perp_hdf5_type perp_hdf5_find(perp_hdf5 *h, const char *path, size_t *length);
/* All of it into `out`; type and length are what find() said. Ints are int, reals double. */
bool perp_hdf5_read(perp_hdf5 *h, const char *path, perp_hdf5_type type, size_t length, void *out);

/* A new file. */
bool perp_hdf5_create(perp_hdf5 *h, char why[PERP_HDF5_WHY]);
/* A group (data NULL, length 0) or an array of one dimension; text is a scalar. The path's group
 * exists. */
bool perp_hdf5_write(perp_hdf5 *h, const char *path, perp_hdf5_type type, size_t length,
                     const void *data);
/* The created file: its length (0: failed), and its bytes where `out` has that many. */
size_t perp_hdf5_image(perp_hdf5 *h, void *out, size_t length);

void perp_hdf5_close(perp_hdf5 *h);

/* ---- hdf5_process.c ---- */

/* Start the program, which is looked for in the folders of $PERP_MODULES, beside the file that this
 * code is in (the library, or the program that it was linked into), in perp/ there, and where perp
 * was installed; only by absolute paths, and never where everybody can write. It has so many
 * seconds to answer. */
bool perp_hdf5_start(perp_hdf5 *h, double seconds, char why[PERP_HDF5_WHY]);
/* Close the socket, at which the program ends, and wait for that; it is killed where it does not.
 */
void perp_hdf5_end(perp_hdf5 *h);

#endif
