/* simulate/scenes.c: the table of scenes, in the order of `perp simulate --list`. */
#include "scenes.h"

// clang-format off
const sim_scene *const sim_scenes[] = {
    &sim_column,
    &sim_triangle,
    &sim_settling,
    &sim_wall,
    &sim_nut,
    &sim_slope,
    &sim_collision,
    &sim_ladder,
    &sim_arch,
    &sim_gripper,
    &sim_hand,
    &sim_tippetop,
    &sim_erleben,
    &sim_bricks,
    NULL,
};
// clang-format on
