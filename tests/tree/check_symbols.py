#!/usr/bin/env python3
"""check_symbols.py LIBRARY ARCHIVE INCLUDE CC...: the shared library exports what the headers declare
with PERP_API, and nothing else; every external symbol of the archive starts with perp_, so that a
static link into another program collides with nothing."""
import re
import subprocess
import sys

library, archive, include, *cc = sys.argv[1:]
MARK = r'__attribute__\(\(visibility\("default"\)\)\)'


def output(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def declared():
    unit = '#include "perp/perp.h"\n#include "perp/solver.h"\n'
    code = output(*cc, '-E', '-P', '-x', 'c', '-I', include, '-', text=unit)
    names = set()
    for declaration in re.findall(MARK + r'([^;]*);', code):
        # a function's name comes before its parenthesis, an object's is the last word
        found = re.search(r'(\w+)\s*\(', declaration) or re.search(r'(\w+)\s*(\[\w*\])?\s*$', declaration)
        names.add(found.group(1))
    return names


def defined(*arguments):
    """The names that `nm` finds defined; lines of fewer words name the members of an archive."""
    lines = output('nm', *arguments).splitlines()
    return {line.split()[2].split('@')[0] for line in lines if len(line.split()) == 3}


api, symbols = declared(), defined('-D', '--defined-only', library)
external = defined('-g', '--defined-only', archive)
for name in sorted(symbols - api):
    print(f'{name} is exported but not declared with PERP_API')
for name in sorted(api - symbols):
    print(f'{name} is declared with PERP_API but not exported')
for name in sorted(n for n in api if not n.startswith('perp_')):
    print(f'{name} does not start with perp_')
strangers = sorted(n for n in external if not n.startswith('perp_'))
for name in strangers:
    print(f'{name} is an external symbol of the archive without perp_')
print(f'{len(symbols)} symbols exported, {len(api)} declared, {len(external)} external in the archive')
good = api and api == symbols and all(n.startswith('perp_') for n in api)
sys.exit(0 if good and external and not strangers else 1)
