// perp/cpp/arena.hpp: memory that is given back at the end.
#ifndef PERP_CPP_ARENA_HPP
#define PERP_CPP_ARENA_HPP

#include "perp/perp.h"

#include <cstddef>
#include <utility>

namespace perp
{

// All memory of a solve, given back at the end. One serves one thread at a time.
class arena
{
  public:
    arena() = default;
    // In the caller's buffer, which it never leaves.
    arena(void *buffer, std::size_t bytes)
    {
        perp_arena_fixed(&arena_, buffer, bytes);
    }
    arena(arena &&other) noexcept : arena_(std::exchange(other.arena_, perp_arena{}))
    {
    }
    arena &operator=(arena &&other) noexcept
    {
        std::swap(arena_, other.arena_);
        return *this;
    }
    arena(const arena &) = delete;
    arena &operator=(const arena &) = delete;
    ~arena()
    {
        perp_arena_free(&arena_);
    }
    perp_arena *get() noexcept
    {
        return &arena_;
    }
    std::size_t peak() const noexcept
    {
        return arena_.peak;
    }
    unsigned allocations() const noexcept
    {
        return arena_.allocations;
    }

  private:
    perp_arena arena_ = {};
};

} // namespace perp
#endif
