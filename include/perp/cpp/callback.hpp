// perp/cpp/callback.hpp: callables behind C callbacks, and what they throw.
#ifndef PERP_CPP_CALLBACK_HPP
#define PERP_CPP_CALLBACK_HPP

#include "perp/cpp/matrix.hpp"

namespace perp
{

// F by a callable f(z, F), and its Jacobian by j(z, values) in the order of the pattern, which is
// dense where none is given. Either may return false where it is undefined. It must outlive the
// problems made of it.
template <class F, class J = std::nullptr_t> class map : private detail::pending
{
  public:
    explicit map(index n, F f, J j = nullptr, matrix pattern = {})
        : f_(std::move(f)), j_(std::move(j)), entries_(count_entries(n, pattern.get())),
          refusal_(pattern.refusal())
    {
        constexpr bool by_differences = std::is_same_v<J, std::nullptr_t>;
        c_ = perp_make_map(n, &map::evaluate, by_differences ? nullptr : &map::differentiate,
                           pattern.get(), this);
    }
    // Sizes of the unknowns, positive.
    map &typical(const_vector sizes)
    {
        misfit_ = sizes.size() != static_cast<std::size_t>(c_.n);
        c_.typical = sizes.data();
        return *this;
    }
    const perp_map &get() const noexcept
    {
        return c_;
    }
    const char *refusal() const noexcept
    {
        return misfit_ ? "typical has another length than n" : refusal_;
    }
    detail::pending *source() noexcept
    {
        return this;
    }

  private:
    static std::size_t count_entries(index n, const perp_matrix &pattern)
    {
        const std::size_t rows = n > 0 ? static_cast<std::size_t>(n) : 0;
        // A pattern of another size is refused by every call; its p may be shorter.
        const bool fits = n >= 0 && pattern.n == n;
        const bool sparse = pattern.format == PERP_FORMAT_CSC && fits && pattern.as.csc.p;
        return sparse ? static_cast<std::size_t>(pattern.as.csc.p[n]) : rows * rows;
    }
    static bool evaluate(void *self, const double *z, double *out)
    {
        auto *o = static_cast<map *>(self);
        const std::size_t n = static_cast<std::size_t>(o->c_.n);
        return o->guard([&] { return detail::call(o->f_, const_vector(z, n), vector(out, n)); });
    }
    static bool differentiate(void *self, const double *z, double *out)
    {
        auto *o = static_cast<map *>(self);
        if constexpr (std::is_same_v<J, std::nullptr_t>) {
            return false;
        } else {
            const const_vector at(z, static_cast<std::size_t>(o->c_.n));
            return o->guard([&] { return detail::call(o->j_, at, vector(out, o->entries_)); });
        }
    }

    F f_;
    J j_;
    std::size_t entries_;
    const char *refusal_;
    bool misfit_ = false;
    perp_map c_ = {};
};

} // namespace perp
#endif
