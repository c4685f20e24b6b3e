/* cli/solutions.c: the solutions that lcp/enumerate finds with its option `all`, kept and printed.
 */
#include "solutions.h"

#include <string.h>

static bool keep(void *ctx, const perp_lcp_solution *found)
{
    cli_solutions *s = ctx;
    s->found++;
    s->faces += found->face;
    if (s->found > CLI_SOLUTIONS || s->lost) return true;
    size_t n = (size_t)found->n;
    cli_solution *one = perp_alloc(&s->arena, 1, sizeof *one);
    double *z = perp_alloc(&s->arena, n + 1, sizeof *z);
    s->lost = !one || !z;
    if (s->lost) return true;
    if (n) memcpy(z, found->z, n * sizeof *z);
    *one = (cli_solution){
        .basis = found->basis, .face = found->face, .residual = found->residual.value, .z = z};
    *s->end = one;
    s->end = &one->next;
    return true;
}

void cli_solutions_begin(cli_solutions *s, int n, perp_options *o)
{
    *s = (cli_solutions){.n = n};
    s->end = &s->first;
    if (strcmp(perp_solver_name(o), "lcp/enumerate") != 0) return;
    perp_lcp_enumerate_options *own = (perp_lcp_enumerate_options *)(void *)o;
    s->wanted = own->all;
    own->found = keep;
    own->found_ctx = s;
}

static void print_basis(FILE *out, const cli_solution *one, int n, const char *between)
{
    const char *before = "";
    for (int i = 0; i < n; i++) {
        if (!(one->basis >> i & 1)) continue;
        fprintf(out, "%s%d", before, i);
        before = between;
    }
}

static void print_z(FILE *out, const cli_solution *one, int n)
{
    for (int i = 0; i < n; i++) {
        fputs(i ? " " : ", z = ", out);
        fprintf(out, "%.17g", one->z[i]);
    }
}

void cli_solutions_text(FILE *out, const cli_solutions *s, bool vectors)
{
    if (!s->wanted) return;
    fprintf(out, "%-10s %d bases solve, %d of them with a singular block\n", "solutions", s->found,
            s->faces);
    for (const cli_solution *one = s->first; one; one = one->next) {
        fprintf(out, "%-10s {", "basis");
        print_basis(out, one, s->n, " ");
        fprintf(out, "}%s, residual %.3e", one->face ? ", a point of a face" : "", one->residual);
        if (vectors) print_z(out, one, s->n);
        fputc('\n', out);
    }
    if (s->lost)
        fprintf(out, "%-10s the others are not shown: out of memory\n", "");
    else if (s->found > CLI_SOLUTIONS)
        fprintf(out, "%-10s the first %d are shown\n", "", CLI_SOLUTIONS);
}

void cli_solutions_json(FILE *out, const cli_solutions *s)
{
    fputc('[', out);
    for (const cli_solution *one = s->first; one; one = one->next) {
        if (one != s->first) fputs(", ", out);
        cli_json j = cli_json_open(out);
        fputc('[', cli_json_field(&j, "basis"));
        print_basis(out, one, s->n, ", ");
        fputc(']', out);
        cli_json_field_bool(&j, "face", one->face);
        cli_json_field_real(&j, "residual", one->residual);
        cli_json_field_reals(&j, "z", s->n, one->z);
        cli_json_close(&j);
    }
    fputc(']', out);
}

void cli_solutions_end(cli_solutions *s)
{
    perp_arena_free(&s->arena);
}
