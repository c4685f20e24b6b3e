/* python/src/world.c: rigid bodies that move, on arrays of numpy.
 *
 * The bodies are the memory of the array that the world was made with: what a step changes is seen
 * there, and what is written there between steps is what the next one begins with. */
#include "binding.h"

#include <string.h>

typedef struct world_object {
    PyObject_HEAD perp_world world;
    PyObject *bodies, *joints, *collide, *body_dtype;
    bool busy; /* a step runs, in another thread or in the function that finds contacts */
} world_object;

/* What the function that finds contacts gets. */
typedef struct collision {
    binding_call call;
    world_object *world;
} collision;

/* ---- life ---- */

static int clear(PyObject *self)
{
    world_object *w = (world_object *)self;
    Py_CLEAR(w->bodies);
    Py_CLEAR(w->joints);
    Py_CLEAR(w->collide);
    Py_CLEAR(w->body_dtype);
    return 0;
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    world_object *w = (world_object *)self;
    Py_VISIT(w->bodies);
    Py_VISIT(w->joints);
    Py_VISIT(w->collide);
    return 0;
}

static void dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    perp_world_free(&((world_object *)self)->world);
    clear(self);
    Py_TYPE(self)->tp_free(self);
}

/* Whether these are the arrays of a world, and their memory is what it says. */
static bool are_arrays(PyObject *bodies, PyObject *joints)
{
    if (binding_is_array_of(bodies, sizeof(perp_body)) &&
        binding_is_array_of(joints, sizeof(perp_joint)) &&
        PyArray_ISWRITEABLE((PyArrayObject *)bodies))
        return true;
    binding_refuse(PERP_E_ARGUMENT,
                   "bodies and joints are contiguous arrays of perp.body_dtype and "
                   "perp.joint_dtype, the bodies to be written");
    return false;
}

/* (bodies, joints, collide or None, dtype of bodies) */
static int init(PyObject *self, PyObject *arg, PyObject *keywords)
{
    world_object *w = (world_object *)self;
    PyObject *bodies, *joints, *collide, *dtype;
    (void)keywords;
    if (w->busy) {
        PyErr_SetString(PyExc_RuntimeError, "this world is in a step");
        return -1;
    }
    if (!PyArg_ParseTuple(arg, "OOOO!", &bodies, &joints, &collide, &PyArrayDescr_Type, &dtype))
        return -1;
    if (!are_arrays(bodies, joints)) return -1;
    Py_INCREF(bodies);
    Py_INCREF(joints);
    Py_INCREF(collide);
    Py_INCREF(dtype);
    clear(self);
    w->bodies = bodies;
    w->joints = joints;
    w->collide = collide;
    w->body_dtype = dtype;
    return 0;
}

/* ---- contacts ---- */

/* An array of the bodies as they stand in the step, for the function to keep. */
static PyObject *copy_bodies(world_object *w, const perp_body *body, perp_index count)
{
    npy_intp n = count;
    Py_INCREF(w->body_dtype);
    PyObject *x = PyArray_NewFromDescr(&PyArray_Type, (PyArray_Descr *)w->body_dtype, 1, &n, NULL,
                                       NULL, 0, NULL);
    if (x && n > 0) memcpy(PyArray_DATA((PyArrayObject *)x), body, (size_t)n * sizeof *body);
    return x;
}

static bool add_contacts(PyObject *found, perp_contacts *list)
{
    if (!binding_is_array_of(found, sizeof(perp_contact))) {
        binding_refuse(PERP_E_ARGUMENT, "the function that finds contacts returned no array of "
                                        "perp.contact_dtype; perp.contacts(...) makes one");
        return false;
    }
    const perp_contact *from = PyArray_DATA((PyArrayObject *)found);
    for (npy_intp k = 0; k < PyArray_SIZE((PyArrayObject *)found); k++) {
        perp_contact *c = perp_contacts_add(list, from[k].a, from[k].b);
        if (!c) return PyErr_NoMemory() != NULL;
        *c = from[k];
    }
    return true;
}

static bool find_contacts(world_object *w, const perp_body *body, perp_index bodies, double margin,
                          perp_contacts *list)
{
    PyObject *copy = copy_bodies(w, body, bodies);
    PyObject *found = copy ? PyObject_CallFunction(w->collide, "Od", copy, margin) : NULL;
    bool good = found && add_contacts(found, list);
    Py_XDECREF(found);
    Py_XDECREF(copy);
    return good;
}

static bool collide(void *ctx, const perp_body *body, perp_index bodies, double margin,
                    perp_contacts *list)
{
    collision *c = ctx;
    if (c->call.failed) return false;
    binding_visit v = binding_call_enter(&c->call);
    bool good = find_contacts(c->world, body, bodies, margin, list);
    if (PyErr_Occurred()) binding_call_keep(&c->call);
    binding_call_exit(&c->call, v);
    return good;
}

/* ---- a step ---- */

static PyObject *report_tuple(const perp_step_report *r, const perp_world *w)
{
    return Py_BuildValue("iiiiiiddddddddddds", (int)r->status, (int)r->contacts, r->groups,
                         r->unsolved, r->iterations, r->rounds, r->residual, r->model_residual,
                         r->kinetic, r->potential, r->overlap, r->collide_seconds,
                         r->assemble_seconds, r->solve_seconds, r->contact_work,
                         r->restitution_scale, w->time, r->detail);
}

