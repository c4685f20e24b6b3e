/* fc3d/parts.h: contacts in parts that can be solved at the same time.
 *
 * The contacts are halved again and again: two halves share nothing, and what stands between them
 * follows when both are done. The parts form a tree; a sweep in its order, children first, has the
 * same result whoever does which part, since parts that are not above each other commute. */
#ifndef PERP_FC3D_PARTS_H
#define PERP_FC3D_PARTS_H

#include "../kernel/team.h"
#include "perp/core.h"

/* What couples contacts: nodes and their neighbours. Body form: the nodes are bodies, a contact
 * lies between two, and neighbours share a contact. Local form: the nodes are the contacts. */
typedef struct perp_couplings {
    int contacts, nodes;
    const int *touch;               /* two bodies a contact; NULL: contacts are the nodes */
    const int *start[2], *other[2]; /* of node k: other[start[k]] .. in both lists; NULL: none */
} perp_couplings;

typedef struct perp_part {
    int first;      /* place where its tree begins */
    int from, to;   /* its own places, after those of its children */
    int child[2];   /* -1: a leaf */
    int member;     /* of the team, that does it; -1: it is done with its parent */
    bool tree;      /* all of its tree is done at once */
    perp_flag done; /* the last round in which it was done */
} perp_part;

/* At most 2^(depth + 1) - 1 parts. */
#define PERP_PARTS_DEPTH 7
typedef struct perp_parts {
    int count, leaves;
    perp_part part[(2 << PERP_PARTS_DEPTH) - 1];
} perp_parts;

/* Bodies as nodes, from the two of each contact; false: no memory. */
bool perp_couplings_bodies(perp_arena *a, int contacts, int bodies, const int *touch,
                           perp_couplings *c);
/* Finds the parts, and the contact at each place; false: no memory. */
bool perp_parts_open(perp_arena *a, const perp_couplings *c, perp_parts *parts, int *order);
/* Share the parts among the members of a team. */
void perp_parts_assign(perp_parts *parts, int members);

#endif
