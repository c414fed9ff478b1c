"""Search for cells with a lower sum of squared errors, none below k."""

from microcell.refine._budget import Budget
from microcell.refine._neighbours import near_records as near_records
from microcell.refine._search import Refined, refined_labels, sum_of_squares

__all__ = ["Budget", "Refined", "refined_labels", "sum_of_squares"]
