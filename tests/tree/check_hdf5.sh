#!/bin/sh
# tests/tree/check_hdf5.sh READELF PERP_HDF5: the program links HDF5 and no MPI, neither libmpi nor an HDF5
# that was built with it: Debian has the MPI build under the name hdf5 where PETSc is installed.
needed=$("$1" -d "$2" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p')
case $needed in
*hdf5*) ;;
*) echo "$2 does not link HDF5; it needs:" $needed && exit 1 ;;
esac
case $needed in
*libmpi* | *openmpi* | *mpich*) echo "$2 links MPI; it needs:" $needed && exit 1 ;;
esac
