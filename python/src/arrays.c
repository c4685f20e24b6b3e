/* python/src/arrays.c: memory of the library as arrays of numpy, without a copy. */
#include "binding.h"

PyObject *binding_new_vector(npy_intp n)
{
    return PyArray_SimpleNew(1, &n, NPY_DOUBLE);
}

double *binding_numbers(PyObject *array)
{
    return PyArray_DATA((PyArrayObject *)array);
}

/* An array of that shape over memory that `owner` keeps. */
static PyObject *show(const void *x, int type, int dimensions, npy_intp *shape, npy_intp *strides,
                      PyObject *owner)
{
    if (!x) Py_RETURN_NONE;
    PyObject *array = PyArray_New(&PyArray_Type, dimensions, shape, type, strides, (void *)x, 0,
                                  NPY_ARRAY_ALIGNED, NULL);
    if (!array) return NULL;
    Py_INCREF(owner);
    if (PyArray_SetBaseObject((PyArrayObject *)array, owner) == 0) return array;
    Py_DECREF(array);
    return NULL;
}

PyObject *binding_show_vector(const double *x, npy_intp n, PyObject *owner)
{
    return show(x, NPY_DOUBLE, 1, &n, NULL, owner);
}

PyObject *binding_show_indices(const perp_index *x, npy_intp n, PyObject *owner)
{
    return show(x, NPY_INT, 1, &n, NULL, owner);
}

PyObject *binding_show_mask(const bool *x, npy_intp n, PyObject *owner)
{
    return show(x, NPY_BOOL, 1, &n, NULL, owner);
}

static PyObject *show_dense(const perp_matrix *A, PyObject *owner)
{
    npy_intp shape[2] = {A->m, A->n}, far = (npy_intp)sizeof(double) * A->as.dense.ld;
    npy_intp columns[2] = {sizeof(double), far}, rows[2] = {far, sizeof(double)};
    bool by_rows = A->format == PERP_FORMAT_DENSE_ROWS;
    return show(A->as.dense.x, NPY_DOUBLE, 2, shape, by_rows ? rows : columns, owner);
}

PyObject *binding_show_matrix(const perp_matrix *A, PyObject *owner)
{
    const struct perp_csc_view *s = &A->as.csc;
    switch (A->format) {
    case PERP_FORMAT_ABSENT: Py_RETURN_NONE;
    case PERP_FORMAT_DENSE:
    case PERP_FORMAT_DENSE_ROWS: return show_dense(A, owner);
    case PERP_FORMAT_CSC:
    case PERP_FORMAT_CSR:
    case PERP_FORMAT_BSR3: break;
    default: binding_refuse(PERP_E_FORMAT, "an operator has no entries to show"); return NULL;
    }
    npy_intp lines = A->format == PERP_FORMAT_CSC   ? A->n
                     : A->format == PERP_FORMAT_CSR ? A->m
                                                    : A->m / 3;
    npy_intp count = s->p[lines], per = A->format == PERP_FORMAT_BSR3 ? 9 : 1;
    return Py_BuildValue("iiiNNN", (int)A->format, (int)A->m, (int)A->n,
                         binding_show_indices(s->p, lines + 1, owner),
                         binding_show_indices(s->i, count, owner),
                         binding_show_vector(s->x, per * count, owner));
}
