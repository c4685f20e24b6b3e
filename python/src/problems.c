/* python/src/problems.c: a problem from the fields that python/perp/_problem.py lists. */
#include "binding.h"

/* What a field is called, and the tuple it comes from. */
typedef struct reader {
    binding_problem *b;
    PyObject *fields;
} reader;

static bool matrix(const reader *r, int place, const char *name, perp_matrix *A)
{
    return binding_read_matrix(r->b, PyTuple_GET_ITEM(r->fields, place), name, A);
}

static bool vector(const reader *r, int place, npy_intp n, const char *name, const double **x)
{
    return binding_read_vector(PyTuple_GET_ITEM(r->fields, place), n, name, x);
}

static bool number(const reader *r, int place, const char *name, perp_index *n)
{
    return binding_read_size(PyTuple_GET_ITEM(r->fields, place), name, n);
}

static bool read_lcp(const reader *r, perp_problem *p)
{
    perp_lcp *lcp = &p->as.lcp;
    if (!matrix(r, 0, "M", &lcp->M)) return false;
    lcp->n = lcp->M.n;
    return vector(r, 1, lcp->n, "q", &lcp->q);
}

static PyObject *function(PyObject *o)
{
    return o == Py_None ? NULL : o;
}

static void set_callbacks(const reader *r, perp_map *F)
{
    binding_map *m = &r->b->map;
    m->call = r->b->call;
    m->n = F->n;
    m->eval = function(PyTuple_GET_ITEM(r->fields, 3));
    m->jacobian = function(PyTuple_GET_ITEM(r->fields, 4));
    m->values = F->pattern.format == PERP_FORMAT_CSC ? (size_t)F->pattern.as.csc.p[F->pattern.n]
                                                     : (size_t)F->n * (size_t)F->n;
    if (m->eval) F->eval = binding_eval;
    if (m->jacobian) F->jacobian = binding_jacobian;
    F->ctx = m;
}

/* (n, M, q, F, Jacobian, pattern, typical) */
#define MAP_FIELDS 7

static bool read_map(const reader *whole, int place, perp_map *F)
{
    reader r = {whole->b, PyTuple_GET_ITEM(whole->fields, place)};
    if (!PyTuple_Check(r.fields) || PyTuple_GET_SIZE(r.fields) != MAP_FIELDS) {
        binding_refuse(PERP_E_ARGUMENT, "these are not fields of a map");
        return false;
    }
    if (!number(&r, 0, "n", &F->n) || !matrix(&r, 1, "M", &F->M) ||
        !vector(&r, 2, F->n, "q", &F->q) || !matrix(&r, 5, "the pattern", &F->pattern) ||
        !vector(&r, 6, F->n, "typical", &F->typical))
        return false;
    set_callbacks(&r, F);
    return true;
}

static bool read_ncp(const reader *r, perp_problem *p)
{
    return read_map(r, 0, &p->as.ncp.F);
}

static bool read_mcp(const reader *r, perp_problem *p)
{
    perp_mcp *mcp = &p->as.mcp;
    if (!read_map(r, 0, &mcp->F)) return false;
    perp_index n = mcp->F.n;
    return vector(r, 1, n, "lo", &mcp->lo) && vector(r, 2, n, "hi", &mcp->hi) &&
           binding_read_indices(PyTuple_GET_ITEM(r->fields, 3), n, "follows", &mcp->follows) &&
           vector(r, 4, n, "mu", &mcp->mu);
}

/* (contacts, form, mu, W, q, M, H, G, f, w, b) */
static bool read_fc3d(const reader *r, perp_problem *p)
{
    perp_fc3d *c = &p->as.fc3d;
    perp_index form;
    if (!number(r, 0, "contacts", &c->contacts) || !number(r, 1, "form", &form)) return false;
    c->form = (perp_form)form;
    npy_intp rows = 3 * (npy_intp)c->contacts;
    return vector(r, 2, c->contacts, "mu", &c->mu) && matrix(r, 3, "W", &c->W) &&
           vector(r, 4, rows, "q", &c->q) && matrix(r, 5, "M", &c->M) && matrix(r, 6, "H", &c->H) &&
           matrix(r, 7, "G", &c->G) && vector(r, 8, c->M.m, "f", &c->f) &&
           vector(r, 9, rows, "w", &c->w) && vector(r, 10, c->G.n, "b", &c->b);
}

