"""People of a population behind each class of a release."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from microcell.metrics._table_columns import as_frame, open_columns
from microcell.privacy import View, load_population, match_population


def population_classes(
    released: ArrayLike, population: ArrayLike
) -> tuple[np.ndarray, np.ndarray, float]:
    """Sizes of the classes of a release, and of those of the population behind them.

    What matches is said in `microcell.privacy`: equal values, intervals, stars and
    sets. The people of the release are part of the population. Where fewer of it match
    a class than the class has records (a mean, say, is nobody's value), the intruder
    cannot be counted on to be lost: the class itself is then all that hides them.

    Parameters
    ----------
    released : array-like or dataframe of shape (n_samples, n_columns)
        Released quasi-identifiers.
    population : array-like, dataframe or path
        A table that has the same columns; arrays by place, dataframes by name.

    Returns
    -------
    sizes, population_sizes : ndarray of shape (n_classes,)
        The second at least as large as the first.
    unmatched : float
        Share of records whose class matched fewer of the population than it has.

    Examples
    --------
    >>> population_classes([[1], [1], [2]], [[1], [1], [1], [2], [2], [3]])
    (array([2, 1]), array([3, 2]), 0.0)
    """
    frame = as_frame(released)
    people = as_frame(load_population(population), "population")
    names = list(open_columns(frame))
    found = match_population(View(frame, names), people)
    order = np.lexsort((-found.population, -found.released))
    sizes, matched = found.released[order], found.population[order]
    unmatched = float(sizes[matched < sizes].sum() / sizes.sum())
    return sizes, np.maximum(sizes, matched), unmatched
