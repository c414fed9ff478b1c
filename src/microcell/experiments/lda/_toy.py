"""Figures 6, 7, 8 and 10: cells of the toy data, before and after the rotation."""

import numpy as np
from scipy.spatial import ConvexHull
from sklearn.preprocessing import StandardScaler

from microcell.datasets import make_two_gaussians
from microcell.embed import LinearDiscriminantRotation
from microcell.partition import MDAV
from microcell.report import OKABE_ITO, draw_legend, panels, save

K, ALPHA = 100, 2.0
OF_CLASSES = np.array(OKABE_ITO[:2])


def draw_toy(paper, folder):
    """Write the four figures: the classes, MDAV's cells, the rotation, thin cells."""
    X, y = make_two_gaussians(1000, random_state=0).arrays()
    Z = StandardScaler().fit_transform(X)
    rotation = LinearDiscriminantRotation(ALPHA).fit(Z, y)
    direction = rotation.directions_[:, 0]
    across = np.array([-direction[1], direction[0]])
    rotated = np.column_stack([ALPHA * (Z @ direction), Z @ across])
    plain = MDAV(K).fit_predict(Z)
    stretched = MDAV(K).fit_predict(rotation.transform(Z))

    figures = {
        "figure_6": draw(
            Z,
            y,
            "Two classes overlap; along the arrow they differ most",
            arrow=direction,
        ),
        "figure_7": draw(
            Z, y, f"Cells of MDAV lie across the border (k = {K})", labels=plain
        ),
        "figure_8": draw(
            rotated, y, f"Rotated and stretched by alpha = {ALPHA:g}, classes part"
        ),
        "figure_10": draw(
            Z,
            y,
            f"With LDA, cells are thin across the border (k = {K})",
            labels=stretched,
        ),
    }
    for name, figure in figures.items():
        save(figure, paper, folder, name)


def draw(Z, y, sentence, labels=None, arrow=None):
    """Scatter the records; outline cells, or show the direction; a key says which."""
    figure, (axes,) = panels(1, sentence, height=4)
    for label, colour in enumerate(OF_CLASSES):
        own = Z[y == label]
        axes.scatter(*own.T, s=4, color=colour, label=f"class {label}")
    if labels is not None:
        for cell in range(labels.max() + 1):
            members = Z[labels == cell]
            hull = members[ConvexHull(members).vertices]
            named = {"label": f"cells of {K}"} if cell == 0 else {}
            axes.fill(
                *hull.T, facecolor="none", edgecolor="black", linewidth=0.8, **named
            )
    if arrow is not None:
        axes.annotate(
            "", xy=3 * arrow, xytext=-3 * arrow, arrowprops={"arrowstyle": "->"}
        )
        axes.plot([], [], color="black", label="direction that tells classes apart")
    draw_legend(figure, [axes])
    axes.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    return figure
