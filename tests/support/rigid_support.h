/* tests/support/rigid_support.h: random steps and dense algebra for the tests of src/rigid. */
#ifndef PERP_RIGID_SUPPORT_H
#define PERP_RIGID_SUPPORT_H

#include "rigid/assembly.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step whose arrays may be changed. */
typedef struct scene {
    perp_rigid s;
    perp_body *body;
    perp_contact *contact;
    perp_joint *joint;
} scene;

static inline void random_vector(generator *g, int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = generator_uniform(g);
}

static inline void random_unit(generator *g, int n, double *x)
{
    double length;
    do {
        random_vector(g, n, x);
        length = plain_norm(n, x);
    } while (length < 0.1 || length > 1);
    for (int i = 0; i < n; i++) x[i] /= length;
}

static inline perp_body random_body(generator *g)
{
    double R[9], turn[4], moments[3];
    perp_body b = perp_body_make(pow(10, generator_uniform(g)), 1, 1, 1);
    random_unit(g, 4, b.rotation);
    random_unit(g, 4, turn);
    perp_body_rotation(turn, R);
    for (int i = 0; i < 3; i++) moments[i] = b.mass * (0.2 + generator_unit(g));
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            b.inertia[3 * j + i] = 0;
            for (int k = 0; k < 3; k++)
                b.inertia[3 * j + i] += moments[k] * R[3 * k + i] * R[3 * k + j];
        }
    }
    random_vector(g, 3, b.position);
    random_vector(g, 3, b.velocity);
    random_vector(g, 3, b.spin);
    random_vector(g, 3, b.force);
    random_vector(g, 3, b.torque);
    return b;
}

/* As PERP_RULE_GAP wants it. */
static inline void clear_restitution(scene *c)
{
    for (int k = 0; k < c->s.contacts; k++) c->contact[k].restitution = 0;
}

/* Bodies 0 and 1 are free; of the rest one in ten is fixed, one in ten driven. */
static inline scene random_scene(generator *g, perp_arena *a, int bodies, int contacts, int joints)
{
    scene c = {.body = perp_alloc(a, (size_t)bodies, sizeof *c.body),
               .contact = perp_alloc(a, (size_t)contacts, sizeof *c.contact),
               .joint = perp_alloc(a, (size_t)joints, sizeof *c.joint)};
    for (int k = 0; k < bodies; k++) {
        c.body[k] = random_body(g);
        double u = generator_unit(g);
        if (k > 1 && u < 0.2) c.body[k].kind = u < 0.1 ? PERP_BODY_FIXED : PERP_BODY_DRIVEN;
    }
    for (int k = 0; k < contacts + joints; k++) {
        int x = generator_below(g, bodies), y = generator_between(g, -1, bodies - 1);
        while (c.body[x].kind != PERP_BODY_FREE) x = generator_below(g, bodies);
        while (x == y) y = generator_between(g, -1, bodies - 1);
        bool swap = generator_unit(g) < 0.5;
        double point[3], unit[3];
        random_vector(g, 3, point);
        random_unit(g, 3, unit);
        if (k >= contacts) {
            perp_joint_kind kind = (perp_joint_kind)generator_below(g, 3);
            c.joint[k - contacts] =
                perp_joint_make(kind, c.body, bodies, swap ? y : x, swap ? x : y, point, unit);
            continue;
        }
        perp_contact *to = c.contact + k;
        *to = (perp_contact){.a = swap ? y : x, .b = swap ? x : y, .id = k};
        memcpy(to->point, point, sizeof point);
        memcpy(to->normal, unit, sizeof unit);
        to->gap = 0.1 * generator_uniform(g);
        to->mu = generator_unit(g);
        to->restitution = generator_unit(g);
    }
    c.s = (perp_rigid){.bodies = bodies,
                       .contacts = contacts,
                       .joints = joints,
                       .body = c.body,
                       .contact = c.contact,
                       .joint = c.joint,
                       .dt = 0.1,
                       .rule = generator_unit(g) < 0.5 ? PERP_RULE_IMPACT : PERP_RULE_GAP,
                       .gyroscopic = generator_unit(g) < 0.5};
    if (c.s.rule == PERP_RULE_GAP) clear_restitution(&c);
    return c;
}

/* A step with a motion that meets every constraint, so that problems have solutions: gaps of the
 * motion `v` of free bodies, a little open. No body is driven. */
static inline scene random_feasible(generator *g, perp_arena *a, int bodies, int contacts,
                                    int joints)
{
    scene c = random_scene(g, a, bodies, contacts, joints);
    perp_assembly parts;
    perp_error e;
    perp_jacobian_rows rows;
    for (int k = 0; k < bodies; k++) {
        if (c.body[k].kind == PERP_BODY_DRIVEN) c.body[k].kind = PERP_BODY_FIXED;
    }
    c.s.rule = PERP_RULE_GAP;
    clear_restitution(&c);
    ck_assert_int_eq(perp_assembly_make(&c.s, a, &parts, &e), PERP_SOLVED);
    double *v = perp_alloc(a, 6 * (size_t)parts.free, sizeof *v);
    if (joints == 0) random_vector(g, 6 * parts.free, v);
    for (int k = 0; k < contacts; k++) {
        perp_contact_rows(&c.s, &parts, k, &rows);
        c.contact[k].gap = c.s.dt * (0.1 * generator_unit(g) - perp_rows_free(&rows, 0, v));
    }
    return c;
}

