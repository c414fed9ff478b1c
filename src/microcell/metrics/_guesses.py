"""Guesses of a confidential value from a class: the rules of an intruder.

Each rule learns from classes and values, tries its guesses on people in classes, and
guesses each record from the others of its class.
"""

from __future__ import annotations

import numpy as np

from microcell.privacy import cell_values


class Guess:
    """A rule that guesses from the records of a class."""

    def without_own(self, classes: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Chance that each record is guessed right from the others of its class."""
        alone = np.bincount(classes)[classes] == 1
        found = self._without_own(classes, values)
        return np.where(alone, self._without_own(np.zeros_like(classes), values), found)

    def _without_own(self, classes: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The same where somebody else is in the class."""
        raise NotImplementedError


class GuessCategory(Guess):
    """The most frequent value of a class, ties at random."""

    def __init__(self, n_values: int) -> None:
        self.n_values = n_values

    def learn(
        self, classes: np.ndarray, codes: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Most frequent values of each class, and of the table as a last class.

        Returns
        -------
        best : ndarray of shape (n_best,)
            Pairs class * n_values + code, in ascending order.
        n_best : ndarray of shape (n_classes + 1,)
            How many of them each class has.
        """
        n_classes = classes.max() + 1
        found = cell_values(
            np.concatenate([classes, np.full(classes.size, n_classes)]),
            np.concatenate([codes, codes]),
        )
        largest = np.zeros(n_classes + 1, dtype=np.int64)
        np.maximum.at(largest, found.cell, found.count)
        is_largest = found.count == largest[found.cell]
        best = (found.cell * self.n_values + found.value)[is_largest]
        return best, np.bincount(found.cell[is_largest])

    def tries(
        self,
        guesses: tuple[np.ndarray, np.ndarray],
        classes: np.ndarray,
        codes: np.ndarray,
    ) -> np.ndarray:
        """Chance that each guess is right; a class of -1 is the whole table."""
        best, n_best = guesses
        classes = np.where(classes < 0, n_best.size - 1, classes)
        pairs = np.where(codes < 0, -1, classes * self.n_values + codes)
        place = np.minimum(np.searchsorted(best, pairs), best.size - 1)
        return (best[place] == pairs) / n_best[classes]

    def _without_own(self, classes: np.ndarray, codes: np.ndarray) -> np.ndarray:
        # Without itself a record's value must still be the most frequent one, so only
        # a value that leads alone can be guessed, by its lead over the second.
        found = cell_values(classes, codes)
        order = np.lexsort((-found.count, found.cell))
        starts = np.searchsorted(found.cell, np.arange(found.sizes.size))
        first = order[starts]
        rest = np.ones(order.size, dtype=bool)
        rest[first] = False
        second = np.zeros(found.sizes.size, dtype=np.int64)
        np.maximum.at(second, found.cell[rest], found.count[rest])
        ties = np.bincount(
            found.cell[rest],
            weights=found.count[rest] == second[found.cell[rest]],
            minlength=found.sizes.size,
        )
        left = found.count[first] - 1
        chance = np.where(left == second, 1 / (ties + 1), left > second)
        chance[left == 0] = 0.0  # nobody else has the value
        return np.where(codes == found.value[first][classes], chance[classes], 0.0)


class GuessNumber(Guess):
    """The median of a class, right within a tolerance."""

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance

    def learn(self, classes: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Median of each class, and of the table as a last class."""
        n_classes = classes.max() + 1
        classes = np.concatenate([classes, np.full(classes.size, n_classes)])
        values = np.concatenate([values, values])
        ordered = values[np.lexsort((values, classes))]
        sizes = np.bincount(classes)
        starts = np.cumsum(sizes) - sizes
        low, high = starts + (sizes - 1) // 2, starts + sizes // 2
        return _between(ordered[low], ordered[high])

    def tries(
        self, guesses: np.ndarray, classes: np.ndarray, values: np.ndarray
    ) -> np.ndarray:
        """1 for each guess that is right, 0 for others; -1 is the whole table."""
        return self._right(guesses[classes], values)

    def _without_own(self, classes: np.ndarray, values: np.ndarray) -> np.ndarray:
        order = np.lexsort((values, classes))
        ordered, cells = values[order], classes[order]
        sizes = np.bincount(classes)
        starts = (np.cumsum(sizes) - sizes)[cells]
        rank, left = np.arange(order.size) - starts, sizes[cells] - 1

        def other(place: np.ndarray) -> np.ndarray:
            """Those of the others of the class, in ascending order."""
            place = np.maximum(place, 0)
            at = starts + place + (place >= rank)
            return ordered[np.minimum(at, order.size - 1)]

        guess = _between(other((left - 1) // 2), other(left // 2))
        right = np.empty(order.size)
        right[order] = np.where(left > 0, self._right(guess, ordered), 0.0)
        return right

    def _right(self, guesses: np.ndarray, values: np.ndarray) -> np.ndarray:
        slack = 1e-12 * (np.abs(guesses) + np.abs(values))  # rounding is no distance
        return (np.abs(guesses - values) <= self.tolerance + slack).astype(np.float64)


def _between(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The middle of two values, the value itself if they are equal."""
    return low + (high - low) / 2
