/* io/process/perp_hdf5.c: the program perp_hdf5, all of perp that knows HDF5.
 *
 * It serves the library over its standard input, a socket (hdf5_wire.h), one file at a time, and
 * ends when that closes. HDF5 has had its share of faults on hostile files: the program limits its
 * own time and memory by the size of the file, opens no other, walks paths link by link and only
 * over hard links, runs no filters but the three below, and does not touch external and virtual
 * storage and types of the file's own making; a dataset must be all there. */
#define _GNU_SOURCE /* RLIMIT_AS and its like */
#include "base/system.h"
#include "io/hdf5_wire.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- limits ---- */

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#define MEGABYTE ((rlim_t)1 << 20)

/* Reading a file of this length, HDF5 needs a few copies of it and milliseconds for a megabyte. A
 * sanitizer needs its shadow memory and writes reports. */
static void set_limits(uint64_t length)
{
    const rlim_t seconds = hdf5_work_seconds(length);
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds + 1});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    alarm(hdf5_all_seconds(length));
#ifndef SANITIZED
    const rlim_t memory = (256 + (12 + HDF5_EXPANDS) * (rlim_t)(length / MEGABYTE)) * MEGABYTE;
    setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, 3});
#endif
}

/* ---- opening ---- */

/* Memory-backed access; an image is copied. < 0: failed. */
static hid_t memory_access(const void *bytes, size_t length)
{
    const size_t step = (size_t)1 << 20; /* the image grows by that much */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool good = access >= 0 && H5Pset_fapl_core(access, step, 0) >= 0 &&
                H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0;
    if (good && bytes) {
        void *image = (void *)(uintptr_t)bytes; /* HDF5 forgot the const; it copies */
        good = H5Pset_file_image(access, image, length) >= 0;
    }
    if (good) return access;
    if (access >= 0) H5Pclose(access);
    return -1;
}

/* bytes NULL: a new file. HDF5 wants a name, and looks whether such a file exists: none can. */
static hid_t open_file(const void *bytes, size_t length)
{
    const char *name = "/dev/null/perp";
    hid_t file = -1, access = memory_access(bytes, length);
    if (access >= 0) {
        file = bytes ? H5Fopen(name, H5F_ACC_RDONLY, access)
                     : H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
    }
    return file;
}

/* ---- finding ---- */

/* The object behind `name` in the group, by a hard link. < 0: none, *exists says whether a link of
 * another kind is there. */
static hid_t open_link(hid_t group, const char *name, bool *exists)
{
    H5L_info_t link;
    *exists = H5Lexists(group, name, H5P_DEFAULT) > 0;
    if (!*exists || H5Lget_info(group, name, &link, H5P_DEFAULT) < 0) return -1;
    if (link.type != H5L_TYPE_HARD) return -1;
    return H5Oopen(group, name, H5P_DEFAULT);
}

/* Walk "/a/b/c" from the root. */
static hid_t open_path(hid_t file, const char *path, bool *exists)
{
    hid_t object = H5Gopen2(file, "/", H5P_DEFAULT);
    *exists = object >= 0;
    while (object >= 0 && *path == '/') {
        char name[64];
        size_t length = strcspn(++path, "/");
        if (length == 0 || length >= sizeof name || H5Iget_type(object) != H5I_GROUP) {
            *exists = false;
            H5Oclose(object);
            return -1;
        }
        memcpy(name, path, length);
        name[length] = 0;
        hid_t next = open_link(object, name, exists);
        H5Oclose(object);
        object = next;
        path += length;
    }
    return object;
}

/* The filters of HDF5's own library: they decide nothing but how bytes are packed. */
static bool is_known(H5Z_filter_t filter)
{
    return filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
           filter == H5Z_FILTER_FLETCHER32;
}

/* Compressed chunks; *known: by filters that perp is willing to run. */
static bool is_filtered(hid_t plist, bool *known)
{
    int filters = H5Pget_nfilters(plist);
    *known = filters >= 0 && filters <= 4;
    for (int k = 0; *known && k < filters; k++) {
        unsigned flags, config;
        size_t values = 0;
        *known =
            is_known(H5Pget_filter2(plist, (unsigned)k, &flags, &values, NULL, 0, NULL, &config));
    }
    return filters != 0;
}

/* Points of a chunk together; 0: there are none. */
static hsize_t chunk_points(hid_t plist)
{
    hsize_t size = 0;
    return H5Pget_layout(plist) == H5D_CHUNKED && H5Pget_chunk(plist, 1, &size) == 1 ? size : 0;
}

/* Stored in the file itself, unfiltered or in chunks of about so many points, which are *packed. */
static bool is_plain(hid_t dataset, hssize_t points, bool *packed)
{
    hid_t plist = H5Dget_create_plist(dataset);
    if (plist < 0) return false;
    H5D_layout_t layout = H5Pget_layout(plist);
    bool known,
        plain = H5Pget_external_count(plist) == 0 &&
                (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED);
    *packed = is_filtered(plist, &known);
    if (*packed) {
        hsize_t chunk = chunk_points(plist), most = points > 0 ? (hsize_t)points : 0;
        plain = plain && known && chunk > 0 && chunk <= 2 * most + 1024;
    }
    H5Pclose(plist);
    return plain;
}

