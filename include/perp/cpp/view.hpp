// perp/cpp/view.hpp: numbers that belong to somebody else, and what is known of their owners.
#ifndef PERP_CPP_VIEW_HPP
#define PERP_CPP_VIEW_HPP

#include "perp/perp.h"

#include <climits>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace perp
{

using index = perp_index;

// ---- traits ------------------------------------------------------------------------------------

namespace detail
{

template <class T> using bare = std::remove_cv_t<std::remove_reference_t<T>>;

template <class T, class = void> struct is_contiguous : std::false_type {
};
template <class T>
struct is_contiguous<
    T, std::void_t<decltype(std::declval<T &>().data()), decltype(std::declval<T &>().size())>>
    : std::true_type {
};

// A container of the standard library, std::array too, or an array or matrix of Eigen's that is no
// view.
template <class T, class = void> struct has_allocator : std::false_type {
};
template <class T>
struct has_allocator<T, std::void_t<typename T::allocator_type>> : std::true_type {
};
template <class T, class = void> struct is_plain : std::false_type {
};
template <class T>
struct is_plain<T, std::void_t<typename T::PlainObject>>
    : std::is_same<typename T::PlainObject, T> {
};
template <class T, class = void> struct is_array : std::false_type {
};
template <class T>
struct is_array<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {
};
template <class T>
constexpr bool owns = has_allocator<T>::value || is_plain<T>::value || is_array<T>::value;

// Eigen's dense matrices, maps and blocks, and its compressed sparse ones, by their members.
template <class T, class = void> struct is_eigen_dense : std::false_type {
};
template <class T>
struct is_eigen_dense<
    T,
    std::void_t<typename T::Scalar, decltype(std::declval<const T &>().outerStride()),
                decltype(std::declval<const T &>().data()), decltype(T::InnerStrideAtCompileTime)>>
    : std::true_type {
};
template <class T, class = void> struct is_eigen_sparse : std::false_type {
};
template <class T>
struct is_eigen_sparse<
    T, std::void_t<typename T::StorageIndex, decltype(std::declval<const T &>().outerIndexPtr()),
                   decltype(std::declval<const T &>().isCompressed())>> : std::true_type {
};

// -1, which every call refuses, for what perp_index cannot hold.
template <class N> constexpr index to_index(N n)
{
    const long long count = static_cast<long long>(n);
    return count >= 0 && count <= INT_MAX ? static_cast<index>(count) : -1;
}

} // namespace detail

// Numbers in a row that belong to somebody else, as std::span of C++20. A default one is absent.
template <class T> class view
{
  public:
    constexpr view() = default;
    constexpr view(std::nullptr_t)
    {
    }
    constexpr view(T *data, std::size_t size) : data_(data), size_(size)
    {
    }
    template <std::size_t N> constexpr view(T (&array)[N]) : data_(array), size_(N)
    {
    }
    view(std::initializer_list<std::remove_cv_t<T>>) = delete; // numbers in braces are temporary
    template <class C, class = std::enable_if_t<detail::is_contiguous<detail::bare<C>>::value &&
                                                !std::is_same_v<detail::bare<C>, view>>>
    constexpr view(C &&c) : data_(c.data()), size_(static_cast<std::size_t>(c.size()))
    {
        static_assert(std::is_lvalue_reference_v<C> || !detail::owns<detail::bare<C>>,
                      "perp keeps a view: give the container a name that outlives the problem");
        if constexpr (detail::is_eigen_dense<detail::bare<C>>::value) {
            static_assert(detail::bare<C>::InnerStrideAtCompileTime == 1,
                          "the numbers of this Eigen expression are not in a row: copy it first");
            static_assert(detail::bare<C>::IsVectorAtCompileTime, "a vector is expected here");
        }
    }
    constexpr T *data() const
    {
        return data_;
    }
    constexpr std::size_t size() const
    {
        return size_;
    }
    constexpr T *begin() const
    {
        return data_;
    }
    constexpr T *end() const
    {
        return data_ + size_;
    }
    constexpr T &operator[](std::size_t i) const
    {
        return data_[i];
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

using const_vector = view<const double>;
using vector = view<double>;

} // namespace perp
#endif