static bool read_nnls(const reader *r, perp_problem *p)
{
    perp_nnls *l = &p->as.nnls;
    return matrix(r, 0, "A", &l->A) && vector(r, 1, l->A.m, "b", &l->b) &&
           binding_read_mask(PyTuple_GET_ITEM(r->fields, 2), l->A.n, "free", &l->is_free);
}

/* (n, m, H, A, c, lo, hi, xlo, xhi) */
static bool read_qp(const reader *r, perp_problem *p)
{
    perp_qp *q = &p->as.qp;
    return number(r, 0, "n", &q->n) && number(r, 1, "m", &q->m) && matrix(r, 2, "H", &q->H) &&
           matrix(r, 3, "A", &q->A) && vector(r, 4, q->n, "c", &q->c) &&
           vector(r, 5, q->m, "lo", &q->lo) && vector(r, 6, q->m, "hi", &q->hi) &&
           vector(r, 7, q->n, "xlo", &q->xlo) && vector(r, 8, q->n, "xhi", &q->xhi);
}

/* (n, form, W, q, lo, hi, follows, group, mu, s, M, H, G, R, f, w, b) */
static bool read_cone(const reader *r, perp_problem *p)
{
    perp_cone *c = &p->as.cone;
    perp_index form;
    if (!number(r, 0, "n", &c->n) || !number(r, 1, "form", &form)) return false;
    perp_index n = c->n;
    c->form = (perp_form)form;
    return matrix(r, 2, "W", &c->W) && vector(r, 3, n, "q", &c->q) &&
           vector(r, 4, n, "lo", &c->lo) && vector(r, 5, n, "hi", &c->hi) &&
           binding_read_indices(PyTuple_GET_ITEM(r->fields, 6), n, "follows", &c->follows) &&
           binding_read_indices(PyTuple_GET_ITEM(r->fields, 7), n, "group", &c->group) &&
           vector(r, 8, n, "mu", &c->mu) && vector(r, 9, n, "s", &c->s) &&
           matrix(r, 10, "M", &c->M) && matrix(r, 11, "H", &c->H) && matrix(r, 12, "G", &c->G) &&
           matrix(r, 13, "R", &c->R) && vector(r, 14, c->M.m, "f", &c->f) &&
           vector(r, 15, n, "w", &c->w) && vector(r, 16, c->G.n, "b", &c->b);
}

typedef struct kind_reader {
    bool (*read)(const reader *r, perp_problem *p);
    int fields;
} kind_reader;

static const kind_reader readers[PERP_KINDS] = {
    [PERP_KIND_LCP] = {read_lcp, 2},    [PERP_KIND_NCP] = {read_ncp, 1},
    [PERP_KIND_MCP] = {read_mcp, 5},    [PERP_KIND_FC3D] = {read_fc3d, 11},
    [PERP_KIND_NNLS] = {read_nnls, 3},  [PERP_KIND_QP] = {read_qp, 9},
    [PERP_KIND_CONE] = {read_cone, 17},
};

bool binding_read_problem(binding_problem *b, PyObject *kind, PyObject *fields, binding_call *c)
{
    long k = PyLong_AsLong(kind);
    *b = (binding_problem){.call = c};
    if (k < 0 || k >= PERP_KINDS || !readers[k].read || !PyTuple_Check(fields) ||
        PyTuple_GET_SIZE(fields) != readers[k].fields) {
        if (!PyErr_Occurred()) binding_refuse(PERP_E_ARGUMENT, "these are not fields of a problem");
        return false;
    }
    b->p.kind = (perp_kind)k;
    reader r = {b, fields};
    return readers[k].read(&r, &b->p);
}
