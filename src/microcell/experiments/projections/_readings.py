"""The readings of the paper: our defaults, and what else its text could mean.

Each alternative changes one choice. A reading of the projection makes another
release; a reading of a measure looks at the same release in another way.
"""

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from microcell.compose import ByBlock, Microaggregator
from microcell.embed import PrincipalComponentProjection, SugenoIntegral
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
