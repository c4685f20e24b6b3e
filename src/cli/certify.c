/* cli/certify.c: perp certify: judge anybody's solution, or proof that there is none. */
#include "commands.h"
#include "io/io.h"

#include <math.h>
#include <string.h>

typedef enum claim { CLAIM_SOLVED, CLAIM_RAY, CLAIM_INFEASIBLE, CLAIM_UNBOUNDED } claim;

typedef struct certify_options {
    double tol;
    cli_list parts;
    const char *kind, *layout;
    int claim;
    bool distance, json, csv;
} certify_options;

static const perp_status claims[] = {PERP_SOLVED, PERP_RAY, PERP_INFEASIBLE, PERP_UNBOUNDED};

/* The vector to judge: from a file, or the one stored with the problem. NULL: refused. */
static const double *find_vector(cli *c, const perp_file *file, const char *path, const char *from)
{
    if (!from) {
        if (!file->solution) cli_fail(c, "%s: no solution is stored in it; name a file Z", path);
        return file->solution;
    }
    if (strcmp(path, "-") == 0 && strcmp(from, "-") == 0) {
        cli_fail(c, "only one of FILE and Z can be standard input");
        return NULL;
    }
    int n = 0, version = 0;
    const double *z = NULL;
    perp_error e = {.status = PERP_SOLVED};
    if (perp_read_vector(from, false, &c->arena, &n, &z, &version, &e)) {
        cli_fail_file(c, from, &e);
        return NULL;
    }
    if (version && version != PERP_RESIDUAL_VERSION)
        cli_note(c, "%s was judged by residuals of version %d; these are of version %d", from,
                 version, PERP_RESIDUAL_VERSION);
    if (n == perp_size(&file->problem)) return z;
    cli_fail(c, "%s: expected %d numbers, found %d", from, perp_size(&file->problem), n);
    return NULL;
}

/* A point within all bounds of a qp, which a claim of unbounded needs beside its direction: from a
 * file, or one that is found. NULL: refused, or none was found. */
static const double *find_point(cli *c, const perp_file *file, const char *path, const char *from)
{
    if (from) return find_vector(c, file, path, from);
    perp_problem p = file->problem;
    size_t size = (size_t)perp_size(&p);
    double *x = perp_alloc(&c->arena, size, sizeof *x);
    p.as.qp.H = (perp_matrix){0};
    p.as.qp.c = perp_alloc(&c->arena, (size_t)p.as.qp.n, sizeof(double));
    perp_result r;
    if (c->arena.failed) return NULL;
    return perp_solve(&p, NULL, &c->arena, x, NULL, &r) == PERP_SOLVED ? x : NULL;
}

typedef struct verdict {
    const perp_problem *problem;
    const char *file;
    perp_status status; /* the claim, or uncertified */
    perp_residual residual;
    bool measured; /* the distance was asked for */
    perp_distance_report distance;
} verdict;

/* NULL: nothing is proved. */
static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

static void print_json(FILE *out, const verdict *v)
{
    cli_json j = cli_json_open(out);
    cli_json_field_text(&j, "problem", v->problem->name);
    cli_json_field_text(&j, "file", v->file);
    cli_json_field_text(&j, "kind", perp_kind_name(v->problem->kind));
    cli_json_field_int(&j, "n", perp_size(v->problem));
    cli_json_field_text(&j, "status", perp_status_name(v->status));
    cli_json_field_real(&j, "residual", v->residual.value);
    cli_json_field_real(&j, "bound", v->residual.bound);
    cli_json_field_real(&j, "natural", v->residual.natural);
    cli_json_field_real(&j, "units", v->residual.units);
    cli_json_field_real(&j, "gap", v->residual.gap);
    cli_json_field_real(&j, "omega", v->residual.omega);
    cli_json_field_real(&j, "floor", v->residual.floor);
    cli_json_field_real(&j, "radius", v->residual.radius);
    cli_json_field_int(&j, "residual_version", PERP_RESIDUAL_VERSION);
    cli_json_field_real(&j, "absolute", v->residual.absolute);
    cli_json_field_real(&j, "primal", v->residual.primal);
    cli_json_field_real(&j, "dual", v->residual.dual);
    cli_json_field_real(&j, "complementarity", v->residual.complementarity);
    if (v->measured) {
        cli_json_field_real(&j, "distance", v->distance.norm);
        cli_json_field_text(&j, "distance_of", or_null(v->distance.of));
        cli_json_field_text(&j, "distance_by", or_null(v->distance.by));
        cli_json_field_text(&j, "distance_detail", or_null(v->distance.detail));
    }
    cli_json_close(&j);
    fputc('\n', out);
}

