// examples/bullet/scenes.hpp: stacks and a wall of boxes, in a world of Bullet.
#ifndef PERP_SCENES_HPP
#define PERP_SCENES_HPP

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

// A world that owns what is in it. The solver is the caller's.
class scene
{
  public:
    explicit scene(btConstraintSolver *solver, btScalar edge)
        : dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, solver, &configuration_),
          edge_(edge)
    {
        world_.setGravity(btVector3(0, btScalar(-9.81), 0));
        world_.getSolverInfo().m_minimumSolverBatchSize = 1; // an island is a problem
        add(btVector3(50, 1, 50), 0, btVector3(0, -1, 0));
        rest_.clear();
    }
    ~scene()
    {
        for (auto &body : bodies_) world_.removeRigidBody(body.get());
    }
    scene(const scene &) = delete;
    scene &operator=(const scene &) = delete;

    void add(const btVector3 &half, btScalar mass, const btVector3 &at)
    {
        shapes_.push_back(std::make_unique<btBoxShape>(half));
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shapes_.back()->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
        info.m_startWorldTransform.setOrigin(at);
        info.m_friction = btScalar(0.7);
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(bodies_.back().get());
    }
    void step()
    {
        world_.stepSimulation(btScalar(1) / 60, 0);
    }
    btContactSolverInfo &info()
    {
        return world_.getSolverInfo();
    }
    void mark() // centres are compared with where they are now
    {
        rest_.clear();
        for (auto &body : bodies_) rest_.push_back(body->getWorldTransform().getOrigin());
    }
    double moved() const // the farthest of the centres, over an edge
    {
        btScalar most = 0;
        for (std::size_t i = 0; i < rest_.size(); i++) {
            const btScalar d = (bodies_[i]->getWorldTransform().getOrigin() - rest_[i]).length();
            if (!(d <= most)) most = d;
        }
        return static_cast<double>(most / edge_);
    }

  private:
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btDiscreteDynamicsWorld world_;
    btScalar edge_;
    std::vector<std::unique_ptr<btBoxShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<btVector3> rest_;
};

// Cubes of 1 m and 1 kg, the last of `ratio` kg.
inline std::unique_ptr<scene> make_stack(btConstraintSolver *solver, int boxes, double ratio)
{
    auto s = std::make_unique<scene>(solver, btScalar(1));
    for (int i = 0; i < boxes; i++) {
        s->add(btVector3(btScalar(0.5), btScalar(0.5), btScalar(0.5)),
               btScalar(i == boxes - 1 ? ratio : 1), btVector3(0, btScalar(i + 0.5), 0));
    }
    return s;
}

// Rows of five bricks and four in turn, 1 m x 0.5 m x 0.5 m and 1 kg, each on two below; the edge
// is the shortest.
inline std::unique_ptr<scene> make_wall(btConstraintSolver *solver, int rows)
{
    auto s = std::make_unique<scene>(solver, btScalar(0.5));
    for (int row = 0; row < rows; row++) {
        const int bricks = row % 2 == 0 ? 5 : 4;
        for (int i = 0; i < bricks; i++) {
            const double x = 1.02 * (i - 0.5 * (bricks - 1)), y = 0.25 + 0.5 * row;
            s->add(btVector3(btScalar(0.5), btScalar(0.25), btScalar(0.25)), 1,
                   btVector3(btScalar(x), btScalar(y), 0));
        }
    }
    return s;
}

#endif
