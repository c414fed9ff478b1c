"""
Which columns single people out?
================================

A postcode says little of a person, and so does a year of birth; together they name
most people. ``inspect`` counts it before anything is released: the share of records
that are alone with their values, for columns alone, in pairs and in threes.
"""

import polars as pl
from matplotlib import pyplot

from microcell import inspect
from microcell.datasets import make_hospital

pyplot.style.use("microcell.report.pictures")

patients = make_hospital(2000, random_state=0).frame
year = pl.col("born").dt.year().alias("birth year")
inspection = inspect(patients.select("postcode", "city", year, "sex", "icd"))
sets = inspection.singling_out.sets

axes = pyplot.subplots(figsize=(7, 4.6))[1]
places = range(len(sets))
names = [" + ".join(each.columns) for each in sets]
for column, label, colour in (
    ("below_k", f"with fewer than {inspection.k} people alike", "C5"),
    ("unique", "alone", "C0"),
):
    shares = [100 * getattr(each, column) for each in sets]
    axes.barh(places, shares, height=0.66, color=colour, label=label)
axes.set_yticks(places, names)
axes.invert_yaxis()
axes.grid(visible=False, axis="y")
axes.set(
    xlabel="patients, %",
    ylabel="columns that are known",
    xlim=(0, 100),
    title="Two harmless columns name nine of ten patients",
)
axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.16), ncols=2)
pyplot.show()

# %%
# Such columns are quasi-identifiers, and the proposed recipe has them as such:

print(inspection.names("quasi-identifier"))
