/* base/number.h: decimal numbers, whatever the locale is. */
#ifndef PERP_BASE_NUMBER_H
#define PERP_BASE_NUMBER_H

#include <stdbool.h>

/* Like strtod and "%.17g" in the C locale, whatever the locale is. perp_parse_real returns the end
 * of the number, `text` itself where there is none, and does not look beyond `end`; it knows inf,
 * infinity and nan, but no white space and no hexadecimals. perp_print_real prints the shortest
 * decimal of at most 17 digits that reads back as x, at most 24 characters and a 0, and returns its
 * length. */
const char *perp_parse_real(const char *text, const char *end, double *x);
int perp_print_real(double x, char text[32]);

#endif
