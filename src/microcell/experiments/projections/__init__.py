"""Cells along a projection: Table 1 and figures 2 and 3 of the paper.

Nin and Torra: Modeling Projections in Microaggregation.

The paper leaves choices open and contradicts itself in places (its Mic2PCP and
Mic2Zscores differ widely on EIA, where the two projections give one order on
standardised columns), so no reading reproduces the whole table. The defaults are ours
throughout; other readings are run beside them and compared, nothing is tuned by row.
"""

import polars as pl

from microcell.experiments._experiment import Paper
from microcell.experiments._run import write_summary
from microcell.experiments.projections._figures import draw
from microcell.experiments.projections._run import run, with_published
from microcell.experiments.projections._summary import (
    closeness,
    conclusions,
    lines_of,
    paper_row,
)

__all__ = ["reproduce"]

PROJECTIONS_PAPER = Paper("Modeling Projections in Microaggregation", "Nin and Torra")


def reproduce(out, *, quick=False, progress=lambda done, total, step: None):
    """Write the table, its readings and the figures into `out` / "projections".

    Parameters
    ----------
    out : Path
        Folder; it is created, and in it the folder of this experiment, in which files
        are replaced.
    quick : bool, default=False
        Census at v = 4 only, default reading and readings of measures.
    progress : callable
        Called with done, total and the step.

    Returns
    -------
    lines : list of str
        Closeness of each column and the paper's conclusions.
    """
    rows = [with_published(row) for row in run(quick, progress)]
    defaults = [row for row in rows if row["reading"] == "default"]
    compared = closeness(rows)
    folder = out / "projections"
    folder.mkdir(parents=True, exist_ok=True)
    pl.DataFrame(defaults).drop("reading").write_csv(folder / "table_1.csv")
    pl.from_dicts(rows, infer_schema_length=None).write_csv(folder / "readings.csv")
    pl.DataFrame(compared).write_csv(folder / "closeness.csv")
    draw(defaults, paper_row, PROJECTIONS_PAPER, folder)
    lines = lines_of(compared) + conclusions(rows)
    return write_summary(PROJECTIONS_PAPER, lines, folder)
