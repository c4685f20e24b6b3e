"""perp: complementarity problems, solved and certified.

    >>> import perp
    >>> result = perp.solve(perp.lcp([[2, 1], [1, 2]], [-5, -6]), solver="lcp/psor", omega=1.2)
    >>> result.z.round(6)
    array([1.333333, 2.333333])

Problems: lcp, ncp, mcp, fc3d, fc3d_body, cone, cone_body, nnls_problem, qp; load, generate. Solving: solve, solutions,
solvers, options, describe, compare. Judging: certify, check, distance, check_jacobian. Rigid bodies: World,
bodies, contacts, joint, step, assemble. For people who switch: nnls (scipy), solve_qp (qpsolvers). ``solved``
means that the certified residual is within the tolerance, always."""
from . import _docs
from ._assembly import Assembly, Groups, Motion, assemble, contact_groups
from ._compare import Rows, compare
from ._errors import (ArgumentError, DataTypeError, Error, FileError, FormatError, MissingFileError, NotSolved,
                      NumberError, OptionError, OutOfMemoryError)
from ._files import load, load_matrix, save, save_matrix
from ._generate import Family, families, generate
from ._judge import (Distance, JacobianReport, Proof, certify, check, check_jacobian, distance)
from ._perp import release as release_memory
from ._perp import version as __version__
from ._problem import Problem, cone, cone_body, fc3d, fc3d_body, lcp, mcp, ncp, nnls_problem, qp
from ._result import Certificate, Result
from ._rigid import (StepReport, World, bodies, body_dtype, contact_dtype, contact_frame, contacts, joint,
                     joint_dtype, step)
from ._solutions import Solution, Solutions, solutions
from ._solve import Monitor, Progress, solve
from ._switch import nnls, qp_problem, solve_qp
from ._tables import Option, Status, describe, options, solvers

__all__ = [
    "ArgumentError", "Assembly", "Certificate", "DataTypeError", "Distance", "Error", "Family", "FileError", "FormatError",
    "Groups", "JacobianReport", "MissingFileError", "Monitor", "Motion", "NotSolved", "NumberError", "Option", "OptionError",
    "OutOfMemoryError", "Problem", "Progress", "Proof", "Result", "Rows", "Solution", "Solutions", "Status", "StepReport", "World",
    "assemble", "bodies", "body_dtype", "certify", "check", "check_jacobian", "compare", "cone", "cone_body", "contact_dtype", "contact_frame",
    "contact_groups", "contacts", "describe", "distance", "families", "fc3d", "fc3d_body", "generate", "joint", "joint_dtype",
    "lcp", "load", "load_matrix", "mcp", "ncp", "nnls", "nnls_problem", "options", "qp", "qp_problem",
    "release_memory", "save", "save_matrix", "solutions", "solve", "solve_qp", "solvers", "step",
]

_docs.add_tables({"lcp": lcp, "ncp": ncp, "mcp": mcp, "fc3d": fc3d, "nnls": nnls_problem, "qp": qp, "cone": cone})
