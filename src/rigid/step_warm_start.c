/* rigid/step_warm_start.c: what stays between steps: the list of contacts, and their impulses by
 * bodies and id for the next warm start. Impulses are remembered in world coordinates, so that a
 * frame that turned does not turn them. Arrays double when they are full; all is the world's
 * memory. */
#include "step.h"

/* Room for `count`, what is there stays. NULL: no memory. */
static void *grow(perp_arena *a, const void *old, int used, int count, size_t size)
{
    char *more = perp_alloc(a, (size_t)count, size);
    if (more && used > 0) memcpy(more, old, (size_t)used * size);
    return more;
}

static bool make_room(perp_contacts *list, int room)
{
    if (room <= list->room) return true;
    if (room > INT_MAX / 24) return false;
    perp_contact *contact = grow(list->memory, list->contact, list->count, room, sizeof *contact);
    double *impulse = grow(list->memory, NULL, 0, 3 * room, sizeof *impulse);
    if (!contact || !impulse) return false;
    list->contact = contact;
    list->impulse = impulse;
    list->room = room;
    return true;
}

perp_contact *perp_contacts_add(perp_contacts *list, int a, int b)
{
    int twice = list->room ? 2 * list->room : 64;
    if (list->count == list->room && !make_room(list, twice)) return NULL;
    perp_contact *c = list->contact + list->count++;
    *c = (perp_contact){.a = a, .b = b};
    return c;
}

perp_step_memory *perp_step_memory_open(perp_world *w, int joint_rows)
{
    perp_arena *a = &w->memory;
    perp_step_memory *kept = w->kept;
    if (!kept) {
        kept = perp_alloc(a, 1, sizeof *kept);
        if (!kept) return NULL;
        kept->list[0].memory = kept->list[1].memory = a;
        w->kept = kept;
    }
    if (joint_rows > kept->joint_rows) {
        double *last = perp_alloc(a, (size_t)joint_rows, sizeof *last);
        double *next = perp_alloc(a, (size_t)joint_rows, sizeof *next);
        if (!last || !next) return NULL;
        kept->joint[0] = last;
        kept->joint[1] = next;
        kept->joint_rows = joint_rows;
    }
    return kept;
}

perp_contacts *perp_step_memory_start(perp_step_memory *kept)
{
    perp_contacts *list = kept->list + !kept->now;
    list->count = 0;
    return list;
}

static unsigned hash(int a, int b, int id)
{
    uint64_t x = (uint64_t)(uint32_t)a * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 29) ^ (uint32_t)b) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 32) ^ (uint32_t)id) * UINT64_C(0x94D049BB133111EB);
    return (unsigned)(x >> 32);
}

/* Where it is, or the free place where it would be. The table is never full. */
static perp_memo *place(const perp_step_memory *kept, int a, int b, int id)
{
    unsigned last = (unsigned)kept->room - 1, at = hash(a, b, id) & last;
    for (;; at = (at + 1) & last) {
        perp_memo *m = kept->memo + at;
        if (!m->used || (m->a == a && m->b == b && m->id == id)) return m;
    }
}

bool perp_step_memory_remember(perp_world *w, const perp_contacts *list)
{
    perp_step_memory *kept = w->kept;
    for (int k = 0; k < 2; k++) { /* the next step's list is the other one */
        if (!make_room(kept->list + k, list->room)) return false;
    }
    int room = kept->room ? kept->room : 128;
    while (room < 2 * list->count) room *= 2;
    if (room > kept->room) {
        perp_memo *memo = perp_alloc_unset(&w->memory, (size_t)room, sizeof *memo);
        if (!memo) return false;
        kept->memo = memo;
        kept->room = room;
    }
    for (int k = 0; k < kept->room; k++) kept->memo[k].used = false;
    for (int k = 0; k < list->count; k++) {
        const perp_contact *c = list->contact + k;
        perp_memo *m = place(kept, c->a, c->b, c->id);
        if (m->used) continue; /* the first of equal names */
        double E[9];
        perp_contact_frame(c->normal, E);
        *m = (perp_memo){.a = c->a, .b = c->b, .id = c->id, .used = true};
        rigid_mul(E, list->impulse + 3 * (size_t)k, m->impulse);
    }
    return true;
}

void perp_step_memory_recall(const perp_step_memory *kept, const perp_contact *c, int count,
                             double *r)
{
    for (int k = 0; k < count; k++, c++, r += 3) {
        const perp_memo *m = kept->room ? place(kept, c->a, c->b, c->id) : NULL;
        if (!m || !m->used) {
            r[0] = r[1] = r[2] = 0;
            continue;
        }
        double E[9];
        perp_contact_frame(c->normal, E);
        rigid_mul_t(E, m->impulse, r);
    }
}
