/* fc3d/dissection.h: contacts in parts that can be solved at the same time.
 *
 * The contacts are halved again and again. Of two halves that share nothing, and the contacts
 * between them, the first half and what is between make up one, the second half the other:
 *
 *     one thread     first half,  between
 *     another        second half: near,  far
 *
 * `between` shares bodies with the first half and with `near`, not with `far`: it waits for `near`,
 * which is done long before, and nobody else waits. The order of the sweep is first half, near,
 * far, between; who does what, and when, cannot change the result. */
#ifndef PERP_FC3D_DISSECTION_H
#define PERP_FC3D_DISSECTION_H

#include "base/team.h"
#include "perp/core.h"

/* What couples contacts: nodes and their neighbours. Body form: the nodes are bodies, a contact
 * lies between two, and neighbours share a contact. Local form: the nodes are the contacts. */
typedef struct perp_couplings {
    int contacts, nodes;
    const int *touch;               /* two bodies a contact; NULL: contacts are the nodes */
    const int *start[2], *other[2]; /* of node k: other[start[k]] .. in both lists; NULL: none */
} perp_couplings;

enum { PERP_PART_FIRST, PERP_PART_NEAR, PERP_PART_FAR, PERP_PART_CHILDREN };

typedef struct perp_dissection_part {
    int first;    /* place where its tree begins */
    int from, to; /* its own places, after those of its children: a leaf, or what is between */
    int child[PERP_PART_CHILDREN]; /* -1: a leaf */
    int after;                     /* a part that its tree has to wait for; -1: none */
    int member;     /* of the team, that does it; -1: it is done with the part above */
    bool whole;     /* all of its tree is done at once */
    perp_flag done; /* the last round in which all of its tree was done */
} perp_dissection_part;

typedef struct perp_dissection {
    int count, leaves;
    perp_dissection_part *part; /* children first */
} perp_dissection;

/* Bodies as nodes, from the two of each contact; false: no memory. */
bool perp_couplings_bodies(perp_arena *a, int contacts, int bodies, const int *touch,
                           perp_couplings *c);
/* Finds the parts, and the contact at each place; false: no memory. */
bool perp_dissection_open(perp_arena *a, const perp_couplings *c, perp_dissection *parts,
                          int *order);
/* Share the parts among the members of a team. */
void perp_dissection_assign(perp_dissection *parts, int members);

#endif
