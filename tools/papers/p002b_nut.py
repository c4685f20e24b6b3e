"""Brazil nut: a large sphere rises among 800 small ones (Figure 2)

The paper has 800 spheres of radius 1, one of radius 2 and a floor that moves periodically; the box,
the way of the floor and its frequency are not given. Here: a box 22 radii wide, 2.5 radii from
lowest to highest, 1 Hz. The share is that of the small spheres whose centre is below the nut's; the control
has a nut as large as the others, in the same place at the start."""

DEPARTS = [
    "The box, the way of the floor and its frequency are not given: 22 radii wide, 2.5 radii "
    "from lowest to highest, 1 Hz.",
]

LATE = 20  # seconds, from when on the share is averaged


def shake(x, seed, nut, seconds, *more):
    csv = x.path(f"nut{nut}_{seed}.csv")
    done = x.simulate("nut", f"--set=nut={nut}", f"--set=seed={seed}", f"--set=seconds={seconds}",
                      f"--measures={csv}", *more)
    time, share = x.columns(csv, "time", "share")
    late = [s for t, s in zip(time, share) if t >= LATE] or share[-1:]
    return done, time, share, sum(late) / len(late)


def mean(values):
    return sum(values) / len(values)


def run(x):
    x.said(x.perp("simulate", "--list", "nut"))
    seconds, seeds = (4, (1,)) if x.quick else (40, (1, 2, 3))
    rows, curves, late, firsts = [], {2: [], 1: []}, {2: [], 1: []}, []
    for nut in (2, 1):
        for seed in seeds:
            more = (f"--pictures={x.path('pictures')}", "--every=50") if (nut, seed) == (2, 1) else ()
            done, time, share, average = shake(x, seed, nut, seconds, *more)
            m = done["measures"]
            late[nut].append(average)
            curves[nut].append((time, share))
            if nut == 2:
                firsts.append(m["first"])
            rows.append(["nut" if nut == 2 else "control", nut, seed,
                         m["first"] if m["first"] >= 0 else "never", m["best"], average,
                         done["cpu"]])
    x.table(["", "radius", "seed", "above 2/3 first at, s", "share at most",
             f"mean share after {LATE} s", "CPU, s"], rows)
    if not x.quick:
        x.check("above two thirds of the small spheres within 40 s, every seed",
                all(0 <= first <= 40 for first in firsts),
                ", ".join("never" if f < 0 else f"{f:.1f} s" for f in firsts))
        x.check(f"the control rises less: mean share after {LATE} s over the seeds",
                mean(late[1]) < mean(late[2]), f"{mean(late[2]):.2f} against {mean(late[1]):.2f}")
    figures(x, curves, seeds)
    x.say("What is before the nut's centre is left out of the pictures.")
    x.pictures([(f"{x.path('pictures')}/nut_{50 * t:06d}.svg", f"t = {t} s")
                for t in ((0, 1, 2, 4) if x.quick else (0, 10, 20, 30, 40))])


def figures(x, curves, seeds):
    def over_seeds(nut):
        time = curves[nut][0][0]
        return time, [mean([share[k] for _, share in curves[nut]]) for k in range(len(time))]
    x.open_figures()
    x.plot("Share of the small spheres below, mean of the seeds", "time, s", "share below",
           [("nut of radius 2", *over_seeds(2)), ("control of radius 1", *over_seeds(1)),
            ("two thirds", [0, curves[2][0][0][-1]], [2 / 3, 2 / 3])], style="lines",
           setup="set yrange [0:1]")
    x.plot("Share of the small spheres below the nut", "time, s", "share below",
           [(f"seed {seed}", *curve) for seed, curve in zip(seeds, curves[2])], style="lines",
           setup="set yrange [0:1]")
    x.close_figures()
