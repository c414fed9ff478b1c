"""
What becomes of missing values?
===============================

Gaps are an error until you say what shall become of them. Four answers are possible,
and they differ in who is left in the release and in what is seen of the gaps.
"""

import numpy as np
import polars as pl
from matplotlib import pyplot

from microcell import Schema, anonymize
from microcell.datasets import load_diabetes_patients

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients().frame.select("age", "bmi", "bp")
gaps = np.random.default_rng(0).random((3, len(patients))) < 0.1
patients = patients.with_columns(
    pl.when(~pl.Series(gap)).then(pl.col(name)).alias(name)
    for name, gap in zip(patients.columns, gaps, strict=True)
)
schema = Schema(["age", "bmi", "bp"])
POLICIES = {
    "drop": "leave such records out",
    "category": "missing is a value",
    "impute": "fill before masking",
    "ignore": "count what is there",
}

made = {
    policy: anonymize(patients, schema, k=5, method="mdav", missing=policy)
    for policy in POLICIES
}
gone = np.array([release.n_dropped for release in made.values()])
blank = np.array([release.table["age"].null_count() for release in made.values()])
whole = len(patients) - gone - blank

axes = pyplot.subplots(figsize=(7, 3.8))[1]
places, start = np.arange(len(made)), np.zeros(len(made))
for counts, label, colour in (
    (whole, "with an age", "C0"),
    (blank, "age missing", "C5"),
    (gone, "not released", "0.85"),
):
    axes.barh(places, counts, left=start, height=0.62, color=colour, label=label)
    start = start + counts
for place, release in enumerate(made.values()):
    loss = f"{100 * release.scores['relative_loss']:.1f} % lost"
    axes.annotate(loss, (8, place), color="white", va="center")
axes.set_yticks(places, [f"{policy}:\n{words}" for policy, words in POLICIES.items()])
axes.invert_yaxis()
axes.grid(visible=False, axis="y")
axes.set(
    xlabel=f"patients, of {len(patients)}; a tenth of each column is missing",
    ylabel="missing =",
    title="Leaving gaps out costs a quarter of the patients",
)
axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.22), ncols=3)
pyplot.show()

# %%
# The loss counts what is there, so it does not tell of patients who were left out. Only
# ``category`` shows in a release that something was missing, and never of whom.
