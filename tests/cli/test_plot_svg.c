/* test_cli_plot_svg.c: gnuplot's SVG as part of a page. */
#include "compare_support.h"

#include <string.h>

static const char sample[] = "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 9 9\"\n>\n"
                             "<title>Gnuplot</title>\n"
                             "<defs><path id='gpPt0' d='M0,0'/><use xlink:href='#gpPt0' "
                             "id='gpPt1'/></defs>\n"
                             "<g fill=\"none\" color=\"white\">\n</g>\n"
                             "<g fill=\"none\" color=\"black\">\n\t<path d='M1,1'/></g>\n"
                             "\t<g id=\"plot_1\" ><title>plot_1</title>\n"
                             "<text filter='url(#box)'>a &lt; b #1</text>\n\t</g>\n</svg>\n";

START_TEST(prefixed_and_lean)
{
    perp_arena a = {0};
    const char *got = cli_svg_inline(&a, sample, "f7-");
    ck_assert_ptr_nonnull(got);
    ck_assert_str_eq(got, "<svg \n viewBox=\"0 0 9 9\"\n>\n\n"
                          "<defs><path id='f7-gpPt0' d='M0,0'/><use xlink:href='#f7-gpPt0' "
                          "id='f7-gpPt1'/></defs>\n"
                          "<g fill=\"none\" color=\"black\">\n\t<path d='M1,1'/></g>\n"
                          "\t<g id=\"f7-plot_1\" >\n"
                          "<text filter='url(#f7-box)'>a &lt; b #1</text>\n\t</g>\n</svg>\n");
    perp_arena_free(&a);
}
END_TEST

START_TEST(what_is_cut_off_is_refused)
{
    perp_arena a = {0};
    ck_assert_ptr_null(cli_svg_inline(&a, "", "f"));
    ck_assert_ptr_null(cli_svg_inline(&a, "<?xml?>\n<svg>\n<g>", "f"));
    ck_assert_str_eq(cli_svg_inline(&a, "<svg></svg>", "f"), "<svg></svg>");
    ck_assert_str_eq(cli_svg_inline(&a, "<svg></svg>\n<g fill=", "f"), "<svg></svg>\n<g fill=");
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_plot_svg");
    TCase *t = tcase_create("cli_plot_svg");
    tcase_add_test(t, prefixed_and_lean);
    tcase_add_test(t, what_is_cut_off_is_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
