"""Spheres settle in a box (section 8.3, Table 1, Figure 6b)

Radius, gravity, box and drop are not in the paper: R = 1 m, g = 9.81 m/s², a square box about as
wide as the heap is high, a contact margin of 0.3 R and the linearised gap condition."""

DEPARTS = [
    "Radius, gravity, box and drop are not in the paper. Here: R = 1 m, g = 9.81 m/s², a "
    "square box about as wide as the heap is high (9, 11, 14 R for 80, 160, 320 spheres).",
    "The first table has the linearised gap condition u_n + g/h ≥ 0 with a margin of 0.3 R; "
    "the paper's own rule, (22), active where the predicted gap is negative, is the second "
    "table.",
    "The paper's contacts may be those within reach or those with a force: both are counted.",
]

# spheres, h, the paper's contacts, simulated over CPU time, worst overlap in %
TABLE1 = [(80, 0.02, 271, 1.24, 0.3), (80, 0.04, 267, 2.28, 1.2), (160, 0.02, 587, 0.95, 0.5),
          (160, 0.04, 584, 1.50, 1.8), (320, 0.02, 1218, 0.50, 0.6), (320, 0.04, 1275, 0.75, 2.2)]


def settle(x, spheres, h, *more):
    return x.simulate("settling", f"--set=spheres={spheres}", f"--set=dt={h}", *more)


def speed(done):
    return done["time"] / done["cpu"]


def run(x):
    x.said(x.perp("simulate", "--list", "settling"))
    x.say("Table 1: contacts, simulated time over CPU time, and the worst overlap ever, in % of R.")
    seconds = [f"--set=seconds={4 if x.quick else 20}"]
    rows, wanted = [], None
    for spheres, h, contacts, ratio, overlap in TABLE1[:4] if x.quick else TABLE1:
        done = settle(x, spheres, h, *seconds)
        free = settle(x, spheres, h, "--set=mu=0", *seconds)
        rows.append([spheres, h, contacts, done["contacts"], ratio, speed(done), overlap,
                     100 * done["overlap"], speed(free), 100 * free["overlap"]])
        wanted = done if (spheres, h) == (320, 0.02) else wanted
    x.table(["spheres", "h, s", "paper: contacts", "contacts", "paper: ratio", "ratio",
             "paper: overlap, %", "overlap, %", "ratio without friction",
             "overlap, % without friction"], rows)
    x.note("g = 9.81 m/s²; boxes for 80, 160, 320 spheres are 9, 11, 14 R wide: as wide as the "
           "heap is high when it fills 0.6 of the space.")
    if wanted:
        x.check("320 spheres, h = 0.02: simulated over CPU time at least 5", speed(wanted) >= 5,
                f"{speed(wanted):.2f}", timing=True)
        x.check("320 spheres, h = 0.02: worst overlap at most 0.6 % of R",
                wanted["overlap"] <= 0.006, f"{100 * wanted['overlap']:.2f} %")
    over_time(x, seconds)
    many(x)


def over_time(x, seconds):
    """Figure 6b."""
    csv, folder = x.path("settling.csv"), x.path("pictures")
    spheres = 80 if x.quick else 320
    x.simulate("settling", f"--set=spheres={spheres}", *seconds, f"--csv={csv}",
               f"--pictures={folder}", "--every=50")
    time, contacts, iterations, overlap = x.columns(csv, "time", "contacts", "iterations",
                                                    "overlap")
    x.open_figures()
    x.plot(f"Contacts and iterations, {spheres} spheres (Figure 6b)", "time, s",
           "contacts; iterations × 10",
           [("contacts", time, contacts), ("iterations × 10", time, [10 * i for i in iterations])],
           style="lines")
    x.plot(f"Worst overlap, {spheres} spheres", "time, s", "overlap, % of R",
           [("overlap", time, [100 * o for o in overlap])], style="lines")
    x.close_figures()
    x.pictures([(f"{folder}/settling_{k:06d}.svg", f"t = {k * 0.02:g} s")
                for k in (0, 50, 100, 200)])


def many(x):
    x.title("More spheres, and where the time goes")
    rows = []
    cases = [(1000, 1)] if x.quick else [(1000, 20), (10000, 6)]
    for spheres, seconds in cases:
        done = settle(x, spheres, 0.02, f"--set=seconds={seconds}")
        split = [100 * s / sum(done["seconds"]) for s in done["seconds"]]
        rows.append([spheres, seconds, done["contacts"], speed(done), done["cpu"], *split,
                     100 * done["overlap"], done["measures"]["speed"]])
    x.table(["spheres", "simulated, s", "contacts at the end", "ratio", "CPU, s",
             "of it collide, %", "assemble, %", "solve, %", "worst overlap, % of R",
             "fastest at the end, m/s"], rows)
    x.check(f"{cases[-1][0]:,} spheres run", True)
