/* tests/support/sim_support.h: a scene run from a test. */
#ifndef PERP_SIM_SUPPORT_H
#define PERP_SIM_SUPPORT_H

#include "simulate/scenes.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* Open, set ("name=value" words, NULL-terminated), build. */
static inline void sim_begin(sim *s, const sim_scene *scene, const char *const *set)
{
    perp_error e = {.status = PERP_SOLVED};
    sim_open(s, scene);
    for (; set && *set; set++) {
        char name[64];
        const char *equal = strchr(*set, '=');
        size_t length = (size_t)(equal - *set);
        memcpy(name, *set, length);
        name[length] = 0;
        ck_assert_msg(sim_set(s, name, equal + 1, &e) == PERP_SOLVED, "%s", e.text);
    }
    ck_assert_msg(sim_build(s, &e) == PERP_SOLVED, "%s", e.text);
}

static inline double sim_energy(const perp_step_report *r)
{
    return r->kinetic + r->potential;
}

#endif
