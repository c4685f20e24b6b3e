/* kernel/clones.h: hot loops are compiled twice and chosen by the processor at load time, so that a
 * portable build uses AVX2 and FMA where they are. */
#ifndef PERP_CLONES_H
#define PERP_CLONES_H

#ifdef PERP_CLONES
#define PERP_CLONED __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define PERP_CLONED
#endif

/* What a clone calls is compiled for its processor only where it is inlined. */
#if defined(__GNUC__)
#define PERP_INLINED static inline __attribute__((always_inline))
#else
#define PERP_INLINED static inline
#endif

#endif
