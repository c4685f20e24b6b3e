// settling.cpp: the spheres that settle of `perp simulate settling`, step by step, by perp, by
// Bullet and by ODE's QuickStep: the same start, step and friction; the simulated time to the CPU
// time, and the overlap of the spheres measured alike after every step.
//
//     settling [SPHERES [SECONDS [DT]]]
extern "C" {
#include "scenes.h"
}

#include <btBulletDynamicsCommon.h>
#ifdef SETTLING_ODE
#define dIDEDOUBLE
#include <ode/ode.h>
#endif

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

namespace
{
double cpu_now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct worst {
    double overlap = 0, late = 0; // ever; in the second half
};

// Looks with a margin of nothing: what is listed overlaps.
double overlap_of(sim *s, const std::vector<perp_body> &body)
{
    perp_world w = {};
    std::vector<perp_body> copy = body;
    w.bodies = (int)copy.size(), w.body = copy.data(), w.collide = sim_collide, w.ctx = s;
    perp_step_options o = perp_step_defaults();
    o.margin = 0, o.dt = 1e-9, o.form = PERP_RIGID_FORM_LCP;
    perp_lcp_psor_options once = perp_lcp_psor_defaults();
    once.base.max_iter = 1;
    o.solver = &once.base;
    perp_step_report r;
    perp_step(&w, &o, &r);
    perp_world_free(&w);
    return r.overlap;
}

void print(const char *who, double seconds, double cpu, const worst &x, double contacts)
{
    std::printf(
        "%-28s %8.3f s  %7.2f x real time  overlap %6.3f %%, later %6.3f %%  %5.0f contacts\n", who,
        cpu, seconds / cpu, 100 * x.overlap, 100 * x.late, contacts);
    std::fflush(stdout);
}

void open(sim *s, const char *spheres, const char *dt)
{
    perp_error e = {};
    sim_open(s, &sim_settling);
    if (sim_set(s, "spheres", spheres, &e) || sim_set(s, "dt", dt, &e) || sim_build(s, &e)) {
        std::fprintf(stderr, "settling: %s\n", e.text);
        std::exit(2);
    }
}

void run_perp(const char *solver, int max_iter, double tol, const char *spheres, const char *dt,
              double seconds)
{
    sim s;
    open(&s, spheres, dt);
    perp_arena a = {};
    perp_options *o = perp_options_new(&a, solver);
    o->max_iter = max_iter, o->tol = tol;
    s.step.solver = o;
    int steps = (int)std::round(seconds / s.step.dt);
    double cpu = 0, radius = sim_get(&s, "radius");
    worst x;
    for (int k = 0; k < steps; k++) {
        perp_step_report r;
        double begin = cpu_now();
        sim_step(&s, &r);
        cpu += cpu_now() - begin;
        double overlap =
            overlap_of(&s, std::vector<perp_body>(s.world.body, s.world.body + s.world.bodies));
        x.overlap = std::fmax(x.overlap, overlap / radius);
        if (k > steps / 2) x.late = std::fmax(x.late, overlap / radius);
    }
    char name[80];
    std::snprintf(name, sizeof name, "perp %s, %d, %.0e", solver, max_iter, tol);
    print(name, seconds, cpu, x, s.world.contacts);
    perp_arena_free(&a);
    sim_close(&s);
}

struct bullet {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    void add(double mass, btCollisionShape *shape, const btVector3 &at, double mu)
    {
        shapes.emplace_back(shape);
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), at);
        info.m_friction = std::sqrt(mu); // of a pair: the product
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
    }
    ~bullet()
    {
        for (auto &b : bodies) world.removeRigidBody(b.get());
    }
};

void fill(bullet &w, const sim &s, int iterations)
{
    w.world.setGravity(btVector3(0, 0, -SIM_GRAVITY));
    w.world.getSolverInfo().m_numIterations = iterations;
    for (int k = 0; k < s.shapes; k++) {
        const sim_shape *shape = s.shape + k;
        if (shape->kind == SIM_SPHERE) {
            const perp_body *b = s.world.body + shape->body;
            w.add(b->mass, new btSphereShape(shape->size[0]),
                  btVector3(b->position[0], b->position[1], b->position[2]), shape->mu);
            continue;
        }
        double x[3], R[9];
        sim_shape_pose(shape, s.world.body, x, R);
        btVector3 n(R[6], R[7], R[8]);
        w.add(0, new btStaticPlaneShape(n, n.dot(btVector3(x[0], x[1], x[2]))), btVector3(0, 0, 0),
              shape->mu);
    }
}

