#!/usr/bin/env python3
"""command.py PERP [MAN...]: the built command as its users call it: exit statuses, pipes, JSON,
errors, terminals, manual pages and completion."""
import csv
import io
import json
import os
import platform
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

PERP = os.path.abspath(sys.argv[1])
PAGES = [os.path.abspath(page) for page in sys.argv[2:]]
COMMANDS = ['list', 'info', 'solve', 'compare', 'certify', 'convert', 'generate']

EASY = '2\n0\n2\n2\n2\t2\n2 1\n1 2\n-5 -6\n'  # z = (4/3, 7/3)
NONE = '2\n0\n2\n2\n2\t2\n0 0\n0 1\n-1 -1\n'  # infeasible
CUT = '2\n0\n2\n2\n2\t2\n2 1\n1 x\n-5 -6\n'  # not a number in line 7
# Two readings: a dense LCP and a remark, or contacts in 2D, none of them, with a banner of numbers.
BOTH = ('2 0 2 2 2 2\n1 0 0 1 -5 -6\n2-by-2, nzmax: 0 nnz: 0, 1-norm: 0\ncol 0 : locations 0 to -1\n'
        'col 1 : locations 0 to -1\n0 2 0 2 0\n1.5 2.5\n')
# A mixed LCP with more equations than unknowns, whose first numbers are an LCP of one unknown.
TALL = ('1\n1\n1\n1\n0 1 2 \n0 1 \n0\n3\n2\n3\t2\n1 -2 3\n-1 -2 5\n0 4\n1\n5\n-1\n3\n0\n-8\n')


