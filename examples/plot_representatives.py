"""
Mean, median or interval: what should a cell publish?
=====================================================

A cell can be published by one value or by a range. Means keep the averages of the table
but for rounding, and are nobody's value; a median may be somebody's, and is not drawn
by one extreme age; an interval says honestly how vague it is, and with rounded ends
gives nobody away.
"""

import numpy as np
from matplotlib import pyplot

from microcell import Column, Schema, anonymize
from microcell.datasets import load_diabetes_patients

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients().frame.select("age", "bmi", "bp")
schema = Schema(["age", "bmi", "bp"])
made = {
    form: anonymize(
        patients,
        schema,
        k=7,
        method="mdav-refined",
        columns={"age": Column(publish=form)},
        ends="rounded" if form == "interval" else "exact",
    ).table["age"].to_numpy()
    for form in ("mean", "median", "interval")
}  # fmt: skip
labels = anonymize(patients, schema, k=7, method="mdav-refined").labels
first = np.unique(labels, return_index=True)[1]  # a record of each cell
first = first[np.argsort(made["mean"][first])][::4]  # every fourth, by age
ends = [text.strip("[]").split(", ") for text in made["interval"][first]]
low, high = np.array(ends, dtype=float).T

axes = pyplot.subplots(figsize=(7, 5))[1]
cells = np.arange(len(first))
axes.hlines(cells, low, high, color="C5", alpha=0.5, linewidth=8, label="interval")
for cell in cells:
    ages = patients["age"].to_numpy()[labels == labels[first[cell]]]
    label = "patients" if cell == 0 else None
    axes.plot(ages, np.full(ages.size, cell), "k|", markersize=9, label=label)
axes.plot(made["mean"][first], cells, "o", color="C0", label="mean")
axes.plot(made["median"][first], cells, "D", color="C1", markersize=4, label="median")
axes.set(
    xlabel="age, years",
    ylabel="cells of seven patients or more",
    yticks=[],
    title="Three ways to publish the age of a cell",
)
axes.legend(loc="upper left")
pyplot.show()

# %%
# ``representatives`` says it for each column; there are also modes, sets, medoids and
# common beginnings of codes. Cells are the same whatever is published of them.
