"""What is left to whoever knows several records of a person: what all classes hold.

An intruder who knows several visits of a person, each of which looks like a class of
the release, looks for the people who are in all of these classes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

PAIRS_AT_ONCE = 1_000_000  # of a person and an item that may be in all classes


def found_in_all(
    people: np.ndarray, classes: np.ndarray, items: np.ndarray
) -> np.ndarray:
    """How many items occur in each of the classes that hold records of a person.

    Several records of a person in one class are one: who has any record there is in it.
    People of the same classes are looked at once, and only items of their class of the
    fewest are looked for in the others, some people at a time.

    Parameters
    ----------
    people, classes, items : ndarray of int of shape (n_records,)
        Whose record it is, its class, and what it brings into that class: the person
        itself, or its confidential value. People from 0, each with a record.

    Returns
    -------
    n_found : ndarray of shape (n_people,)

    Examples
    --------
    Ann (0) and Bob (1) are in both classes, Cid (2) and Dee (3) in one each:

    >>> people = np.array([0, 1, 2, 0, 1, 3])
    >>> found_in_all(people, np.array([0, 0, 0, 1, 1, 1]), people)
    array([2, 2, 3, 3])
    """
    held = Members.of(classes, items)
    visited = np.unique(people.astype(np.int64) * held.n_classes + classes)
    whose, own = np.divmod(visited, held.n_classes)
    own = own[np.lexsort((own, held.sizes[own], whose))]  # that of few items first
    number = np.bincount(whose)
    first, place = _distinct_sets(own, number, held.n_classes)
    begin = (np.cumsum(number) - number)[first]
    pairs = np.cumsum(held.sizes[own[begin]])
    cuts = np.flatnonzero(np.diff(pairs // PAIRS_AT_ONCE)) + 1
    found = [
        held.in_all(own, begin[some], number[first[some]])
        for some in np.split(np.arange(first.size), cuts)
    ]
    return np.concatenate(found)[place]


def _distinct_sets(
    own: np.ndarray, number: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Somebody with each set of classes, and the place of everybody's set.

    Parameters
    ----------
    own : ndarray of shape (n_pairs,)
        Classes of people, those of each together and in one order for all.
    number : ndarray of shape (n_people,)
        How many each has.
    n_classes : int
    """
    begin = np.cumsum(number) - number
    codes, n_codes = np.zeros(number.size, dtype=np.int64), 1
    rows, place = np.arange(number.size), 0
    while rows.size:
        longer = codes[rows] * n_classes + own[begin[rows] + place]
        distinct, which = np.unique(longer, return_inverse=True)
        codes[rows] = n_codes + which
        n_codes += distinct.size
        place += 1
        rows = rows[number[rows] > place]
    return np.unique(codes, return_index=True, return_inverse=True)[1:]


class Members(NamedTuple):
    """Which items each class holds.

    Attributes
    ----------
    pairs : ndarray of shape (n_pairs,)
        Item times number of classes, plus class, in ascending order.
    members : ndarray of shape (n_pairs,)
        Items by class.
    sizes : ndarray of shape (n_classes,)
        Distinct items of each class.
    """

    pairs: np.ndarray
    members: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, classes: np.ndarray, items: np.ndarray) -> Members:
        """Those of records, each of which brings an item into its class."""
        n_classes = int(classes.max(initial=0)) + 1
        pairs = np.unique(items.astype(np.int64) * n_classes + classes)
        item, of_class = np.divmod(pairs, n_classes)
        order = np.argsort(of_class, kind="stable")
        return cls(pairs, item[order], np.bincount(of_class, minlength=n_classes))

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return self.sizes.size

    def in_all(
        self, own: np.ndarray, begin: np.ndarray, number: np.ndarray
    ) -> np.ndarray:
        """Items of all classes of some sets.

        Parameters
        ----------
        own : ndarray of int
            Classes of sets, one set after the other.
        begin, number : ndarray of int of shape (n_sets,)
            Where those of each set begin there, and how many they are.
        """
        sizes = self.sizes[own[begin]]
        of_set = np.repeat(np.arange(begin.size), sizes)
        within = np.arange(of_set.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        start = (np.cumsum(self.sizes) - self.sizes)[own[begin]]
        item = self.members[start[of_set] + within]
        found, place = np.zeros(begin.size, dtype=np.int64), 1
        while True:
            last = number[of_set] == place
            found += np.bincount(of_set[last], minlength=begin.size)
            of_set, item = of_set[~last], item[~last]
            if of_set.size == 0:
                return found
            wanted = item * self.n_classes + own[begin[of_set] + place]
            near = np.minimum(np.searchsorted(self.pairs, wanted), self.pairs.size - 1)
            there = self.pairs[near] == wanted
            of_set, item, place = of_set[there], item[there], place + 1
