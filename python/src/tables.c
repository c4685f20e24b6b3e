/* python/src/tables.c: the library's tables of statuses, solvers and options. */
#include "binding.h"
#include <perp/solver.h>

PyObject *binding_statuses(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    (void)module;
    (void)unused;
#define PERP_X(name, value, word, text)                                                            \
    if (list) {                                                                                    \
        PyObject *row = Py_BuildValue("ssi", word, text, value);                                   \
        if (!row || PyList_Append(list, row)) Py_CLEAR(list);                                      \
        Py_XDECREF(row);                                                                           \
    }
    PERP_STATUSES(PERP_X)
#undef PERP_X
    return list;
}

static PyObject *show_default(const perp_option *t, const perp_options *o)
{
    const void *field = (const char *)o + t->offset;
    switch (t->type) {
    case PERP_OPTION_REAL: return PyFloat_FromDouble(*(const double *)field);
    case PERP_OPTION_BOOL: return PyBool_FromLong(*(const bool *)field);
    default: return PyLong_FromLong(*(const int *)field);
    }
}

/* (name, type, default, least, largest, choices or None, help) of the rows of a table */
static bool append_options(PyObject *list, const perp_option *t, const perp_options *o)
{
    static const char *const types[] = {"float", "int", "bool", "str"};
    for (; t && t->name; t++) {
        PyObject *row = Py_BuildValue("ssNddzs", t->name, types[t->type], show_default(t, o),
                                      t->min, t->max, t->choices, t->help);
        if (!row) return false;
        int failed = PyList_Append(list, row);
        Py_DECREF(row);
        if (failed) return false;
    }
    return true;
}

static PyObject *show_solver(const perp_options *o)
{
    const perp_solver *s = o->solver;
    PyObject *options = PyList_New(0);
    if (!options) return NULL;
    if (!append_options(options, s->options, o) ||
        !append_options(options, perp_common_options(), o)) {
        Py_DECREF(options);
        return NULL;
    }
    return Py_BuildValue("sssN", s->name, perp_kind_name(s->kind), s->about, options);
}

/* A list of (name, kind, about, options) */
PyObject *binding_solvers(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    const perp_options *const *all = perp_solvers();
    (void)module;
    (void)unused;
    for (int k = 0; list && all[k]; k++) {
        PyObject *row = show_solver(all[k]);
        if (!row || PyList_Append(list, row)) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}
