/* tests/test_io_hdf5_wire.c: whole messages, however they are cut, and a peer that is gone. */
#include "io/hdf5_wire.h"
#include "support.h"

#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LENGTH 3000000 /* more than a socket holds at a time */

static char out[LENGTH], in[LENGTH];

static void *send_all(void *data)
{
    int socket = *(int *)data;
    bool good = perp_hdf5_send(socket, out, LENGTH) && perp_hdf5_send(socket, out, 0);
    close(socket);
    return good ? data : NULL;
}

START_TEST(whole)
{
    int pair[2];
    pthread_t thread;
    void *good;
    for (int k = 0; k < LENGTH; k++) out[k] = (char)(k * 31 >> 3);
    ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    ck_assert(!pthread_create(&thread, NULL, send_all, &pair[1]));
    ck_assert(perp_hdf5_receive(pair[0], in, 1));
    ck_assert(perp_hdf5_receive(pair[0], in + 1, LENGTH - 1));
    ck_assert(!memcmp(in, out, LENGTH));
    ck_assert(!perp_hdf5_receive(pair[0], in, 1)); /* the end */
    pthread_join(thread, &good);
    ck_assert_ptr_nonnull(good);
    ck_assert(!perp_hdf5_send(pair[0], out, 1)); /* and no signal */
    close(pair[0]);
}
END_TEST

START_TEST(sizes)
{
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_INTS, 3), 3 * sizeof(int));
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_REALS, 3), 3 * sizeof(double));
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_TEXT, 3), 3);
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_GROUP, 3), 0);
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_OTHER, 3), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_hdf5_wire");
    TCase *t = tcase_create("all");
    tcase_add_test(t, whole);
    tcase_add_test(t, sizes);
    suite_add_tcase(s, t);
    return support_run(s);
}
