#!/usr/bin/env python3
"""surroundings.py PERP: the built command where things go wrong around it: signals, kills, full
disks, limits, streams without an end, two at a time on one file, and a locale with a comma."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PERP = os.path.abspath(sys.argv[1])
ENVIRONMENT = dict(os.environ, OPENBLAS_NUM_THREADS='1')


def perp(*arguments, seconds=60, env=None, before=None, **more):
    return subprocess.run([PERP, *map(str, arguments)], capture_output=True, timeout=seconds, text=True,
                          env=dict(ENVIRONMENT, **(env or {})), preexec_fn=before, **more)


def read(path, mode='r'):
    with open(path, mode) as f:
        return f.read()


def default_signals():
    """A shell's background ignores Ctrl-C, and so may whoever runs the tests."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Surroundings(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.dense = self.path('dense.perp')
        done = perp('generate', 'pd', '--size=60', '-o', self.dense)
        self.assertEqual(done.returncode, 0, done.stderr)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def leftovers(self):
        return [name for name in os.listdir(self.folder) if '.tmp' in name or name.endswith('.lock')]

    # ---- signals

    def long_solve(self, *arguments):
        """A solve of some minutes, under way."""
        large = self.path('large.perp')
        if not os.path.exists(large):
            # Lemke's path has 2^n pivots here
            done = perp('generate', 'murty', '--size=28', '-o', large)
            self.assertEqual(done.returncode, 0, done.stderr)
        process = subprocess.Popen(
            [PERP, 'solve', '-v', '-s', 'lcp/lemke:max_iter=2000000000', *arguments, large, self.dense],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
            preexec_fn=default_signals)
        self.assertIn('estimate', process.stderr.readline())  # the first iteration
        return process

    def test_a_signal_cancels_and_the_best_is_printed(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.long_solve('--json')
            began = time.monotonic()
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - began, 20)
            self.assertEqual(process.returncode, 128 + number, err)
            lines = out.splitlines()
            self.assertEqual(len(lines), 1)  # the second file is not begun
            self.assertEqual(json.loads(lines[0])['status'], 'cancelled')

    def test_the_result_of_a_cancelled_solve_is_saved(self):
        large, z = self.path('large.perp'), self.path('z')
        perp('generate', 'murty', '--size=28', '-o', large)
        process = subprocess.Popen(
            [PERP, 'solve', '-v', '-s', 'lcp/lemke:max_iter=2000000000', '-o', z, large],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
            preexec_fn=default_signals)
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        numbers = [line for line in read(z).splitlines() if not line.startswith('#')]
        self.assertEqual(len(' '.join(numbers).split()), 28)

    def test_what_is_ignored_stays_ignored(self):
        large = self.path('large.perp')
        perp('generate', 'murty', '--size=28', '-o', large)
        process = subprocess.Popen(
            [PERP, 'solve', '-v', '-T', '1', '-s', 'lcp/lemke:max_iter=2000000000', large],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertIn('max_seconds', out)
        self.assertEqual(process.returncode, 1)

    def test_waiting_for_input_ends_at_once(self):
        process = subprocess.Popen([PERP, 'solve', '-'], stdin=subprocess.PIPE, env=ENVIRONMENT,
                                   preexec_fn=default_signals)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), -signal.SIGINT)
        process.stdin.close()

    # ---- kills and full disks

    def test_killed_at_any_moment_it_leaves_a_whole_file(self):
        source, target = self.path('a.perp'), self.path('b.perp')
        contents = []
        for k in range(2):
            done = perp('generate', 'pd', '--size=120', f'--seed={k}', '-o', source)
            self.assertEqual(done.returncode, 0, done.stderr)
            os.rename(source, self.path(f'{k}.perp'))
            perp('convert', self.path(f'{k}.perp'), target)
            contents.append(read(target, 'rb'))
        began = time.monotonic()
        perp('convert', self.path('0.perp'), target)
        once = time.monotonic() - began
        chance = random.Random(1)
        killed = 0
        for k in range(60):
            process = subprocess.Popen([PERP, 'convert', self.path(f'{k % 2}.perp'), target], env=ENVIRONMENT)
            time.sleep(chance.uniform(0, 1.2 * once))
            process.kill()
            killed += process.wait() == -signal.SIGKILL
            self.assertIn(read(target, 'rb'), contents)
        self.assertGreater(killed, 5)

    def refused_by_limit(self, target, *arguments):
        with open(target, 'w') as f:
            f.write('old')
        done = perp(*arguments, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn('File too large; raise the limit on the size of files (ulimit -f)', done.stderr)
        self.assertIn(target, done.stderr)
        self.assertEqual(read(target), 'old')
        self.assertEqual(self.leftovers(), [])

    def test_a_limit_of_file_sizes(self):
        self.refused_by_limit(self.path('b.perp'), 'convert', self.dense, self.path('b.perp'))
        self.refused_by_limit(self.path('s.csv'), 'simulate', 'column', '--steps=2000', '--quiet',
                              '--csv', self.path('s.csv'))
        self.refused_by_limit(self.path('d.perp'), 'generate', 'pd', '--size=60', '-o', self.path('d.perp'))

    def test_a_full_disk(self):
        disk = self.path('disk')
        os.mkdir(disk)
        shell = ('mount -t tmpfs -o size=64k none "$1" || exit 77; echo old >"$1/b.perp"; '
                 '"$2" convert "$3" "$1/b.perp"; echo $?; ls "$1"; cat "$1/b.perp"')
        done = subprocess.run(['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', shell, 'sh', disk,
                               PERP, self.dense], capture_output=True, text=True, env=ENVIRONMENT)
        if 'Operation not permitted' in done.stderr or done.returncode == 77:
            self.skipTest('no name space of mounts')
        self.assertEqual(done.stdout.split(), ['2', 'b.perp', 'old'], done.stderr)
        self.assertIn('No space left on device; free some space, or write to another disk', done.stderr)

    def test_full_standard_output(self):
        with open('/dev/full', 'w') as full:
            done = subprocess.run([PERP, 'list'], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('standard output: cannot be written: No space left on device; free', done.stderr)

    # ---- streams

    def test_endless_streams(self):
        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (20, 20))

        done = perp('info', '/dev/zero', before=limits, seconds=30)
        self.assertEqual(done.returncode, 2)
        self.assertIn('begins like none of the formats', done.stderr)
        # Random bytes sometimes begin like one of the formats, and are then read up to the limit of a stream.
        done = perp('info', '/dev/urandom', before=limits, seconds=60)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, '/dev/urandom:.* (begins like none of the formats|longer than the limit of)')
        for word, says in (('y', 'begins like none'), ('1', 'stream is longer than the limit of 268435456')):
            with subprocess.Popen(['yes', word], stdout=subprocess.PIPE) as endless:
                done = perp('info', '-', before=limits, seconds=60, stdin=endless.stdout)
                endless.stdout.close()
            self.assertEqual(done.returncode, 2)
            self.assertIn(says, done.stderr)
            self.assertIn('standard input', done.stderr)

    def test_streams_with_an_end(self):
        fifo = self.path('fifo')
        os.mkfifo(fifo)
        with subprocess.Popen(['cp', self.dense, fifo]):
            self.assertIn('n = 60', perp('info', fifo).stdout)
        with open(self.dense) as opened:
            self.assertIn('n = 60', perp('info', '/dev/stdin', stdin=opened).stdout)
        done = subprocess.run(['bash', '-c', f'"{PERP}" info <(cat "{self.dense}")'], capture_output=True, text=True)
        self.assertIn('n = 60', done.stdout)

    # ---- two at a time

    def test_two_comparisons_on_one_file(self):
        rows, name = self.path('rows.csv'), self.path('rows.csv.lock')
        slow = ['compare', self.dense, '--csv', rows, '--timeout', '30', '-s', 'lcp/psor', '-r', '1']
        process = subprocess.Popen([PERP, *slow], env=dict(ENVIRONMENT, PERP_TEST_FAULT='loop@lcp'),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=default_signals)
        deadline = time.monotonic() + 30
        while not (os.path.exists(rows) and os.path.exists(name)) and time.monotonic() < deadline:
            time.sleep(0.01)
        before = read(rows)
        for second in (slow, ['compare', '--merge', rows, '--csv', rows]):
            done = perp(*second)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f'{rows}: process {process.pid} is writing it; wait for its end', done.stderr)
            self.assertEqual(read(rows), before)
        process.kill()
        process.wait()
        self.assertTrue(os.path.exists(name))  # of a dead process: it stops nobody
        done = perp(*slow)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('lcp/psor', read(rows))
        self.assertEqual(self.leftovers(), [])

    # ---- locale

    def test_a_locale_with_a_comma(self):
        made = subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', self.path('de_DE.UTF-8')],
                              capture_output=True) if shutil.which('localedef') else None
        if not made or made.returncode:
            self.skipTest('localedef has no sources here')
        comma = {'LC_ALL': 'de_DE.UTF-8', 'LANG': 'de_DE.UTF-8', 'LOCPATH': self.folder}
        calls = (['convert', self.dense, '-'], ['solve', '-z', '--json', '-t', '1.5e-7', self.dense],
                 ['solve', '--csv', self.dense], ['info', self.dense], ['solve', '-t', '1,5', self.dense])
        for arguments in calls:
            plain, german = perp(*arguments), perp(*arguments, env=comma)
            self.assertEqual(plain.returncode, german.returncode)
            if '--csv' in arguments or '--json' in arguments:  # but for the time
                self.assertEqual(plain.stdout.count(','), german.stdout.count(','))
            else:
                self.assertEqual((plain.stdout, plain.stderr), (german.stdout, german.stderr))


unittest.main(argv=[sys.argv[0], '-v'])
