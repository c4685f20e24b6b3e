/* base/clones.h: a hot function is compiled twice, once for any processor and once for AVX2 and
 * FMA; each call takes the version that the processor supports, so that a portable build is fast.
 *
 *     PERP_CLONED(double, dot, (int n, const double *a, const double *b), (n, a, b))
 *     {
 *         ...
 *     }
 *
 * defines `static double dot(int n, const double *a, const double *b)`; PERP_CLONED_VOID defines a
 * function that returns nothing. A call costs a load and a branch that is always predicted.
 *
 * The attribute target_clones would say the same more briefly, but clang 14 fails on it: it gives
 * the resolver of a static function external linkage, so that two files with one name do not link,
 * and its resolver compares arch=x86-64-v3 with the processor's vendor, so that no processor of
 * Intel or AMD takes that version. Both versions of PERP_CLONED are also tested under sanitizers,
 * which a resolver is not: it runs before their run-time library is ready. */
#ifndef PERP_BASE_CLONES_H
#define PERP_BASE_CLONES_H

/* What a clone calls is compiled for its processor only where it is inlined. */
#if defined(__GNUC__)
#define PERP_INLINED static inline __attribute__((always_inline))
#else
#define PERP_INLINED static inline
#endif

#ifdef PERP_CLONES

/* Whether the calls of this process take the versions for AVX2 and FMA. */
#define PERP_CLONES_WIDE (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))

/* name_wide and name_plain are the two versions of name; `hand_back` is `return` or nothing. */
#define PERP_CLONED_AS(type, hand_back, name, parameters, arguments)                               \
    PERP_INLINED type name##_body parameters;                                                      \
    __attribute__((noinline, target("avx2,fma"))) static type name##_wide parameters               \
    {                                                                                              \
        hand_back name##_body arguments;                                                           \
    }                                                                                              \
    __attribute__((noinline)) static type name##_plain parameters                                  \
    {                                                                                              \
        hand_back name##_body arguments;                                                           \
    }                                                                                              \
    static inline type name parameters                                                             \
    {                                                                                              \
        if (PERP_CLONES_WIDE)                                                                      \
            hand_back name##_wide arguments;                                                       \
        else                                                                                       \
            hand_back name##_plain arguments;                                                      \
    }                                                                                              \
    PERP_INLINED type name##_body parameters
#define PERP_CLONED(type, name, parameters, arguments)                                             \
    PERP_CLONED_AS(type, return, name, parameters, arguments)
#define PERP_CLONED_VOID(name, parameters, arguments)                                              \
    PERP_CLONED_AS(void, , name, parameters, arguments)

#else

#define PERP_CLONED(type, name, parameters, arguments) static type name parameters
#define PERP_CLONED_VOID(name, parameters, arguments) static void name parameters

#endif

#endif
