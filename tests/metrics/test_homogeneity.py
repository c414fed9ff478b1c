from collections import Counter
from dataclasses import astuple

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames import LIBRARIES, SCHEMA
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose
from tables import gaussian, grids

from microcell import Microaggregator, anonymize
from microcell.metrics import Homogeneity, homogeneity
from microcell.partition import MDAV


@st.composite
def cells_and_values(draw):
    """Labels with gaps, and few or many distinct values."""
    n = draw(st.integers(1, 40))
    labels = draw(st.lists(st.integers(-2, 5), min_size=n, max_size=n))
    most = draw(st.sampled_from([0, 2, 6, 100]))
    y = draw(st.lists(st.integers(0, most), min_size=n, max_size=n))
    return np.array(labels), np.array(y)


def slow_homogeneity(cells, y, ordered):
    """The definitions, cell by cell and value by value."""
    n, values, whole = len(y), sorted(set(y)), Counter(y)
    distinct, shares, alone, distances, sizes = [], [], 0, [], []
    for cell in sorted(set(cells)):
        inside = Counter(v for c, v in zip(cells, y, strict=True) if c == cell)
        size = sum(inside.values())
        difference = [inside[v] / size - whole[v] / n for v in values]
        if ordered:
            steps = [abs(sum(difference[: i + 1])) for i in range(len(values))]
            distance = sum(steps) / (len(values) - 1) if len(values) > 1 else 0
        else:
            distance = sum(map(abs, difference)) / 2
        worst = inside.most_common(1)[0][1]
        distinct.append(len(inside))
        shares.append(worst / size)
        alone += size * (len(inside) == 1)
        distances.append(distance)
        sizes.append(size)
    return Homogeneity(
        min(distinct),
        max(shares),
        np.average(shares, weights=sizes),
        alone / n,
        max(distances),
        np.average(distances, weights=sizes),
    )


@settings(max_examples=60)
@given(ordered=st.sampled_from([False, True]), table=cells_and_values())
def test_equal_to_the_definitions(table, ordered):
    found = homogeneity(*table, ordered=ordered)
    expected = slow_homogeneity(*(a.tolist() for a in table), ordered)
    assert_allclose(astuple(found), astuple(expected), atol=1e-12)


@settings(max_examples=40)
@given(
    ordered=st.sampled_from([False, True]),
    table=cells_and_values(),
    seed=st.integers(0, 99),
)
def test_order_of_records_has_no_say(table, ordered, seed):
    labels, y = table
    order = np.random.default_rng(seed).permutation(y.size)
    found = homogeneity(labels, y, ordered=ordered)
    again = homogeneity(labels[order], y[order], ordered=ordered)
    assert_allclose(astuple(found), astuple(again), atol=1e-14)
    assert all(0 <= value <= 1 for value in astuple(found)[1:])


@given(X=grids(least_rows=1), seed=st.integers(0, 99))
def test_cells_of_a_table_are_its_equal_rows(X, seed):
    y = np.random.default_rng(seed).integers(0, 3, size=len(X))
    labels = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    expected = astuple(homogeneity(labels, y))
    assert_allclose(astuple(homogeneity(X, y)), expected, atol=1e-14)


@given(table=cells_and_values())
def test_two_values_have_one_distance(table):
    """With two values the order adds nothing."""
    labels, y = table
    nominal = homogeneity(labels, y % 2)
    ordered = homogeneity(labels, y % 2, ordered=True)
    assert_allclose(astuple(nominal), astuple(ordered), atol=1e-14)


@given(table=cells_and_values())
def test_names_of_cells_and_values_have_no_say(table):
    labels, y = table
    found = homogeneity(7 - 3 * labels, [f"value {v}" for v in y])
    assert_allclose(astuple(found), astuple(homogeneity(labels, y)), atol=1e-14)


@given(table=cells_and_values(), ordered=st.booleans())
def test_one_cell_is_the_whole_table(table, ordered):
    _, y = table
    found = homogeneity(np.zeros(y.size, dtype=int), y, ordered=ordered)
    assert found.t_distance_max == found.t_distance_mean == 0
    assert found.p_sensitivity == np.unique(y).size
    assert found.largest_share_max == np.bincount(y).max() / y.size


@pytest.mark.parametrize(
    ("inside", "distance"), [([3, 4, 5], 0.375), ([6, 8, 11], 1 / 6)]
)
def test_salaries_of_the_paper_on_t_closeness(inside, distance):
    """Nine salaries, 3k to 11k. The other six records make whole what they lack."""
    salaries = np.arange(3, 12)
    labels = np.isin(salaries, inside).astype(int)
    found = homogeneity(labels, salaries, ordered=True)
    assert found.t_distance_max == pytest.approx(distance)
    assert found.t_distance_mean == pytest.approx((3 * distance + 6 * distance / 2) / 9)


