/* cli/plan.c: what a comparison runs, and in which order.
 *
 * Problem by problem, tolerance by tolerance, solver by solver: the number of a run follows from
 * the call alone, so that shards, resumed and repeated comparisons agree on it. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "compare.h"
#include "core/internal.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define DEPTH 16         /* of directories in directories: a link may lead back */
#define DEFAULT_TOL 1e-8 /* one for all: each solver's own would compare different things */

/* ---- files ---- */

typedef struct paths {
    int count, room;
    const char **path;
} paths;

static bool add_path(cli *c, paths *list, const char *path)
{
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 64;
        const char **grown = perp_alloc(&c->arena, (size_t)room, sizeof *grown);
        if (!grown) return !cli_fail(c, "out of memory");
        if (list->count) memcpy(grown, list->path, (size_t)list->count * sizeof *grown);
        list->path = grown;
        list->room = room;
    }
    list->path[list->count++] = path;
    return true;
}

static bool has_known_ending(const char *name)
{
    static const char *const endings[] = {".perp", ".dat", ".hdf5", ".h5", ".qps"};
    const char *dot = strrchr(name, '.');
    for (size_t k = 0; dot && k < sizeof endings / sizeof endings[0]; k++) {
        if (strcasecmp(dot, endings[k]) == 0) return true;
    }
    return false;
}

static const char *join(cli *c, const char *directory, const char *name)
{
    size_t length = strlen(directory), size = length + strlen(name) + 2;
    while (length > 1 && directory[length - 1] == '/') length--;
    char *path = perp_alloc(&c->arena, size, 1);
    if (path) snprintf(path, size, "%.*s/%s", (int)length, directory, name);
    return path;
}

/* A folder and those above it. */
typedef struct place {
    dev_t device;
    ino_t number;
    const struct place *above;
} place;

/* A link to a folder above would be followed round and round, with two of them 2^depth times. */
static bool is_above(const place *here, const struct stat *s)
{
    while (here && (here->device != s->st_dev || here->number != s->st_ino)) here = here->above;
    return here != NULL;
}

static bool add_directory(cli *c, paths *list, const char *directory, int depth, const place *above)
{
    struct stat own;
    DIR *d = opendir(directory);
    if (!d || fstat(dirfd(d), &own)) {
        cli_fail(c, "%s: %s", directory, strerror(errno));
        if (d) closedir(d);
        return false;
    }
    const place here = {own.st_dev, own.st_ino, above};
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(d))) {
        struct stat s;
        if (entry->d_name[0] == '.') continue;
        const char *path = join(c, directory, entry->d_name);
        if (!path)
            good = !cli_fail(c, "out of memory");
        else if (stat(path, &s))
            continue;
        else if (S_ISDIR(s.st_mode))
            good =
                depth == 0 || is_above(&here, &s) || add_directory(c, list, path, depth - 1, &here);
        else if (has_known_ending(path) && S_ISREG(s.st_mode))
            good = add_path(c, list, path);
        else if (has_known_ending(path))
            cli_note(c, "%s is left out: it is no regular file", path);
    }
    closedir(d);
    return good;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* /dev/stdin and its like are another file in each process: the file itself is named. */
static const char *behind_descriptor(cli *c, const char *path)
{
    char found[PATH_MAX];
    bool own = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    if (!own || !realpath(path, found)) return path;
    char *copy = perp_alloc(&c->arena, strlen(found) + 1, 1);
    return copy ? strcpy(copy, found) : path;
}

static bool add_operand(cli *c, paths *list, const char *operand)
{
    struct stat s;
    if (strcmp(operand, "-") == 0)
        return !cli_fail(c, "standard input cannot be read repeatedly; name a file");
    if (stat(operand, &s)) return !cli_fail(c, "%s: %s", operand, strerror(errno));
    if (S_ISREG(s.st_mode)) return add_path(c, list, behind_descriptor(c, operand));
    if (!S_ISDIR(s.st_mode))
        return !cli_fail(c,
                         "%s is no regular file and cannot be read repeatedly, once for each run; "
                         "write its content to a file",
                         operand);
    int before = list->count;
    if (!add_directory(c, list, operand, DEPTH, NULL)) return false;
    if (list->count == before) cli_note(c, "%s holds no problem file", operand);
    if (list->count > before)
        qsort(list->path + before, (size_t)(list->count - before), sizeof *list->path, by_name);
    return true;
}

static bool is_new(const paths *list, int k)
{
    for (int j = 0; j < k; j++) {
        if (strcmp(list->path[j], list->path[k]) == 0) return false;
    }
    return true;
}

bool cli_plan_files(cli *c, int count, const char *const *operand, cli_plan *plan)
{
    paths list = {0};
    for (int k = 0; k < count; k++) {
        if (!add_operand(c, &list, operand[k])) return false;
    }
    plan->problem = perp_alloc(&c->arena, (size_t)list.count, sizeof *plan->problem);
    if (!plan->problem) return !cli_fail(c, "out of memory");
    for (int k = 0; k < list.count; k++) {
        if (is_new(&list, k)) plan->problem[plan->cases++].path = list.path[k];
    }
    return plan->cases > 0 || !cli_fail(c, "there is no problem to solve");
}

