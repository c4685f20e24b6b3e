/* rigid/delassus.c: J M^-1 J' from the rows of J Q^-1, M = Q'Q.
 *
 * Contacts and joints couple through the free bodies they share, found by the list of items of each
 * body; an entry is the dot product of two scaled rows over the bodies in common, so the matrix is
 * exactly symmetric. Time and memory are those of the result. */
#include "assembly.h"
#include "base/clones.h"

void perp_scale_row(const perp_assembly *parts, const int slot[2], const double J[12], double S[12])
{
    memset(S, 0, 12 * sizeof *S);
    for (int side = 0; side < 2; side++) {
        if (slot[side] < 0) continue;
        const perp_mass *mass = parts->mass + slot[side];
        const double *from = J + 6 * side;
        double *to = S + 6 * side, scale = 1 / sqrt(mass->mass);
        for (int i = 0; i < 3; i++) to[i] = scale * from[i];
        rigid_mul_t(mass->root, from + 3, to + 3);
    }
}

static void add_item(const perp_assembly *parts, const perp_jacobian_rows *rows, int count, int k,
                     perp_items *items)
{
    int first = items->start[k];
    items->start[k + 1] = first + count;
    memcpy(items->slot + 2 * (size_t)k, rows->slot, sizeof rows->slot);
    for (int i = 0; i < count; i++) {
        size_t row = (size_t)(first + i);
        perp_scale_row(parts, rows->slot, rows->J[i], items->S + 12 * row);
        items->q[row] = perp_rows_free(rows, i, parts->v_free) + rows->bias[i];
    }
}

/* The items of each body, ascending. p has length bodies + 1 and is zero. */
static void list_items(const perp_items *items, int bodies, int *p, int *list)
{
    for (int k = 0; k < 2 * items->count; k++) {
        if (items->slot[k] >= 0) p[items->slot[k] + 1]++;
    }
    for (int b = 0; b < bodies; b++) p[b + 1] += p[b];
    for (int k = 0; k < 2 * items->count; k++) {
        if (items->slot[k] >= 0) list[p[items->slot[k]]++] = k / 2;
    }
    for (int b = bodies; b > 0; b--) p[b] = p[b - 1];
    p[0] = 0;
}

/* The union of two ascending lists; `to` may be NULL. Returns its length. */
static int merge(const int *x, const int *x_end, const int *y, const int *y_end, int *to)
{
    int count = 0;
    while (x < x_end || y < y_end) {
        int next = y == y_end || (x < x_end && *x <= *y) ? *x : *y;
        x += x < x_end && *x == next;
        y += y < y_end && *y == next;
        if (to) to[count] = next;
        count++;
    }
    return count;
}

static int couple_item(const perp_items *items, int k, const int *p, const int *list, int *to)
{
    const int *ends[4] = {list, list, list, list};
    for (int side = 0; side < 2; side++) {
        int slot = items->slot[2 * k + side];
        if (slot < 0) continue;
        ends[2 * side] = list + p[slot];
        ends[2 * side + 1] = list + p[slot + 1];
    }
    return merge(ends[0], ends[1], ends[2], ends[3], to);
}

static perp_status refuse_count(const perp_rigid *s, perp_error *e)
{
    return perp_refuse(e, PERP_E_FORMAT,
                       "%d contacts and %d joints couple too often for int indices", s->contacts,
                       s->joints);
}

static perp_status couple_items(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                                perp_items *items, perp_error *e)
{
    int *p = perp_alloc(a, (size_t)parts->free + 1, sizeof *p);
    int *list = perp_alloc_unset(a, 2 * (size_t)items->count, sizeof *list);
    items->p = perp_alloc_unset(a, (size_t)items->count + 1, sizeof *items->p);
    if (a->failed) return perp_assembly_memory(s, e);
    list_items(items, parts->free, p, list);
    items->p[0] = 0;
    for (int k = 0; k < items->count; k++) {
        int count = couple_item(items, k, p, list, NULL);
        if (count > INT_MAX - items->p[k]) return refuse_count(s, e);
        items->p[k + 1] = items->p[k] + count;
    }
    items->to = perp_alloc_unset(a, (size_t)items->p[items->count], sizeof *items->to);
    if (a->failed) return perp_assembly_memory(s, e);
    for (int k = 0; k < items->count; k++) couple_item(items, k, p, list, items->to + items->p[k]);
    return PERP_SOLVED;
}

