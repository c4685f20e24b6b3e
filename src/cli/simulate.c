/* cli/simulate.c: perp simulate: a scene of bodies in contact, step by step. */
#include "simulate.h"

#include "commands.h"
#include "rigid/assembly.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 64

/* ---- lists ------------------------------------------------------------------------------- */

static void print_scene(cli *c, const sim_scene *scene)
{
    fprintf(c->out, "%s%-12s%s %s\n", cli_on(c, c->out, CLI_BOLD), scene->name, cli_off(c, c->out),
            scene->about);
}

static void print_parameters(cli *c, const sim_scene *scene)
{
    for (const sim_parameter *p = scene->parameters; p->name; p++) {
        fprintf(c->out, "  %-14s %-10.6g %s [%g .. %g]\n", p->name, p->value, p->help, p->min,
                p->max);
    }
    fprintf(c->out, "  solver %s, tol %g\n", scene->solver ? scene->solver : "auto", scene->tol);
}

static void print_json(FILE *out, const sim_scene *scene)
{
    cli_json j = cli_json_open(out);
    cli_json_field_text(&j, "scene", scene->name);
    cli_json_field_text(&j, "about", scene->about);
    cli_json_field_text(&j, "solver", scene->solver);
    cli_json_field_real(&j, "tol", scene->tol);
    FILE *to = cli_json_field(&j, "parameters");
    cli_json inner = cli_json_open(to);
    for (const sim_parameter *p = scene->parameters; p->name; p++)
        cli_json_field_real(&inner, p->name, p->value);
    cli_json_close(&inner);
    cli_json_close(&j);
    fputc('\n', out);
}

static int print_list(cli *c, const simulate_options *o, const sim_scene *only)
{
    for (int k = 0; sim_scenes[k]; k++) {
        if (only && sim_scenes[k] != only) continue;
        if (o->json)
            print_json(c->out, sim_scenes[k]);
        else
            print_scene(c, sim_scenes[k]);
    }
    if (only && !o->json) print_parameters(c, only);
    return CLI_DONE;
}

/* ---- the scene --------------------------------------------------------------------------- */

static int refuse_scene(cli *c, const char *name)
{
    const char *names[NAMES_MOST + 1];
    int count = 0;
    for (; count < NAMES_MOST && sim_scenes[count]; count++) names[count] = sim_scenes[count]->name;
    names[count] = NULL;
    return cli_fail_name(c, "scene", name, cli_nearest(name, names), "see 'perp simulate --list'");
}

static bool refuse_parameter(cli *c, const sim_scene *scene, const char *name)
{
    const char *names[SIM_PARAMETERS_MOST + 1];
    int count = 0;
    for (; scene->parameters[count].name; count++) names[count] = scene->parameters[count].name;
    names[count] = NULL;
    char hint[80];
    snprintf(hint, sizeof hint, "see 'perp simulate --list %s'", scene->name);
    return !cli_fail_name(c, "parameter", name, cli_nearest(name, names), hint);
}

static bool set_parameter(cli *c, sim *s, const char *text)
{
    const char *equal = strchr(text, '=');
    if (!equal || equal == text) return !cli_fail(c, "--set %s: expected NAME=VALUE", text);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(equal - text), text);
    bool known = false;
    for (const sim_parameter *p = s->scene->parameters; p->name; p++)
        known = known || strcmp(p->name, name) == 0;
    if (!known) return refuse_parameter(c, s->scene, name);
    perp_error e = {.status = PERP_SOLVED};
    if (sim_set(s, name, equal + 1, &e)) return !cli_fail(c, "--set %s: %s", text, e.text);
    return true;
}

/* ---- solver and form --------------------------------------------------------------------- */

static perp_kind kind_of(perp_rigid_form form)
{
    return perp_forms[form]->kind;
}

static bool set_form(cli *c, sim *s, const char *name)
{
    const char *names[PERP_FORMS + 1] = {0};
    char list[160] = "one of";
    int count = 0;
    for (int k = 0; k < PERP_FORMS; k++) {
        if (!perp_forms[k]->name) continue;
        names[count++] = perp_forms[k]->name;
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s %s", count > 1 ? "," : "",
                 perp_forms[k]->name);
        if (strcmp(name, perp_forms[k]->name)) continue;
        s->step.form = (perp_rigid_form)k;
        return true;
    }
    return !cli_fail_name(c, "form", name, cli_nearest(name, names), list);
}

static bool has_friction(const sim *s)
{
    for (int k = 0; k < s->shapes; k++) {
        if (s->shape[k].mu > 0) return true;
    }
    return false;
}

/* Coulomb's cone in a form for solvers of mixed problems: friction boxes, outer pyramids where the
 * solver does not know them, and plain LCPs, which it solves as they are, without friction. */