static void print_csv(FILE *out, const verdict *v)
{
    fputs("problem,kind,n,status,residual,bound,natural,units,gap,omega,floor,radius,absolute,"
          "primal,dual,complementarity,residual_version",
          out);
    fputs(v->measured ? ",distance,distance_of,distance_by\n" : "\n", out);
    cli_csv_text(out, v->problem->name);
    fprintf(out, ",%s,%d,%s", perp_kind_name(v->problem->kind), perp_size(v->problem),
            perp_status_name(v->status));
    const perp_residual *r = &v->residual;
    const double parts[] = {r->value,    r->bound,  r->natural, r->units,
                            r->gap,      r->omega,  r->floor,   r->radius,
                            r->absolute, r->primal, r->dual,    r->complementarity};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        fputc(',', out);
        cli_csv_real(out, parts[k]);
    }
    fprintf(out, ",%d", PERP_RESIDUAL_VERSION);
    if (v->measured) {
        fputc(',', out);
        cli_csv_real(out, v->distance.norm);
        fputc(',', out);
        cli_csv_text(out, v->distance.of);
        fputc(',', out);
        cli_csv_text(out, v->distance.by);
    }
    fputc('\n', out);
}

#define UPWARD 1.0006 /* so that a bound of four digits is one still */

static void print_text(cli *c, const verdict *v, bool proof)
{
    FILE *out = c->out;
    fprintf(out, "%s: %s, n = %d\n", v->problem->name, perp_kind_name(v->problem->kind),
            perp_size(v->problem));
    fprintf(out, "status          %s%s%s\n", cli_on(c, out, cli_paint_of(v->status)),
            perp_status_name(v->status), cli_off(c, out));
    const perp_residual *r = &v->residual;
    if (proof) {
        fprintf(out, "value           %.3e, at most 1 proves it\n", r->value);
        if (r->radius > 0) fprintf(out, "radius          %.3e: no solution is nearer\n", r->radius);
        return;
    }
    fprintf(out, "residual        %.3e, its rounding at most %.1e\n", r->value, r->bound);
    fprintf(out, "  natural map   %.3e, unscaled %.3e\n", r->natural, r->absolute);
    fprintf(out, "  in units of w %.3e\n", r->units);
    if (v->problem->kind == PERP_KIND_QP) fprintf(out, "  gap           %.3e\n", r->gap);
    fprintf(out, "primal          %.3e\n", v->residual.primal);
    fprintf(out, "dual            %.3e\n", v->residual.dual);
    fprintf(out, "complementarity %.3e\n", v->residual.complementarity);
    if (!v->measured) return;
    if (v->distance.of[0])
        fprintf(out, "distance        <= %.3e of %s (%s)\n", UPWARD * v->distance.norm,
                v->distance.of, v->distance.by);
    else
        fprintf(out, "distance        not offered: %s\n", v->distance.detail);
}

/* The problem of FILE, which is then the first operand, or of all parts. NULL: refused. */
static const char *load_problem(cli *c, const certify_options *o, int count,
                                const char *const *operand, perp_file *file)
{
    if (o->parts.count)
        return cli_assemble(c, &o->parts, o->kind, file) ? file->problem.name : NULL;
    if (count) return cli_load(c, operand[0], o->kind, o->layout, file) ? operand[0] : NULL;
    cli_fail(c, "expected FILE, or parts of a problem such as --M and --q; see 'perp certify "
                "--help'");
    return NULL;
}

/* Whether the vectors prove the claim; refused ones are told. */
static int judge(cli *c, const certify_options *o, const double *z, const double *point, verdict *v)
{
    bool proof = o->claim != CLAIM_SOLVED;
    perp_status s =
        proof ? perp_check(v->problem, claims[o->claim], z, point, &c->arena, &v->residual)
              : perp_certify(v->problem, z, &c->arena, &v->residual);
    perp_status known = s;
    if (s >= 0 && o->distance) {
        v->measured = true;
        known = perp_distance(v->problem, z, &c->arena, &v->distance);
    }
    if (known < 0)
        return cli_fail(c, "%s: %s: %s", v->file, perp_status_name(known), perp_status_text(known));
    bool holds = proof ? s == PERP_SOLVED : v->residual.value + v->residual.bound <= o->tol;
    v->status = holds ? claims[o->claim] : PERP_UNCERTIFIED;
    return holds ? CLI_DONE : CLI_UNSOLVED;
}

/* What contradicts itself in the call; vectors are Z and X. NULL: nothing. */
static const char *find_contradiction(const certify_options *o, int vectors)
{
    if (vectors > 2) return "parts of a problem take the place of FILE: expected Z, or Z and X";
    if (vectors > 1 && o->claim != CLAIM_UNBOUNDED)
        return o->parts.count ? "parts of a problem take the place of FILE: expected Z alone; X is "
                                "for --claim=unbounded"
                              : "X is a feasible point for --claim=unbounded; leave it out for "
                                "other claims";
    if (o->claim != CLAIM_SOLVED && o->distance)
        return "--distance measures a solution; it does not go with --claim of a proof";
    return NULL;
}

