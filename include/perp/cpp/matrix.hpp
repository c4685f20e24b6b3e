// perp/cpp/matrix.hpp: matrices as views: arrays, Eigen's, and by their products.
#ifndef PERP_CPP_MATRIX_HPP
#define PERP_CPP_MATRIX_HPP

#include "perp/cpp/pending.hpp"
#include "perp/cpp/view.hpp"

#include <cmath>

namespace perp
{

// A view as perp has it, what it refuses, and whose callbacks are behind it.
class matrix
{
  public:
    matrix() = default; // absent: zeros
    matrix(const perp_matrix &c) : c_(c)
    {
    }
    // Eigen's, in their own order and strides.
    template <class E, class = std::enable_if_t<detail::is_eigen_dense<detail::bare<E>>::value ||
                                                detail::is_eigen_sparse<detail::bare<E>>::value>>
    matrix(E &&e)
    {
        using T = detail::bare<E>;
        static_assert(std::is_lvalue_reference_v<E> || !detail::owns<T>,
                      "perp keeps a view: give the matrix a name that outlives the problem");
        static_assert(std::is_same_v<typename T::Scalar, double>, "perp reads double");
        c_.m = detail::to_index(e.rows());
        c_.n = detail::to_index(e.cols());
        if constexpr (detail::is_eigen_sparse<T>::value)
            set_sparse(e);
        else
            set_dense(e);
    }
    static matrix refused(const char *why)
    {
        matrix A;
        A.refusal_ = why;
        return A;
    }
    static matrix called(const perp_matrix &c, detail::pending *p)
    {
        matrix A(c);
        A.source_ = p;
        return A;
    }
    const perp_matrix &get() const noexcept
    {
        return c_;
    }
    const char *refusal() const noexcept
    {
        return refusal_;
    }
    detail::pending *source() const noexcept
    {
        return source_;
    }

  private:
    template <class E> void set_dense(const E &e)
    {
        static_assert(E::InnerStrideAtCompileTime == 1,
                      "the numbers of this Eigen expression are not in a row: copy it first");
        const index least = E::IsRowMajor ? c_.n : c_.m, lines = E::IsRowMajor ? c_.m : c_.n;
        const index ld = detail::to_index(e.outerStride());
        if (lines > 1 && ld < least)
            refusal_ =
                "the lines of a matrix of Eigen's overlap, or lie backwards or too far apart";
        c_.format = E::IsRowMajor ? PERP_FORMAT_DENSE_ROWS : PERP_FORMAT_DENSE;
        c_.as.dense.x = e.data();
        c_.as.dense.ld = ld > least ? ld : least > 1 ? least : 1;
    }
    template <class E> void set_sparse(const E &e)
    {
        static_assert(std::is_same_v<typename E::StorageIndex, index>, "perp's indices are int");
        if (!e.isCompressed()) {
            refusal_ = "a sparse matrix of Eigen's is not compressed: call makeCompressed()";
            return;
        }
        c_ = (E::IsRowMajor ? perp_csr : perp_csc)(c_.m, c_.n, e.outerIndexPtr(), e.innerIndexPtr(),
                                                   e.valuePtr());
    }

    perp_matrix c_ = {};
    const char *refusal_ = nullptr;
    detail::pending *source_ = nullptr;
};

namespace detail
{

// Are there as many entries as p says? What else p must be, the library checks.
inline bool holds_entries(view<const index> p, std::size_t entries)
{
    if (!p.data() || p.size() == 0) return true;
    const index last = p[p.size() - 1];
    return last < 0 || static_cast<std::size_t>(last) <= entries;
}

} // namespace detail

// m x n numbers column by column, or row by row.
inline matrix dense(index m, index n, const_vector x)
{
    if (m >= 0 && n >= 0 && x.size() < static_cast<std::size_t>(m) * static_cast<std::size_t>(n))
        return matrix::refused("a dense matrix has fewer numbers than rows times columns");
    return perp_dense(m, n, x.data());
}
inline matrix dense_rows(index m, index n, const_vector x)
{
    const matrix A = dense(m, n, x);
    return A.refusal() ? A : matrix(perp_dense_rows(m, n, x.data()));
}

// Compressed columns, rows, and rows of mb x nb blocks of 3 x 3, as perp/matrix.h has them.
inline matrix csc(index m, index n, view<const index> p, view<const index> i, const_vector x)
{
    if (n >= 0 && p.size() != static_cast<std::size_t>(n) + 1)
        return matrix::refused("p of compressed columns has another length than n + 1");
    if (i.size() != x.size())
        return matrix::refused("compressed columns have more row indices than numbers, or fewer");
    if (!detail::holds_entries(p, i.size()))
        return matrix::refused("p of compressed columns ends beyond the entries");
    return perp_csc(m, n, p.data(), i.data(), x.data());
}
inline matrix csr(index m, index n, view<const index> p, view<const index> j, const_vector x)
{
    if (m >= 0 && p.size() != static_cast<std::size_t>(m) + 1)
        return matrix::refused("p of compressed rows has another length than m + 1");
    if (j.size() != x.size())
        return matrix::refused("compressed rows have more column indices than numbers, or fewer");
    if (!detail::holds_entries(p, j.size()))
        return matrix::refused("p of compressed rows ends beyond the entries");
    return perp_csr(m, n, p.data(), j.data(), x.data());
}
inline matrix bsr3(index mb, index nb, view<const index> p, view<const index> j, const_vector x)
{
    if (mb >= 0 && p.size() != static_cast<std::size_t>(mb) + 1)
        return matrix::refused("p of block rows has another length than mb + 1");
    if (9 * j.size() != x.size())
        return matrix::refused("block rows have another number of values than 9 a block");
    if (!detail::holds_entries(p, j.size()))
        return matrix::refused("p of block rows ends beyond the entries");
    return perp_bsr3(mb, nb, p.data(), j.data(), x.data());
}

// A matrix by its products: mul(a, x, b, y) makes y = a A x + b y, mul_t the same with A'; y is not
// to be read where b is 0. It must outlive the problems made of it.
template <class Mul, class MulT> class linear_operator : private detail::pending
{
  public:
    linear_operator(index m, index n, Mul mul, MulT mul_t)
        : m_(m), n_(n), mul_(std::move(mul)), mul_t_(std::move(mul_t))
    {
    }
    operator matrix() &
    {
        perp_matrix A = {};
        A.format = PERP_FORMAT_OPERATOR;
        A.m = m_;
        A.n = n_;
        A.as.op = {&linear_operator::plain, &linear_operator::transposed, this};
        return matrix::called(A, this);
    }

  private:
    template <class F>
    void product(F &f, index in, index out, double a, const double *x, double b, double *y)
    {
        const vector to(y, static_cast<std::size_t>(out));
        const const_vector from(x, static_cast<std::size_t>(in));
        if (guard([&] { return detail::call(f, a, from, b, to); })) return;
        for (double &number : to) number = static_cast<double>(NAN); // nothing can be made of it
    }
    static void plain(void *self, double a, const double *x, double b, double *y)
    {
        auto *o = static_cast<linear_operator *>(self);
        o->product(o->mul_, o->n_, o->m_, a, x, b, y);
    }
    static void transposed(void *self, double a, const double *x, double b, double *y)
    {
        auto *o = static_cast<linear_operator *>(self);
        o->product(o->mul_t_, o->m_, o->n_, a, x, b, y);
    }

    index m_, n_;
    Mul mul_;
    MulT mul_t_;
};

} // namespace perp
#endif
