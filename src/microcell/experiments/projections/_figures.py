"""Figures 2 and 3 of the paper: disclosure risk and score on Census at v = 4."""

from microcell.experiments.projections._run import METHODS

KS = (5, 15, 25)
NAMES = {"pcp": "PCP", "zscores": "Z-scores", "sugeno": "Sugeno"}


def draw(rows, theirs, folder):
    """Write figure_2 and figure_3 as PNG and SVG: ours in full, theirs dashed.

    Parameters
    ----------
    rows : list of dict
        Rows of the default reading.
    theirs : callable
        The paper's row of (method, k), with DR.
    folder : Path
    """
    from matplotlib.figure import Figure

    ours = {
        (r["method"], r["k"]): r for r in rows if r["data"] == "census" and r["v"] == 4
    }
    for number, column, title in (
        (2, "DR", "Disclosure risk (DR)"),
        (3, "score", "Score"),
    ):
        figure = Figure(figsize=(6, 4), layout="constrained")
        axes = figure.subplots()
        for colour, method in enumerate(METHODS):
            style = {"color": f"C{colour}", "marker": "o"}
            axes.plot(
                KS, [ours[method, k][column] for k in KS], label=NAMES[method], **style
            )
            paper = [theirs(method, k)[column] for k in KS]
            axes.plot(KS, paper, linestyle="--", alpha=0.6, **style)
        axes.set(xlabel="k", ylabel=title, xticks=KS, title="Census, v = 4")
        axes.plot([], [], color="grey", linestyle="--", label="in the paper")
        axes.legend()
        for suffix in ("png", "svg"):
            figure.savefig(folder / f"figure_{number}.{suffix}", dpi=150)
