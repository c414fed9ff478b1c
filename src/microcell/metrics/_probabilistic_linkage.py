"""Probabilistic record linkage (PLD): Fellegi and Sunter's weights, found by EM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_at_least, check_same_shape
from microcell.kernels.distinct import distinct_records
from microcell.metrics._probabilistic_linkage_kernel import (
    Pairs,
    count_patterns,
    greedy_chances,
    pair_weights,
    potentials,
)

MAX_LINKED_COLUMNS = 12
MAX_AGREEMENT_PATTERNS = 2**16
MAX_RECORDS_OF_ASSIGNMENT = 3000  # records; the best assignment of more takes too long
MIN_PROBABILITY = 1e-6  # of agreement or disagreement, and of a match
MATCH_AGREES, OTHER_AGREES = 0.9, 0.1  # where EM starts
MAX_EM_ROUNDS = 200
CHANGE = 1e-6  # of the chances, where EM stops
UNITS = 2**20  # weights are whole numbers of 1 / UNITS bit, so equal is equal
MAX_SHARING_ROUNDS = 3000  # then the risk is right to about 1e-4
SHARING_TOLERANCE = 1e-9  # of a record, where sharing stops


def probabilistic_linkage_risk(
    X_original: ArrayLike,
    X_released: ArrayLike,
    *,
    tolerance: float = 0.05,
    fields: Any = None,
) -> float:
    """Share of records that probabilistic record linkage links rightly.

    An intruder holds the original table and compares each of its records with each
    released one. On a column they agree if their ranks, each in its own table, differ
    by at most `tolerance` n. A mixture of matches and other pairs, in which columns
    agree independently, is fitted to the patterns of agreement of all n x n pairs by
    EM [1]_; a pair weighs the log2 ratio of its pattern's chances in the two [2]_.
    Records are then linked one to one so that the total weight is largest; for more
    than 3,000 records, heaviest pairs first. The truth is used only to count.

    Many pairs have the same weight, so many assignments are the best. None is picked,
    as order in the table would decide, and order may be the truth: ties are shared and
    the risk is the share that is right in expectation. The chances of links are the
    most even ones (largest entropy) of all mixtures of best assignments. Heaviest
    first, records of the released table spread over the originals of equal weight in
    proportion to what is left of each, and originals in demand serve all alike. Either
    way identical records have equal chances and the order of either table has no say.

    Best is 0. A table linked to itself need not reach 1, nor have the highest risk of
    all: records of about the same ranks look alike to this intruder. Time goes with
    n^2 n_features and memory with n, but for the best assignment of at most 3,000
    records, whose weights are a table of n x n.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    tolerance : float, default=0.05
        Largest difference of ranks that agree, as a share of the number of records.
    fields : list of lists of int, optional
        Columns that the intruder takes together: a field has as many levels of
        agreement as 0, 1, ..., all of its columns agree. By default each column is a
        field. More than 12 fields, or so wide that there would be more than 65,536
        patterns, are joined with their neighbours into the most that are not.

    Returns
    -------
    risk : float
        Between 0 and 1.

    References
    ----------
    .. [1] Jaro (1989). Advances in record-linkage methodology as applied to matching
       the 1985 census of Tampa, Florida. J. Am. Stat. Assoc. 84, 414-420.
    .. [2] Fellegi and Sunter (1969). A theory for record linkage. J. Am. Stat. Assoc.
       64, 1183-1210.

    Examples
    --------
    >>> X = [[1.0, 9.0], [2.0, 3.0], [4.0, 5.0], [8.0, 1.0], [9.0, 7.0]]
    >>> probabilistic_linkage_risk(X, X)
    1.0
    >>> X_released = [[1.5, 6.0], [1.5, 6.0], [7.0, 4.0], [7.0, 4.0], [7.0, 4.0]]
    >>> probabilistic_linkage_risk(X, X_released, tolerance=0.2)
    0.316...
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    tolerance = check_at_least("tolerance", tolerance, 0)
    if fields is not None:
        fields = check_columns_once("fields", fields, X_original.shape[1])
    return linked_share(
        doubled_ranks(X_original), doubled_ranks(X_released), tolerance, fields
    )


def check_columns_once(name: str, groups: Any, n_features: int) -> Any:
    """Return groups of columns as lists, every column in exactly one."""
    groups = [list(group) for group in groups]
    columns = [column for group in groups for column in group]
    if sorted(columns) != list(range(n_features)) or not all(groups):
        raise ValueError(
            f"{name!r} must hold each of the {n_features} columns once. "
            f"Got {groups} instead."
        )
    return groups


