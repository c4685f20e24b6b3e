/* io/siconos_tail.c: what stands behind the last number that a layout of a .dat file needs.
 *
 * Numbers there mean that the file has another layout, but for the tails that a layout is known to
 * have: skipping them has made an LCP of one unknown out of a mixed LCP. Words are remarks. */
#include "siconos.h"

#include <stdio.h>

/* The next token is a number, infinities and NaN included. */
static bool take_number(perp_lexer *x)
{
    size_t length;
    double value;
    const char *token = perp_lexer_token(x, &length);
    return length > 0 && perp_parse_real(token, token + length, &value) == token + length;
}

bool perp_siconos_more(const perp_lexer *x)
{
    perp_lexer look = *x;
    return take_number(&look);
}

size_t perp_siconos_left(const perp_lexer *x)
{
    perp_lexer look = *x;
    size_t count = 0;
    while (take_number(&look)) count++;
    return count;
}

bool perp_siconos_flag(const perp_lexer *x)
{
    perp_lexer look = *x;
    size_t length;
    const char *token = perp_lexer_token(&look, &length);
    return length == 1 && (*token == '0' || *token == '1') && perp_siconos_left(&look) == 0;
}

perp_status perp_siconos_end(perp_lexer *x, const char *name)
{
    size_t length, left = perp_siconos_left(x);
    if (left == 0) return PERP_SOLVED;
    perp_lexer look = *x;
    const char *token = perp_lexer_token(&look, &length);
    perp_lexer_skip(x);
    return perp_lexer_refuse(x,
                             "%zu number%s left behind %.60s, the first is '%.*s%s'; delete "
                             "what is no part of the problem",
                             left, left == 1 ? " is" : "s are", name,
                             length > 12 ? 12 : (int)length, token, length > 12 ? "..." : "");
}
