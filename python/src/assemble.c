/* python/src/assemble.c: one step of rigid bodies as a problem, and the motion that a solution of
 * it means. Bodies, contacts and joints are arrays of numpy with the layouts of layouts.c. */
#include "binding.h"

#include <stdint.h>

bool binding_is_array_of(PyObject *o, size_t bytes)
{
    PyArrayObject *x = (PyArrayObject *)o;
    return PyArray_Check(o) && PyArray_NDIM(x) == 1 && PyArray_IS_C_CONTIGUOUS(x) &&
           (uintptr_t)PyArray_DATA(x) % _Alignof(double) == 0 &&
           (size_t)PyArray_ITEMSIZE(x) == bytes;
}

/* The step of a tuple (bodies, contacts, joints, dt, rule, gyroscopic, recovery_speed,
 * restitution_threshold). */
static bool read_step(PyObject *step, perp_rigid *s)
{
    PyObject *bodies, *contacts, *joints;
    int rule, gyroscopic;
    *s = (perp_rigid){.dt = 0};
    if (!PyArg_ParseTuple(step, "OOOdipdd", &bodies, &contacts, &joints, &s->dt, &rule, &gyroscopic,
                          &s->recovery_speed, &s->restitution_threshold))
        return false;
    if (!binding_is_array_of(bodies, sizeof(perp_body)) ||
        !binding_is_array_of(contacts, sizeof(perp_contact)) ||
        !binding_is_array_of(joints, sizeof(perp_joint))) {
        binding_refuse(PERP_E_ARGUMENT, "bodies, contacts and joints are contiguous arrays of "
                                        "perp.body_dtype, contact_dtype and joint_dtype");
        return false;
    }
    s->bodies = (perp_index)PyArray_SIZE((PyArrayObject *)bodies);
    s->contacts = (perp_index)PyArray_SIZE((PyArrayObject *)contacts);
    s->joints = (perp_index)PyArray_SIZE((PyArrayObject *)joints);
    s->body = PyArray_DATA((PyArrayObject *)bodies);
    s->contact = PyArray_DATA((PyArrayObject *)contacts);
    s->joint = PyArray_DATA((PyArrayObject *)joints);
    s->rule = (perp_rule)rule;
    s->gyroscopic = gyroscopic;
    return true;
}

static perp_status assemble(const perp_rigid *s, perp_rigid_form form, int facets, perp_arena *a,
                            perp_problem *p, perp_error *e)
{
    switch (form) {
    case PERP_RIGID_FORM_FC3D_LOCAL: return perp_rigid_fc3d_local(s, a, p, e);
    case PERP_RIGID_FORM_FC3D_BODY: return perp_rigid_fc3d_body(s, a, p, e);
    case PERP_RIGID_FORM_MCP: return perp_rigid_mcp(s, a, p, e);
    case PERP_RIGID_FORM_LCP_FACETS: return perp_rigid_lcp_facets(s, facets, a, p, e);
    case PERP_RIGID_FORM_MCP_FACETS: return perp_rigid_mcp_facets(s, facets, a, p, e);
    case PERP_RIGID_FORM_LCP: return perp_rigid_lcp(s, a, p, e);
    case PERP_RIGID_FORM_NNLS_VELOCITIES:
        return perp_rigid_nnls(s, PERP_MOTION_VELOCITIES, a, p, e);
    case PERP_RIGID_FORM_NNLS_ACCELERATIONS:
        return perp_rigid_nnls(s, PERP_MOTION_ACCELERATIONS, a, p, e);
    }
    *e = (perp_error){.status = PERP_E_ARGUMENT, .text = "there is no such form of a step"};
    return e->status;
}

/* (step, form, facets) -> (kind, fields) */
PyObject *binding_assemble(PyObject *module, PyObject *arg)
{
    PyObject *step, *shown = NULL;
    int form, facets;
    perp_rigid s;
    perp_problem p;
    perp_status status;
    perp_error error = {.status = PERP_SOLVED};
    (void)module;
    if (!PyArg_ParseTuple(arg, "O!ii", &PyTuple_Type, &step, &form, &facets)) return NULL;
    if (!read_step(step, &s)) return NULL;
    perp_arena *a = PyMem_RawCalloc(1, sizeof *a);
    if (!a) return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS;
    status = assemble(&s, (perp_rigid_form)form, facets, a, &p, &error);
    Py_END_ALLOW_THREADS;
    PyObject *owner = binding_arena_owner(a);
    if (owner && status)
        binding_raise(error.status, 0, error.text);
    else if (owner)
        shown = binding_show_problem(&p, owner);
    Py_XDECREF(owner);
    return shown;
}

/* (step, form, kind, fields, z) -> (6 a body, 3 a contact, rows of joints) */
PyObject *binding_motion(PyObject *module, PyObject *arg)
{
    PyObject *step, *kind, *fields, *at;
    int form;
    perp_rigid s;
    binding_problem b;
    binding_call call = {.monitor = NULL};
    const double *z;
    perp_status status;
    perp_error error = {.status = PERP_SOLVED};
    if (!PyArg_ParseTuple(arg, "O!iOOO", &PyTuple_Type, &step, &form, &kind, &fields, &at) ||
        !read_step(step, &s) || !binding_read_problem(&b, kind, fields, &call) ||
        !binding_read_vector(at, perp_size(&b.p), "z", &z))
        return NULL;
    if (!z && perp_size(&b.p) > 0) {
        binding_refuse(PERP_E_ARGUMENT, "z is None; an array is needed");
        return NULL;
    }
    perp_index rows = perp_rigid_joint_rows(&s);
    PyObject *v = binding_new_vector(6 * (npy_intp)s.bodies),
             *r = binding_new_vector(3 * (npy_intp)s.contacts),
             *l = binding_new_vector(rows > 0 ? rows : 0), *made = NULL;
    perp_arena *a = v && r && l ? binding_arena_take(module) : NULL;
    if (a) {
        perp_mark mark = perp_arena_mark(a);
        binding_call_leave(&call);
        status = perp_rigid_velocities(&s, (perp_rigid_form)form, &b.p, z, a, binding_numbers(v),
                                       binding_numbers(r), binding_numbers(l), &error);
        binding_call_return(&call);
        perp_arena_release(a, mark);
        binding_arena_give(module, a);
        if (status)
            binding_raise(error.status, 0, error.text);
        else
            made = PyTuple_Pack(3, v, r, l);
    }
    Py_XDECREF(v);
    Py_XDECREF(r);
    Py_XDECREF(l);
    return made;
}

/* (step) -> (count, group of each body, of each contact, of each joint) */
PyObject *binding_groups(PyObject *module, PyObject *step)
{
    perp_rigid s;
    perp_rigid_groups g;
    perp_error error = {.status = PERP_SOLVED};
    (void)module;
    if (!PyTuple_Check(step)) return PyErr_Format(PyExc_TypeError, "a step is a tuple");
    if (!read_step(step, &s)) return NULL;
    perp_arena *a = PyMem_RawCalloc(1, sizeof *a);
    if (!a) return PyErr_NoMemory();
    perp_status status = perp_rigid_group(&s, a, &g, &error);
    PyObject *owner = binding_arena_owner(a), *shown = NULL;
    if (owner && status)
        binding_raise(error.status, 0, error.text);
    else if (owner)
        shown = Py_BuildValue("iNNN", (int)g.count, binding_show_indices(g.body, s.bodies, owner),
                              binding_show_indices(g.contact, s.contacts, owner),
                              binding_show_indices(g.joint, s.joints, owner));
    Py_XDECREF(owner);
    return shown;
}
