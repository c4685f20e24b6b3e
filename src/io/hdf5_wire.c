/* io/hdf5_wire.c: whole messages over a socket, within a time; also compiled into the program
 * perp_hdf5. */
#include "hdf5_wire.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wait for `events`. False: the time is over, and errno is ETIMEDOUT, or the socket is no good. */
static bool wait_until(double end, int socket, short events)
{
    struct pollfd p = {.fd = socket, .events = events};
    for (;;) {
        double left = end - now();
        if (left <= 0) {
            errno = ETIMEDOUT;
            return false;
        }
        int ready = poll(&p, 1, left < 1e6 ? (int)(left * 1000) + 1 : 1000000000);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

/* Call again after this failure? A time limit makes calls return that would wait. */
static bool is_retried(double end, int socket, short events)
{
    if (errno == EINTR) return true;
    return (errno == EAGAIN || errno == EWOULDBLOCK) && wait_until(end, socket, events);
}

/* A peer that is gone is an answer here, not a signal. */
bool perp_hdf5_send(int socket, const void *data, size_t bytes, double seconds)
{
    const char *at = data;
    const int flags = MSG_NOSIGNAL | (seconds >= 0 ? MSG_DONTWAIT : 0);
    const double end = now() + seconds;
    while (bytes) {
        ssize_t sent = send(socket, at, bytes, flags);
        if (sent < 0 && is_retried(end, socket, POLLOUT)) continue;
        if (sent <= 0) return false;
        at += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

bool perp_hdf5_receive(int socket, void *data, size_t bytes, double seconds)
{
    char *at = data;
    const int flags = seconds >= 0 ? MSG_DONTWAIT : 0;
    const double end = now() + seconds;
    while (bytes) {
        ssize_t got = recv(socket, at, bytes, flags);
        if (got < 0 && is_retried(end, socket, POLLIN)) continue;
        if (got == 0) errno = ECONNRESET;
        if (got <= 0) return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}
