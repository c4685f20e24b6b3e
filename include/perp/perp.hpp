// perp/perp.hpp: perp in C++17, a header without a library of its own.
//
//     std::vector<double> M = {2, 1, 1, 2}, q = {-5, -6}, z(2);
//     perp::arena memory;
//     perp::solve(perp::lcp(perp::dense(2, 2, M), q), z, memory).or_throw();
//
// Vectors are views on anything contiguous: std::vector, std::array, arrays, pointers with a size,
// Eigen's vectors and maps. Matrices are views on such, or on Eigen's dense and sparse matrices,
// whose order and strides are kept. Nothing is copied, and nothing is allocated but by the arena.
// So the numbers behind a problem have to live as long as it does; temporaries that own theirs are
// refused by the compiler.
//
// A solve returns a result and throws nothing of its own; result.or_throw() throws perp::error
// unless it is solved. Sizes that do not fit make a problem that every call refuses, with a
// sentence. What a callback throws ends the solve and is thrown to its caller. Eigen's headers are
// not included here, so the order of includes does not matter.
#ifndef PERP_HPP
#define PERP_HPP

#include "perp/cpp/arena.hpp"    // perp::arena
#include "perp/cpp/callback.hpp" // perp::map, perp::linear_operator
#include "perp/cpp/matrix.hpp"   // perp::matrix, perp::dense, perp::csc ...
#include "perp/cpp/problem.hpp"  // perp::lcp, perp::mcp, perp::qp ...
#include "perp/cpp/solve.hpp"    // perp::solve, perp::certify, perp::load, perp::monitor
#include "perp/cpp/view.hpp"     // perp::vector, perp::const_vector

#endif
