/* io/text_table.c: the items of each kind in perp's text format, once for reading and writing. */
#include "text.h"

#include <stddef.h>

#define AT(member) offsetof(perp_problem, as.member)

static const text_item lcp_items[] = {
    {"M", TEXT_MATRIX, SIZE_N, SIZE_N, false, -1, AT(lcp.M)},
    {"q", TEXT_VECTOR, SIZE_N, SIZE_N, false, -1, AT(lcp.q)},
    {0},
};

static const text_item ncp_items[] = {
    {"M", TEXT_MATRIX, SIZE_N, SIZE_N, false, -1, AT(ncp.F.M)},
    {"q", TEXT_VECTOR, SIZE_N, SIZE_N, false, -1, AT(ncp.F.q)},
    {0},
};

static const text_item mcp_items[] = {
    {"M", TEXT_MATRIX, SIZE_N, SIZE_N, false, -1, AT(mcp.F.M)},
    {"q", TEXT_VECTOR, SIZE_N, SIZE_N, false, -1, AT(mcp.F.q)},
    {"lo", TEXT_BOUND, SIZE_N, SIZE_N, false, -1, AT(mcp.lo)},
    {"hi", TEXT_BOUND, SIZE_N, SIZE_N, false, -1, AT(mcp.hi)},
    {"findex", TEXT_INDEX, SIZE_N, SIZE_N, false, -1, AT(mcp.follows)},
    {"mu", TEXT_VECTOR, SIZE_N, SIZE_N, false, -1, AT(mcp.mu)},
    {0},
};

static const text_item fc3d_items[] = {
    {"mu", TEXT_VECTOR, SIZE_CONTACTS, SIZE_N, false, -1, AT(fc3d.mu)},
    {"W", TEXT_MATRIX, SIZE_CONTACTS, SIZE_CONTACTS, true, PERP_FORM_LOCAL, AT(fc3d.W)},
    {"q", TEXT_VECTOR, SIZE_CONTACTS, SIZE_N, true, PERP_FORM_LOCAL, AT(fc3d.q)},
    {"M", TEXT_MATRIX, SIZE_VELOCITIES, SIZE_VELOCITIES, true, PERP_FORM_BODY, AT(fc3d.M)},
    {"H", TEXT_MATRIX, SIZE_VELOCITIES, SIZE_CONTACTS, true, PERP_FORM_BODY, AT(fc3d.H)},
    {"G", TEXT_MATRIX, SIZE_VELOCITIES, SIZE_EQUALITIES, true, PERP_FORM_BODY, AT(fc3d.G)},
    {"f", TEXT_VECTOR, SIZE_VELOCITIES, SIZE_N, true, PERP_FORM_BODY, AT(fc3d.f)},
    {"w", TEXT_VECTOR, SIZE_CONTACTS, SIZE_N, true, PERP_FORM_BODY, AT(fc3d.w)},
    {"b", TEXT_VECTOR, SIZE_EQUALITIES, SIZE_N, true, PERP_FORM_BODY, AT(fc3d.b)},
    {0},
};

static const text_item nnls_items[] = {
    {"A", TEXT_MATRIX, SIZE_M, SIZE_N, false, -1, AT(nnls.A)},
    {"b", TEXT_VECTOR, SIZE_M, SIZE_N, false, -1, AT(nnls.b)},
    {"free", TEXT_MASK, SIZE_N, SIZE_N, false, -1, AT(nnls.is_free)},
    {0},
};

static const text_item qp_items[] = {
    {"H", TEXT_MATRIX, SIZE_N, SIZE_N, false, -1, AT(qp.H)},
    {"c", TEXT_VECTOR, SIZE_N, SIZE_N, false, -1, AT(qp.c)},
    {"A", TEXT_MATRIX, SIZE_M, SIZE_N, false, -1, AT(qp.A)},
    {"lo", TEXT_BOUND, SIZE_M, SIZE_N, false, -1, AT(qp.lo)},
    {"hi", TEXT_BOUND, SIZE_M, SIZE_N, false, -1, AT(qp.hi)},
    {"xlo", TEXT_BOUND, SIZE_N, SIZE_N, false, -1, AT(qp.xlo)},
    {"xhi", TEXT_BOUND, SIZE_N, SIZE_N, false, -1, AT(qp.xhi)},
    {0},
};

const text_item *perp_text_items(perp_kind kind)
{
    switch (kind) {
    case PERP_KIND_LCP: return lcp_items;
    case PERP_KIND_NCP: return ncp_items;
    case PERP_KIND_MCP: return mcp_items;
    case PERP_KIND_FC3D: return fc3d_items;
    case PERP_KIND_NNLS: return nnls_items;
    case PERP_KIND_QP: return qp_items;
    }
    return NULL;
}

static int friction_size(const perp_fc3d *f, enum text_size size)
{
    switch (size) {
    case SIZE_CONTACTS: return f->contacts;
    case SIZE_VELOCITIES: return f->M.m;
    case SIZE_EQUALITIES: return f->G.format == PERP_FORMAT_ABSENT ? 0 : f->G.n;
    default: return 0;
    }
}

int perp_text_size(const perp_problem *p, enum text_size size)
{
    switch (p->kind) {
    case PERP_KIND_LCP: return p->as.lcp.n;
    case PERP_KIND_NCP: return p->as.ncp.F.n;
    case PERP_KIND_MCP: return p->as.mcp.F.n;
    case PERP_KIND_FC3D: return friction_size(&p->as.fc3d, size);
    case PERP_KIND_NNLS: return size == SIZE_N ? p->as.nnls.A.n : p->as.nnls.A.m;
    case PERP_KIND_QP: return size == SIZE_N ? p->as.qp.n : p->as.qp.m;
    }
    return 0;
}
