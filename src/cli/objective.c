/* cli/objective.c: the number that a program minimises, for who knows its optimum. */
#include "cli.h"
#include "core/internal.h"

#include <math.h>

bool cli_objective(const perp_file *file, const perp_result *result, double *value)
{
    const perp_kind_ops *ops = perp_kind_ops_of(file->problem.kind);
    if (!ops->objective) return false;
    *value = result->objective;
    if (!ops->least_squares) *value += file->constant; /* a square has none */
    return true;
}

bool cli_distance(const perp_file *file, const perp_result *result, double *value)
{
    const perp_kind_ops *ops = perp_kind_ops_of(file->problem.kind);
    if (!ops->least_squares) return false;
    *value = sqrt(2 * result->objective);
    return true;
}