perp_status perp_items_make(const perp_rigid *s, const perp_assembly *parts, int rows, bool joints,
                            perp_arena *a, perp_items *items, perp_error *e)
{
    size_t count = (size_t)s->contacts + (joints ? (size_t)s->joints : 0);
    size_t total = (size_t)s->contacts * (size_t)rows + (joints ? (size_t)parts->joint_rows : 0);
    items->count = (int)count;
    items->start = perp_alloc(a, count + 1, sizeof *items->start);
    items->slot = perp_alloc_unset(a, 2 * count, sizeof *items->slot);
    items->S = perp_alloc_unset(a, 12 * total, sizeof *items->S);
    items->q = perp_alloc_unset(a, total, sizeof *items->q);
    if (a->failed) return perp_assembly_memory(s, e);
    perp_jacobian_rows one;
    for (int k = 0; k < s->contacts; k++) {
        perp_contact_rows(s, parts, k, &one);
        add_item(parts, &one, rows, k, items);
    }
    for (int k = 0; joints && k < s->joints; k++) {
        perp_joint_rows(s, parts, k, &one);
        add_item(parts, &one, one.count, s->contacts + k, items);
    }
    return couple_items(s, parts, a, items, e);
}

/* The sum of x_i . y_j over the six entries of one body, 3 x 3. */
PERP_INLINED void add_block3(const double *x, const double *y, double *out)
{
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            const double *u = x + 12 * i, *v = y + 12 * j;
            out[3 * j + i] += rigid_dot(u, v) + rigid_dot(u + 3, v + 3);
        }
    }
}

/* The common case, two contacts. */
PERP_CLONED_VOID(find_block3,
                 (const double *x, const double *y, const int *slot_x, const int *slot_y,
                  double *out),
                 (x, y, slot_x, slot_y, out))
{
    for (int i = 0; i < 9; i++) out[i] = 0;
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            if (slot_x[a] >= 0 && slot_x[a] == slot_y[b]) add_block3(x + 6 * a, y + 6 * b, out);
        }
    }
}

void perp_items_block(const perp_items *items, int k, int l, double *out, int ld)
{
    int m = items->start[k + 1] - items->start[k], n = items->start[l + 1] - items->start[l];
    const double *x = items->S + 12 * (size_t)items->start[k];
    const double *y = items->S + 12 * (size_t)items->start[l];
    const int *slot_k = items->slot + 2 * (size_t)k, *slot_l = items->slot + 2 * (size_t)l;
    if (m == 3 && n == 3 && ld == 3) {
        find_block3(x, y, slot_k, slot_l, out);
        return;
    }
    for (int j = 0; j < n; j++) memset(out + (size_t)j * (size_t)ld, 0, (size_t)m * sizeof *out);
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            if (slot_k[a] < 0 || slot_k[a] != slot_l[b]) continue;
            for (int j = 0; j < n; j++) {
                const double *v = y + 12 * j + 6 * b;
                double *column = out + (size_t)j * (size_t)ld;
                for (int i = 0; i < m; i++) {
                    const double *u = x + 12 * i + 6 * a;
                    column[i] += rigid_dot(u, v) + rigid_dot(u + 3, v + 3);
                }
            }
        }
    }
}

/* The length of a column of item k: the rows of all items it is coupled with. */
static int64_t count_rows(const perp_items *items, int k)
{
    int64_t rows = 0;
    for (int t = items->p[k]; t < items->p[k + 1]; t++)
        rows += items->start[items->to[t] + 1] - items->start[items->to[t]];
    return rows;
}

/* The columns of an item are equally long: a block of them is dense, with that leading dimension.
 */
static void fill_columns(const perp_items *items, int k, const int *p, int *i, double *x)
{
    int first = items->start[k], end = items->start[k + 1], at = 0;
    if (first == end) return;
    int length = p[first + 1] - p[first];
    for (int t = items->p[k]; t < items->p[k + 1]; t++) {
        int other = items->to[t];
        perp_items_block(items, other, k, x + p[first] + at, length);
        for (int row = items->start[other]; row < items->start[other + 1]; row++, at++) {
            for (int j = first; j < end; j++) i[p[j] + at] = row;
        }
    }
}

perp_status perp_items_csc(const perp_items *items, perp_arena *a, perp_matrix *A, perp_error *e)
{
    int n = items->start[items->count];
    int64_t entries = 0;
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    for (int k = 0; p && k < items->count; k++) {
        int64_t rows = count_rows(items, k);
        for (int j = items->start[k]; j < items->start[k + 1]; j++) {
            entries += rows;
            if (entries > INT_MAX) {
                return perp_refuse(e, PERP_E_FORMAT,
                                   "a matrix of %d rows has too many entries for int indices", n);
            }
            p[j + 1] = (int)entries;
        }
    }
    int *i = perp_alloc_unset(a, (size_t)entries, sizeof *i);
    double *x = perp_alloc_unset(a, (size_t)entries, sizeof *x);
    if (a->failed) {
        return perp_refuse(e, PERP_E_MEMORY, "the arena has no room for a matrix of %d rows", n);
    }
    for (int k = 0; k < items->count; k++) fill_columns(items, k, p, i, x);
    *A = perp_csc(n, n, p, i, x);
    return PERP_SOLVED;
}
