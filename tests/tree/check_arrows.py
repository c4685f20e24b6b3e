#!/usr/bin/env python3
"""check_arrows.py ROOT ARCHIVE: every arrow between the folders of src points down.

A folder includes headers, and calls functions, of its own and of the folders below it (BELOW). The
registry and the chains of solvers name the options objects of solvers, which are public data:
these are no arrows. No two headers define a type of one name, and no source file a type that a
header has."""
import collections
import pathlib
import re
import subprocess
import sys

BELOW = {
    'base': '',
    'linalg': 'base',
    'method': 'base linalg',
    'core': 'base linalg method',
    'lcp': 'base linalg method core',
    'ncp': 'base linalg method core',
    'fc3d': 'base linalg method core',
    'cone': 'base linalg method core',
    'qp': 'base linalg method core',
    'rigid': 'base linalg method core',
    'io': 'base core',
    'generate': '',
    'simulate': '',
    'cli': 'base linalg method core io rigid generate simulate',
}


def may(user, used):
    return user == used or used in BELOW[user].split()


def bad_includes(src):
    for file in sorted(src.glob('*/*.[ch]')):
        user = file.parent.name
        for name in re.findall(r'#include "([^"]+)"', file.read_text()):
            if name.startswith('perp/') or (file.parent / name).exists():
                continue
            used = name.split('/')[0]
            if '/' in name and not (src / name).exists():
                yield f'src/{user}/{file.name} includes "{name}", which is not in src'
            elif used in BELOW and not may(user, used):
                yield f'src/{user}/{file.name} includes "{name}": src/{user} may use {BELOW[user] or "perp/perp.h alone"}'


def bad_symbols(root, archive):
    rows = re.findall(r'^PERP_SOLVER\((\w+), *(\w+)\)', (root / 'include/perp/solvers.def').read_text(), re.M)
    options = {f'perp_{family}_{name}' for family, name in rows}
    home, wants = {}, []
    lines = subprocess.run(['nm', '-A', archive], capture_output=True, text=True, check=True).stdout
    for line in lines.splitlines():
        where = re.search(r':src_([a-z0-9]+)_(\w+)\.c\.o:', line)
        word = line.split()
        if not where or len(word) < 2:
            continue
        kind, symbol = word[-2], word[-1]
        if kind == 'U':
            wants.append((where.group(1), where.group(2), symbol))
        elif kind.isupper():
            home[symbol] = where.group(1)
    if not home:
        yield f'{archive} has no objects of src'
    for user, file, symbol in wants:
        used = home.get(symbol)
        if used and symbol not in options and not may(user, used):
            yield f'src/{user}/{file}.c calls {symbol} of src/{used}'


def bad_types(src):
    define = re.compile(r'^(?:typedef )?(?:struct|union|enum) (\w+) \{', re.M)
    headers = collections.defaultdict(list)
    for file in sorted(src.glob('*/*.h')) + sorted((src.parent / 'include/perp').glob('*.h')):
        for name in define.findall(file.read_text()):
            headers[name].append(str(file.relative_to(src.parent)))
    for name, files in headers.items():
        if len(files) > 1:
            yield f'type {name} is defined in ' + ' and in '.join(files)
    for file in sorted(src.glob('*/*.c')):
        for name in define.findall(file.read_text()):
            if name in headers:
                yield f'type {name} of {headers[name][0]} is defined again in {file.relative_to(src.parent)}'


root, archive = pathlib.Path(sys.argv[1]), sys.argv[2]
faults = [*bad_includes(root / 'src'), *bad_symbols(root, archive), *bad_types(root / 'src')]
print('\n'.join(faults) or 'every arrow points down')
sys.exit(1 if faults else 0)
