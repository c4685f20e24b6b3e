/* cli/csv.c: records of comma-separated text (RFC 4180), and whole files in and out.
 *
 * Fields are unquoted in place, in one pass. A record counts only when its line ends, so that what
 * a killed process left half-written is told from what it finished. */
#include "compare.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

cli_csv cli_csv_open(char *text, size_t length)
{
    return (cli_csv){.at = text, .end = text + length, .line = 0, .next = 1};
}

/* The field at r->at, unquoted; r->at is then on what ended it. NULL: cut or bad, see *why. */
static char *read_field(cli_csv *r, int *why)
{
    char *from = r->at, *to = from;
    bool quoted = r->at < r->end && *r->at == '"';
    if (!quoted) {
        while (r->at < r->end && !strchr(",\n\r\"", *r->at)) r->at++;
        *why = r->at == r->end ? CLI_CSV_CUT : CLI_CSV_BAD;
        return r->at < r->end && *r->at && *r->at != '"' ? from : NULL;
    }
    for (r->at++;; *to++ = *r->at++) {
        *why = r->at == r->end ? CLI_CSV_CUT : CLI_CSV_BAD;
        if (!*r->at) return NULL; /* the end, or a zero byte */
        if (*r->at == '\n') r->next++;
        if (*r->at == '"' && *++r->at != '"') break;
    }
    *why = r->at == r->end ? CLI_CSV_CUT : CLI_CSV_BAD;
    if (!*r->at || !strchr(",\n\r", *r->at)) return NULL;
    if (to < r->at) *to = 0; /* the closing quote at least has become free */
    return from;
}

int cli_csv_next(cli_csv *r, int most, const char **field)
{
    r->line = r->next;
    if (r->at == r->end) return CLI_CSV_END;
    for (int count = 1;; count++) {
        int why;
        char *text = read_field(r, &why);
        if (!text) return why;
        if (count <= most) field[count - 1] = text;
        char ended = *r->at;
        *r->at++ = 0;
        if (ended == '\r' && r->at == r->end) return CLI_CSV_CUT;
        if (ended == '\r' && *r->at++ != '\n') return CLI_CSV_BAD;
        if (ended == ',') continue;
        r->next++;
        return count;
    }
}

char *cli_read_all(perp_arena *a, const char *path, size_t *length)
{
    struct stat s;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    char *text = NULL;
    if (fstat(file, &s) == 0) {
        errno = S_ISDIR(s.st_mode) ? EISDIR : ENOMEM;
        if (S_ISREG(s.st_mode))
            text = perp_alloc_unset(a, (size_t)s.st_size + 1, 1);
        else if (!S_ISDIR(s.st_mode))
            errno = EINVAL;
    }
    size_t done = 0;
    while (text && done < (size_t)s.st_size) {
        ssize_t part = read(file, text + done, (size_t)s.st_size - done);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) text = NULL;
        if (part <= 0) break; /* it became shorter while we read */
        done += (size_t)part;
    }
    int error = errno;
    close(file);
    errno = error;
    if (!text) return NULL;
    text[done] = 0;
    *length = done;
    return text;
}

bool cli_is_stream(const char *path)
{
    struct stat s;
    return strcmp(path, "-") == 0 || (stat(path, &s) == 0 && !S_ISREG(s.st_mode));
}

FILE *cli_stream_open(cli *c, const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? c->out : fopen(path, "w");
    if (!file) cli_fail_write(c, path, errno);
    return file;
}

/* "-" is c->out; anything else is written through perp_output, over a stream of its own. */
bool cli_sink_open(cli *c, const char *path, cli_sink *s)
{
    s->path = path;
    s->file = c->out;
    if (strcmp(path, "-") == 0) return true;
    s->file = NULL;
    if (perp_output_open(&s->out, path)) {
        int copy = fcntl(s->out.file, F_DUPFD_CLOEXEC, 3);
        s->file = copy < 0 ? NULL : fdopen(copy, "w");
        if (s->file) return true;
        int error = errno;
        if (copy >= 0) close(copy);
        perp_output_close(&s->out, false);
        errno = error;
    }
    return !cli_fail_write(c, path, errno);
}

/* Why an earlier write failed, which nobody noted: ask the disk for a byte more. */
static int find_error(const cli_sink *s)
{
    errno = EIO;
    return s->out.temporary[0] && perp_output_write(&s->out, "\n", 1) ? EIO : errno;
}

bool cli_sink_close(cli *c, cli_sink *s)
{
    if (s->file == c->out) return true; /* flushed, and looked at, when the command ends */
    bool good = fflush(s->file) == 0 && !ferror(s->file);
    int error = good ? 0 : find_error(s);
    if (fclose(s->file) && good) {
        good = false;
        error = errno;
    }
    bool closed = perp_output_close(&s->out, good);
    if (good && !closed) error = errno;
    return (good && closed) || !cli_fail_write(c, s->path, error);
}
