"""The score of Domingo-Ferrer and Torra: information loss and disclosure risk."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import (
    check_at_least,
    check_choice,
    check_same_shape,
    column_blocks,
)
from microcell.metrics._distance_linkage import distance_linkage_risk
from microcell.metrics._information_loss import InformationLoss, information_loss
from microcell.metrics._interval_disclosure import column_disclosure
from microcell.metrics._probabilistic_linkage import (
    MAX_LINKED_COLUMNS,
    doubled_ranks,
    linked_share,
)


@dataclass(frozen=True)
class DisclosureRisk:
    """Three measures of disclosure, as shares; 0 is best.

    Attributes
    ----------
    dld : float
        Records linked rightly by distance.
    pld : float
        Records linked rightly by probabilistic record linkage.
    id : float
        Values inside an interval around the released ones.
    """

    dld: float
    pld: float
    id: float

    @property
    def risk(self) -> float:
        """Disclosure risk: half linkage (both kinds alike), half intervals."""
        return 0.25 * self.dld + 0.25 * self.pld + 0.5 * self.id


@dataclass(frozen=True)
class Score:
    """Information loss, disclosure risk and their mean, as shares; 0 is best.

    Attributes
    ----------
    information : InformationLoss
        The components of the loss.
    disclosure : DisclosureRisk
        The components of the risk.
    """

    information: InformationLoss
    disclosure: DisclosureRisk

    @property
    def il(self) -> float:
        """Information loss, the mean of its five components."""
        return self.information.loss

    @property
    def dr(self) -> float:
        """Disclosure risk."""
        return self.disclosure.risk

    @property
    def score(self) -> float:
        """Half loss, half risk."""
        return 0.5 * self.il + 0.5 * self.dr


def score(
    X_original: ArrayLike,
    X_released: ArrayLike,
    *,
    blocks: Any = None,
    subsets: str = "cumulative",
    il1: str = "relative",
    zero: str = "skip",
    interval: str = "rank",
    tolerance: float = 0.05,
) -> Score:
    """Mean of information loss and disclosure risk [1]_.

    Low is good, against the custom for names that end in score: the literature calls
    it so. The loss has no upper bound (see `information_loss`), so it can outweigh the
    risk by far. All parts are shares; papers print them times 100.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    blocks, subsets, interval, tolerance
        What the intruder knows and does, as in `disclosure_risk`.
    il1, zero
        How changes are measured, as in `information_loss`.

    Returns
    -------
    score : Score
        With `score`, `il` and `dr` and all components.

    References
    ----------
    .. [1] Domingo-Ferrer and Torra (2001). A quantitative comparison of disclosure
       control methods for microdata. In Confidentiality, Disclosure and Data Access,
       111-133.

    Examples
    --------
    >>> X = [[1.0, 9.0], [2.0, 3.0], [4.0, 5.0], [8.0, 1.0], [9.0, 7.0]]
    >>> X_released = [[1.5, 6.0], [1.5, 6.0], [7.0, 4.0], [7.0, 4.0], [7.0, 4.0]]
    >>> result = score(X, X_released, tolerance=0.2)
    >>> result.disclosure
    DisclosureRisk(dld=0.4, pld=0.316..., id=0.0)
    >>> result.il, result.dr, result.score
    (0.476..., 0.179..., 0.327...)
    """
    return Score(
        information=information_loss(X_original, X_released, il1=il1, zero=zero),
        disclosure=disclosure_risk(
            X_original,
            X_released,
            blocks=blocks,
            subsets=subsets,
            interval=interval,
            tolerance=tolerance,
        ),
    )


def disclosure_risk(
    X_original: ArrayLike,
    X_released: ArrayLike,
    *,
    blocks: Any = None,
    subsets: str = "cumulative",
    interval: str = "rank",
    tolerance: float = 0.05,
) -> DisclosureRisk:
    """Risk of linkage by distance, probabilistic linkage and interval disclosure [1]_.

    Each measure is the mean over what the intruder may know: the columns of the first
    two blocks, of the first three, ..., of all [2]_; of the only block if there is one.
    For linkage by distance each table is standardised by its own means and standard
    deviations (constant columns become 0). For probabilistic linkage, blocks are the
    fields where more than 12 columns are known.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    blocks : int or list of lists of int, optional
        Columns per block, taken in column order with a shorter last block; or the
        columns of each block. By default all columns are one block.
    subsets : {"cumulative", "all"}, default="cumulative"
        Whether the intruder knows the first blocks, or any two blocks or more. The
        number of the latter doubles with each block.
    interval : {"rank", "sd"}, default="rank"
        The `kind` of `interval_disclosure_risk`.
    tolerance : float, default=0.05
        That of `probabilistic_linkage_risk`.

    Returns
    -------
    risk : DisclosureRisk
        Its `risk` is 0.25 dld + 0.25 pld + 0.5 id.

    References
    ----------
    .. [1] Domingo-Ferrer and Torra (2001). A quantitative comparison of disclosure
       control methods for microdata. In Confidentiality, Disclosure and Data Access,
       111-133.
    .. [2] Nin and Torra. Modeling projections in microaggregation.

    Examples
    --------
    >>> X = [[1.0, 9.0], [2.0, 3.0], [4.0, 5.0], [8.0, 1.0], [9.0, 7.0]]
    >>> disclosure_risk(X, X, blocks=1)
    DisclosureRisk(dld=1.0, pld=1.0, id=1.0)
    >>> disclosure_risk(X, X, blocks=1).risk
    1.0
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    check_choice("subsets", subsets, ("cumulative", "all"))
    check_choice("interval", interval, ("rank", "sd"))
    tolerance = check_at_least("tolerance", tolerance, 0)
    n_features = X_original.shape[1]
    blocks = column_blocks(n_features if blocks is None else blocks, n_features)
    Z, Z_released = own_standardised(X_original), own_standardised(X_released)
    ranks, ranks_released = doubled_ranks(X_original), doubled_ranks(X_released)
    disclosed = column_disclosure(X_original, X_released, kind=interval)
    measures = []
    for known in known_blocks(len(blocks), subsets):
        columns = np.concatenate([blocks[b] for b in known])
        fields = None
        if columns.size > MAX_LINKED_COLUMNS:
            ends = np.cumsum([len(blocks[b]) for b in known])
            fields = np.split(np.arange(columns.size), ends[:-1])
        by_distance = distance_linkage_risk(Z[:, columns], Z_released[:, columns])
        by_agreement = linked_share(
            ranks[:, columns], ranks_released[:, columns], tolerance, fields
        )
        measures.append((by_distance, by_agreement, disclosed[columns].mean()))
    return DisclosureRisk(*(float(value) for value in np.mean(measures, axis=0)))


