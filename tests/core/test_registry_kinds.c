/* tests/core/test_registry_kinds.c: what holds for every kind, whatever it is. A new row of
 * kinds.def is tested here without a new line: problems are made from the kind's own tables. */
#include "core/internal.h"
#include "files.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* Sizes of a problem, by their places in the list: 3 unknowns or contacts, 5 rows; 12 velocities
 * and an equality in the body form of an fc3d. */
static const int size_values[PERP_SIZES_MOST] = {3, 5, 12, 1};

static int value_of(const perp_kind_ops *ops, int k)
{
    const perp_kind_size *s = &ops->sizes[k];
    return s->times ? s->times * size_values[s->of] : size_values[k];
}

/* A dominant diagonal and small entries beside it; a single column has its large entry last, so
 * that an equality leaves the contacts free to move. */
static perp_matrix make_matrix(int m, int n, perp_arena *a)
{
    double *x = perp_alloc(a, (size_t)m * (size_t)n, sizeof *x);
    for (int j = 0; j < n; j++) {
        int large = n == 1 ? m - 1 : j;
        for (int i = 0; i < m; i++) x[j * m + i] = i == large ? 4 : 0.3 * cos(i + 2 * j);
    }
    return perp_dense(m, n, x);
}

/* Coefficients of friction are positive, bounds -5 and 5, other numbers of both signs and of
 * several sizes, so that some unknowns are at bounds and others are not. */
static double make_number(const perp_field *f, int i)
{
    if (f->role == PERP_ROLE_FRICTION) return 0.5;
    if (f->type == PERP_FIELD_BOUND) return strstr(f->name, "lo") ? -5 : 5;
    return (i % 2 ? 1 : -1) * (1 + 3.0 * (i % 3));
}

static void *make_vector(const perp_field *f, int n, perp_arena *a)
{
    double *x = perp_alloc(a, (size_t)n, sizeof *x);
    int *index = perp_alloc(a, (size_t)n, sizeof *index);
    bool *mask = perp_alloc(a, (size_t)n, sizeof *mask);
    for (int i = 0; i < n; i++) {
        x[i] = make_number(f, i);
        index[i] = -1;
        mask[i] = i % 2;
    }
    if (f->type == PERP_FIELD_INDEX) return index;
    if (f->type == PERP_FIELD_MASK) return mask;
    return x;
}

static perp_problem make_problem(perp_kind kind, const char *form, perp_arena *a)
{
    const perp_kind_ops *ops = perp_kind_ops_of(kind);
    perp_problem p = {.kind = kind, .name = "made"};
    if (form) perp_kind_set_form(&p, form);
    for (int k = 0; !perp_size_is_last(&ops->sizes[k]); k++) {
        if (!ops->sizes[k].times) perp_size_set(&p, k, size_values[k]);
    }
    for (const perp_field *f = ops->fields; f->name; f++) {
        int m = value_of(ops, f->rows), n = value_of(ops, f->columns);
        if (f->form && strcmp(f->form, form) != 0) continue;
        perp_matrix A = make_matrix(m, n, a);
        void *x = make_vector(f, m, a), *to = (char *)&p + f->offset;
        if (f->type == PERP_FIELD_MATRIX)
            memcpy(to, &A, sizeof A);
        else
            memcpy(to, &x, sizeof x);
    }
    return p;
}

typedef void problem_test(const perp_problem *p, perp_arena *a);

/* Every kind in every form that it has. */
static void each_problem(problem_test *test)
{
    static const char *const no_form[] = {NULL};
    for (int k = 0; k < PERP_KINDS; k++) {
        const char *const *forms = perp_kind_ops_of((perp_kind)k)->forms;
        const char *const *form = forms ? forms : no_form;
        do {
            perp_arena a = {0};
            perp_problem p = make_problem((perp_kind)k, *form, &a);
            perp_error e = {0};
            ck_assert_msg(perp_validate(&p, &e) == PERP_SOLVED, "%s: %s",
                          perp_kind_name((perp_kind)k), e.text);
            test(&p, &a);
            perp_arena_free(&a);
        } while (*form && *++form);
    }
}

/* Without a solver's name it is solved, by one of its own or lifted; the certificate says so, and
 * that every neighbour is no solution. */
static void is_solved_and_judged(const perp_problem *p, perp_arena *a)
{
    int n = perp_size(p);
    const char *kind = perp_kind_name(p->kind);
    double *z = perp_alloc(a, (size_t)n, sizeof *z);
    perp_result r;
    ck_assert_msg(perp_solve(p, NULL, a, z, NULL, &r) == PERP_SOLVED, "%s: %s", kind, r.detail);
    ck_assert_double_le(certify(p, z, PERP_SOLVED).value, 1e-6);
    ck_assert_int_eq(isnan(r.objective), !perp_kind_ops_of(p->kind)->objective);
    for (int i = 0; i < n; i++) {
        double old = z[i];
        z[i] += 0.01;
        ck_assert_msg(certify(p, z, PERP_SOLVED).value > 1e-5, "%s: z[%d] does not count", kind, i);
        z[i] = NAN;
        ck_assert(isinf(certify(p, z, PERP_E_NUMBER).value));
        z[i] = old;
    }
}

