/* rigid/groups.c: contact groups (islands): union-find over the free bodies.
 * Roots are the lowest body of a group, so that the numbering follows the bodies and not the order
 * of contacts. Nearly linear. */
#include "assembly.h"

/* With path halving. */
static int find_root(int *parent, int k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

static void join(const perp_rigid *s, int *parent, int a, int b)
{
    if (a < 0 || b < 0 || s->body[a].kind != PERP_BODY_FREE || s->body[b].kind != PERP_BODY_FREE)
        return;
    int x = find_root(parent, a), y = find_root(parent, b);
    if (x < y)
        parent[y] = x;
    else
        parent[x] = y;
}

/* Every contact and joint has a free body. */
static int group_of(const int *group, int a, int b)
{
    return a >= 0 && group[a] >= 0 ? group[a] : group[b];
}

static void list_contacts(int contacts, int count, const int *contact, int *start, int *order)
{
    for (int k = 0; k < contacts; k++) start[contact[k] + 1]++;
    for (int g = 0; g < count; g++) start[g + 1] += start[g];
    for (int k = 0; k < contacts; k++) order[start[contact[k]]++] = k;
    for (int g = count; g > 0; g--) start[g] = start[g - 1];
    start[0] = 0;
}

static perp_status group(const perp_rigid *s, perp_arena *a, perp_rigid_groups *out, perp_error *e)
{
    size_t n = (size_t)s->bodies;
    int *body = perp_alloc_unset(a, n, sizeof *body);
    int *contact = perp_alloc_unset(a, (size_t)s->contacts, sizeof *contact);
    int *joint = perp_alloc_unset(a, (size_t)s->joints, sizeof *joint);
    int *order = perp_alloc_unset(a, (size_t)s->contacts, sizeof *order);
    int *start = perp_alloc(a, n + 1, sizeof *start);
    int *parent = perp_alloc_unset(a, n, sizeof *parent);
    if (a->failed) return perp_assembly_memory(s, e);
    for (int k = 0; k < s->bodies; k++) parent[k] = k;
    for (int k = 0; k < s->contacts; k++) join(s, parent, s->contact[k].a, s->contact[k].b);
    for (int k = 0; k < s->joints; k++) join(s, parent, s->joint[k].a, s->joint[k].b);
    int count = 0;
    for (int k = 0; k < s->bodies; k++) {
        int root = find_root(parent, k);
        if (s->body[k].kind != PERP_BODY_FREE)
            body[k] = -1;
        else
            body[k] = root == k ? count++ : body[root];
    }
    for (int k = 0; k < s->contacts; k++)
        contact[k] = group_of(body, s->contact[k].a, s->contact[k].b);
    for (int k = 0; k < s->joints; k++) joint[k] = group_of(body, s->joint[k].a, s->joint[k].b);
    list_contacts(s->contacts, count, contact, start, order);
    *out = (perp_rigid_groups){.count = count,
                               .body = body,
                               .contact = contact,
                               .joint = joint,
                               .start = start,
                               .order = order};
    return PERP_SOLVED;
}

perp_status perp_rigid_group(const perp_rigid *s, perp_arena *a, perp_rigid_groups *groups,
                             perp_error *error)
{
    if (!a || !groups)
        return perp_refuse(error, PERP_E_ARGUMENT, "the %s must not be NULL",
                           a ? "groups" : "arena");
    perp_status status = perp_rigid_validate(s, error);
    if (status) return status;
    perp_mark mark = perp_arena_mark(a);
    status = group(s, a, groups, error);
    if (status) perp_arena_release(a, mark);
    return status;
}
