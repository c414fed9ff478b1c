import numpy as np
import pytest
from tables import gaussian

from microcell.embed import Mismatch
from microcell.metrics import mse_distortion, relative_loss, sse_loss


def test_nothing_changed_nothing_lost():
    X = gaussian(20, 2)
    assert sse_loss(X, X) == 0.0
    assert mse_distortion(X, X) == 0.0


def test_one_centroid_for_all_loses_everything():
    X = gaussian(20, 2)
    assert sse_loss(X, np.tile(X.mean(axis=0), (20, 1))) == pytest.approx(1.0)


def test_constant_original():
    assert sse_loss([[1.0], [1.0]], [[1.0], [1.0]]) == 0.0
    assert sse_loss([[1.0], [1.0]], [[1.0], [2.0]]) == 1.0


def test_distortion_is_the_loss_on_columns_of_unit_variance():
    X = gaussian(50, 3)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    released = X + 0.1
    assert mse_distortion(X, released) == pytest.approx(sse_loss(X, released))


def test_tables_must_match():
    with pytest.raises(ValueError, match=r"Got \(1, 1\) and \(2, 1\)"):
        sse_loss([[1.0]], [[1.0], [2.0]])
    with pytest.raises(ValueError, match="X_original contains NaN"):
        sse_loss([[np.nan]], [[1.0]])
    with pytest.raises(ValueError, match="must be a table"):
        sse_loss([1.0], [1.0])


def test_codes_count_as_coordinates_of_their_own():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(60, 2)), rng.integers(0, 5, (60, 2))])
    X_released = X[rng.permutation(60)]
    E, E_released = (
        np.hstack([T[:, :2], Mismatch().fit(X[:, 2:]).transform(T[:, 2:])])
        for T in (X, X_released)
    )
    found = sse_loss(X, X_released, nominal=[2, 3])
    assert found == pytest.approx(sse_loss(E, E_released))
    found = mse_distortion(X, X_released, nominal=[2, 3])
    assert found == pytest.approx(np.sum((E - E_released) ** 2) / X.size)


def test_nothing_but_codes():
    X = np.array([[0.0], [0.0], [1.0], [2.0]])
    # A record with a share f of its code is (1 - 2 f + 3 / 8) / 2 from the centre.
    assert sse_loss(X, X[[0, 0, 0, 0]], nominal=[0]) == pytest.approx(2 / 1.25)
    assert sse_loss(X[:2], X[:2], nominal=[0]) == 0
    assert sse_loss(X[:2], X[2:], nominal=[0]) == 1


def test_units_count_as_coordinates_of_their_own():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(60, 2)), rng.integers(0, 5, (60, 2))])
    X_released = X[rng.permutation(60)]
    units = [0.25, 3.0]
    E, E_released = (
        np.hstack([T[:, :2], Mismatch().fit(X[:, 2:]).transform(T[:, 2:], units)])
        for T in (X, X_released)
    )
    options = {"nominal": [2, 3], "units": units}
    found = sse_loss(X, X_released, **options)
    assert found == pytest.approx(sse_loss(E, E_released))
    total = np.sum((E - E_released) ** 2)
    assert mse_distortion(X, X_released, **options) == pytest.approx(total / X.size)
    found = mse_distortion(X, X_released, n_attributes=3, **options)
    assert found == pytest.approx(total / 180)


@pytest.mark.parametrize("units", [[1.0], [1.0, 0.0], [1.0, -1.0], 2.0])
def test_units_are_one_for_each_nominal_column(units):
    X = np.zeros((3, 2))
    for metric in (sse_loss, mse_distortion):
        with pytest.raises(ValueError, match="'units' parameter must be a positive"):
            metric(X, X, nominal=[0, 1], units=units)


def test_the_relative_loss_is_a_share_of_what_one_cell_loses():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, 60).astype(float)
    X = np.column_stack([rng.normal(size=60), codes])
    common = np.bincount(codes.astype(int)).argmax()
    one_cell = np.tile([X[:, 0].mean(), common], (60, 1))
    halves = one_cell.copy()
    halves[:30, 0], halves[30:, 0] = X[:30, 0].mean(), X[30:, 0].mean()
    for released, lost in (
        (X, 0.0),
        (one_cell, 1.0),
        (X + 100.0, 1.0),  # worse than one cell
    ):
        assert relative_loss(X, released, nominal=[1]) == pytest.approx(lost)
    assert sse_loss(X, one_cell, nominal=[1]) > 1.05
    assert 0.5 < relative_loss(X, halves, nominal=[1]) < 1.0
    numbers = X[:, :1], halves[:, :1]
    assert relative_loss(*numbers) == sse_loss(*numbers)
    assert relative_loss([[1.0], [1.0]], [[1.0], [2.0]]) == 1.0
    assert relative_loss([[1.0], [1.0]], [[1.0], [1.0]]) == 0.0
