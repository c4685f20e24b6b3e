/* python/src/errors.c: sentences of the library as exceptions of perp/_errors.py. */
#include "binding.h"

#include <stdarg.h>
#include <stdio.h>

void binding_raise(perp_status status, int line, const char *text)
{
    PyObject *module = PyImport_ImportModule("perp._errors");
    PyObject *error =
        module ? PyObject_CallMethod(module, "make_error", "iis", (int)status, line, text) : NULL;
    if (error) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    Py_XDECREF(module);
}

void binding_refuse(perp_status status, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    binding_raise(status, 0, text);
}
