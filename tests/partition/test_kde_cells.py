import numpy as np
import pytest
from hypothesis import given
from tables import any_values, gaussian, tables_and_k

from microcell import Microaggregator
from microcell._density import density_intervals
from microcell.aggregate import DensityPeaks
from microcell.compose import ByBlock
from microcell.methods import kde
from microcell.partition import KDECells


@given(table=tables_and_k(elements=any_values))
def test_cells_have_at_least_min_k_records(table):
    X, k = table
    sizes = np.bincount(KDECells(k).fit_predict(X))
    assert sizes.min() >= k


def test_cells_share_all_intervals():
    X = gaussian(400, 3) ** 3
    part = KDECells(bandwidth=0.2).fit(X)
    assert not part.promises_k
    places = np.column_stack(
        [density_intervals(column, 0.2).of(column) for column in X.T]
    )
    pairs = np.unique(np.column_stack([part.labels_, places]), axis=0)
    assert len(pairs) == part.n_cells_ == len(np.unique(places, axis=0))


def test_blocks_of_one_column_release_the_same_as_cells_of_all():
    X = gaussian(300, 3) ** 3
    whole = Microaggregator(KDECells(), aggregate=DensityPeaks())
    by_column = ByBlock(Microaggregator(KDECells(), aggregate=DensityPeaks()), blocks=1)
    assert np.array_equal(whole.fit_transform(X), by_column.fit_transform(X))


def test_asked_for_k_is_that_of_whole_records():
    X = gaussian(300, 4) ** 3
    for k in (2, 5, 20):
        released = kde(k).fit_transform(X)
        sizes = np.unique(released, axis=0, return_counts=True)[1]
        assert sizes.min() >= k
    released = kde(5, min_k=1).fit_transform(X)
    assert np.unique(released, axis=0, return_counts=True)[1].min() == 1


def test_every_peak_stands_for_min_k_records():
    X = np.r_[gaussian(200, 1), [[50.0]], [[60.0]]]  # two lone records far away
    alone = Microaggregator(KDECells(), aggregate=DensityPeaks())
    assert alone.fit_transform(X).max() == pytest.approx(60, abs=0.1)
    assert kde(5).fit_transform(X).max() < 40


def test_a_table_of_equal_records_is_one_cell():
    assert KDECells(3).fit(np.ones((7, 2))).n_cells_ == 1