def doubled_ranks(X: np.ndarray) -> np.ndarray:
    """Twice the middle ranks in each column, as whole numbers."""
    from scipy.stats import rankdata

    return (2 * rankdata(X, axis=0)).astype(np.int32)


def linked_share(
    ranks_original: np.ndarray,
    ranks_released: np.ndarray,
    tolerance: float,
    fields: Any = None,
) -> float:
    """`probabilistic_linkage_risk` of tables of doubled ranks."""
    n, n_features = ranks_original.shape
    if fields is None:
        fields = [[j] for j in range(n_features)]
    fields = joined_fields(fields)
    strides, digits = pattern_digits(fields, n_features)
    reach = np.int32(min(2 * tolerance * n + 1e-9, 2 * n))
    own_original, first = distinct_records(ranks_original)
    originals = np.ascontiguousarray(ranks_original[first].T)
    own_released, first = distinct_records(ranks_released)
    released = np.ascontiguousarray(ranks_released[first].T)
    copies = np.bincount(own_original), np.bincount(own_released)
    pairs = Pairs(originals, released, *copies, strides, reach)  # type: ignore[arg-type]

    counts = count_patterns(pairs, digits.shape[0])
    weights = pattern_weights(counts, digits, n)
    if n <= MAX_RECORDS_OF_ASSIGNMENT:
        table = pair_weights(pairs, weights)
        chances = optimal_chances(table, own_released, own_original)
        return float(min(chances.mean(), 1.0))
    _, levels = np.unique(-weights, return_inverse=True)
    by_class = np.argsort(own_released, kind="stable")
    starts = np.concatenate([[0], np.cumsum(copies[1])])
    chances = greedy_chances(pairs, levels, starts, own_original[by_class])
    return float(min(chances.mean(), 1.0))


def joined_fields(fields: Sequence[list[int]]) -> list[list[int]]:
    """Neighbouring fields joined until fields and patterns are few enough.

    Examples
    --------
    >>> joined_fields([[0], [1, 2]])
    [[0], [1, 2]]
    >>> len(joined_fields([[j] for j in range(30)]))
    6
    """
    for n_runs in range(min(len(fields), MAX_LINKED_COLUMNS), 1, -1):
        runs = np.array_split(np.arange(len(fields)), n_runs)
        joined = [[column for f in run for column in fields[f]] for run in runs]
        if np.prod([len(field) + 1.0 for field in joined]) <= MAX_AGREEMENT_PATTERNS:
            return joined
    return [[column for field in fields for column in field]]


def pattern_digits(
    fields: Sequence[list[int]], n_features: int
) -> tuple[np.ndarray, np.ndarray]:
    """Number the patterns of agreement: what a column adds, and what each means.

    Returns
    -------
    strides : ndarray of shape (n_features,)
        What the agreement of each column adds to the pattern's number.
    digits : ndarray of shape (n_patterns, n_fields)
        How many columns of each field agree.

    Examples
    --------
    >>> strides, digits = pattern_digits([[0], [1, 2]], 3)
    >>> strides
    array([3, 1, 1], dtype=int32)
    >>> digits.tolist()
    [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    """
    sizes = [len(field) + 1 for field in fields]
    digits = np.indices(sizes).reshape(len(sizes), -1).T
    strides = np.zeros(n_features, dtype=np.int32)
    stride = 1
    for field in reversed(fields):
        strides[field] = stride
        stride *= len(field) + 1
    return strides, digits


def pattern_weights(counts: np.ndarray, digits: np.ndarray, n: int) -> np.ndarray:
    """Weight of each pattern, in whole units.

    EM for the mixture of matches and other pairs with independent fields. Chances stay
    away from 0 and 1, so that no pattern is impossible.

    Parameters
    ----------
    counts : ndarray of shape (n_patterns,)
        Pairs with each pattern.
    digits : ndarray of shape (n_patterns, n_fields)
        How many columns of each field agree.
    n : int
        Number of records; one pair in n is a match to begin with.
    """
    seen = counts > 0
    shares, seen_digits = counts[seen] / counts.sum(), digits[seen]
    sizes = digits.max(axis=0)
    match = [binomial(size, MATCH_AGREES) for size in sizes]
    other = [binomial(size, OTHER_AGREES) for size in sizes]
    prior = clipped(1 / n)
    for _ in range(MAX_EM_ROUNDS):
        chance_match = prior * product(match, seen_digits)
        chance_other = (1 - prior) * product(other, seen_digits)
        is_match = shares * chance_match / (chance_match + chance_other)
        before = np.concatenate([[prior], *match, *other])
        prior = clipped(is_match.sum())
        match = level_chances(seen_digits, is_match, sizes)
        other = level_chances(seen_digits, shares - is_match, sizes)
        after = np.concatenate([[prior], *match, *other])
        if np.abs(after - before).max() <= CHANGE:
            break
    weights = np.zeros(len(counts))
    for f in range(digits.shape[1]):
        weights += np.log2(match[f] / other[f])[digits[:, f]]
    return np.rint(weights * UNITS)