START_TEST(every_kind_is_solved_and_judged)
{
    each_problem(is_solved_and_judged);
}
END_TEST

static void comes_back_from_a_file(const perp_problem *p, perp_arena *a)
{
    double *z = perp_alloc(a, (size_t)perp_size(p), sizeof *z);
    const perp_file file = {.problem = *p, .title = "made", .solution = z};
    round_trip(&file, PERP_FILE_TEXT, true);
}

START_TEST(every_kind_has_files)
{
    each_problem(comes_back_from_a_file);
}
END_TEST

/* A problem restated has its solution there, too, and the way back leads to it. */
static void is_the_same_there(const perp_problem *p, perp_kind to, perp_arena *a)
{
    perp_problem full = perp_complete(p);
    perp_lift lift;
    perp_error e = {0};
    perp_result r;
    ck_assert_msg(!perp_lift_problem(&full, to, a, &lift, &e), "%s", e.text);
    ck_assert_msg(!perp_validate(&lift.problem, &e), "%s", e.text);
    double *wide = perp_alloc(a, (size_t)perp_size(&lift.problem), sizeof *wide);
    double *z = perp_alloc(a, (size_t)perp_size(p), sizeof *z);
    ck_assert_int_eq(perp_solve(&lift.problem, NULL, a, wide, NULL, &r), PERP_SOLVED);
    perp_lift_down(&lift, wide, z);
    ck_assert_double_le(certify(p, z, PERP_SOLVED).value, 1e-6);
    perp_lift_up(&lift, z, wide);
    ck_assert_double_le(certify(&lift.problem, wide, PERP_SOLVED).value, 1e-6);
}

/* Each step of the way, so that two that change z are noticed. */
static void is_the_same_lifted(const perp_problem *p, perp_arena *a)
{
    const perp_kind_ops *ops = perp_kind_ops_of(p->kind);
    for (; ops->lift; ops = perp_kind_ops_of(ops->wider)) is_the_same_there(p, ops->wider, a);
}

START_TEST(every_kind_is_the_same_lifted)
{
    each_problem(is_the_same_lifted);
}
END_TEST

/* A vector with a NaN at its end is refused by its name; the mu of an mcp without followers is not
 * read. */
static void vectors_are_looked_at(const perp_problem *p, perp_arena *a)
{
    bool unread = perp_field_find(p->kind, PERP_ROLE_FOLLOWS) != NULL;
    for (const perp_field *f = perp_kind_ops_of(p->kind)->fields; f->name; f++) {
        if (f->type != PERP_FIELD_VECTOR || !perp_field_applies(f, p)) continue;
        if (unread && f->role == PERP_ROLE_FRICTION) continue;
        int n = perp_size_get(p, f->rows);
        double *x = perp_alloc(a, (size_t)n, sizeof *x);
        memcpy(x, perp_field_reals(f, p), (size_t)n * sizeof *x);
        perp_problem bad = *p;
        memcpy((char *)&bad + f->offset, &x, sizeof x);
        x[n - 1] = NAN;
        invalid(bad, PERP_E_NUMBER, f->name);
    }
}

START_TEST(every_vector_is_looked_at)
{
    each_problem(vectors_are_looked_at);
}
END_TEST

/* Nothing to solve is solved. */
START_TEST(every_kind_may_be_empty)
{
    for (int k = 0; k < PERP_KINDS; k++) {
        perp_problem p = {.kind = (perp_kind)k};
        perp_arena a = {0};
        perp_result r;
        ck_assert_int_eq(perp_size(&p), 0);
        ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
        ck_assert_int_eq(perp_solve(&p, NULL, &a, NULL, NULL, &r), PERP_SOLVED);
        perp_arena_free(&a);
    }
}
END_TEST

/* Every kind that gets its memory in part only says so, and gives all back. */
static void is_starved(const perp_problem *p, perp_arena *a)
{
    (void)a;
    solve_starved(p, NULL, PERP_SOLVED);
}

START_TEST(every_kind_without_memory)
{
    each_problem(is_starved);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("registry_kinds");
    TCase *c = tcase_create("kinds");
    tcase_set_timeout(c, 60);
    tcase_add_unchecked_fixture(c, NULL, files_clean);
    tcase_add_test(c, every_kind_is_solved_and_judged);
    tcase_add_test(c, every_kind_has_files);
    tcase_add_test(c, every_kind_is_the_same_lifted);
    tcase_add_test(c, every_vector_is_looked_at);
    tcase_add_test(c, every_kind_may_be_empty);
    tcase_add_test(c, every_kind_without_memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
