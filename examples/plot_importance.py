"""
Can one column stay more exact than the others?
===============================================

Who analyses the release may need the age exactly and the rest less so. ``importance``
makes a column count more in the distances that form cells; the others pay for it.
"""

import numpy as np
from matplotlib import pyplot

from microcell import Column, Schema, anonymize
from microcell.datasets import load_diabetes_patients
from microcell.metrics import sse_loss

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients().frame.select("age", "bmi", "bp")
schema = Schema(["age", "bmi", "bp"])
options = {"k": 5, "method": "mdav-refined"}
IMPORTANCE = [1, 2, 4, 8, 16, 32]
made = [anonymize(patients, schema, **options).table]
for importance in IMPORTANCE[1:]:
    columns = {"age": Column(importance=importance)}
    weighed = anonymize(patients, schema, columns=columns, **options)
    made.append(weighed.table)
losses = {
    column: [
        100 * sse_loss(patients.select(column), table.select(column)) for table in made
    ]
    for column in patients.columns
}

axes = pyplot.subplots()[1]
LABELS = {"age": "age", "bmi": "body mass index", "bp": "blood pressure"}
for (column, label), marker in zip(LABELS.items(), "osD", strict=True):
    axes.plot(IMPORTANCE, losses[column], marker=marker, label=label)
mean = np.mean(list(losses.values()), axis=0)
axes.plot(IMPORTANCE, mean, "--", color="0.4", label="all three")
axes.set_xscale("log")
axes.set_xticks(IMPORTANCE, [str(importance) for importance in IMPORTANCE])
axes.minorticks_off()
axes.set(
    xlabel="importance of age; the others have 1",
    ylabel="information lost, % of the column's variance",
    ylim=(0, None),
    title="Cells of five can keep the age, and the others pay for it",
)
axes.legend()
pyplot.show()

# %%
# Loss and risk are measured without these weights, so that releases stay comparable.
