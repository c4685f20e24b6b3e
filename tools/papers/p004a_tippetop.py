"""Tippe-top (section 3.2, Figures 8 and 10 to 13)

The paper: it turns over at t ≈ 0.6 s with any number of facets, near which two points touch; the energy
only falls; the fixed point takes fewer than five iterations; the impulse-based method gives nearly
identical curves. All of it is run with the paper's Euler steps, θ = 1, and beside it with θ = 0.55."""
import bisect
import math

import top

DEPARTS = [
    "Figure 9, with the measures, is lost; length, radii, quaternion and height leave one reading: the "
    "centre of mass 5 mm below the sphere's middle, the ball at the end of the stick 25 mm above it.",
    "The paper's quaternion has the length 0.9999 and is made a unit one. Its fixed-point update omits a "
    "term; rotations are updated by the exponential map.",
    "The stick has no stem that one could see: l = 60 mm, r = 25 mm and r_Stick = 10 mm put the middle of its ball on "
    "the surface of the sphere.",
    "Gap velocities come from n·(v + ω × r), not from differences of distances.",
    "θ = 0.55 is ours, between Euler's steps and θ = 1/2; the first table says what that does to forces.",
    "Rolling friction and air resistance (section 3.3) act once the top has turned over: before that they "
    "would keep it from turning over. The paper does not say when they act.",
]

CASES = [("exact cone", ["--solver=fc3d/nsgs"])] + [
    (f"{n} facets", ["--solver=lcp/lemke", f"--facets={n}"]) for n in (4, 8, 16, 32)]
THETAS = (1, 0.55)
BEFORE = 0.53  # s: before the stick touches


def spin(x, theta, more, name, *others):
    """The summary, columns of the measures and of the energies."""
    base = x.path(f"{name.replace(' ', '_')}_{theta}")
    done = x.simulate("tippetop", f"--set=theta={theta}", *more, *others, f"--csv={base}.csv",
                      f"--measures={base}_measures.csv")
    return (done, x.columns(f"{base}_measures.csv", "time", "cos", "height", "normal", "friction",
                            "stick_n", "stick_t"),
            x.columns(f"{base}.csv", "time", "kinetic", "potential", "total"))


def alternation(time, force):
    """Mean change of a force from step to step over its mean, from 0.65 s on."""
    late = [f for t, f in zip(time, force) if t > 0.65]
    return (sum(abs(b - a) for a, b in zip(late, late[1:])) / sum(late)) if sum(late) > 0 else math.nan


def interpolate(time, value, at):
    k = min(bisect.bisect_left(time, at), len(time) - 1)
    if k == 0:
        return value[0]
    part = (at - time[k - 1]) / (time[k] - time[k - 1])
    return value[k - 1] + min(part, 1) * (value[k] - value[k - 1])


def apart(one, other, upto):
    """The largest difference of two curves (times, values) up to a time, at the first's times."""
    return max(abs(v - interpolate(*other, t)) for t, v in zip(*one) if t <= upto)


