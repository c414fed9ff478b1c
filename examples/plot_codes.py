"""
What becomes of postcodes and diagnoses?
========================================

Codes have a tree in them: 04109 lies in 041, E11.5 is a kind of E11. Declared as
``prefix``, a cell publishes what its codes begin with, such as 041** or E11*, and codes
that share more of their beginning are closer, so that cells keep to one region.
"""

import numpy as np
import polars as pl
from matplotlib import pyplot

from microcell import Column, Schema, anonymize
from microcell.datasets import make_hospital

pyplot.style.use("microcell.report.pictures")

patients = make_hospital(2000, random_state=0).frame
patients = patients.select("postcode", "icd", "outcome").drop_nulls()
schema = Schema(
    ["postcode", "icd"],
    confidential="outcome",
    columns={name: Column(kind="prefix") for name in ("postcode", "icd")},
)
KS = [3, 5, 10, 20, 50]
left = {
    k: anonymize(patients, schema, k=k, method="mdav").table.select(
        pl.col("postcode", "icd").str.replace_all(r"[.*]", "").str.len_chars()
    )
    for k in KS
}

figure, places = pyplot.subplots(1, 2, figsize=(8.6, 4.2), sharey=True)
shades = pyplot.get_cmap("Blues")
for axes, column in zip(places, ("postcode", "icd"), strict=True):
    above = np.zeros(len(KS))
    for length in range(5, -1, -1):
        shares = [100 * (left[k][column] == length).mean() for k in KS]
        colour = shades(0.1 + 0.17 * length)
        axes.bar(range(len(KS)), shares, bottom=above, color=colour, label=f"{length}")
        above += shares
    axes.set_xticks(range(len(KS)), [str(k) for k in KS])
    axes.grid(visible=False, axis="x")
    axes.set_xlabel("k, people who look alike at least")
places[0].set_title("postcode, five digits")
places[1].set_title("diagnosis, a letter and three digits")
places[0].set_ylabel("patients, %")
figure.suptitle("How many characters of a code are released")
places[1].legend(title="characters", loc="center left", bbox_to_anchor=(1, 0.5))
pyplot.show()

# %%
# The first three characters, the town and the group of diagnoses, last longest. Groups
# that are not beginnings of codes come from a file: ``Column(hierarchy="icd.csv")``.
