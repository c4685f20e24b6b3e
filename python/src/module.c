/* python/src/module.c: the table of the module perp._perp, which python/perp wraps. */
#define BINDING_IMPORTS_NUMPY
#include "binding.h"

#define FAST(f) (PyCFunction)(void (*)(void)) f

static PyMethodDef functions[] = {
    {"solve", FAST(binding_solve), METH_FASTCALL,
     "(kind, fields, solver, start, monitor, options[, found])"},
    {"size", FAST(binding_size), METH_FASTCALL, "(kind, fields): the length of z."},
    {"validate", binding_validate, METH_VARARGS, "(kind, fields): raises what is wrong."},
    {"certify", binding_certify, METH_VARARGS, "(kind, fields, z): the residual's numbers."},
    {"check", binding_check, METH_VARARGS, "(kind, fields, status, w, z): does w prove it?"},
    {"distance", binding_distance, METH_VARARGS, "(kind, fields, z): distance to a solution."},
    {"check_jacobian", binding_check_jacobian, METH_VARARGS, "(kind, fields, z): its worst entry."},
    {"load", binding_load, METH_VARARGS, "(path, kind, format, most bytes)"},
    {"save", binding_save, METH_VARARGS, "(path, format, kind, fields, name, title, ...)"},
    {"load_matrix", binding_load_matrix, METH_VARARGS, "(path): a view."},
    {"save_matrix", binding_save_matrix, METH_VARARGS, "(path, view)"},
    {"families", binding_families, METH_NOARGS, "What generate makes."},
    {"generate", binding_generate, METH_VARARGS, "(family, size, seed, form, mu, ratio, facets)"},
    {"solvers", binding_solvers, METH_NOARGS, "Solvers and their options."},
    {"statuses", binding_statuses, METH_NOARGS, "(word, sentence, value) of each."},
    {"memory", binding_memory, METH_NOARGS, "(arenas, peak, blocks) of what is kept."},
    {"release", binding_release, METH_NOARGS, "Free the memory that solves keep for later ones."},
    {"assemble", binding_assemble, METH_VARARGS, "(step, form, facets): a problem."},
    {"motion", binding_motion, METH_VARARGS,
     "(step, form, kind, fields, z): velocities, impulses."},
    {"groups", binding_groups, METH_O, "(step): who moves together."},
    {"layouts", binding_layouts, METH_NOARGS, "Of bodies, contacts and joints."},
    {"step_defaults", binding_step_defaults, METH_NOARGS, "Of perp_step_options, by name."},
    {"make_joint", binding_make_joint, METH_VARARGS, "(kind, bodies, a, b, point, axis)"},
    {"frame", binding_frame, METH_O, "(normal): the contact frame."},
    {NULL, NULL, 0, NULL},
};

static void free_module(void *module)
{
    binding_state *s = PyModule_GetState(module);
    while (s && s->count > 0) binding_arena_drop(s->idle[--s->count]);
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "perp._perp",
    .m_doc = "The C side of perp; use the package perp.",
    .m_size = sizeof(binding_state),
    .m_methods = functions,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit__perp(void);

PyMODINIT_FUNC PyInit__perp(void)
{
    import_array();
    if (PyType_Ready(&binding_world_type) < 0) return NULL;
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    Py_INCREF(&binding_world_type);
    if (PyModule_AddObject(module, "World", (PyObject *)&binding_world_type) ||
        PyModule_AddStringConstant(module, "version", perp_version())) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
