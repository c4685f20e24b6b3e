/* io/text.h: what the reader of perp's text format takes from its writer. */
#ifndef PERP_TEXT_H
#define PERP_TEXT_H

#include "io.h"

perp_status perp_text_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e);

#endif
