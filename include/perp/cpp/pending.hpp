// perp/cpp/pending.hpp: what a callback throws, kept until the solve is over.
#ifndef PERP_CPP_PENDING_HPP
#define PERP_CPP_PENDING_HPP

#include <exception>
#include <type_traits>
#include <utility>

namespace perp
{

namespace detail
{

// What a callback has thrown, until the solve is over.
class pending
{
  public:
    pending() = default;
    pending(const pending &) = delete;
    pending &operator=(const pending &) = delete;

    template <class F> bool guard(F &&call) noexcept
    {
#if defined(__cpp_exceptions)
        if (thrown_) return false;
        try {
            return call();
        } catch (...) {
            thrown_ = std::current_exception();
            return false;
        }
#else
        return call();
#endif
    }
    // What was thrown goes to `first`, unless that has something; it is forgotten here.
    template <class Thrown> void take(Thrown &first)
    {
#if defined(__cpp_exceptions)
        if (!thrown_) return; // reads alone: several threads may solve with what throws nothing
        Thrown own = std::exchange(thrown_, nullptr);
        if (!first) first = std::move(own);
#else
        static_cast<void>(first);
#endif
    }

  private:
#if defined(__cpp_exceptions)
    std::exception_ptr thrown_;
#endif
};

// What was taken, thrown at the end.
class taken
{
  public:
    void from(pending &p)
    {
        p.take(first_);
    }
    void rethrow()
    {
#if defined(__cpp_exceptions)
        if (first_) std::rethrow_exception(first_);
#endif
    }

  private:
#if defined(__cpp_exceptions)
    std::exception_ptr first_;
#else
    char first_ = 0;
#endif
};

// Calls that return nothing say true.
template <class F, class... A> bool call(F &f, A &&...a)
{
    if constexpr (std::is_void_v<decltype(f(std::forward<A>(a)...))>) {
        f(std::forward<A>(a)...);
        return true;
    } else {
        return static_cast<bool>(f(std::forward<A>(a)...));
    }
}

} // namespace detail

} // namespace perp
#endif
