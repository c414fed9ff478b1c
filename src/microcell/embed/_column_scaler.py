"""ColumnScaler: one scale for numbers, one unit for a mismatch of categories."""

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from microcell._validation import check_choice
from microcell.embed._mismatch import Mismatch
from microcell.embed._scales import SCALES


class ColumnScaler(TransformerMixin, BaseEstimator):
    """Give the columns of a mixed table a common scale.

    Parameters
    ----------
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How columns that are measured (numbers, dates, ranks) are scaled.
    nominal : sequence of int, default=()
        Columns that hold codes without an order; they come last in the result.
    expand : bool, default=True
        Whether a nominal column becomes a coordinate for each of its categories, so
        that a mismatch is one unit of distance; otherwise codes stay codes.

    Attributes
    ----------
    coded_ : list of int
        Columns of the result that hold codes.

    Examples
    --------
    >>> X = [[2, 7.0], [5, 8.0], [6, 8.0]]
    >>> ColumnScaler("none", nominal=[0]).fit_transform(X).round(3)
    array([[7.   , 0.707, 0.   , 0.   ],
           [8.   , 0.   , 0.707, 0.   ],
           [8.   , 0.   , 0.   , 0.707]])
    """

    def __init__(self, scale="standard", *, nominal=(), expand=True):
        self.scale = scale
        self.nominal = nominal
        self.expand = expand

    def fit(self, X, y=None):
        """Learn the scale of each column and the categories of each nominal one."""
        check_choice("scale", self.scale, tuple(SCALES))
        X = validate_data(self, X, dtype=np.float64)
        self.nominal_ = [int(column) for column in self.nominal]
        nominal = set(self.nominal_)
        self.measured_ = [j for j in range(X.shape[1]) if j not in nominal]
        self.coded_ = []
        if not self.expand:
            self.coded_ = list(range(len(self.measured_), X.shape[1]))
        self.parts_ = []
        if self.measured_:
            self.parts_.append((SCALES[self.scale]().fit(X[:, self.measured_]), 0))
        if self.nominal_ and self.expand:
            self.parts_.append((Mismatch().fit(X[:, self.nominal_]), 1))
        return self

    def transform(self, X):
        """Scaled columns first, then the nominal ones."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        columns = (self.measured_, self.nominal_)
        blocks = [part.transform(X[:, columns[side]]) for part, side in self.parts_]
        if not self.expand:
            blocks.append(X[:, self.nominal_])
        return np.hstack(blocks)

    def keep_codes(self):
        """Let codes stay codes, for whoever can take them."""
        self.expand = False
        return self

    def merge(self, other):
        """The scaler of two parts of a table, from those of the parts."""
        merged = type(self)(self.scale, nominal=self.nominal, expand=self.expand)
        merged.n_features_in_ = self.n_features_in_
        merged.nominal_, merged.measured_ = self.nominal_, self.measured_
        merged.coded_ = self.coded_
        merged.parts_ = [
            (one.merge(two), side)
            for (one, side), (two, _) in zip(self.parts_, other.parts_, strict=True)
        ]
        return merged

    def take_columns(self, columns):
        """The same scale for a block of the columns."""
        nominal = set(self.nominal)
        places = [place for place, j in enumerate(columns) if j in nominal]
        return type(self)(self.scale, nominal=places, expand=self.expand)
