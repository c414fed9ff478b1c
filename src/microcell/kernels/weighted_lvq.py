"""Weighted learning vector quantisation (wLVQ2): prototypes moved by classes.

The gradient of its cost, for prototypes in the space of the records. With `weighted`,
the form that Zouinina et al. (2020) print, its signs mended: prototypes live in the
space of the weighted columns, are compared with W x, and are W times what is released.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from microcell._progress import report
from microcell.exceptions import InputError
from microcell.kernels.compiled import njit

MIN_WEIGHT, MAX_WEIGHT = 0.01, 100.0
COORDINATES_AT_ONCE = 50_000_000  # that are compared between two reports
SECOND_PASSES, SECOND_RATE = 10, 0.1  # times those of the first round of passes


@dataclass(frozen=True)
class LVQSettings:
    """How prototypes are moved.

    Attributes
    ----------
    window : float
        Records move prototypes only if the ratio of the two distances is above
        (1 - window) / (1 + window).
    rate : float
        First learning rate; it falls to 0 in equal steps over the passes.
    weight_rate : float
        Learning rate of the weights, as a share of that of the prototypes.
    n_passes : int
        How often all records are shown.
    weighted : bool
        Whether prototypes live in the space of the weighted columns.
    second_round : bool
        Whether a second round follows, of ten times the passes at a tenth of the rate.
    """

    window: float = 0.3
    rate: float = 0.03
    weight_rate: float = 0.1
    n_passes: int = 20
    weighted: bool = False
    second_round: bool = False

    def rates(self):
        """The learning rate of each pass."""
        falling = 1 - np.arange(self.n_passes) / self.n_passes
        rates = self.rate * falling
        if not self.second_round:
            return rates
        n_more = SECOND_PASSES * self.n_passes
        more = SECOND_RATE * self.rate * (1 - np.arange(n_more) / n_more)
        return np.concatenate([rates, more])


def moved_prototypes(X, classes, prototypes, prototype_classes, settings, rng):
    """Show all records in random order, pass by pass.

    The cost has no lower end, so after each pass the weights are kept between 0.01 and
    100 with a mean square of 1.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Columns of like scale.
    classes : ndarray of shape (n_samples,)
    prototypes : ndarray of shape (n_prototypes, n_features)
    prototype_classes : ndarray of shape (n_prototypes,)
    settings : LVQSettings
    rng : numpy.random.Generator

    Returns
    -------
    prototypes : ndarray of shape (n_prototypes, n_features)
    weights : ndarray of shape (n_features,)
    n_moves : ndarray of shape (n_passes,)
    """
    rates = settings.rates()
    weights, n_moves = np.ones(X.shape[1]), np.zeros(len(rates), dtype=np.int64)
    if len(prototypes) < 2:
        return prototypes, weights, n_moves
    moved = np.array(prototypes.T, order="C")
    least = (1 - settings.window) / (1 + settings.window)
    at_once = max(1, COORDINATES_AT_ONCE // moved.size)
    for done, rate in enumerate(rates):
        order = rng.permutation(X.shape[0])
        for begin in range(0, len(order), at_once):
            n_moves[done] += learn(
                X,
                classes,
                order[begin : begin + at_once],
                moved,
                prototype_classes,
                weights,
                (rate, settings.weight_rate * rate),
                least,
                settings.weighted,
            )
            shown = done * len(order) + min(begin + at_once, len(order))
            report(shown, len(rates) * len(order), "moving prototypes")
        before = weights.copy()
        np.clip(weights, MIN_WEIGHT, MAX_WEIGHT, out=weights)
        weights /= np.sqrt(np.mean(weights**2))
        if settings.weighted:  # prototypes follow the scale of their space
            moved *= (weights / before)[:, None]
    if settings.weighted:
        moved /= weights[:, None]
    return moved.T, weights, n_moves


def class_codes(y):
    """Classes as 0 to n_classes - 1."""
    try:
        check_classification_targets(y)
    except ValueError:
        raise InputError(
            "Prototypes learn from classes, and the confidential attribute is "
            "measured.",
            option="target",
            hint="Choose a target with classes.",
        ) from None
    return np.unique(y, return_inverse=True)[1]


def majority_classes(labels, classes):
    """The class that most records of each cell have, the lower on ties."""
    n_classes = int(classes.max()) + 1
    pairs, counts = np.unique(labels * n_classes + classes, return_counts=True)
    cells, found = np.divmod(pairs, n_classes)
    order = np.lexsort((found, -counts, cells))
    _, first = np.unique(cells[order], return_index=True)
    return found[order][first]


@njit(cache=True, nogil=True)
def two_nearest(prototypes, record, weights, distances, weighted=False):
    """The two prototypes nearest to a record, ties to the earlier.

    Parameters
    ----------
    prototypes : ndarray of shape (n_features, n_prototypes)
    weights : ndarray of shape (n_features,)
        Of the columns; distances are |W (x - m)|, or |W x - m| if `weighted`.
    distances : ndarray of shape (n_prototypes,)
        OUT: squared distances.
    """
    distances[:] = 0.0
    for j in range(record.shape[0]):
        value, square = record[j], weights[j] * weights[j]
        if weighted:
            value, square = weights[j] * value, 1.0
        for i in range(distances.shape[0]):
            gap = prototypes[j, i] - value
            distances[i] += square * (gap * gap)
    first, second = -1, -1
    for i in range(distances.shape[0]):
        if first < 0 or distances[i] < distances[first]:
            first, second = i, first
        elif second < 0 or distances[i] < distances[second]:
            second = i
    return first, second


@njit(cache=True, nogil=True)
def learn(
    X,
    classes,
    order,
    prototypes,
    prototype_classes,
    weights,
    rates,
    window,
    weighted=False,
):
    """Show the records of `order`; prototypes and weights are changed.

    If the nearest prototype m_i is of another class than the record x and the second
    nearest m_j of its own, and the record lies in the window between them, the first
    moves away, the second closer, and each weight falls with how much farther the
    right one is in its column: steps down the gradient of the cost
    |W (x - m_j)|^2 - |W (x - m_i)|^2.

    Parameters
    ----------
    prototypes : ndarray of shape (n_features, n_prototypes)
    rates : (float, float)
        Of the prototypes and of the weights.
    window : float
        Least ratio of the two distances.
    weighted : bool
        Whether prototypes live in the space of the weighted columns.

    Returns
    -------
    n_moves : int
    """
    n_features, n_prototypes = prototypes.shape
    distances = np.empty(n_prototypes)
    rate, weight_rate = rates
    n_moves = 0
    for row in order:
        wrong, right = two_nearest(prototypes, X[row], weights, distances, weighted)
        if prototype_classes[wrong] == classes[row]:
            continue
        if prototype_classes[right] != classes[row]:
            continue
        if np.sqrt(distances[wrong]) <= window * np.sqrt(distances[right]):
            continue
        n_moves += 1
        for j in range(n_features):
            weight = weights[j]
            if weighted:
                to_wrong = weight * X[row, j] - prototypes[j, wrong]
                to_right = weight * X[row, j] - prototypes[j, right]
                apart = prototypes[j, wrong] - prototypes[j, right]
                prototypes[j, wrong] -= rate * to_wrong
                prototypes[j, right] += rate * to_right
                weights[j] -= weight_rate * X[row, j] * apart
                continue
            to_wrong = X[row, j] - prototypes[j, wrong]
            to_right = X[row, j] - prototypes[j, right]
            prototypes[j, wrong] -= rate * weight * weight * to_wrong
            prototypes[j, right] += rate * weight * weight * to_right
            farther = to_right * to_right - to_wrong * to_wrong
            weights[j] -= weight_rate * weight * farther
    return n_moves
