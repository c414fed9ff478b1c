"""The confidential attribute as numbers."""

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from microcell import SchemaError
from microcell.columns import target_values


def values(series):
    return target_values(nw.from_native(pl.DataFrame({"y": series})), "y")


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        (["30", " 4 ", "30", "1e1"], [30, 4, 30, 10]),
        ([30, 4, 30, 10], [30, 4, 30, 10]),
    ],
)
def test_whole_numbers_stay_whole_also_as_text(series, expected):
    y = values(series)
    assert y.dtype == np.int64
    assert_array_equal(y, expected)


@pytest.mark.parametrize("series", [["1.5", "4", "-2"], [1.5, 4.0, -2.0]])
def test_fractions_stay_fractions_also_as_text(series):
    y = values(series)
    assert y.dtype == np.float64
    assert_array_equal(y, [1.5, 4.0, -2.0])


@pytest.mark.parametrize(
    "series",
    [
        ["flu", "gout", "flu"],
        ["7", "gout", "7"],  # not all are numbers
        pl.Series(["7", "5", "7"], dtype=pl.Categorical),
        [True, False, True],
    ],
)
def test_categories_are_codes_in_the_order_in_which_they_come(series):
    assert_array_equal(values(series), [0, 1, 0])


@pytest.mark.parametrize("series", [["a", None, None], [1.0, float("nan"), None]])
def test_missing_values_are_counted_and_refused(series):
    with pytest.raises(SchemaError, match=r"'y' is to shape cells but has 2 missing"):
        values(series)
