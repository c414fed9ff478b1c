"""
Which k?
========

A larger k protects better and loses more. How much more depends on the table, so look
at yours: ``compare`` tries each k and measures what a release would lose and how many
people could be found in it. Nothing is released by that.
"""

from matplotlib import pyplot

from microcell import compare
from microcell.datasets import load_diabetes_patients

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients()
KS = [2, 3, 5, 8, 12, 20, 35, 60]
compared = compare(
    patients.frame, patients.schema, methods=["mdav-refined"], k=KS, n_jobs=1
)

axes = pyplot.subplots()[1]
for name, marker, label in (
    ("loss", "o", "information lost, % of the variance"),
    ("linkage", "D", "patients found by their nearest record, %"),
):
    axes.plot(KS, 100 * compared.values(name), marker=marker, label=label)
axes.set_xscale("log")
axes.set_xticks(KS, [str(k) for k in KS])
axes.minorticks_off()
axes.set(
    xlabel="k, people who look alike at least",
    ylabel="%",
    title="The first steps of k buy the most",
)
axes.legend()
pyplot.show()

# %%
# Risk falls as 1 / k, loss grows all the way. Take the smallest k that your rules and
# the people in the table accept (3 to 10 is usual, more where confidential columns are
# grave), and let ``tune`` find it where the rule is a limit of risk.

print(compared.table.select("k_asked", "relative_loss", "distance_linkage_risk"))
