"""certify, check, distance."""
import numpy as np
import pytest

import perp


def test_certify_anybodys_z():
    p = perp.lcp([[2, 1], [1, 2]], [-5, -6])
    good, bad = perp.certify(p, [4 / 3, 7 / 3]), perp.certify(p, [1, 1])
    assert good.value + good.bound <= 1e-8 < bad.value
    with pytest.raises(perp.ArgumentError, match="z has 3 entries; 2 are needed"):
        perp.certify(p, [1, 2, 3])


def test_check_proofs():
    p = perp.generate("infeasible_psd", 12)
    assert p.claim is perp.Status.INFEASIBLE
    proof = perp.check(p, "infeasible", p.proof)
    assert proof and proof.holds and proof.certificate.radius > 1e6
    assert not perp.check(p, perp.Status.INFEASIBLE, -p.proof)
    assert not perp.check(perp.generate("pd", 12), "infeasible", np.ones(12))
    with pytest.raises(perp.ArgumentError, match="is no claim"):
        perp.check(p, "solved", p.proof)
    u = perp.generate("qp_unbounded", 10)
    r = perp.solve(u)
    assert r.status is perp.Status.UNBOUNDED and perp.check(u, r)


def test_distance():
    p = perp.lcp([[2, 1], [1, 2]], [-5, -6])
    d = perp.distance(p, [1.3333, 2.3333])
    assert d.unique and d.of == "the solution" and np.hypot(1 / 3e4, 1 / 3e4) <= d.norm < 1e-2
    nothing = perp.distance(perp.ncp(lambda z: z, 2), np.zeros(2))
    assert nothing.norm == np.inf and nothing.detail
