"""
What does noise inside cells change?
====================================

Means of cells vary less than people do. ``random-aggregation`` publishes each record as
the mean of its cell plus noise, over a share rho of the cell's range, so that columns
keep more of their spread. Records then differ again: the promise is the size of cells,
not k-anonymity, and it is not differential privacy.
"""

from matplotlib import pyplot

from microcell import compare
from microcell.datasets import load_diabetes_patients

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients()
RHOS = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
compared = compare(
    patients.frame,
    patients.schema,
    methods=["random-aggregation"],
    grid={"rho": RHOS},
    k=10,
    random_state=0,
    n_jobs=1,
)

axes = pyplot.subplots()[1]
for name, marker, label in (
    ("variance_loss", "s", "change of the columns' variances"),
    ("loss", "o", "information lost"),
    ("linkage", "D", "patients found by their nearest record"),
):
    axes.plot(RHOS, 100 * compared.values(name), marker=marker, label=label)
axes.set(
    xlabel="rho, share of the cell's range that noise covers",
    ylabel="%",
    ylim=(0, None),
    title="Some noise gives columns their spread back, for more loss",
)
axes.legend()
pyplot.show()

# %%
# A variance that is lost with rho = 0 comes back with more noise, until there is more
# of it than there was. Sums and means of large groups bear the noise, records do not.
