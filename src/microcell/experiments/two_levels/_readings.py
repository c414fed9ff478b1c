"""Who gets a prototype that the labels moved, and where labels move any.

The paper does not say who gets a moved prototype. Our ++ methods keep each record in
its cell, so that the cells and their k stay as they are. Records of a map are coded by
the nearest prototype, so after the prototypes have moved they could be given out anew,
with cells below k repaired or not; and the paper's separability of 1 cannot come from
prototypes alone, so that each record could have got one of its own class.
"""

from dataclasses import dataclass, field

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import pairwise_distances_argmin

from microcell.kernels.distinct import distinct_records
from microcell.kernels.weighted_lvq import majority_classes


@dataclass(frozen=True)
class Form:
    """A reading of the ++ methods.

    Attributes
    ----------
    title, meaning : str
    plain : {"published", "promised"}
        What it stands beside: methods without labels, and those it leaves alone.
    options : dict
        What it gives the ++ methods by maps beside the options of `plain`.
    recoded : str
        How `Recoded` gives prototypes out anew; empty if it does not.
    """

    title: str
    meaning: str
    plain: str
    options: dict = field(default_factory=dict)
    recoded: str = ""

    def masks(self, method):
        """Whether it differs from what it stands beside for a method."""
        of_maps = method in ("ktca++", "ctca++")
        return (bool(self.recoded) and method.endswith("++")) or (
            bool(self.options) and of_maps
        )


FORMS_READ = {
    "published": Form(
        "cells kept",
        "as published; labels move prototypes, records stay in their cells",
        "published",
    ),
    "both levels": Form(
        "both levels",
        "the same, labels also move the units of the views, as the paper says",
        "published",
        {"levels": "both"},
    ),
    "nearest": Form(
        "nearest prototype",
        "as cells kept, each record gets the nearest moved prototype",
        "published",
        recoded="nearest",
    ),
    "own class": Form(
        "nearest of own class",
        "the same, the nearest one of its own class",
        "published",
        recoded="own class",
    ),
    "promised": Form(
        "k promised",
        "our defaults, which promise k; records stay in their cells",
        "promised",
    ),
    "reassigned": Form(
        "reassigned, k promised",
        "each record gets the nearest moved prototype, then cells below k are repaired",
        "promised",
        {"membership": "reassign"},
    ),
    "both reassigned": Form(
        "both levels, reassigned, k promised",
        "the same, with labels at both levels",
        "promised",
        {"levels": "both", "membership": "reassign"},
    ),
}


class Recoded(BaseEstimator):
    """The released prototypes of a plan, each record the nearest to it.

    Parameters
    ----------
    plan : Microaggregator or ByBlock
        What forms and moves the prototypes. Of `ByBlock`, each column has its own.
    own_class : bool, default=False
        Whether a record gets the nearest prototype of its own class, that of most
        records of the cell; of a class without one, the nearest of all. Records are
        then released by their confidential value: this is no anonymisation.

    Examples
    --------
    >>> from microcell.compose import Microaggregator
    >>> from microcell.partition import Mondrian
    >>> X, y = np.array([[0.0], [1.0], [2.6], [4.0], [5.0], [6.0]]), [0, 0, 1, 1, 1, 0]
    >>> plan = Microaggregator(Mondrian(3))  # cells with the means 1.2 and 5
    >>> Recoded(plan).fit_transform(X, y).ravel()
    array([1.2, 1.2, 1.2, 5. , 5. , 5. ])
    >>> Recoded(plan, own_class=True).fit_transform(X, y).ravel()
    array([1.2, 1.2, 5. , 5. , 5. , 1.2])
    """

    def __init__(self, plan, *, own_class=False):
        self.plan = plan
        self.own_class = own_class

    def fit_transform(self, X, y):
        """Released records."""
        plan = clone(self.plan)
        X_released = plan.fit_transform(X, y)
        classes = np.unique(y, return_inverse=True)[1]
        if len(plan.blocks_) == 1:
            weights = getattr(plan.aggregate_, "feature_weights_", np.ones(X.shape[1]))
            return self._recoded(X, X_released, classes, weights)
        columns = [
            self._recoded(X[:, block], X_released[:, block], classes, np.ones(1))
            for block in plan.blocks_
        ]
        return np.hstack(columns)

    def _recoded(self, X, X_released, classes, weights):
        spread = X.std(axis=0)
        weights = weights / np.where(spread > 0, spread, 1.0)
        cells, first = distinct_records(X_released)
        prototypes = X_released[first]
        if not self.own_class:
            return prototypes[nearest(X * weights, prototypes * weights)]
        of_class = majority_classes(cells, classes)
        recoded = np.empty_like(X_released)
        for label in range(classes.max() + 1):
            own = prototypes[of_class == label]
            own = own if len(own) else prototypes
            rows = classes == label
            recoded[rows] = own[nearest(X[rows] * weights, own * weights)]
        return recoded


def nearest(X, prototypes):
    """The nearest prototype of each record."""
    return pairwise_distances_argmin(X, prototypes)