void run_bullet(int iterations, const char *spheres, const char *dt, double seconds)
{
    sim s;
    open(&s, spheres, dt);
    bullet w;
    fill(w, s, iterations);
    int steps = (int)std::round(seconds / s.step.dt);
    double cpu = 0, radius = sim_get(&s, "radius");
    worst x;
    std::vector<perp_body> body(s.world.body, s.world.body + s.world.bodies);
    for (int k = 0; k < steps; k++) {
        double begin = cpu_now();
        w.world.stepSimulation(s.step.dt, 0);
        cpu += cpu_now() - begin;
        for (size_t b = 0; b < body.size(); b++) {
            const btVector3 &at = w.bodies[b]->getWorldTransform().getOrigin();
            for (int i = 0; i < 3; i++) body[b].position[i] = at[i];
        }
        double overlap = overlap_of(&s, body);
        x.overlap = std::fmax(x.overlap, overlap / radius);
        if (k > steps / 2) x.late = std::fmax(x.late, overlap / radius);
    }
    int contacts = 0;
    for (int k = 0; k < w.dispatcher.getNumManifolds(); k++)
        contacts += w.dispatcher.getManifoldByIndexInternal(k)->getNumContacts();
    char name[80];
    std::snprintf(name, sizeof name, "bullet, %d iterations", iterations);
    print(name, seconds, cpu, x, contacts);
    sim_close(&s);
}

#ifdef SETTLING_ODE
struct ode {
    dWorldID world;
    dSpaceID space;
    dJointGroupID group;
    double mu = 0;
    int contacts = 0;
    std::vector<dBodyID> bodies;

    ode()
    {
        dInitODE2(0);
        world = dWorldCreate();
        space = dHashSpaceCreate(nullptr);
        group = dJointGroupCreate(0);
        dWorldSetGravity(world, 0, 0, -SIM_GRAVITY);
    }
    ~ode()
    {
        dJointGroupDestroy(group);
        dSpaceDestroy(space);
        dWorldDestroy(world);
        dCloseODE();
    }
};

void touch(void *data, dGeomID one, dGeomID other)
{
    ode *w = static_cast<ode *>(data);
    dContact contact = {};
    if (!dCollide(one, other, 1, &contact.geom, sizeof contact)) return;
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = w->mu;
    dJointID joint = dJointCreateContact(w->world, w->group, &contact);
    dJointAttach(joint, dGeomGetBody(one), dGeomGetBody(other));
    w->contacts++;
}

void fill(ode &w, const sim &s)
{
    w.mu = sim_get(&s, "mu");
    for (int k = 0; k < s.shapes; k++) {
        const sim_shape *shape = s.shape + k;
        double x[3], R[9];
        sim_shape_pose(shape, s.world.body, x, R);
        if (shape->kind != SIM_SPHERE) {
            dCreatePlane(w.space, R[6], R[7], R[8], R[6] * x[0] + R[7] * x[1] + R[8] * x[2]);
            continue;
        }
        dMass mass;
        dMassSetSphereTotal(&mass, s.world.body[shape->body].mass, shape->size[0]);
        dBodyID body = dBodyCreate(w.world);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, x[0], x[1], x[2]);
        dGeomSetBody(dCreateSphere(w.space, shape->size[0]), body);
        w.bodies.push_back(body);
    }
}

void run_ode(int iterations, const char *spheres, const char *dt, double seconds)
{
    sim s;
    open(&s, spheres, dt);
    ode w;
    fill(w, s);
    dWorldSetQuickStepNumIterations(w.world, iterations);
    int steps = (int)std::round(seconds / s.step.dt);
    double cpu = 0, radius = sim_get(&s, "radius");
    worst x;
    std::vector<perp_body> body(s.world.body, s.world.body + s.world.bodies);
    for (int k = 0; k < steps; k++) {
        double begin = cpu_now();
        w.contacts = 0;
        dSpaceCollide(w.space, &w, touch);
        dWorldQuickStep(w.world, s.step.dt);
        dJointGroupEmpty(w.group);
        cpu += cpu_now() - begin;
        for (size_t b = 0; b < body.size(); b++) {
            const dReal *at = dBodyGetPosition(w.bodies[b]);
            for (int i = 0; i < 3; i++) body[b].position[i] = at[i];
        }
        double overlap = overlap_of(&s, body);
        x.overlap = std::fmax(x.overlap, overlap / radius);
        if (k > steps / 2) x.late = std::fmax(x.late, overlap / radius);
    }
    char name[80];
    std::snprintf(name, sizeof name, "ode quickstep, %d iterations", iterations);
    print(name, seconds, cpu, x, w.contacts);
    sim_close(&s);
}
#endif
} // namespace

int main(int argc, char **argv)
{
    const char *spheres = argc > 1 ? argv[1] : "320", *dt = argc > 3 ? argv[3] : "0.02";
    double seconds = argc > 2 ? std::atof(argv[2]) : 20;
    run_perp("fc3d/nsgs", 60, 1e-3, spheres, dt, seconds);
    run_perp("fc3d/nsgs", 40, 2e-3, spheres, dt, seconds);
    run_perp("fc3d/nncg", 30, 3e-3, spheres, dt, seconds);
    run_bullet(50, spheres, dt, seconds);
    run_bullet(10, spheres, dt, seconds);
    run_bullet(200, spheres, dt, seconds);
#ifdef SETTLING_ODE
    run_ode(20, spheres, dt, seconds);
    run_ode(50, spheres, dt, seconds);
#endif
}
