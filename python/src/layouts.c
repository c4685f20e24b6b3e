/* python/src/layouts.c: bodies, contacts and joints as structured types of numpy: each a tuple
 * (bytes, rows of (field, type, offset, count)), of which perp/_rigid.py makes a dtype. */
#include "binding.h"

#include <stddef.h>

typedef struct layout_row {
    const char *name, *type;
    size_t offset;
    int count;
} layout_row;

#define ROW(S, field, type, count)                                                                 \
    {                                                                                              \
#field, type, offsetof(S, field), count                                                    \
    }

static const layout_row body_rows[] = {
    ROW(perp_body, kind, "i4", 1),     ROW(perp_body, mass, "f8", 1),
    ROW(perp_body, inertia, "f8", 9),  ROW(perp_body, position, "f8", 3),
    ROW(perp_body, rotation, "f8", 4), ROW(perp_body, velocity, "f8", 3),
    ROW(perp_body, spin, "f8", 3),     ROW(perp_body, force, "f8", 3),
    ROW(perp_body, torque, "f8", 3),   {NULL, NULL, 0, 0},
};

static const layout_row contact_rows[] = {
    ROW(perp_contact, a, "i4", 1),     ROW(perp_contact, b, "i4", 1),
    ROW(perp_contact, point, "f8", 3), ROW(perp_contact, normal, "f8", 3),
    ROW(perp_contact, gap, "f8", 1),   ROW(perp_contact, dn, "f8", 3),
    ROW(perp_contact, mu, "f8", 1),    ROW(perp_contact, restitution, "f8", 1),
    ROW(perp_contact, id, "i4", 1),    {NULL, NULL, 0, 0},
};

static const layout_row joint_rows[] = {
    ROW(perp_joint, kind, "i4", 1),     ROW(perp_joint, a, "i4", 1),
    ROW(perp_joint, b, "i4", 1),        ROW(perp_joint, anchor_a, "f8", 3),
    ROW(perp_joint, anchor_b, "f8", 3), ROW(perp_joint, axis_a, "f8", 3),
    ROW(perp_joint, axis_b, "f8", 3),   ROW(perp_joint, relative, "f8", 4),
    ROW(perp_joint, id, "i4", 1),       {NULL, NULL, 0, 0},
};

static PyObject *show_layout(size_t bytes, const layout_row *row)
{
    PyObject *list = PyList_New(0);
    for (; list && row->name; row++) {
        PyObject *item =
            Py_BuildValue("ssni", row->name, row->type, (Py_ssize_t)row->offset, row->count);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return Py_BuildValue("nN", (Py_ssize_t)bytes, list);
}

PyObject *binding_layouts(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue("NNN", show_layout(sizeof(perp_body), body_rows),
                         show_layout(sizeof(perp_contact), contact_rows),
                         show_layout(sizeof(perp_joint), joint_rows));
}

/* (unit normal in an array of 3) -> E = [n t1 t2] in an array of 9, column by column */
PyObject *binding_frame(PyObject *module, PyObject *normal)
{
    const double *n;
    (void)module;
    if (!binding_read_vector(normal, 3, "normal", &n) || !n) return NULL;
    PyObject *E = binding_new_vector(9);
    if (E) perp_contact_frame(n, binding_numbers(E));
    return E;
}

/* (kind, bodies, a, b, point, axis or None) -> the bytes of a joint. Bodies is an array of bodies.
 */
PyObject *binding_make_joint(PyObject *module, PyObject *arg)
{
    int kind, a, b;
    PyObject *bodies, *at, *along;
    const double *point, *axis;
    (void)module;
    if (!PyArg_ParseTuple(arg, "iO!iiOO", &kind, &PyArray_Type, &bodies, &a, &b, &at, &along))
        return NULL;
    PyArrayObject *array = (PyArrayObject *)bodies;
    if (PyArray_ITEMSIZE(array) != sizeof(perp_body) || !PyArray_IS_C_CONTIGUOUS(array)) {
        binding_refuse(PERP_E_ARGUMENT, "bodies is not a contiguous array of perp.body_dtype");
        return NULL;
    }
    if (!binding_read_vector(at, 3, "point", &point) ||
        !binding_read_vector(along, 3, "axis", &axis))
        return NULL;
    perp_joint joint = perp_joint_make((perp_joint_kind)kind, PyArray_DATA(array),
                                       (perp_index)PyArray_SIZE(array), a, b, point, axis);
    return PyBytes_FromStringAndSize((const char *)&joint, sizeof joint);
}
