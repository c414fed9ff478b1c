import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import config
from tables import any_values, gaussian, grids, tables_and_k

from microcell import Schema, anonymize
from microcell.aggregate import Centroid
from microcell.metrics import _distance_linkage, distance_linkage_risk, linkage_risks
from microcell.metrics._distance_linkage import sampled_linkage_risks
from microcell.partition import MDAV


def slow_linkage(X, X_released, top):
    """The definition: all pairs, ties shared."""
    found = 0.0
    scale = 1e-18 * np.square(X - X.mean(axis=0)).sum(axis=1).max()
    for i, record in enumerate(X_released):
        distances = np.zeros(len(X))
        for j in range(X.shape[1]):
            distances += (X[:, j] - record[j]) ** 2
        tied = np.isclose(distances, distances[i], rtol=1e-9, atol=scale)
        nearer = np.sum((distances < distances[i]) & ~tied)
        tied = np.sum(tied)
        found += min(1.0, max(0.0, (top - nearer) / tied))
    return found / len(X)


@given(X=grids(least_rows=1), data=st.data())
def test_threads_change_nothing(X, data):
    released = data.draw(grids(len(X), len(X)).filter(lambda R: R.shape == X.shape))
    found = []
    for n_threads in (1, 2):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(config, "NUMBA_NUM_THREADS", n_threads)
            patch.setattr(_distance_linkage, "QUERIES_AT_ONCE", 2)
            found.append(linkage_risks(X, released, (1, 2)))
    assert found[0] == found[1]


@given(X=grids(least_rows=1), data=st.data())
def test_equal_to_all_pairs_on_ties(X, data):
    released = data.draw(grids(len(X), len(X)).filter(lambda R: R.shape == X.shape))
    top = data.draw(st.integers(1, 4))
    expected = slow_linkage(X, released, min(top, len(X)))
    assert distance_linkage_risk(X, released, top=top) == pytest.approx(expected)


@given(table=tables_and_k(elements=any_values), top=st.integers(1, 3))
def test_equal_to_all_pairs_on_a_release(table, top):
    X, k = table
    released = Centroid().aggregate(X, MDAV(k).fit_predict(X))
    expected = slow_linkage(X, released, min(top, len(X)))
    assert distance_linkage_risk(X, released, top=top) == pytest.approx(expected)


@given(X=grids(least_rows=1), data=st.data())
def test_codes_are_one_unit_apart(X, data):
    released = data.draw(grids(len(X), len(X)).filter(lambda R: R.shape == X.shape))
    codes = [j for j in range(X.shape[1]) if data.draw(st.booleans())]
    seen = np.unique(np.concatenate([X, released]))

    def one_hot(table):
        blocks = [
            (table[:, [j]] == seen) * 1.0 if j in codes else table[:, [j]]
            for j in range(table.shape[1])
        ]  # twice the distance, squared, of a mismatch
        scale = [
            np.full(b.shape[1], 1.0 if b.shape[1] == 1 else 0.5**0.5) for b in blocks
        ]
        return np.hstack(blocks) * np.concatenate(scale)

    risk = distance_linkage_risk(X, released, nominal=codes)
    if len(seen) > 1:
        # round, so that sums of halves and of units tie alike
        A, B = one_hot(X), one_hot(released)
        squared = ((A[None] - B[:, None]) ** 2).sum(axis=2).round(9)
        own = np.diag(squared)[:, None]
        nearer, tied = (squared < own).sum(axis=1), (squared == own).sum(axis=1)
        expected = np.clip((1 - nearer) / tied, 0, 1).mean()
        assert risk == pytest.approx(expected)


def test_untouched_table_is_fully_linked():
    X = gaussian(50, 3)
    assert distance_linkage_risk(X, X) == 1.0


def test_identical_records_share_the_guess():
    X = np.zeros((10, 2))
    assert distance_linkage_risk(X, X) == pytest.approx(0.1)
    assert distance_linkage_risk(X, X, top=2) == pytest.approx(0.2)


def test_many_originals_at_one_distance():
    """More ties than the first look at the neighbours can show."""
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    X = np.column_stack([np.round(np.cos(angles)), np.round(np.sin(angles))])
    X = np.abs(X) * [[1, 0]] + np.repeat([[0, 1], [0, -1]], 4, axis=0)
    released = np.zeros_like(X)
    assert distance_linkage_risk(X, released) == pytest.approx(
        slow_linkage(X, released, 1)
    )


def test_rounding_does_not_break_ties():
    """z-scores of integers: equal distances differ in their last bits."""
    rows = [(55, 7), (54, 0), (52, 7), (54, 8), (22, 1), (52, 8), (57, 7), (30, 2)]
    rows += [(26, 4), (23, 7), (51, 8), (57, 0), (44, 5), (44, 3)]
    table = pl.DataFrame(rows, schema=["age", "h"], orient="row")
    scores = anonymize(table, Schema(["age", "h"]), k=2).scores
    assert scores["distance_linkage_risk"] == round(10 / 21, 4)