def run(x):
    found, rows = {}, []
    for theta in THETAS + (0.5,):
        for name, more in CASES[:1] if theta == 0.5 else CASES[:3] if x.quick else CASES:
            done, m, energy = found[theta, name] = spin(x, theta, more, name)
            measures = done["measures"]
            rows.append([name, theta, measures["touched"], measures["turned"], min(m[1]),
                         done["contacts_most"], done["energy_rise"], done["rounds_most"],
                         100 * alternation(m[0], m[5]), done["time"] / done["cpu"]])
    x.table(["cone", "θ", "stick touches, s", "first cos < -0.9, s", "least cos", "contacts at most",
             "worst rise of energy in a step, relative", "fixed-point rounds at most",
             "change of the stick's force in a step, %", "simulated over CPU time"], rows)
    times = [done["measures"]["turned"] for (theta, _), (done, _, _) in found.items() if theta == 0.55]
    exact = found[1, "exact cone"][0]["measures"]["turned"]
    x.at_most("θ = 1, exact cone: turns over at 0.6 s, apart by", abs((exact or 9) - 0.6), 0.15, " s",
              rows="004.6 004.8")
    x.at_most("θ = 0.55, every cone: turns over at 0.6 s, apart by at most",
              max(abs((t or 9) - 0.6) for t in times), 0.15, " s", rows="004.8")
    ends = [(name, m[3][-1], m[5][-1]) for (theta, name), (_, m, _) in found.items() if theta == 1]
    x.check("θ = 1, every cone: at the end the top stands on its stick alone",
            all(sphere == 0 and stick > 0 for _, sphere, stick in ends),
            ", ".join(f"{name} {stick:.3f} N" for name, _, stick in ends), rows="004.8")
    late = [f"{name} ({min(m[1]):.3f})" for (theta, name), (done, m, _) in found.items()
            if theta == 1 and done["measures"]["turned"] is None]
    if late:
        x.note(f"With θ = 1 and this step of 0.1 ms the axis does not pass cos = -0.9 within "
               f"{m[0][-1]:.2g} s with {', '.join(late)}; it does with a smaller step (below).")
    x.at_most("energy never rises: worst rise in a step, relative",
              max(done["energy_rise"] for done, _, _ in found.values()), 1e-12, rows="004.11")
    rounds = max(done["rounds_most"] for done, _, _ in found.values())
    x.check("fixed point in fewer than five iterations", rounds < 5, rounds, rows="004.3")
    both = [done["contacts_most"] for done, _, _ in found.values()]
    x.check("two points touch near the turn-over", min(both) == 2, f"{min(both)} to {max(both)}",
            rows="004.7")
    x.at_most("θ = 1 and 0.55, exact cone: the stick's force does not alternate, change in a step",
              max(alternation(m[0], m[5]) for (theta, name), (_, m, _) in found.items()
                  if name == "exact cone" and theta in THETAS), 0.01, rows="004.9")
    show(x, found)
    files = []
    for words, form, more in (("two contacts, exact cones", "fc3d", []),
                              ("two contacts, 8 facets", "lcp_facets", ["--facets=8"])):
        path = x.path(f"touch_{form}.perp")
        x.simulate("tippetop", "--set=theta=1", *more, f"--solver={form.split('_')[0]}/auto", f"--form={form}",
                   "--together", "--steps=5420", f"--dump=5420:{path}")
        files.append((words, path, form == "lcp_facets"))
    x.peers("Other libraries on the step at 0.542 s, when both points touch", files, rows="004.7")
    impulses(x, found)
    pictures(x)
    alone(x)
    if not x.quick:
        converge(x)
        slow_down(x)


def show(x, found):
    names = list(dict.fromkeys(name for _, name in found))
    m = found[0.5, "exact cone"][1]
    x.note(f"With θ = 1/2 the stick's force changes by {100 * alternation(m[0], m[5]):.3g} % of its mean "
           "in a step: it alternates, an artefact of that scheme, and is not drawn.")
    for theta in THETAS:
        x.title(f"θ = {theta}{', the scheme of the paper' if theta == 1 else ''}")
        done, m, energy = found[theta, "exact cone"]
        touched, most = done["measures"]["touched"], max(m[5])
        x.open_figures()
        x.plot(f"Cosine of the axis and the vertical, θ = {theta} (paper: Figure 10)", "time, s", "cos",
               [(name, *found[theta, name][1][:2]) for name in names], style="lines")
        x.plot(f"Height of the centre of mass, θ = {theta} (paper: Figure 12)", "time, s", "height, m",
               [(name, found[theta, name][1][0], found[theta, name][1][2]) for name in names],
               style="lines")
        x.plot(f"Contact and friction forces, exact cone, θ = {theta} (paper: Figure 11). The axis ends "
               f"at 0.6 N; the stick's impact reaches {most:.1f} N, see the next figure",
               "time, s", "force, N", [(n, m[0], m[k]) for n, k in
                                       (("sphere, normal", 3), ("sphere, friction", 4),
                                        ("stick, normal", 5), ("stick, friction", 6))],
               style="lines", setup="set yrange [0:0.6]")
        near = [k for k, t in enumerate(m[0]) if touched - 0.001 <= t <= touched + 0.004]
        x.plot(f"The impact of the stick at {touched:.4f} s (paper: Figure 11)",
               "time after it, ms", "force, N",
               [(n, [1e3 * (m[0][k] - touched) for k in near], [m[c][k] for k in near]) for n, c in
                (("sphere, normal", 3), ("sphere, friction", 4), ("stick, normal", 5),
                 ("stick, friction", 6))], style="lines")
        x.plot(f"Energy, exact cone, θ = {theta} (paper: Figure 13)", "time, s", "energy, J",
               [(n, energy[0], energy[k]) for n, k in (("kinetic", 1), ("potential", 2), ("total", 3))],
               style="lines")
        x.close_figures()


