"""Figures 2 and 3 of the paper: disclosure risk and score on Census at v = 4."""

from microcell.experiments._figures import save
from microcell.experiments.projections._run import PROJECTED

DRAWN = (5, 15, 25)  # values of k
NAMES = {"pcp": "PCP", "zscores": "Z-scores", "sugeno": "Sugeno"}


def draw(rows, theirs, paper, folder):
    """Write figure_2 and figure_3 as PNG and SVG: ours in full, theirs dashed.

    Parameters
    ----------
    rows : list of dict
        Rows of the default reading.
    theirs : callable
        The paper's row of (method, k), with DR.
    paper : Paper
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
        for colour, method in enumerate(PROJECTED):
            style = {"color": f"C{colour}", "marker": "o"}
            axes.plot(
                DRAWN,
                [ours[method, k][column] for k in DRAWN],
                label=NAMES[method],
                **style,
            )
            published = [theirs(method, k)[column] for k in DRAWN]
            axes.plot(DRAWN, published, linestyle="--", alpha=0.6, **style)
        axes.set(xlabel="k", ylabel=title, xticks=DRAWN, title="Census, v = 4")
        axes.plot([], [], color="grey", linestyle="--", label="in the paper")
        axes.legend()
        save(figure, paper, folder, f"figure_{number}")
