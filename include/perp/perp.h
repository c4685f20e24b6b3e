/* perp/perp.h: everything a user of solvers needs. Authors of solvers add perp/solver.h. */
#ifndef PERP_H
#define PERP_H
#include "perp/core.h"
#include "perp/io.h"
#include "perp/matrix.h"
#include "perp/problem.h"
#include "perp/rigid.h"
#include "perp/solvers.h"
#include "perp/step.h"
#endif
