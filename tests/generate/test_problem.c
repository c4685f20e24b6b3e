/* tests/generate/test_problem.c: every family by name, in every form; refusals. */
#include "generate_support.h"

START_TEST(list)
{
    int count = 0;
    generate_entry e, other;
    for (int k = 0; generate_list(k, &e); k++, count++) {
        perp_arena a = {0};
        ck_assert(e.about[0] && e.counts[0] && e.forms[0] && e.size > 0);
        ck_assert(strlen(e.about) <= 80);
        for (int j = 0; j < k; j++) {
            ck_assert(generate_list(j, &other));
            ck_assert_str_ne(e.name, other.name);
        }
        generated_problem m = problem_make(e.name, NULL, 0, 1, &a); /* of its own size */
        ck_assert_int_eq(strncmp(m.p.name, e.name, strlen(e.name)), 0);
        perp_arena_free(&a);
    }
    ck_assert_int_ge(count, 45);
    ck_assert(!generate_list(-1 + 1000, &e) && !generate_find("no such family", &e));
    ck_assert(generate_find("stack", &e) && e.size == 10);
}
END_TEST

/* Every form that the list names for a scene is made and valid, the others are refused. */
START_TEST(forms)
{
    static const char *const all[] = {"fc3d",       "fc3d_body", "mcp",  "mcp_facets",
                                      "lcp_facets", "lcp",       "nnls", "nnls_accelerations"};
    static const perp_kind kinds[] = {PERP_KIND_FC3D, PERP_KIND_FC3D, PERP_KIND_MCP,
                                      PERP_KIND_MCP,  PERP_KIND_LCP,  PERP_KIND_LCP,
                                      PERP_KIND_NNLS, PERP_KIND_NNLS};
    for (const scene_family *f = scene_families; f->name; f++) {
        for (int k = 0; k < 8; k++) {
            perp_arena a = {0};
            perp_error e = {0};
            generated_problem m = {0};
            generate_request r = generate_defaults;
            r.family = f->name;
            r.form = all[k];
            r.size = 2;
            perp_status status = generate_problem(&r, &a, &m, &e);
            bool refused = f->joints && (k == 0 || k == 4 || k == 5);
            /* one link has no joint to refuse */
            ck_assert_msg((status != PERP_SOLVED) == refused, "%s %s: %s", f->name, all[k], e.text);
            if (!refused) {
                ck_assert_int_eq(m.p.kind, kinds[k]);
                ck_assert_int_eq(perp_validate(&m.p, NULL), PERP_SOLVED);
            } else {
                ck_assert(a.used == 0 && e.text[0]);
            }
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* mu, ratio, facets and the default form arrive. */
START_TEST(parameters)
{
    perp_arena a = {0};
    generated_problem m;
    generate_request r = generate_defaults;
    r.family = "stack";
    r.size = 2;
    r.mu = 0.25;
    ck_assert_int_eq(generate_problem(&r, &a, &m, NULL), PERP_SOLVED);
    ck_assert(m.p.kind == PERP_KIND_FC3D && m.p.as.fc3d.form == PERP_FORM_LOCAL &&
              m.p.as.fc3d.mu[7] == 0.25);
    ck_assert_str_eq(m.p.name, "stack-2-1");
    r.form = "lcp_facets";
    r.facets = 8;
    ck_assert_int_eq(generate_problem(&r, &a, &m, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_size(&m.p), 8 * 10);
    ck_assert_str_eq(m.p.name, "stack-2-1-lcp_facets");
    r = generate_defaults;
    r.family = "chain";
    ck_assert_int_eq(generate_problem(&r, &a, &m, NULL), PERP_SOLVED);
    ck_assert(m.p.as.fc3d.form == PERP_FORM_BODY && m.p.as.fc3d.mu[0] == 0.3);
    perp_arena_free(&a);
}
END_TEST

static void refused(generate_request r, const char *word)
{
    perp_arena a = {0};
    perp_error e = {0};
    generated_problem m = {.p.name = "untouched"};
    ck_assert_int_eq(generate_problem(&r, &a, &m, &e), PERP_E_ARGUMENT);
    ck_assert_int_eq(generate_problem(&r, &a, &m, NULL), PERP_E_ARGUMENT);
    ck_assert_msg(strstr(e.text, word) != NULL, "no '%s' in: %s", word, e.text);
    ck_assert_str_eq(m.p.name, "untouched");
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
}

START_TEST(refusals)
{
    generate_request good = generate_defaults, r = good;
    refused(r, "no family ''");
    r.family = "heap";
    refused(r, "no family 'heap'");
    good.family = "stack";
    r = good;
    r.size = -1;
    refused(r, "size -1");
    r = good;
    r.size = 2000000000;
    refused(r, "size 2000000000");
    r = good;
    r.mu = NAN;
    refused(r, "mu");
    r = good;
    r.mu = INFINITY;
    refused(r, "mu");
    r = good;
    r.ratio = 0;
    refused(r, "ratio");
    r = good;
    r.ratio = NAN;
    refused(r, "ratio");
    r = good;
    r.form = "qp";
    refused(r, "no form 'qp'");
    r = good;
    r.form = "lcp_facets";
    r.facets = 5;
    refused(r, "facets");
    r = generate_defaults;
    r.family = "pd";
    r.form = "mcp";
    refused(r, "pd is of kind lcp");
}
END_TEST

/* Every allocation in turn fails: refused, and nothing is lost. */
START_TEST(failing_memory)
{
    generate_entry e;
    for (int k = 0; generate_list(k, &e); k++) {
        perp_status status = PERP_E_MEMORY;
        for (int left = 0; status == PERP_E_MEMORY; left++) {
            supply s = {.left = left};
            perp_arena a = {.resize = scarce, .ctx = &s};
            perp_error error = {0};
            generated_problem m;
            generate_request r = generate_defaults;
            r.family = e.name;
            r.size = 40;
            if (strcmp(e.name, "cannonballs") == 0 || strcmp(e.name, "wall") == 0) r.size = 6;
            status = generate_problem(&r, &a, &m, &error);
            ck_assert_msg(status == PERP_SOLVED || status == PERP_E_MEMORY, "%s: %s", e.name,
                          error.text);
            if (status)
                ck_assert_msg(a.used == 0 && error.text[0], "%s: %d bytes left, '%s'", e.name,
                              (int)a.used, error.text);
            perp_arena_free(&a);
            ck_assert_int_eq(s.out, 0);
            ck_assert_int_lt(left, 200);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_problem");
    TCase *t = tcase_create("generate_problem");
    tcase_add_test(t, list);
    tcase_add_test(t, forms);
    tcase_add_test(t, parameters);
    tcase_add_test(t, refusals);
    tcase_add_test(t, failing_memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
