/* tests/support/sweep_support.h: a textbook sweep to compare the fast variants with. */
#ifndef PERP_SWEEP_SUPPORT_H
#define PERP_SWEEP_SUPPORT_H

#include "fc3d/sweep_variant.h"
#include "fc3d_support.h"

/* One sweep over dense W (n x n) in the order given, by the chain for each contact. */
static inline void plain_sweep(int contacts, const double *W, const double *q, const double *mu,
                               const int *order, double *r)
{
    int n = 3 * contacts;
    for (int p = 0; p < contacts; p++) {
        int c = order ? order[p] : p;
        double block[9], local[3];
        perp_contact_block k;
        for (int i = 0; i < 3; i++) {
            local[i] = q[3 * c + i];
            for (int j = 0; j < n; j++) {
                double w = W[(size_t)j * (size_t)n + (size_t)(3 * c + i)];
                if (j / 3 == c)
                    block[3 * (j % 3) + i] = w;
                else
                    local[i] += w * r[j];
            }
        }
        perp_contact_prepare(block, mu[c], &k);
        perp_contact_solve(block, &k, local, r + 3 * c);
    }
}

typedef struct sweep_test {
    perp_sweep_options o;
    const perp_sweep_ops *ops; /* the variant that is expected */
    int sweeps;
} sweep_test;

/* The fast sweeps of a run against the textbook's, on the problem's W. */
static inline perp_status compare_sweeps(perp_run *run, double *z, void *ctx)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    const sweep_test *t = ctx;
    int n = 3 * f->contacts;
    perp_sweep s;
    perp_status status = perp_sweep_open(run, &t->o, z, &s);
    if (status) return status;
    ck_assert_ptr_eq(s.ops, t->ops);
    double *W = PERP_ALLOC(run, double, n *n), *q = PERP_ALLOC(run, double, n);
    double *r = PERP_ALLOC(run, double, n), *e = PERP_ALLOC(run, double, n);
    perp_body_to_local d;
    const perp_fc3d *local = f;
    if (f->form == PERP_FORM_BODY) {
        ck_assert_int_eq(perp_body_to_local_open(run, &d), PERP_SOLVED);
        local = &d.local;
    }
    for (int j = 0; j < n; j++) {
        memset(e, 0, (size_t)n * sizeof *e);
        e[j] = 1;
        perp_mul(&local->W, 1, e, 0, W + (size_t)j * (size_t)n);
    }
    memcpy(q, local->q, (size_t)n * sizeof *q);
    perp_sweep_refresh(&s);
    for (int k = 0; k < t->sweeps; k++) {
        perp_sweep_run(&s, k % 2);
        perp_sweep_write(&s, z);
        plain_sweep(f->contacts, W, q, f->mu, s.order, r);
        double size = plain_norm(n, r);
        for (int i = 0; i < n; i++) ck_assert_double_eq_tol(z[i], r[i], 1e-8 * (size + 1e-3));
    }
    /* the state, kept up to date, is what a fresh one is */
    double *kept = PERP_ALLOC(run, double, s.state_size);
    if (s.state_size) memcpy(kept, s.state, s.state_size * sizeof *kept);
    perp_sweep_refresh(&s);
    for (size_t i = 0; i < s.state_size; i++) {
        bool unused = s.ops == &perp_sweep_columns && i % 4 == 3;
        if (!unused) ck_assert_double_eq_tol(kept[i], s.state[i], 1e-9 * (1 + fabs(kept[i])));
    }
    perp_sweep_close(&s);
    return PERP_STALLED;
}

static inline void sweep_problem(const perp_problem *p, sweep_test t)
{
    perp_result r;
    perp_status status = fc3d_inside(p, compare_sweeps, &t, &r);
    ck_assert_msg(status == PERP_STALLED, "%s", r.detail);
}

/* The same on a full, nonsymmetric W in every format. */
static inline void sweep_nonsymmetric(sweep_test t)
{
    enum { N = 12 };
    generator g = generator_start(3);
    double W[N * N], q[N], mu[N / 3];
    for (int k = 0; k < N * N; k++) W[k] = 0.1 * generator_uniform(&g) + (k % (N + 1) == 0);
    for (int k = 0; k < N; k++) q[k] = generator_uniform(&g) - (k % 3 == 0);
    for (int k = 0; k < N / 3; k++) mu[k] = 0.3;
    for (int format = 0; format < 3; format++) {
        perp_arena a = {0};
        perp_matrix dense = perp_dense(N, N, W);
        perp_problem p = perp_make_fc3d(N / 3, in_format(format, &dense, &a), q, mu);
        sweep_problem(&p, t);
        perp_arena_free(&a);
    }
}

static const perp_sweep_options plain_options = {.relaxation = 1, .facets = 8, .threads = 1};

#endif
