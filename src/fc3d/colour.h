/* fc3d/colour.h: an order in which contacts that follow each other are not coupled. */
#ifndef PERP_FC3D_COLOUR_H
#define PERP_FC3D_COLOUR_H

#include "parts.h"

/* Rearranges the contacts within each part; false: no memory. */
bool perp_colour(perp_arena *a, const perp_couplings *c, const perp_parts *parts, int *order);

#endif
