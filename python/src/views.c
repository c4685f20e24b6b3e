/* python/src/views.c: arrays of numpy as the views of the library, without a copy.
 *
 * They are read anew for each call, so that an array whose memory has moved, or whose numbers have
 * changed since the problem was stated, is seen as it is. */
#include "binding.h"

#include <limits.h>

static PyArrayObject *as_array(PyObject *o, int type, int dimensions, const char *name)
{
    PyArrayObject *x = (PyArrayObject *)o;
    if (PyArray_Check(o) && PyArray_TYPE(x) == type && PyArray_NDIM(x) == dimensions &&
        PyArray_ISALIGNED(x) && PyArray_ISNOTSWAPPED(x))
        return x;
    binding_refuse(PERP_E_ARGUMENT, "%s is not an array of %d dimension%s of the type it needs",
                   name, dimensions, dimensions == 1 ? "" : "s");
    return NULL;
}

/* The numbers of a vector of n entries, contiguous; *length gets n where n < 0. */
static bool read_numbers(PyObject *o, int type, npy_intp n, const char *name, const void **x)
{
    *x = NULL;
    if (o == Py_None) return true;
    PyArrayObject *array = as_array(o, type, 1, name);
    if (!array) return false;
    npy_intp found = PyArray_DIM(array, 0);
    if (found != n || !PyArray_IS_C_CONTIGUOUS(array)) {
        binding_refuse(PERP_E_ARGUMENT, "%s has %zd entries; %zd are needed", name,
                       (Py_ssize_t)found, (Py_ssize_t)n);
        return false;
    }
    *x = PyArray_DATA(array);
    return true;
}

bool binding_read_vector(PyObject *o, npy_intp n, const char *name, const double **x)
{
    return read_numbers(o, NPY_DOUBLE, n, name, (const void **)x);
}

bool binding_read_indices(PyObject *o, npy_intp n, const char *name, const perp_index **x)
{
    return read_numbers(o, NPY_INT, n, name, (const void **)x);
}

bool binding_read_mask(PyObject *o, npy_intp n, const char *name, const bool **x)
{
    return read_numbers(o, NPY_BOOL, n, name, (const void **)x);
}

bool binding_read_size(PyObject *o, const char *name, perp_index *n)
{
    int beyond = 0;
    long value = PyLong_AsLongAndOverflow(o, &beyond);
    if (value == -1 && !beyond && PyErr_Occurred()) return false;
    *n = (perp_index)value;
    if (!beyond && value >= INT_MIN && value <= INT_MAX) return true;
    binding_refuse(PERP_E_ARGUMENT, "%s is too large: sizes have 32 bits", name);
    return false;
}

/* ---- matrices ---- */

/* The leading dimension where lines of `length` numbers are `stride` bytes apart; 0: none fits. */
static perp_index leading(npy_intp stride, npy_intp length)
{
    npy_intp ld = stride / (npy_intp)sizeof(double);
    bool whole = stride % (npy_intp)sizeof(double) == 0;
    return whole && ld >= length && ld <= INT_MAX && ld > 0 ? (perp_index)ld : 0;
}

static bool read_dense(PyArrayObject *x, const char *name, perp_matrix *A)
{
    npy_intp m = PyArray_DIM(x, 0), n = PyArray_DIM(x, 1);
    const double *numbers = PyArray_DATA(x);
    if (m > INT_MAX || n > INT_MAX) {
        binding_refuse(PERP_E_ARGUMENT, "%s is too large: sizes have 32 bits", name);
        return false;
    }
    bool columns = PyArray_IS_F_CONTIGUOUS(x);
    if (columns || PyArray_IS_C_CONTIGUOUS(x)) {
        *A = columns ? perp_dense((perp_index)m, (perp_index)n, numbers)
                     : perp_dense_rows((perp_index)m, (perp_index)n, numbers);
        return true;
    }
    columns = PyArray_STRIDE(x, 0) == (npy_intp)sizeof(double);
    *A = columns ? perp_dense((perp_index)m, (perp_index)n, numbers)
                 : perp_dense_rows((perp_index)m, (perp_index)n, numbers);
    A->as.dense.ld = columns ? leading(PyArray_STRIDE(x, 1), m)
                     : PyArray_STRIDE(x, 1) == (npy_intp)sizeof(double)
                         ? leading(PyArray_STRIDE(x, 0), n)
                         : 0;
    if (A->as.dense.ld > 0) return true;
    binding_refuse(PERP_E_ARGUMENT, "%s has neither rows nor columns that are contiguous", name);
    return false;
}

