"""Geometry before grouping.

scikit-learn's scalers and decompositions fit here as they are.
"""

from microcell.embed._mismatch import Mismatch

__all__ = ["Mismatch"]
