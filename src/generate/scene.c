/* generate/scene.c: the table of scenes: configurations of bodies, contacts and joints, placed by
 * geometry alone, without simulation or collision detection. A new one is a maker in one of the
 * scene_*.c files, its line in scene_parts.h and a row here. */
#include "scene_parts.h"

#include <string.h>

const scene_family scene_families[] = {
    {.name = "boxes",
     .about = "boxes that touch each other at random points, moving",
     .counts = "contacts",
     .size = 22,
     .mu = 0.5,
     .make = make_boxes},
    {.name = "stack",
     .about = "cubes on top of each other, the last one heavy",
     .counts = "cubes",
     .size = 10,
     .mu = 0.5,
     .make = make_stack},
    {.name = "tower",
     .about = "storeys of two planks, crosswise, the upper one heavy",
     .counts = "storeys",
     .size = 10,
     .mu = 0.5,
     .make = make_tower},
    {.name = "wall",
     .about = "bricks in a running bond, the upper row heavy",
     .counts = "rows, of as many bricks",
     .size = 6,
     .mu = 0.6,
     .make = make_wall},
    {.name = "incline",
     .about = "boxes in a row that rest on a slope, the upper one heavy",
     .counts = "boxes",
     .size = 9,
     .mu = 0.5,
     .make = make_incline},
    {.name = "arch",
     .about = "half a circle of voussoirs, the keystone heavy",
     .counts = "voussoirs",
     .size = 15,
     .mu = 0.7,
     .make = make_arch},
    {.name = "chain",
     .about = "hinged links that hang down a slope, the last one heavy",
     .counts = "links",
     .size = 20,
     .mu = 0.3,
     .joints = true,
     .make = make_chain},
    {.name = "hanging",
     .about = "hinged links held up in the air at one end, the last one heavy",
     .counts = "links",
     .size = 6,
     .mu = 0.3,
     .joints = true,
     .make = make_hanging},
    {.name = "snake",
     .about = "hinged links that wind over a floor, driven by muscles, the head heavy",
     .counts = "links",
     .size = 20,
     .mu = 0.3,
     .joints = true,
     .make = make_snake},
    {.name = "plate",
     .about = "one body on many contacts, pushed aside",
     .counts = "contacts",
     .size = 50,
     .mu = 0.3,
     .make = make_plate},
    {.name = "cannonballs",
     .about = "a pyramid of spheres, random densities",
     .counts = "spheres along an edge",
     .size = 6,
     .mu = 0.5,
     .make = make_cannonballs},
    {.name = "lattice",
     .about = "spheres in a cubic lattice in a tilted box, random densities",
     .counts = "spheres",
     .size = 64,
     .mu = 0.3,
     .make = make_lattice},
    {.name = "packing",
     .about = "spheres packed at random in a box, random densities (Jodrey, Tory 1985)",
     .counts = "spheres",
     .size = 100,
     .mu = 0.3,
     .make = make_packing},
    {0},
};

const scene_family *scene_family_find(const char *name)
{
    for (const scene_family *f = scene_families; f->name; f++) {
        if (strcmp(f->name, name) == 0) return f;
    }
    return NULL;
}

bool scene_generate(const scene_family *family, const scene_parameters *r, perp_arena *a,
                    perp_rigid *out)
{
    generator g = generator_start(r->seed);
    scene s = {.mu = r->mu, .ratio = r->ratio, .g = &g, .a = a};
    family->make(r->size, &s);
    if (a->failed) return false;
    *out = (perp_rigid){.bodies = s.bodies,
                        .contacts = s.contacts,
                        .joints = s.joints,
                        .body = s.body,
                        .contact = s.contact,
                        .joint = s.joint,
                        .dt = SCENE_DT,
                        .rule = PERP_RULE_IMPACT};
    return true;
}
