"""Comparisons with made-up figures, for maps and pages."""

import numpy as np

from microcell import Recipe, Schema
from microcell.methods import METHODS
from microcell.selection import Compared
from microcell.selection._candidate import Candidate
from microcell.selection._figures import known_figures

SCHEMA = Schema(["age", "pay"], confidential="ill")
PLAIN = [
    name
    for name in METHODS
    if name not in ("dp-microaggregation", "individual-ranking")
]


def made_comparison(n_methods=3, ks=(3, 5, 10), seed=0, **given):
    """Loss grows with k, risks fall; methods differ, and nothing was run."""
    rng = np.random.default_rng(seed)
    candidates = []
    for method in PLAIN[:n_methods]:
        quality, caution = rng.uniform(0.5, 2, 2)
        for k in ks:
            figures = {
                "k": float(k),
                "relative_loss": float(min(1.0, 0.02 * quality * k)),
                "distance_linkage_risk": float(min(1.0, caution / k)),
                "t_distance_max": float(0.6 / np.sqrt(k)),
                "homogeneous_records": float(0.2 if k < 5 else 0.0),
                "seconds": 0.1,
            }
            recipe = Recipe(SCHEMA, k=k, method=method)
            candidates.append(Candidate(recipe, figures, 0.1))
    there = set(candidates[0].figures)
    figures = [f for f in known_figures(SCHEMA) if f.name in there]
    return Compared(candidates, figures, n_records=1000, **given)
