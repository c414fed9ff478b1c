"""Draw cells.svg, of the first page: records, their cells, and what is released.

python docs/figures/cells.py
"""

from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull

from microcell.partition import MDAV

WIDTH, HEIGHT, MARGIN = 640, 400, 40
INKS = ("#0f766e", "#b45309", "#4338ca", "#be185d", "#4d7c0f", "#0369a1")
STYLE = """
.cell { stroke-width: 30; stroke-linejoin: round; opacity: .18 }
.record { opacity: .75 }
.released { stroke: #fff; stroke-width: 2.5 }
.tie { stroke-width: 1; opacity: .45 }
"""


def records():
    """Three clouds of people, in the coordinates of the picture."""
    rng = np.random.default_rng(9)
    centres = rng.uniform(0, 1, size=(4, 2))
    X = np.concatenate([c + rng.normal(scale=0.16, size=(12, 2)) for c in centres])
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    return MARGIN + X * (WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN)


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
{drawing(X, MDAV(k=5).fit_predict(X))}
</svg>
"""
    Path(__file__).with_suffix(".svg").write_text(text, encoding="utf-8")
