/* io/hdf5_wire.h: what the library and its program perp_hdf5 say to each other, over a socket.
 *
 * The program begins with an answer whose value is HDF5_WIRE. Then each request, followed by its
 * path and its data, gets one answer, followed by its data. */
#ifndef PERP_HDF5_WIRE_H
#define PERP_HDF5_WIRE_H

#include "hdf5.h"

#define HDF5_WIRE 0x70657202u /* of this version */
#define HDF5_PATH 128         /* longer than every path */

typedef enum hdf5_call {
    HDF5_OPEN,   /* data: the file. value: 1, it is open */
    HDF5_FIND,   /* value: perp_hdf5_type, length */
    HDF5_READ,   /* type, length as found. value: 1, and data */
    HDF5_CREATE, /* value: 1 */
    HDF5_WRITE,  /* type, length, data. value: 1 */
    HDF5_SIZE,   /* length: of the created file, 0: failed */
    HDF5_IMAGE,  /* length: what the size was. value: 1, and data */
} hdf5_call;

typedef struct hdf5_request {
    uint32_t call, type;
    uint64_t path, length; /* bytes of the path; numbers, or bytes, of the data */
} hdf5_request;

typedef struct hdf5_answer {
    uint64_t value, length;
} hdf5_answer;

/* Bytes of `length` numbers or characters. */
static inline size_t hdf5_bytes(perp_hdf5_type type, size_t length)
{
    return length * (type == PERP_HDF5_INTS    ? sizeof(int)
                     : type == PERP_HDF5_REALS ? sizeof(double)
                     : type == PERP_HDF5_TEXT  ? 1
                                               : 0);
}

/* What one byte of a file with compressed arrays becomes at most, beyond the first megabyte. */
#define HDF5_EXPANDS 16

/* Bytes of one array of a file of that many bytes, at most. */
static inline uint64_t hdf5_most_bytes(uint64_t length)
{
    const uint64_t small = (uint64_t)1 << 20;
    return length < UINT64_MAX / 32 ? small + HDF5_EXPANDS * length : length;
}

/* Seconds of processor time that the program takes for a file of that many bytes at most, and
 * seconds until it is ended should it sleep. */
static inline unsigned hdf5_work_seconds(uint64_t length)
{
    return 2 + (unsigned)(length >> 23);
}

static inline unsigned hdf5_all_seconds(uint64_t length)
{
    return 60 + 10 * hdf5_work_seconds(length);
}

#endif
