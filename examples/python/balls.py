"""Balls fall on a floor: bodies are arrays, and contacts are found with numpy."""
import numpy as np

import perp

RADIUS = 0.1
rng = np.random.default_rng(1)
count = 12
place = np.array([[x, y, z] for z in range(3) for y in range(2) for x in range(2)], float) * 2.2 * RADIUS
balls = perp.bodies(count, inertia=np.full(3, 0.4 * RADIUS**2), position=place + [0, 0, 0.3] + 0.01 * rng.random((count, 3)))


def touch(bodies, margin):
    x = bodies["position"]
    low = np.flatnonzero(x[:, 2] - RADIUS <= margin)
    found = [perp.contacts(low, -1, x[low] - [0, 0, RADIUS], (0, 0, 1), gap=x[low, 2] - RADIUS, mu=0.5)]
    i, j = np.triu_indices(len(x), 1)
    d = x[i] - x[j]
    length = np.linalg.norm(d, axis=1)
    near = length - 2 * RADIUS <= margin
    normal = d[near] / length[near, None]
    found.append(perp.contacts(i[near], j[near], (x[i] + x[j])[near] / 2, normal, gap=length[near] - 2 * RADIUS, mu=0.5))
    return found


world = perp.World(balls, collide=touch)
for _ in range(300):
    report = world.step(0.005, gravity=(0, 0, -9.81), solver="fc3d/nsgs", tol=1e-6)
print(f"{world.time:.2f} s, {report.contacts} contacts, the highest at {world.position[:, 2].max():.3f} m")
