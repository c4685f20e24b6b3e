#!/bin/sh
# tests/tree/check_headers.sh ROOT: each installed header compiles alone, without a warning, as C11 and
# as C++17 (those of C++ as that alone), with every compiler that is here.
set -u
cd "$1" || exit 1
tried=0
bad=0
for compiler in "gcc -std=c11 -x c" "clang -std=c11 -x c" "g++ -std=c++17 -x c++" \
    "clang++ -std=c++17 -x c++"; do
    if ! command -v "${compiler%% *}" >/dev/null; then
        echo "skipped: ${compiler%% *} is not here"
        continue
    fi
    tried=1
    headers=$(ls include/perp/*.h)
    case $compiler in *++*) headers="$headers $(ls include/perp/*.hpp include/perp/cpp/*.hpp)" ;; esac
    for header in $headers; do
        # twice: the guard works too
        printf '#include "%s"\n#include "%s"\nint perp_nothing;\n' "${header#include/}" \
            "${header#include/}" |
            $compiler -pedantic -Wall -Wextra -Werror -Iinclude -fsyntax-only - ||
            { echo "failed: $compiler $header"; bad=1; }
    done
done
[ $tried = 1 ] || exit 77
exit $bad
