"""A linear complementarity problem, by one solver with an option, and by all of them."""
import numpy as np

import perp

M = np.array([[2.0, 1], [1, 2]])
q = np.array([-5.0, -6])
problem = perp.lcp(M, q)
result = perp.solve(problem, solver="lcp/psor", omega=1.2)
print(result)
print("certified:", result.certificate.value, "within", result.certificate.bound)

print(perp.compare(perp.generate("pd", 50), max_seconds=1))
