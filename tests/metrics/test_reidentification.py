import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal
from tables import grids

from microcell.kernels.distinct import distinct_records
from microcell.metrics import reidentification_risk, risk_of_class_sizes


@given(X=grids(least_rows=1))
def test_classes_are_those_of_unique(X):
    classes, first = distinct_records(X)
    _, expected = np.unique(X, axis=0, return_inverse=True)
    assert len(set(zip(classes, expected.ravel(), strict=True))) == len(first)
    assert_array_equal(X[first][classes], X)


@given(X=grids(least_rows=1))
def test_prosecutor_risk(X):
    sizes = np.unique(X, axis=0, return_counts=True)[1]
    risk = reidentification_risk(X)
    assert risk.prosecutor_max == 1 / sizes.min()
    assert risk.prosecutor_average == pytest.approx(len(sizes) / len(X))
    assert (risk.smallest_class, risk.n_classes) == (sizes.min(), len(sizes))


def test_bad_input():
    with pytest.raises(ValueError, match="finite"):
        reidentification_risk([[np.nan]])
    with pytest.raises(ValueError, match="positive"):
        risk_of_class_sizes([])
