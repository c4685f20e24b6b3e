"""Ball driven round a triangle: what a pyramid does to the cone (section 8.2, Figure 4)

The ball does not turn, and each leg has a force of 1.1 mu m g for its first half and 0.9 mu m g for
the second: with the paper's own force, mu m g, a ball that does not roll rests."""
import json

DEPARTS = [
    "Equation (37) has a force of exactly μmg on a free ball: a ball that may turn rolls, so "
    "that friction is not at its limit, and one that may not rests. Here the ball does not "
    "turn, and each leg has 1.1 μmg for its first half and 0.9 μmg for the second, which "
    "brings it to rest at each corner.",
    "The paper's C_i, i = 2, 3, 4, 6, 8, are taken as pyramids of 2i facets; it does not say "
    "which.",
    "The outer cone (26)–(30) is solved as a mixed problem: r_T is free. (30) lacks a sign.",
]

INNER = [4, 6, 8, 12, 16, 32]


def sweep(x, solver, facets, form, angles):
    """The error of every angle of the frame, in sides."""
    more = [f"--facets={facets}"] if facets else []
    more += [f"--form={form}"] if form else []
    errors, deviations = [], []
    for angle in angles:
        out = x.perp("simulate", "triangle", "--quiet", "--json", f"--solver={solver}", *more,
                     f"--set=angle={angle}", show=False)
        measures = json.loads(out)["measures"]
        errors.append(measures["error"])
        deviations.append(measures["deviation"])
    return errors, deviations


def show_sweep(x, what, angles, facets=()):
    command = f"{x.program('perp')} simulate triangle --quiet --json {what} --set=angle=$angle"
    lines = [f"for angle in {' '.join(map(str, angles))}; do"]
    if facets:
        lines += [f"    for n in {' '.join(map(str, facets))}; do",
                  f"        {command} --facets=$n", "    done"]
    else:
        lines.append(f"    {command}")
    x.show("\n".join(lines + ["done"]))


def mean(values):
    return sum(values) / len(values)


def run(x):
    x.say("Paper: the exact cone follows the triangle; pyramids of few facets (C2, C3, C4, C6, C8, "
          "taken as 4 to 16 facets) do not, and more of them come nearer.")
    angles = list(range(0, 90, 15 if x.quick else 5))
    inner = INNER[:4] if x.quick else INNER
    show_sweep(x, "--solver=fc3d/nsgs", angles)
    exact, _ = sweep(x, "fc3d/nsgs", 0, "", angles)
    show_sweep(x, "--solver=lcp/lemke --form=lcp_facets", angles, inner)
    results = {f: sweep(x, "lcp/lemke", f, "lcp_facets", angles) for f in inner}
    show_sweep(x, "--solver=mcp/path --form=mcp_facets", angles, inner)
    outer = {f: sweep(x, "mcp/path", f, "mcp_facets", angles) for f in inner}
    rows = [["exact cone", "", mean(exact), max(exact), exact[0], ""]]
    for kind, of in (("inner", results), ("outer", outer)):
        for f, (errors, deviations) in of.items():
            rows.append([f"{kind} pyramid", f, mean(errors), max(errors), errors[0],
                         mean(deviations)])
    x.table(["cone", "facets", "error, mean over the frame's angle", "worst",
             "aligned (angle 0)", "error along the way, mean"], rows,
            "In sides of the triangle: how far the ball ends from where it started, and how far it "
            "is from the exact ball in the mean over time and angles.")
    x.at_most("exact cone: back at the start, sides", max(exact), 1e-9, rows="000.4 000.14")
    ways = [mean(results[f][1]) for f in inner]
    x.check("inner pyramid: the mean error along the way falls with the facets",
            all(b < a for a, b in zip(ways, ways[1:])), ", ".join(f"{m:.3g}" for m in ways),
            rows="000.11 000.21b 000.18")
    for few in ([4, 8, 16, 32], [6, 12]):
        ends = [mean(results[f][0]) for f in few if f in inner]
        x.check(f"inner pyramid: so does that at the end, {', '.join(map(str, few))} facets",
                all(b < a for a, b in zip(ends, ends[1:])), ", ".join(f"{m:.3g}" for m in ends))
    six, eight = mean(results[6][0]), mean(results[8][0])
    x.note(f"At the end alone the error of 6 facets is {six:.3g}, that of 8 {eight:.3g}"
           + (": a pyramid with a multiple of 3 edges looks the same from all three legs, whose errors "
              "cancel in part." if six < eight else "."))
    aligned = [results[f][0][0] for f in (6, 12)]
    x.check("aligned 6- and 12-gons exact (1e-9)", max(aligned) <= 1e-9,
            ", ".join(f"{e:.1e}" for e in aligned))
    show_plots(x, inner, results, outer)
    show_paths(x)
    files = []
    for words, form, more in (("exact cone", "fc3d", []), ("pyramid of 4 facets", "lcp_facets", ["--facets=4"])):
        path = x.path(f"step_{form}.perp")
        x.simulate("triangle", "--set=angle=10", f"--form={form}", f"--solver={form.split('_')[0]}/auto", *more,
                   "--steps=50", f"--dump=50:{path}")
        files.append((words, path, form == "lcp_facets"))
    x.peers("Other libraries on one step", files)


