"""What an experiment needs: run commands, show them, tables, plots, pictures, and what is held to.

An experiment is a module p<paper><letter>_<name>.py with a docstring, whose first line is its title and
whose rest is printed below it, DEPARTS, a list of sentences that say where the experiment is not the
paper's, and run(x), x being an Experiment. It adds pieces to its section, top to bottom."""
import base64
import csv
import html
import json
import math
import os
import re
import resource
import shlex
import subprocess
import time

# Authors and year, title.
PAPERS = {
    "000": ("Renouf, Acary, Dumont 2005", "3D frictional contact and impact multibody dynamics: "
            "a comparison of algorithms suitable for real-time applications"),
    "001": ("Redon, Kheddar, Coquillart 2002", "Gauss' least constraints principle and rigid body "
            "simulations"),
    "002": ("Renouf, Acary 2005", "on combining algorithms with block splitting for granular "
            "assemblies"),
    "003": ("Silcowitz-Hansen, Niebe, Erleben 2010", "A nonsmooth nonlinear conjugate gradient "
            "method for interactive contact force problems"),
    "004": ("Sauer, Schömer 1998", "A constraint-based approach to rigid body dynamics for virtual "
            "reality applications"),
    "own": ("Scenes of our own", ""),
}

# Okabe and Ito's colours as gnuplot writes them into an SVG, in the order of the style sheet.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#010101", "#8c8400"]
DASHES = ["solid", "(12,5)", "(3,4)", "(14,4,3,4)", "(7,4)", "(14,4,3,4,3,4)", "(22,5)"]
MARKS = [7, 5, 9, 13, 6, 4, 8, 12]
POINTS_MOST = 800  # of a curve


class Failed(Exception):
    """An experiment that cannot go on; the sentence stands in its section."""


def figure(value, digits=3):
    """A number as people read it: 0.0032, 12.5, 1.2e-13."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or value == 0:
        return str(value)
    if 1e-3 <= abs(value) < 1e5:
        text = f"{value:.{digits}g}"
        return f"{value:.0f}" if "e" in text else text
    return re.sub(r"e([+-])0*", lambda m: "e" + m[1].replace("+", ""), f"{value:.{digits - 1}e}")


def processor_seconds(pid):
    """What a process has used so far."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def talk_to(program, seconds):
    """What it prints on both streams; ended where it takes so many seconds of the processor. RLIMIT_CPU would make
    Linux count the time that a program measures of itself in ticks of some milliseconds."""
    while True:
        try:
            return program.communicate(timeout=1)
        except subprocess.TimeoutExpired:
            if processor_seconds(program.pid) > seconds:
                program.kill()


def colour_in_svg(k):
    code = COLOURS[k % len(COLOURS)]
    return "rgb({:3d}, {:3d}, {:3d})".format(*(int(code[i:i + 2], 16) for i in (1, 3, 5)))


def inline_svg(text, prefix):
    """An SVG as part of the page: no header, no titles, no empty groups, ids of its own."""
    text = text[text.index("<svg"):]
    text = re.sub(r"<title>.*?</title>\s*", "", text, flags=re.S)
    text = re.sub(r"<desc>.*?</desc>\s*", "", text, flags=re.S)
    text = re.sub(r"<g fill=[^>]*>\s*</g>\s*", "", text)
    return re.sub(r"""( id=['"]|href=['"]#|url\(#)""", lambda m: m[1] + prefix, text)


