"""The ends of the page: the slips found in the papers, and every algorithm, variant, experiment, figure and
table of theirs with the command that makes it."""
import html

# paper, place, what stands there, what it should be, how one sees it
SLIPS = [
    ("000", "section 6.3, step 4", "β = (w·Wp)/(p·Wp)", "β = −(w·Wp)/(p·Wp)",
     "directions are conjugate with the minus sign only; section “column” above: the loss of energy of Figure 3 "
     "comes with the printed sign"),
    ("000", "section 6.2, steps 1 and 2", "no contact if b_n < 0, r = W⁻¹b",
     "no contact if b_n ≥ 0, r = −W⁻¹b", "u = Wr + b with u_n ≥ 0 and r_n ≥ 0"),
    ("000", "equation (30)", "−u_t ∈ Σ −κ_i c_i", "−u_t = Σ κ_i c_i",
     "friction would drive the motion otherwise; the problem is a mixed one, for r_t has no sign"),
    ("000", "equation (32)", "0 ≤ λ ⊥ λ ⊥ μ r_n − eᵀβ ≥ 0", "0 ≤ λ ⊥ μ r_n − eᵀβ ≥ 0", "printed twice"),
    ("000", "equation (37)", "a force of μmg", "more than μmg, and less before each corner",
     "a locked ball rests under μmg, a free one rolls; section “triangle” above"),
    ("000", "section 8.1", "θ = 1: the total energy decreases", "not with e = 1: it goes up and down",
     "section “column” above has the curve"),
    ("001", "problem (11)", "needs k with Jk = c", "the least-distance form needs none",
     "redundant contacts with gaps contradict each other"),
    ("003", "Table 1, (b) and (h)", "157 and 62 eigenvalues", "at most 150 and 60",
     "six times the free bodies; section “erleben” above"),
    ("004", "matrix Q_l", "signs of the last entries of rows 2 and 3", "−q₂ and q₁",
     "the quaternion's length would change otherwise"),
    ("004", "vector b", "component-wise, without ω × r", "with ω × r", "contacts away from the centre move"),
    ("004", "δ_k", "p_i − p_j", "p_j − p_i", "the gap has to be positive apart"),
    ("004", "section 3.2", "the quaternion (−0.316, 0.065, −0.938, −0.126)", "divided by 0.9999",
     "its length"),
    ("004", "section 3.3", "F_t = −μ_R m g v_t/|v_t| with the vector g", "with the number |g|",
     "a product of two vectors otherwise"),
]

