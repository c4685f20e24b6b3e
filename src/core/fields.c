/* core/fields.c: what the tables of a kind's data say about one problem. */
#include "kinds.h"

#include <assert.h>
#include <string.h>

/* ---- sizes ---- */

int perp_size_get(const perp_problem *p, int k)
{
    const perp_kind_size *sizes = perp_kind_ops_of(p->kind)->sizes, *s = &sizes[k];
    int times = 1;
    for (; s->times; s = &sizes[s->of]) times *= s->times;
    const void *at = (const char *)p + s->offset;
    if (s->place == PERP_SIZE_COUNT) return times * *(const int *)at;
    const perp_matrix *A = at;
    if (A->format == PERP_FORMAT_ABSENT) return 0;
    return times * (s->place == PERP_SIZE_ROWS ? A->m : A->n);
}

void perp_size_set(perp_problem *p, int k, int value)
{
    const perp_kind_size *s = &perp_kind_ops_of(p->kind)->sizes[k];
    void *at = (char *)p + s->offset;
    perp_matrix *A = at;
    assert(!s->times);
    switch (s->place) {
    case PERP_SIZE_COUNT: *(int *)at = value; break;
    case PERP_SIZE_ROWS: A->m = value; break;
    case PERP_SIZE_COLUMNS: A->n = value; break;
    }
}

/* ---- forms ---- */

_Static_assert(sizeof(perp_form) == sizeof(int), "an enum of forms is read as an int");

const char *perp_kind_form(const perp_problem *p)
{
    const perp_kind_ops *ops = perp_kind_ops_of(p->kind);
    int form = 0;
    if (!ops->form) return NULL;
    memcpy(&form, (const char *)p + ops->form, sizeof form);
    return ops->forms[form];
}

void perp_kind_set_form(perp_problem *p, const char *form)
{
    const perp_kind_ops *ops = perp_kind_ops_of(p->kind);
    int k = 0;
    while (strcmp(ops->forms[k], form) != 0) k++;
    memcpy((char *)p + ops->form, &k, sizeof k);
}

/* ---- fields ---- */

static bool applies_in(const perp_field *field, const char *form, const perp_problem *p)
{
    bool other = field->form && form && field->form != form;
    if (other && (field->form[0] != form[0] || strcmp(field->form, form) != 0)) return false;
    return !field->applies || field->applies(p);
}

bool perp_field_applies(const perp_field *field, const perp_problem *p)
{
    return applies_in(field, field->form ? perp_kind_form(p) : NULL, p);
}

const perp_field *perp_field_find(perp_kind kind, perp_field_role role)
{
    const perp_field *f = perp_kind_ops_of(kind)->fields;
    while (f->name && f->role != role) f++;
    return f->name ? f : NULL;
}

int perp_kind_matrices(perp_problem *p, perp_matrix *list[PERP_MATRICES_MOST],
                       const perp_field *field[PERP_MATRICES_MOST])
{
    int count = 0;
    const char *form = perp_kind_form(p);
    perp_map *F = (perp_map *)perp_kind_map(p);
    if (F && F->eval) kind_give_size(&F->pattern, F->n, F->n);
    for (const perp_field *f = perp_kind_ops_of(p->kind)->fields; f->name; f++) {
        if (f->type != PERP_FIELD_MATRIX || !applies_in(f, form, p)) continue;
        assert(count < PERP_MATRICES_MOST);
        perp_matrix *A = (perp_matrix *)(void *)((char *)p + f->offset);
        if (A->format == PERP_FORMAT_ABSENT)
            kind_give_size(A, perp_size_get(p, f->rows), perp_size_get(p, f->columns));
        list[count] = A;
        field[count++] = f;
    }
    return count;
}

const perp_map *perp_kind_map(const perp_problem *p)
{
    size_t map = perp_kind_ops_of(p->kind)->map;
    return map ? (const perp_map *)(const void *)((const char *)p + map) : NULL;
}
