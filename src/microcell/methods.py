"""Published methods, each a composition of two to four lines.

`METHODS` is read by everything that lists methods. A method takes k, its own
parameters, and `scale`: the transformer that gives the quasi-identifiers a common
scale, by default scikit-learn's StandardScaler.
"""

import inspect

from sklearn.base import clone
from sklearn.preprocessing import StandardScaler

from microcell._pipeline import Microaggregator
from microcell.partition import MDAV, VMDAV, Mondrian


def mdav(k, *, scale=None):
    """Cells of k around the records farthest from the centroid (MDAV)."""
    return Microaggregator(MDAV(k), embed=_scale(scale))


def vmdav(k, *, gamma=0.2, scale=None):
    """MDAV with cells of k to 2k - 1 that grow where records are close (V-MDAV)."""
    return Microaggregator(VMDAV(k, gamma=gamma), embed=_scale(scale))


def mondrian(k, *, mode="strict", scale=None):
    """Cuts at the median of the widest column; the fastest (Mondrian)."""
    return Microaggregator(Mondrian(k, mode=mode), embed=_scale(scale))


METHODS = {"mdav": mdav, "vmdav": vmdav, "mondrian": mondrian}


def _scale(scale):
    return StandardScaler() if scale is None else clone(scale)


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
