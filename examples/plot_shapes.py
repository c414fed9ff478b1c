"""
What do the cells of different methods look like?
=================================================

All of them hold at least k records. How they lie decides what is lost: the smaller a
cell, the closer its centroid is to its records.
"""

from matplotlib import pyplot
from scipy.spatial import ConvexHull

from microcell import anonymize
from microcell.datasets import make_two_gaussians

pyplot.style.use("microcell.report.pictures")

people = make_two_gaussians(400, random_state=0)
X = people.frame.select("x1", "x2").to_numpy()
METHODS = {
    "mondrian": "cuts at medians",
    "pcp": "cuts along one direction",
    "mdav": "cells from the outside in",
    "mdav-refined": "MDAV, then a search",
}

figure, places = pyplot.subplots(
    2, 2, figsize=(7, 6.2), sharex=True, sharey=True, subplot_kw={"aspect": "equal"}
)
losses = {}
for axes, (method, words) in zip(places.flat, METHODS.items(), strict=True):
    release = anonymize(people.frame, people.schema, k=20, method=method)
    losses[method] = release.scores["relative_loss"]
    axes.plot(*X.T, "o", markersize=2)
    for cell in range(release.labels.max() + 1):
        members = X[release.labels == cell]
        outline = members[ConvexHull(members).vertices]
        axes.fill(*outline.T, facecolor="C1", edgecolor="C1", alpha=0.15)
        axes.fill(*outline.T, facecolor="none", edgecolor="C1", linewidth=0.9)
    axes.set_title(f"{method}: {words}\n{100 * losses[method]:.1f} % lost", fontsize=9)
figure.suptitle("The same 400 records in cells of 20 or more")
figure.supxlabel("first column", fontsize=10)
figure.supylabel("second column", fontsize=10)
pyplot.show()

# %%
# Cells along one direction are long and thin, because the other column does not count.
# Mondrian's are boxes. MDAV takes the records furthest out first, so that the last
# cells get what is left between the others; the search mends that.
