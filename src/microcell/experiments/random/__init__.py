"""Random aggregation: top-down cells and noise, by Yang, beside what Song et al. do.

Figures 4 to 7 of "Random aggregation: differential privacy in k-anonymity" on its two
tables: time and loss of top-down against bottom-up cells, loss and linkage for four
values of rho. Beside them, what the paper claims and does not measure: the attack of
those who know all of a cell but one record, records near a centroid, and how much of
the output of one table its neighbour cannot give, which differential privacy forbids.
"""

from microcell.experiments._run import write_summary, write_tables
from microcell.experiments.random._claims import claims
from microcell.experiments.random._figures import draw_results
from microcell.experiments.random._run import PAPER, RANDOM_PLANS, run
from microcell.experiments.random._summary import means_table, private_lines

__all__ = ["reproduce"]


def reproduce(out, *, quick=False, progress=lambda done, total, step: None):
    """Write results, claims and figures into `out` / "random"; return what sums up.

    Parameters
    ----------
    out : Path
        Folder of experiments, made if it is not there.
    quick : bool
        Three values of k and three repetitions.
    progress : callable
        Told (done, total, step).
    """
    folder = out / "random"
    folder.mkdir(parents=True, exist_ok=True)
    rows, strips = run(RANDOM_PLANS["quick" if quick else "full"], progress)
    write_tables(folder, results=rows, means=means_table(rows))
    draw_results(rows, folder)
    return write_summary(PAPER, private_lines(rows), folder, claims(rows, strips))
