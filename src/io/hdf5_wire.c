/* io/hdf5_wire.c: whole messages over a socket; also compiled into the program perp_hdf5. */
#include "hdf5_wire.h"

#include <errno.h>
#include <sys/socket.h>

/* A peer that is gone is an answer here, not a signal. */
bool perp_hdf5_send(int socket, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes) {
        ssize_t sent = send(socket, at, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

bool perp_hdf5_receive(int socket, void *data, size_t bytes)
{
    char *at = data;
    while (bytes) {
        ssize_t got = recv(socket, at, bytes, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}
