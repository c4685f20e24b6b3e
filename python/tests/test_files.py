"""load and save, .npz and .mat, single matrices."""
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

import perp


def same(a, b):
    for name, x in a.items():
        if name in ("n", "m", "contacts", "form"):
            assert b[name] == x
        elif hasattr(x, "tocsc"):
            assert (abs(x - b[name]) != 0).nnz == 0
        else:
            y = b[name].toarray() if hasattr(b[name], "tocsc") else b[name]
            assert np.array_equal(x, y), name


FAMILIES = ["pd", "obstacle", "mcp_friction", "fc3d_known", "fc3d_body_known", "nnls_free", "qp_convex", "qp_sparse",
            "qp_linear", "cone_known", "cone_mixed"]


@pytest.mark.parametrize("ending", ["perp", "npz", "mat"])
@pytest.mark.parametrize("family", FAMILIES)
def test_round_trips(family, ending, tmp_path):
    p = perp.generate(family, 10)
    path = tmp_path / f"x.{ending}"
    perp.save(path, p)
    q = perp.load(path)
    assert q.kind == p.kind and q.n == p.n
    same(p.data, q.data)
    assert (q.solution is None) == (p.solution is None) and (p.solution is None or np.array_equal(p.solution, q.solution))


def test_every_stored_problem_loads(root):
    endings = {".perp", ".dat", ".qps", ".mtx", ".hdf5"}
    paths = [f for f in sorted((root / "problems").glob("*/*")) if f.suffix in endings]
    assert len(paths) > 100
    for path in paths:
        p = perp.load(path)
        assert p.n >= 0 and p.format


def test_hdf5(root):
    for path in sorted((root / "problems" / "fc3d").glob("*.hdf5")):
        p = perp.load(path)
        assert p.kind == "fc3d" and perp.solve(p).z.size == p.n


def test_what_a_file_holds(root, tmp_path):
    p = perp.generate("psd", 8)
    perp.save(tmp_path / "a.perp", p, title="a title", description="words")
    q = perp.load(tmp_path / "a.perp")
    assert (q.title, q.description, q.format) == ("a title", "words", "text") and q.guesses == ()
    assert perp.certify(q, q.solution).value < 1e-12
    held = q.solution
    del q
    assert np.array_equal(held, p.solution)  # the memory of the file stays
    assert not held.flags.writeable


def test_errors(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.perp"):
        perp.load(tmp_path / "nothing.perp")
    bad = tmp_path / "bad.perp"
    bad.write_text("perp 1 lcp\nM dense 2 2\n 1 2 3 x\nend\n")
    with pytest.raises(perp.FileError, match="bad.perp: line 3") as caught:
        perp.load(bad)
    assert caught.value.line == 3 and isinstance(caught.value, OSError)
    with pytest.raises(perp.Error):
        perp.save(tmp_path / "no" / "x.perp", perp.generate("pd", 3))
    with pytest.raises(perp.Error):
        perp.save(tmp_path / "x.qps", perp.generate("pd", 3))
    with pytest.raises(perp.ArgumentError, match="no file format"):
        perp.save(tmp_path / "x.perp", perp.generate("pd", 3), format="word")
    for ending in (".npz", ".mat"):
        broken = tmp_path / ("x" + ending)
        broken.write_bytes(b"no archive at all")
        with pytest.raises(perp.FileError):
            perp.load(broken)
    np.savez(tmp_path / "other.npz", X=np.eye(2))
    with pytest.raises(perp.FileError, match="X are not those"):
        perp.load(tmp_path / "other.npz")
    np.savez(tmp_path / "less.npz", M=np.eye(2))
    with pytest.raises(perp.FileError, match="'q'"):
        perp.load(tmp_path / "less.npz", kind="lcp")


def test_paths_may_be_bytes_and_kinds_are_known(tmp_path):
    p = perp.generate("pd", 3)
    perp.save(bytes(tmp_path / "x.npz"), p)
    assert perp.load(bytes(tmp_path / "x.npz")).n == 3
    with pytest.raises(perp.Error, match="no kind 'relay'"):
        perp.load(tmp_path / "x.npz", kind="relay")


def test_pickles_are_not_read(tmp_path):
    np.savez(tmp_path / "evil.npz", M=np.array([[object()]], dtype=object), q=np.ones(1))
    with pytest.raises(perp.FileError):
        perp.load(tmp_path / "evil.npz")


def test_archives_of_others(tmp_path, rng):
    M, q = np.eye(3) * 2, -np.ones(3)
    scipy.io.savemat(tmp_path / "m.mat", {"M": sp.csc_matrix(M), "q": q})
    np.savez(tmp_path / "m.npz", M=M, q=q)
    for name in ("m.mat", "m.npz"):
        p = perp.load(tmp_path / name)
        assert p.kind == "lcp" and np.allclose(perp.solve(p).z, 0.5)
    scipy.io.savemat(tmp_path / "n.mat", {"A": rng.standard_normal((5, 2)), "b": np.ones((5, 1))})
    assert perp.load(tmp_path / "n.mat").kind == "nnls"


@pytest.mark.parametrize("ending", ["perp", "npz", "mat"])
def test_cones_with_groups_and_bodies(ending, tmp_path):
    rows = dict(follows=[-1, 0, 0], group=[-1, 1, 1], mu=[0, 0.5, 0])
    H = sp.csc_matrix(np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0, 0]]))
    body = perp.cone_body(2 * np.eye(4), H, [-1, 0.25, 0.1, 0], G=np.eye(4)[:, 3:], R=0.1 * np.eye(3), **rows)
    for p in (perp.cone(np.eye(3), [-1, 2, 0], **rows), body):
        path = tmp_path / f"c.{ending}"
        perp.save(path, p)
        read, wanted = perp.load(path), perp.solve(p)
        assert read.kind == "cone" and read.data.keys() == p.data.keys()
        assert wanted.solved and (perp.solve(read).z == wanted.z).all()
    if ending != "perp":
        arrays = {k: v for k, v in body.data.items() if np.ndim(v) > 0 or hasattr(v, "tocsc")}
        np.savez(tmp_path / "bare.npz", **{**arrays, "H": H.toarray()})  # no word says the kind
        assert perp.load(tmp_path / "bare.npz").kind == "cone"


def test_a_layout_is_of_siconos_files(tmp_path):
    for ending in ("perp", "npz"):
        path = tmp_path / f"two.{ending}"
        perp.save(path, perp.lcp(np.eye(2), [-1, -1]))
        with pytest.raises(perp.ArgumentError, match="'rfc2d' is of Siconos' .dat files"):
            perp.load(path, layout="rfc2d")


@pytest.mark.parametrize("ending", ["mtx", "npz", "mat"])
def test_matrices(ending, tmp_path, rng):
    for M in (rng.standard_normal((4, 3)), sp.random(20, 10, 0.2, "csc", random_state=1)):
        path = tmp_path / f"m.{ending}"
        perp.save_matrix(path, M)
        N = perp.load_matrix(path)
        assert type(N).__name__ == type(M).__name__ and (abs(N - M)).max() == 0
    sp.save_npz(tmp_path / "s.npz", sp.eye(4, format="csr"))
    assert (perp.load_matrix(tmp_path / "s.npz").toarray() == np.eye(4)).all()
    np.savez(tmp_path / "two.npz", A=np.eye(2), B=np.ones((2, 2)))
    assert (perp.load_matrix(tmp_path / "two.npz", "B") == 1).all()
    with pytest.raises(perp.FileError, match="A, B"):
        perp.load_matrix(tmp_path / "two.npz")
