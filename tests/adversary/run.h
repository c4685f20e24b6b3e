/* tests/adversary/run.h: solves of samples, judged and counted. */
#ifndef ADVERSARY_RUN_H
#define ADVERSARY_RUN_H

#include "exact.h"

struct settings;
struct tally;

/* Name in state files and JSON, heading of tables, whether it is a fault. */
#define COLUMNS(X)                                                                                 \
    X(SOLVES, "solves", "solves", false)                                                           \
    X(SOLVED, "solved", "solved", false)                                                           \
    X(INFEASIBLE, "infeasible", "infeasible", false)                                               \
    X(UNBOUNDED, "unbounded", "unbounded", false)                                                  \
    X(RAY, "ray", "ray", false)                                                                    \
    X(UNSOLVED, "unsolved", "not solved", false)                                                   \
    X(REFUSED, "refused", "refused", false)                                                        \
    X(PROGRAMS, "programs", "linear programs", false)                                              \
    X(VECTORS, "vectors", "other vectors", false)                                                  \
    X(UNDECIDED, "undecided", "undecided", false)                                                  \
    X(RESIDUAL, "residual", "false solved", true)                                                  \
    X(PROOF, "proof", "false proof", true)                                                         \
    X(REFUTED, "refuted", "refuted", true)                                                         \
    X(NUMBER, "number", "NaN", true)                                                               \
    X(WRITE, "write", "contract", true)                                                            \
    X(CRASH, "crash", "crash", true)                                                               \
    X(SLOW, "slow", "over 10 s", true)

typedef enum column {
#define X(name, word, heading, fault) C_##name,
    COLUMNS(X)
#undef X
        COLUMN_COUNT
} column;

const char *column_word(column c);
const char *column_heading(column c);
bool column_is_fault(column c);

enum { SOLVERS_MOST = 64 };

typedef struct settings {
    uint64_t seed;
    long from, count;
    variant kind;     /* VARIANTS: all */
    const char *only; /* one solver; NULL: auto and two others */
    int programs;     /* one claim of so many is held against an exact linear program; 0: none */
    long keep;        /* files written for each fault of each solver */
    bool verbose, fork;
    const char *state, *json, *files; /* paths; NULL: none */
    /* What is done with problem `index`; NULL: trial. */
    void (*work)(const struct settings *o, struct tally *t, long index);
} settings;

/* Shared by the process that solves and the one that watches it. */
typedef struct tally {
    long next;          /* the first problem that is not done */
    long index, claims; /* the problem at hand; claims so far */
    int solver;         /* of the solve at hand, in perp_solvers(); -1: none */
    variant kind;       /* of the problem at hand */
    long count[VARIANTS][SOLVERS_MOST][COLUMN_COUNT];
} tally;

/* Solve and judge problem `index`. */
void trial(const settings *o, tally *t, long index);
/* Certify and check vectors like z and w of a solve, that no solver returned. */
void hostile(const settings *o, tally *t, const sample *s, const perp_problem *p, int solver,
             perp_arena *a, const double *z, const double *w);
/* Count a fault; write its line, and its file where fewer than `keep` are there. z may be NULL. */
void report_fault(const settings *o, tally *t, const sample *s, int solver, column c,
                  const judgement *j, const double *z);
/* All problems of the settings from t->next on, in child processes. False: a state file cannot be
 * written. */
bool run_all(const settings *o, tally *t);

bool state_save(const settings *o, const tally *t);
/* False: there is none, or it is of another seed, kind or build. */
bool state_load(const settings *o, tally *t);
/* The counts whatever run they are of, for tables; seed, from and kind are those of the state. */
bool state_read(settings *o, tally *t);

void table_text(const tally *t);
void table_markdown(const settings *o, const tally *t);
bool table_json(const settings *o, const tally *t);
long tally_sum(const tally *t, int kind, int solver, column c); /* kind or solver -1: all */
long tally_faults(const tally *t, int kind, int solver);

#endif