/* Only types that HDF5 has a constant for: nothing to convert that the file made up. */
static perp_hdf5_type number_type(hid_t type)
{
    const hid_t ints[] = {H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U32LE, H5T_STD_U64LE,
                          H5T_STD_I32BE, H5T_STD_I64BE, H5T_STD_U32BE, H5T_STD_U64BE};
    const hid_t reals[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE};
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
        if (H5Tequal(type, ints[k]) > 0) return PERP_HDF5_INTS;
    }
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
        if (H5Tequal(type, reals[k]) > 0) return PERP_HDF5_REALS;
    }
    return PERP_HDF5_OTHER;
}

/* Points of a scalar or of one dimension; -1: anything else. */
static hssize_t count_points(hid_t dataset)
{
    hid_t space = H5Dget_space(dataset);
    if (space < 0) return -1;
    H5S_class_t class = H5Sget_simple_extent_type(space);
    bool good =
        class == H5S_SCALAR || (class == H5S_SIMPLE && H5Sget_simple_extent_ndims(space) == 1);
    hssize_t points = good ? H5Sget_simple_extent_npoints(space) : -1;
    H5Sclose(space);
    return points;
}

/* All points are stored, or none: stored files have datasets that were never written and read as
 * zeros. Those too must be no longer than the file, which of a hundred bytes could claim any
 * number. What is packed may be longer by what hdf5_wire.h says. */
static bool is_all_there(hid_t file, hid_t dataset, hssize_t points, size_t size, bool packed)
{
    hsize_t length = 0;
    if (points < 0 || size == 0 || H5Fget_filesize(file, &length) < 0) return false;
    hsize_t stored = H5Dget_storage_size(dataset);
    if (packed && stored > 0) return (hsize_t)points <= hdf5_most_bytes(length) / size;
    if ((hsize_t)points > length / size) return false;
    return stored == 0 || stored >= (hsize_t)points * size;
}

static perp_hdf5_type find_dataset(hid_t file, hid_t dataset, size_t *length)
{
    hssize_t points = count_points(dataset);
    bool packed;
    if (!is_plain(dataset, points, &packed)) return PERP_HDF5_OTHER;
    hid_t type = H5Dget_type(dataset);
    if (type < 0) return PERP_HDF5_OTHER;
    size_t size = H5Tget_size(type);
    perp_hdf5_type found = PERP_HDF5_OTHER;
    if (is_all_there(file, dataset, points, size, packed)) {
        *length = (size_t)points;
        if (H5Tget_class(type) != H5T_STRING) {
            found = number_type(type);
        } else if (points == 1 && H5Tis_variable_str(type) == 0) {
            *length = size;
            found = PERP_HDF5_TEXT;
        }
    }
    H5Tclose(type);
    return found;
}

static perp_hdf5_type find(hid_t file, const char *path, size_t *length)
{
    bool exists;
    perp_hdf5_type found = PERP_HDF5_OTHER;
    hid_t object = open_path(file, path, &exists);
    *length = 0;
    if (!exists) found = PERP_HDF5_NOTHING;
    if (object >= 0) {
        H5I_type_t type = H5Iget_type(object);
        if (type == H5I_GROUP) found = PERP_HDF5_GROUP;
        if (type == H5I_DATASET) found = find_dataset(file, object, length);
        H5Oclose(object);
    }
    return found;
}

/* ---- reading ---- */

