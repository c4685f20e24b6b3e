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
    void rethrow()
    {
#if defined(__cpp_exceptions)
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
#endif
    }

  private:
#if defined(__cpp_exceptions)
    std::exception_ptr thrown_;
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