def thin(points, logx):
    """At most about POINTS_MOST of them: of each of POINTS_MOST / 2 equal parts of the axis the lowest
    and the highest point, so that no spike is lost; the first and the last point stay."""
    if len(points) <= POINTS_MOST:
        return points
    at = [math.log(x) if logx else k for k, (x, _) in enumerate(points)]
    width = abs(at[-1] - at[0]) / (POINTS_MOST // 2) or 1
    parts = {}
    for k, place in enumerate(at):
        parts.setdefault(int(abs(place - at[0]) / width), []).append(k)
    kept = {0, len(points) - 1}
    for part in parts.values():
        kept |= {min(part, key=lambda k: points[k][1]), max(part, key=lambda k: points[k][1])}
    return [points[k] for k in sorted(kept)]


class Experiment:
    def __init__(self, name, root, build, folder, quick):
        self.name, self.root, self.build, self.folder, self.quick = name, root, build, folder, quick
        self.pieces = []   # HTML
        self.checks = []   # (what, status): held, missed or timing
        self.rows = {}     # row of the list of reproductions: the worst status of its checks
        self.figures = 0
        self.began = time.monotonic()
        self.cpu_before = self.cpu()
        os.makedirs(folder, exist_ok=True)

    # ---- words

    def add(self, text):
        self.pieces.append(text)

    def say(self, text):
        self.add(f"<p>{html.escape(text, quote=False)}</p>")

    def note(self, text):
        self.add(f'<p class="note">{html.escape(text, quote=False)}</p>')

    def title(self, text):
        self.add(f"<h4>{html.escape(text, quote=False)}</h4>")

    def show(self, *commands):
        """Commands that make what follows, as one would type them in the project's folder."""
        text = html.escape("\n".join(commands), quote=False) + "</pre>"
        if self.pieces and self.pieces[-1].startswith('<pre class="command">'):
            self.pieces[-1] = self.pieces[-1][:-len("</pre>")] + "\n" + text
        else:
            self.add('<pre class="command">' + text)

    def said(self, text):
        """What a command printed."""
        self.add(f'<pre class="said">{html.escape(text.rstrip(), quote=False)}</pre>')

    # ---- commands

    @staticmethod
    def cpu():
        both = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
        return sum(use.ru_utime + use.ru_stime for use in both)

    def path(self, name):
        """A file of this experiment, relative to the project's folder."""
        return os.path.relpath(os.path.join(self.folder, name), self.root)

    def absolute(self, path):
        return os.path.join(self.root, path)

    def program(self, name):
        return os.path.join(os.path.relpath(self.build, self.root), name)

    def has(self, name):
        return os.access(self.absolute(self.program(name)), os.X_OK)

    def benchmark(self, name):
        """A program of benchmarks/."""
        if not self.has("benchmarks/" + name):
            raise Failed(f"{self.program('benchmarks/' + name)} is not there: it is built with "
                         "-Dbenchmarks=true")
        return self.program("benchmarks/" + name)

    def run(self, *command, accept=(0,), show=True, seconds=1800):
        """Standard output of a command that ends with one of these statuses; seconds are of the processor, so that
        a busy machine decides nothing."""
        command = [str(word) for word in command]
        if show:
            self.show(shlex.join(command))
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", PERP_MODULES=str(self.build))
        try:
            with subprocess.Popen(command, cwd=self.root, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as program:
                out, err = talk_to(program, seconds)
        except OSError as error:
            raise Failed(f"{shlex.join(command)}: {error}") from error
        if program.returncode not in accept:
            said = (err or out).strip()[-600:]
            raise Failed(f"{shlex.join(command)} ended with {program.returncode}: {said}")
        return out

    def perp(self, *arguments, **options):
        return self.run(self.program("perp"), *arguments, **options)

    def simulate(self, *arguments, **options):
        """The summary of `perp simulate`, its JSON."""
        return json.loads(self.perp("simulate", "--quiet", "--json", *arguments, **options))

    def columns(self, path, *names):
        """Columns of a CSV file as lists of numbers."""
        with open(self.absolute(path), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return [[float(row[name]) for row in rows] for name in names]

    # ---- what is held to

    def check(self, what, held, value="", timing=False, rows=""):
        """One line of acceptance. A miss fails the run, but for times, which machines decide. Rows are
        those of rows.py that the line is evidence for."""
        status = "held" if held else "timing" if timing else "missed"
        self.checks.append((what, status))
        for row in rows.split():
            order = ("held", "timing", "missed")
            self.rows[row] = max(self.rows.get(row, "held"), status, key=order.index)
        word = {"held": "holds", "missed": "MISSED", "timing": "missed here"}[status]
        style = {"held": "good", "missed": "bad", "timing": "open"}[status]
        self.add(f'<p class="check"><span class="{style}">{word}</span> '
                 f"{html.escape(what, quote=False)}"
                 + (f": <b>{html.escape(str(value), quote=False)}</b>" if value != "" else "")
                 + "</p>")

    def at_most(self, what, value, limit, unit="", **options):
        """A check that a number is no more than a limit, with the margin."""
        margin = (f"{figure(limit / value)} times below" if value > 0 else "none") if (
            value <= limit) else f"{figure(value / limit) if limit else 'all'} times above"
        self.check(what, value <= limit, f"{figure(value)}{unit}, the limit is {figure(limit)}{unit}"
                   f" ({margin})", **options)

    def at_least(self, what, value, limit, unit="", **options):
        """A check that a number is no less than a limit, with the margin."""
        self.check(what, value >= limit, f"{figure(value)}{unit}, the limit is {figure(limit)}{unit} "
                   f"({figure(value / limit) if limit else figure(value)} times)", **options)

    # ---- other libraries

    OTHERS = "siconos bullet ode"
    SYMMETRIC = ("siconos/pgs", "bullet/pgs", "bullet/dantzig", "ode/dantzig")

    def peers(self, title, files, tol=1e-8, rows=""):
        """The same problems by the solvers of Siconos, Bullet and ODE that have a form for them. Files: words,
        path, and whether an LCP's matrix is not symmetric, as the SYMMETRIC ones need it; the quick run takes the
        first."""
        self.title(title)
        if not self.has("benchmarks/bench"):
            self.note("Left out: benchmarks/bench was not built.")
            return
        files = [entry if len(entry) == 3 else (*entry, False) for entry in (files[:1] if self.quick else files)]
        table = self.path(f"peers{len(self.pieces)}.csv")
        self.run(self.benchmark("bench"), "--repeats", 1, "--tol", tol, "--problems",
                 ",".join(path for _, path, _ in files), "--csv", table)
        out, good, others = [], [], set()
        for words, path, lopsided in files:
            found = self.best_runs(table, os.path.basename(path).split(".")[0])
            for solver in sorted(found, key=lambda name: self.OTHERS.find(name.split("/")[0])):
                n, status, residual, steps, seconds = found[solver]
                if lopsided and solver in self.SYMMETRIC:
                    continue
                if residual <= tol:
                    status = "solved"
                ended = not math.isfinite(residual) or not math.isfinite(seconds)
                out.append([words, n, solver, "not finite" if ended and status == "failed" else status,
                            None if ended else residual, steps or None, None if ended else 1e3 * seconds])
                others |= {solver.split("/")[0]} & set(self.OTHERS.split())
            good.append(any(run[2] <= tol for name, run in found.items()
                            if name.split("/")[0] not in self.OTHERS))
        self.table(["problem", "unknowns", "solver", "", "residual", "steps", "ms"], out,
                   f"Tolerance {tol:g}. Every answer is judged by perp's certificate; ms: the quickest run, of the "
                   "processor; a solver that needs more than 5 s is ended")
        if not others:
            self.note("Siconos, Bullet and ODE: none was found when this was built.")
        self.check("perp solves each of these", all(good), f"{sum(good)} of {len(good)}", rows=rows)

    def best_runs(self, table, name):
        """{solver: unknowns, status, residual, steps, least time} of one problem."""
        found = {}
        with open(self.absolute(table), newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["problem"] != name[:31]:
                    continue
                run = (int(row["n"]), row["status"], float(row["residual"]), int(row["iterations"]),
                       float(row["seconds"]))
                if row["solver"] not in found or not run[4] >= found[row["solver"]][4]:
                    found[row["solver"]] = run
        return found

    # ---- tables

    def table(self, head, rows, caption=""):
        """Heads that begin with "paper" have the paper's figures."""
        paper = [str(name).startswith("paper") for name in head]
        out = ['<div class="scroll"><table>']
        if caption:
            out.append(f"<caption>{html.escape(caption, quote=False)}</caption>")
        out.append("<thead><tr>")
        for name, mine in zip(head, paper):
            out.append(f'<th{" class=paper" if mine else ""}>{html.escape(str(name))}</th>')
        out.append("</tr></thead><tbody>")
        for row in rows:
            out.append("<tr>")
            for k, cell in enumerate(row):
                number = not isinstance(cell, str) or re.fullmatch(r"[-–+.0-9e×x %/∞]+", cell)
                style = ("num" if number else "") + (" paper" if paper[k] else "")
                tag = "th" if k == 0 and not number else "td"
                out.append(f'<{tag} class="{style.strip()}">{html.escape(figure(cell))}</{tag}>')
            out.append("</tr>")
        out.append("</tbody></table></div>")
        self.add("".join(out))

    def heats(self, maps, middle=1.0):
        """Small tables side by side, (caption, head, rows) each, cells coloured by how far from `middle` they
        are in ratio: blue above, orange below."""
        self.add('<div class="heats">')
        for caption, head, rows in maps:
            out = [f'<div class="scroll"><table class="heat"><caption>{html.escape(caption, quote=False)}</caption>'
                   "<thead><tr>" + "".join(f"<th>{html.escape(str(name))}</th>" for name in head)
                   + "</tr></thead><tbody>"]
            for name, *cells in rows:
                out.append(f"<tr><th>{html.escape(str(name))}</th>")
                for cell in cells:
                    size = max(-1.0, min(1.0, math.log(cell / middle) / math.log(4)))
                    colour = "0,114,178" if size > 0 else "213,94,0"
                    out.append(f'<td class="num" style="background:rgba({colour},{0.55 * abs(size):.2f})">'
                               f"{cell:.2f}</td>")
                out.append("</tr>")
            out.append("</tbody></table></div>")
            self.add("".join(out))
        self.add("</div>")

    # ---- figures

    def open_figures(self):
        self.add('<div class="figures">')

    def close_figures(self):
        self.add("</div>")

    def plot(self, label, xlabel, ylabel, curves, logx=False, logy=False, setup="", style=None):
        """Curves: (name, xs, ys[, style]); drawn by gnuplot."""
        self.figures += 1
        base = os.path.join(self.folder, f"plot{self.figures}")
        kept = [self.clean(curve, logx, logy) for curve in curves]
        kept = [(k, curve) for k, curve in enumerate(kept) if curve[1]]
        if not kept:
            raise Failed(f"nothing to plot: {label}")
        with open(base + ".gp", "w", encoding="utf-8") as file:
            file.write(self.script(base + ".svg", xlabel, ylabel, kept, logx, logy, setup, style))
        try:
            done = subprocess.run(["gnuplot", base + ".gp"], capture_output=True, text=True,
                                  timeout=600)
        except (OSError, subprocess.TimeoutExpired):
            done = None
        self.add('<figure class="plot" tabindex="0" role="img" aria-label="'
                 + html.escape(f"{label}: {ylabel} against {xlabel}") + '">')
        self.add(f"<figcaption>{html.escape(label, quote=False)}</figcaption>")
        if done and done.returncode == 0:
            with open(base + ".svg", encoding="utf-8") as file:
                self.add(inline_svg(file.read(), f"{self.name}{self.figures}_"))
        else:
            why = done.stderr.strip()[:300] if done else "is it installed?"
            self.add(f'<p class="missing">No plot: gnuplot failed. {html.escape(why)}</p>')
            self.checks.append((f"gnuplot draws: {label}", "missed"))
        self.add("</figure>")

    @staticmethod
    def clean(curve, logx, logy):
        """Finite points, thinned, first and last kept; positive ones on logarithmic axes."""
        name, xs, ys, *more = curve
        points = [(x, y) for x, y in zip(xs, ys)
                  if x == x and y == y and abs(x) < 1e300 and abs(y) < 1e300
                  and (not logx or x > 0) and (not logy or y > 0)]
        return (name, thin(points, logx), more[0] if more else None)

    @staticmethod
    def script(svg, xlabel, ylabel, curves, logx, logy, setup, style):
        def quoted(text):
            return "'" + str(text).replace("'", "''") + "'"
        longest = max(len(curve[0]) for _, curve in curves)
        across = max(1, int(600 / (longest * 8.2 + 70)))
        rows = (len(curves) + across - 1) // across
        band = 22 * rows + 8
        height = 380 + band
        out = [f"set terminal svg size 640,{height} dynamic noenhanced font 'sans-serif,15'",
               f"set output {quoted(svg)}", "set encoding utf8", "set border 3",
               "set tics nomirror", "set grid lc rgb 'gray' dt 3",
               f"set key at screen 0.02, screen {band / height:.4f} left top Left reverse vertical "
               f"maxrows {rows} samplen 3.5 width 1",
               f"set bmargin at screen {(band + 58) / height:.4f}",
               f"set tmargin at screen {1 - 12 / height:.4f}",
               "set lmargin at screen 0.17", "set rmargin at screen 0.97",
               f"set xlabel {quoted(xlabel)} offset 0,0.4", f"set ylabel {quoted(ylabel)}"]
        if logx:
            out.append("set logscale x")
        if logy:
            out += ["set logscale y", "set format y '1e%T'"]
        out.append(setup)
        plots = []
        for k, (name, points, own) in curves:
            out.append(f"$d{k} << EOD")
            out += [f"{x:.9g} {y:.9g}" for x, y in points]
            out.append("EOD")
            draw = own or style or "linespoints"
            more = f"lw 2 lc rgb '{COLOURS[k % len(COLOURS)]}'"
            if draw in ("lines", "linespoints", "steps"):
                more += f" dt {DASHES[k % len(DASHES)]}"
            if draw in ("linespoints", "points"):
                more += f" ps 0.8 pt {MARKS[k % len(MARKS)]}"
            if draw == "linespoints":
                more += f" pi {1 + len(points) // 24}"
            plots.append(f"$d{k} with {draw} {more} title {quoted(name)}")
        out.append("plot " + ", ".join(plots))
        return "\n".join(out) + "\n"

    def pictures(self, pictures):
        """(path of an SVG, caption) side by side, in rows as equal as they can be."""
        across = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}.get(len(pictures), 3)
        self.add(f'<div class="pictures" style="--tile:{68 / across:.1f}rem">')
        for path, caption in pictures:
            self.figures += 1
            with open(self.absolute(path), "rb") as file:
                data = base64.b64encode(file.read()).decode()
            self.add(f'<figure class="picture"><img alt="{html.escape(caption)}" '
                     f'src="data:image/svg+xml;base64,{data}">'
                     f"<figcaption>{html.escape(caption, quote=False)}</figcaption></figure>")
        self.add("</div>")
