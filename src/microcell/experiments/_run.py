"""Run an experiment: the grid, its tables, its figures and its summary."""

import polars as pl

from microcell.experiments._claims import claim_lines, wrapped, write_claims
from microcell.experiments._data import RECORDS_SAID
from microcell.experiments._figures import draw_results
from microcell.experiments._frontier import draw_frontiers, frontier_lines
from microcell.experiments._grid import run_grid
from microcell.experiments._homogeneity import homogeneity_table, price_lines
from microcell.experiments._readings import reading_lines, readings_table, run_readings


def run_experiment(experiment, out, *, quick, progress):
    """Write results, readings, the price in homogeneity and the figures.

    Parameters
    ----------
    experiment : Experiment
    out : Path
        Folder; it is created. What is written goes into its folder of the
        experiment's name, so that experiments leave each other's files alone; finished
        tasks are kept there in `cache`, so that a run that was stopped goes on where
        it was.
    quick : bool
        The plan "quick" instead of "full".
    progress : callable
        Called with done, total and the step.

    Returns
    -------
    rows : list of dict
        One for each task and setting.
    readings : list of dict
        One for each reading of what the paper leaves open; none without Adult.
    names : list of str
        The data sets.
    folder : Path
        Where the results are.
    """
    plan_name = "quick" if quick else "full"
    plan, folder = experiment.plans[plan_name], out / experiment.name
    folder.mkdir(parents=True, exist_ok=True)
    cache = folder / "cache" / plan_name
    rows = run_grid(experiment, plan, cache, progress)
    names = [name for name, _, _ in plan]
    write_tables(folder, results=rows, homogeneity=homogeneity_table(rows))
    draw_results(experiment, rows, names, folder)
    draw_frontiers(experiment, rows, names, folder)
    readings = []
    if "adult" in names:
        read = run_readings(experiment, plan_name, cache, progress)
        readings = readings_table(experiment, read)
        write_tables(folder, readings=readings)
    return rows, readings, names, folder


def lines_behind(experiment, rows, readings, names, own):
    """What stands behind the claims: own lines, the price, the frontier, readings."""
    return [
        RECORDS_SAID,
        *own,
        *price_lines(experiment, rows, names),
        *frontier_lines(experiment, rows, names),
        *reading_lines(experiment, readings),
    ]


def write_tables(folder, **tables):
    """Write lists of rows as CSV files of these names."""
    for name, rows in tables.items():
        pl.DataFrame(rows, infer_schema_length=None).write_csv(folder / f"{name}.csv")


def write_summary(paper, lines, folder, claims=()):
    """Write what sums up a run, and the table of claims; return the lines written.

    Parameters
    ----------
    paper : Paper
        Its title and authors come first.
    lines : list of str
        What stands behind the claims; long ones are wrapped.
    folder : Path
    claims : list of Claim
        They lead, and are written as `claims.csv` and `claims.md` too.
    """
    lines = wrapped([paper.cited, *claim_lines(claims), *lines])
    (folder / "summary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if claims:
        write_claims(claims, folder)
    return lines
