#!/bin/sh
# tests/tree/check_tree.sh ROOT: what holds for the tree as a whole. Every source file has its test
# file, which the build runs; files stay short; of the library, the generators and the scenes only
# src/base/posix.c and posix_output.c include headers of the operating system.
set -u
cd "$1" || exit 1
bad=0
complain() { echo "$*"; bad=1; }

for source in src/*/*.c; do
    [ "$source" = src/cli/main.c ] && continue # tests/cli runs the program
    folder=${source#src/} folder=${folder%%/*}
    name=${source##*/} name=${name%.c}
    [ -f "tests/$folder/test_$name.c" ] || complain "$source has no tests/$folder/test_$name.c"
done

listed=$(cat meson.build)
for source in src/cli/*.c; do
    case $listed in
    *"'$source'"*) ;;
    *) complain "$source is not in meson.build" ;;
    esac
done

# The binding is on the API alone, and on the families of problems.
grep -n '^ *# *include *"' python/src/*.[ch] | grep -v -E -e '"(binding|generate)\.h"' &&
    complain "a binding uses include/perp alone"

wc -l src/*/*.[ch] python/*/*.[chp]* include/perp/*.h include/perp/*.hpp include/perp/*/*.hpp tests/*/*.[ch] benchmarks/*.[ch] benchmarks/*.cpp |
    awk '$2 != "total" && $1 > 500 { print $2 " has " $1 " lines; 500 is the limit"; bad = 1 }
         END { exit bad }' || bad=1

standard='assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg'
standard="$standard|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|time|immintrin"
grep -n '^ *# *include *<' src/*/*.[ch] include/perp/*.h |
    grep -v -E -e '^src/(cli/|base/posix(_output)?\.c)' -e "<($standard)\.h>" -e '<(suitesparse/|ode/)' &&
    complain "these headers are not the C library's; src/base/system.h has what the system does"

exit $bad