# row, place in the paper, what, section of this page ("" for none), command, what is open
ROWS = [
    ("000.1", "3.1–3.2", "H, contact frames, dynamics in measures", "assembly", "make papers ONLY=assembly", ""),
    ("000.2", "4.3 (24)", "Delassus operator", "assembly", "make papers ONLY=assembly", ""),
    ("000.3", "3.3.1", "Signorini in velocities", "motion", "perp simulate collision --set=e=0", ""),
    ("000.4", "3.3.2", "Coulomb, exact cone", "triangle", "perp simulate triangle", ""),
    ("000.5", "3.3.3", "Moreau's impact law", "column", "perp simulate column", ""),
    ("000.6", "4.1", "θ-method", "column", "perp simulate column --set=theta=1",
     ""),
    ("000.7", "4.2", "activation by the predicted gap", "settling", "perp simulate settling --set=impact=1", ""),
    ("000.8", "8.1", "θ = 1 dissipates", "column", "perp simulate column --set=theta=1", ""),
    ("000.9", "5.1.1", "frictionless LCP", "spaces", "make papers ONLY=spaces", ""),
    ("000.10", "5.1.2", "outer polyhedral cone", "triangle", "perp simulate triangle --form=mcp_facets", ""),
    ("000.11", "5.1.2", "inner polyhedral cone", "triangle", "perp simulate triangle --form=lcp_facets", ""),
    ("000.12", "5.2", "MCP", "triangle", "perp simulate triangle --solver=mcp/path --form=mcp_facets", ""),
    ("000.13", "6.1", "PSOR", "settling",
     "perp simulate settling --set=mu=0 --solver=lcp/psor:omega=1.4", ""),
    ("000.14", "6.2", "block NSGS", "sweeps", "perp solve -s fc3d/nsgs:extrapolate=0 FILE", ""),
    ("000.15", "6.2, Fig. 2", "explicit local resolution", "masonry", "perp solve -s fc3d/nsgs:local=explicit FILE",
     ""),
    ("000.16", "6.2, 8.3", "diagonalised block against the full inverse", "masonry",
     "perp solve -s fc3d/nsgs:local=diagonal FILE", ""),
    ("000.17", "6.3", "CPG", "column",
     "perp simulate column --together --solver=fc3d/cpg:variant=published", ""),
    ("000.18", "6", "Lemke", "triangle", "perp simulate triangle --solver=lcp/lemke --facets=8", ""),
    ("000.19", "7", "PATH", "masonry", "perp simulate wall --solver=mcp/path:max_iter=10,pivots=1 --facets=4", ""),
    ("000.20", "Fig. 3", "bouncing column", "column", "make papers ONLY=column", ""),
    ("000.21a", "Fig. 4a", "triangle: NSGS, exact and with pyramids", "triangle",
     "perp simulate triangle --solver=fc3d/nsgs:local=lemke,facets=4", ""),
    ("000.21b", "Fig. 4b", "triangle: Lemke, C₂ … C₈", "triangle",
     "perp simulate triangle --solver=lcp/lemke --facets=4", ""),
    ("000.22", "Table 1", "settling of 80, 160, 320 spheres", "settling", "make papers ONLY=settling", ""),
    ("000.23", "Fig. 5", "pictures of heap and wall", "settling", "perp simulate settling --pictures=DIR", ""),
    ("000.24", "Fig. 6a", "10 % in 10 iterations", "sweeps", "make papers ONLY=sweeps", ""),
    ("000.25", "Fig. 6b", "contacts and iterations over time", "settling", "make papers ONLY=settling", ""),
    ("000.26", "8.3", "frictionless packing is real-time", "settling",
     "perp simulate settling --set=mu=0", ""),
    ("000.27", "8.3", "masonry stands", "masonry", "perp simulate wall", ""),
    ("000.28", "8.3", "masonry: troubles of Lemke and PATH", "masonry", "make papers ONLY=masonry", ""),
    ("001.1", "2–3.1", "constrained acceleration", "motion", "perp simulate ladder", ""),
    ("001.2", "3.2", "collision as nearest velocity", "motion", "perp simulate collision", ""),
    ("001.3", "4", "nearest point in motion space", "spaces", "make papers ONLY=spaces", ""),
    ("001.4", "5.1", "contact-space LCP", "spaces", "make papers ONLY=spaces", ""),
    ("001.5", "5.2", "conditioning, sparsity, memory", "spaces", "make papers ONLY=spaces", ""),
    ("001.6", "5.3", "Wilhelmsen", "ratio", "perp solve -s nnls/wilhelmsen FILE", ""),
    ("001.7", "5.3", "Dantzig, Baraff", "ratio", "build/benchmarks/paper001 --rule order", ""),
    ("001.8", "5.3", "dense and sparse variants", "ratio", "build/benchmarks/paper001_cholesky", ""),
    ("001.9", "Table 1", "dense ratios", "ratio", "make papers ONLY=ratio", ""),
    ("001.10", "Table 2", "sparse ratios", "ratio", "make papers ONLY=ratio", ""),
    ("001.11", "2, note 2", "contact groups", "invariants", "perp simulate settling --together", ""),
    ("001.12", "6, note 11", "first-order world", "motion", "perp simulate slope --set=order=1", ""),
    ("001.13", "Figs. 1, 2", "particle on a slope, collision", "motion", "make papers ONLY=motion", ""),
    ("002.1", "2", "NSCD, θ, W", "assembly", "make papers ONLY=assembly", ""),
    ("002.2", "3.2, Fig. 1", "one contact on a ν-gon", "triangle",
     "perp simulate triangle --solver=fc3d/nsgs:local=lemke,facets=4", ""),
    ("002.3", "3.3", "approximation at the local level", "local", "perp solve -s fc3d/nsgs:local=lemke FILE", ""),
    ("002.4", "4.1", "block splitting", "local", "perp solve -s fc3d/nsgs FILE", ""),
    ("002.5", "4.2", "Lemke as local solver", "triangle", "perp solve -s fc3d/nsgs:local=lemke FILE", ""),
    ("002.6", "4.3", "quadratic program as local solver", "local", "perp solve -s fc3d/nsgs:local=qp FILE", ""),
    ("002.7", "4.4", "Newton as local solver", "local", "perp solve -s fc3d/nsgs:local=newton FILE", ""),
    ("002.8", "4.5", "explicit for spheres", "local", "perp solve -s fc3d/nsgs:local=explicit FILE", ""),
    ("002.9", "5", "packing: CPU of the local solvers", "local", "make papers ONLY=local", ""),
    ("002.10", "5", "maximal number of pivots", "local", "perp solve -s fc3d/nsgs:local=lemke,pivots=3 FILE", ""),
    ("002.11", "Fig. 2", "Brazil nut", "nut", "perp simulate nut", ""),
    ("002.12", "5", "nut with the local solvers", "local", "perp simulate nut --solver=fc3d/nsgs:local=newton", ""),
    ("002.13", "Fig. 3", "wall on sinking ground", "masonry", "perp simulate wall --set=sink=1", ""),
    ("002.14", "5", "wall with the local solvers", "local", "perp simulate wall --set=sink=1 --solver=fc3d/nsgs:local=lemke", ""),
    ("003.1", "2", "NCP with variable bounds", "assembly", "make papers ONLY=assembly", ""),
    ("003.2", "3", "PGS", "erleben", "perp solve -s mcp/pgs FILE", ""),
    ("003.3", "4", "NNCG, Fletcher–Reeves", "erleben", "perp solve -s mcp/nncg FILE", ""),
    ("003.4", "4", "Polak–Ribière", "erleben", "perp solve -s mcp/nncg:formula=polak_ribiere FILE", ""),
    ("003.5", "4", "restarts", "erleben", "perp solve -s mcp/nncg:restart=20 FILE", ""),
    ("003.6", "4, Fig. 3", "line search", "erleben", "perp solve -s mcp/nncg:line_search=1 FILE", ""),
    ("003.7", "4", "stop at ‖∇f‖ < ε", "erleben", "perp solve -s mcp/nncg:gradient=1e-6 FILE", ""),
    ("003.8", "5", "work in body space", "erleben", "make papers ONLY=erleben", ""),
    ("003.9", "Table 1", "bodies, constraints, eigenvalues", "erleben", "make papers ONLY=erleben", ""),
    ("003.10", "Fig. 4", "nine pictures", "erleben", "perp simulate erleben --set=case=a --pictures=DIR", ""),
    ("003.11", "Fig. 5", "150 sweeps", "erleben", "make papers ONLY=erleben", ""),
    ("003.12", "Fig. 6", "5000 sweeps", "erleben", "make papers ONLY=erleben", ""),
    ("003.13", "Figs. 1, 2", "interactive scenes, 50 iterations a frame", "hand",
     "perp simulate hand --set=case=b", ""),
    ("003.14", "Fig. 7", "wall of 174 bodies", "bricks", "make papers ONLY=bricks", ""),
    ("004.1", "2.1", "equations, J, N, frictionless LCP", "assembly", "make papers ONLY=assembly", ""),
    ("004.2", "2.2", "η facets, blocks of A and b", "facets", "perp simulate tippetop --form=lcp_facets", ""),
    ("004.3", "2.3", "fixed-point iteration", "tippetop", "perp simulate tippetop --set=fixed_point=20", ""),
    ("004.4", "2.4", "linearised contact condition", "tippetop", "perp simulate tippetop", ""),
    ("004.5", "2.3", "four types of contact", "shapes", "make papers ONLY=shapes", ""),
    ("004.6", "3.2", "parameters of the top", "tippetop", "perp simulate --list tippetop", ""),
    ("004.7", "Fig. 8", "snapshots", "tippetop", "perp simulate tippetop --pictures=DIR", ""),
    ("004.8", "Fig. 10", "cosine of the axis", "tippetop", "perp simulate tippetop --set=theta=1 --facets=8", ""),
    ("004.9", "Fig. 11", "contact and friction forces", "tippetop",
     "perp simulate tippetop --set=theta=1 --measures=x.csv", ""),
    ("004.10", "Fig. 12", "height of the centre of mass", "tippetop",
     "perp simulate tippetop --set=theta=1 --measures=x.csv", ""),
    ("004.11", "Fig. 13", "energy", "tippetop", "perp simulate tippetop --set=theta=1 --csv=x.csv", ""),
    ("004.12", "3.3", "rolling friction, air resistance", "tippetop",
     "perp simulate tippetop --set=rolling=1 --set=air=0.001", ""),
    ("004.13", "3.2", "Kane and Levinson's sphere", "tippetop", "perp simulate tippetop --set=stick_radius=0", ""),
    ("004.14", "3.2, table", "LCP time, dimension 6 … 130", "facets", "make papers ONLY=facets", ""),
    ("004.15", "3.2", "impulse-based method", "tippetop", "make papers ONLY=tippetop", ""),
    ("004.16", "3.2", "real time", "tippetop", "make papers ONLY=tippetop", ""),
]

