/* io/hdf5.c: the calls of hdf5.h, each a request to the program and its answer.
 *
 * A call on a fallen process fails at once, and a process that takes longer than it may is fallen.
 */
#include "hdf5.h"
#include "base/system.h"
#include "hdf5_wire.h"

#include <stdio.h>
#include <string.h>

#define GREETING 10.0 /* seconds for the program to start; it takes milliseconds */
#define MARGIN 10.0   /* seconds beyond those that the program allows itself */

static double patience(const perp_hdf5 *h, size_t bytes)
{
    return MARGIN + hdf5_all_seconds((uint64_t)h->bytes + bytes);
}

static bool ask(perp_hdf5 *h, hdf5_request request, const char *path, const void *data,
                hdf5_answer *answer)
{
    size_t bytes = request.call == HDF5_OPEN    ? (size_t)request.length
                   : request.call == HDF5_WRITE ? hdf5_bytes(request.type, (size_t)request.length)
                                                : 0;
    request.path = strlen(path);
    *answer = (hdf5_answer){0};
    if (request.path >= HDF5_PATH) return false;
    const double seconds = patience(h, bytes);
    if (!h->fallen)
        h->fallen = !perp_socket_send(h->socket, &request, sizeof request, seconds) ||
                    !perp_socket_send(h->socket, path, (size_t)request.path, seconds) ||
                    !perp_socket_send(h->socket, data, bytes, seconds) ||
                    !perp_socket_receive(h->socket, answer, sizeof *answer, seconds);
    return !h->fallen;
}

static bool receive(perp_hdf5 *h, void *out, size_t bytes)
{
    if (!h->fallen) h->fallen = !perp_socket_receive(h->socket, out, bytes, patience(h, bytes));
    return !h->fallen;
}

/* Start the program and have it begin with a file. */
static bool begin(perp_hdf5 *h, hdf5_request request, const void *bytes, const char *failure,
                  char why[PERP_HDF5_WHY])
{
    hdf5_answer answer;
    if (!perp_hdf5_start(h, GREETING, why)) return false;
    if (ask(h, request, "", bytes, &answer) && answer.value == 1) return true;
    snprintf(why, PERP_HDF5_WHY, "%s%s", failure, h->fallen ? " (it fell)" : "");
    perp_hdf5_end(h);
    return false;
}

bool perp_hdf5_open(perp_hdf5 *h, const void *bytes, size_t length, char why[PERP_HDF5_WHY])
{
    *h = (perp_hdf5){.socket = -1, .bytes = length};
    hdf5_request request = {.call = HDF5_OPEN, .length = length};
    return begin(h, request, bytes, "HDF5 cannot open it: truncated or damaged", why);
}

bool perp_hdf5_create(perp_hdf5 *h, char why[PERP_HDF5_WHY])
{
    *h = (perp_hdf5){.socket = -1};
    hdf5_request request = {.call = HDF5_CREATE};
    return begin(h, request, NULL, "HDF5 cannot make a file in memory", why);
}

/* A number takes 4 bytes of the file at least. */
static bool is_possible(const perp_hdf5 *h, perp_hdf5_type type, uint64_t length)
{
    if (type == PERP_HDF5_INTS || type == PERP_HDF5_REALS)
        return length <= hdf5_most_bytes(h->bytes) / 4;
    return type == PERP_HDF5_TEXT ? length <= h->bytes : length == 0;
}

perp_hdf5_type perp_hdf5_find(perp_hdf5 *h, const char *path, size_t *length)
{
    hdf5_answer answer;
    *length = 0;
    if (!ask(h, (hdf5_request){.call = HDF5_FIND}, path, NULL, &answer)) return PERP_HDF5_OTHER;
    if (answer.value >= PERP_HDF5_OTHER) return PERP_HDF5_OTHER;
    perp_hdf5_type type = (perp_hdf5_type)answer.value;
    if (!is_possible(h, type, answer.length)) return PERP_HDF5_OTHER;
    *length = (size_t)answer.length;
    return type;
}

bool perp_hdf5_read(perp_hdf5 *h, const char *path, perp_hdf5_type type, size_t length, void *out)
{
    hdf5_answer answer;
    hdf5_request request = {.call = HDF5_READ, .type = type, .length = length};
    return ask(h, request, path, NULL, &answer) && answer.value == 1 &&
           receive(h, out, hdf5_bytes(type, length));
}

bool perp_hdf5_write(perp_hdf5 *h, const char *path, perp_hdf5_type type, size_t length,
                     const void *data)
{
    hdf5_answer answer;
    hdf5_request request = {.call = HDF5_WRITE, .type = type, .length = length};
    return ask(h, request, path, data, &answer) && answer.value == 1;
}

size_t perp_hdf5_image(perp_hdf5 *h, void *out, size_t length)
{
    hdf5_answer answer;
    hdf5_request request = {.call = out ? HDF5_IMAGE : HDF5_SIZE, .length = length};
    if (!ask(h, request, "", NULL, &answer)) return 0;
    if (!out) return (size_t)answer.length;
    return answer.value == 1 && receive(h, out, length) ? length : 0;
}

void perp_hdf5_close(perp_hdf5 *h)
{
    perp_hdf5_end(h);
}
