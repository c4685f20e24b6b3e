/* cli/output.c: JSON, CSV and colours. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The shortest of 15 to 17 digits that reads back. */
static void print_real(FILE *out, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    fputs(text, out);
}

/* Length of the valid UTF-8 sequence at s; 0: none starts here. */
static int utf8_length(const unsigned char *s)
{
    int n = s[0] < 0x80   ? 1
            : s[0] < 0xc2 ? 0
            : s[0] < 0xe0 ? 2
            : s[0] < 0xf0 ? 3
            : s[0] < 0xf5 ? 4
                          : 0;
    for (int k = 1; k < n; k++) {
        if ((s[k] & 0xc0) != 0x80) return 0;
    }
    if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))) return 0;
    if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))) return 0;
    return n;
}

void cli_json_text(FILE *out, const char *text)
{
    if (!text) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int n = utf8_length(s);
        if (n == 0) { /* a file's name may be any bytes, JSON's text may not */
            fputs("\\ufffd", out);
            s++;
        } else if (n > 1) {
            fwrite(s, 1, (size_t)n, out);
            s += n;
        } else if (*s == '"' || *s == '\\') {
            fprintf(out, "\\%c", *s++);
        } else if (*s < 0x20 || *s == 0x7f) {
            fprintf(out, "\\u%04x", *s++);
        } else {
            fputc(*s++, out);
        }
    }
    fputc('"', out);
}

void cli_json_real(FILE *out, double x)
{
    if (isfinite(x))
        print_real(out, x);
    else
        fputs("null", out);
}

cli_json cli_json_open(FILE *out)
{
    fputc('{', out);
    return (cli_json){.out = out};
}

FILE *cli_json_field(cli_json *j, const char *name)
{
    if (j->fields++) fputs(", ", j->out);
    cli_json_text(j->out, name);
    fputs(": ", j->out);
    return j->out;
}

void cli_json_field_text(cli_json *j, const char *name, const char *text)
{
    cli_json_field(j, name);
    cli_json_text(j->out, text);
}

void cli_json_field_real(cli_json *j, const char *name, double x)
{
    cli_json_field(j, name);
    cli_json_real(j->out, x);
}

void cli_json_field_int(cli_json *j, const char *name, long long x)
{
    cli_json_field(j, name);
    fprintf(j->out, "%lld", x);
}

void cli_json_field_bool(cli_json *j, const char *name, bool x)
{
    cli_json_field(j, name);
    fputs(x ? "true" : "false", j->out);
}

void cli_json_field_reals(cli_json *j, const char *name, int n, const double *x)
{
    cli_json_field(j, name);
    if (!x) {
        fputs("null", j->out);
        return;
    }
    fputc('[', j->out);
    for (int i = 0; i < n; i++) {
        if (i) fputs(", ", j->out);
        cli_json_real(j->out, x[i]);
    }
    fputc(']', j->out);
}

void cli_json_close(cli_json *j)
{
    fputc('}', j->out);
}

void cli_csv_text(FILE *out, const char *text)
{
    if (!text) return;
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void cli_csv_real(FILE *out, double x)
{
    if (isnan(x))
        fputs("nan", out); /* without the sign that printf may show */
    else if (isinf(x))
        fputs(x > 0 ? "inf" : "-inf", out);
    else
        print_real(out, x);
}

static bool coloured(const cli *c, const FILE *stream)
{
    return (stream == c->out && c->colour_out) || (stream == c->err && c->colour_err);
}

const char *cli_on(const cli *c, const FILE *stream, cli_paint paint)
{
    static const char *const codes[] = {
        [CLI_BOLD] = "\033[1m", [CLI_GREEN] = "\033[32m", [CLI_YELLOW] = "\033[33m",
        [CLI_RED] = "\033[31m", [CLI_DIM] = "\033[2m",
    };
    return coloured(c, stream) ? codes[paint] : "";
}

const char *cli_off(const cli *c, const FILE *stream)
{
    return coloured(c, stream) ? "\033[0m" : "";
}

cli_paint cli_paint_of(perp_status status)
{
    return status == PERP_SOLVED ? CLI_GREEN : status > 0 ? CLI_YELLOW : CLI_RED;
}

/* Why an earlier write failed, which the stream has forgotten: ask it for a byte more. */
static int find_error(FILE *stream)
{
    errno = EIO;
    return fputc('\n', stream) == EOF || fflush(stream) != 0 ? errno : EIO;
}

bool cli_flush(cli *c)
{
    errno = 0;
    bool flushed = fflush(c->out) == 0;
    if (flushed && !ferror(c->out)) return true;
    int error = flushed ? find_error(c->out) : errno;
    /* a reader that has seen enough is nobody's error */
    if (error != EPIPE) cli_fail_write(c, "-", error);
    return false;
}
