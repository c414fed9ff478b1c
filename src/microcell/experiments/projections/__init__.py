"""Cells along a projection: Table 1 and figures 2 and 3 of the paper.

Nin and Torra: Modeling Projections in Microaggregation.

The paper leaves choices open and contradicts itself in places (its Mic2PCP and
Mic2Zscores differ widely on EIA, where the two projections give one order on
standardised columns), so no reading reproduces the whole table. The defaults are ours
throughout; other readings are run beside them and compared, nothing is tuned by row.
Other aggregation functions, its future work, are chosen on some tables and evaluated on
others.
"""

from microcell.experiments._run import write_summary, write_tables
from microcell.experiments.projections._claims import claims, paper_row
from microcell.experiments.projections._figures import draw
from microcell.experiments.projections._paper import PROJECTIONS_PAPER
from microcell.experiments.projections._quantifiers import (
    quantifier_lines,
    run_quantifiers,
)
from microcell.experiments.projections._readings import closeness, lines_of
from microcell.experiments.projections._run import run, with_published

__all__ = ["reproduce"]


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
        The paper's claims, how close each column comes, and other functions.
    """
    rows = [with_published(row) for row in run(quick, progress)]
    defaults = [row for row in rows if row["reading"] == "default"]
    compared = closeness(rows)
    folder = out / "projections"
    folder.mkdir(parents=True, exist_ok=True)
    draw(defaults, paper_row, PROJECTIONS_PAPER, folder)
    of_functions = run_quantifiers(quick, progress)
    without_reading = [
        {name: value for name, value in row.items() if name != "reading"}
        for row in defaults
    ]
    write_tables(
        folder,
        table_1=without_reading,
        readings=rows,
        closeness=compared,
        functions=of_functions,
    )
    lines = lines_of(compared) + quantifier_lines(of_functions)
    found = claims(defaults, of_functions)
    return write_summary(PROJECTIONS_PAPER, lines, folder, found)
