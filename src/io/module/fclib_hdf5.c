/* io/module/fclib_hdf5.c: the module perp_fclib.so, all of perp that knows HDF5.
 *
 * A file is read from a copy in memory, so that standard input works and nobody changes it
 * meanwhile. HDF5 has had its share of faults on hostile files: paths are walked link by link and
 * only over hard links, filters, external and virtual storage and types of the file's own making
 * are not touched, and a dataset must be all there. HDF5's error printing is off during a call and
 * as it was afterwards; one lock covers all calls. */
#include "../hdf5.h"

#include <hdf5.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- the lock, and silence ---- */

typedef struct quiet {
    H5E_auto2_t print;
    void *data;
} quiet;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long opened; /* files so far, under the lock */

/* All files are closed by hand: nothing is left for HDF5 to do when the process ends, and after a
 * damaged file it would complain. */
static quiet enter(void)
{
    quiet q = {0};
    pthread_mutex_lock(&lock);
    if (opened == 0) H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &q.print, &q.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return q;
}

static void leave(quiet q)
{
    H5Eset_auto2(H5E_DEFAULT, q.print, q.data);
    pthread_mutex_unlock(&lock);
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

/* Files in memory are told apart by their names: two of one name would be one file. */
static int64_t open_file(const void *bytes, size_t length)
{
    char name[40];
    quiet q = enter();
    snprintf(name, sizeof name, "perp-%lu", ++opened);
    hid_t file = -1, access = memory_access(bytes, length);
    if (access >= 0) {
        file = bytes ? H5Fopen(name, H5F_ACC_RDONLY, access)
                     : H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
    }
    leave(q);
    return file;
}

static int64_t open_bytes(const void *bytes, size_t length)
{
    return length ? open_file(bytes, length) : -1;
}

static int64_t create_file(void)
{
    return open_file(NULL, 0);
}

static void close_file(int64_t file)
{
    quiet q = enter();
    H5Fclose(file);
    leave(q);
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

/* Stored in the file itself, and unfiltered. */
static bool is_plain(hid_t dataset)
{
    hid_t plist = H5Dget_create_plist(dataset);
    if (plist < 0) return false;
    H5D_layout_t layout = H5Pget_layout(plist);
    bool plain = H5Pget_nfilters(plist) == 0 && H5Pget_external_count(plist) == 0 &&
                 (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED);
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
 * number. */
static bool is_all_there(hid_t file, hid_t dataset, hssize_t points, size_t size)
{
    hsize_t length = 0;
    if (points < 0 || size == 0 || H5Fget_filesize(file, &length) < 0) return false;
    if ((hsize_t)points > length / size) return false;
    hsize_t stored = H5Dget_storage_size(dataset);
    return stored == 0 || stored >= (hsize_t)points * size;
}

static perp_hdf5_type find_dataset(hid_t file, hid_t dataset, size_t *length)
{
    if (!is_plain(dataset)) return PERP_HDF5_OTHER;
    hid_t type = H5Dget_type(dataset);
    if (type < 0) return PERP_HDF5_OTHER;
    size_t size = H5Tget_size(type);
    hssize_t points = count_points(dataset);
    perp_hdf5_type found = PERP_HDF5_OTHER;
    if (is_all_there(file, dataset, points, size)) {
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

static perp_hdf5_type find(int64_t file, const char *path, size_t *length)
{
    bool exists;
    quiet q = enter();
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
    leave(q);
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

static bool read_file(int64_t file, const char *path, perp_hdf5_type type, size_t length, void *out)
{
    bool exists, good = false;
    size_t there = 0;
    quiet q = enter();
    hid_t object = open_path(file, path, &exists);
    if (object >= 0) {
        good = H5Iget_type(object) == H5I_DATASET && find_dataset(file, object, &there) == type &&
               there == length && read_dataset(object, type, out);
        H5Oclose(object);
    }
    leave(q);
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

static bool write_file(int64_t file, const char *path, perp_hdf5_type type, size_t length,
                       const void *data)
{
    quiet q = enter();
    bool good = type == PERP_HDF5_GROUP ? write_group(file, path)
                                        : write_array(file, path, type, length, data);
    leave(q);
    return good;
}

static size_t copy_image(int64_t file, void *out, size_t length)
{
    quiet q = enter();
    ssize_t size = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
    if (size > 0 && out) size = (size_t)size == length ? H5Fget_file_image(file, out, length) : -1;
    leave(q);
    return size > 0 ? (size_t)size : 0;
}

extern const perp_hdf5 perp_hdf5_module;
__attribute__((visibility("default"))) const perp_hdf5 perp_hdf5_module = {
    .version = PERP_HDF5_VERSION,
    .open = open_bytes,
    .find = find,
    .read = read_file,
    .create = create_file,
    .write = write_file,
    .image = copy_image,
    .close = close_file,
};
