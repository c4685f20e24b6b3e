/* tests/cli/lapack.c: a program that only links LAPACK, to compare start-up with. */
#include "linalg/lapack.h"

int main(void)
{
    double A[] = {2, 1, 1, 2};
    int n = 2, pivot[2], info;
    dgetrf_(&n, &n, A, &n, pivot, &info);
    return info;
}
