/* cli/commands.c: the table of commands, and the way from argv to one of them. */
#include "commands.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMANDS_MOST 32

/* In the order of --help. */
const cli_command *const cli_commands[] = {
    &cli_list_command,     &cli_info_command,
    &cli_solve_command,    &cli_compare_command,
    &cli_certify_command,  &cli_convert_command,
    &cli_generate_command, &cli_simulate_command,
    &cli_worker_command,   NULL,
};

const cli_command *cli_find_command(const char *name)
{
    for (int k = 0; cli_commands[k]; k++) {
        if (strcmp(cli_commands[k]->name, name) == 0) return cli_commands[k];
    }
    return NULL;
}

/* https://no-color.org */
static bool wants_colour(FILE *stream)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if ((no && *no) || !term || strcmp(term, "dumb") == 0) return false;
    return fileno(stream) >= 0 && isatty(fileno(stream));
}

static int refuse_command(cli *c, const char *name)
{
    const char *names[COMMANDS_MOST + 1];
    int count = 0;
    for (int k = 0; cli_commands[k] && count < COMMANDS_MOST; k++) {
        if (!cli_commands[k]->hidden) names[count++] = cli_commands[k]->name;
    }
    names[count] = NULL;
    if (name[0] == '-') {
        static const char *const own[] = {"--help", "--version", NULL};
        return cli_fail_name(c, "option", name, cli_nearest(name, own), "see 'perp --help'");
    }
    return cli_fail_name(c, "command", name, cli_nearest(name, names), "see 'perp --help'");
}

static int run_command(cli *c, const cli_command *d, int argc, const char *const *argv)
{
    c->command = d;
    const char **operand = perp_alloc(&c->arena, (size_t)argc + 1, sizeof *operand);
    void *options = perp_alloc(&c->arena, 1, d->size ? d->size : 1);
    if (!operand || !options) return cli_fail(c, "out of memory");
    if (d->defaults) memcpy(options, d->defaults, d->size);
    int count;
    bool help;
    if (!cli_parse(c, d, argc, argv, options, &count, operand, &help)) return CLI_WRONG;
    if (help) {
        cli_print_help(c, d, c->out);
        return CLI_DONE;
    }
    return d->run(c, options, count, operand);
}

static int print_man(cli *c, const char *name)
{
    const cli_command *d = name ? cli_find_command(name) : NULL;
    if (name && !d) return refuse_command(c, name);
    cli_print_man(d, c->out);
    return CLI_DONE;
}

static int print_completion(cli *c, const char *shell)
{
    static const char *const shells[] = {"bash", "zsh", "fish", NULL};
    if (!shell || strcmp(shell, "bash") == 0)
        cli_print_completion(c->out);
    else if (strcmp(shell, "zsh") == 0)
        cli_print_completion_zsh(c->out);
    else if (strcmp(shell, "fish") == 0)
        cli_print_completion_fish(c->out);
    else
        return cli_fail_name(c, "completion for", shell, cli_nearest(shell, shells),
                             "they are bash, zsh and fish");
    return CLI_DONE;
}

static int dispatch(cli *c)
{
    const char *first = c->argc > 1 ? c->argv[1] : NULL, *second = c->argc > 2 ? c->argv[2] : NULL;
    if (!first) {
        cli_print_usage(c, c->err);
        return CLI_WRONG;
    }
    if (strcmp(first, "help") == 0 && second) {
        const cli_command *d = cli_find_command(second);
        if (!d) return refuse_command(c, second);
        cli_print_help(c, d, c->out);
        return CLI_DONE;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
        cli_print_usage(c, c->out);
        return CLI_DONE;
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0 ||
        strcmp(first, "version") == 0) {
        cli_print_version(c->out);
        return CLI_DONE;
    }
    if (strcmp(first, "--man") == 0) return print_man(c, second);
    if (strcmp(first, "--completion") == 0) return print_completion(c, second);
    const cli_command *d = cli_find_command(first);
    return d ? run_command(c, d, c->argc - 2, c->argv + 2) : refuse_command(c, first);
}

int cli_main(int argc, const char *const *argv, FILE *out, FILE *err)
{
    cli c = {.out = out, .err = err, .argc = argc, .argv = argv};
    c.colour_out = wants_colour(out);
    c.colour_err = wants_colour(err);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of fflush, and temporary files go */
    signal(SIGXFSZ, SIG_IGN); /* so is a limit of file sizes */
    int status = dispatch(&c);
    if (!cli_flush(&c) && status == CLI_DONE) status = CLI_WRONG;
    perp_arena_free(&c.arena);
    return status;
}