def own_standardised(X: np.ndarray) -> np.ndarray:
    """Columns less their means, in standard deviations; a constant column is 0.

    Sums run over sorted values, so that the order of records cannot break ties.

    Examples
    --------
    >>> own_standardised(np.array([[4.0, 7.0], [0.0, 7.0], [2.0, 7.0]]))
    array([[ 1.,  0.],
           [-1.,  0.],
           [ 0.,  0.]])
    """
    ordered = np.sort(X, axis=0)
    varies = ordered[0] < ordered[-1]
    deviations = ordered.std(axis=0, ddof=min(1, X.shape[0] - 1))
    Z = X - ordered.mean(axis=0)
    return np.divide(Z, deviations, out=np.zeros(X.shape), where=varies)


def known_blocks(n_blocks: int, subsets: str) -> list[tuple[Any, ...]]:
    """Blocks that the intruder knows, one tuple for each state of knowledge.

    Examples
    --------
    >>> known_blocks(4, "cumulative")
    [(0, 1), (0, 1, 2), (0, 1, 2, 3)]
    >>> known_blocks(3, "all")
    [(0, 1), (0, 2), (1, 2), (0, 1, 2)]
    >>> known_blocks(1, "all")
    [(0,)]
    """
    if n_blocks == 1:
        return [(0,)]
    sizes = range(2, n_blocks + 1)
    if subsets == "cumulative":
        return [tuple(range(size)) for size in sizes]
    return [known for size in sizes for known in combinations(range(n_blocks), size)]
