/* python/src/arenas.c: the arenas of the calls.
 *
 * Calls take and give with the GIL held, so that no lock is needed. One that has grown beyond
 * KEPT_BYTES is freed: its solve took far longer than getting the memory again will. */
#include "binding.h"

#define KEPT_BYTES ((size_t)256 << 20)

perp_arena *binding_arena_take(PyObject *module)
{
    binding_state *s = PyModule_GetState(module);
    if (s->count > 0) return s->idle[--s->count];
    perp_arena *a = PyMem_RawCalloc(1, sizeof *a);
    if (!a) PyErr_NoMemory();
    return a;
}

void binding_arena_drop(perp_arena *a)
{
    perp_arena_free(a);
    PyMem_RawFree(a);
}

void binding_arena_give(PyObject *module, perp_arena *a)
{
    binding_state *s = PyModule_GetState(module);
    if (s->count < ARENAS_KEPT && a->peak <= KEPT_BYTES)
        s->idle[s->count++] = a;
    else
        binding_arena_drop(a);
}

static void drop_capsule(PyObject *capsule)
{
    binding_arena_drop(PyCapsule_GetPointer(capsule, NULL));
}

PyObject *binding_arena_owner(perp_arena *a)
{
    PyObject *owner = PyCapsule_New(a, NULL, drop_capsule);
    if (!owner) binding_arena_drop(a);
    return owner;
}

/* Of the arenas that no call uses: how many, the largest peak in bytes, blocks obtained so far. */
PyObject *binding_memory(PyObject *module, PyObject *unused)
{
    const binding_state *s = PyModule_GetState(module);
    size_t peak = 0;
    unsigned long blocks = 0;
    (void)unused;
    for (int k = 0; k < s->count; k++) {
        peak = s->idle[k]->peak > peak ? s->idle[k]->peak : peak;
        blocks += s->idle[k]->allocations;
    }
    return Py_BuildValue("ink", s->count, (Py_ssize_t)peak, blocks);
}

PyObject *binding_release(PyObject *module, PyObject *unused)
{
    binding_state *s = PyModule_GetState(module);
    (void)unused;
    while (s->count > 0) binding_arena_drop(s->idle[--s->count]);
    Py_RETURN_NONE;
}
