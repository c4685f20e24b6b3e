#!/bin/sh
# tests/tree/check_mingw.sh ROOT [FOLDER]: the sources of the library, of the generators and of the
# scenes are C that Windows' headers do for, but for src/base/posix.c and posix_output.c, in whose place
# another system has its own files. Syntax and types alone: nothing is linked or run, and FOLDER (build-mingw) has a
# link to the headers of SuiteSparse, so that no other header of this system is seen.
#
# Not looked at: formats, since `printf` in an attribute is the old msvcrt's there, which has no %zu;
# and doubles that become floats, since isnan() and its like are macros with a branch for each type.
set -u
root=$(cd "$1" && pwd) || exit 1
folder=${2:-build-mingw}
cc=x86_64-w64-mingw32-gcc
command -v $cc >/dev/null || { echo "$cc is not there" >&2; exit 1; }
mkdir -p "$folder/include" && folder=$(cd "$folder" && pwd) || exit 1
ln -sfn "${SUITESPARSE:-/usr/include/suitesparse}" "$folder/include/suitesparse"
cd "$root" || exit 1

warnings=$(sed -n "/^add_project_arguments(cc.get_supported_arguments(/,/language/p" meson.build |
    grep -o "'-W[a-z0-9=-]*'" | tr -d "'" | grep -v -E '^-W(format|comma|error)')
[ -n "$warnings" ] || { echo "no warnings found in meson.build" >&2; exit 1; }
sources=$(ls src/*/*.c | grep -v -e '^src/cli/' -e '^src/base/posix.*\.c$')
echo "$sources" | xargs -P "$(nproc)" -n 8 $cc -fsyntax-only -std=c11 -O1 -Wall -Wextra -Wpedantic \
    $warnings -Wno-float-conversion -Wno-format -Wno-format-extra-args -Werror \
    -DPERP_GPL -DPERP_MODULE_DIR='"C:/perp"' -Iinclude -Isrc -idirafter "$folder/include" || exit 1
echo "$(echo "$sources" | wc -l) files"
