"""The density of a column: where its values crowd, and where they are sparse."""

from typing import Any, NamedTuple

import numpy as np

from microcell._centre import centred_and_small, mean_in_two_parts
from microcell._validation import check_at_least
from microcell.exceptions import ParameterError

MIN_GRID_POINTS = 1024  # of the grid
POINTS_PER_WIDTH = 8  # of the bell, where a grid of 1024 would be coarser
MAX_GRID_POINTS = 2**20
WIDTHS_OF_A_BELL = 8  # it ends there
DECIMALS = 3  # of the bell of one value that count: less is the grid's doing
DISCRETE = 10  # a column with so few values has an interval for each


class Intervals(NamedTuple):
    """Intervals of a column and what stands for each.

    Attributes
    ----------
    borders : ndarray of shape (n_intervals - 1,)
        Where intervals meet; a value on a border belongs to the upper one.
    peaks : ndarray of shape (n_intervals,)
        Where the density of each is highest.
    """

    borders: np.ndarray
    peaks: np.ndarray

    def of(self, values: np.ndarray) -> np.ndarray:
        """The interval of each value."""
        return np.searchsorted(self.borders, values, side="right")


def check_bandwidth(bandwidth: Any) -> Any:
    """Return the rule, or the width in standard deviations."""
    if isinstance(bandwidth, str):
        if bandwidth not in BANDWIDTHS:
            raise ParameterError(
                "bandwidth",
                f"must be one of {list(BANDWIDTHS)} or a number of standard "
                f"deviations. Got {bandwidth!r} instead.",
            )
        return bandwidth
    return check_at_least("bandwidth", bandwidth, 1e-6)


def silverman(values: np.ndarray) -> float:
    """0.9 times the standard deviation, or IQR / 1.34 if that is less, by n^(-1/5)."""
    low, high = np.percentile(values, [25, 75])
    spread = min(values.std(), (high - low) / 1.34) if high > low else values.std()
    return 0.9 * spread * len(values) ** -0.2


def scott(values: np.ndarray) -> Any:
    """1.06 times the standard deviation by n^(-1/5)."""
    return 1.06 * values.std() * len(values) ** -0.2


BANDWIDTHS = {"silverman": silverman, "scott": scott}


def density_intervals(
    column: np.ndarray, bandwidth: str | float = "silverman", least: int = 1
) -> Intervals:
    """Cut a column where its density is lowest between two peaks.

    The density is that of Gaussian bells, on a grid of at least 1024 points from three
    widths below the least value to three above the greatest: O(n + points). A column
    of at most 10 values has an interval for each of them.

    Parameters
    ----------
    column : ndarray of shape (n_samples,)
    bandwidth : {"silverman", "scott"} or float, default="silverman"
        Width of the bells by a rule, or in standard deviations of the column.
    least : int, default=1
        Values that an interval must have; one with fewer joins the neighbour whose peak
        is nearer, and the higher of the two peaks stays.

    Returns
    -------
    intervals : Intervals

    Examples
    --------
    >>> column = np.array([1.0, 2.0, 2.0, 3.0, 8.0, 9.0, 9.0, 10.0])
    >>> density_intervals(column).borders
    array([1.5, 2.5, 5.5, 8.5, 9.5])
    >>> density_intervals(column, least=4)
    Intervals(borders=array([5.5]), peaks=array([2., 9.]))
    """
    small, exponent = centred_and_small(column[:, None])
    small = small.ravel()
    distinct, counts = np.unique(small, return_counts=True)
    if distinct.size <= DISCRETE:
        borders, peaks = (distinct[1:] + distinct[:-1]) / 2, distinct
        heights = counts.astype(np.float64)
    else:
        borders, peaks, heights = valleys_and_peaks(*density_on_grid(small, bandwidth))
    found = join_small(small, Intervals(borders, peaks), heights, least)
    near, rest = mean_in_two_parts(column[:, None])
    return Intervals(*(near + (rest + np.ldexp(part, exponent)) for part in found))


def density_on_grid(
    values: np.ndarray, bandwidth: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Points of the grid and the density there, in bells of one value."""
    if isinstance(bandwidth, str):
        width = BANDWIDTHS[bandwidth](values)
    else:
        width = bandwidth * values.std()
    low, high = values.min() - 3 * width, values.max() + 3 * width
    wanted = POINTS_PER_WIDTH * (high - low) / width
    n_points = int(np.clip(wanted, MIN_GRID_POINTS, MAX_GRID_POINTS))
    points = np.linspace(low, high, n_points)
    step = points[1] - points[0]
    # Each value is shared by the two points beside it, so that means are kept.
    place = (values - low) / step
    below = np.minimum(place.astype(np.int64), n_points - 2)
    share = place - below
    mass = np.bincount(below, weights=1 - share, minlength=n_points)
    mass += np.bincount(below + 1, weights=share, minlength=n_points)
    reach = min(int(np.ceil(WIDTHS_OF_A_BELL * width / step)), n_points - 1)
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) * step / width) ** 2)
    density = np.convolve(mass, bell, mode="full")[reach : reach + n_points]
    return points, np.round(density, DECIMALS)


def valleys_and_peaks(
    points: np.ndarray, density: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lowest points between two peaks, the peaks, and their density.

    The middle of a plateau stands for it.
    """
    from scipy.signal import find_peaks

    padded = np.concatenate([[-1.0], density, [-1.0]])
    peaks = find_peaks(padded)[0] - 1
    valleys = find_peaks(-density[peaks[0] : peaks[-1] + 1])[0] + peaks[0]
    return points[valleys], points[peaks], density[peaks]


def join_small(
    values: np.ndarray, intervals: Intervals, heights: Any, least: int
) -> Intervals:
    """Intervals of at least `least` values; the smallest joins a neighbour first."""
    borders, peaks = list(intervals.borders), list(intervals.peaks)
    heights = list(heights)
    counts = list(np.bincount(intervals.of(values), minlength=len(peaks)))
    while len(peaks) > 1 and min(counts) < least:
        small = counts.index(min(counts))
        last = len(peaks) - 1
        up = small == 0 or (
            small < last
            and peaks[small + 1] - peaks[small] < peaks[small] - peaks[small - 1]
        )
        at = small if up else small - 1
        higher = at if heights[at] >= heights[at + 1] else at + 1
        peaks[at : at + 2] = [peaks[higher]]
        heights[at : at + 2] = [heights[higher]]
        counts[at : at + 2] = [counts[at] + counts[at + 1]]
        del borders[at]
    return Intervals(np.array(borders), np.array(peaks))
