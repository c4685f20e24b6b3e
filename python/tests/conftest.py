"""What the tests share. They run against the package on PYTHONPATH: the build tree's, or an installed one."""
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pathlib

import hypothesis
import numpy as np
import pytest

import perp

ROOT = pathlib.Path(__file__).resolve().parents[2]
hypothesis.settings.register_profile("perp", deadline=None, derandomize=True, max_examples=100)
hypothesis.settings.load_profile("perp")


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def make_pd(rng, n, symmetric=True):
    """A positive definite matrix, by rows, and a q."""
    A = rng.standard_normal((n, n))
    M = A @ A.T / n + np.eye(n)
    M = (M + M.T) / 2
    if not symmetric:
        M += 0.1 * (A - A.T)
    return np.ascontiguousarray(M), rng.standard_normal(n)


def is_solution(M, q, z, tol=1e-6):
    w = M @ z + q
    return np.linalg.norm(np.minimum(z, w)) <= tol * max(np.linalg.norm(q), 1)
