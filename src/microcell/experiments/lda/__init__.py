"""Paper 000: MDAV on cells stretched by LDA, and what models learn from them.

The paper plots, for each k, the best accuracy over alpha as seen on the test records;
since alpha = 1 is MDAV itself, its curve cannot lie below MDAV's, even on noise. That
protocol is run and labelled so, and beside it alpha chosen by cross-validation inside
the training part, which is what a user can do.
"""

import polars as pl

from microcell.experiments import check_figures
from microcell.experiments._homogeneity import homogeneity_table
from microcell.experiments._learning import compare_models, run_grid
from microcell.experiments.lda._figures import draw_results
from microcell.experiments.lda._run import PLANS, build, settings_of
from microcell.experiments.lda._summary import summary
from microcell.experiments.lda._toy import draw_toy

__all__ = ["reproduce"]


def reproduce(out, *, quick=False, progress=lambda done, total, step: None):
    """Write results, the price in homogeneity and the figures into a folder.

    Parameters
    ----------
    out : Path
        Folder; it is created. Finished tasks are kept in its folder `cache`, so that
        a run that was stopped goes on where it was.
    quick : bool, default=False
        Fewer repetitions and values of k, without all records of Adult.
    progress : callable
        Called with done, total and the step.

    Returns
    -------
    lines : list of str
    """
    check_figures()
    out.mkdir(exist_ok=True)
    plan = PLANS["quick" if quick else "full"]
    cache = out / "cache" / "lda" / ("quick" if quick else "full")
    rows = run_grid(plan, build, settings_of, cache, progress)
    names = [name for name, _, _ in plan]
    of_originals = [n for n in names if n != "adult (all)"]
    models = compare_models(of_originals, 2 if quick else 10)
    pl.DataFrame(rows, infer_schema_length=None).write_csv(out / "results.csv")
    pl.DataFrame(models).write_csv(out / "models.csv")
    pl.DataFrame(homogeneity_table(rows)).write_csv(out / "homogeneity.csv")
    draw_results(rows, names, out)
    draw_toy(out)
    lines = summary(rows, models, names)
    (out / "summary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lines
