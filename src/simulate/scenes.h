/* simulate/scenes.h: the rows of the table in scenes.c; each is in the file of its name. */
#ifndef PERP_SIM_SCENES_H
#define PERP_SIM_SCENES_H

#include "sim.h"

#define SIM_PI 3.14159265358979323846
#define SIM_GRAVITY 9.81

extern const sim_scene sim_arch;
extern const sim_scene sim_bricks;
extern const sim_scene sim_collision;
extern const sim_scene sim_column;
extern const sim_scene sim_erleben;
extern const sim_scene sim_gripper;
extern const sim_scene sim_hand;
extern const sim_scene sim_ladder;
extern const sim_scene sim_nut;
extern const sim_scene sim_settling;
extern const sim_scene sim_slope;
extern const sim_scene sim_tippetop;
extern const sim_scene sim_triangle;
extern const sim_scene sim_wall;

/* A gear of radius 0.5 m and 1 kg on its rim: bars across the axis, which is y; two teeth a bar.
 * Moments are a disc's (scene_erleben.c). */
void sim_add_gear(sim *s, int bars, double x, double z, double phase);

#endif
