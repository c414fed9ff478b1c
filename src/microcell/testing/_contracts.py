"""What every part must hold to, for ours and for those of others."""

import numpy as np
from sklearn.base import clone


def edge_tables(k):
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


def check_partitioner(partitioner):
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


def check_aggregator(aggregator):
    """Check the contract of an aggregator on the edge tables.

    The right shape; one released row per cell; a cell of equal records unchanged; the
    table unchanged.

    Parameters
    ----------
    aggregator : BaseAggregator
    """
    for name, X in edge_tables(3).items():
        labels = np.arange(X.shape[0]) // 3
        labels = np.minimum(labels, X.shape[0] // 3 - 1)
        before = X.copy()
        X_released = aggregator.aggregate(X, labels)
        shape = (X.shape[0], X.shape[1] * aggregator.values_per_column)
        assert X_released.shape == shape, f"{name}: released {X_released.shape}"
        assert np.array_equal(X, before), f"{name}: the table was changed"
        for cell in range(labels.max() + 1):
            rows = X_released[labels == cell]
            assert (rows == rows[0]).all(), f"{name}: a cell has two released rows"
        equal = np.repeat(X[:1], X.shape[0], axis=0)
        released = aggregator.aggregate(equal, labels)
        assert np.array_equal(
            released, np.repeat(equal, aggregator.values_per_column, axis=1)
        ), f"{name}: equal records were changed"


def check_metric(metric):
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


def _error_of(call):
    try:
        call()
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError was raised")
