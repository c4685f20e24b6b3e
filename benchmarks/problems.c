/* problems.c: the families of the tables: those of src/generate, and contacts through the assembly
 * of perp/rigid.h, made dense as the peers read nothing else; friction problems from files and
 * scenes, by 3x3 blocks. */
#include "bench.h"
#include "generate.h"

#include <dirent.h>
#include <stdlib.h>

#define LONGEST 512 /* of a path */

static bool make_dense(perp_problem *p, perp_arena *a)
{
    return perp_convert(&p->as.lcp.M, PERP_FORMAT_DENSE, a, &p->as.lcp.M, NULL) == PERP_SOLVED;
}

/* The eccentric sphere of the paper: radius 15 mm, its centre of mass 5 mm below the centre, which
 * spins fast about a tilted axis on a plane. The seed tilts it. */
static bool make_contact(int n, int seed, perp_arena *a, perp_problem *p)
{
    const double radius = 0.015, offset = 0.005;
    generator g = generator_start((uint64_t)seed);
    double tilt = 0.1 + generator_unit(&g), turn = 6.28 * generator_unit(&g);
    double axis[3] = {sin(tilt) * cos(turn), sin(tilt) * sin(turn), cos(tilt)};
    perp_body top = perp_body_make(0.015, 1.3e-6, 1.3e-6, 1.2e-6);
    top.rotation[0] = cos(tilt / 2);
    top.rotation[1] = -sin(tilt / 2) * sin(turn);
    top.rotation[2] = sin(tilt / 2) * cos(turn);
    top.force[2] = -9.81 * top.mass;
    for (int i = 0; i < 3; i++) {
        top.position[i] = (i == 2 ? radius : 0) - offset * axis[i];
        top.velocity[i] = (i == 2 ? 0.02 : 0.2) * generator_uniform(&g);
        top.spin[i] = 150 * axis[i] + 5 * generator_uniform(&g);
    }
    perp_contact floor = {.a = 0, .b = -1, .normal = {0, 0, 1}, .mu = 0.3};
    perp_rigid step = {.bodies = 1,
                       .contacts = 1,
                       .body = &top,
                       .contact = &floor,
                       .dt = 1e-3,
                       .rule = PERP_RULE_GAP,
                       .gyroscopic = true};
    return perp_rigid_lcp_facets(&step, n - 2, a, p, NULL) == PERP_SOLVED && make_dense(p, a);
}

/* Boxes with random contacts as the LCP of Stewart and Trinkle: facets + 2 unknowns a contact. */
static bool make_boxes(int facets, int n, int seed, perp_arena *a, perp_problem *p)
{
    generate_request r = generate_defaults;
    generated_problem out;
    r.family = "boxes";
    r.form = "lcp_facets";
    r.size = n > facets + 2 ? n / (facets + 2) : 1;
    r.seed = (uint64_t)seed;
    r.facets = facets;
    if (generate_problem(&r, a, &out, NULL)) return false;
    *p = out.p;
    return make_dense(p, a);
}

/* The same boxes with a friction box for each contact: an MCP, three unknowns a contact. */
static bool make_friction_boxes(int n, int seed, perp_arena *a, perp_problem *p)
{
    generate_request r = generate_defaults;
    generated_problem out;
    r.family = "boxes";
    r.form = "mcp";
    r.size = n > 3 ? n / 3 : 1;
    r.seed = (uint64_t)seed;
    if (generate_problem(&r, a, &out, NULL)) return false;
    *p = out.p;
    return perp_convert(&p->as.mcp.F.M, PERP_FORMAT_DENSE, a, &p->as.mcp.F.M, NULL) == PERP_SOLVED;
}

/* ---- friction ---- */

static bool make_blocks(perp_problem *p, perp_arena *a)
{
    perp_fc3d *f = &p->as.fc3d;
    if (p->kind != PERP_KIND_FC3D || f->form != PERP_FORM_LOCAL) return p->kind == PERP_KIND_FC3D;
    return perp_convert(&f->W, PERP_FORMAT_BSR3, a, &f->W, NULL) == PERP_SOLVED;
}

/* Cones are made dense, as their peers read nothing else. */
static bool make_readable(perp_problem *p, perp_arena *a)
{
    perp_cone *c = &p->as.cone;
    if (p->kind != PERP_KIND_CONE || c->form != PERP_FORM_LOCAL) return make_blocks(p, a);
    return perp_convert(&c->W, PERP_FORMAT_DENSE, a, &c->W, NULL) == PERP_SOLVED;
}

