"""What every part must hold to, for ours and for those of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone


def edge_tables(k: int) -> Any:
    """Tables that break careless algorithms, by name, for cells of at least k.

    Examples
    --------
    >>> sorted(edge_tables(2))[:3]
    ['collinear columns', 'constant column', 'duplicates']
    """
    rng = np.random.default_rng(0)
    n = 6 * k + 1
    line = rng.normal(size=(n, 1))
    return {
        "gaussian": rng.normal(size=(n, 3)),
        "one column": line,
        "wide": rng.normal(size=(n, 30)),
        "ties": rng.integers(0, 3, size=(n, 2)).astype(float),
        "duplicates": np.repeat(rng.normal(size=(7, 2)), k, axis=0),
        "identical records": np.ones((n, 2)),
        "constant column": np.column_stack([line, np.full(n, 7.0)]),
        "collinear columns": np.column_stack([line, 2 * line, -line]),
        "heavy tails": rng.standard_cauchy(size=(n, 2)),
        "large offset": 1e9 + rng.normal(size=(n, 2)),
        "n = k": rng.normal(size=(k, 2)),
        "n = 2k - 1": rng.normal(size=(2 * k - 1, 2)),
        "n = 2k": rng.normal(size=(2 * k, 2)),
        "n = 3k": rng.normal(size=(3 * k, 2)),
    }


def check_partitioner(partitioner: Any) -> None:
    """Check the contract of a partitioner on the edge tables.

    Cells of at least k, numbered without gaps; the same again for the same table; the
    table unchanged; a clear error for too few records.

    Parameters
    ----------
    partitioner : BasePartitioner
    """
    k = partitioner.k
    for name, X in edge_tables(k).items():
        before = X.copy()
        X.flags.writeable = False
        labels = clone(partitioner).fit_predict(X)
        sizes = np.bincount(labels)
        assert labels.shape == (X.shape[0],), f"{name}: labels of shape {labels.shape}"
        assert sizes.min() >= k, f"{name}: a cell of {sizes.min()} < k={k}"
        again = clone(partitioner).fit_predict(before)
        assert np.array_equal(labels, again), f"{name}: other cells the second time"
    if k > 1:
        message = _error_of(lambda: clone(partitioner).fit(np.ones((k - 1, 2))))
        assert "n_samples" in message or "minimum" in message, message


def check_aggregator(aggregator: Any) -> None:
    """Check the contract of an aggregator on the edge tables.

    The right shape; one released row per cell, or where records are not released
    alike, the same law for all of a cell; values inside the range of the cell if they
    are said to be `bounded`; a cell of equal records unchanged; the table unchanged.

    The same law is seen from one seed: noise goes by the place in the table, so what a
    place gets must not depend on which record of the cell stands there.

    Parameters
    ----------
    aggregator : BaseAggregator
    """
    if not aggregator.constant_within_cells:
        assert "random_state" in aggregator.get_params(), "it takes no random_state"
        _check_noise(aggregator)
        aggregator = clone(aggregator).set_params(random_state=0)
    for name, X in edge_tables(3).items():
        labels = np.minimum(np.arange(X.shape[0]) // 3, X.shape[0] // 3 - 1)
        before = X.copy()
        y = np.arange(X.shape[0]) % 2 if aggregator.needs_target else None
        X_released = aggregator.aggregate(X, labels, y)
        shape = (X.shape[0], X.shape[1] * aggregator.values_per_column)
        assert X_released.shape == shape, f"{name}: released {X_released.shape}"
        assert np.array_equal(X, before), f"{name}: the table was changed"
        if aggregator.constant_within_cells:
            rows = X_released[np.unique(labels, return_index=True)[1][labels]]
            alike = np.array_equal(rows, X_released)
            assert alike, f"{name}: a cell has two released rows"
        if aggregator.bounded:
            _check_bounds(name, X, labels, X_released)
        equal = np.repeat(X[:1], X.shape[0], axis=0)
        released = aggregator.aggregate(equal, labels, y)
        assert np.array_equal(
            released, np.repeat(equal, aggregator.values_per_column, axis=1)
        ), f"{name}: equal records were changed"


def _check_noise(aggregator: Any) -> None:
    """Check that noise comes from the seed alone and is blind to who is who."""
    for name, X in edge_tables(3).items():
        labels = np.minimum(np.arange(X.shape[0]) // 3, X.shape[0] // 3 - 1)

        def released(X: np.ndarray, seed: int = 0, labels: np.ndarray = labels) -> Any:
            seeded = clone(aggregator).set_params(random_state=seed)
            return seeded.aggregate(X, labels)

        first = released(X)
        same = np.array_equal(first, released(X))
        assert same, f"{name}: another release from the same seed"
        if name == "gaussian":
            other = not np.array_equal(first, released(X, seed=1))
            assert other, f"{name}: the same release from another seed"
        turned = np.lexsort((-np.arange(X.shape[0]), labels))  # inside each cell
        rounding = 1e-9 * np.ptp(X, axis=0).max() + 1e-12 * np.abs(X).max()
        moved = np.abs(released(X[turned]) - first).max()
        assert moved <= rounding, f"{name}: what a record gets depends on its values"


def _check_bounds(
    name: str, X: np.ndarray, labels: np.ndarray, X_released: np.ndarray
) -> None:
    """Check that no value lies outside the range of its cell, but for rounding."""
    width = X_released.shape[1] // X.shape[1]
    rounding = 1e-12 * np.abs(X).max()
    for cell in range(labels.max() + 1):
        rows = np.repeat(X[labels == cell], width, axis=1)
        low, high = rows.min(axis=0) - rounding, rows.max(axis=0) + rounding
        found = X_released[labels == cell]
        inside = (low <= found) & (found <= high)
        assert inside.all(), f"{name}: a value outside the range of its cell"


def check_metric(metric: Callable[..., Any]) -> None:
    """Check the contract of a metric of two tables.

    A finite float; the same for records in another order; inputs unchanged; clear
    errors for tables that differ in shape or hold NaN.

    Parameters
    ----------
    metric : callable
        Called as ``metric(X_original, X_released)``.
    """
    rng = np.random.default_rng(0)
    for name, X in edge_tables(3).items():
        X_released = X + rng.normal(size=X.shape)
        before = X.copy(), X_released.copy()
        value = metric(X, X_released)
        assert isinstance(value, float) and np.isfinite(value), f"{name}: {value!r}"
        assert np.array_equal(X, before[0]), f"{name}: the original was changed"
        assert np.array_equal(X_released, before[1]), f"{name}: the release was changed"
        order = rng.permutation(X.shape[0])
        moved = metric(X[order], X_released[order])
        assert np.isclose(value, moved, rtol=1e-9), f"{name}: depends on the order"
    X = np.ones((4, 2))
    assert "shape" in _error_of(lambda: metric(X, X[:3]))
    assert "NaN" in _error_of(lambda: metric(X, np.full((4, 2), np.nan)))


def _error_of(call: Any) -> str:
    try:
        call()
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError was raised")