static perp_rigid_form mixed_form(const sim *s, const perp_solver *solver)
{
    if (!has_friction(s) && s->world.joints == 0) return PERP_RIGID_FORM_LCP;
    return solver->flags & PERP_SOLVER_READS_FOLLOWS ? PERP_RIGID_FORM_MCP
                                                     : PERP_RIGID_FORM_MCP_FACETS;
}

/* The form that this solver can solve, nearest to the scene's own. */
static bool follow_solver(cli *c, sim *s, const simulate_options *o, const perp_solver *solver)
{
    perp_kind kind = solver->kind;
    if (kind == kind_of(s->step.form) || (o->form && kind == PERP_KIND_MCP)) return true;
    if (o->form)
        return !cli_fail(c, "--form=%s makes a problem of kind %s, and %s solves %s", o->form,
                         perp_kind_name(kind_of(s->step.form)), o->solver, perp_kind_name(kind));
    bool friction = has_friction(s);
    switch (kind) {
    case PERP_KIND_FC3D:
        s->step.form = s->world.joints ? PERP_RIGID_FORM_FC3D_BODY : PERP_RIGID_FORM_FC3D_LOCAL;
        return true;
    case PERP_KIND_LCP:
        s->step.form = friction ? PERP_RIGID_FORM_LCP_FACETS : PERP_RIGID_FORM_LCP;
        return true;
    case PERP_KIND_MCP: s->step.form = mixed_form(s, solver); return true;
    case PERP_KIND_NNLS: s->step.form = PERP_RIGID_FORM_NNLS_VELOCITIES; return true;
    default: return !cli_fail(c, "no form of a step is of kind %s", perp_kind_name(kind));
    }
}

/* "fc3d/nsgs" is of kind fc3d. */
static bool is_of_kind(const char *solver, perp_kind kind)
{
    const char *name = perp_kind_name(kind);
    return strncmp(solver, name, strlen(name)) == 0 && solver[strlen(name)] == '/';
}

static bool choose_solver(cli *c, sim *s, const simulate_options *o)
{
    if (o->form && !set_form(c, s, o->form)) return false;
    perp_kind kind = kind_of(s->step.form);
    bool lcp = s->step.form == PERP_RIGID_FORM_LCP && s->scene->frictionless;
    const char *own = lcp ? s->scene->frictionless : s->solver;
    const char *named = o->solver ? o->solver : own;
    if (!o->solver && (!named || !is_of_kind(named, kind))) named = "auto";
    perp_options *p = cli_solver(c, named, kind);
    if (!p || !follow_solver(c, s, o, p->solver)) return false;
    if (o->tol > 0)
        p->tol = o->tol;
    else if (s->tol > 0 && !strstr(named, "tol="))
        p->tol = s->tol;
    s->step.solver = p;
    return true;
}

static bool open_scene(cli *c, sim *s, const simulate_options *o)
{
    perp_error e = {.status = PERP_SOLVED};
    for (int k = 0; k < o->set.count; k++) {
        if (!set_parameter(c, s, o->set.item[k])) return false;
    }
    if (sim_build(s, &e)) return !cli_fail(c, "%s: %s", s->scene->name, e.text);
    if (o->facets > 0) s->step.facets = o->facets;
    if (o->steps >= 0) s->steps = o->steps;
    s->step.threads = o->threads;
    s->step.single_problem = o->together;
    s->step.no_warm_start = o->cold;
    if (!choose_solver(c, s, o)) return false;
    if (sim_check(s, &e)) return !cli_fail(c, "%s: %s", s->scene->name, e.text);
    return true;
}

static int run_simulate(cli *c, const void *options, int count, const char *const *operand)
{
    const simulate_options *o = options;
    const sim_scene *scene = count ? sim_find(operand[0]) : NULL;
    if (count && !scene) return refuse_scene(c, operand[0]);
    if (o->list) return print_list(c, o, scene);
    if (!scene) return cli_fail(c, "expected SCENE; see 'perp simulate --list'");
    sim s;
    sim_open(&s, scene);
    int status = open_scene(c, &s, o) ? simulate_run(c, &s, o) : CLI_WRONG;
    sim_close(&s);
    return status;
}

/* ---- the table --------------------------------------------------------------------------- */

#define FIELD(name) offsetof(simulate_options, name)

