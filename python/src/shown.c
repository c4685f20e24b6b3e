/* python/src/shown.c: the fields of a problem that the library made: of a file, of a family. They
 * are those that problems.c reads. */
#include "binding.h"

static PyObject *show_lcp(const perp_problem *p, PyObject *o)
{
    const perp_lcp *l = &p->as.lcp;
    return Py_BuildValue("NN", binding_show_matrix(&l->M, o), binding_show_vector(l->q, l->n, o));
}

/* A map by callback is no data. */
static PyObject *show_map(const perp_map *F, PyObject *o)
{
    if (F->eval) {
        binding_refuse(PERP_E_FORMAT, "a map by callback has no data to show");
        return NULL;
    }
    return Py_BuildValue("iNNOOOO", (int)F->n, binding_show_matrix(&F->M, o),
                         binding_show_vector(F->q, F->n, o), Py_None, Py_None, Py_None, Py_None);
}

static PyObject *show_ncp(const perp_problem *p, PyObject *o)
{
    return Py_BuildValue("(N)", show_map(&p->as.ncp.F, o));
}

static PyObject *show_mcp(const perp_problem *p, PyObject *o)
{
    const perp_mcp *c = &p->as.mcp;
    npy_intp n = c->F.n;
    return Py_BuildValue("NNNNN", show_map(&c->F, o), binding_show_vector(c->lo, n, o),
                         binding_show_vector(c->hi, n, o), binding_show_indices(c->follows, n, o),
                         binding_show_vector(c->mu, n, o));
}

static PyObject *show_fc3d(const perp_problem *p, PyObject *o)
{
    const perp_fc3d *c = &p->as.fc3d;
    npy_intp rows = 3 * (npy_intp)c->contacts;
    return Py_BuildValue("iiNNNNNNNNN", (int)c->contacts, (int)c->form,
                         binding_show_vector(c->mu, c->contacts, o), binding_show_matrix(&c->W, o),
                         binding_show_vector(c->q, rows, o), binding_show_matrix(&c->M, o),
                         binding_show_matrix(&c->H, o), binding_show_matrix(&c->G, o),
                         binding_show_vector(c->f, c->M.m, o), binding_show_vector(c->w, rows, o),
                         binding_show_vector(c->b, c->G.n, o));
}

static PyObject *show_nnls(const perp_problem *p, PyObject *o)
{
    const perp_nnls *l = &p->as.nnls;
    return Py_BuildValue("NNN", binding_show_matrix(&l->A, o), binding_show_vector(l->b, l->A.m, o),
                         binding_show_mask(l->is_free, l->A.n, o));
}

static PyObject *show_qp(const perp_problem *p, PyObject *o)
{
    const perp_qp *q = &p->as.qp;
    return Py_BuildValue("iiNNNNNNN", (int)q->n, (int)q->m, binding_show_matrix(&q->H, o),
                         binding_show_matrix(&q->A, o), binding_show_vector(q->c, q->n, o),
                         binding_show_vector(q->lo, q->m, o), binding_show_vector(q->hi, q->m, o),
                         binding_show_vector(q->xlo, q->n, o),
                         binding_show_vector(q->xhi, q->n, o));
}

static PyObject *show_cone(const perp_problem *p, PyObject *o)
{
    const perp_cone *c = &p->as.cone;
    npy_intp n = c->n;
    return Py_BuildValue("iiNNNNNNNNNNNNNNN", (int)c->n, (int)c->form,
                         binding_show_matrix(&c->W, o), binding_show_vector(c->q, n, o),
                         binding_show_vector(c->lo, n, o), binding_show_vector(c->hi, n, o),
                         binding_show_indices(c->follows, n, o),
                         binding_show_indices(c->group, n, o), binding_show_vector(c->mu, n, o),
                         binding_show_vector(c->s, n, o), binding_show_matrix(&c->M, o),
                         binding_show_matrix(&c->H, o), binding_show_matrix(&c->G, o),
                         binding_show_matrix(&c->R, o), binding_show_vector(c->f, c->M.m, o),
                         binding_show_vector(c->w, n, o), binding_show_vector(c->b, c->G.n, o));
}

typedef PyObject *shower(const perp_problem *p, PyObject *owner);

static shower *const showers[PERP_KINDS] = {
    [PERP_KIND_LCP] = show_lcp,   [PERP_KIND_NCP] = show_ncp,   [PERP_KIND_MCP] = show_mcp,
    [PERP_KIND_FC3D] = show_fc3d, [PERP_KIND_NNLS] = show_nnls, [PERP_KIND_QP] = show_qp,
    [PERP_KIND_CONE] = show_cone,
};

PyObject *binding_show_problem(const perp_problem *p, PyObject *owner)
{
    if ((unsigned)p->kind >= PERP_KINDS || !showers[p->kind]) {
        binding_refuse(PERP_E_FORMAT, "this package does not know the kind of the problem");
        return NULL;
    }
    PyObject *fields = showers[p->kind](p, owner);
    return fields ? Py_BuildValue("iN", (int)p->kind, fields) : NULL;
}
