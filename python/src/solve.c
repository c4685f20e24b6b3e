/* python/src/solve.c: one solve, and what came of it as a tuple.
 *
 * The GIL is released meanwhile. The arrays of the problem must not be changed by another thread
 * until the solve ends; their memory stays, as the fields hold references. */
#include "binding.h"

#include <string.h>

PyObject *binding_residual_tuple(const perp_residual *r)
{
    return Py_BuildValue("dddddddddddd", r->value, r->bound, r->natural, r->units, r->gap, r->omega,
                         r->floor, r->radius, r->absolute, r->primal, r->dual, r->complementarity);
}

static PyObject *result_tuple(const perp_result *r, PyObject *z, PyObject *w)
{
    return Py_BuildValue("NNiNdiiddss", z, w, (int)r->status, binding_residual_tuple(&r->residual),
                         r->model_residual, r->iterations, r->certificates, r->seconds,
                         r->objective, r->solver ? r->solver : "", r->detail);
}

/* z for the start, with these numbers or, for None, unset. */
static PyObject *make_start(PyObject *start, npy_intp n)
{
    const double *x;
    if (!binding_read_vector(start, n, "start", &x)) return NULL;
    PyObject *z = binding_new_vector(n);
    if (z && x && n > 0) memcpy(binding_numbers(z), x, (size_t)n * sizeof *x);
    return z;
}

/* The size of the problem; -1 with the library's sentence where its sizes make no sense. */
static npy_intp find_size(const perp_problem *p)
{
    perp_index n = perp_size(p);
    perp_error error = {.status = PERP_SOLVED};
    if (n >= 0) return n;
    if (perp_validate(p, &error))
        binding_raise(error.status, 0, error.text);
    else
        binding_refuse(PERP_E_ARGUMENT, "the sizes of the problem do not fit together");
    return -1;
}

static PyObject *run(binding_problem *b, const perp_options *o, perp_arena *a, PyObject *start)
{
    npy_intp n = find_size(&b->p);
    PyObject *z = n < 0 ? NULL : make_start(start, n), *w = z ? binding_new_vector(n) : NULL;
    if (!w) {
        Py_XDECREF(z);
        return NULL;
    }
    perp_result r;
    double *zx = binding_numbers(z), *wx = binding_numbers(w);
    binding_call_leave(b->call);
    binding_read_by_columns(&b->p, a);
    perp_solve(&b->p, o, a, zx, wx, &r);
    binding_call_return(b->call);
    if (!binding_call_raise(b->call) && r.status >= 0) return result_tuple(&r, z, w);
    if (!PyErr_Occurred()) binding_raise(r.status, 0, r.detail);
    Py_DECREF(z);
    Py_DECREF(w);
    return NULL;
}

/* With operators the arena is not kept: what it remembers of one is known by its address, and a
 * later one may get the same. */
static void give_back(PyObject *module, perp_arena *a, perp_mark mark, const binding_problem *b)
{
    perp_arena_release(a, mark);
    if (b->operators)
        binding_arena_drop(a);
    else
        binding_arena_give(module, a);
}

/* What lcp/enumerate finds goes to the call's `found`. */
static void attach_found(perp_options *o, binding_call *c)
{
    if (strcmp(perp_solver_name(o), "lcp/enumerate") != 0) return;
    perp_lcp_enumerate_options *own = (perp_lcp_enumerate_options *)(void *)o;
    own->found = binding_found;
    own->found_ctx = c;
}

/* (kind, fields, solver, start, monitor, options), and perhaps what lcp/enumerate calls with each
 * solution */
PyObject *binding_solve(PyObject *module, PyObject *const *arg, Py_ssize_t count)
{
    if (count != 6 && count != 7)
        return PyErr_Format(PyExc_TypeError, "solve takes 6 or 7 arguments");
    binding_call c = {.monitor = arg[4] == Py_None ? NULL : arg[4],
                      .found = count == 7 ? arg[6] : NULL};
    binding_problem b;
    if (!binding_read_problem(&b, arg[0], arg[1], &c)) return NULL;
    perp_arena *a = binding_arena_take(module);
    if (!a) return NULL;
    perp_mark mark = perp_arena_mark(a);
    perp_options *o = binding_make_options(a, arg[2], arg[5]);
    PyObject *result = NULL;
    if (o) {
        o->warm_start = arg[3] != Py_None;
        o->monitor = binding_monitor;
        o->monitor_ctx = &c;
        if (c.found) attach_found(o, &c);
        result = run(&b, o, a, arg[3]);
    }
    give_back(module, a, mark, &b);
    return result;
}

/* (kind, fields) -> length of z */
PyObject *binding_size(PyObject *module, PyObject *const *arg, Py_ssize_t count)
{
    (void)module;
    binding_call c = {.monitor = NULL};
    binding_problem b;
    if (count != 2) return PyErr_Format(PyExc_TypeError, "size takes 2 arguments");
    if (!binding_read_problem(&b, arg[0], arg[1], &c)) return NULL;
    npy_intp n = find_size(&b.p);
    return n < 0 ? NULL : PyLong_FromSsize_t(n);
}