/* ---- runs ---- */

static bool add_run(cli *c, cli_plan *plan, const cli_case *p, const char *solver, double tol)
{
    cli_row key = {.problem = p->path, .solver = solver, .tol = tol};
    int from = plan->runs.count; /* the problem's own runs stand at the end */
    while (from > 0 && plan->runs.row[from - 1].problem == p->path) from--;
    if (from < plan->runs.count) {
        cli_rows own = {.count = plan->runs.count - from, .row = plan->runs.row + from};
        if (cli_rows_find(&own, &key)) return true;
    }
    cli_row *row = cli_rows_add(&c->arena, &plan->runs);
    if (!row) return !cli_fail(c, "out of memory");
    row->problem = p->path;
    row->solver = solver;
    row->tol = tol;
    row->run = plan->runs.count - 1;
    if (p->status) {
        row->status = p->status;
        row->detail = p->detail;
        return true;
    }
    row->kind = perp_kind_name(p->kind);
    row->n = p->n;
    return true;
}

/* Does the specification itself set the tolerance? Then --tol leaves it alone. */
static bool sets_tol(const char *specification)
{
    return strstr(specification, ":tol=") || strstr(specification, ",tol=");
}

static bool fits(const perp_options *o, perp_kind kind)
{
    return o->solver->kind == kind || perp_can_lift(kind, o->solver->kind);
}

/* Full name and options: what stands in the column `solver`. */
static const char *full_name(cli *c, const perp_options *o, const char *specification)
{
    const char *name = perp_solver_name(o), *rest = strchr(specification, ':');
    size_t size = strlen(name) + (rest ? strlen(rest) : 0) + 1;
    char *full = perp_alloc(&c->arena, size, 1);
    if (full) snprintf(full, size, "%s%s", name, rest ? rest : "");
    return full;
}

static bool add_given(cli *c, cli_plan *plan, const cli_case *p, const char *specification,
                      double tol)
{
    if (!cli_has_solver(specification, p->kind)) return true;
    const perp_options *o = cli_solver(c, specification, p->kind);
    if (!o) return false;
    if (!fits(o, p->kind)) return true;
    const char *name = full_name(c, o, specification);
    if (!name) return !cli_fail(c, "out of memory");
    return add_run(c, plan, p, name, sets_tol(specification) ? o->tol : tol);
}

static bool add_all(cli *c, cli_plan *plan, const cli_case *p, double tol)
{
    bool own = false;
    for (int k = 0; perp_solvers()[k]; k++) own = own || perp_solvers()[k]->solver->kind == p->kind;
    for (int k = 0; perp_solvers()[k]; k++) {
        const perp_options *o = perp_solvers()[k];
        if (own ? o->solver->kind != p->kind : !fits(o, p->kind)) continue;
        if (!add_run(c, plan, p, perp_solver_name(o), tol)) return false;
    }
    return true;
}

static bool read_tols(cli *c, const cli_list *list, double *tol)
{
    for (int k = 0; k < list->count; k++) {
        char *end;
        tol[k] = strtod(list->item[k], &end);
        if (*end || end == list->item[k] || !(tol[k] > 0) || !(tol[k] < 1))
            return !cli_fail(c, "--tol: '%s' is no number between 0 and 1", list->item[k]);
    }
    return true;
}

static bool add_runs(cli *c, const cli_list *solvers, double tol, cli_plan *plan, const cli_case *p)
{
    if (!solvers->count) return add_all(c, plan, p, tol);
    for (int k = 0; k < solvers->count; k++) {
        if (!add_given(c, plan, p, solvers->item[k], tol)) return false;
    }
    return true;
}

bool cli_plan_runs(cli *c, const cli_list *solvers, const cli_list *tols, cli_plan *plan)
{
    int left[PERP_KINDS] = {0};
    double *tol = perp_alloc(&c->arena, (size_t)tols->count, sizeof *tol);
    if (!tol) return !cli_fail(c, "out of memory");
    if (!read_tols(c, tols, tol)) return false;
    for (int i = 0; i < plan->cases; i++) {
        const cli_case *p = &plan->problem[i];
        int before = plan->runs.count;
        if (p->status && !add_run(c, plan, p, "-", NAN)) return false;
        for (int k = 0; !p->status && k < (tols->count ? tols->count : 1); k++) {
            if (!add_runs(c, solvers, tols->count ? tol[k] : DEFAULT_TOL, plan, p)) return false;
        }
        if (plan->runs.count == before) left[p->kind]++;
    }
    for (int k = 0; k < PERP_KINDS; k++) {
        if (left[k])
            cli_note(c, "no solver fits problems of kind %s: %d left out",
                     perp_kind_name((perp_kind)k), left[k]);
    }
    return plan->runs.count > 0 || !cli_fail(c, "there is nothing to run");
}

bool cli_plan_shard(cli *c, const char *text, int *index, int *count)
{
    char *slash, *end;
    long i = strtol(text, &slash, 10), n = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
    if (n < 1 || n > INT_MAX || *end || i < 1 || i > n)
        return !cli_fail(c, "--shard: expected I/N with 1 <= I <= N, as in 2/5, not '%s'", text);
    *index = (int)i - 1;
    *count = (int)n;
    return true;
}
