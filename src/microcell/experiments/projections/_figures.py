"""Figures 2 and 3 of the paper: disclosure risk and score on Census at v = 4."""

from microcell.experiments.projections._run import PROJECTED
from microcell.report import draw_curves, draw_legend, panels, save

DRAWN = (5, 15, 25)  # values of k
NAMES = {"pcp": "PCP", "zscores": "Z-scores", "sugeno": "Sugeno"}
COLUMNS_DRAWN = {2: ("DR", "Disclosure risk (DR), %"), 3: ("score", "Score")}


def draw(rows, theirs, paper, folder):
    """Write figure_2 and figure_3 as PNG and SVG: ours in full, theirs hollow.

    Parameters
    ----------
    rows : list of dict
        Rows of the default reading.
    theirs : callable
        The paper's row of (method, k), with DR.
    paper : Paper
    folder : Path
    """
    ours = {
        (r["method"], r["k"]): r for r in rows if r["data"] == "census" and r["v"] == 4
    }
    for number, (column, label) in COLUMNS_DRAWN.items():
        figure, (axes,) = panels(1, lowest_sentence(ours, column), width=6)
        lines = {
            NAMES[method]: [(k, ours[method, k][column], float("nan")) for k in DRAWN]
            for method in PROJECTED
        }
        printed = {
            NAMES[method]: [(k, theirs(method, k)[column]) for k in DRAWN]
            for method in PROJECTED
        }
        draw_curves(
            axes, lines, x_label="k", y_label=label, log_x=False, theirs=printed
        )
        draw_legend(figure, [axes], paper_printed=True)
        save(figure, paper, folder, f"figure_{number}")


def lowest_sentence(ours, column):
    """Where Sugeno has the lowest value, which the paper claims for all k."""
    lowest = [
        f"{k}"
        for k in DRAWN
        if min(PROJECTED, key=lambda method: ours[method, k][column]) == "sugeno"
    ]
    word = {"DR": "disclosure risk", "score": "score"}[column]
    where = f"at k = {', '.join(lowest)} only" if lowest else "at no k"
    if len(lowest) == len(DRAWN):
        where = "at every k"
    return f"Census, v = 4: Sugeno has the lowest {word} {where}"
