// perp/cpp/solve.hpp: solving, watching, judging.
#ifndef PERP_CPP_SOLVE_HPP
#define PERP_CPP_SOLVE_HPP

#include "perp/cpp/arena.hpp"
#include "perp/cpp/problem.hpp"

#include <stdexcept>

namespace perp
{

// A problem from a file of any format that perp reads; its numbers are the arena's.
inline problem load(const char *path, arena &memory)
{
    perp_problem c = {};
    perp_error error = {};
    if (perp_load(path, memory.get(), &c, &error))
        return problem::refused(error.status, error.text);
    return problem(c);
}

#if defined(__cpp_exceptions)
// Thrown by or_throw() alone: what() is perp's sentence.
class error : public std::runtime_error
{
  public:
    error(perp_status status, const char *text)
        : std::runtime_error(text[0] ? text : perp_status_text(status)), status_(status)
    {
    }
    perp_status status() const noexcept
    {
        return status_;
    }

  private:
    perp_status status_;
};
#endif

// perp_result; as a truth value, whether it is solved.
struct result : perp_result {
    explicit operator bool() const noexcept
    {
        return status == PERP_SOLVED;
    }
    bool refused() const noexcept
    {
        return status < 0;
    }
#if defined(__cpp_exceptions)
    const result &or_throw() const
    {
        if (status != PERP_SOLVED) throw perp::error(status, detail);
        return *this;
    }
#endif
};

// Watches a solve by a callable that takes a perp_progress and returns false to cancel:
//     perp::monitor watch([&](const perp_progress &at) { return at.seconds < 1; });
//     watch.attach(options);
class monitor_base : public detail::pending
{
  public:
    template <class Options> void attach(Options &o) &
    {
        perp_options *base = nullptr;
        if constexpr (std::is_same_v<Options, perp_options>)
            base = &o;
        else
            base = &o.base;
        base->monitor = &monitor_base::called;
        base->monitor_ctx = this;
    }
    static bool called(void *self, const perp_progress *at)
    {
        auto *m = static_cast<monitor_base *>(self);
        return m->guard([&] { return m->watch(*at); });
    }

  protected:
    ~monitor_base() = default;
    virtual bool watch(const perp_progress &at) = 0;
};
template <class F> class monitor final : public monitor_base
{
  public:
    explicit monitor(F f) : f_(std::move(f))
    {
    }

  private:
    bool watch(const perp_progress &at) override
    {
        return detail::call(f_, at);
    }
    F f_;
};

namespace detail
{

inline result refuse(perp_status status, const char *text)
{
    result out = {};
    out.status = status;
    out.residual.value = out.residual.bound = out.residual.natural = static_cast<double>(INFINITY);
    out.model_residual = out.objective = static_cast<double>(NAN);
    out.solver = "";
    std::snprintf(out.detail, sizeof out.detail, "%s", text);
    return out;
}

inline result solve(const problem &p, vector z, arena &memory, const perp_options *o, vector w)
{
    problem sized = p;
    sized.expect("z", z, p.size()).expect("w", w, p.size(), true);
    if (sized.error().status) return refuse(sized.error().status, sized.error().text);
    result out = {};
    perp_solve(&p.get(), o, memory.get(), z.data(), w.data(), &out);
    taken thrown;
    p.take(thrown);
    if (o && o->monitor == &monitor_base::called)
        thrown.from(*static_cast<monitor_base *>(o->monitor_ctx));
    thrown.rethrow();
    return out;
}

} // namespace detail

// By the kind's auto, or by a solver and its options: perp_lcp_psor_defaults(), with fields
// changed, or a pointer, as perp_find("lcp/psor") returns it; nullptr is the auto again. (A copy
// perp_options o = *perp_find(...) has lost the fields of the solver's own.) z has problem.size()
// numbers, and so has w, which may be absent: the slack, or a proof.
inline result solve(const problem &p, vector z, arena &memory)
{
    return detail::solve(p, z, memory, nullptr, {});
}
template <class Options>
result solve(const problem &p, vector z, arena &memory, const Options &o, vector w = {})
{
    if constexpr (std::is_convertible_v<Options, const perp_options *>)
        return detail::solve(p, z, memory, o, w);
    else if constexpr (std::is_same_v<Options, perp_options>)
        return detail::solve(p, z, memory, &o, w);
    else
        return detail::solve(p, z, memory, &o.base, w);
}

// A certificate of any z; status is PERP_SOLVED where it was measured.
struct certificate : perp_residual {
    perp_status status = PERP_SOLVED;
    bool holds(double tol) const noexcept
    {
        return status == PERP_SOLVED && value + bound <= tol;
    }
};
inline certificate certify(const problem &p, const_vector z, arena &memory)
{
    certificate out = {};
    problem sized = p;
    sized.expect("z", z, p.size());
    out.status = sized.error().status;
    if (out.status == PERP_SOLVED)
        out.status = perp_certify(&p.get(), z.data(), memory.get(), &out);
    if (out.status != PERP_SOLVED) out.value = out.bound = static_cast<double>(INFINITY);
    p.rethrow();
    return out;
}

} // namespace perp
#endif
