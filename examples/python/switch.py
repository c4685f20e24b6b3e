"""For people who switch: the arguments of scipy.optimize.nnls and of qpsolvers.solve_qp."""
import numpy as np

import perp

A, b = np.array([[1.0, 0], [1, 0], [0, 1]]), np.array([2.0, 1, -1])
x, norm = perp.nnls(A, b)
print("nnls:", x, norm)

P, q = np.array([[4.0, 1], [1, 2]]), np.array([1.0, 1])
best = perp.solve_qp(P, q, G=np.array([[-1.0, 1]]), h=np.array([0.2]), A=np.array([[1.0, 1]]), b=np.array([1.0]), lb=np.zeros(2))
print("qp:", best)
