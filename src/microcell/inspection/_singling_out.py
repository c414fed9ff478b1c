"""How much sets of columns single out: distinction, separation, uniqueness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from microcell._progress import report
from microcell._random import ATTACKS, random_generator
from microcell.kernels.distinct import distinct_records
from microcell.metrics import ClassCounter, mean_increases

MAX_SET_COLUMNS = 3  # columns that are looked at together
MAX_CANDIDATE_COLUMNS = 20  # columns in pairs and triples
WORK = 15_000_000  # records times sets that are counted: a second or two
MIN_SAMPLED_RECORDS = 5_000  # records
MAX_SETS_PER_SIZE = 3  # sets of each size
MAX_TELLING_SHARE = (
    0.95  # share of records; sets around one that singles out so many say nothing
)


@dataclass(frozen=True)
class SetFigures:
    """How much a set of columns singles out.

    Attributes
    ----------
    columns : tuple of str
    distinction : float
        Distinct combinations / records.
    separation : float
        Share of the pairs of records that differ.
    unique : float
        Share of the records that are alone with their combination.
    below_k : float
        Share of the records that share theirs with fewer than k.
    """

    columns: tuple[str, ...]
    distinction: float
    separation: float
    unique: float
    below_k: float


def figures_of(columns: Sequence[str], sizes: np.ndarray, k: int) -> SetFigures:
    """Figures of the classes that columns make [1]_.

    Parameters
    ----------
    columns : sequence of str
    sizes : ndarray of shape (n_classes,)
        Records of each class.
    k : int

    References
    ----------
    .. [1] Motwani and Xu (2007). Efficient algorithms for masking and finding
       quasi-identifiers.

    Examples
    --------
    >>> figures_of(["sex"], np.array([1, 3]), k=2)
    SetFigures(columns=('sex',), distinction=0.5, separation=0.5, unique=0.25,
               below_k=0.25)
    """
    sizes = np.asarray(sizes, dtype=np.int64)
    n = int(sizes.sum())
    pairs = n * (n - 1)
    alike = int(np.sum(sizes.astype(np.float64) * (sizes - 1)))
    return SetFigures(
        tuple(columns),
        distinction=sizes.size / n,
        separation=1 - alike / pairs if pairs else 0.0,
        unique=float(np.sum(sizes == 1) / n),
        below_k=float(np.sum(sizes[sizes < k]) / n),
    )


@dataclass(frozen=True)
class SinglingOut:
    """What columns single out alone and together.

    Attributes
    ----------
    sets : tuple of SetFigures
        The sets of each size that single out most, counted on all records.
    added : dict
        For each column the mean increase of uniqueness when it becomes known after up
        to two others.
    n_counted : int
        Records that `added` was counted on; fewer than all of a large table.
    left_out : tuple of str
        Columns that were looked at alone only, because there are too many.
    """

    sets: tuple[SetFigures, ...]
    added: dict[str, float]
    n_counted: int
    left_out: tuple[str, ...] = ()


def singling_out(columns: Sequence[Any], k: int) -> SinglingOut:
    """Look at columns alone, in pairs and in triples.

    All sets of up to three of at most twenty columns are counted by hashing, O(n) each
    and O(n c^3) in all. Where that is too much, the best are found on a random sample
    and counted on all records; shares of a sample are higher than those of the table.

    Parameters
    ----------
    columns : sequence of Column
    k : int

    Returns
    -------
    found : SinglingOut
    """
    if not columns:
        return SinglingOut((), {}, 0)
    ordered = sorted(columns, key=lambda c: -figures_of([], c.sizes, k).separation)
    chosen, rest = ordered[:MAX_CANDIDATE_COLUMNS], ordered[MAX_CANDIDATE_COLUMNS:]
    chosen = [column for column in columns if column in chosen]
    names = [column.name for column in chosen]
    n_records = chosen[0].n_records
    size = min(MAX_SET_COLUMNS, len(chosen))
    n_sets = sum(comb(len(chosen), s) for s in range(1, size + 1))
    n_counted = min(n_records, max(WORK // n_sets, MIN_SAMPLED_RECORDS))
    counter = _counter(sampled([column.codes for column in chosen], n_counted))
    unique: dict[tuple[int, ...], float] = {(): float(n_counted == 1)}
    for done, (places, sizes) in enumerate(counter.up_to(size)):
        unique[places] = float(np.sum(sizes == 1) / n_counted)
        if done % 50 == 0:
            report(done, n_sets, "looking at columns together")
    added = mean_increases(unique, len(chosen), size)
    sets = []
    for places in _best(unique, size):
        sizes = _class_sizes([chosen[place].codes for place in places])
        sets.append(figures_of([names[place] for place in places], sizes, k))
    return SinglingOut(
        tuple(sets),
        dict(zip(names, added.tolist(), strict=True)),
        n_counted,
        tuple(column.name for column in rest),
    )


def sampled(codes: Sequence[np.ndarray], n_counted: int) -> np.ndarray:
    """Columns of codes of all records, or of a random sample; the same every time."""
    n_records = codes[0].size
    if n_counted >= n_records:
        return np.column_stack(codes)
    rng = random_generator(0, ATTACKS)
    rows = np.sort(rng.choice(n_records, n_counted, replace=False))
    return np.column_stack([column[rows] for column in codes])


def _counter(codes: np.ndarray) -> ClassCounter:
    """Counts of distinct records, each with its number."""
    classes, first = distinct_records(codes)
    return ClassCounter(codes[first], np.bincount(classes))


def _class_sizes(codes: Sequence[np.ndarray]) -> np.ndarray:
    return np.bincount(distinct_records(np.column_stack(codes))[0])


def _best(unique: dict[tuple[int, ...], float], size: int) -> list[tuple[int, ...]]:
    """The sets of each size that single out most, the first of equals.

    One with a part that singles out nearly all by itself is none.
    """
    telling = [
        set(places) for places, share in unique.items() if share >= MAX_TELLING_SHARE
    ]
    best: list[tuple[int, ...]] = []
    for length in range(1, size + 1):
        found = [
            places
            for places in unique
            if len(places) == length and not any(part < set(places) for part in telling)
        ]
        best += sorted(found, key=lambda places: -unique[places])[:MAX_SETS_PER_SIZE]
    return best