def perp(*arguments, stdin=None, env=None):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS='1', **(env or {}))
    run = subprocess.run([PERP, *arguments], input=stdin, capture_output=True, timeout=60,
                         env=environment, text=True)
    return run.returncode, run.stdout, run.stderr


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.easy = self.write('easy.dat', EASY)
        self.none = self.write('none.dat', NONE)
        self.cut = self.write('cut.dat', CUT)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), 'w') as f:
            f.write(text)
        return self.path(name)

    def wrong(self, says, *arguments, **more):
        """Refused: status 2, nothing on standard output, one line that says it."""
        status, out, err = perp(*arguments, **more)
        self.assertEqual((status, out), (2, ''), err)
        self.assertIn(says, err)
        self.assertEqual(err.count('\n'), 1, err)

    # ---- what a .dat file holds

    def test_kind(self):
        """A file that reads in two ways is what --kind says; no kind makes numbers a remark."""
        both = self.write('both.dat', BOTH)
        tall = self.write('tall.dat', TALL)
        z = self.write('z.txt', '5 6')
        for command, *more in (['solve'], ['info'], ['certify', z], ['convert', '-']):
            self.wrong('reads as an LCP with n = 2 and as frictional contact in 2D (GFC2D); say --',
                       command, both, *more)
            self.wrong('a mixed LCP (MLCP) whose M is 3 x 2', command, tall, *more)
            self.wrong('22 numbers are left behind an LCP', command, '--kind=lcp', tall, *more)
            status, out, err = perp(command, '--kind=lcp', both, *more)
            self.assertEqual(status, 0, out + err)
        _, out, _ = perp('compare', '-s', 'lcp/lemke', '--csv=-', both, tall)
        self.assertEqual([row['status'] for row in csv.DictReader(io.StringIO(out))],
                         ['bad_file'] * 2, out)
        _, out, _ = perp('compare', '-s', 'lcp/lemke', '--csv=-', '--kind=lcp', both)
        self.assertEqual([row['status'] for row in csv.DictReader(io.StringIO(out))], ['solved'])

    # ---- help

    def test_help(self):
        for command in COMMANDS:
            status, out, err = perp(command, '--help')
            self.assertEqual((status, err), (0, ''))
            self.assertTrue(out.startswith(f'Usage: perp {command} [OPTION]... '), out)
            self.assertIn('--help', out)
        status, out, _ = perp('--help')
        self.assertEqual(status, 0)
        for command in COMMANDS:
            self.assertIn(f'\n  {command} ', out)

    def test_version(self):
        status, out, _ = perp('--version')
        self.assertEqual(status, 0)
        self.assertRegex(out, r'^perp \d+\.\d+\.\d+\nBuilt with:\n')

    def test_nothing_asked(self):
        status, out, err = perp()
        self.assertEqual((status, out), (2, ''))
        self.assertIn('Usage:', err)

    # ---- solving

    def test_json_has_what_programs_read(self):
        status, out, err = perp('solve', '--json', self.easy)
        self.assertEqual((status, err), (0, ''))
        result = json.loads(out)
        for key in 'problem kind n solver status residual iterations seconds'.split():
            self.assertIn(key, result)
        self.assertEqual((result['kind'], result['n'], result['status']), ('lcp', 2, 'solved'))
        self.assertLessEqual(result['residual'], 1e-8)

    def test_exit_statuses(self):
        self.assertEqual(perp('solve', self.easy)[0], 0)
        self.assertEqual(perp('solve', self.none)[0], 1)
        self.assertEqual(perp('solve', self.cut)[0], 2)
        self.assertEqual(perp('solve', self.easy, self.none)[0], 1)
        status, out, err = perp('solve', '--json', self.cut, self.easy, self.none)
        self.assertEqual(status, 2)
        self.assertEqual([json.loads(line)['n'] for line in out.splitlines()], [2, 2])
        self.assertIn('cut.dat:7: ', err)

    def test_infinite_numbers_are_null(self):
        status, out, _ = perp('solve', '--json', '-s', 'lcp/psor', self.none)
        result = json.loads(out)
        self.assertNotEqual(status, 0)
        self.assertNotEqual(result['status'], 'solved')

    def test_csv(self):
        _, out, _ = perp('solve', '--csv', self.easy, self.none)
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([row['status'] == 'solved' for row in rows], [True, False])
        self.assertGreaterEqual(float(rows[0]['seconds']), 0)

    def test_names_that_need_quotes(self):
        odd = self.write('a "b",\\c.dat', EASY)
        _, out, _ = perp('solve', '--json', odd)
        self.assertEqual(json.loads(out)['file'], odd)
        _, out, _ = perp('solve', '--csv', odd)
        self.assertEqual(len(next(csv.DictReader(io.StringIO(out)))), 10)
        bytes_name = os.fsencode(self.folder) + b'/\xff.dat'
        shutil.copy(self.easy, bytes_name)
        run = subprocess.run([PERP, 'solve', '--json', bytes_name], capture_output=True)
        self.assertEqual(json.loads(run.stdout)['status'], 'solved')

    # ---- kernels of BLAS

    def kernels(self, **env):
        _, out, _ = perp('--version', env=env)
        found = [line for line in out.splitlines() if 'BLAS kernels' in line]
        return found[0].split('kernels ', 1)[1] if found else None

    def test_kernels_suit_the_processor(self):
        flags = open('/proc/cpuinfo').read() if os.path.exists('/proc/cpuinfo') else ''
        if ' avx2 ' not in flags or ' fma ' not in flags or platform.machine() != 'x86_64':
            self.skipTest('no x86-64 with AVX2')
        if 'OpenBLAS' not in perp('--version')[1]:
            self.skipTest('no OpenBLAS')
        self.assertNotIn('OPENBLAS_CORETYPE=', self.kernels())  # mended, or right from the start
        old = self.kernels(OPENBLAS_CORETYPE='Prescott')  # as its user wants it
        if old.startswith('Prescott'):  # built for several processors
            best = 'SkylakeX' if ' avx512vl ' in flags else 'Haswell'
            self.assertIn('set OPENBLAS_CORETYPE=' + best, old)
            self.assertNotIn('chosen by perp', old)
            status, out, _ = perp('compare', self.easy, '-s', 'lemke', '--csv', '-',
                                  env={'OPENBLAS_CORETYPE': 'Prescott'})
            self.assertIn('Prescott kernels', out)

    # ---- pipes

    def test_standard_input_and_output(self):
        status, out, _ = perp('solve', '--json', '-', stdin=EASY)
        self.assertEqual((status, json.loads(out)['status']), (0, 'solved'))
        status, z, err = perp('solve', '-o', '-', self.easy)
        self.assertEqual([round(float(x), 9) for x in z.split()[-2:]], [1.333333333, 2.333333333])
        self.assertIn('solved', err)
        status, out, _ = perp('certify', self.easy, '-', stdin=z)
        self.assertEqual(status, 0, out)
        self.wrong('standard input:7: ', 'info', '-', stdin=CUT)

    def test_a_closed_pipe_is_no_noise(self):
        read, write = os.pipe()
        os.close(read)
        run = subprocess.run([PERP, 'list'], stdout=write, stderr=subprocess.PIPE)
        os.close(write)
        self.assertEqual(run.stderr, b'')

    def test_a_full_disk_is_an_error(self):
        if not os.path.exists('/dev/full'):
            self.skipTest('no /dev/full')
        with open('/dev/full', 'w') as full:
            run = subprocess.run([PERP, 'list'], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn('standard output: ', run.stderr)

    def test_double_dash(self):
        shutil.copy(self.easy, self.path('--json'))
        run = subprocess.run([PERP, 'solve', '--', '--json'], capture_output=True, text=True,
                             cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('status     solved', run.stdout)

    # ---- errors

    def test_misspellings_get_the_nearest(self):
        self.wrong("did you mean 'solve'?", 'slove', self.easy)
        self.wrong("did you mean '--max-iter'?", 'solve', '--max-itr=3', self.easy)
        self.wrong("did you mean 'lcp/psor'?", 'solve', '-s', 'lcp/psro', self.easy)
        self.wrong("did you mean 'omega'?", 'solve', '-s', 'lcp/psor:omgea=1', self.easy)
        self.wrong("did you mean 'lcp'?", 'list', 'lpc')
        self.wrong("did you mean 'siconos'?", 'convert', '--to=siconso', self.easy, '-')

    def test_bad_files(self):
        self.wrong('cut.dat:7: ', 'solve', self.cut)
        self.wrong('nothing.dat: ', 'solve', self.path('nothing.dat'))
        self.wrong(self.folder, 'solve', self.folder)
        self.wrong('empty.dat', 'info', self.write('empty.dat', ''))
        self.wrong('huge.dat', 'info', self.write('huge.dat', '2000000000\n0\n'))
        self.wrong('expected FILE', 'solve')

    def test_nothing_is_written_when_it_fails(self):
        self.wrong('cut.dat:7: ', 'convert', self.cut, self.path('out.dat'))
        self.wrong('out.qps', 'convert', self.easy, self.path('out.qps'))
        self.assertEqual(sorted(os.listdir(self.folder)), ['cut.dat', 'easy.dat', 'none.dat'])

    # ---- other commands

    def test_info_json(self):
        status, out, _ = perp('info', '--json', self.easy, self.none)
        first, second = map(json.loads, out.splitlines())
        self.assertEqual(status, 0)
        self.assertEqual((first['kind'], first['matrices'][0]['rank']), ('lcp', 2))
        self.assertAlmostEqual(first['matrices'][0]['condition'], 3)
        self.assertEqual((second['matrices'][0]['rank'], second['matrices'][0]['condition']),
                         (1, None))

    def test_list_json(self):
        _, out, _ = perp('list', '--json')
        solvers = [json.loads(line) for line in out.splitlines()]
        self.assertIn('lcp/psor', [s['solver'] for s in solvers])
        for s in solvers:
            self.assertIn('tol', [o['name'] for o in s['options']])
            self.assertEqual(perp('list', s['solver'])[0], 0)

    def test_certify_json(self):
        z = self.write('z.txt', '1.3 2.3\n')
        status, out, _ = perp('certify', '--json', self.easy, z)
        verdict = json.loads(out)
        self.assertEqual((status, verdict['status']), (1, 'uncertified'))
        self.assertAlmostEqual(verdict['residual'], (0.02 / 61) ** 0.5)

    def test_convert(self):
        again = self.path('again.dat')
        self.assertEqual(perp('convert', self.easy, again), (0, '', ''))
        status, out, _ = perp('convert', '--to', 'siconos', again, '-')
        with open(again) as f:
            self.assertEqual((status, out), (0, f.read()))

    # ---- terminals

    def terminal(self, *arguments, **env):
        try:
            main, other = pty.openpty()
        except OSError as e:
            self.skipTest(f'no terminal to be had: {e}')
        environment = dict(os.environ, TERM='xterm', **env)
        environment = {k: v for k, v in environment.items() if v is not None}
        subprocess.run([PERP, *arguments], stdout=other, stderr=other, env=environment)
        os.close(other)
        text = b''
        try:
            while piece := os.read(main, 65536):
                text += piece
        except OSError:  # how a terminal ends
            pass
        os.close(main)
        return text.decode()

    def test_colours_on_a_terminal_only(self):
        self.assertIn('\033[32m', self.terminal('solve', self.easy, NO_COLOR=None))
        self.assertNotIn('\033[', self.terminal('solve', self.easy, NO_COLOR='1'))
        self.assertNotIn('\033[', perp('solve', self.easy)[1])

    # ---- generated files

    def test_pages(self):
        names = [os.path.basename(page) for page in PAGES]
        for command in COMMANDS:
            self.assertIn(f'perp-{command}.1', names)
        for page in PAGES if shutil.which('man') and shutil.which('groff') else []:
            run = subprocess.run(['man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', page],
                                 capture_output=True, text=True)
            self.assertEqual(run.stderr, '', page)

    def complete(self, line):
        """What bash offers at the end of the line; it splits words at '=' itself."""
        words = line.replace('=', ' = ').split(' ')
        script = (f'source <({PERP} --completion); COMP_WORDS=({" ".join(map(repr, words))}); '
                  f'COMP_CWORD={len(words) - 1}; _perp; echo "${{COMPREPLY[@]}}"')
        run = subprocess.run(['bash', '-c', script], capture_output=True, text=True)
        self.assertEqual(run.stderr, '')
        return run.stdout.split()

    def test_completion(self):
        if not shutil.which('bash'):
            self.skipTest('no bash')
        self.assertEqual(self.complete('perp so'), ['solve'])
        self.assertEqual(self.complete('perp solve --max-i'), ['--max-iter'])
        self.assertEqual(self.complete('perp solve -s lcp/ps'), ['lcp/psor'])
        self.assertEqual(self.complete('perp solve --solver=lcp/ps'), ['lcp/psor'])
        self.assertEqual(self.complete('perp certify --claim inf'), ['infeasible'])
        self.assertEqual(self.complete('perp list lcp/en'), ['lcp/enumerate'])
        self.assertEqual(self.complete('perp solve --kind=nn'), ['nnls'])
        self.assertEqual(self.complete('perp solve -o z'), [])  # files are bash's own


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1], verbosity=1)
