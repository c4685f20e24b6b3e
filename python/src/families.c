/* python/src/families.c: problems of seeded families, as `perp generate` makes them. */
#include "binding.h"
#include "generate.h"

/* A list of (name, about, what its size counts, forms, size) */
PyObject *binding_families(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    generate_entry e;
    (void)module;
    (void)unused;
    for (int k = 0; list && generate_list(k, &e); k++) {
        PyObject *row = Py_BuildValue("ssssi", e.name, e.about, e.counts, e.forms, e.size);
        if (!row || PyList_Append(list, row)) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *show_generated(const generated_problem *g, PyObject *owner)
{
    PyObject *problem = binding_show_problem(&g->p, owner);
    npy_intp n = perp_size(&g->p);
    if (!problem) return NULL;
    return Py_BuildValue("NNNi", problem, binding_show_vector(g->z, n, owner),
                         binding_show_vector(g->proof, n, owner), (int)g->claim);
}

/* (family, size, seed, form or None, mu, ratio, facets); 0, and a negative mu, are the family's
 * own -> (problem, solution or None, proof or None, claim) */
PyObject *binding_generate(PyObject *module, PyObject *arg)
{
    generate_request r = generate_defaults;
    unsigned long long seed;
    double ratio;
    int facets;
    generated_problem g;
    perp_error error = {.status = PERP_SOLVED};
    perp_status s;
    (void)module;
    if (!PyArg_ParseTuple(arg, "siKzddi", &r.family, &r.size, &seed, &r.form, &r.mu, &ratio,
                          &facets))
        return NULL;
    r.seed = seed;
    if (ratio > 0) r.ratio = ratio;
    if (facets > 0) r.facets = facets;
    perp_arena *a = PyMem_RawCalloc(1, sizeof *a);
    if (!a) return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS;
    s = generate_problem(&r, a, &g, &error);
    Py_END_ALLOW_THREADS;
    PyObject *owner = binding_arena_owner(a), *shown = NULL;
    if (owner && s)
        binding_raise(error.status, 0, error.text);
    else if (owner)
        shown = show_generated(&g, owner);
    Py_XDECREF(owner);
    return shown;
}
