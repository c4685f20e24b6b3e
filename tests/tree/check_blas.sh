#!/bin/sh
# tests/tree/check_blas.sh FILE...: programs and libraries of a build with -Dblas=reference load the
# LAPACK of netlib and no OpenBLAS, what SuiteSparse needs included.
set -u
for file in "$@"; do
    loaded=$(ldd "$file") || exit 1
    echo "$loaded" | grep -q /lapack/liblapack || { echo "$file loads no reference LAPACK"; exit 1; }
    if echo "$loaded" | grep openblas; then echo "$file loads it" && exit 1; fi
done
