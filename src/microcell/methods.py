"""Published methods, each a composition of two to four lines.

`METHODS` is read by everything that lists methods. A method takes k, its own
parameters, and `scale`: the transformer that gives the quasi-identifiers a common
scale, by default scikit-learn's StandardScaler.
"""

import inspect

from sklearn.base import clone
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import StandardScaler

from microcell._by_block import ByBlock
from microcell._pipeline import Microaggregator
from microcell._validation import check_choice, check_k
from microcell.embed import PrincipalComponentProjection, SugenoIntegral, ZScoreSum
from microcell.partition import MDAV, VMDAV, Mondrian, OptimalUnivariate


def mdav(k, *, scale=None):
    """Cells of k around the records farthest from the centroid (MDAV)."""
    return Microaggregator(MDAV(k), embed=_scale(scale))


def vmdav(k, *, gamma=0.2, scale=None):
    """MDAV with cells of k to 2k - 1 that grow where records are close (V-MDAV)."""
    return Microaggregator(VMDAV(k, gamma=gamma), embed=_scale(scale))


def mondrian(k, *, mode="strict", scale=None):
    """Cuts at the median of the widest column; the fastest (Mondrian)."""
    return Microaggregator(Mondrian(k, mode=mode), embed=_scale(scale))


def pcp(k, *, v=None, cost="multivariate", scale=None):
    """Optimal cells along the first principal component (projected)."""
    return _along_a_line(PrincipalComponentProjection(), k, v, cost, scale)


def zscores(k, *, v=None, cost="multivariate", scale=None):
    """Optimal cells along the sum of z-scores (projected)."""
    return _along_a_line(ZScoreSum(), k, v, cost, scale)


def sugeno(k, *, v=None, cost="multivariate", scale=None):
    """Optimal cells along the Sugeno integral of ranks (projected)."""
    return _along_a_line(SugenoIntegral(), k, v, cost, scale)


def individual_ranking(k, *, scale=None):
    """Optimal cells of each column by itself; k holds per column, not for the table."""
    return ByBlock(Microaggregator(OptimalUnivariate(k), embed=_scale(scale)), blocks=1)


METHODS = {
    "mdav": mdav,
    "vmdav": vmdav,
    "mondrian": mondrian,
    "pcp": pcp,
    "zscores": zscores,
    "sugeno": sugeno,
    "individual-ranking": individual_ranking,
}


def _scale(scale):
    return StandardScaler() if scale is None else clone(scale)


def _along_a_line(projection, k, v, cost, scale):
    """Cut the order that a projection gives.

    `cost` is what the cut minimises: "projected" the SSE of the projection, as in the
    paper; "multivariate" that of the scaled columns, never worse for them. With `v`,
    each block of v columns is masked by itself and k holds per block.
    """
    check_choice("cost", cost, ("multivariate", "projected"))
    line = make_pipeline(_scale(scale), projection)
    if cost == "projected":
        masked = Microaggregator(OptimalUnivariate(k), embed=line)
    else:
        if isinstance(projection, SugenoIntegral):
            projection.set_params(ties="index")  # the other columns break ties
        both = make_union(line, _scale(scale))
        masked = Microaggregator(OptimalUnivariate(k, cost="rest"), embed=both)
    return masked if v is None else ByBlock(masked, blocks=check_k(v, name="v"))


def method_parameters(name):
    """Parameters of a method with their defaults, without k and scale.

    Examples
    --------
    >>> method_parameters("vmdav")
    {'gamma': 0.2}
    """
    parameters = inspect.signature(METHODS[name]).parameters.values()
    return {p.name: p.default for p in parameters if p.name not in ("k", "scale")}


def methods_table():
    """All methods as rows (name, parameters, what it does).

    Examples
    --------
    >>> methods_table()[0]
    ('mdav', '', 'Cells of k around the records farthest from the centroid (MDAV).')
    """
    return [
        (
            name,
            ", ".join(
                f"{key}={value}" for key, value in method_parameters(name).items()
            ),
            inspect.getdoc(method).splitlines()[0],
        )
        for name, method in METHODS.items()
    ]