/* "wall-8", "cone_rolling-14-2": size, and seed where it is not the table's. */
static bool make_scene(const char *name, int seed, perp_arena *a, perp_problem *p)
{
    char family[32];
    generate_request r = generate_defaults;
    generated_problem out;
    r.family = family;
    int found = sscanf(name, "%31[a-z_]-%d-%d", family, &r.size, &seed);
    r.form = strncmp(name, "cone_", 5) == 0 ? "cone" : "fc3d";
    r.seed = (uint64_t)seed;
    if (found < 2 || generate_problem(&r, a, &out, NULL)) return false;
    *p = out.p;
    return make_readable(p, a);
}

const char *short_name(const char *name)
{
    static char text[32];
    const char *slash = strrchr(name, '/');
    snprintf(text, sizeof text, "%s", slash ? slash + 1 : name);
    char *dot = strchr(text, '.');
    if (dot) *dot = 0;
    return text;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_of_size(const perp_problem *p)
{
    if (p->kind == PERP_KIND_FC3D) return p->as.fc3d.contacts >= LEAST_CONTACTS;
    return p->kind == PERP_KIND_CONE && p->as.cone.form == PERP_FORM_LOCAL &&
           p->as.cone.n >= LEAST_ROWS;
}

/* The file's path goes into the table where it is a friction problem of some size. */
static void consider(bench *b, const char *folder, const char *file)
{
    char path[LONGEST];
    perp_problem p;
    perp_mark mark = perp_arena_mark(&b->work);
    int length = snprintf(path, sizeof path, "%s/%s", folder, file);
    bool good = file[0] != '.' && length > 0 && length < LONGEST && b->names < MOST_NAMES &&
                perp_load(path, &b->work, &p, NULL) == PERP_SOLVED && is_of_size(&p);
    perp_arena_release(&b->work, mark);
    char *copy = good ? perp_alloc(&b->data, (size_t)length + 1, 1) : NULL;
    if (copy) b->name[b->names++] = strcpy(copy, path);
}

bool find_stored(bench *b)
{
    char shared[LONGEST], own[LONGEST];
    const char *root = getenv("PERP_PROBLEMS");
    const char *folder = b->table->stored;
    snprintf(shared, sizeof shared, "%s/%s", root ? root : SOURCE_ROOT "/../shared/problems",
             folder);
    snprintf(own, sizeof own, SOURCE_ROOT "/problems/%s", folder);
    const char *const folders[] = {shared, own};
    for (int k = 0; k < 2; k++) {
        int first = b->names;
        DIR *d = opendir(folders[k]);
        for (struct dirent *e; d && (e = readdir(d));) consider(b, folders[k], e->d_name);
        if (d) closedir(d);
        if (b->names == first) fprintf(b->out, "no problems in %s\n", folders[k]);
        qsort(b->name + first, (size_t)(b->names - first), sizeof *b->name, by_name);
    }
    return !b->data.failed;
}

/* ---- any ---- */

/* As the peers read it. */
static bool load_problem(const char *path, perp_arena *a, perp_problem *p)
{
    if (perp_load(path, a, p, NULL) != PERP_SOLVED) return false;
    perp_matrix *M = p->kind == PERP_KIND_LCP                        ? &p->as.lcp.M
                     : p->kind == PERP_KIND_MCP && !p->as.mcp.F.eval ? &p->as.mcp.F.M
                                                                     : NULL;
    if (!M) return make_readable(p, a);
    return perp_convert(M, PERP_FORMAT_DENSE, a, M, NULL) == PERP_SOLVED;
}

bool make_problem(const char *family, int n, int seed, perp_arena *a, perp_problem *p)
{
    generated g;
    if (strchr(family, '/')) return load_problem(family, a, p);
    if (strchr(family, '-')) return make_scene(family, seed, a, p);
    if (strcmp(family, "contact") == 0) return make_contact(n, seed, a, p);
    if (strcmp(family, "boxes4") == 0) return make_boxes(4, n, seed, a, p);
    if (strcmp(family, "boxes8") == 0) return make_boxes(8, n, seed, a, p);
    if (strcmp(family, "friction_boxes") == 0) return make_friction_boxes(n, seed, a, p);
    const lcp_family *f = lcp_family_find(family);
    if (!f || !lcp_generate(f, n, (uint64_t)seed, a, &g)) return false;
    *p = lcp_generated_problem(&g);
    return true;
}
