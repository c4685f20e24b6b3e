/* simulate/scenes.h: the rows of the table in scenes.c; each is in the file of its name. */
#ifndef PERP_SIM_SCENES_H
#define PERP_SIM_SCENES_H

#include "sim.h"

#define SIM_PI 3.14159265358979323846
#define SIM_GRAVITY 9.81

extern const sim_scene sim_arch, sim_collision, sim_column, sim_gripper, sim_settling, sim_slope,
    sim_triangle;

#endif
