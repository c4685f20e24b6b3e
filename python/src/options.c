/* python/src/options.c: options of a solver from a dict, by the library's own table: names, ranges
 * and suggestions are its. */
#include "binding.h"

#include <string.h>

/* The value as perp_options_set reads it: numbers with all their digits, 1 and 0 for bools. */
static PyObject *write_value(PyObject *value)
{
    if (PyUnicode_Check(value)) {
        Py_INCREF(value);
        return value;
    }
    if (PyBool_Check(value) || PyArray_IsScalar(value, Bool))
        return PyUnicode_FromString(PyObject_IsTrue(value) ? "1" : "0");
    if (PyFloat_Check(value)) return PyFloat_Type.tp_repr(value);
    return PyObject_Str(value);
}

/* The bytes of a text; a NUL within would end it early. */
static const char *read_text(PyObject *text, const char *what)
{
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &length);
    if (!bytes || strlen(bytes) == (size_t)length) return bytes;
    binding_refuse(PERP_E_OPTION, "%s '%s..' has a NUL character in it", what, bytes);
    return NULL;
}

static bool set_option(perp_options *o, PyObject *name, PyObject *value)
{
    perp_error error = {.status = PERP_SOLVED};
    PyObject *text = write_value(value);
    const char *key = text ? read_text(name, "the option") : NULL;
    const char *word = key ? read_text(text, "the value") : NULL;
    bool good = word && perp_options_set(o, key, word, &error) == PERP_SOLVED;
    if (word && !good) binding_raise(error.status, 0, error.text);
    Py_XDECREF(text);
    return good;
}

perp_options *binding_make_options(perp_arena *a, PyObject *solver, PyObject *dict)
{
    const char *name = PyUnicode_AsUTF8(solver);
    if (!name) return NULL;
    perp_options *o = perp_options_new(a, name);
    perp_error error = {.status = PERP_SOLVED};
    if (!o) {
        PyErr_NoMemory();
        return NULL;
    }
    if (perp_options_check(o, &error)) {
        binding_raise(error.status, 0, error.text);
        return NULL;
    }
    PyObject *key, *value;
    Py_ssize_t place = 0;
    while (dict && dict != Py_None && PyDict_Next(dict, &place, &key, &value)) {
        if (!set_option(o, key, value)) return NULL;
    }
    return o;
}
