/* fc3d/colour.h: an order in which contacts that follow each other are not coupled. */
#ifndef PERP_FC3D_COLOUR_H
#define PERP_FC3D_COLOUR_H

#include "dissection.h"

/* Rearranges the contacts within each part; false: no memory. */
bool perp_colour(perp_arena *a, const perp_couplings *c, const perp_dissection *parts, int *order);

#endif
