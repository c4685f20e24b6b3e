/* python/src/calls.c: functions in Python that the library calls: maps, products, monitors.
 *
 * They get arrays of their own, which they may keep. An exception is kept, every callback is
 * refused from then on, and the monitor cancels, so that the call ends within an iteration and its
 * caller gets the exception. */
#include "binding.h"

#include <math.h>
#include <string.h>

#define POLL_SECONDS 0.05 /* between two looks for signals: below what a user at a key notices */

void binding_call_leave(binding_call *c)
{
    c->thread = PyThread_get_thread_ident();
    c->gone = PyEval_SaveThread();
}

void binding_call_return(binding_call *c)
{
    PyEval_RestoreThread(c->gone);
    c->gone = NULL;
}

binding_visit binding_call_enter(binding_call *c)
{
    binding_visit v = {.foreign = PyThread_get_thread_ident() != c->thread};
    v.own = !v.foreign && c->gone;
    if (v.foreign) v.gil = PyGILState_Ensure();
    if (v.own) binding_call_return(c);
    return v;
}

void binding_call_exit(binding_call *c, binding_visit v)
{
    if (v.foreign) PyGILState_Release(v.gil);
    if (v.own) binding_call_leave(c);
}

void binding_call_keep(binding_call *c)
{
    if (c->failed)
        PyErr_Clear();
    else
        PyErr_Fetch(&c->type, &c->value, &c->trace);
    c->failed = true;
}

bool binding_call_raise(binding_call *c)
{
    if (c->failed) PyErr_Restore(c->type, c->value, c->trace);
    return c->failed;
}

static PyObject *refuse_returned(PyObject *returned, const char *what)
{
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError, "%s returned %R; real numbers are needed", what, returned);
}

/* Whether it hides entries, as numpy.ma's arrays do: their numbers are no numbers. */
static bool is_masked(PyObject *x)
{
    return PyArray_Check(x) && !PyArray_CheckExact(x) && PyObject_HasAttrString(x, "filled");
}

/* What a callback returned as a contiguous array of doubles. Reals of other widths are taken, and
 * objects that are numbers; complex numbers and texts are not. */
static PyObject *as_doubles(PyObject *returned, const char *what)
{
    if (is_masked(returned)) return refuse_returned(returned, what);
    PyObject *given = PyArray_FromAny(returned, NULL, 0, 0, 0, NULL);
    if (!given && !PyErr_ExceptionMatches(PyExc_ValueError)) return NULL;
    if (!given) return refuse_returned(returned, what); /* lines of different lengths */
    PyArrayObject *x = (PyArrayObject *)given;
    PyObject *array = NULL;
    if (PyArray_TYPE(x) == NPY_OBJECT || PyTypeNum_ISNUMBER(PyArray_TYPE(x)) || PyArray_ISBOOL(x)) {
        PyArray_Descr *real = PyArray_DescrFromType(NPY_DOUBLE);
        int cast = PyArray_ISCOMPLEX(x) ? 0 : NPY_ARRAY_FORCECAST;
        array = PyArray_FromAny(given, real, 0, 0, NPY_ARRAY_IN_ARRAY | cast, NULL);
    }
    Py_DECREF(given);
    if (!array && (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError) ||
                   PyErr_ExceptionMatches(PyExc_ValueError)))
        return refuse_returned(returned, what);
    return array;
}

/* The numbers of what a callback returned, `count` of them. */
static bool copy_numbers(PyObject *returned, size_t count, const char *what, double *y)
{
    PyObject *array = as_doubles(returned, what);
    if (!array) return false;
    size_t found = (size_t)PyArray_SIZE((PyArrayObject *)array);
    if (found == count && count > 0) memcpy(y, binding_numbers(array), count * sizeof *y);
    Py_DECREF(array);
    if (found != count)
        binding_refuse(PERP_E_ARGUMENT, "%s returned %zu numbers; %zu are needed", what, found,
                       count);
    return found == count;
}

