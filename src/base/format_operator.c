/* base/format_operator.c: matrices known by their products alone. */
#include "error.h"
#include "format.h"

static void mul(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    A->as.op.mul(A->as.op.ctx, a, x, b, y);
}

static void mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    A->as.op.mul_t(A->as.op.ctx, a, x, b, y);
}

static perp_status check(const perp_matrix *A, const char *name, perp_error *e)
{
    if (!A->as.op.mul) return perp_refuse_null(name, "mul", e);
    if (!A->as.op.mul_t) return perp_refuse_null(name, "mul_t", e);
    return PERP_SOLVED;
}

const perp_matrix_ops perp_format_operator = {
    .name = "operator",
    .title = "operator",
    .check = check,
    .mul = mul,
    .mul_t = mul_t,
};