def binomial(n_columns: int, agrees: float) -> Any:
    """Chances that 0, 1, ..., n_columns columns agree."""
    from scipy.special import comb

    k = np.arange(n_columns + 1)
    return clipped(comb(n_columns, k) * agrees**k * (1 - agrees) ** (n_columns - k))


def clipped(chances: float | np.ndarray) -> np.ndarray | float:
    """Chances kept away from 0 and 1."""
    return np.clip(chances, MIN_PROBABILITY, 1 - MIN_PROBABILITY)


def product(chances: Sequence[np.ndarray], digits: np.ndarray) -> np.ndarray:
    """Chance of each pattern if fields are independent."""
    total = np.ones(digits.shape[0])
    for f, of_levels in enumerate(chances):
        total *= of_levels[digits[:, f]]
    return total


def level_chances(digits: Any, masses: Any, sizes: np.ndarray) -> list[Any]:
    """For each field, the share of `masses` at each of its levels."""
    total = max(masses.sum(), np.finfo(float).tiny)
    return [
        clipped(np.bincount(digits[:, f], masses, size + 1) / total)
        for f, size in enumerate(sizes)
    ]


def optimal_chances(
    table: np.ndarray, own_row: np.ndarray, own_column: np.ndarray
) -> np.ndarray:
    """Chance that each record is linked to its own by assignments of largest weight.

    Of all mixtures of best assignments, the one with the largest entropy. It is found
    in three steps: a best assignment; the pairs that belong to any best assignment
    (prices prove which can, and of these the ones on a cycle of exchanges do); chances
    x_b y_a on these pairs, scaled until all rows and columns add up to one record.

    Parameters
    ----------
    table : ndarray of shape (n_released_classes, n_original_classes)
        Whole weights of pairs; records of one class are identical.
    own_row, own_column : ndarray of shape (n_samples,)
        Classes of each record in the released and in the original table.

    Returns
    -------
    chances : ndarray of shape (n_samples,)
    """
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import coo_array, csr_array
    from scipy.sparse.csgraph import connected_components

    n_rows, n_columns = table.shape
    i, j = linear_sum_assignment(table[np.ix_(own_row, own_column)], maximize=True)
    assigned = np.unique(own_row[i] * n_columns + own_column[j])
    rows, columns = np.divmod(assigned, n_columns)
    of_rows, of_columns = potentials(table, rows, columns)
    tight = csr_array(of_rows[:, None] - of_columns == table).tocoo()

    edges = coo_array(
        (
            np.ones(tight.nnz + rows.size, dtype=np.int8),
            (
                np.concatenate([tight.row, n_rows + columns]),
                np.concatenate([n_rows + tight.col, rows]),
            ),
        ),
        shape=(n_rows + n_columns, n_rows + n_columns),
    )
    _, component = connected_components(edges.tocsr(), connection="strong")
    linked = component[tight.row] == component[n_rows + tight.col]
    links = csr_array(
        (np.ones(linked.sum()), (tight.row[linked], tight.col[linked])),
        shape=table.shape,
    )
    x, y = even_scaling(links, np.bincount(own_row), np.bincount(own_column))
    is_linked = (component[own_row] == component[n_rows + own_column]) & (
        of_rows[own_row] - of_columns[own_column] == table[own_row, own_column]
    )
    return np.where(is_linked, x[own_row] * y[own_column], 0.0)


def even_scaling(
    links: Any, row_copies: np.ndarray, column_copies: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Factors x, y such that the chances x_b y_a add up to 1 for every record.

    Sinkhorn's alternation: each side in turn is divided by its sums.
    """
    backwards = links.T.tocsr()
    y = 1 / column_copies.astype(np.float64)
    for _ in range(MAX_SHARING_ROUNDS):
        x = 1 / (links @ (column_copies * y))
        y = 1 / (backwards @ (row_copies * x))
        if np.abs(x * (links @ (column_copies * y)) - 1).max() <= SHARING_TOLERANCE:
            break
    return x, y