static int run_certify(cli *c, const void *options, int count, const char *const *operand)
{
    const certify_options *o = options;
    int files = o->parts.count ? 0 : 1, vectors = count - files;
    const char *wrong = find_contradiction(o, vectors);
    if (wrong) return cli_fail(c, "%s", wrong);
    perp_file file;
    const char *path = load_problem(c, o, count, operand, &file);
    if (!path) return CLI_WRONG;
    const double *z = find_vector(c, &file, path, vectors > 0 ? operand[files] : NULL);
    if (!z && perp_size(&file.problem)) return CLI_WRONG;
    const double *point = NULL;
    if (o->claim == CLAIM_UNBOUNDED && file.problem.kind == PERP_KIND_QP) {
        point = find_point(c, &file, path, vectors > 1 ? operand[files + 1] : NULL);
        if (vectors > 1 && !point) return CLI_WRONG;
    }
    verdict v = {.problem = &file.problem, .file = path};
    int end = judge(c, o, z, point, &v);
    if (end == CLI_WRONG) return end;
    if (o->json)
        print_json(c->out, &v);
    else if (o->csv)
        print_csv(c->out, &v);
    else
        print_text(c, &v, o->claim != CLAIM_SOLVED);
    return end;
}

static const cli_option rows[] = {
    {.name = "tol",
     .letter = 't',
     .type = CLI_REAL,
     .offset = offsetof(certify_options, tol),
     .argument = "TOL",
     .max = INFINITY,
     .help = "residual within which z is a solution"},
    {.name = "claim",
     .letter = 'c',
     .type = CLI_CHOICE,
     .offset = offsetof(certify_options, claim),
     .argument = "CLAIM",
     .choices = "solved|ray|infeasible|unbounded",
     .help = "what Z is to prove: solved, ray, infeasible or unbounded"},
    {.name = CLI_PART_OPTION,
     .type = CLI_LIST,
     .offset = offsetof(certify_options, parts),
     .argument = "NAME=FILE",
     .help = "a matrix (Matrix Market) or vector of the problem in place of FILE; --M FILE is "
             "short for it"},
    {.name = "kind",
     .letter = 'k',
     .type = CLI_TEXT,
     .offset = offsetof(certify_options, kind),
     .argument = "KIND",
     .help = "what FILE holds, where its content can be read in two ways"},
    CLI_LAYOUT(offsetof(certify_options, layout), "FILE"),
    {.name = "distance",
     .letter = 'd',
     .type = CLI_FLAG,
     .offset = offsetof(certify_options, distance),
     .help = "prove how far z is from a solution, where a theorem applies"},
    {.name = "json",
     .type = CLI_FLAG,
     .offset = offsetof(certify_options, json),
     .help = "a JSON object"},
    {.name = "csv",
     .type = CLI_FLAG,
     .offset = offsetof(certify_options, csv),
     .help = "comma-separated values"},
    {.name = NULL},
};

static const certify_options defaults = {.tol = 1e-8};

const cli_command cli_certify_command = {
    .name = "certify",
    .summary = "judge a solution, whoever computed it",
    .operands = "FILE [Z [X]] | --M FILE --q FILE ... Z [X]",
    .about = "Measures the residual of the vector in Z (numbers in a text or Matrix Market file) "
             "from the data in FILE alone, with a bound of its own rounding; docs/certificates.md "
             "says how it is defined. Without Z the solution stored in FILE is judged. --claim "
             "judges a proof instead: a ray, or that the problem is infeasible or unbounded. An "
             "objective without a lower bound needs a point X within all bounds too; without X one "
             "is looked for.\n\n"
             "In place of FILE, the parts of a problem may be in files of their own, as 'perp "
             "solve' takes them: --M M.mtx --q q.mtx Z.\n\n"
             "--distance also proves how far z is from a solution, in the Euclidean norm: where M "
             "is an H-matrix or positive definite, or A of an nnls has full rank, from the only "
             "one; elsewhere, without ties, from one that no other is near to. With Coulomb "
             "friction and callbacks it is not offered, and a sentence says why.\n\n"
             "The exit status is 0 when the claim holds, 1 when it does not.",
    .examples = "perp solve -o z.txt a.dat|a solution\n"
                "perp certify a.dat z.txt|is it one?\n"
                "perp certify --M M.mtx --q q.mtx z.txt|a problem in Matrix Market files\n"
                "perp certify --distance a.dat z.txt|how far is it from the solution?\n"
                "perp certify --claim=infeasible none.qps y.txt|does y prove it?",
    .options = rows,
    .least = 0,
    .most = 3,
    .size = sizeof(certify_options),
    .defaults = &defaults,
    .run = run_certify,
};
