/* cli/load.c: problem files for commands. */
#include "cli.h"

#include <string.h>

const char *cli_base_name(cli *c, const char *path)
{
    if (strcmp(path, "-") == 0) return "stdin";
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char *copy = perp_alloc(&c->arena, length + 1, 1);
    if (!copy) return "problem";
    memcpy(copy, name, length);
    return copy;
}

bool cli_load(cli *c, const char *path, const char *kind, const char *layout, perp_file *file)
{
    perp_load_options o = {.format = PERP_FILE_ANY, .layout = layout};
    perp_error e = {.status = PERP_SOLVED};
    if (kind) {
        if (!cli_kind(c, kind, &o.kind)) return false;
        o.has_kind = true;
    }
    if (perp_load_file(path, &o, &c->arena, file, &e)) {
        cli_fail_file(c, path, &e);
        return false;
    }
    if (!file->problem.name) file->problem.name = cli_base_name(c, path);
    return true;
}
