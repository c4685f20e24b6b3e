/* tests/adversary/sample.h: random problems whose data are also at hand as plain tables of numbers,
 * so that the oracles never read what the library reads. */
#ifndef ADVERSARY_SAMPLE_H
#define ADVERSARY_SAMPLE_H

#include "generate.h"

enum { MOST = 30 }; /* unknowns of a problem, and rows or columns of a table */

typedef enum variant {
    V_LCP,
    V_MCP,
    V_FOLLOWS, /* an mcp with bounds that follow other unknowns */
    V_NCP,
    V_NNLS,
    V_QP,
    V_FC3D,
    V_BODY,    /* fc3d in body form */
    V_MCP_MAP, /* by callback */
    V_NCP_MAP,
    V_CONE,
    VARIANTS
} variant;

const char *variant_name(variant v);
variant variant_find(const char *name); /* VARIANTS: there is none */

typedef struct table {
    int m, n;
    double x[MOST * MOST]; /* column-major, leading dimension m */
} table;

#define AT(A, i, j) ((A)->x[(j) * (A)->m + (i)])

/* The functions phi of F_i(z) = row_i (sum_j M_ij phi_j(z_j) + q_i). */
typedef enum curve {
    CURVE_LINEAR,
    CURVE_CUBE,    /* z + z^3 */
    CURVE_SQUARE,  /* z |z| */
    CURVE_EXP,     /* exp(z) - 1 */
    CURVE_INVERSE, /* -1/(z + shift), undefined from -shift on down */
    CURVE_LOG,     /* log(z + shift), likewise */
    CURVE_ATAN,
    CURVES
} curve;

/* One problem. Which fields are its data depends on the variant:
 *   lcp, ncp   M z + q;  mcp also xlo, xhi, and follows and mu
 *   by callback  M, q, row, curve, shift, and xlo, xhi of an mcp
 *   nnls       A = M (m x n), b = q, is_free
 *   qp         H = M, c = q, A, lo, hi, xlo, xhi
 *   fc3d       W = M, q, mu of n/3 contacts
 *   cone       W = M, q, xlo, xhi, follows, group, mu and slip (s of the law) by rows
 *   body form  M, H = A, G, f = q, w, b, mu; n counts velocities, n + 3 contacts + joints unknowns
 */
typedef struct sample {
    variant kind;
    uint64_t seed;
    long index;
    int n, m, contacts, joints;
    int size; /* of z */
    table M, A, G;
    double q[MOST], lo[MOST], hi[MOST], xlo[MOST], xhi[MOST], mu[MOST], w[MOST], b[MOST];
    double row[MOST], shift[MOST];
    curve curve[MOST];
    int follows[MOST], group[MOST];
    double slip[MOST];
    bool is_free[MOST];
    bool
        refused; /* validation has to refuse it: bounds of an mcp that cross, cycles of followers */
    bool operator_M;   /* the first matrix is given by its products alone */
    bool has_jacobian; /* of a callback; otherwise the library takes differences */
    perp_format format[3];
    bool split; /* compressed formats have entries twice, half the value each */
    bool warm;
    double start[MOST];
    double tol;
    char family[80]; /* how it was drawn */
} sample;

/* Problem `index` of a seed, from these two numbers alone. */
variant sample_variant(uint64_t seed, long index);
void sample_draw(uint64_t seed, long index, sample *s);

/* The problem as perp gets it, matrices in the arena; dense: all of them dense. The sample is the
 * context of its callbacks and operators. */
perp_problem sample_problem(const sample *s, bool dense, perp_arena *a);

/* F and its Jacobian (column by column) as the callbacks of the problem return them. */
bool sample_eval(void *ctx, const double *z, double *F);
bool sample_jacobian(void *ctx, const double *z, double *values);

/* ---- parts ---- */

void draw_note(sample *s, const char *word); /* append to family */
int draw_size(generator *g, int most);
double draw_number(generator *g, bool integer);
double draw_moved(generator *g, double x); /* by one to three units in the last place */
int draw_exponent(generator *g);           /* of two: half the range of scales of one problem */
double draw_clipped(double x);             /* finite */
bool draw_square(sample *s, generator *g, int n, table *M); /* true: of small integers */
void draw_rectangle(sample *s, generator *g, int m, int n, table *A);
void draw_vector(sample *s, generator *g, int n, bool integer, double *x);
/* Scale rows (of M, and of q where it is not NULL), columns, or all. */
void draw_scaled(sample *s, generator *g, table *M, double *q);
void draw_box(sample *s, generator *g, int n, bool crossing, double *lo, double *hi);
/* Make y'M <= 0 and y'q < 0 hold for some y >= 0, up to rounding and sometimes by the last bits. */
void draw_infeasible(sample *s, generator *g, table *M, double *q);

void make_lcp(sample *s, generator *g);
void make_mcp(sample *s, generator *g);
void make_map(sample *s, generator *g);
void make_nnls(sample *s, generator *g);
void make_qp(sample *s, generator *g);
void make_fc3d(sample *s, generator *g);
void make_body(sample *s, generator *g);
void make_cone(sample *s, generator *g);

#endif
