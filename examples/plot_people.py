"""
Why does k count people and not records?
========================================

Members of a household share their postcode, and a patient comes again. A cell of five
records may then be two families, and who knows one of them is left with the other.
``unit`` names the column that says whose record it is: k then counts those.
"""

import numpy as np
from matplotlib import pyplot

from microcell import Column, Schema, anonymize
from microcell.datasets import make_hospital

pyplot.style.use("microcell.report.pictures")

patients = make_hospital(2000, random_state=0).frame.drop_nulls()
patients = patients.select("household", "postcode", "born", "outcome")
schema = Schema(
    ["postcode", "born"],
    identifiers="household",
    confidential="outcome",
    columns={"postcode": Column(kind="prefix")},
)
K = 5
UNITS = {"records": "k counts records", "household": "k counts households"}

axes = pyplot.subplots()[1]
households = {}
for place, (unit, label) in enumerate(UNITS.items()):
    release = anonymize(patients, schema, k=K, method="mdav", unit=unit)
    cells = release.table.with_columns(patients["household"])
    cells = cells.group_by("postcode", "born").n_unique()
    households[unit] = cells["household"].to_numpy()
    numbers, counts = np.unique(households[unit], return_counts=True)
    axes.bar(numbers + 0.4 * place - 0.2, counts, width=0.38, label=label)
axes.axvline(K - 0.5, color="0.3", linestyle="--")
axes.annotate(f"fewer than {K}", (K - 0.6, 0.9), xycoords=("data", "axes fraction"),
              ha="right")  # fmt: skip
axes.set(xlim=(0.5, 7.5), xticks=range(1, 8))
axes.grid(visible=False, axis="x")
axes.set(
    xlabel="households that look alike",
    ylabel="cells of the release",
    title=f"Cells of {K} records may hold fewer than {K} households",
)
axes.legend()
pyplot.show()

# %%
# Where an identifier repeats, microcell asks which it is and does not guess:
# ``unit="records"`` says that every record is a person of its own.
