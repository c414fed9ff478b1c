"""Draw cells.svg, of the first page: records, their cells, and what is released.

python docs/figures/cells.py
"""

from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull

from microcell.compose import Refine
from microcell.partition import MDAV

WIDTH, HEIGHT, MARGIN = 600, 440, 24
INKS = (
    "#14a098",
    "#d97706",
    "#6d6bf0",
    "#db4a8f",
    "#65a30d",
    "#0e8fd0",
)  # on any ground
STYLE = """
.cell { stroke-width: 34; stroke-linejoin: round; opacity: .22 }
.record { opacity: .75 }
.released { stroke: #fff; stroke-width: 2.5 }
.tie { stroke-width: 1; opacity: .45 }
"""


def records():
    """People, no two too close to be told apart, in the coordinates of the picture."""
    rng = np.random.default_rng(4)
    kept = np.empty((0, 2))
    while len(kept) < 53:
        new = rng.uniform(MARGIN, (WIDTH - MARGIN, HEIGHT - MARGIN))
        if not (np.hypot(*(kept - new).T) < 34).any():
            kept = np.vstack([kept, new])
    return kept


def drawing(X, labels):
    behind, dots = [], []
    for cell in range(labels.max() + 1):
        members, ink = X[labels == cell], INKS[cell % len(INKS)]
        x, y = members.mean(axis=0)
        outline = members[ConvexHull(members).vertices]
        points = " ".join(f"{a:.0f},{b:.0f}" for a, b in outline)
        paint = f'fill="{ink}" stroke="{ink}"'
        behind.append(f'<polygon class="cell" points="{points}" {paint}/>')
        for a, b in members:
            line = f'x1="{a:.0f}" y1="{b:.0f}" x2="{x:.0f}" y2="{y:.0f}"'
            dots.append(f'<line class="tie" {line} stroke="{ink}"/>')
            dot = f'cx="{a:.0f}" cy="{b:.0f}" r="4.5" fill="{ink}"'
            dots.append(f'<circle class="record" {dot}/>')
        centre = f'cx="{x:.0f}" cy="{y:.0f}" r="10" fill="{ink}"'
        dots.append(f'<circle class="released" {centre}/>')
    return "\n".join(behind + dots)


if __name__ == "__main__":
    X = records()
    text = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">
<title>Records in cells of at least five; one point for each cell is released</title>
<style>{STYLE}</style>
{drawing(X, Refine(MDAV(k=5)).fit_predict(X))}
</svg>
"""
    Path(__file__).with_suffix(".svg").write_text(text, encoding="utf-8")
