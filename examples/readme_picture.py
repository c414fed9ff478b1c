"""The picture of the README: patients before and after, and what methods cost.

``python examples/readme_picture.py`` writes docs/figures/readme.svg, or the file that
it is given. Its ground is transparent and its ink grey, for light and dark pages.
"""

import sys

import numpy as np
from matplotlib import pyplot
from scipy.spatial import ConvexHull

from microcell import Schema, anonymize, compare
from microcell.datasets import load_diabetes_patients

INK, POINTS = "#7d8590", "#3392d0"  # seen on white and on black
METHODS = {"mdav-refined": "o", "mdav": "s", "mondrian": "D", "pcp": "^"}
KS = [3, 5, 10, 25, 50]


def draw_cells(axes, patients):
    """Patients, their cells, and what is released of them."""
    table = patients.frame.select("age", "bmi", "progression")
    schema = Schema(["age", "bmi"], confidential="progression")
    release = anonymize(table, schema, k=10, method="mdav-refined")
    before, after = (
        each.select("age", "bmi").to_numpy() for each in (table, release.table)
    )
    n_cells = release.labels.max() + 1
    for cell in range(n_cells):
        members = before[release.labels == cell]
        outline = members[ConvexHull(members).vertices]
        axes.fill(*outline.T, facecolor="C1", edgecolor="C1", alpha=0.22, linewidth=1)
    people = {"color": POINTS, "markersize": 2.8, "label": f"{len(before)} patients"}
    axes.plot(*before.T, "o", **people)
    released = {"markersize": 5.5, "label": f"{n_cells} released points, k = 10"}
    axes.plot(*np.unique(after, axis=0).T, "D", color="C1", **released)
    axes.set(xlabel="age, years", ylabel="body mass index, kg/m²")
    axes.set_title("Everybody looks like nine others or more")
    axes.legend(loc="upper left", ncols=2, borderaxespad=0, columnspacing=1)
    axes.set_ylim(top=45)


def draw_costs(axes, patients):
    """Loss and risk of some methods, a curve over k for each."""
    options = {"methods": list(METHODS), "k": KS, "n_jobs": 1}
    compared = compare(patients.frame, patients.schema, **options)
    losses = 100 * compared.values("loss").reshape(len(METHODS), -1)
    risks = 100 * compared.values("linkage").reshape(len(METHODS), -1)
    for place, (method, marker) in enumerate(METHODS.items()):
        look = {"color": f"C{place + 1}", "marker": marker, "markersize": 6}
        label = f"{method}, the default" if place == 0 else method
        axes.plot(risks[place], losses[place], label=label, **look)
    for k, *point in zip(KS, risks[0], losses[0], strict=True):
        below = {"xytext": (0, -15), "ha": "center"}
        beside = {"xytext": (-6, -8), "ha": "right"}
        own = below if k <= 10 else beside
        axes.annotate(f"k = {k}", point, textcoords="offset points", **own)
    axes.set(xlabel="patients found in the release, %", ylabel="information lost, %")
    axes.set(xlim=(-3.2, 35), ylim=(-2, 56), xticks=range(0, 36, 5))
    axes.set_title("Every choice has its measured price")
    axes.legend(loc="upper right")


def main(path):
    patients = load_diabetes_patients()
    pyplot.style.use("microcell.report.pictures")
    ink = dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color",
         "ytick.color"), INK
    )  # fmt: skip
    fixed = {"svg.hashsalt": "microcell", "svg.fonttype": "none", "font.size": 9}
    fixed["font.sans-serif"] = ["DejaVu Sans", "Verdana"]
    with pyplot.rc_context(ink | fixed):
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(9.6, 4))
        draw_cells(left, patients)
        draw_costs(right, patients)
        figure.savefig(path, transparent=True, metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "docs/figures/readme.svg")
