#!/usr/bin/env python3
"""check_symbols.py LIBRARY ARCHIVE INCLUDE CC...: the shared library exports what the headers declare
with PERP_API, and nothing else, each with the version that src/perp.map gives it, and no data, whose
size a program would be linked with; every external symbol of the archive starts with perp_, so that
a static link into another program collides with nothing; constants of an enum start with its name."""
import re
import subprocess
import sys
from pathlib import Path

library, archive, include, *cc = sys.argv[1:]
MARK = r'__attribute__\(\(visibility\("default"\)\)\)'


def output(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def headers():
    unit = '#include "perp/perp.h"\n#include "perp/solver.h"\n'
    return output(*cc, '-E', '-P', '-x', 'c', '-I', include, '-', text=unit)


def declared(code):
    names = set()
    for declaration in re.findall(MARK + r'([^;]*);', code):
        # a function's name comes before its parenthesis, an object's is the last word
        found = re.search(r'(\w+)\s*\(', declaration) or re.search(r'(\w+)\s*(\[\w*\])?\s*$', declaration)
        names.add(found.group(1))
    return names


def defined(*arguments):
    """The names that `nm` finds defined; lines of fewer words name the members of an archive."""
    lines = output('nm', *arguments).splitlines()
    return {line.split()[2].split('@')[0] for line in lines if len(line.split()) == 3 and line.split()[1] != 'A'}


def misnamed(code):
    """Constants that do not start with the name of their enum; a status is the exception: its names
    are met in every line that calls perp."""
    for name, body in re.findall(r'enum (perp_\w+)\s*\{([^}]*)\}', code):
        prefix = re.sub(r'(?<=perp_\w)(\w*)_(kind|flags|format|type)$', r'\1', name).upper() + '_'
        for constant in re.findall(r'\b(PERP_\w+)\b(?=\s*[,=}]|\s*$)', body):
            if name != 'perp_status' and not constant.startswith(prefix):
                yield f'{constant} of the enum {name} does not start with {prefix}'


code = headers()
api, symbols = declared(code), defined('-D', '--defined-only', library)
listed = set(re.findall(r'^ +(perp_\w+);', (Path(include).parent / 'src/perp.map').read_text(), re.M))
exported = output('nm', '-D', '--defined-only', '--with-symbol-versions', library).splitlines()
bad = [f'{line.split()[2]} has no version' for line in exported if '@@PERP_' not in line and ' A ' not in line]
bad += [f'{line.split()[2]} is data' for line in exported if line.split()[1] not in 'TtAiW']
bad += [f'{name} is in src/perp.map or in the headers, but not in both' for name in sorted(listed ^ api)]
bad += misnamed(code)
for line in bad:
    print(line)
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
good = not bad and api and api == symbols and all(n.startswith('perp_') for n in api)
sys.exit(0 if good and external and not strangers else 1)
