/* tests/core/test_threads.c: any number of solves in any number of threads give the bits of one.
 *
 * What one thread answers is kept first; then eight start together behind a barrier, each with its
 * own arena, each going through the same jobs from another place on, so that different problems
 * are solved at once, and the same const problem by several at times. */
#include "generate.h"
#include "support.h"

#include "perp/solver.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define SWEEPS 200 /* pivots, bases: enough for most, and a thread sanitizer is slow */
#define MOST 90    /* more than 64 unknowns: pivots are applied in blocks of 64 */
#define STEPS 12   /* of the solvers that factor at every step */
#define JOBS 2000
#define ENUMERATED 10

typedef struct answer {
    perp_status status;
    int iterations, certificates;
    perp_residual residual;
    double z[MOST], w[MOST];
    char detail[160];
    const char *solver;
} answer;

typedef struct job {
    const char *family;
    perp_problem problem;
    const perp_options *options; /* NULL: auto */
    answer expected;
} job;

typedef struct worker {
    const job *jobs;
    int count, first, wrong;
    bool shared; /* everybody starts with the same job */
    char report[200];
    pthread_barrier_t *start;
} worker;

static void solve(const job *j, perp_arena *a, answer *out)
{
    perp_result r;
    memset(out, 0, sizeof *out);
    out->status = perp_solve(&j->problem, j->options, a, out->z, out->w, &r);
    out->iterations = r.iterations;
    out->certificates = r.certificates;
    out->residual = r.residual;
    out->solver = r.solver;
    memcpy(out->detail, r.detail, strlen(r.detail));
}

static bool same(const answer *a, const answer *b)
{
    return a->status == b->status && a->iterations == b->iterations &&
           a->certificates == b->certificates && a->solver == b->solver &&
           memcmp(&a->residual, &b->residual, sizeof a->residual) == 0 &&
           memcmp(a->z, b->z, sizeof a->z) == 0 && memcmp(a->w, b->w, sizeof a->w) == 0 &&
           strcmp(a->detail, b->detail) == 0;
}

/* ---- jobs: every solver on some members of every family ---- */

static int add_jobs(const lcp_family *f, int n, perp_arena *a, job *jobs, int count)
{
    generated g;
    ck_assert(lcp_generate(f, n, (uint64_t)n, a, &g));
    perp_problem p = lcp_generated_problem(&g);
    ck_assert_int_lt(count, JOBS - 1);
    if (n < MOST || f->solvable) { /* where nothing is promised lcp/auto tries everything */
        jobs[count++] = (job){.family = f->name, .problem = p};
    }
    for (int i = 0; perp_solvers()[i]; i++) {
        const perp_solver *s = perp_solvers()[i]->solver;
        if (s->kind != PERP_KIND_LCP) continue;
        if (strcmp(s->name, "lcp/enumerate") == 0 && n > ENUMERATED) continue;
        perp_options *o = perp_options_new(a, s->name);
        ck_assert(o && count < JOBS);
        int most = s->flags & PERP_SOLVER_MAY_ALLOCATE ? STEPS : SWEEPS;
        if (o->max_iter > most) o->max_iter = most;
        jobs[count++] = (job){.family = f->name, .problem = p, .options = o};
    }
    return count;
}

static int make_jobs(perp_arena *a, job *jobs)
{
    int count = 0;
    for (const lcp_family *f = lcp_families; f->name; f++) {
        count = add_jobs(f, 6, a, jobs, count);
        count = add_jobs(f, f->exponential ? 9 : 30, a, jobs, count);
        if (!f->exponential) count = add_jobs(f, MOST, a, jobs, count);
    }
    for (int k = 0; k < count; k++) {
        perp_arena fresh = {0};
        solve(&jobs[k], &fresh, &jobs[k].expected);
        perp_arena_free(&fresh);
    }
    return count;
}

/* ---- threads; Check's assertions belong to the main one ---- */

static void *work(void *argument)
{
    worker *me = argument;
    perp_arena a = {0};
    answer now;
    pthread_barrier_wait(me->start);
    for (int k = 0; k < me->count; k++) {
        const job *j = &me->jobs[(me->first + k) % me->count];
        if (me->shared) pthread_barrier_wait(me->start); /* all on this problem, now */
        solve(j, &a, &now);
        if (same(&now, &j->expected) && a.used == 0) continue;
        if (me->wrong++) continue;
        snprintf(me->report, sizeof me->report, "%s on %s, n = %d: %s",
                 j->options ? j->options->solver->name : "auto", j->family, j->problem.as.lcp.n,
                 now.status == j->expected.status ? "other bits" : perp_status_name(now.status));
    }
    perp_arena_free(&a);
    return NULL;
}

static void run_threads(const job *jobs, int count, bool shared)
{
    pthread_t thread[THREADS];
    worker workers[THREADS];
    pthread_barrier_t start;
    ck_assert_int_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int t = 0; t < THREADS; t++) {
        workers[t] = (worker){.jobs = jobs,
                              .count = count,
                              .first = shared ? 0 : t * count / THREADS,
                              .shared = shared,
                              .start = &start};
        ck_assert_int_eq(pthread_create(&thread[t], NULL, work, &workers[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
    pthread_barrier_destroy(&start);
    for (int t = 0; t < THREADS; t++) {
        ck_assert_msg(workers[t].wrong == 0, "thread %d, %d answers differ; the first: %s", t,
                      workers[t].wrong, workers[t].report);
    }
}

static void run_all(bool shared)
{
    perp_arena a = {0};
    job *jobs = calloc(JOBS, sizeof *jobs);
    ck_assert_ptr_nonnull(jobs);
    int count = make_jobs(&a, jobs), solved = 0;
    for (int k = 0; k < count; k++) solved += jobs[k].expected.status == PERP_SOLVED;
    ck_assert_int_gt(solved, count / 2); /* or the comparison says little */
    run_threads(jobs, count, shared);
    free(jobs);
    perp_arena_free(&a);
}

START_TEST(different_problems_at_once)
{
    run_all(false);
}
END_TEST

START_TEST(the_same_problem_at_once)
{
    run_all(true);
}
END_TEST

/* The same arena again, and a fresh one: what an arena held before leaves no trace. */
START_TEST(one_thread_repeats_itself)
{
    perp_arena a = {0}, used = {0};
    job *jobs = calloc(JOBS, sizeof *jobs);
    ck_assert_ptr_nonnull(jobs);
    int count = make_jobs(&a, jobs);
    answer now;
    for (int k = count - 1; k >= 0; k--) {
        solve(&jobs[k], &used, &now);
        ck_assert_msg(same(&now, &jobs[k].expected), "%s, n = %d", jobs[k].family,
                      jobs[k].problem.as.lcp.n);
    }
    free(jobs);
    perp_arena_free(&used);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tests = tcase_create("threads");
    tcase_add_test(tests, one_thread_repeats_itself);
    tcase_add_test(tests, different_problems_at_once);
    tcase_add_test(tests, the_same_problem_at_once);
    tcase_set_timeout(tests, 100);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
