"""A membrane over bumps, sparse: scipy's matrix is read as it is."""
import numpy as np
import scipy.sparse as sp

import perp

side = 100
line = sp.diags([-np.ones(side - 1), 2 * np.ones(side), -np.ones(side - 1)], [-1, 0, 1])
M = sp.csr_matrix(sp.kron(line, sp.eye(side)) + sp.kron(sp.eye(side), line))
x, y = np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side))
height = np.sin(4 * np.pi * x) * np.sin(4 * np.pi * y) - 0.3  # of the bumps; z is what is above
result = perp.solve(perp.lcp(M, M @ height.ravel()), tol=1e-10, max_seconds=30)
print(result.status, "by", result.solver, "- the membrane lies on", int((result.z <= 1e-9).sum()), "of", side**2)