static bool read_operator(binding_problem *b, PyObject *view, const char *name, perp_matrix *A)
{
    if (b->operators == OPERATORS_MOST) {
        binding_refuse(PERP_E_ARGUMENT, "%s is one operator too many", name);
        return false;
    }
    binding_operator *op = &b->op[b->operators++];
    op->call = b->call;
    op->m = A->m;
    op->n = A->n;
    op->mul = PyTuple_GET_ITEM(view, 3);
    op->mul_t = PyTuple_GET_ITEM(view, 4);
    A->as.op = (struct perp_operator){binding_mul, binding_mul_t, op};
    return true;
}

/* Lines are columns of CSC, rows of CSR, block rows of BSR3; the values of a line are contiguous.
 */
static bool read_sparse(PyObject *view, const char *name, perp_matrix *A)
{
    npy_intp lines = A->format == PERP_FORMAT_CSC   ? A->n
                     : A->format == PERP_FORMAT_CSR ? A->m
                                                    : A->m / 3;
    const perp_index *p, *i;
    const double *x;
    if (!binding_read_indices(PyTuple_GET_ITEM(view, 3), lines + 1, name, &p)) return false;
    if (!p) {
        binding_refuse(PERP_E_ARGUMENT, "%s has no pointers", name);
        return false;
    }
    npy_intp per = A->format == PERP_FORMAT_BSR3 ? 9 : 1, last = p[lines];
    PyObject *found = PyTuple_GET_ITEM(view, 4);
    npy_intp room = PyArray_Check(found) ? PyArray_SIZE((PyArrayObject *)found) : 0;
    if (last < 0 || last > room) {
        binding_refuse(PERP_E_ARGUMENT, "%s: its pointers end at %zd, but it has %zd entries", name,
                       (Py_ssize_t)last, (Py_ssize_t)room);
        return false;
    }
    if (!binding_read_indices(found, room, name, &i) ||
        !binding_read_vector(PyTuple_GET_ITEM(view, 5), per * room, name, &x))
        return false;
    A->as.csc = (struct perp_csc_view){p, i, x}; /* csr and bsr3 have the same three */
    return true;
}

/* Format, rows and columns of a tuple, whose other items are as many as the format has. */
static bool read_head(PyObject *view, const char *name, perp_matrix *A)
{
    perp_index head[3];
    for (int k = 0; k < 3; k++) {
        PyObject *item = PyTuple_GetItem(view, k);
        if (!item || !binding_read_size(item, name, &head[k])) return false;
    }
    Py_ssize_t items = 0;
    if (head[0] == PERP_FORMAT_OPERATOR) items = 5;
    if (head[0] == PERP_FORMAT_CSC || head[0] == PERP_FORMAT_CSR || head[0] == PERP_FORMAT_BSR3)
        items = 6;
    A->format = (perp_format)head[0];
    A->m = head[1];
    A->n = head[2];
    if (PyTuple_GET_SIZE(view) == items && A->m >= 0 && A->n >= 0) return true;
    binding_refuse(PERP_E_ARGUMENT, "%s is not a view of a matrix", name);
    return false;
}

bool binding_read_matrix(binding_problem *b, PyObject *view, const char *name, perp_matrix *A)
{
    *A = (perp_matrix){PERP_FORMAT_ABSENT, 0, 0, {{0}}};
    if (view == Py_None) return true;
    if (!PyTuple_Check(view)) {
        PyArrayObject *x = as_array(view, NPY_DOUBLE, 2, name);
        return x && read_dense(x, name, A);
    }
    if (!read_head(view, name, A)) return false;
    if (A->format == PERP_FORMAT_OPERATOR) return read_operator(b, view, name, A);
    return read_sparse(view, name, A);
}
