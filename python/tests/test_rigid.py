"""Worlds: views of bodies, contacts, steps, joints, and exceptions in the function that finds contacts."""
import inspect

import numpy as np
import pytest

import perp

G = (0.0, 0.0, -9.81)


def floor(radius, mu=0.5, restitution=0.0):
    def collide(bodies, margin):
        x = bodies["position"]
        near = np.flatnonzero(x[:, 2] - radius <= margin)
        at = x[near] - [0, 0, radius]
        return perp.contacts(near, -1, at, (0, 0, 1), gap=x[near, 2] - radius, mu=mu, restitution=restitution)
    return collide


def test_balls_come_to_rest():
    balls = perp.bodies(3, mass=2, inertia=(0.8, 0.8, 0.8), position=[[0, 0, 1.05], [3, 0, 1.2], [6, 0, 1]])
    world = perp.World(balls, collide=floor(1.0))
    assert world.bodies is balls and np.shares_memory(world.position, balls)
    for _ in range(200):
        report = perp.step(world, 0.005, gravity=G)
        assert report.solved
    assert np.allclose(world.position[:, 2], 1, atol=1e-3) and report.contacts == 3 and world.steps == 200
    assert np.isclose(world.time, 1) and np.isclose(report.time, 1) and report.kinetic < 1e-6
    assert np.allclose(world.impulses[:, 0], 2 * 9.81 * 0.005, rtol=1e-6)
    assert (world.contacts["b"] == -1).all()
    balls["velocity"][0] = [1, 0, 0]  # what is written is seen
    perp.step(world, 0.005, gravity=G)
    assert world.velocity[0, 0] > 0.5


def test_impact_bounces():
    ball = perp.bodies(1, velocity=(0, 0, -2), position=(0, 0, 1))
    world = perp.World(ball, collide=floor(1.0, restitution=0.5))
    world.step(1e-6, rule="impact")
    assert np.isclose(ball["velocity"][0, 2], 1)


@pytest.mark.parametrize("form", ["fc3d_local", "fc3d_body", "mcp", "lcp_facets", "mcp_facets", "lcp"])
def test_forms(form):
    ball = perp.bodies(1, position=(0, 0, 1))
    world = perp.World(ball, collide=floor(1.0))
    assert world.step(0.01, gravity=G, form=form, facets=8).status >= 0
    assert np.allclose(ball["position"][0, 2], 1, atol=1e-6)


def test_solver_options():
    world = perp.World(perp.bodies(1, position=(0, 0, 1)), collide=floor(1.0))
    assert world.step(0.01, gravity=G, solver="fc3d/nsgs", max_iter=300, tol=1e-4).solved
    assert world.step(0.01, gravity=G, tol=1e-4).solved
    for call in (dict(solver="fc3d/nsg"), dict(form="cone"), dict(rule="newton"), dict(solver="nsgs", omgea=1),
                 dict(dt=-1.0), dict(theta=7.0)):
        before = world.bodies.copy()
        with pytest.raises(perp.Error):
            world.step(**{"dt": 0.01, "gravity": G, **call})
        assert (before["position"] == world.position).all() and world.steps == 2


def test_joints():
    links = perp.bodies(2, position=[[1, 0, 0], [3, 0, 0]])
    hinges = [perp.joint("hinge", links, 0, -1, (0, 0, 0), (0, 1, 0)), perp.joint("ball", links, 1, 0, (2, 0, 0))]
    world = perp.World(links, joints=hinges)
    assert len(world.joints) == 2
    for _ in range(20):
        assert world.step(0.01, gravity=G, form="fc3d_body").solved
    assert np.isclose(np.linalg.norm(world.position[0]), 1, atol=1e-2) and world.position[0, 2] < -1e-3
    with pytest.raises(perp.OptionError, match="ball, hinge, weld"):
        perp.joint("spring", links, 0, 1, (0, 0, 0))


def test_exceptions_of_collide():
    ball = perp.bodies(1, position=(0, 0, 5))

    def raising(bodies, margin):
        raise LookupError("no shapes")

    world = perp.World(ball, collide=raising)
    with pytest.raises(LookupError, match="no shapes"):
        world.step(0.01, gravity=G)
    assert world.steps == 0 and (ball["velocity"] == 0).all()
    for returned in (np.zeros(3), [1, 2], "x"):
        with pytest.raises((perp.Error, TypeError, ValueError)):
            perp.World(ball, collide=lambda b, m: returned).step(0.01)
    world = perp.World(ball, collide=lambda b, m: world.step(0.01))
    with pytest.raises(RuntimeError, match="already"):
        world.step(0.01)
    with pytest.raises(perp.Error):
        perp.World(ball, collide=lambda b, m: perp.contacts(7, -1, (0, 0, 0), (0, 0, 1), gap=-1)).step(0.01)


def test_contacts_as_lists_and_none():
    balls = perp.bodies(2, position=[[0, 0, 1], [0, 0, 3]])
    both = [perp.contacts(0, -1, (0, 0, 0), (0, 0, 1), mu=0.1), perp.contacts(1, 0, (0, 0, 2), (0, 0, 1), mu=0.1)]
    for made in (both, np.concatenate(both)):
        world = perp.World(balls.copy(), collide=lambda b, m: made)
        assert world.step(0.01, gravity=G).contacts == 2
    assert perp.World(balls, collide=lambda b, m: None).step(0.01).contacts == 0
    assert perp.World(balls).step(0.01).solved


def test_defaults_are_the_librarys():
    from perp import _rigid
    words = {"rule": _rigid.RULES, "dynamics": _rigid._DYNAMICS, "form": list(_rigid.FORMS)}
    given = inspect.signature(perp.World.step).parameters
    for name, value in perp._perp.step_defaults().items():
        assert given[name].default == (words[name][value] if name in words else value), name


def test_wrong_bodies():
    with pytest.raises(perp.ArgumentError, match="perp.bodies"):
        perp.World(np.zeros((3, 3)))
    with pytest.raises(perp.ArgumentError):
        perp.World(perp.bodies(4)[::2])
    with pytest.raises(perp.Error, match="mass"):
        perp.World(perp.bodies(1, mass=-1)).step(0.01)
    E = perp.contact_frame((0, 0, 1.0))
    assert np.allclose(E.T @ E, np.eye(3)) and np.allclose(E[:, 0], [0, 0, 1])