static const cli_option rows[] = {
    {.name = "list",
     .letter = 'l',
     .type = CLI_FLAG,
     .offset = FIELD(list),
     .help = "list the scenes; or the parameters of one"},
    {.name = "set",
     .type = CLI_LIST,
     .offset = FIELD(set),
     .argument = "NAME=VALUE",
     .help = "change a parameter of the scene; may be given several times"},
    {.name = "solver",
     .letter = 's',
     .type = CLI_TEXT,
     .offset = FIELD(solver),
     .argument = "SOLVER",
     .help = "solver of the contact problems, with options as 'perp solve' takes them; the scene "
             "has its own"},
    {.name = "form",
     .letter = 'f',
     .type = CLI_TEXT,
     .offset = FIELD(form),
     .argument = "FORM",
     .help = "fc3d, fc3d_body, mcp, lcp_facets, mcp_facets, lcp or nnls: how contacts are stated"},
    {.name = "facets",
     .type = CLI_INT,
     .offset = FIELD(facets),
     .argument = "N",
     .min = 3,
     .max = 10000,
     .help = "facets of a friction pyramid"},
    {.name = "tol",
     .type = CLI_REAL,
     .offset = FIELD(tol),
     .argument = "TOL",
     .min = 1e-300,
     .max = 1,
     .help = "residual to reach; the scene has its own"},
    {.name = "steps",
     .letter = 'n',
     .type = CLI_INT,
     .offset = FIELD(steps),
     .argument = "N",
     .min = 0,
     .max = INT_MAX,
     .help = "steps to make; the scene says how many seconds otherwise"},
    {.name = "threads",
     .letter = 'j',
     .type = CLI_INT,
     .offset = FIELD(threads),
     .argument = "N",
     .min = 1,
     .max = PERP_STEP_THREADS,
     .help = "threads that share the contact groups"},
    {.name = "together",
     .type = CLI_FLAG,
     .offset = FIELD(together),
     .help = "one problem of all contacts, not one of each group"},
    {.name = "cold",
     .type = CLI_FLAG,
     .offset = FIELD(cold),
     .help = "no warm start from the last step"},
    {.name = "csv",
     .letter = 'o',
     .type = CLI_TEXT,
     .offset = FIELD(csv),
     .argument = "FILE",
     .help = "figures of every step: contacts, iterations, residual, energies, overlap, times"},
    {.name = "measures",
     .type = CLI_TEXT,
     .offset = FIELD(measures),
     .argument = "FILE",
     .help = "what the scene itself measures, every step, as CSV"},
    {.name = "bodies",
     .type = CLI_TEXT,
     .offset = FIELD(bodies),
     .argument = "FILE",
     .help = "place, rotation and velocities of every body, as CSV; see --every"},
    {.name = "pictures",
     .type = CLI_TEXT,
     .offset = FIELD(pictures),
     .argument = "DIR",
     .help = "pictures as SVG; see --every"},
    {.name = "forces",
     .type = CLI_FLAG,
     .offset = FIELD(forces),
     .help = "contact impulses in pictures, as lines"},
    {.name = "vtk",
     .type = CLI_TEXT,
     .offset = FIELD(vtk),
     .argument = "DIR",
     .help = "surfaces for ParaView, and SCENE.pvd to open; see --every"},
    {.name = "plot",
     .letter = 'p',
     .type = CLI_TEXT,
     .offset = FIELD(plot),
     .argument = "FILE",
     .help =
         "energies, contacts, iterations, residual, overlap and measures over time, by gnuplot; "
         ".svg or .png"},
    {.name = "paths",
     .type = CLI_TEXT,
     .offset = FIELD(paths),
     .argument = "FILE",
     .help = "paths of the bodies, by gnuplot; .svg or .png"},
    {.name = "every",
     .type = CLI_INT,
     .offset = FIELD(every),
     .argument = "N",
     .min = 1,
     .max = INT_MAX,
     .help = "steps from one picture of all bodies to the next"},
    {.name = "dump",
     .type = CLI_LIST,
     .offset = FIELD(dump),
     .argument = "STEP:FILE",
     .help = "write the contact problem of a step, with its start as a guess; the ending of FILE "
             "says the format"},
    {.name = "quiet",
     .letter = 'q',
     .type = CLI_FLAG,
     .offset = FIELD(quiet),
     .help = "no progress"},
    {.name = "json",
     .type = CLI_FLAG,
     .offset = FIELD(json),
     .help = "the summary, or --list, as JSON, a line each"},
    {.name = NULL},
};

static const simulate_options defaults = {.steps = -1, .threads = 1, .every = 1};

const cli_command cli_simulate_command = {
    .name = "simulate",
    .summary = "step a scene of rigid bodies in contact",
    .operands = "[SCENE]",
    .about =
        "Each step states the contacts as a problem, solves it and moves the bodies. A step "
        "whose problem is not certified moves them by the best iterate, and is counted. "
        "Ctrl-C ends the run after the step under way, with all files whole; so do SIGTERM and "
        "SIGHUP.\n\n"
        "The columns of --csv are step, time, contacts, iterations, residual, kinetic, "
        "potential, total, overlap, t_collide, t_assemble and t_solve; energies in joules, "
        "overlap in metres, times in seconds.",
    .examples =
        "perp simulate --list|the scenes\n"
        "perp simulate --list settling|the parameters of one\n"
        "perp simulate column --solver=lcp/lemke --csv=column.csv|energies step by step\n"
        "perp simulate settling --set=spheres=80 --dump=200:settled.hdf5|one problem of it\n"
        "perp simulate wall --set=sink=1 --pictures=wall|masonry on ground that gives way",
    .options = rows,
    .most = 1,
    .size = sizeof(simulate_options),
    .defaults = &defaults,
    .run = run_simulate,
};