/* Flags: gyroscopic, no warm start, one problem of all contacts, split impulse. */
static bool parse_options(PyObject *arg, perp_step_options *o, PyObject **solver, PyObject **dict)
{
    int rule, dynamics, form, flag[4];
    if (!PyArg_ParseTuple(arg, "ddid(ddd)iddidiiidOO(iiii)dd", &o->dt, &o->theta, &rule, &o->margin,
                          &o->gravity[0], &o->gravity[1], &o->gravity[2], &dynamics,
                          &o->rolling_friction, &o->air_drag, &o->fixed_point, &o->fixed_tol, &form,
                          &o->facets, &o->threads, &o->escape_radius, solver, dict, &flag[0],
                          &flag[1], &flag[2], &flag[3], &o->recovery_speed,
                          &o->restitution_threshold))
        return false;
    o->rule = (perp_rule)rule;
    o->dynamics = (perp_dynamics)dynamics;
    o->form = (perp_rigid_form)form;
    o->gyroscopic = flag[0];
    o->no_warm_start = flag[1];
    o->single_problem = flag[2];
    o->split_impulse = flag[3];
    return true;
}

static PyObject *run_step(world_object *w, const perp_step_options *o, collision *c)
{
    perp_step_report r;
    perp_status s;
    w->world.bodies = (perp_index)PyArray_SIZE((PyArrayObject *)w->bodies);
    w->world.body = PyArray_DATA((PyArrayObject *)w->bodies);
    w->world.joints = (perp_index)PyArray_SIZE((PyArrayObject *)w->joints);
    w->world.joint = PyArray_DATA((PyArrayObject *)w->joints);
    w->world.collide = w->collide == Py_None ? NULL : collide;
    w->world.ctx = c;
    w->busy = true;
    binding_call_leave(&c->call);
    s = perp_step(&w->world, o, &r);
    binding_call_return(&c->call);
    w->busy = false;
    if (binding_call_raise(&c->call)) return NULL;
    if (s >= 0) return report_tuple(&r, &w->world);
    binding_raise(s, 0, r.detail);
    return NULL;
}

static PyObject *advance(PyObject *self, PyObject *arg)
{
    world_object *w = (world_object *)self;
    perp_step_options o = perp_step_defaults();
    PyObject *solver, *dict;
    collision c = {.world = w};
    if (w->busy) return PyErr_Format(PyExc_RuntimeError, "this world is in a step already");
    if (!w->bodies) return PyErr_Format(PyExc_RuntimeError, "this world was not initialised");
    if (!are_arrays(w->bodies, w->joints)) return NULL; /* dtype and flags can be set in place */
    if (!parse_options(arg, &o, &solver, &dict)) return NULL;
    perp_arena options = {.resize = NULL};
    PyObject *report = NULL;
    perp_options *s = binding_make_options(&options, solver, dict);
    if (s) { /* a monitor serves one thread */
        s->monitor = o.threads > 1 ? NULL : binding_monitor;
        s->monitor_ctx = &c.call;
        o.solver = s;
        report = run_step(w, &o, &c);
    }
    perp_arena_free(&options);
    return report;
}

/* What the library's own defaults are, by the names of perp.World.step; tests compare them. */
PyObject *binding_step_defaults(PyObject *module, PyObject *unused)
{
    perp_step_options o = perp_step_defaults();
    (void)module;
    (void)unused;
    return Py_BuildValue(
        "{sdsdsisdsisdsdsisdsisisisdsdsdsi}", "dt", o.dt, "theta", o.theta, "rule", (int)o.rule,
        "margin", o.margin, "dynamics", (int)o.dynamics, "rolling_friction", o.rolling_friction,
        "air_drag", o.air_drag, "fixed_point", o.fixed_point, "fixed_tol", o.fixed_tol, "form",
        (int)o.form, "facets", o.facets, "threads", o.threads, "escape_radius", o.escape_radius,
        "recovery_speed", o.recovery_speed, "restitution_threshold", o.restitution_threshold,
        "split_impulse", (int)o.split_impulse);
}

/* ---- what the last step left ---- */

/* (contacts as bytes, impulses of contacts, impulses of joints) */
static PyObject *last(PyObject *self, PyObject *unused)
{
    const perp_world *w = &((world_object *)self)->world;
    (void)unused;
    if (((world_object *)self)->busy)
        return PyErr_Format(PyExc_RuntimeError, "this world is in a step");
    npy_intp count = w->contact ? w->contacts : 0;
    PyObject *impulses = binding_new_vector(3 * count);
    if (impulses && count > 0)
        memcpy(binding_numbers(impulses), w->impulse, (size_t)(3 * count) * sizeof(double));
    return Py_BuildValue("y#N", count > 0 ? (const char *)w->contact : "",
                         (Py_ssize_t)((size_t)count * sizeof *w->contact), impulses);
}

static PyObject *get_time(PyObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(((world_object *)self)->world.time);
}

static PyObject *get_steps(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((world_object *)self)->world.steps);
}

static PyMethodDef methods[] = {
    {"advance", advance, METH_VARARGS, "One step; perp.World.step names the arguments."},
    {"last", last, METH_NOARGS, "Contacts of the last step, and their impulses."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef getters[] = {
    {"time", get_time, NULL, "Seconds since the world was made.", NULL},
    {"steps", get_steps, NULL, "Steps made.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject binding_world_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "perp._perp.World",
    .tp_doc = "Bodies, joints and what steps keep between them.",
    .tp_basicsize = sizeof(world_object),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_new = PyType_GenericNew,
    .tp_init = init,
    .tp_dealloc = dealloc,
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_methods = methods,
    .tp_getset = getters,
};
