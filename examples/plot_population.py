"""
How large is the risk if the table is a sample?
===============================================

A survey holds some people of many. Its sampling weights say for how many each of them
stands, and so how many people in the population look like a class of the release. Name
them with ``weights``: the risk in the population is measured too, and means are
weighted, so that totals stay what they were.
"""

from matplotlib import pyplot

from microcell import compare
from microcell.datasets import make_hospital

pyplot.style.use("microcell.report.pictures")

survey = make_hospital(1000, random_state=0)
KS = [2, 3, 5, 10, 20]
compared = compare(
    survey.frame,
    survey.schema,
    methods=["mdav"],
    k=KS,
    unit="records",
    weights="weight",
    missing="category",
    n_jobs=1,
)

axes = pyplot.subplots()[1]
for name, look, label in (
    ("prosecutor_max_risk", "C0o-", "knows who took part"),
    ("journalist_max_risk", "C1D-", "does not know: highest risk"),
    ("journalist_average_risk", "C1D--", "does not know: on average"),
):
    axes.plot(KS, 100 * compared.values(name), look, label=label)
axes.set_xscale("log")
axes.set_yscale("log")
axes.set_xticks(KS, [str(k) for k in KS])
axes.xaxis.set_minor_locator(pyplot.NullLocator())
axes.yaxis.set_major_formatter("{x:g}")
axes.set(
    xlabel="k, people who look alike at least",
    ylabel="risk to be found, %",
    title="Each person of the survey stands for forty, so few are found",
)
axes.legend(title="The intruder", alignment="left")
pyplot.show()

# %%
# The lower risk holds only while nobody knows who took part: tell it of a release whose
# sample is secret, and keep to k where it is not.
