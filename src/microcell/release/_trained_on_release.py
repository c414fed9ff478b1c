"""ReleaseClassifier, ReleaseRegressor: models that learn from a release only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    RegressorMixin,
    clone,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from microcell._default_method import DEFAULT_METHOD
from microcell._validation import check_choice, check_k
from microcell.embed import SCALES
from microcell.exceptions import ParameterError
from microcell.release._anonymize import anonymize
from microcell.release._method import (
    build_method,
    is_random,
    method_name,
    own_parameters,
    resolve_method,
)
from microcell.release._schema import Schema


def _model_has(name: str) -> Any:
    """Whether the model, fitted or not, has a method."""

    def check(self: Any) -> bool:
        getattr(getattr(self, "estimator_", self._model()), name)
        return True

    return check


class TrainedOnRelease(MetaEstimatorMixin, BaseEstimator):
    """Base of models that learn from a release and predict records as they are.

    See `ReleaseClassifier`.
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: Any = DEFAULT_METHOD,
        k: int = 5,
        scale: str = "standard",
        kinds: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        seed: Any = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.k = k
        self.scale = scale
        self.kinds = kinds
        self.parameters = parameters
        self.seed = seed

    def fit(self, X: Any, y: Any) -> Any:
        """Mask the records with y at hand, and learn from what is released.

        Parameters
        ----------
        X : dataframe or array-like of shape (n_samples, n_features)
            Quasi-identifiers. The columns of a table have kinds, as in `anonymize`;
            those of an array are numbers.
        y : array-like of shape (n_samples,)
            The confidential attribute.

        Returns
        -------
        self
        """
        check_k(self.k, least=2)
        check_choice("scale", self.scale, tuple(SCALES))
        if y is None:
            raise ValueError(
                "requires y to be passed, but the target y is None: it is what the "
                "model learns."
            )
        if _is_table(X):
            validate_data(self, X, y, skip_check_array=True)
            y = self._checked_target(y, len(X))
            released = self._released_table(X, self._confidential(y))
        else:
            X, y = validate_data(
                self, X, y, dtype=np.float64, multi_output=True, y_numeric=False
            )
            y = self._checked_target(y, len(X))
            released = self._released_array(X, self._confidential(y))
        self.estimator_ = clone(self._model()).fit(released, y)
        return self

    def predict(self, X: Any) -> Any:
        """What the model says of records as they are."""
        X = self._raw(X)
        return self.estimator_.predict(X)

    def set_params(self, **params: Any) -> Any:
        """Set parameters, also those of the method, such as ``alpha`` of "lda-mdav"."""
        named = self._get_param_names()
        own = {n: v for n, v in params.items() if n.partition("__")[0] not in named}
        super().set_params(**{n: v for n, v in params.items() if n not in own})
        if own:
            self._check_own(own)
            self.parameters = {**(self.parameters or {}), **own}
        return self

    def _check_own(self, given: Mapping[str, Any]) -> None:
        known = own_parameters(self.method)
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise ParameterError(
                unknown[0],
                f"is no parameter of {type(self).__name__}, nor of the method "
                f"{method_name(self.method)!r}, which has {list(known)}.",
            )

    def _model(self) -> Any:
        return self._default() if self.estimator is None else self.estimator

    def _raw(self, X: Any) -> Any:
        check_is_fitted(self, "estimator_")
        if not self.of_table_:
            return validate_data(self, X, dtype=np.float64, reset=False)
        if not _is_table(X):
            raise TypeError(
                "The model learnt from a table with named columns. Got "
                f"{type(X).__name__} instead."
            )
        validate_data(self, X, reset=False, skip_check_array=True)
        return X

    def _released_array(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        if self.kinds is not None:
            raise ParameterError(
                "kinds",
                "are those of named columns, and X is an array.",
                hint="Pass a table, or turn categories into numbers first.",
            )
        parameters = dict(self.parameters or {})
        method = resolve_method(self.method)
        self._check_own(parameters)
        if self.seed is not None and not is_random(method):
            raise ParameterError(
                "seed",
                f"changes nothing: method {method_name(method)!r} does not draw.",
                hint="Leave it out.",
            )
        plan = build_method(method, self.k, SCALES[self.scale](), parameters, self.seed)
        released = np.asarray(plan.fit_transform(X, y))
        if released.shape != X.shape:
            raise ParameterError(
                "method",
                f"releases {released.shape[1]} columns for {X.shape[1]}, and a model "
                "needs those that it will predict from.",
            )
        self.of_table_ = False
        self.labels_ = plan.labels_
        return released

    def _released_table(self, X: Any, y: np.ndarray) -> Any:
        frame = nw.from_native(X, eager_only=True)
        if frame.implementation.is_pandas():
            frame = nw.from_native(X.reset_index(drop=True), eager_only=True)
        names = frame.columns
        target = "y"
        while target in names:
            target += "_"
        column = nw.new_series(target, y, backend=frame.implementation)
        self.release_ = anonymize(
            frame.with_columns(column).to_native(),
            Schema(names, confidential=target, kinds=self.kinds or {}),
            k=self.k,
            method=self.method,
            scale=self.scale,
            parameters=dict(self.parameters or {}),
            random_state=self.seed,
            measures="none",
        )
        self.of_table_ = True
        self.labels_ = self.release_.labels
        released = nw.from_native(self.release_.table, eager_only=True)
        return released.select(*names).to_native()


class ReleaseClassifier(ClassifierMixin, TrainedOnRelease):
    """A classifier that learns from a release and predicts records as they are.

    `fit` masks the records by a method of the library, with y as the confidential
    attribute, and trains the estimator on what is released; `predict` takes records
    that were never masked. So cross-validation measures what somebody who gets the
    release can learn, and k, the method and its parameters can be searched for.

    A table with named columns is released by `anonymize`, mixed kinds of columns
    included, and the estimator gets the released table: let it begin with a
    `ColumnTransformer`. Columns of an array are numbers.

    Parameters
    ----------
    estimator : classifier, optional
        By default logistic regression on standardised columns.
    method : str, callable or estimator, default="mdav-refined"
        What masks, as in `anonymize`.
    k : int, default=5
        Least number of records in a cell.
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How quasi-identifiers get a common scale.
    kinds : dict, optional
        Kinds of columns of a table that are not what they look like.
    parameters : dict, optional
        Parameters of the method. `set_params` takes them by name, so that a search can:
        ``GridSearchCV(model, {"k": [5, 50], "alpha": [1, 4]})``.
    seed : int, optional
        Of a method that draws; others refuse it.

    Attributes
    ----------
    estimator_ : classifier
        The trained one.
    classes_ : ndarray of shape (n_classes,)
    labels_ : ndarray of shape (n_samples,)
        Cell of each training record.
    release_ : Release
        What a table was released as; an array has none.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV, cross_val_score
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ReleaseClassifier(method="lda-mdav", k=20)
    >>> cross_val_score(model, X, y).mean().round(2)
    np.float64(0.95)
    >>> search = GridSearchCV(model, {"k": [20, 100], "alpha": [1.0, 8.0]}).fit(X, y)
    >>> sorted(search.best_params_)
    ['alpha', 'k']
    """

    def _default(self) -> Any:
        return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))

    def _checked_target(self, y: Any, n_samples: int) -> np.ndarray:
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        return y

    def _confidential(self, y: np.ndarray) -> np.ndarray:
        """Classes as text, so that no number of them is taken for a measurement."""
        codes = np.searchsorted(self.classes_, y)
        return np.array([f"class {code}" for code in range(self.classes_.size)])[codes]

    @available_if(_model_has("predict_proba"))
    def predict_proba(self, X: Any) -> Any:
        """Class probabilities of records as they are."""
        X = self._raw(X)
        return self.estimator_.predict_proba(X)

    @available_if(_model_has("decision_function"))
    def decision_function(self, X: Any) -> Any:
        """Decisions about records as they are."""
        X = self._raw(X)
        return self.estimator_.decision_function(X)


class ReleaseRegressor(RegressorMixin, TrainedOnRelease):
    """A regressor that learns from a release and predicts records as they are.

    As `ReleaseClassifier`, for a confidential attribute that is a number; by default
    ridge regression on standardised columns.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = load_diabetes(return_X_y=True)
    >>> cross_val_score(ReleaseRegressor(k=5), X, y).mean().round(1)
    np.float64(0.5)
    """

    def _default(self) -> Any:
        return make_pipeline(StandardScaler(), Ridge())

    def _checked_target(self, y: Any, n_samples: int) -> np.ndarray:
        y = column_or_1d(y, warn=True).astype(np.float64)
        if not np.isfinite(y).all():
            raise ValueError("y contains NaN or infinity.")
        return y

    def _confidential(self, y: np.ndarray) -> np.ndarray:
        return y


def _is_table(X: Any) -> bool:
    """Whether columns have names, so that they can have kinds."""
    names = getattr(X, "column_names", getattr(X, "columns", ()))
    return len(names) > 0 and all(isinstance(name, str) for name in names)
