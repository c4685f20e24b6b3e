/* method/primal_ratio.c: which constraint blocks a direction, also where several do at once.
 * Wolfe, A technique for resolving degeneracy in linear programming, J. SIAM 11 (1963); Fletcher,
 * Resolving degeneracy in quadratic programming, Ann. Oper. Res. 46 (1993); Harris, Pivot selection
 * methods of the Devex LP code, Math. Programming 5 (1973).
 *
 * At a degenerate point constraints outside the set block at length zero, and sets could come round
 * again. The way out is a direction that all constraints at the point allow, which is a problem in
 * the constraints at the point alone; so they get other rooms, made up at random, on a level of
 * their own: what blocks there blocks at another length than the others, and the objective falls.
 * A tie there leads to the next level, of fewer constraints. A direction that nothing on a level
 * blocks is the way out: one level down the rooms are zero again, but do not block it. Levels are
 * finite in number and so are the sets on each, with rounding or without. */
#include "primal_set.h"

#include "base/vector.h"

#include <stdint.h>

#define FEASIBLE 1e-12 /* room, over the size of x and the bound, that is none */
#define PIVOT 1e-12    /* slope, over the length of d, that is none */
#define TIE 1e-9       /* made-up room that is none */

/* Room of constraint i on the side that d leads to; infinite where there is none. */
static double real_room(const perp_primal *p, int i, int *side)
{
    const perp_constraint_rows *rows = p->s.rows;
    *side = p->slope[i] < 0 ? 1 : -1;
    return *side > 0 ? p->s.value[i] - rows->lo[i] : rows->hi[i] - p->s.value[i];
}

static double tolerance(const perp_primal *p, int i, int side)
{
    return FEASIBLE * (fabs(rows_bound(p->s.rows, i, side)) + p->s.size);
}

static bool takes_part(const perp_primal *p, int i, double least)
{
    return !p->s.side[i] && fabs(p->slope[i]) > least && !rows_is_equality(p->s.rows, i);
}

/* Among those that d meets first, give or take the tolerance, the one it meets most squarely. */
static perp_primal_block real_ratio(const perp_primal *p, double full, double least)
{
    perp_primal_block block = {.i = -1, .length = full};
    int count = p->s.rows->n + p->s.rows->m, side;
    double bound = full, best = 0;
    for (int i = 0; i < count; i++) {
        if (!takes_part(p, i, least)) continue;
        double room = real_room(p, i, &side), slope = fabs(p->slope[i]);
        if (isinf(room)) continue;
        double reach = (room > 0 ? room : 0) + tolerance(p, i, side);
        if (reach < bound * slope) bound = reach / slope;
    }
    if (bound == full) return block;
    for (int i = 0; i < count; i++) {
        if (!takes_part(p, i, least)) continue;
        double room = real_room(p, i, &side), slope = fabs(p->slope[i]);
        if (slope <= best || room > bound * slope) continue;
        best = slope;
        block = (perp_primal_block){.i = i, .side = side, .length = room > 0 ? room / slope : 0};
    }
    return block;
}

/* ---- levels ---- */

/* In [0.5, 1.5), without pattern, the same every time. */
static double made_up(int i, int level)
{
    uint64_t s = ((uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)level;
    s ^= s >> 29;
    s *= UINT64_C(0xBF58476D1CE4E5B9);
    s ^= s >> 32;
    s *= UINT64_C(0x94D049BB133111EB);
    return 0.5 + (double)(s >> 11) * 0x1p-53;
}

/* Is the constraint at the point, as the present level sees it? Sets the side: where both are, the
 * one that d leads to. */
static bool is_at_point(perp_primal *p, int i)
{
    const perp_constraint_rows *rows = p->s.rows;
    if (p->level > 0) return p->depth[i] == p->level && (p->s.side[i] || p->room[i] <= TIE);
    if (rows_is_equality(rows, i)) return false;
    if (p->s.side[i]) return true;
    double below = p->s.value[i] - rows->lo[i], above = rows->hi[i] - p->s.value[i];
    bool low = below <= tolerance(p, i, 1) && !isinf(below);
    bool high = above <= tolerance(p, i, -1) && !isinf(above);
    if (!low && !high) return false;
    int side = low && high ? (p->slope[i] < 0 ? 1 : -1) : low ? 1 : -1;
    p->lean[i] = (signed char)side;
    return true;
}

static void raise_level(perp_primal *p)
{
    int count = p->s.rows->n + p->s.rows->m;
    for (int i = 0; i < count; i++) {
        if (!is_at_point(p, i)) continue;
        p->depth[i] = p->level + 1;
        p->room[i] = p->s.side[i] ? 0 : made_up(i, p->level);
    }
    p->level++;
}

static void lower_level(perp_primal *p)
{
    int count = p->s.rows->n + p->s.rows->m;
    for (int i = 0; i < count; i++) {
        if (p->depth[i] != p->level) continue;
        p->depth[i]--;
        p->room[i] = 0;
    }
    p->level--;
}

static perp_primal_block level_ratio(const perp_primal *p, double least)
{
    perp_primal_block block = {.i = -1};
    int count = p->s.rows->n + p->s.rows->m;
    double bound = INFINITY, best = 0;
    for (int i = 0; i < count; i++) {
        double slope = -p->lean[i] * p->slope[i];
        if (p->depth[i] != p->level || p->s.side[i] || !(slope > least)) continue;
        double reach = p->room[i] + TIE / 2;
        if (reach < bound * slope) bound = reach / slope;
    }
    for (int i = 0; i < count; i++) {
        double slope = -p->lean[i] * p->slope[i];
        if (p->depth[i] != p->level || p->s.side[i] || !(slope > least)) continue;
        if (slope <= best || p->room[i] > bound * slope) continue;
        best = slope;
        block = (perp_primal_block){.i = i, .side = p->lean[i], .length = p->room[i] / slope};
    }
    return block;
}

static void move_rooms(perp_primal *p, const perp_primal_block *block)
{
    int count = p->s.rows->n + p->s.rows->m;
    for (int i = 0; i < count; i++) {
        if (p->depth[i] != p->level || p->s.side[i]) continue;
        double room = p->room[i] + block->length * p->lean[i] * p->slope[i];
        p->room[i] = room > 0 ? room : 0;
    }
    p->room[block->i] = 0;
}

perp_primal_block perp_primal_ratio(perp_primal *p, double full)
{
    double least = PIVOT * vector_norm(p->s.rows->n, p->d);
    bool lowered = false; /* a way out that is none after all is not looked for again */
    for (;;) {
        perp_primal_block block = p->level ? level_ratio(p, least) : real_ratio(p, full, least);
        if (p->level > 0 && block.i < 0) {
            lower_level(p);
            lowered = true;
            continue;
        }
        if (block.i < 0 || p->leaving < 0) return block;
        if (p->level > 0 && (p->room[block.i] > TIE || lowered)) {
            move_rooms(p, &block);
            block.length = 0;
            return block;
        }
        double room = p->level ? 0 : block.length * fabs(p->slope[block.i]);
        if (p->level == 0 && (lowered || room > tolerance(p, block.i, block.side))) return block;
        raise_level(p);
    }
}
