/* python/src/files.c: problems and matrices in files of the library's formats. */
#include "binding.h"

static bool find_format(const char *name, perp_file_format *format)
{
    *format = PERP_FILE_ANY;
    if (!name) return true;
    for (int k = PERP_FILE_TEXT; k < PERP_FILE_FORMATS; k++) {
        if (strcmp(name, perp_file_format_name((perp_file_format)k)) == 0) {
            *format = (perp_file_format)k;
            return true;
        }
    }
    binding_refuse(PERP_E_ARGUMENT,
                   "there is no file format '%.40s'; there are text, siconos, fclib, qps and "
                   "matrix_market",
                   name);
    return false;
}

static PyObject *show_guesses(const perp_file *f, PyObject *owner)
{
    PyObject *list = PyTuple_New(f->guesses);
    npy_intp n = perp_size(&f->problem);
    for (int k = 0; list && k < f->guesses; k++) {
        PyObject *x = binding_show_vector(f->guess[k], n, owner);
        if (!x) Py_CLEAR(list);
        if (x) PyTuple_SET_ITEM(list, k, x);
    }
    return list;
}

static PyObject *show_file(const perp_file *f, PyObject *owner)
{
    PyObject *problem = binding_show_problem(&f->problem, owner);
    if (!problem) return NULL;
    return Py_BuildValue("NzzzdNNs", problem, f->problem.name, f->title, f->description,
                         f->constant,
                         binding_show_vector(f->solution, perp_size(&f->problem), owner),
                         show_guesses(f, owner), perp_file_format_name(f->format));
}

/* (path in bytes, kind or -1, layout or None, format or None, most bytes or 0) -> (problem, name,
 * title, description, constant, solution, guesses, format) */
PyObject *binding_load(PyObject *module, PyObject *arg)
{
    const char *path, *format;
    int kind;
    Py_ssize_t most;
    perp_load_options o = {.has_kind = false};
    perp_error error = {.status = PERP_SOLVED};
    perp_file f;
    perp_status s;
    (void)module;
    if (!PyArg_ParseTuple(arg, "yizzn", &path, &kind, &o.layout, &format, &most)) return NULL;
    if (!find_format(format, &o.format)) return NULL;
    o.has_kind = kind >= 0;
    o.kind = (perp_kind)(kind >= 0 ? kind : 0);
    o.max_bytes = (size_t)most;
    perp_arena *a = PyMem_RawCalloc(1, sizeof *a);
    if (!a) return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS;
    s = perp_load_file(path, &o, a, &f, &error);
    Py_END_ALLOW_THREADS;
    PyObject *owner = binding_arena_owner(a), *shown = NULL;
    if (owner && s)
        binding_raise(error.status, error.line, error.text);
    else if (owner)
        shown = show_file(&f, owner);
    Py_XDECREF(owner);
    return shown;
}

/* (path in bytes, format or None, kind, fields, name, title, description, solution or None) */
PyObject *binding_save(PyObject *module, PyObject *arg)
{
    const char *path, *format, *name, *title, *description;
    PyObject *kind, *fields, *solution;
    binding_call c = {.monitor = NULL};
    binding_problem b;
    perp_error error = {.status = PERP_SOLVED};
    perp_status s;
    (void)module;
    if (!PyArg_ParseTuple(arg, "yzOOzzzO", &path, &format, &kind, &fields, &name, &title,
                          &description, &solution))
        return NULL;
    perp_file f = {.title = title, .description = description};
    if (!find_format(format, &f.format) || !binding_read_problem(&b, kind, fields, &c)) return NULL;
    if (!binding_read_vector(solution, perp_size(&b.p), "solution", &f.solution)) return NULL;
    b.p.name = name;
    f.problem = b.p;
    binding_call_leave(&c);
    s = perp_save_file(path, &f, &error);
    binding_call_return(&c);
    if (s == PERP_SOLVED) Py_RETURN_NONE;
    binding_raise(error.status, error.line, error.text);
    return NULL;
}

/* (path in bytes) -> a view of the matrix */
PyObject *binding_load_matrix(PyObject *module, PyObject *arg)
{
    const char *path;
    perp_error error = {.status = PERP_SOLVED};
    perp_matrix A;
    perp_status s;
    (void)module;
    if (!PyArg_ParseTuple(arg, "y", &path)) return NULL;
    perp_arena *a = PyMem_RawCalloc(1, sizeof *a);
    if (!a) return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS;
    s = perp_load_matrix(path, a, &A, &error);
    Py_END_ALLOW_THREADS;
    PyObject *owner = binding_arena_owner(a), *shown = NULL;
    if (owner && s)
        binding_raise(error.status, error.line, error.text);
    else if (owner)
        shown = binding_show_matrix(&A, owner);
    Py_XDECREF(owner);
    return shown;
}

/* (path in bytes, view) */
PyObject *binding_save_matrix(PyObject *module, PyObject *arg)
{
    const char *path;
    PyObject *view;
    binding_problem b = {.operators = 0};
    perp_error error = {.status = PERP_SOLVED};
    perp_matrix A;
    perp_status s;
    (void)module;
    if (!PyArg_ParseTuple(arg, "yO", &path, &view)) return NULL;
    if (!binding_read_matrix(&b, view, "the matrix", &A)) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    s = perp_save_matrix(path, &A, &error);
    Py_END_ALLOW_THREADS;
    if (s == PERP_SOLVED) Py_RETURN_NONE;
    binding_raise(error.status, error.line, error.text);
    return NULL;
}
