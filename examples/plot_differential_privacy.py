"""
Which k for a differentially private release?
=============================================

``dp-microaggregation`` adds noise to the centroids of cells. In one column its scale is
the range over k and epsilon, so large cells need little noise; but the larger a cell,
the less its centroid says of its records. The best k lies between.
"""

import numpy as np
from matplotlib import pyplot

from microcell.compose import DPMicroaggregator
from microcell.metrics import structural_score

pyplot.style.use("microcell.report.pictures")

rng = np.random.default_rng(0)
ages = np.clip(rng.gamma(6.0, 8.5, (10_000, 1)), 0, 104).round()
BOUNDS = [(0, 120)]  # where ages can lie, whoever is in the table
KS = [5, 10, 20, 50, 100, 200, 500, 1000]
N_RELEASES = 5  # noise has no seed, so take the mean of some


def distance(k, epsilon):
    """How far the released ages are from the true ones, in % of their range."""
    private = DPMicroaggregator(k, epsilon=epsilon, bounds=BOUNDS)
    scores = [
        structural_score(ages, private.fit_transform(ages)) for _ in range(N_RELEASES)
    ]
    return 100 * (1 - np.mean(scores))


axes = pyplot.subplots()[1]
found = {epsilon: [distance(k, epsilon) for k in KS] for epsilon in (0.5, 1.0, 4.0)}
for (epsilon, distances), marker in zip(found.items(), "osD", strict=True):
    axes.plot(KS, distances, marker=marker, label=f"epsilon = {epsilon:g}")
axes.set_xscale("log")
axes.set_xticks(KS, [f"{k:,}" for k in KS])
axes.minorticks_off()
axes.set(
    xlabel="k, records of a cell",
    ylabel="distance of the distributions, % of the range",
    ylim=(0, None),
    title="10,000 ages: small cells drown in noise, large ones say little",
)
axes.legend()
pyplot.show()

# %%
# Nobody may look at this picture of a real table and then release it: the distance is
# computed from the records, and each release spends its epsilon. Choose k by the noise
# that bounds and epsilon ask for, or on a table that is public. In two columns and more
# one record can move every cell: there k is at least about the square root of n.
