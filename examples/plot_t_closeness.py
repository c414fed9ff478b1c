"""
What does t-closeness cost?
===========================

With t-closeness, the confidential values of each cell are distributed much as those of
the whole table, so that finding a cell tells little. There are several ways to keep the
promise: merge cells until it holds, or build cells for it. They lose differently.
"""

from matplotlib import pyplot

from microcell import Schema, anonymize
from microcell.datasets import load_diabetes_patients
from microcell.privacy import TCloseness

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients().frame
table = patients.select("age", "bmi", "bp", "progression")
schema = Schema(["age", "bmi", "bp"], confidential="progression")
TS = [0.1, 0.15, 0.2, 0.25, 0.3]
WAYS = {
    "merge": "MDAV's cells, merged",
    "k-first": "records exchanged until it holds",
    "t-first": "cells spread over all values",
}

axes = pyplot.subplots()[1]
losses = {
    way: [
        100
        * anonymize(
            table, schema, k=5, method="mdav", promises=[TCloseness(t)], enforce=way
        ).scores["relative_loss"]
        for t in TS
    ]
    for way in WAYS
}
plain = 100 * anonymize(table, schema, k=5, method="mdav").scores["relative_loss"]
for (way, words), marker in zip(WAYS.items(), "osD", strict=True):
    axes.plot(TS, losses[way], marker=marker, label=f"{way}: {words}")
axes.axhline(plain, color="0.4", linestyle="--", label="no promise but k = 5")
axes.set(
    xlabel="t, largest distance of a cell's values from the table's",
    ylabel="information lost, % of the variance",
    xticks=TS,
    ylim=(0, None),
    title="A strict t costs much, a mild one little",
)
axes.legend()
pyplot.show()

# %%
# Ask for no smaller t than you need. For a strict one take ``enforce="t-first"``, for a
# mild one ``"k-first"``.