def impulses(x, found):
    """Mirtich and Canny's method, by top.py."""
    x.title("The same top by impulses alone (Mirtich and Canny; Keller)")
    x.show("tools/papers/top.py: impulse_based(1, dt)")
    x.say("Free flight and collisions only: each collision is integrated over its normal impulse (Keller "
          "1986) with Stronge's restitution, and a resting contact is a train of collisions within "
          f"{1e6 * top.ENVELOPE:.0f} µm of the plane, the more elastic the deeper (our reading of Mirtich's "
          "rule). The code is Python, and shares nothing with perp.")
    curves, rows = [], []
    for dt in (1e-4,) if x.quick else (1e-4, 2e-5):
        time, cosine, height, energy = top.impulse_based(1, dt, round(1e-3 / dt))
        turned = next((t for t, c in zip(time, cosine) if c < -0.9), None)
        row = [1e3 * dt, turned]
        for theta in THETAS:
            m = found[theta, "exact cone"][1]
            row += [apart((time, cosine), (m[0], m[1]), BEFORE), apart((time, cosine), (m[0], m[1]), 1)]
        rows.append(row)
        curves.append((f"impulses, step {1e3 * dt:g} ms", time, cosine))
    x.table(["step of the impulses, ms", "first cos < -0.9, s"]
            + [f"apart from θ = {t}: {what}" for t in THETAS
               for what in (f"until {BEFORE} s", "until 1 s")], rows,
            "Largest difference of the cosine from perp's with the exact cone and a step of 0.1 ms")
    few = "4 facets" if (0.55, "4 facets") in found else "exact cone"
    m = found[0.55, few][1]
    x.at_most("“nearly identical” before the stick touches, θ = 0.55: cosines apart by at most",
              rows[-1][4], 0.02, rows="004.15")
    turn = found[0.55, "exact cone"][0]["measures"]["turned"]
    x.at_most("and the turn-over, θ = 0.55: apart by", abs(rows[-1][1] - turn), 0.03, " s", rows="004.15")
    x.note(f"With {few} perp's cosine is apart by "
           f"{apart(curves[-1][1:], (m[0], m[1]), BEFORE):.3f} until {BEFORE} s: the paper's “even for a "
           "small number of facets” depends on the angle of the pyramid, as the spread below shows.")
    x.open_figures()
    x.plot("Cosine of the axis: by impulses and by perp, exact cone", "time, s", "cos",
           curves + [(f"perp, θ = {t}", *found[t, "exact cone"][1][:2]) for t in THETAS], style="lines")
    x.close_figures()


def pictures(x):
    folder = x.path("pictures")
    x.simulate("tippetop", "--set=theta=0.55", f"--pictures={folder}", "--every=100", "--steps=8000")
    x.pictures([(f"{folder}/tippetop_{k:06d}.svg", f"t = {k * 1e-4:g} s" + words)
                for k, words in ((0, ""), (2000, ""), (4000, ""),
                                 (5400, ", sphere and stick touch (paper: Figure 8)"), (6000, ""),
                                 (8000, ""))])


def alone(x):
    """The eccentric sphere against its differential equations."""
    x.title("Without the stick: the eccentric sphere of Kane and Levinson")
    seconds = 1 if x.quick else 4
    reference = top.sliding_sphere(seconds, 1e-4, 20)
    curves, rows = [("differential equations", *reference)], []
    steps = (1e-4, 5e-5) if x.quick else (4e-4, 2e-4, 1e-4, 5e-5, 2.5e-5)
    errors = {}
    for theta in (1, 0.55, 0.5):
        row = [theta]
        for dt in steps:
            csv = x.path(f"eccentric_{theta}_{dt}.csv")
            length = seconds if (theta, dt) == (0.55, 1e-4) else 0.6
            x.simulate("tippetop", "--set=stick_radius=0", f"--set=seconds={length}",
                       f"--set=theta={theta}", f"--set=dt={dt}", "--set=fixed_tol=1e-10",
                       f"--measures={csv}", show=dt == 1e-4)
            time, cosine = x.columns(csv, "time", "cos")
            errors[theta, dt] = apart((reference[0], reference[1]), (time, cosine), 0.6)
            row.append(errors[theta, dt])
            if length == seconds and theta == 0.55:
                curves.append(("perp, θ = 0.55", time, cosine))
        order = math.log2(errors[theta, steps[0]] / errors[theta, steps[-1]]) / math.log2(
            steps[0] / steps[-1])
        rows.append(row + [order])
    x.table(["θ"] + [f"Δt = {1e3 * dt:g} ms" for dt in steps] + ["order"], rows,
            "Largest difference of the cosine from the differential equations until 0.6 s")
    x.check("perp converges to the differential equations, with order", min(r[-1] for r in rows) > 0.8,
            ", ".join(f"{r[-1]:.2f} for θ = {r[0]}" for r in rows) + "; the limit is 0.8", rows="004.13")
    x.note("The reference (tools/papers/top.py, sliding_sphere) keeps contact and Coulomb's law as "
           "equations, by the classical Runge–Kutta method with steps of 0.1 ms.")
    if not x.quick:
        ends = [sum(v for t, v in zip(*c[1:]) if t > 3) / sum(t > 3 for t in c[1]) for c in curves]
        x.at_most("mean cosine after 3 s, against the differential equations'", abs(ends[0] - ends[1]),
                  0.01, rows="004.13")
        x.note(f"It levels at cos = {ends[0]:.3f} by the equations, at {ends[1]:.3f} by perp.")
    x.open_figures()
    x.plot("The eccentric sphere", "time, s", "cos", curves, style="lines")
    x.close_figures()


