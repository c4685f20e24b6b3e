/* cli/report_machine.c: where, with what and by which command the figures were made. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MACHINE 240 /* characters */

/* The processor's name as Linux tells it; false: it does not. */
static bool find_processor(char *name, size_t size)
{
    FILE *in = fopen("/proc/cpuinfo", "re");
    char line[256];
    bool found = false;
    while (in && !found && fgets(line, sizeof line, in)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(name, size, "%.120s", colon + 1 + (colon[1] == ' '));
        found = true;
    }
    if (in) fclose(in);
    return found;
}

const char *cli_machine(cli *c)
{
    char name[128];
    struct utsname u;
    if (!find_processor(name, sizeof name))
        snprintf(name, sizeof name, "%.100s", uname(&u) == 0 ? u.machine : "unknown processor");
    char *text = perp_alloc(&c->arena, MACHINE, 1);
    if (!text) return "";
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    int length =
        snprintf(text, MACHINE, "%s, %ld thread%s", name, threads, threads == 1 ? "" : "s");
    const char *kernels = cli_blas_kernels();
    if (kernels) snprintf(text + length, MACHINE - (size_t)length, ", %.40s kernels", kernels);
    return text;
}

void cli_quote(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=:,+@%";
    if (*word && word[strspn(word, plain)] == 0) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    }
    fputc('\'', out);
}

/* What `print` prints, escaped. */
static void print_escaped(FILE *out, void (*print)(FILE *, const cli *), const cli *c)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (!memory) return;
    print(memory, c);
    if (fclose(memory) == 0) cli_html_text(out, text);
    free(text);
}

static void print_command(FILE *out, const cli *c)
{
    for (int k = 0; k < c->argc; k++) {
        if (k) fputc(' ', out);
        cli_quote(out, c->argv[k]);
    }
}

static void print_version(FILE *out, const cli *c)
{
    (void)c;
    cli_print_version(out);
}

static void print_system(FILE *out, const cli *c)
{
    (void)c;
    struct utsname u;
    if (uname(&u) == 0) fprintf(out, "%s %s, %s", u.sysname, u.release, u.machine);
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (memory > 0) fprintf(out, ", %.1f GiB of memory", memory / 1073741824.0);
    const char *threads = getenv("OPENBLAS_NUM_THREADS");
    if (threads) fprintf(out, ", OPENBLAS_NUM_THREADS=%s", threads);
}

static void print_item(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<dt>%s</dt><dd>", name);
    cli_html_text(out, text);
    fputs("</dd>\n", out);
}

/* Each different machine, version and definition of the residuals that the rows name. */
static void print_origins(FILE *out, const cli_rows *rows)
{
    for (int i = 0; i < rows->count; i++) {
        const cli_row *row = &rows->row[i];
        int j = 0;
        while (strcmp(rows->row[j].machine, row->machine) ||
               strcmp(rows->row[j].version, row->version) ||
               rows->row[j].residual_version != row->residual_version)
            j++;
        if (j < i || !*row->machine) continue;
        fputs("<dt>runs made on</dt><dd>", out);
        cli_html_text(out, row->machine);
        if (*row->version) fputs(", perp ", out);
        cli_html_text(out, row->version);
        if (row->residual_version > 0)
            fprintf(out, ", residuals of version %d", row->residual_version);
        fputs("</dd>\n", out);
    }
}

void cli_report_machine(cli *c, FILE *out, const cli_report *r)
{
    char date[64] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    fputs("<section id=\"origin\"><h2>How this was made</h2><dl>\n", out);
    print_origins(out, r->rows);
    fputs("<dt>command</dt><dd><code>", out);
    print_escaped(out, print_command, c);
    fputs("</code></dd>\n", out);
    if (r->from_file)
        print_item(out, "note",
                   "The rows were read from a file: the command and the system below "
                   "made the page, not the runs.");
    fputs("<dt>system</dt><dd>", out);
    print_escaped(out, print_system, c);
    fputs("</dd>\n<dt>versions</dt><dd><pre>", out);
    print_escaped(out, print_version, c);
    fputs("</pre></dd>\n", out);
    print_item(out, "date", date);
    fputs("</dl></section>\n", out);
}
