"""Associations of columns, against their definitions written out."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each
from tables import any_values, few_values

from microcell.exceptions import InputError
from microcell.metrics import association_matrix


def slow_association(a, b, a_coded, b_coded):
    """Both values there, then the formula of the kind of pair."""
    pairs = [
        (x, y)
        for x, y in zip(a, b, strict=True)
        if not (math.isnan(x) or math.isnan(y))
    ]
    if len({x for x, _ in pairs}) < 2 or len({y for _, y in pairs}) < 2:
        return 0.0
    if a_coded and b_coded:
        return slow_v(pairs)
    if a_coded or b_coded:
        return slow_ratio(pairs if a_coded else [(y, x) for x, y in pairs])
    x, y = np.array(pairs).T
    return float(np.corrcoef(x - x.mean(), y - y.mean())[0, 1])


def slow_v(pairs):
    xs, ys = sorted({x for x, _ in pairs}), sorted({y for _, y in pairs})
    table = np.array([[pairs.count((x, y)) for y in ys] for x in xs], dtype=float)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    chi2 = np.sum((table - expected) ** 2 / expected)
    return math.sqrt(chi2 / table.sum() / (min(table.shape) - 1))


def slow_ratio(pairs):
    y = np.array([number for _, number in pairs])
    groups = {}
    for code, number in pairs:
        groups.setdefault(code, []).append(number)
    between = sum(len(g) * (np.mean(g) - y.mean()) ** 2 for g in groups.values())
    return math.sqrt(min(between / np.sum((y - y.mean()) ** 2), 1.0))


@st.composite
def tables(draw, elements):
    n, d = draw(st.integers(1, 25)), draw(st.integers(1, 4))
    some = st.one_of(elements, elements, elements, st.just(math.nan))
    rows = draw(st.lists(st.tuples(*[some] * d), min_size=n, max_size=n))
    return np.array(rows, dtype=float), [j for j in range(d) if draw(st.booleans())]


@given(tables(few_values))
def test_equal_to_the_definitions(drawn):
    X, nominal = drawn
    found = association_matrix(X, nominal=nominal)
    for i in range(X.shape[1]):
        for j in range(X.shape[1]):
            expected = 1.0
            if i != j:
                coded = i in nominal, j in nominal
                expected = slow_association(X[:, i], X[:, j], *coded)
            assert found[i, j] == pytest.approx(expected, abs=1e-9)


@given(tables(any_values))
def test_in_range_and_symmetric(drawn):
    X, nominal = drawn
    found = association_matrix(X, nominal=nominal)
    assert np.array_equal(found, found.T) and (np.diag(found) == 1).all()
    assert (np.abs(found) <= 1).all()
    assert (found[nominal] >= 0).all()


@given(tables(few_values), st.sampled_from([1e-150, 1e-3, 1e3, 1e150]))
def test_units_of_numbers_do_not_matter(drawn, unit):
    X, nominal = drawn
    scaled = X.copy()
    measured = [j for j in range(X.shape[1]) if j not in nominal]
    scaled[:, measured] *= unit
    assert association_matrix(scaled, nominal=nominal) == pytest.approx(
        association_matrix(X, nominal=nominal), abs=1e-9
    )


def test_many_categories_are_counted_pair_by_pair():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 40, (60, 2)).astype(float)  # 1600 pairs of 60 records
    pairs = [tuple(row) for row in X.tolist()]
    found = association_matrix(X, nominal=[0, 1])[0, 1]
    assert found == pytest.approx(slow_v(pairs))


@for_each(
    ("X", "nominal", "said"),
    [
        ([1.0, 2.0], (), "shape"),
        (np.empty((0, 2)), (), "shape"),
        ([[math.inf, 1.0]], (), "infinity"),
        ([[1.0, 2.0]], [2], "2 columns"),
        ([[1.0, 2.0]], [-1], "2 columns"),
    ],
)
def test_bad_input(X, nominal, said):
    with pytest.raises(InputError, match=said):
        association_matrix(X, nominal=nominal)