/* y = f(x). False: it raised, or it returned None, which says that it is undefined there. */
static bool call_numbers(PyObject *f, const double *x, perp_index n, double *y, size_t count,
                         const char *what)
{
    PyObject *argument = binding_new_vector(n);
    if (!argument) return false;
    if (n > 0) memcpy(binding_numbers(argument), x, (size_t)n * sizeof *x);
    PyObject *returned = PyObject_CallOneArg(f, argument);
    Py_DECREF(argument);
    bool good = returned && returned != Py_None && copy_numbers(returned, count, what, y);
    Py_XDECREF(returned);
    return good;
}

/* The same without the GIL, as a part of the call c. */
static bool call_back(binding_call *c, PyObject *f, const double *x, perp_index n, double *y,
                      size_t count, const char *what)
{
    if (c->failed) return false;
    binding_visit v = binding_call_enter(c);
    bool good = call_numbers(f, x, n, y, count, what);
    if (PyErr_Occurred()) binding_call_keep(c);
    binding_call_exit(c, v);
    return good;
}

bool binding_eval(void *map, const double *z, double *F)
{
    const binding_map *b = map;
    return call_back(b->call, b->eval, z, b->n, F, (size_t)b->n, "F");
}

bool binding_jacobian(void *map, const double *z, double *values)
{
    const binding_map *b = map;
    return call_back(b->call, b->jacobian, z, b->n, values, b->values, "the Jacobian");
}

/* y = a f(x) + b y; NaN where f has failed, with which no solve goes on. */
static void add_product(const binding_operator *op, PyObject *f, double a, const double *x,
                        perp_index n, double b, double *y, perp_index m)
{
    double *product = PyMem_RawMalloc((size_t)(m > 0 ? m : 1) * sizeof *product);
    bool good = product && call_back(op->call, f, x, n, product, (size_t)m, "the operator");
    for (perp_index i = 0; i < m; i++)
        y[i] = good ? a * product[i] + (b == 0 ? 0 : b * y[i]) : (double)NAN;
    PyMem_RawFree(product);
}

void binding_mul(void *op, double a, const double *x, double b, double *y)
{
    const binding_operator *o = op;
    add_product(o, o->mul, a, x, o->n, b, y, o->m);
}

void binding_mul_t(void *op, double a, const double *x, double b, double *y)
{
    const binding_operator *o = op;
    add_product(o, o->mul_t, a, x, o->m, b, y, o->n);
}

/* False: the function returned False, or it raised. */
static bool ask_monitor(PyObject *monitor, const perp_progress *p)
{
    PyObject *answer = PyObject_CallFunction(monitor, "idddds", p->iteration, p->seconds,
                                             p->estimate, p->residual, p->merit, p->solver);
    bool go = answer && answer != Py_False;
    Py_XDECREF(answer);
    return go;
}

bool binding_monitor(void *call, const perp_progress *p)
{
    binding_call *c = call;
    if (c->failed) return false;
    bool due = p->seconds >= c->polled + POLL_SECONDS;
    if (!due && !c->monitor) return true;
    binding_visit v = binding_call_enter(c);
    if (due) c->polled = p->seconds;
    bool go = !due || PyErr_CheckSignals() == 0;
    go = go && (!c->monitor || ask_monitor(c->monitor, p));
    if (PyErr_Occurred()) binding_call_keep(c);
    binding_call_exit(c, v);
    return go;
}

/* (z, basis, face, residual) of a solution; z is an array of its own. */
static PyObject *solution_tuple(const perp_lcp_solution *s)
{
    PyObject *z = binding_new_vector(s->n);
    if (!z) return NULL;
    if (s->n > 0) memcpy(binding_numbers(z), s->z, (size_t)s->n * sizeof *s->z);
    return Py_BuildValue("NINN", z, s->basis, PyBool_FromLong(s->face),
                         binding_residual_tuple(&s->residual));
}

bool binding_found(void *call, const perp_lcp_solution *s)
{
    binding_call *c = call;
    if (c->failed) return false;
    binding_visit v = binding_call_enter(c);
    PyObject *solution = solution_tuple(s);
    PyObject *answer = solution ? PyObject_CallOneArg(c->found, solution) : NULL;
    bool more = answer && answer != Py_False;
    Py_XDECREF(solution);
    Py_XDECREF(answer);
    if (PyErr_Occurred()) binding_call_keep(c);
    binding_call_exit(c, v);
    return more;
}
