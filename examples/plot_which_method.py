"""
Which method?
=============

``compare`` tries methods and k on your table, measures loss and risk of each, and marks
those that no other beats in both: the frontier. Only they are worth a choice.
"""

from matplotlib import pyplot

from microcell import compare
from microcell.datasets import load_diabetes_patients

patients = load_diabetes_patients()
compared = compare(
    patients.frame,
    patients.schema,
    methods=["mdav", "mdav-refined", "vmdav", "mondrian", "pcp", "top-down"],
    k=[3, 5, 10, 25, 50],
    n_jobs=1,
)
compared.plot("linkage", "loss", figure=pyplot.figure())
pyplot.show()

# %%
# Low and to the left is good. Each method runs from small k at the lower right to large
# k at the upper left. Two methods at the same k need not have the same risk, so compare
# along the frontier and not at one k.

for candidate in compared.frontier("linkage", "loss"):
    print(candidate.label)
