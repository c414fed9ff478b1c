"""
What does k not protect?
========================

Whose record is whose stays hidden in a cell of k. But where all records of a cell share
a confidential value, whoever finds the cell knows it. Every release says how many
records that concerns, and a promise of l-diversity prevents it, at a price.
"""

from matplotlib import pyplot

from microcell import Column, Schema, compare
from microcell.datasets import make_hospital
from microcell.privacy import LDiversity

pyplot.style.use("microcell.report.pictures")

patients = make_hospital(2000, random_state=0).frame.drop_nulls()
patients = patients.select("postcode", "born", "sex", "outcome")
schema = Schema(
    ["postcode", "born", "sex"],
    confidential="outcome",
    columns={"postcode": Column(kind="prefix")},
)
KS = [3, 5, 8, 12, 20]
options = {"methods": ["mdav"], "k": KS, "n_jobs": 1}
kept = {
    "k-anonymity alone": compare(patients, schema, **options),
    "and 2-diversity": compare(patients, schema, promises=[LDiversity(2)], **options),
}

figure, (left, right) = pyplot.subplots(1, 2, figsize=(8.6, 4), sharex=True)
for place, (name, compared) in enumerate(kept.items()):
    look = {"marker": "oD"[place], "label": name}
    left.plot(KS, 100 * compared.values("uniform"), **look)
    right.plot(KS, 100 * compared.values("loss"), **look)
left.set(ylabel="patients whose outcome shows, %", ylim=(-1, None))
right.set(ylabel="information lost, % of the variance", ylim=(0, None))
for axes in (left, right):
    axes.set(xlabel="k, people who look alike at least", xticks=KS)
left.legend()
figure.suptitle("In small cells everybody may have the same outcome")
pyplot.show()

# %%
# A larger k helps, but slowly where one value is frequent: four of five patients here
# went home. ``release.disclosure`` has these figures for every confidential column,
# asked or not.