/* A string's type in memory is its type in the file: no conversion, so no surprise. */
static bool read_dataset(hid_t dataset, perp_hdf5_type type, void *out)
{
    if (type == PERP_HDF5_INTS)
        return H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    if (type == PERP_HDF5_REALS)
        return H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    hid_t text = H5Dget_type(dataset);
    bool good = text >= 0 && H5Dread(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    if (text >= 0) H5Tclose(text);
    return good;
}

static bool read_file(hid_t file, const char *path, perp_hdf5_type type, size_t length, void *out)
{
    bool exists, good = false;
    size_t there = 0;
    hid_t object = open_path(file, path, &exists);
    if (object >= 0) {
        good = H5Iget_type(object) == H5I_DATASET && find_dataset(file, object, &there) == type &&
               there == length && read_dataset(object, type, out);
        H5Oclose(object);
    }
    return good;
}

/* ---- writing ---- */

static bool write_group(hid_t file, const char *path)
{
    hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group >= 0 && H5Gclose(group) >= 0;
}

/* A copy that the caller closes, with the dataspace. */
static hid_t describe(perp_hdf5_type type, size_t length, hid_t *space)
{
    const hsize_t points = length;
    if (type != PERP_HDF5_TEXT) {
        *space = H5Screate_simple(1, &points, NULL);
        return H5Tcopy(type == PERP_HDF5_INTS ? H5T_STD_I32LE : H5T_IEEE_F64LE);
    }
    *space = H5Screate(H5S_SCALAR);
    hid_t text = H5Tcopy(H5T_C_S1);
    if (text >= 0) H5Tset_size(text, length);
    return text;
}

static bool write_array(hid_t file, const char *path, perp_hdf5_type type, size_t length,
                        const void *data)
{
    hid_t space = -1, stored = describe(type, length, &space);
    hid_t memory = type == PERP_HDF5_INTS    ? H5T_NATIVE_INT
                   : type == PERP_HDF5_REALS ? H5T_NATIVE_DOUBLE
                                             : stored;
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE), dataset = -1;
    /* no times: the same problem gives the same bytes */
    if (space >= 0 && stored >= 0 && plist >= 0 && H5Pset_obj_track_times(plist, false) >= 0)
        dataset = H5Dcreate2(file, path, stored, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    bool good = dataset >= 0;
    if (good && length) good = H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (dataset >= 0) good = H5Dclose(dataset) >= 0 && good;
    if (plist >= 0) H5Pclose(plist);
    if (stored >= 0) H5Tclose(stored);
    if (space >= 0) H5Sclose(space);
    return good;
}

static bool write_file(hid_t file, const char *path, perp_hdf5_type type, size_t length,
                       const void *data)
{
    bool good = type == PERP_HDF5_GROUP ? write_group(file, path)
                                        : write_array(file, path, type, length, data);
    return good;
}

static size_t image_size(hid_t file)
{
    ssize_t size = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
    return size > 0 ? (size_t)size : 0;
}

/* ---- serving ---- */

#define SOCKET 0

typedef struct service {
    hid_t file; /* < 0: none yet */
    hdf5_request request;
    char path[HDF5_PATH];
    void *data; /* of the request, or room for that of the answer */
    size_t room;
} service;

/* The library may take any time between two requests. */
static bool send_all(const void *data, size_t bytes)
{
    return perp_socket_send(SOCKET, data, bytes, -1);
}

static bool receive_all(void *data, size_t bytes)
{
    return perp_socket_receive(SOCKET, data, bytes, -1);
}

static bool answer(uint64_t value, uint64_t length)
{
    const hdf5_answer a = {.value = value, .length = length};
    return send_all(&a, sizeof a);
}

/* Room for so many bytes at s->data. */
static bool reserve(service *s, size_t bytes)
{
    if (bytes <= s->room && s->data) return true;
    void *more = realloc(s->data, bytes ? bytes : 1);
    if (!more) return false;
    s->data = more;
    s->room = bytes;
    return true;
}

/* The request's data; false: no room for it, or the library is gone. */
static bool take_data(service *s, size_t bytes)
{
    return reserve(s, bytes) && receive_all(s->data, bytes);
}

static bool serve_open(service *s)
{
    size_t length = (size_t)s->request.length;
    set_limits(length);
    if (!take_data(s, length)) return false;
    if (s->file < 0 && length) s->file = open_file(s->data, length);
    return answer(s->file >= 0, 0);
}

static bool serve_find(service *s)
{
    size_t length = 0;
    perp_hdf5_type type = find(s->file, s->path, &length);
    return answer((uint64_t)type, length);
}

static bool serve_read(service *s)
{
    size_t length = (size_t)s->request.length, bytes = hdf5_bytes(s->request.type, length);
    if (!reserve(s, bytes) ||
        !read_file(s->file, s->path, (perp_hdf5_type)s->request.type, length, s->data))
        return answer(0, 0);
    return answer(1, length) && send_all(s->data, bytes);
}

static bool serve_write(service *s)
{
    size_t length = (size_t)s->request.length;
    perp_hdf5_type type = (perp_hdf5_type)s->request.type;
    if (!take_data(s, hdf5_bytes(type, length))) return false;
    return answer(write_file(s->file, s->path, type, length, s->data), 0);
}

static bool serve_image(service *s)
{
    size_t length = (size_t)s->request.length;
    if (length != image_size(s->file) || !reserve(s, length) ||
        H5Fget_file_image(s->file, s->data, length) != (ssize_t)length)
        return answer(0, 0);
    return answer(1, length) && send_all(s->data, length);
}

static bool serve(service *s)
{
    hdf5_call call = (hdf5_call)s->request.call;
    if (call == HDF5_OPEN) return serve_open(s);
    if (call == HDF5_CREATE) {
        if (s->file < 0) s->file = open_file(NULL, 0);
        return answer(s->file >= 0, 0);
    }
    if (s->file < 0) return false;
    switch (call) {
    case HDF5_FIND: return serve_find(s);
    case HDF5_READ: return serve_read(s);
    case HDF5_WRITE: return serve_write(s);
    case HDF5_SIZE: return answer(1, image_size(s->file));
    case HDF5_IMAGE: return serve_image(s);
    default: return false;
    }
}

static bool take_request(service *s)
{
    if (!receive_all(&s->request, sizeof s->request)) return false;
    if (s->request.path >= sizeof s->path) return false;
    s->path[s->request.path] = 0;
    return receive_all(s->path, (size_t)s->request.path);
}

/* Ends without HDF5's own ending, which complains about damaged files. */
int main(void)
{
    service s = {.file = -1};
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (!answer(HDF5_WIRE, 0)) return 1;
    while (take_request(&s) && serve(&s)) continue;
    _exit(0);
}
