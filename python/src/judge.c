/* python/src/judge.c: certificates of any z, proofs, distances, and a look at a Jacobian. */
#include "binding.h"

#include <math.h>
#include <stdio.h>

/* A call that judges: the problem, z, and an arena of its own use. */
typedef struct judging {
    PyObject *module;
    binding_call call;
    binding_problem problem;
    perp_arena *arena;
    perp_mark mark;
    const double *z, *w;
} judging;

static bool begin(judging *j, PyObject *module, PyObject *kind, PyObject *fields, PyObject *z,
                  PyObject *w)
{
    *j = (judging){.module = module};
    if (!binding_read_problem(&j->problem, kind, fields, &j->call)) return false;
    npy_intp n = perp_size(&j->problem.p);
    if (!binding_read_vector(z, n, "z", &j->z) || !binding_read_vector(w, n, "w", &j->w))
        return false;
    j->arena = binding_arena_take(module);
    if (j->arena) j->mark = perp_arena_mark(j->arena);
    return j->arena != NULL;
}

/* False: refused, or a callback raised. */
static bool end(judging *j, perp_status s, const char *why)
{
    perp_arena_release(j->arena, j->mark);
    if (j->problem.operators)
        binding_arena_drop(j->arena);
    else
        binding_arena_give(j->module, j->arena);
    if (binding_call_raise(&j->call)) return false;
    if (s < 0) binding_raise(s, 0, why);
    return s >= 0;
}

/* Why a certificate was refused: what validation says, which entry of z is not finite, or the word
 * for the status. */
static const char *explain(const judging *j, perp_status s, perp_error *error)
{
    *error = (perp_error){.status = PERP_SOLVED};
    if (s < 0 && perp_validate(&j->problem.p, error)) return error->text;
    perp_index n = s == PERP_E_NUMBER && j->z ? perp_size(&j->problem.p) : 0, i = 0;
    while (i < n && isfinite(j->z[i])) i++;
    if (i < n) {
        snprintf(error->text, sizeof error->text, "z[%d] = %g is not finite", i, j->z[i]);
        return error->text;
    }
    return perp_status_text(s);
}

/* (kind, fields, z) -> the numbers of perp_residual */
PyObject *binding_certify(PyObject *module, PyObject *arg)
{
    PyObject *kind, *fields, *z;
    judging j;
    perp_residual r;
    perp_status s;
    perp_error error;
    if (!PyArg_ParseTuple(arg, "OOO", &kind, &fields, &z)) return NULL;
    if (!begin(&j, module, kind, fields, z, Py_None)) return NULL;
    binding_call_leave(&j.call);
    s = perp_certify(&j.problem.p, j.z, j.arena, &r);
    binding_call_return(&j.call);
    return end(&j, s, explain(&j, s, &error)) ? binding_residual_tuple(&r) : NULL;
}

/* (kind, fields, status, w, z) -> (whether w proves it, the numbers of perp_residual) */
PyObject *binding_check(PyObject *module, PyObject *arg)
{
    PyObject *kind, *fields, *w, *z;
    int claim;
    judging j;
    perp_residual r;
    perp_status s;
    perp_error error;
    if (!PyArg_ParseTuple(arg, "OOiOO", &kind, &fields, &claim, &w, &z)) return NULL;
    if (!begin(&j, module, kind, fields, z, w)) return NULL;
    binding_call_leave(&j.call);
    s = perp_check(&j.problem.p, (perp_status)claim, j.w, j.z, j.arena, &r);
    binding_call_return(&j.call);
    if (!end(&j, s, explain(&j, s, &error))) return NULL;
    return Py_BuildValue("ON", s == PERP_SOLVED ? Py_True : Py_False, binding_residual_tuple(&r));
}

/* (kind, fields, z) -> (norm, largest, unique, of, by, detail) */
PyObject *binding_distance(PyObject *module, PyObject *arg)
{
    PyObject *kind, *fields, *z;
    judging j;
    perp_distance_report d = {.of = "", .by = ""};
    perp_status s;
    if (!PyArg_ParseTuple(arg, "OOO", &kind, &fields, &z)) return NULL;
    if (!begin(&j, module, kind, fields, z, Py_None)) return NULL;
    binding_call_leave(&j.call);
    s = perp_distance(&j.problem.p, j.z, j.arena, &d);
    binding_call_return(&j.call);
    if (!end(&j, s, d.detail[0] ? d.detail : perp_status_text(s))) return NULL;
    return Py_BuildValue("ddNsss", d.norm, d.largest, PyBool_FromLong(d.unique), d.of ? d.of : "",
                         d.by ? d.by : "", d.detail);
}

/* (kind, fields, z) -> (agrees, row, column, given, expected, error, sentence) */
PyObject *binding_check_jacobian(PyObject *module, PyObject *arg)
{
    PyObject *kind, *fields, *z;
    judging j;
    perp_jacobian_report r = {.row = -1, .column = -1};
    perp_error error = {.status = PERP_SOLVED};
    perp_status s;
    if (!PyArg_ParseTuple(arg, "OOO", &kind, &fields, &z)) return NULL;
    if (!begin(&j, module, kind, fields, z, Py_None)) return NULL;
    binding_call_leave(&j.call);
    s = perp_check_jacobian(&j.problem.p, j.z, j.arena, &r, &error);
    binding_call_return(&j.call);
    if (!end(&j, s, error.text)) return NULL;
    return Py_BuildValue("Niiddds", PyBool_FromLong(s == PERP_SOLVED), (int)r.row, (int)r.column,
                         r.given, r.expected, r.error, s ? error.text : "");
}

/* (kind, fields): raises what is wrong with the data. */
PyObject *binding_validate(PyObject *module, PyObject *arg)
{
    PyObject *kind, *fields;
    binding_call c = {.monitor = NULL};
    binding_problem b;
    perp_error error = {.status = PERP_SOLVED};
    perp_status s;
    (void)module;
    if (!PyArg_ParseTuple(arg, "OO", &kind, &fields)) return NULL;
    if (!binding_read_problem(&b, kind, fields, &c)) return NULL;
    binding_call_leave(&c);
    s = perp_validate(&b.p, &error);
    binding_call_return(&c);
    if (binding_call_raise(&c)) return NULL;
    if (s == PERP_SOLVED) Py_RETURN_NONE;
    binding_raise(s, 0, error.text);
    return NULL;
}
