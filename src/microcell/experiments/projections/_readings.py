"""The readings of the paper: our defaults, and what else its text could mean.

Each alternative changes one choice. A reading of the projection makes another
release; a reading of a measure looks at the same release in another way.
"""

import numpy as np
from scipy.stats import spearmanr
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from microcell.compose import ByBlock, Microaggregator
from microcell.embed import PrincipalComponentProjection, SugenoIntegral
from microcell.experiments._curves import grouped
from microcell.experiments._tasks import as_list
from microcell.experiments.projections._paper import TABLE_COLUMNS
from microcell.methods import METHODS
from microcell.partition import OptimalUnivariate


def default_release(method, k, v):
    """The method as specified: standardised columns, Sugeno integral of ranks."""
    return METHODS[method](k, v=v, cost="projected")


def _by_block(embed, k, v):
    return ByBlock(Microaggregator(OptimalUnivariate(k), embed=embed), blocks=v)


def pcp_of_raw_columns(k, v):
    """Principal component of the covariances, not of the correlations."""
    return _by_block(PrincipalComponentProjection(), k, v)


def zscores_by_variance(k, v):
    """Differences from the mean divided by the variance, as the paper writes."""
    scaled = make_pipeline(
        StandardScaler(with_std=False), FunctionTransformer(_sum_over_variance)
    )
    return _by_block(scaled, k, v)


def _sum_over_variance(X):
    variances = X.var(axis=0)
    return (X / [v if v > 0 else 1.0 for v in variances]).sum(axis=1, keepdims=True)


def sugeno_of_ranges(k, v):
    """Columns brought to [0, 1] by their range, not by ranks."""
    return _by_block(SugenoIntegral(normalise="minmax"), k, v)


PROJECTIONS = {
    "pcp of raw columns": ("pcp", pcp_of_raw_columns),
    "z-scores by variance": ("zscores", zscores_by_variance),
    "Sugeno of ranges": ("sugeno", sugeno_of_ranges),
}
"""Alternative projections: the method that each replaces, and how it is built."""


@as_list
def closeness(rows):
    """Rank correlation and mean absolute difference, per reading, file and column.

    Returns
    -------
    table : list of dict
        A reading that replaces one method has the rows of that method only; the
        default on the same rows stands beside it.
    """
    rows = rows + [
        row | {"reading": f"default, {method} only"}
        for reading, (method, _) in PROJECTIONS.items()
        if any(row["reading"] == reading for row in rows)
        for row in rows
        if (row["reading"], row["method"]) == ("default", method)
    ]
    for (reading, data), chosen in grouped(rows, "reading", "data").items():
        for column in TABLE_COLUMNS:
            pairs = [(r[column], r[f"paper {column}"]) for r in chosen if column in r]
            if not pairs:
                continue
            ours, theirs = np.array(pairs).T
            yield {
                "reading": reading,
                "data": data,
                "column": column,
                "rows": len(pairs),
                "rank correlation": float(spearmanr(ours, theirs).statistic),
                "mean absolute difference": float(np.abs(ours - theirs).mean()),
            }


def lines_of(table):
    """One line for each column of the default reading, then the other readings."""
    return [
        f"{row['data']:<7} {row['column']:<6} {row['reading']:<26} rank correlation "
        f"{row['rank correlation']:+.2f}, mean absolute difference "
        f"{row['mean absolute difference']:.2f} ({row['rows']} rows)"
        for row in table
    ]
