/* tests/io/test_hdf5_wire.c: whole messages, however they are cut, and a peer that is gone. */
#include "io/hdf5_wire.h"
#include "support.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define LENGTH 3000000 /* more than a socket holds at a time */

static char out[LENGTH], in[LENGTH];

static void *send_all(void *data)
{
    int socket = *(int *)data;
    bool good = perp_hdf5_send(socket, out, LENGTH, -1) && perp_hdf5_send(socket, out, 0, -1);
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
    ck_assert(perp_hdf5_receive(pair[0], in, 1, -1));
    ck_assert(perp_hdf5_receive(pair[0], in + 1, LENGTH - 1, 60));
    ck_assert(!memcmp(in, out, LENGTH));
    ck_assert(!perp_hdf5_receive(pair[0], in, 1, 60)); /* the end */
    pthread_join(thread, &good);
    ck_assert_ptr_nonnull(good);
    ck_assert(!perp_hdf5_send(pair[0], out, 1, -1)); /* and no signal */
    close(pair[0]);
}
END_TEST

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A peer that is silent, sends a part alone, or takes nothing. */
START_TEST(time_limits)
{
    int pair[2];
    ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    double start = now();
    ck_assert(!perp_hdf5_receive(pair[0], in, 2, 0));
    ck_assert_int_eq(errno, ETIMEDOUT);
    ck_assert(!perp_hdf5_receive(pair[0], in, 2, 0.05));
    ck_assert_int_eq(errno, ETIMEDOUT);
    ck_assert(perp_hdf5_send(pair[1], out, 1, 0));
    ck_assert(!perp_hdf5_receive(pair[0], in, 2, 0.05));
    ck_assert_int_eq(errno, ETIMEDOUT);
    ck_assert(!perp_hdf5_send(pair[0], out, LENGTH, 0.05));
    ck_assert_int_eq(errno, ETIMEDOUT);
    ck_assert_double_ge(now() - start, 0.15);
    ck_assert_double_lt(now() - start, 10);
    close(pair[1]);
    ck_assert(!perp_hdf5_receive(pair[0], in, 1, 60));
    ck_assert_int_ne(errno, ETIMEDOUT);
    close(pair[0]);
    ck_assert(!perp_hdf5_receive(pair[0], in, 1, 60)); /* no socket at all */
    ck_assert(hdf5_all_seconds(0) > hdf5_work_seconds(0));
    ck_assert_uint_eq(hdf5_work_seconds((uint64_t)1 << 30), 2 + 128);
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
    tcase_add_test(t, time_limits);
    tcase_add_test(t, sizes);
    suite_add_tcase(s, t);
    return support_run(s);
}
