"""One step of rigid bodies as a problem in every form, and back to velocities."""
import pickle

import numpy as np
import pytest

import perp

G = (0.0, 0.0, -9.81)
FRICTION = ["fc3d_local", "fc3d_body", "mcp", "lcp_facets", "mcp_facets"]
FORMS = {"fc3d_local": "fc3d", "fc3d_body": "fc3d", "mcp": "mcp", "lcp_facets": "lcp", "mcp_facets": "mcp",
         "lcp": "lcp", "nnls_velocities": "nnls", "nnls_accelerations": "nnls"}


def two_balls(mu=0.5, **fields):
    """Two of mass 2 on each other and on the floor."""
    balls = perp.bodies(2, mass=2, inertia=(0.8, 0.8, 0.8), position=[[0, 0, 1], [0, 0, 3]], **fields)
    return balls, perp.contacts([0, 1], [-1, 0], [[0, 0, 0], [0, 0, 2]], (0, 0, 1), mu=mu)


@pytest.mark.parametrize("form", FORMS)
def test_weight_is_carried_in_every_form(form):
    balls, touching = two_balls(mu=0.0)
    step = perp.assemble(balls, touching, dt=0.01, gravity=G, form=form)
    assert step.kind == FORMS[form] and step.form == form
    motion = step.motion(perp.solve(step, tol=1e-10).raise_for_status())
    weight = 2 * 9.81 * (1 if form == "nnls_accelerations" else 0.01)
    assert np.allclose(motion.impulses, [[2 * weight, 0, 0], [weight, 0, 0]], atol=1e-7)
    assert np.allclose(motion.velocity, 0, atol=1e-8) and np.allclose(motion.spin, 0, atol=1e-8)
    assert (balls["velocity"] == 0).all() and (balls["force"] == 0).all()  # nothing of the caller's is changed


@pytest.mark.parametrize("form", FRICTION)
def test_sliding_slows_by_mu_times_weight(form):
    ball = perp.bodies(1, mass=2, inertia=(1e6,) * 3, position=(0, 0, 1), velocity=(1, 0, 0))
    step = perp.assemble(ball, perp.contacts(0, -1, (0, 0, 0), (0, 0, 1), mu=0.3), dt=0.01, gravity=G, form=form)
    motion = step.motion(perp.solve(step, tol=1e-10).raise_for_status())
    assert np.isclose(motion.velocity[0, 0], 1 - 0.3 * 9.81 * 0.01, atol=3e-3 if "facets" in form else 1e-8)
    E = perp.contact_frame((0, 0, 1.0))
    assert np.allclose(2 * (motion.velocity[0] - [1, 0, 0]), E @ motion.impulses[0] + [0, 0, -2 * 9.81 * 0.01], atol=1e-8)


def test_a_step_of_a_world_is_the_same():
    balls, touching = two_balls(velocity=[[1, 0, 0], [0, 2, 0]], spin=(0.1, 0.2, 0.3))
    step = perp.assemble(balls, touching, dt=0.01, gravity=G)
    motion = step.motion(perp.solve(step, tol=1e-12))
    world = perp.World(balls.copy(), collide=lambda bodies, margin: touching)
    world.step(0.01, gravity=G, tol=1e-12)
    assert np.allclose(world.velocity, motion.velocity, atol=1e-9) and np.allclose(world.spin, motion.spin, atol=1e-9)
    assert np.allclose(world.impulses, motion.impulses, atol=1e-9)


def test_numpy_states_the_same_problem():
    ball = perp.bodies(1, mass=2, inertia=(3, 3, 3), position=(0, 0, 1), velocity=(1, 0, -1))
    step = perp.assemble(ball, perp.contacts(0, -1, (0, 0, 0), (0, 0, 1), mu=0.4, restitution=0.5), dt=0, rule="impact")
    E = perp.contact_frame((0, 0, 1.0))
    arm = np.array([0, 0, -1.0])
    J = np.hstack([E.T, np.cross(arm, E.T)])
    assert np.allclose(step.W.toarray(), J @ np.diag([0.5] * 3 + [1 / 3] * 3) @ J.T)
    before = J @ np.array([1, 0, -1, 0, 0, 0])
    assert np.allclose(step.q, before + [0.5 * before[0], 0, 0]) and np.allclose(step.mu, 0.4)
    assert np.isclose(step.motion(perp.solve(step)).velocity[0, 2], 0.5)


def test_joints_and_groups():
    links = perp.bodies(3, position=[[1, 0, 0], [3, 0, 0], [9, 9, 9]])
    joints = [perp.joint("hinge", links, 0, -1, (0, 0, 0), (0, 1, 0)), perp.joint("ball", links, 1, 0, (2, 0, 0))]
    step = perp.assemble(links, joints=joints, gravity=G, form="fc3d_body")
    motion = step.motion(perp.solve(step).raise_for_status())
    assert motion.joint_impulses.shape == (8,) and motion.impulses.shape == (0, 3)
    assert np.isclose(motion.velocity[2, 2], -0.0981)
    groups = perp.contact_groups(links, joints=joints)
    assert groups.number == 2 and list(groups.body) == [0, 0, 1] and list(groups.joint) == [0, 0]
    with pytest.raises(perp.Error, match="joint"):
        perp.assemble(links, joints=joints, form="fc3d_local")


def test_copies_outlive_the_bodies():
    balls, touching = two_balls()
    step = perp.assemble(balls, touching, gravity=G)
    result = perp.solve(step)
    before = step.motion(result)
    balls["mass"] = 7
    touching["a"] = 0
    for other in (step, pickle.loads(pickle.dumps(step))):
        assert (other.motion(result.z).velocity == before.velocity).all()
    del balls, touching
    assert perp.certify(step, result.z).value <= 1e-8


def test_saved_and_read_again(tmp_path):
    balls, touching = two_balls()
    step = perp.assemble(balls, touching, gravity=G)
    perp.save(tmp_path / "step.perp", step)
    assert np.allclose(perp.load(tmp_path / "step.perp").q, step.q)


def test_refusals():
    balls, touching = two_balls()
    with pytest.raises(perp.OptionError, match="fc3d_local, fc3d_body"):
        perp.assemble(balls, touching, form="cone")
    with pytest.raises(perp.OptionError, match="impact, gap"):
        perp.assemble(balls, touching, rule="newton")
    with pytest.raises(perp.ArgumentError, match="perp.bodies"):
        perp.assemble(np.zeros((2, 3)), touching)
    with pytest.raises(perp.Error, match="body"):
        perp.assemble(balls, perp.contacts(7, -1, (0, 0, 0), (0, 0, 1)))
    with pytest.raises(perp.Error):
        perp.assemble(balls, touching, dt=-1)
    with pytest.raises(perp.Error):
        perp.assemble(balls, touching, form="lcp_facets", facets=5)
    step = perp.assemble(balls, touching)
    for wrong in (np.zeros(5), None, np.zeros((2, 3)), 1j * np.zeros(6)):
        with pytest.raises((perp.Error, TypeError)):
            step.motion(wrong)
    spoiled = two_balls()[0]
    spoiled["mass"][1] = -1
    with pytest.raises(perp.Error, match="body 1"):
        perp.assemble(spoiled, touching)
