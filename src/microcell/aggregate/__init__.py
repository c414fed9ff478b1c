"""Ways to publish a cell."""

from microcell.aggregate._by_column import ByColumn
from microcell.aggregate._centroid import Centroid
from microcell.aggregate._interval import Interval
from microcell.aggregate._median import Median
from microcell.aggregate._mode import Mode

__all__ = ["ByColumn", "Centroid", "Interval", "Median", "Mode"]
