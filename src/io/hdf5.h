/* io/hdf5.h: what the library and the module perp_fclib.so say to each other.
 *
 * HDF5 costs a program milliseconds of start-up, so that the library does not link it: a module
 * that does is loaded when the first such file is opened. The module knows nothing of problems; it
 * finds, reads and writes plain arrays by their path ("/fclib_local/W/x"). It trusts no file: only
 * hard links, only arrays of standard numbers and fixed strings, stored without filters and inside
 * the file. */
#ifndef PERP_HDF5_H
#define PERP_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERP_HDF5_VERSION 1 /* of this interface */
#define PERP_HDF5_SYMBOL "perp_hdf5_module"

typedef enum perp_hdf5_type {
    PERP_HDF5_NOTHING, /* no such path */
    PERP_HDF5_GROUP,
    PERP_HDF5_INTS,
    PERP_HDF5_REALS,
    PERP_HDF5_TEXT,  /* the length counts bytes, the final 0 included */
    PERP_HDF5_OTHER, /* there, but nothing that the module is willing to read */
} perp_hdf5_type;

/* Each call holds the module's lock, as HDF5 is not safe for threads. Files are handles >= 0. */
typedef struct perp_hdf5 {
    int version;
    /* A file in memory, which is copied; < 0: not HDF5, or damaged. */
    int64_t (*open)(const void *bytes, size_t length);
    /* What is there; *length numbers or bytes, never more than the file can hold. */
    perp_hdf5_type (*find)(int64_t file, const char *path, size_t *length);
    /* All of it into `out`; type and length are what find() said. Ints are int, reals double. */
    bool (*read)(int64_t file, const char *path, perp_hdf5_type type, size_t length, void *out);
    /* A new file in memory; < 0: no room. */
    int64_t (*create)(void);
    /* A group (data NULL, length 0) or an array of one dimension; text is a scalar. The path's
     * group exists. */
    bool (*write)(int64_t file, const char *path, perp_hdf5_type type, size_t length,
                  const void *data);
    /* The created file: its length (0: failed), and its bytes where `out` has that many. */
    size_t (*image)(int64_t file, void *out, size_t length);
    void (*close)(int64_t file);
} perp_hdf5;

/* hdf5.c: the module, loaded; NULL: *why says what is missing, in one sentence. It is looked for in
 * the folders of $PERP_MODULES, beside the library, in perp/ beside the library, and where perp was
 * installed; it stays loaded until the process ends. */
const perp_hdf5 *perp_hdf5_load(char why[160]);

/* hdf5_guard.c: may HDF5 be given these bytes? False: they would keep it for ever, or could. */
bool perp_hdf5_survives(const void *bytes, size_t length);

#endif
