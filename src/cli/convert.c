/* cli/convert.c: perp convert: a problem file in another format. */
#include "commands.h"

#include <string.h>

typedef struct convert_options {
    const char *to, *kind, *layout;
    cli_list parts;
} convert_options;

static int run_convert(cli *c, const void *options, int count, const char *const *operand)
{
    const convert_options *o = options;
    const char *to = operand[count - 1];
    bool parts = o->parts.count > 0;
    perp_file_format format = PERP_FILE_ANY;
    if (parts != (count == 1))
        return cli_fail(c, parts ? "parts of a problem take the place of IN: expected OUT alone"
                                 : "expected IN OUT; see 'perp convert --help'");
    if (o->to && !cli_file_format(c, o->to, &format)) return CLI_WRONG;
    if (!o->to && strcmp(to, "-") == 0) format = PERP_FILE_TEXT;
    perp_file file;
    bool loaded = parts ? cli_assemble(c, &o->parts, o->kind, &file)
                        : cli_load(c, operand[0], o->kind, o->layout, &file);
    if (!loaded) return CLI_WRONG;
    file.format = format;
    perp_error e = {.status = PERP_SOLVED};
    if (perp_save_file(to, &file, &e)) {
        return cli_fail_file(c, strcmp(to, "-") ? to : "standard output", &e);
    }
    return CLI_DONE;
}

static const cli_option rows[] = {
    {.name = "to",
     .letter = 't',
     .type = CLI_TEXT,
     .offset = offsetof(convert_options, to),
     .argument = "FORMAT",
     .help = "text, siconos, fclib or qps, whatever OUT is called"},
    {.name = CLI_PART_OPTION,
     .type = CLI_LIST,
     .offset = offsetof(convert_options, parts),
     .argument = "NAME=FILE",
     .help = "a matrix or vector of the problem in place of IN, as 'perp solve' has it"},
    {.name = "kind",
     .letter = 'k',
     .type = CLI_TEXT,
     .offset = offsetof(convert_options, kind),
     .argument = "KIND",
     .help = "what IN holds, where its content can be read in two ways"},
    CLI_LAYOUT(offsetof(convert_options, layout), "IN"),
    {.name = NULL},
};

const cli_command cli_convert_command = {
    .name = "convert",
    .summary = "write a problem in another file format",
    .operands = "IN OUT",
    .about =
        "The format of IN is found from its content, that of OUT from the ending of its name: "
        ".perp (perp's own text), .dat (Siconos), .hdf5 or .h5 (FCLIB), .qps. Numbers keep every "
        "bit; a title or stored solution that the format has no room for is left out. OUT appears "
        "when it is complete, or not at all; '-' is "
        "standard output, as text unless --to says otherwise. A format that cannot hold the kind "
        "of problem is refused.",
    .examples = "perp convert a.dat a.perp|to perp's own text\n"
                "perp convert a.hdf5 - | less|to look at it\n"
                "perp convert --M M.mtx --q q.mtx a.perp|one file of two",
    .options = rows,
    .least = 1,
    .most = 2,
    .size = sizeof(convert_options),
    .run = run_convert,
};
