/* tests/io/test_hdf5_wire.c: how long messages are, and how long a program may take for a file. */
#include "io/hdf5_wire.h"
#include "support.h"

START_TEST(sizes)
{
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_INTS, 3), 3 * sizeof(int));
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_REALS, 3), 3 * sizeof(double));
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_TEXT, 3), 3);
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_GROUP, 3), 0);
    ck_assert_uint_eq(hdf5_bytes(PERP_HDF5_OTHER, 3), 0);
}
END_TEST

START_TEST(seconds)
{
    ck_assert(hdf5_all_seconds(0) > hdf5_work_seconds(0));
    ck_assert_uint_eq(hdf5_work_seconds((uint64_t)1 << 30), 2 + 128);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_hdf5_wire");
    TCase *t = tcase_create("all");
    tcase_add_test(t, sizes);
    tcase_add_test(t, seconds);
    suite_add_tcase(s, t);
    return support_run(s);
}