def show_plots(x, inner, results, outer):
    small = [f"{kind}, {f} facets" for kind, of in (("inner", results), ("outer", outer)) for f in inner
             if mean(of[f][0]) < 0.01]
    x.open_figures()
    x.plot("Error averaged over the angle of the frame" + (f"; below 0.01 at the end, and not drawn: "
           f"{'; '.join(small)}" if small else ""), "facets", "error, sides",
           [("inner, error at the end", inner, [mean(results[f][0]) for f in inner]),
            ("outer, error at the end", inner, [mean(outer[f][0]) for f in inner]),
            ("inner, error along the way", inner, [mean(results[f][1]) for f in inner]),
            ("outer, error along the way", inner, [mean(outer[f][1]) for f in inner])],
           logx=True, logy=True, setup="set xrange [3.5:40]\nset yrange [0.01:20]\n"
           "set xtics (4, 6, 8, 12, 16, 32)")
    x.close_figures()


PATHS = [("exact, NSGS", ["--solver=fc3d/nsgs"])] + [
    (f"NSGS, {f} facets at the contact", [f"--solver=fc3d/nsgs:local=lemke,facets={f}"]) for f in (4, 8)] + [
    (f"Lemke, {f} facets", ["--solver=lcp/lemke", f"--facets={f}"]) for f in (4, 6, 8, 12, 16)]


def show_paths(x):
    """Figure 4: trajectories at an angle that is aligned with nothing."""
    curves, ends = [], {}
    for name, more in [c for c in PATHS if not x.quick or c[0].endswith(("NSGS", "4 facets", "contact"))]:
        csv = x.path(name.replace(" ", "_").replace(",", "") + ".csv")
        done = x.simulate("triangle", *more, "--set=angle=10", f"--measures={csv}")
        curves.append((name, *x.columns(csv, "x", "y")))
        ends[name] = done["measures"]["error"]
    x.table(["solver", "error at the end, sides"], list(ends.items()), "The frame turned by 10 degrees")
    apart = abs(ends["NSGS, 4 facets at the contact"] / ends["Lemke, 4 facets"] - 1)
    x.at_most("NSGS on the pyramid of 4 facets ends where Lemke does, relative", apart, 1e-9,
              rows="000.21a 002.2 002.5")
    sides = [curves[0]] + [c for c in curves[1:] if "Lemke" not in c[0]]
    lemke = [curves[0]] + [c for c in curves[1:] if "Lemke" in c[0]]
    x.open_figures()
    for number, some in (("4a", sides), ("4b", lemke)):
        x.plot(f"The ball's way by {'NSGS' if number == '4a' else 'Lemke'} (paper: Figure {number})",
               "x, m", "y, m", some, style="lines", setup="set size ratio -1")
        (_, xs, ys), room = curves[0], 0.6 * (max(curves[0][1]) - min(curves[0][1]))
        x.plot(f"The same, near the exact triangle (paper: Figure {number})", "x, m", "y, m", some,
               style="lines", setup=f"set size ratio -1\nset xrange [{min(xs) - room}:{max(xs) + room}]\n"
               f"set yrange [{min(ys) - room}:{max(ys) + room}]")
    x.close_figures()
