/* io/hdf5.c: find and load the module that links HDF5.
 *
 * The module is never unloaded: HDF5 leaves a function behind for the end of the process. Loading
 * it again is a reference count. */
#define _GNU_SOURCE /* dladdr, secure_getenv */
#include "hdf5.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODULE "perp_fclib.so"
#define PATH_SIZE 4096
#ifndef RTLD_NODELETE
#define RTLD_NODELETE 0
#endif

typedef struct search {
    const perp_hdf5 *found;
    char *why;
} search;

/* The first line only, and not more of it than there is room for. */
static void explain(search *s, const char *what, const char *detail)
{
    snprintf(s->why, 160, "%s: %.*s", what, (int)strcspn(detail, "\n"), detail);
}

/* True: the search is over. */
static bool try_folder(search *s, const char *folder, size_t length, const char *below)
{
    char path[PATH_SIZE];
    int written = snprintf(path, sizeof path, "%.*s/%s" MODULE, (int)length, folder, below);
    if (length == 0 || length >= sizeof path || written >= (int)sizeof path) return false;
    if (access(path, R_OK)) return false;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!module) {
        explain(s, "the module for HDF5 cannot be loaded", dlerror());
        return true;
    }
    const perp_hdf5 *table = dlsym(module, PERP_HDF5_SYMBOL);
    if (table && table->version == PERP_HDF5_VERSION) {
        s->found = table;
    } else {
        explain(s, "the module for HDF5 is of another version of perp", path);
    }
    return true;
}

static bool try_environment(search *s)
{
    const char *at = secure_getenv("PERP_MODULES");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        if (try_folder(s, at, length, "")) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* Beside the library that this code is in, or the program that it was linked into. */
static bool try_beside(search *s)
{
    Dl_info info;
    const char *slash = NULL;
    static const char here = 0;
    if (dladdr(&here, &info) && info.dli_fname) slash = strrchr(info.dli_fname, '/');
    if (!slash) return false;
    size_t length = slash > info.dli_fname ? (size_t)(slash - info.dli_fname) : 1;
    return try_folder(s, info.dli_fname, length, "") ||
           try_folder(s, info.dli_fname, length, "perp/");
}

const perp_hdf5 *perp_hdf5_load(char why[160])
{
    search s = {.why = why};
    if (try_environment(&s) || try_beside(&s) ||
        try_folder(&s, PERP_MODULE_DIR, strlen(PERP_MODULE_DIR), ""))
        return s.found;
    snprintf(why, 160,
             "reading and writing HDF5 needs perp's module " MODULE
             ", which is not there; set PERP_MODULES to its folder");
    return NULL;
}
