#!/bin/bash
# tests/tree/check_libdir.sh SOURCE: tools/libdir on a Debian with and without dpkg-dev, and elsewhere.
set -euo pipefail
libdir=$1/tools/libdir
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#!/bin/sh\n[ "$1" = -print-multiarch ] && echo machine-linux-gnu\n' >"$work/gcc"
chmod +x "$work/gcc"
touch "$work/debian"

expect() { # expect WORDS FILE
    said=$(PATH=$work /bin/sh "$libdir" "$2")
    [ "$said" = "$1" ] || { echo "check_libdir: '$said', expected '$1'" >&2; exit 1; }
}
expect -Dlibdir=lib/machine-linux-gnu "$work/debian"
expect "" "$work/none"
printf '#!/bin/sh\n' >"$work/gcc" # a compiler that does not know
expect "" "$work/debian"
printf '#!/bin/sh\necho machine-linux-gnu\n' >"$work/gcc"
cp "$work/gcc" "$work/dpkg-architecture"
expect "" "$work/debian"