/* Column-major, in the arena. */
static inline double *dense_of(const perp_matrix *A, perp_arena *a)
{
    perp_matrix D;
    double *x = perp_alloc(a, (size_t)A->m * (size_t)A->n, sizeof *x);
    if (A->m == 0 || A->n == 0) return x;
    ck_assert_int_eq(perp_convert(A, PERP_FORMAT_DENSE, a, &D, NULL), PERP_SOLVED);
    for (int j = 0; j < A->n; j++) {
        memcpy(x + (size_t)j * (size_t)A->m, D.as.dense.x + (size_t)j * (size_t)D.as.dense.ld,
               (size_t)A->m * sizeof *x);
    }
    return x;
}

/* Solve A X = B in place by elimination with row pivots; A is n x n, B n x m, both destroyed. */
static inline void eliminate(int n, double *A, int m, double *B)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++) best = fabs(A[k * n + i]) > fabs(A[k * n + best]) ? i : best;
        for (int j = 0; j < n + m; j++) {
            double *column = j < n ? A + j * n : B + (j - n) * n, t = column[k];
            column[k] = column[best];
            column[best] = t;
        }
        for (int i = 0; i < n; i++) {
            double factor = A[k * n + i] / A[k * n + k];
            for (int j = k + 1; j < n && i != k; j++) A[j * n + i] -= factor * A[j * n + k];
            for (int j = 0; j < m && i != k; j++) B[j * n + i] -= factor * B[j * n + k];
        }
    }
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < m; j++) B[j * n + k] /= A[k * n + k];
    }
}

/* X'Y for X (n x p) and Y (n x q). */
static inline double *inner(int n, int p, const double *X, int q, const double *Y, perp_arena *a)
{
    double *out = perp_alloc(a, (size_t)p * (size_t)q, sizeof *out);
    for (int j = 0; j < q; j++) {
        for (int i = 0; i < p; i++) {
            for (int k = 0; k < n; k++) out[j * p + i] += X[i * n + k] * Y[j * n + k];
        }
    }
    return out;
}

/* Refused by the validation and by every form alike, with a sentence that has the word. */
static inline void refused(const perp_rigid *s, perp_status status, const char *word)
{
    perp_arena a = {0};
    perp_problem p = {.name = "untouched"};
    perp_rigid_factored f;
    perp_rigid_groups groups;
    for (int form = -3; form < 9; form++) {
        perp_error e = {0};
        perp_status got = PERP_SOLVED;
        switch (form) {
        case -3: got = perp_rigid_validate(s, &e); break;
        case -2: got = perp_rigid_factor(s, &a, &f, &e); break;
        case -1: got = perp_rigid_group(s, &a, &groups, &e); break;
        case 0: got = perp_rigid_fc3d_local(s, &a, &p, &e); break;
        case 1: got = perp_rigid_fc3d_body(s, &a, &p, &e); break;
        case 2: got = perp_rigid_mcp(s, &a, &p, &e); break;
        case 3: got = perp_rigid_lcp_facets(s, 4, &a, &p, &e); break;
        case 4: got = perp_rigid_mcp_facets(s, 4, &a, &p, &e); break;
        case 5: got = perp_rigid_lcp(s, &a, &p, &e); break;
        case 6: got = perp_rigid_nnls(s, PERP_MOTION_VELOCITIES, &a, &p, &e); break;
        case 7: got = perp_rigid_nnls(s, PERP_MOTION_ACCELERATIONS, &a, &p, &e); break;
        case 8:
            got = perp_rigid_validate(s, NULL);
            e.status = got;
            break;
        }
        ck_assert_msg(got == status, "form %d: status %d, not %d: %s", form, got, status, e.text);
        ck_assert_int_eq(e.status, status);
        if (form < 8) ck_assert_msg(strstr(e.text, word), "no '%s' in: %s", word, e.text);
        ck_assert_uint_lt(strlen(e.text), sizeof e.text - 1);
        ck_assert_uint_eq(a.used, 0);
        ck_assert_str_eq(p.name, "untouched");
    }
    perp_arena_free(&a);
}

static inline void accepted(const perp_rigid *s)
{
    perp_error e = {0};
    ck_assert_msg(perp_rigid_validate(s, &e) == PERP_SOLVED, "%s", e.text);
}

/* A unit sphere of mass 2 at (0, 0, 1) on the floor, body -1, and another on top of it. */
static inline void make_spheres(perp_body body[2], perp_contact contact[2], perp_rigid *s)
{
    for (int k = 0; k < 2; k++) {
        body[k] = perp_body_make(2, 0.8, 0.8, 0.8);
        body[k].position[2] = 1 + 2 * k;
        contact[k] = (perp_contact){.a = k, .b = k - 1, .point = {0, 0, 2 * k}, .mu = 0.5};
        contact[k].normal[2] = 1;
    }
    *s = (perp_rigid){.bodies = 2, .contacts = 2, .body = body, .contact = contact, .dt = 0.5};
}

#endif
