/* tests/io/test_stored.c: the stored .dat files that nobody here wrote: each is read as the kind
 * its folder says, and comes back bit for bit from every format that holds it; those of formats/
 * have known numbers. In $PERP_PROBLEMS, or ../shared/problems beside the project. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *place(void)
{
    const char *set = getenv("PERP_PROBLEMS");
    return set ? set : SOURCE_ROOT "/../shared/problems";
}

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

static perp_kind expected_kind(const char *folder, const char *name)
{
    if (strcmp(folder, "formats") == 0) {
        if (!strncmp(name, "lcp", 3)) return PERP_KIND_LCP;
        return strstr(name, "fc3d") ? PERP_KIND_FC3D : PERP_KIND_MCP;
    }
    if (strcmp(folder, "lcp") == 0) return PERP_KIND_LCP;
    return strcmp(folder, "mcp") ? PERP_KIND_FC3D : PERP_KIND_MCP;
}

static void check_stored(const char *path, const char *folder, const char *name)
{
    perp_arena a = {0};
    perp_file f;
    perp_error e;
    perp_status status = perp_load_file(path, NULL, &a, &f, &e);
    ck_assert_msg(status == PERP_SOLVED, "%s:%d: %s", path, e.line, e.text);
    ck_assert_msg(f.problem.kind == expected_kind(folder, name), "%s is %s", path,
                  perp_kind_name(f.problem.kind));
    bool global = f.problem.kind == PERP_KIND_FC3D && f.problem.as.fc3d.form == PERP_FORM_BODY;
    bool named = strncasecmp(name, "gfc3d", 5) == 0 && !strstr(name, "condensed");
    ck_assert_msg(global == named, "%s", path);
    round_trip(&f, PERP_FILE_TEXT, true);
    round_trip(&f, PERP_FILE_SICONOS, false);
    perp_arena_free(&a);
}

static int each_in(const char *folder, void (*check)(const char *, const char *, const char *))
{
    char directory[400], path[800];
    int count = 0;
    snprintf(directory, sizeof directory, "%s/%s", place(), folder);
    DIR *d = opendir(directory);
    if (!d) {
        printf("skipped: %s is not here\n", directory);
        return -1;
    }
    for (struct dirent *entry; (entry = readdir(d)) != NULL;) {
        if (!ends_with(entry->d_name, ".dat")) continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        check(path, folder, entry->d_name);
        count++;
    }
    closedir(d);
    return count;
}

START_TEST(every_file_is_read_and_comes_back)
{
    static const char *const folders[] = {"formats", "lcp", "mcp", "fc3d"};
    for (int k = 0; k < 4; k++) ck_assert_int_ne(each_in(folders[k], check_stored), 0);
    files_clean();
}
END_TEST

/* What this version refuses to read, by what its sentence names. */
static const struct {
    const char *name, *words;
} unread[] = {
    {"plasticity_2d_vonmises", "plasticity (von Mises)"},
    {"plasticity_2d_footing_10.dat", "(RFC2D) and as plasticity, old layout; say --layout=rfc2d"},
};

static void check_unread(const char *path, const char *words)
{
    perp_arena a = {0};
    perp_file f;
    perp_error e;
    ck_assert_msg(perp_load_file(path, NULL, &a, &f, &e) == PERP_E_FILE, "%s is read", path);
    ck_assert_msg(strstr(e.text, words) != NULL, "%s: %s", path, e.text);
    for (int kind = 0; kind < PERP_KINDS; kind++) { /* nor does a wrong kind make it another */
        perp_load_options o = {.has_kind = true, .kind = (perp_kind)kind};
        ck_assert_msg(perp_load_file(path, &o, &a, &f, &e) == PERP_E_FILE, "%s is read as %s", path,
                      perp_kind_name((perp_kind)kind));
    }
    perp_arena_free(&a);
}

static void check_cone(const char *path, const char *folder, const char *name)
{
    perp_arena a = {0};
    perp_file f;
    perp_error e;
    perp_load_options o = {.layout = "plasticity-old"}; /* of the one file that is ambiguous */
    (void)folder;
    for (size_t k = 0; k < sizeof unread / sizeof *unread; k++) {
        if (strncmp(unread[k].name, name, strlen(unread[k].name))) continue;
        check_unread(path, unread[k].words);
        if (!strstr(name, "footing")) return;
    }
    perp_status status = perp_load_file(path, &o, &a, &f, &e);
    ck_assert_msg(status == PERP_SOLVED, "%s:%d: %s", path, e.line, e.text);
    ck_assert_msg(f.problem.kind == PERP_KIND_CONE, "%s is %s", path,
                  perp_kind_name(f.problem.kind));
    round_trip(&f, PERP_FILE_TEXT, true);
    round_trip(&f, PERP_FILE_SICONOS, false);
    perp_arena_free(&a);
}

START_TEST(every_cone_is_read_and_comes_back)
{
    static const char *const folders[] = {"fc2d", "rolling", "soclcp", "gmp", "plasticity"};
    for (int k = 0; k < 5; k++) ck_assert_int_ne(each_in(folders[k], check_cone), 0);
    files_clean();
}
END_TEST

/* The dense one is stored by columns, and all of them hold the same matrix. */
START_TEST(the_three_layouts_agree)
{
    static const char *const names[] = {"fc3d_csc.dat", "fc3d_triplet.dat"};
    static const double q[] = {-1, 0.5, 0.25}, r[] = {1, 10, 100}, Wr[] = {4, 50, 602};
    for (int k = 0; k < 2; k++) {
        perp_arena a = {0};
        perp_problem p;
        perp_error e;
        char path[400];
        double u[3];
        snprintf(path, sizeof path, "%s/formats/%s", place(), names[k]);
        if (perp_load(path, &a, &p, &e)) {
            printf("skipped: %s: %s\n", path, e.text);
            return;
        }
        perp_mul(&p.as.fc3d.W, 1, r, 0, u);
        for (int i = 0; i < 3; i++) {
            ck_assert_double_eq(u[i], Wr[i]);
            ck_assert_double_eq(p.as.fc3d.q[i], q[i]);
        }
        ck_assert_double_eq(p.as.fc3d.mu[0], 0.7);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("stored");
    TCase *t = tcase_create("stored");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, every_file_is_read_and_comes_back);
    tcase_add_test(t, every_cone_is_read_and_comes_back);
    tcase_add_test(t, the_three_layouts_agree);
    suite_add_tcase(s, t);
    return support_run(s);
}
