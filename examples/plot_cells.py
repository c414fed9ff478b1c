"""
What does microaggregation do to a table of patients?
=====================================================

A table of people is a cloud of points: here 442 patients by age and body mass index.
Microaggregation groups those who are close into cells of at least k and publishes one
point for each cell, so that everybody looks like k - 1 others.
"""

import numpy as np
from matplotlib import pyplot
from matplotlib.collections import LineCollection

from microcell import Schema, anonymize
from microcell.datasets import load_diabetes_patients

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients().frame.select("age", "bmi", "progression")
schema = Schema(["age", "bmi"], confidential="progression")
release = anonymize(patients, schema, k=10, method="mdav-refined")

before = patients.select("age", "bmi").to_numpy()
after = release.table.select("age", "bmi").to_numpy()

# %%
# A line leads from each patient to the point that is published instead.

axes = pyplot.subplots()[1]
lines = LineCollection(np.stack([before, after], axis=1), color="0.75", linewidth=0.8)
axes.add_collection(lines)
axes.plot(*before.T, "o", markersize=3.5, label=f"{len(before)} patients")
axes.plot(*after.T, "D", label=f"{release.labels.max() + 1} released points")
axes.set(
    xlabel="age, years",
    ylabel="body mass index, kg/m²",
    title="Each point stands for ten patients or more",
)
axes.legend()
pyplot.show()

# %%
# Where patients are close together, a cell is small and little is lost; those who stand
# alone have to move furthest. That k holds was counted on the released table:

print(release.findings[0])
print(f"{100 * release.scores['relative_loss']:.1f} % of the variance was lost")
