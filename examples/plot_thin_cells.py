"""
How can cells follow a confidential attribute?
==============================================

Two classes of a confidential attribute differ along one direction. MDAV does not know
of it, and many of its cells lie across the border between the classes. ``lda-mdav``
stretches that direction first, so that cells are thin along it, after "LDA-based MDAV:
preserving the empirical utility of microaggregated data for machine learning" by
Rodríguez-Hoyos and others.
"""

from matplotlib import pyplot
from scipy.spatial import ConvexHull

from microcell import anonymize
from microcell.datasets import make_two_gaussians

pyplot.style.use("microcell.report.pictures")

people = make_two_gaussians(1000, random_state=0)
X, y = people.arrays()
METHODS = {
    "mdav": ("MDAV: cells lie across the border", {}),
    "lda-mdav": ("LDA-MDAV: thin along the arrow", {"alpha": 4.0}),
}

figure, places = pyplot.subplots(
    1, 2, figsize=(8.6, 4.6), sharey=True, subplot_kw={"aspect": "equal"}
)
uniform = {}
for axes, (method, (title, parameters)) in zip(places, METHODS.items(), strict=True):
    release = anonymize(people.frame, people.schema, k=100, method=method, **parameters)
    uniform[method] = release.disclosure["y"]["largest_share_mean"]
    for each, marker in ((0, "o"), (1, "D")):
        axes.plot(*X[y == each].T, marker, markersize=2, label=f"class {each}")
    for cell in range(release.labels.max() + 1):
        members = X[release.labels == cell]
        outline = members[ConvexHull(members).vertices]
        axes.fill(*outline.T, facecolor="none", edgecolor="black", linewidth=0.9)
    axes.set(xlabel="first column", title=title)
places[0].set_ylabel("second column")
places[0].legend(loc="lower right", markerscale=2)
places[1].annotate(
    "", (2.6, -1.7), (-2.6, 1.7), arrowprops={"arrowstyle": "->", "linewidth": 1.8}
)
pyplot.show()

# %%
# Models can learn more from such cells; whether they do on your table, cross-validation
# of ``ReleaseClassifier`` tells. The price is certain: whoever finds somebody's cell
# learns more, for the most frequent class of a cell has, on average, this share:

for method, share in uniform.items():
    print(f"{method:<10}{100 * share:.0f} %")