def test_a_cell_gives_away_at_most_one_record():
    X = gaussian(300, 2)
    released = Centroid().aggregate(X, MDAV(5).fit_predict(X))
    assert distance_linkage_risk(X, released) <= 1 / 5


def test_top_must_be_positive():
    with pytest.raises(ValueError, match="must be an integer >= 1"):
        distance_linkage_risk([[1.0]], [[1.0]], top=0)


@given(X=grids(least_rows=1), data=st.data())
def test_codes_are_as_far_apart_as_their_unit(X, data):
    released = data.draw(grids(len(X), len(X)).filter(lambda R: R.shape == X.shape))
    codes = [j for j in range(X.shape[1]) if data.draw(st.booleans())]
    units = [data.draw(st.sampled_from([0.2, 1.0, 7.5])) for _ in codes]
    squared = np.zeros((len(X), len(X)))
    for j in range(X.shape[1]):
        apart = released[:, j, None] - X[:, j]
        unit = dict(zip(codes, units, strict=True)).get(j)
        squared += apart**2 if unit is None else unit * (apart != 0)
    squared = squared.round(9)  # so that sums in another order tie alike
    own = np.diag(squared)[:, None]
    nearer, tied = (squared < own).sum(axis=1), (squared == own).sum(axis=1)
    expected = np.clip((1 - nearer) / tied, 0, 1).mean()
    found = distance_linkage_risk(X, released, nominal=codes, units=units)
    assert found == pytest.approx(expected)


def test_numbers_of_codes_are_no_distances():
    """Large codes do not make small distances the same."""
    X = np.column_stack([[0.0, 1e-4, 1.0], [1e9, 2e9, 3e9]])
    released = X + np.array([[4e-5, 0], [0, 0], [0, 0]])
    assert distance_linkage_risk(X, released, nominal=[1]) == 1
    released[:, 1] = 0
    assert distance_linkage_risk(X, released, nominal=[1]) == 1


def drawn_release(X, data):
    """A release of the same shape, its codes, and some of its records and columns."""
    released = data.draw(grids(len(X), len(X)).filter(lambda R: R.shape == X.shape))
    n, d = X.shape
    codes = [j for j in range(d) if data.draw(st.booleans())]
    rows = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=6))
    columns = st.lists(st.integers(0, d - 1), min_size=1, max_size=d, unique=True)
    return released, codes, rows, data.draw(st.lists(columns, min_size=1, max_size=4))


@given(X=grids(least_rows=1), data=st.data())
def test_subsets_of_columns_are_as_if_there_were_no_others(X, data):
    released, codes, _, subsets = drawn_release(X, data)
    found = sampled_linkage_risks(X, released, range(len(X)), subsets, codes)
    expected = [
        distance_linkage_risk(
            X[:, columns],
            released[:, columns],
            nominal=[place for place, j in enumerate(columns) if j in codes],
        )
        for columns in subsets
    ]
    assert found == pytest.approx(expected)


@given(X=grids(least_rows=1), data=st.data())
def test_a_sample_is_the_mean_of_its_records(X, data):
    released, codes, rows, subsets = drawn_release(X, data)
    each = [sampled_linkage_risks(X, released, [row], subsets, codes) for row in rows]
    found = sampled_linkage_risks(X, released, rows, subsets, codes)
    assert found == pytest.approx(np.mean(each, axis=0))


@given(table=tables_and_k(elements=any_values), data=st.data())
def test_a_sample_of_a_release(table, data):
    X, k = table
    released = Centroid().aggregate(X, MDAV(k).fit_predict(X))
    subsets = [[j] for j in range(X.shape[1])] + [list(range(X.shape[1]))]
    found = sampled_linkage_risks(X, released, range(len(X)), subsets)
    expected = [slow_linkage(X[:, c], released[:, c], 1) for c in subsets]
    assert found == pytest.approx(expected)


def test_one_index_serves_few_and_many_distinct_values():
    X = gaussian(400, 3)
    X[:, 0] = X[:, 0].round()
    released = Centroid().aggregate(X, MDAV(4).fit_predict(X))
    subsets = [[0], [0, 1], [1, 2], [2, 0], [0, 1, 2]]
    units = [0.7]
    found = sampled_linkage_risks(X, released, range(400), subsets, [0], units)
    expected = [
        distance_linkage_risk(
            X[:, c], released[:, c], nominal=[c.index(0)], units=units
        )
        if 0 in c
        else distance_linkage_risk(X[:, c], released[:, c])
        for c in subsets
    ]
    assert found == pytest.approx(expected)
