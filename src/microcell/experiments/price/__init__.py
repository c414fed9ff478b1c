"""Paper 004: what anonymity costs a model, for MDAV, V-MDAV, Mondrian and MDAV-SD.

The paper picks lambda on the test records ("maximum utility trace"); that protocol is
run and labelled so, and beside it lambda chosen by cross-validation inside the
training part. No paper shows how homogeneous cells become when the confidential
attribute shapes them: it is measured and printed beside the accuracy.
"""

import polars as pl

from microcell.experiments import check_figures
from microcell.experiments._homogeneity import homogeneity_table
from microcell.experiments._learning import run_grid
from microcell.experiments.price._figures import draw_results
from microcell.experiments.price._run import PLANS, build, settings_of
from microcell.experiments.price._summary import summary

__all__ = ["reproduce"]


def reproduce(out, *, quick=False, progress=lambda done, total, step: None):
    """Write results and figures into a folder; see `microcell.experiments.lda`."""
    check_figures()
    out.mkdir(exist_ok=True)
    plan = PLANS["quick" if quick else "full"]
    cache = out / "cache" / "price" / ("quick" if quick else "full")
    rows = run_grid(plan, build, settings_of, cache, progress)
    names = [name for name, _, _ in plan]
    pl.DataFrame(rows, infer_schema_length=None).write_csv(out / "results.csv")
    pl.DataFrame(homogeneity_table(rows)).write_csv(out / "homogeneity.csv")
    draw_results(rows, names, out)
    lines = summary(rows, names)
    (out / "summary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lines
