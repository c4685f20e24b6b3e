/* python/src/binding.h: what the files of the extension module perp._perp share.
 *
 * The module is the C side of the package `perp`: it reads numpy arrays as the views of
 * perp/matrix.h, calls the library without the GIL, and returns tuples. What a user sees is written
 * in Python (python/perp). Every function here is called with the GIL held, but for those that say
 * otherwise; one that returns false, NULL or -1 has set a Python exception. */
#ifndef PERP_BINDING_H
#define PERP_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL perp_python_numpy
#ifndef BINDING_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <perp/perp.h>

/* ---- refusals: errors.c ---- */

/* The exception of the package for that status, with this sentence and a line of a file (0: none).
 */
void binding_raise(perp_status status, int line, const char *text);
void binding_refuse(perp_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- memory: arenas.c ---- */

#define ARENAS_KEPT 16

/* State of the module: arenas that no call uses. A call takes one and gives it back, so that the
 * second of two equal solves allocates nothing; threads that solve at once have one each. */
typedef struct binding_state {
    perp_arena *idle[ARENAS_KEPT];
    int count;
} binding_state;

perp_arena *binding_arena_take(PyObject *module);
void binding_arena_give(PyObject *module, perp_arena *a);
void binding_arena_drop(perp_arena *a); /* free it and what is in it */
/* A capsule that drops the arena: the base of arrays that lie in it. Takes the arena over, also
 * when it fails. */
PyObject *binding_arena_owner(perp_arena *a);

/* ---- callbacks: calls.c ---- */

/* One call of the library, while the GIL is released. The first exception that a callback raises is
 * kept, no callback is called any more, and the monitor cancels. */
typedef struct binding_call {
    PyObject *monitor; /* called with the six fields of perp_progress; NULL: none */
    PyObject *found;   /* called with each solution of lcp/enumerate; NULL: none */
    double polled;     /* seconds of the solve at which signals were last looked for */
    bool failed;
    PyObject *type, *value, *trace;
    unsigned long thread; /* that gave the GIL up for the library */
    PyThreadState *gone;  /* what it takes it again with; NULL: it has it */
} binding_call;

/* The library runs between the two, without the GIL. */
void binding_call_leave(binding_call *c);
void binding_call_return(binding_call *c);

/* What a callback does has the GIL between these two. In the thread of the call it is taken with
 * the state that gave it up: so that functions run in the interpreter that the call came from. */
typedef struct binding_visit {
    bool own, foreign;
    PyGILState_STATE gil;
} binding_visit;
binding_visit binding_call_enter(binding_call *c);
void binding_call_exit(binding_call *c, binding_visit v);

typedef struct binding_operator {
    binding_call *call;
    PyObject *mul, *mul_t; /* x -> A x, x -> A'x */
    perp_index m, n;
} binding_operator;

typedef struct binding_map {
    binding_call *call;
    PyObject *eval, *jacobian; /* z -> F(z), z -> values in the pattern's order */
    perp_index n;
    size_t values; /* of the Jacobian */
} binding_map;

/* For the library, without the GIL. */
bool binding_eval(void *map, const double *z, double *F);
bool binding_jacobian(void *map, const double *z, double *values);
void binding_mul(void *op, double a, const double *x, double b, double *y);
void binding_mul_t(void *op, double a, const double *x, double b, double *y);
bool binding_monitor(void *call, const perp_progress *progress);
bool binding_found(void *call, const perp_lcp_solution *solution);
/* Keep the exception that is set. */
void binding_call_keep(binding_call *c);
/* Raise the exception that was kept. False: there is none. */
bool binding_call_raise(binding_call *c);

/* ---- views of Python's data: views.c ---- */

/* A problem as the library takes it, for one call: its pointers are into the arrays of the fields,
 * which outlive the call. */
#define OPERATORS_MOST 4
typedef struct binding_problem {
    perp_problem p;
    binding_call *call;
    binding_map map;
    binding_operator op[OPERATORS_MOST];
    int operators;
} binding_problem;

/* None: an absent matrix. A two-dimensional array of doubles, by rows or columns. Or a tuple
 * (format, m, n, p, i, x) of a sparse matrix, p and i of int32 and x None where values are not
 * read; or (PERP_FORMAT_OPERATOR, m, n, mul, mul_t). */
bool binding_read_matrix(binding_problem *b, PyObject *view, const char *name, perp_matrix *A);
/* None: NULL. An array of doubles (of int32, of bools) of that length. */
bool binding_read_vector(PyObject *o, npy_intp n, const char *name, const double **x);
bool binding_read_indices(PyObject *o, npy_intp n, const char *name, const perp_index **x);
bool binding_read_mask(PyObject *o, npy_intp n, const char *name, const bool **x);
/* An integer of Python, which has any number of bits, as one of the library's 32. */
bool binding_read_size(PyObject *o, const char *name, perp_index *n);

/* ---- and back: arrays.c ---- */

/* Arrays that lie in memory of `owner`, not to be written; None for NULL. */
PyObject *binding_show_vector(const double *x, npy_intp n, PyObject *owner);
PyObject *binding_show_indices(const perp_index *x, npy_intp n, PyObject *owner);
PyObject *binding_show_mask(const bool *x, npy_intp n, PyObject *owner);
PyObject *binding_show_matrix(const perp_matrix *A, PyObject *owner);
PyObject *binding_new_vector(npy_intp n);
double *binding_numbers(PyObject *array);

/* ---- problems: problems.c, shown.c ---- */

/* The problem of that kind whose data are `fields`; python/perp/_problem.py says which. */
bool binding_read_problem(binding_problem *b, PyObject *kind, PyObject *fields, binding_call *c);
/* Kind and fields of a problem whose memory is `owner`. */
PyObject *binding_show_problem(const perp_problem *p, PyObject *owner);

/* Matrices by rows that equal their transpose are read by columns: so nothing is copied. Needs no
 * GIL; symmetric.c. */
void binding_read_by_columns(perp_problem *p, perp_arena *a);

/* ---- rigid bodies: assemble.c ---- */

/* A contiguous array of elements of so many bytes, aligned for doubles. */
bool binding_is_array_of(PyObject *o, size_t bytes);

/* ---- options: options.c ---- */

/* Options of a solver in the arena, with these of a dict (NULL or None: none). */
perp_options *binding_make_options(perp_arena *a, PyObject *solver, PyObject *dict);

/* ---- the functions of the module ---- */

PyObject *binding_solve(PyObject *module, PyObject *const *arg, Py_ssize_t count);
PyObject *binding_certify(PyObject *module, PyObject *arg);
PyObject *binding_check(PyObject *module, PyObject *arg);
PyObject *binding_distance(PyObject *module, PyObject *arg);
PyObject *binding_check_jacobian(PyObject *module, PyObject *arg);
PyObject *binding_validate(PyObject *module, PyObject *arg);
PyObject *binding_size(PyObject *module, PyObject *const *arg, Py_ssize_t count);
PyObject *binding_load(PyObject *module, PyObject *arg);
PyObject *binding_save(PyObject *module, PyObject *arg);
PyObject *binding_load_matrix(PyObject *module, PyObject *arg);
PyObject *binding_save_matrix(PyObject *module, PyObject *arg);
PyObject *binding_families(PyObject *module, PyObject *unused);
PyObject *binding_generate(PyObject *module, PyObject *arg);
PyObject *binding_solvers(PyObject *module, PyObject *unused);
PyObject *binding_statuses(PyObject *module, PyObject *unused);
PyObject *binding_memory(PyObject *module, PyObject *unused);
PyObject *binding_release(PyObject *module, PyObject *unused);
PyObject *binding_assemble(PyObject *module, PyObject *arg);
PyObject *binding_motion(PyObject *module, PyObject *arg);
PyObject *binding_groups(PyObject *module, PyObject *step);
PyObject *binding_layouts(PyObject *module, PyObject *unused);
PyObject *binding_make_joint(PyObject *module, PyObject *arg);
PyObject *binding_frame(PyObject *module, PyObject *arg);
PyObject *binding_step_defaults(PyObject *module, PyObject *unused);
extern PyTypeObject binding_world_type; /* world.c */

PyObject *binding_residual_tuple(const perp_residual *r);

#endif