WORDS = {"held": ("good", "holds"), "timing": ("open", "a time, missed here"), "missed": ("bad", "MISSED"),
         "shown": ("good", "shown"), "part": ("open", "in part"), "open": ("open", "open"),
         "absent": ("open", "not on this page"), "failed": ("bad", "failed")}


def state(row, section, left, sections):
    """One of WORDS: by the checks that name the row, or else by whether its section was made."""
    found = next((s for s in sections if s["name"] == section), None)
    if not section:
        return "open"
    if not found:
        return "absent"
    if found["failed"]:
        return "failed"
    checked = found.get("rows", {}).get(row, "shown")
    return "part" if left and checked in ("held", "shown") else checked


def make_table(head, rows, style):
    out = [f'<div class="scroll"><table class="rows {style}"><thead><tr>']
    out += [f"<th>{html.escape(name)}</th>" for name in head]
    out.append("</tr></thead><tbody>")
    for row in rows:
        out.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>")
    return "".join(out) + "</tbody></table></div>"


def slips_table(papers):
    rows = [[html.escape(papers[p][0])] + [html.escape(cell) for cell in more] for p, *more in SLIPS]
    return ('<h2 id="slips">Slips found in the papers</h2>'
            "<p>Found by working them through; perp has what stands in the fourth column.</p>"
            + make_table(["paper", "where", "printed", "should be", "how one sees it"], rows, "slips"))


def rows_table(sections, papers):
    rows = []
    for row, place, what, section, command, left in ROWS:
        style, word = WORDS[state(row, section, left, sections)]
        link = f'<a href="#{section}">{section}</a>' if any(
            s["name"] == section for s in sections) else html.escape(section)
        rows.append([row, html.escape(f"{papers[row[:3]][0].split(',')[0]} {place}"), html.escape(what),
                     f'<span class="{style}">{word}</span>' + (f": {html.escape(left)}" if left else ""),
                     link, f"<code>{html.escape(command)}</code>"])
    return ('<h2 id="rows">Every algorithm, variant, experiment, figure and table</h2>'
            "<p>“holds”: a check of the section names the row; “shown”: the section has its table or "
            "figure; “in part” and “open” say what is left.</p>"
            + make_table(["row", "where", "what", "state", "section", "command"], rows, "states"))