def test_bound_of_t_closeness_first_is_attained():
    """One record from each of k equal subsets: at most (n - k) / (2 (n - 1) k)."""
    n, k = 60, 5
    labels = np.tile(np.arange(n // k), k)  # the first of each subset, the second, ...
    found = homogeneity(labels, np.arange(n), ordered=True)
    assert found.t_distance_max == pytest.approx((n - k) / (2 * (n - 1) * k))


def test_cells_shaped_by_y_alone_are_homogeneous():
    y = np.repeat([0, 1], 30)
    blind = Microaggregator(MDAV(5)).fit_transform(gaussian(60, 2))
    shaped = Microaggregator(MDAV(5)).fit_transform(y[:, None])
    assert homogeneity(blind, y).homogeneous_records < 0.5
    found = homogeneity(shaped, y)
    assert found == Homogeneity(1, 1.0, 1.0, 1.0, 0.5, 0.5)


def test_many_values_and_cells_take_no_square():
    """Dense tables of cells by values would need 80 GB."""
    n = 200_000
    y = np.random.default_rng(0).permutation(n)
    found = homogeneity(np.arange(n) // 4, y, ordered=True)
    assert found.p_sensitivity == 4
    assert 0.1 < found.t_distance_mean < found.t_distance_max < 0.5


@pytest.mark.parametrize("kind", [list, pd.Series, pl.Series, pd.Categorical])
def test_kinds_of_columns(kind):
    found = homogeneity([0, 0, 1, 1], kind(["a", "b", "a", "a"]))
    assert (found.p_sensitivity, found.homogeneous_records) == (1, 0.5)


@for_each(
    ("cells", "y", "message"),
    [
        ([0, 0], [1, 2, 3], "one value for each of the 2 records"),
        ([0, 0], [[1], [2]], "one value for each of the 2 records"),
        ([0.0, 1.0], [1, 2], r"integers.*\(n_samples, 1\)"),
        ([], [], "labels, one for each record"),
        ([[[0]]], [1], "labels, one for each record"),
        ([[np.nan], [0.0]], [1, 2], "NaN"),
        ([0, 0], [1.0, np.nan], "missing"),
        ([0, 0], np.array([None, None]), "missing"),
        ([0], np.array([None]), "missing"),
        ([0, 0], np.array([pd.NA, "a"]), "missing"),
        ([0, 0], np.array([1, "a"], dtype=object), "one kind"),
    ],
)
def test_bad_input(cells, y, message):
    with pytest.raises(ValueError, match=message):
        homogeneity(cells, y)


@for_each("aggregate", ["mean", "interval"])
@for_each("library", LIBRARIES)
def test_a_released_table_of_any_library_and_types(library, aggregate):
    table = LIBRARIES[library]()
    release = anonymize(table, SCHEMA, k=2, aggregate=aggregate)
    shown = nw.from_native(release.table).select(*SCHEMA.quasi_identifiers)
    y = [1, 2, 1, 3, 4, 2]
    found = homogeneity(shown.to_native(), y)
    assert found == homogeneity(release.labels, y)
    assert found != homogeneity(np.zeros(6, dtype=int), y)


@given(X=grids(least_rows=1), seed=st.integers(0, 99))
def test_cells_of_a_table_of_text_are_its_equal_rows(X, seed):
    y = np.random.default_rng(seed).integers(0, 3, size=len(X))
    names = np.array(["low", "", "mid", "a", "b", "high", "top"])[X.astype(int) + 3]
    expected = homogeneity(X, y)
    columns = [f"q{j}" for j in range(X.shape[1])]
    for table in (
        names,
        names.astype(object),
        pd.DataFrame(names, columns=columns, dtype="category"),
        pl.DataFrame(X, schema=columns),
        pl.DataFrame(names, schema=columns),
    ):
        assert homogeneity(table, y) == expected


def test_missing_and_negative_zeros_are_values_like_others():
    table = pl.DataFrame({"a": [0.0, -0.0, None, None], "b": ["x", "x", None, None]})
    assert homogeneity(table, [1, 1, 2, 2]).largest_share_max == 1
    assert homogeneity(table, [1, 2, 1, 2]) == homogeneity([0, 0, 1, 1], [1, 2, 1, 2])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame({"a": [1, "x"]}), "Column 'a' of the released table"),
        (pl.DataFrame({"a": []}), "no records"),
        (pl.DataFrame(), "no columns"),
    ],
)
def test_bad_tables(table, message):
    with pytest.raises(ValueError, match=message):
        homogeneity(table, [1, 2])


def test_text_has_no_order():
    with pytest.raises(ValueError, match="ordered=True 'y' must hold numbers"):
        homogeneity([0, 0], ["low", "high"], ordered=True)
