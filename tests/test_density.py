import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import for_each
from numpy.testing import assert_allclose
from scipy.stats import gaussian_kde
from tables import any_values

from microcell import _density
from microcell._density import (
    BANDWIDTHS,
    check_bandwidth,
    density_intervals,
    density_on_grid,
)

columns = arrays(float, st.integers(1, 60), elements=any_values)


def three_bumps(n, seed=0):
    rng = np.random.default_rng(seed)
    middles = rng.choice([-6.0, 0.0, 6.0], size=n, p=[0.3, 0.3, 0.4])
    return middles + rng.normal(size=n)


@pytest.mark.parametrize("n", [300, 3000, 100_000])
def test_borders_of_three_bumps_are_in_the_valleys(n):
    column = three_bumps(n)
    width = BANDWIDTHS["silverman"](column)
    # The valleys of the mixture itself, to three digits.
    grid = np.linspace(-7, 7, 14001)
    shares, middles = [0.3, 0.3, 0.4], [-6.0, 0.0, 6.0]
    truth = sum(
        share * np.exp(-((grid - middle) ** 2) / 2)
        for share, middle in zip(shares, middles, strict=True)
    )
    valleys = [
        grid[(low <= grid) & (grid <= low + 6)][
            np.argmin(truth[(low <= grid) & (grid <= low + 6)])
        ]
        for low in (-6.0, 0.0)
    ]
    found = density_intervals(column)
    assert_allclose(found.borders, valleys, atol=width)
    assert_allclose(found.peaks, middles, atol=width)


@pytest.mark.parametrize("rule", ["silverman", "scott", 0.2])
def test_density_is_that_of_scipy(rule):
    column = three_bumps(500)
    points, density = density_on_grid(column, rule)
    width = rule * column.std() if rule == 0.2 else BANDWIDTHS[rule](column)
    expected = gaussian_kde(column, width / column.std(ddof=1))(points)
    expected *= 500 * width * np.sqrt(2 * np.pi)  # in bells of one value
    assert_allclose(density, expected, atol=2e-3 * expected.max())


def test_rules_of_bandwidth():
    column = np.arange(11.0)
    sd, quartiles = column.std(), 5.0
    assert BANDWIDTHS["scott"](column) == pytest.approx(1.06 * sd * 11**-0.2)
    assert BANDWIDTHS["silverman"](column) == pytest.approx(
        0.9 * min(sd, quartiles / 1.34) * 11**-0.2
    )
    spiked = np.r_[np.zeros(40), np.arange(12.0)]  # quartiles are equal
    assert BANDWIDTHS["silverman"](spiked) == pytest.approx(
        0.9 * spiked.std() * 52**-0.2
    )


@given(column=columns, least=st.integers(1, 5))
def test_every_interval_has_one_peak_and_enough_values(column, least):
    found = density_intervals(column, least=least)
    assert len(found.peaks) == len(found.borders) + 1
    assert (np.diff(found.borders) > 0).all()
    assert (found.borders > found.peaks[:-1]).all()
    assert (found.borders <= found.peaks[1:]).all()
    sizes = np.bincount(found.of(column), minlength=len(found.peaks))
    assert sizes.min() >= min(least, len(column))


@given(column=columns)
def test_few_values_have_an_interval_each(column):
    column = column[:10]
    found = density_intervals(column)
    values = np.unique(column)
    if np.unique(column - column.mean()).size == values.size:  # to rounding
        assert_allclose(found.peaks, values, rtol=1e-9, atol=1e-9)


def test_a_constant_column_is_one_interval():
    assert density_intervals(np.full(30, 7.0)).peaks.tolist() == [7.0]


def test_the_middle_stands_for_a_plateau():
    # Bells far apart leave nothing between them: the valley is flat.
    column = np.repeat(np.r_[np.linspace(0, 1, 7), np.linspace(99, 100, 7)], 20)
    found = density_intervals(column, 0.01)
    middle = found.borders[np.argmin(abs(found.borders - 50))]
    assert middle == pytest.approx(50, abs=0.5)


def test_evenly_spread_values_are_one_interval():
    for n in (50, 1000, 5000):
        assert len(density_intervals(np.arange(float(n))).peaks) == 1


def test_narrow_bells_get_a_finer_grid(monkeypatch):
    column = np.r_[three_bumps(1000), 5000.0]  # an outlier makes the grid wide
    assert len(density_intervals(column).borders) >= 3
    monkeypatch.setattr(_density, "MAX_GRID_POINTS", 1024)
    coarse = density_intervals(column)
    assert (np.diff(coarse.borders) > 0).all()


@pytest.mark.parametrize("factor", [2.0**-900, 2.0**900])
def test_scale_of_the_column_changes_nothing(factor):
    column = three_bumps(300)
    found = density_intervals(column * factor)
    assert_allclose(found.borders / factor, density_intervals(column).borders)


def test_joined_intervals_keep_the_higher_peak():
    column = np.r_[np.zeros(5), np.ones(2), np.full(6, 4.0)]
    found = density_intervals(column, least=3)
    assert found.peaks.tolist() == [0.0, 4.0]
    assert found.borders.tolist() == [2.5]


@for_each("bandwidth", ["wide", 0, -1.0, None, float("nan")])
def test_bad_bandwidth(bandwidth):
    with pytest.raises(ValueError, match="'bandwidth' parameter"):
        check_bandwidth(bandwidth)
