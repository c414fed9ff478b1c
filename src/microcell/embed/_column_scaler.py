"""ColumnScaler: one scale for numbers, one unit for a mismatch of categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from microcell._validation import check_choice, check_positive, check_records
from microcell.base import Records, Target
from microcell.embed._mismatch import Mismatch
from microcell.embed._observed_scale import ObservedScale
from microcell.embed._scales import SCALES
from microcell.kernels.codes import NO_CODE
from microcell.kernels.columns import column_ranges

MISSING = ("error", "middle", "category")


class ColumnScaler(TransformerMixin, BaseEstimator):
    """Give the columns of a mixed table a common scale.

    Parameters
    ----------
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How columns that are measured (numbers, dates, ranks) are scaled.
    nominal : sequence of int, default=()
        Columns that hold codes without an order; they come last in the result.
    trees : mapping of int to Levels, optional
        Columns that hold codes of a hierarchy; each becomes a column of codes for
        each level.
    importance : sequence of float, optional
        A weight for each column: its part of the squared distances is multiplied by
        it. By default 1.
    missing : {"error", "middle", "category"}, default="error"
        What becomes of missing values (NaN). In the middle, one stands at the mean of
        its column, or at its most frequent code, and the scale is that of the values
        that are there. As a category, it is also one unit apart from all of them.
    expand : bool, default=True
        Whether a column of codes becomes a coordinate for each of its categories, so
        that a mismatch is one unit of distance; otherwise codes stay codes.
    learnt : LearntColumns, optional
        What is known of a whole table that X is a part of: its scale is that of the
        table.

    Attributes
    ----------
    coded_ : list of int
        Columns of the result that hold codes.
    units_ : list of float
        What a mismatch in each of them counts, as a squared distance.

    Examples
    --------
    >>> X = [[2, 7.0], [5, 8.0], [6, 8.0]]
    >>> ColumnScaler("none", nominal=[0]).fit_transform(X).round(3)
    array([[7.   , 0.707, 0.   , 0.   ],
           [8.   , 0.   , 0.707, 0.   ],
           [8.   , 0.   , 0.   , 0.707]])
    """

    def __init__(
        self,
        scale: str = "standard",
        *,
        nominal: Sequence[int] = (),
        trees: Any = None,
        importance: Sequence[float] | None = None,
        missing: str = "error",
        expand: bool = True,
        learnt: Any = None,
    ) -> None:
        self.scale = scale
        self.nominal = nominal
        self.trees = trees
        self.importance = importance
        self.missing = missing
        self.expand = expand
        self.learnt = learnt

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Learn the scale of each column and the categories of each nominal one."""
        check_choice("scale", self.scale, tuple(SCALES))
        check_choice("missing", self.missing, MISSING)
        X = self._checked(X, reset=True)
        self.importance_ = self._weights(X.shape[1])
        self.nominal_ = [int(column) for column in self.nominal]
        self.trees_ = {int(j): levels for j, levels in (self.trees or {}).items()}
        others = {*self.nominal_, *self.trees_}
        self.measured_ = [j for j in range(X.shape[1]) if j not in others]
        plain = self.missing == "error"
        if self.learnt is not None:
            self.gaps_ = set(self.learnt.gaps)
            self.frequencies_ = {j: self.learnt.frequencies[j] for j in others}
            self.scale_ = None
            if self.measured_:
                self.scale_ = self.learnt.scale(self.scale, self.measured_, not plain)
            return self._name_codes()
        low = X[0] if self.missing == "error" else column_ranges(X)[0]
        self.gaps_ = set(np.flatnonzero(np.isnan(low)).tolist())
        self.frequencies_ = {
            j: np.unique(X[~np.isnan(X[:, j]), j], return_counts=True) for j in others
        }
        self.scale_ = None
        if self.measured_:
            part: Any = SCALES[self.scale]() if plain else ObservedScale(self.scale)
            self.scale_ = part.fit(self._measured(X))
        return self._name_codes()

    def _checked(self, X: Any, reset: bool = False) -> np.ndarray:
        finite = True if self.missing == "error" else "allow-nan"
        return check_records(self, X, reset=reset, ensure_all_finite=finite)

    def _weights(self, n_features: int) -> np.ndarray:
        if self.importance is None:
            return np.ones(n_features)
        return check_positive("importance", self.importance, n_features, "columns")

    def _name_codes(self) -> Self:
        """Units of the columns of codes, where they stand, and their categories."""
        flags = self.measured_ if self.missing == "category" else []
        self.flagged_ = [j for j in flags if j in self.gaps_]
        units = [self.importance_[[*self.nominal_]]]
        units += [self.importance_[j] * t.units for j, t in self.trees_.items()]
        units.append(self.importance_[[*self.flagged_]])
        self.units_ = np.concatenate(units).tolist()
        self.coded_ = []
        if not self.expand:
            n_measured = len(self.measured_)
            self.coded_ = [n_measured + place for place in range(len(self.units_))]
        self.mismatch_ = None
        if self.expand and self.units_:
            self.mismatch_ = Mismatch().of(self._categories())
        return self

    def _categories(self) -> list[np.ndarray]:
        """Codes that each column of codes may hold."""
        categories = []
        for j in (*self.nominal_, *self.trees_):
            values = self.frequencies_[j][0]
            own = self.missing == "category" or values.size == 0
            absent = [NO_CODE] if j in self.gaps_ and own else []
            columns = [values]
            if j in self.trees_:
                columns = self.trees_[j].codes[values.astype(np.int64)].T
            categories += [np.union1d(column, absent) for column in columns]
        return categories + [np.array([0.0, 1.0])] * len(self.flagged_)

    def transform(self, X: ArrayLike) -> Records:
        """Scaled columns first, then codes of nominal columns, trees and flags."""
        check_is_fitted(self)
        X = self._checked(X)
        blocks = []
        if self.scale_ is not None:
            Z = self.scale_.transform(self._measured(X))
            weights = self.importance_[self.measured_]
            blocks.append(Z if (weights == 1).all() else Z * np.sqrt(weights))
        if self.units_:
            codes = self._codes(X)
            if self.expand:
                mismatch: Any = self.mismatch_
                codes = mismatch.transform(codes, self.units_)
            blocks.append(codes)
        return blocks[0] if len(blocks) == 1 else np.hstack(blocks)

    def _measured(self, X: np.ndarray) -> np.ndarray:
        """The columns that are measured; no copy if all are."""
        everything = self.measured_ == list(range(X.shape[1]))
        return X if everything else X[:, self.measured_]

    def _codes(self, X: np.ndarray) -> np.ndarray:
        blocks = [self._present(X[:, j], j)[:, None] for j in self.nominal_]
        for j, levels in self.trees_.items():
            nodes = self._present(X[:, j], j)
            codes = levels.codes[nodes.astype(np.int64)].astype(np.float64)
            codes[nodes == NO_CODE] = NO_CODE
            blocks.append(codes)
        blocks += [np.isnan(X[:, [j]]).astype(np.float64) for j in self.flagged_]
        return np.hstack(blocks)

    def _present(self, column: np.ndarray, j: int) -> np.ndarray:
        """Codes of a column with a code for what is missing."""
        absent = np.isnan(column)
        if not absent.any():
            return column
        values, counts = self.frequencies_[j]
        in_the_middle = self.missing == "middle" and values.size > 0
        return np.where(
            absent, values[np.argmax(counts)] if in_the_middle else NO_CODE, column
        )

    def keep_codes(self) -> Self:
        """Let codes stay codes, for whoever can take them."""
        self.expand = False
        return self

    def merge(self, other: Self) -> Self:
        """The scaler of two parts of a table, from those of the parts."""
        merged = type(self)(**self.get_params(deep=False))
        merged.n_features_in_ = self.n_features_in_
        for name in ("importance_", "nominal_", "trees_", "measured_"):
            setattr(merged, name, getattr(self, name))
        merged.gaps_ = self.gaps_ | other.gaps_
        merged.frequencies_ = {
            j: _sum_counts(counts, other.frequencies_[j])
            for j, counts in self.frequencies_.items()
        }
        merged.scale_ = self.scale_ and self.scale_.merge(other.scale_)
        return merged._name_codes()

    def take_columns(self, columns: Sequence[int]) -> ColumnScaler:
        """The same scale for a block of the columns."""
        place_of = {column: place for place, column in enumerate(columns)}
        nominal, trees = set(self.nominal), self.trees or {}
        importance = self.importance
        if importance is not None:
            importance = [importance[j] for j in columns]
        return type(self)(
            self.scale,
            nominal=[place for j, place in place_of.items() if j in nominal],
            trees={place_of[j]: t for j, t in trees.items() if j in place_of} or None,
            importance=importance,
            missing=self.missing,
            expand=self.expand,
            learnt=None if self.learnt is None else self.learnt.take(columns),
        )


def _sum_counts(one: Any, other: Any) -> Any:
    """Values and how often they occur, of two parts together."""
    values, which = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    counts = np.bincount(which, weights=np.concatenate([one[1], other[1]]))
    return values, counts.astype(np.int64)
