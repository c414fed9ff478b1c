import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_array_equal
from slow_twins import slow_mondrian
from tables import any_values, gaussian, tables_and_k

from microcell.datasets import fetch_census, fetch_eia
from microcell.embed import StandardScale
from microcell.partition import Mondrian
from microcell.partition._mondrian_kernel import smallest

MODES = ["strict", "relaxed"]
WIDTHS = ["relative", "absolute"]


@for_each("widths", WIDTHS)
@for_each("mode", MODES)
@for_each("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k, mode, widths):
    X = gaussian(200, 3) * [1, 2, 3]
    labels = Mondrian(k, mode=mode, widths=widths).fit_predict(X)
    assert_array_equal(labels, slow_mondrian(X, k, mode, widths))


@settings(max_examples=100)
@given(
    widths=st.sampled_from(WIDTHS), mode=st.sampled_from(MODES), table=tables_and_k()
)
def test_same_cells_as_slow_twin_on_ties(mode, widths, table):
    X, k = table
    labels = Mondrian(k, mode=mode, widths=widths).fit_predict(X)
    assert_array_equal(labels, slow_mondrian(X, k, mode, widths))


@given(
    table=tables_and_k(),
    units=st.lists(
        st.sampled_from([2.0**-7, 1e-3, 1e3, 0.0254, 1 / 3, 1e9, 0.45359237]),
        min_size=4,
        max_size=4,
    ),
    start=st.sampled_from([0.0, 273.15]),
)
def test_no_unit_of_measurement_changes_the_cells(table, units, start):
    """Rounding decided between columns that are equally wide."""
    X, k = table
    in_other_units = X * units[: X.shape[1]] + start
    scaled = StandardScale().fit_transform(in_other_units)
    labels = Mondrian(k).fit_predict(X)
    assert_array_equal(Mondrian(k).fit_predict(X * units[: X.shape[1]]), labels)
    assert_array_equal(Mondrian(k).fit_predict(scaled), labels)


def test_absolute_widths_follow_the_scale():
    X = gaussian(100, 2)
    cells = [Mondrian(9, widths="absolute").fit_predict(X * [1, c]) for c in (1, 99)]
    assert (cells[0] != cells[1]).any()
    assert Mondrian(9).scale_free and not Mondrian(9, widths="absolute").scale_free


@given(table=tables_and_k(elements=any_values))
def test_relaxed_cells_are_small_or_identical(table):
    X, k = table
    labels = Mondrian(k, mode="relaxed").fit_predict(X)
    for label in range(labels.max() + 1):
        cell = X[labels == label]
        assert len(cell) < 2 * k or (cell == cell[0]).all()


@given(table=tables_and_k(elements=any_values))
def test_strict_cells_never_overlap(table):
    X, k = table
    labels = Mondrian(k).fit_predict(X)
    inside = np.zeros(len(X), dtype=int)
    for label in range(labels.max() + 1):
        cell = X[labels == label]
        inside += ((X >= cell.min(axis=0)) & (X <= cell.max(axis=0))).all(axis=1)
    assert_array_equal(inside, 1)


@given(
    values=st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=50),
    data=st.data(),
)
def test_selection(values, data):
    rank = data.draw(st.integers(0, len(values) - 1))
    assert smallest(np.array(values), rank) == sorted(values)[rank]


@pytest.mark.parametrize(
    "x",
    [
        np.abs(np.arange(-20_000, 20_000)),
        np.concatenate([np.arange(20_000), np.arange(20_000)[::-1]]),
        np.arange(40_000),
        np.arange(40_000)[::-1],
    ],
    ids=["V", "organ pipe", "ascending", "descending"],
)
def test_no_order_of_the_table_is_slow(x):
    """A pivot from a fixed place looks at 10^9 values here, and the test hangs."""
    labels = Mondrian(3).fit_predict(x[:, None].astype(float))
    assert labels.max() + 1 >= 6000


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = Mondrian(3).fit_predict(X)
    monkeypatch.setattr("microcell.partition._mondrian.VALUES_PER_SLICE", 1)
    assert_array_equal(Mondrian(3).fit_predict(X), whole)


@pytest.mark.parametrize(("k", "loss"), [(3, 2.53), (5, 5.44), (10, 10.29)])
def test_known_loss_on_eia(benchmark_data, k, loss):
    X, _ = fetch_eia().arrays()
    assert percent_lost(X, Mondrian(k)) == pytest.approx(loss, abs=5e-3)


@pytest.mark.parametrize(
    ("k", "loss"), [(3, 16.375), (4, 16.659), (5, 22.917), (10, 29.621)]
)
def test_known_loss_on_census(benchmark_data, k, loss):
    """As they are, standardised, in thousandths or in inches: the same cells."""
    X, _ = fetch_census().arrays()
    assert percent_lost(X, Mondrian(k)) == pytest.approx(loss, abs=5e-4)
    for unit in (1e-3, 0.0254):
        cells = Mondrian(k).fit_predict(X * unit)
        assert_array_equal(cells, Mondrian(k).fit_predict(X))


@pytest.mark.parametrize("name", ["mode", "widths"])
def test_unknown_choice(name):
    with pytest.raises(ValueError, match=f"'{name}' parameter must be one of"):
        Mondrian(1, **{name: "loose"}).fit([[0.0], [1.0]])