def converge(x):
    """Turn-over against step and facets, over the angle of the frame."""
    x.title("How the turn-over depends on step and facets")
    rows, turned = [], {}
    for theta in THETAS:
        for name, more in [CASES[0], CASES[2]]:
            row = [name, theta]
            for dt in (2e-4, 1e-4, 5e-5, 2.5e-5):
                done = x.simulate("tippetop", *more, f"--set=theta={theta}", f"--set=dt={dt}",
                                  show=dt == 5e-5)
                row.append(done["measures"]["turned"] or "never")
            rows.append(row)
    x.table(["cone", "θ"] + [f"Δt = {d} ms" for d in (0.2, 0.1, 0.05, 0.025)], rows,
            "Time of the first cos < -0.9, s; within 1 s")
    angles = (0, 15, 30, 45, 60, 75)
    x.show(f"for angle in {' '.join(map(str, angles))}; do\n    {x.program('perp')} simulate tippetop "
           "--quiet --json --solver=lcp/lemke --facets=$n --set=theta=0.55 --set=angle=$angle\ndone")
    rows = []
    for facets in (4, 8, 16, 32, 64):
        times = [x.simulate("tippetop", "--solver=lcp/lemke", f"--facets={facets}", "--set=theta=0.55",
                            f"--set=angle={angle}", show=False)["measures"]["turned"]
                 for angle in angles]
        there = [t for t in times if t is not None]
        turned[facets] = there
        rows.append([facets, len(there), sum(there) / len(there) if there else None,
                     min(there, default=None), max(there, default=None)])
    exact = x.simulate("tippetop", "--set=theta=0.55", show=False)["measures"]["turned"]
    x.table(["facets", f"of {len(angles)} angles turned over", "mean time, s", "earliest", "latest"],
            rows, f"θ = 0.55, the frame of the pyramids at {len(angles)} angles; the exact cone: "
            f"{exact:.4f} s")
    width = {f: max(t) - min(t) for f, t in turned.items() if t}
    x.check("the spread over the frame's angle is less with 64 facets than with 4",
            width[64] < width[4], f"{width[64]:.4f} s against {width[4]:.4f} s", rows="004.8")


def slow_down(x):
    x.title("Rolling friction and air resistance after the turn-over (section 3.3)")
    curves, rows = [], []
    for rolling, air in ((0, 0), (0.05, 1e-6), (1.0, 1e-3)):
        csv, energies = x.path(f"drag_{rolling}.csv"), x.path(f"drag_{rolling}_energy.csv")
        x.simulate("tippetop", "--set=theta=0.55", f"--set=rolling={rolling}", f"--set=air={air}",
                   "--set=seconds=2", f"--measures={csv}", f"--csv={energies}")
        time, cosine, turned = x.columns(csv, "time", "cos", "turned")
        t, kinetic = x.columns(energies, "time", "kinetic")
        at = bisect.bisect_left(t, turned[-1])
        gone = next((t[k] - t[at] for k in range(at, len(t)) if kinetic[k] < 0.1 * kinetic[at]), None)
        name = f"μ_R = {rolling:g}, μ_A = {air:g}" + (" (the paper's)" if air == 1e-3 else "")
        rows.append([name, turned[-1], None if gone is None else 1e3 * gone, cosine[-1], kinetic[-1]])
        curves.append((name, time, cosine, t, kinetic))
    x.table(["coefficients", "turned over, s", "a tenth of the kinetic energy is left after, ms",
             "cos at 2 s", "kinetic energy at 2 s, J"], rows)
    x.check("the paper's coefficients take the motion that the top keeps without them",
            curves[2][4][-1] < 1e-3 * curves[0][4][-1],
            f"{curves[2][4][-1]:.1e} J left against {curves[0][4][-1]:.1e} J", rows="004.12")
    x.note(f"With the paper's own coefficients the axis is at cos = {curves[2][2][-1]:.3f} at 2 s: with "
           "μ_A = 0.001 N m s the spin has a time constant of 3.75 ms.")
    x.open_figures()
    x.plot("Axis after the turn-over", "time, s", "cos", [c[:3] for c in curves], style="lines")
    x.plot("Kinetic energy", "time, s", "J", [(c[0], c[3], c[4]) for c in curves], style="lines")
    x.close_figures()
