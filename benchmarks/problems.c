/* problems.c: the families of the tables: those of src/generate, and contacts through the assembly
 * of perp/rigid.h, made dense as the peers read nothing else. */
#include "bench.h"
#include "generate.h"

static bool make_dense(perp_problem *p, perp_arena *a)
{
    return perp_convert(&p->as.lcp.M, PERP_DENSE, a, &p->as.lcp.M, NULL) == PERP_SOLVED;
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
                       .rule = PERP_GAP,
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

bool make_problem(const char *family, int n, int seed, perp_arena *a, perp_problem *p)
{
    generated g;
    if (strcmp(family, "contact") == 0) return make_contact(n, seed, a, p);
    if (strcmp(family, "boxes4") == 0) return make_boxes(4, n, seed, a, p);
    if (strcmp(family, "boxes8") == 0) return make_boxes(8, n, seed, a, p);
    const lcp_family *f = lcp_family_find(family);
    if (!f || !lcp_generate(f, n, (uint64_t)seed, a, &g)) return false;
    *p = lcp_generated_problem(&g);
    return true;
}
