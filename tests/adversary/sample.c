/* tests/adversary/sample.c: problem k of a seed: its kind, tolerance, formats and start. */
#include "sample.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    int weight;
    void (*make)(sample *s, generator *g);
} variants[VARIANTS] = {
    [V_LCP] = {"lcp", 22, make_lcp},
    [V_MCP] = {"mcp", 12, make_mcp},
    [V_FOLLOWS] = {"mcp_follows", 7, make_mcp},
    [V_NCP] = {"ncp", 6, make_lcp},
    [V_NNLS] = {"nnls", 14, make_nnls},
    [V_QP] = {"qp", 18, make_qp},
    [V_FC3D] = {"fc3d", 8, make_fc3d},
    [V_BODY] = {"fc3d_body", 4, make_body},
    [V_MCP_MAP] = {"mcp_callback", 5, make_map},
    [V_NCP_MAP] = {"ncp_callback", 4, make_map},
    [V_CONE] = {"cone", 8, make_cone},
};

const char *variant_name(variant v)
{
    return variants[v].name;
}

variant variant_find(const char *name)
{
    for (int v = 0; v < VARIANTS; v++) {
        if (strcmp(variants[v].name, name) == 0) return (variant)v;
    }
    return VARIANTS;
}

/* A generator for one problem: neighbours have nothing in common. */
static generator start(uint64_t seed, long index)
{
    uint64_t x =
        seed * UINT64_C(0xD1342543DE82EF95) + (uint64_t)index * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    generator g = generator_start(x ^ (x >> 31));
    for (int k = 0; k < 4; k++) generator_unit(&g);
    return g;
}

static variant draw_variant(generator *g)
{
    int sum = 0, v = 0;
    for (int k = 0; k < VARIANTS; k++) sum += variants[k].weight;
    int draw = generator_below(g, sum);
    while (draw >= variants[v].weight) draw -= variants[v++].weight;
    return (variant)v;
}

variant sample_variant(uint64_t seed, long index)
{
    generator g = start(seed, index);
    return draw_variant(&g);
}

static perp_format draw_format(generator *g)
{
    static const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_DENSE,
                                          PERP_FORMAT_CSC,   PERP_FORMAT_CSC,
                                          PERP_FORMAT_CSR,   PERP_FORMAT_DENSE_ROWS};
    return formats[generator_below(g, 6)];
}

static void draw_formats(sample *s, generator *g)
{
    for (int k = 0; k < 3; k++) s->format[k] = draw_format(g);
    s->split = generator_below(g, 10) == 0;
    bool blocks = s->kind == V_FC3D && generator_below(g, 3) == 0,
         products = s->kind != V_MCP_MAP && s->kind != V_NCP_MAP && s->kind != V_CONE &&
                    generator_below(g, s->kind == V_QP ? 100 : 16) == 0;
    if (blocks) s->format[0] = PERP_FORMAT_BSR3;
    s->operator_M = products;
    if (products) s->format[0] = PERP_FORMAT_OPERATOR;
}

static void draw_start(sample *s, generator *g)
{
    s->warm = generator_below(g, 5) == 0;
    int exponent = generator_below(g, 4) ? 1 : draw_exponent(g);
    for (int i = 0; i < s->size; i++) {
        int e = generator_between(g, -exponent, exponent);
        s->start[i] = draw_clipped(ldexp(generator_uniform(g), e));
    }
}

void sample_draw(uint64_t seed, long index, sample *s)
{
    static const double tol[] = {1e-6, 1e-8, 1e-10, 1e-12};
    generator g = start(seed, index);
    *s = (sample){.seed = seed, .index = index, .kind = draw_variant(&g)};
    for (int i = 0; i < MOST; i++) s->follows[i] = s->group[i] = -1;
    variants[s->kind].make(s, &g);
    draw_formats(s, &g);
    draw_start(s, &g);
    s->tol = tol[generator_below(&g, 4)];
}
