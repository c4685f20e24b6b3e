"""A nonlinear problem with bounds and a sparse Jacobian, which is held against differences first."""
import numpy as np
import scipy.sparse as sp

import perp

n = 200
supply = np.linspace(0.8, 2.5, n)


def F(z):
    """Prices of n goods in a row: each sells less as it gets dearer, and more as its neighbour does."""
    return np.exp(z) - supply + 0.3 * z - 0.1 * (np.r_[z[1:], 0] + np.r_[0, z[:-1]])


def jacobian(z):
    side = -0.1 * np.ones(n - 1)
    return sp.diags([side, np.exp(z) + 0.3, side], [-1, 0, 1], format="csc")


pattern = sp.diags([np.ones(n - 1), np.ones(n), np.ones(n - 1)], [-1, 0, 1])
problem = perp.mcp(F, lo=np.zeros(n), hi=np.full(n, 0.55), jacobian=jacobian, pattern=pattern)
assert perp.check_jacobian(problem, np.full(n, 0.3))
result = perp.solve(problem, monitor=lambda p: print(f"{p.iteration:4d} {p.estimate:.1e}"))
print(result.status, "after", result.iterations, "iterations;", int((result.z <= 0).sum()), "at 0,",
      int((result.z >= 0.55).sum()), "at their upper bound")
