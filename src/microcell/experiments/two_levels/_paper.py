"""The paper's tables as printed, and what its own figures say about its claims."""

import numpy as np

from microcell.experiments._experiment import Paper
from microcell.metrics import relative_scores

TWO_LEVELS_PAPER = Paper(
    "A Two-Levels Data Anonymization Approach",
    "Zouinina, Bennani, Rogovschi and Lyhyaoui",
)
PLAIN_METHODS = ("ktca", "ctca", "kde")
PAPER_METHODS = ("ktca", "ktca++", "ctca", "ctca++", "kde", "kde++")
PAPER_SETS = {
    "ecoli": "Ecoli",
    "electrical": "Electrical",
    "glass": "Glass",
    "page-blocks": "Page Blocks",
    "waveform": "Waveform",
    "yeast": "Yeast",
}


def _table(sets, *rows):
    """{(method, data set): value} of rows in the order of the methods."""
    return {
        (method, name): value
        for method, row in zip(PAPER_METHODS, rows, strict=True)
        for name, value in zip(sets.split(), row, strict=True)
    }


SILHOUETTE = _table(  # Table 2
    "ecoli electrical glass page-blocks yeast waveform",
    (0.26, -0.05, 0.42, -0.40, 0.13, 0.18),
    (0.89, 0.08, 0.59, -0.49, 0.84, 0.24),
    (0.24, -0.05, 0.43, -0.34, 0.07, 0.13),
    (0.84, 0.08, 0.45, -0.43, 0.81, 0.25),
    (0.26, 0.069, -0.19, -0.54, 0.28, -0.27),
    (0.99, 0.99, 0.57, 0.98, 0.99, 1.0),
)
DAVIES_BOULDIN = _table(  # Table 3
    "ecoli electrical glass page-blocks yeast waveform",
    (2.68, 2.28, 0.40, 3.23, 2.31, 1.51),
    (0.59, 3.38, 0.40, 3.11, 0.24, 1.37),
    (1.61, 2.58, 0.55, 3.04, 2.95, 1.92),
    (0.14, 3.38, 0.51, 3.10, 0.26, 1.35),
    (0.57, 3.96, 4.99, 3.83, 2.43, 6.96),
    (9.91e-08, 0.02, 1.32, 0.52, 4.20e-08, 3.58e-06),
)
SEPARABILITY = _table(  # Table 4
    "glass ecoli electrical page-blocks waveform yeast",
    (0.943, 0.845, 0.999, 0.905, 0.830, 0.862),
    (0.944, 0.988, 0.735, 0.919, 0.884, 1.0),
    (0.747, 0.848, 0.999, 0.915, 0.816, 0.876),
    (0.859, 0.863, 0.745, 0.918, 0.884, 0.887),
    (0.701, 0.801, 0.988, 0.955, 0.755, 0.834),
    (0.743, 0.806, 0.982, 0.962, 0.758, 0.845),
)
SEPARABILITY_BEFORE = {
    "glass": 0.692,
    "ecoli": 0.821,
    "electrical": 0.995,
    "page-blocks": 0.966,
    "waveform": 0.748,
    "yeast": 0.812,
}
COMBINED_UTILITY = _table(  # Table 5
    "ecoli electrical glass page-blocks waveform yeast",
    (0.63, 0.74, 0.71, 0.60, 0.66, 0.51),
    (0.78, 0.62, 0.74, 0.82, 0.69, 0.92),
    (0.74, 0.75, 0.54, 0.70, 0.65, 0.51),
    (0.62, 0.62, 0.76, 0.71, 0.70, 0.87),
    (0.60, 0.54, 0.44, 0.71, 0.63, 0.73),
    (0.83, 0.95, 0.91, 0.77, 0.75, 0.79),
)
PRINTED_SCORE = dict(
    zip(PAPER_METHODS, (4.96, 5.18, 4.92, 5.20, 4.98, 5.17), strict=True)
)


def scores_of(utilities, sets=tuple(PAPER_SETS)):
    """The paper's `Score` of each method, from {(method, data set): utility}.

    Examples
    --------
    >>> {m: round(score, 2) for m, score in scores_of(COMBINED_UTILITY).items()}
    {'ktca': 4.48, 'ktca++': 5.33, 'ctca': 4.55, 'ctca++': 4.98, 'kde': 4.27,
     'kde++': 5.8}
    """
    table = [[utilities[method, name] for name in sets] for method in PAPER_METHODS]
    scores = relative_scores(table)
    return dict(zip(PAPER_METHODS, map(float, scores), strict=True))


def impossible_structure():
    """Structural utility that Tables 4 and 5 imply, twice Table 5 less Table 4.

    Where it is above 1, rounding allowed for.
    """
    margin = 2 * 0.005 + 0.0005
    return {
        key: implied
        for key, combined in COMBINED_UTILITY.items()
        if (implied := 2 * combined - SEPARABILITY[key]) > 1 + margin
    }


def mean_difference(ours, theirs):
    """Mean absolute difference over the entries that both have, and their number."""
    both = [key for key in theirs if ours.get(key) is not None]
    return float(np.mean([abs(ours[key] - theirs[key]) for key in both])), len(both)
