"""ReleaseClassifier, ReleaseRegressor: models that learn from a release only."""

from __future__ import annotations

import inspect
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
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from microcell._capabilities import check_keeps_rows
from microcell._default_method import DEFAULT_METHOD
from microcell._validation import check_choice, check_k
from microcell.columns import as_table
from microcell.embed import SCALES
from microcell.exceptions import ParameterError, say
from microcell.learning._table_model import features, numbers_of_records, table_model
from microcell.metrics import default_estimator
from microcell.recipe import (
    OPTIONS,
    SCHEMA_OPTIONS,
    Schema,
    build_method,
    column_names,
    is_random,
    meant,
    method_name,
    own_parameters,
    resolve_method,
)
from microcell.release import anonymize


def _model_has(name: str) -> Any:
    """Whether the model, fitted or not, has a method."""

    def check(self: Any) -> bool:
        getattr(getattr(self, "estimator_", self._model()), name)
        return True

    return check


OF_THE_MODEL = {  # options that the model decides itself, or that are of files
    *(name for name, spec in OPTIONS.items() if spec.of_file or spec.of_search),
    *("confidential", "measures", "order", "random_state", "target"),
}
RELEASE_OPTIONS = tuple(name for name in OPTIONS if name not in OF_THE_MODEL)
OF_ARRAYS = ("scale",)  # columns of an array have no names


class TrainedOnRelease(MetaEstimatorMixin, BaseEstimator):
    """Base of models that learn from a release and predict records as they are.

    See `ReleaseClassifier`.
    """

    task: str

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: Any = DEFAULT_METHOD,
        k: int = 5,
        parameters: Mapping[str, Any] | None = None,
        seed: Any = None,
        **options: Any,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.k = k
        self.parameters = parameters
        self.seed = seed
        for name in RELEASE_OPTIONS:
            setattr(self, name, options.pop(name, None))
        for name in options:
            known = [*own_parameters(self.method), *OF_THE_MODEL, *RELEASE_OPTIONS]
            way = f"Parameters of a method: parameters={{{name!r}: ...}}."
            if name not in own_parameters(self.method):
                way = say(meant(name, options[name], known)) or way
            raise TypeError(f"{type(self).__name__} has no option {name!r}. {way}")

    def fit(self, X: Any, y: Any) -> Any:
        """Mask the records with y at hand, and learn from what is released.

        Parameters
        ----------
        X : dataframe or array-like of shape (n_samples, n_features)
            Quasi-identifiers, and columns that an option gives another role. The
            columns of a table have kinds, as in `anonymize`; those of an array are
            numbers.
        y : array-like of shape (n_samples,)
            The confidential attribute.

        Returns
        -------
        self
        """
        check_k(self.k, least=2)
        if y is None:
            raise ValueError(
                "requires y to be passed, but the target y is None: it is what the "
                "model learns."
            )
        plan = self._plan()
        check_keeps_rows(plan)
        X = _in_memory(X)
        if _is_table(X):
            validate_data(self, X, y, skip_check_array=True)
            y = self._checked_target(y, len(X))
            self._fit_table(X, y)
        else:
            X, y = validate_data(
                self, X, y, dtype=np.float64, multi_output=True, y_numeric=False
            )
            y = self._checked_target(y, len(X))
            self._fit_array(X, y, plan)
        return self

    def predict(self, X: Any) -> Any:
        """What the model says of records as they are."""
        X = self._raw(X)  # first of all: it says what is not fitted
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

    def _options(self) -> dict[str, Any]:
        """Options of the release that were given."""
        given = {name: getattr(self, name) for name in RELEASE_OPTIONS}
        return {name: value for name, value in given.items() if value is not None}

    def _plan(self) -> Any:
        method = resolve_method(self.method)
        parameters = dict(self.parameters or {})
        self._check_own(parameters)
        scale = "standard" if self.scale is None else self.scale
        check_choice("scale", scale, tuple(SCALES))
        return build_method(method, self.k, SCALES[scale](), parameters, self.seed)

    def _model(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        return make_pipeline(StandardScaler(), default_estimator(self.task))

    def _raw(self, X: Any) -> Any:
        check_is_fitted(self, "estimator_")
        if not self.of_table_:
            return validate_data(self, X, dtype=np.float64, reset=False)
        X = _in_memory(X)
        if not _is_table(X):
            raise TypeError(
                "The model learnt from a table with named columns. Got "
                f"{type(X).__name__} instead."
            )
        validate_data(self, X, reset=False, skip_check_array=True)
        if self.estimator is None:
            X = numbers_of_records(self.encoders_, X, self.release_.recipe)
            return features(self.encoders_, X)
        frame = nw.from_native(X, eager_only=True)
        same = list(frame.columns) == self.columns_
        return X if same else frame.select(*self.columns_).to_native()

    def _fit_array(self, X: np.ndarray, y: np.ndarray, plan: Any) -> None:
        for name in self._options():
            if name not in OF_ARRAYS:
                raise ParameterError(
                    name,
                    "is of a table with named columns, and X is an array.",
                    hint="Pass a table.",
                )
        if self.seed is not None and not is_random(self.method):
            raise ParameterError(
                "seed",
                f"changes nothing: method {method_name(self.method)!r} does not draw.",
                hint="Leave it out.",
            )
        released = np.asarray(plan.fit_transform(X, self._confidential(y)))
        if released.shape != X.shape:
            raise ParameterError(
                "method",
                f"releases {released.shape[1]} columns for {X.shape[1]}, and a model "
                "needs those that it will predict from.",
            )
        self.of_table_ = False
        self.labels_ = plan.labels_
        self.estimator_ = clone(self._model()).fit(released, y)

    def _fit_table(self, X: Any, y: np.ndarray) -> None:
        frame = nw.from_native(X, eager_only=True)
        if frame.implementation.is_pandas():
            frame = nw.from_native(X.reset_index(drop=True), eager_only=True)
        target = "y"
        while target in frame.columns:
            target += "_"
        options = self._options()
        schema = self._schema(options, frame.columns, target)
        column = nw.new_series(
            target, self._confidential(y), backend=frame.implementation
        )
        self.release_ = anonymize(
            frame.with_columns(column).to_native(),
            schema,
            k=self.k,
            method=self.method,
            parameters=dict(self.parameters or {}),
            random_state=self.seed,
            measures="none",
            **options,
        )
        self.of_table_ = True
        self.labels_ = self.release_.labels
        released = nw.from_native(self.release_.table, eager_only=True)
        # The released target: records that miss a value may have been left out.
        y = self._learnt(released[target].to_numpy())
        self.columns_ = [name for name in released.columns if name != target]
        if self.estimator is None:
            before = self.release_.before
            if before is None:
                raise RuntimeError("A release that was just made knows its original.")
            self.encoders_ = before.encoders  # a pickled release has no original
            model = table_model(self.encoders_, self.task)
            X_released = features(self.encoders_, before.X_released)
            self.estimator_ = model.fit(X_released, y)
        else:
            table = released.select(*self.columns_).to_native()
            self.estimator_ = clone(self.estimator).fit(table, y)

    def _schema(self, options: dict[str, Any], names: list[str], target: str) -> Schema:
        """Take the roles out of the options; columns without one are masked."""
        roles = {n: options.pop(n) for n in SCHEMA_OPTIONS if n in options}
        others = roles.get("others", ())
        kept = () if isinstance(others, str) else column_names(others, "others")
        aside = [options.get("unit"), options.get("weights")]
        named = column_names(roles.pop("identifiers", ()), "identifiers")
        beside = [n for n in aside if n in names and n not in kept]
        identifiers = [*dict.fromkeys((*named, *beside))]
        masked = [n for n in names if n not in (*identifiers, *kept)]
        roles.setdefault("quasi_identifiers", masked)
        return Schema(identifiers=identifiers, confidential=target, **roles)


def _documented() -> inspect.Signature:
    """The signature of the models with the options of a release, None by default."""
    own = inspect.signature(TrainedOnRelease.__init__).parameters
    named = [p for p in own.values() if p.kind is not p.VAR_KEYWORD]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
        for name in RELEASE_OPTIONS
    ]
    return inspect.Signature([*named, *options])


# scikit-learn reads the names of parameters from it.
TrainedOnRelease.__init__.__signature__ = _documented()  # type: ignore[attr-defined]


class ReleaseClassifier(ClassifierMixin, TrainedOnRelease):
    """A classifier that learns from a release and predicts records as they are.

    `fit` masks the records by a method of the library, with y as the confidential
    attribute, and trains the estimator on what is released; `predict` takes records
    that were never masked. So cross-validation measures what somebody who gets the
    release can learn, and k, the method and its parameters can be searched for.

    A table with named columns is released by `anonymize`, mixed kinds of columns and
    missing values included. The default model takes it as it is; another estimator
    gets the released table: let it begin with a `ColumnTransformer`. Columns of an
    array are numbers. A differentially private method is refused, since its rows are
    in another order than y.

    Parameters
    ----------
    estimator : classifier, optional
        By default logistic regression on standardised numbers and, of a table, a
        column of 0 and 1 for each category; of what it has never met it knows nothing.
    method : str, callable or estimator, default="mdav-refined"
        What masks, as in `anonymize`.
    k : int, default=5
        Least number of records in a cell.
    parameters : dict, optional
        Parameters of the method. `set_params` takes them by name, so that a search can:
        ``GridSearchCV(model, {"k": [5, 50], "alpha": [1, 4]})``.
    seed : int, optional
        Of a method that draws; others refuse it.
    **options
        Options of the release of a table, as `anonymize` and `Schema` have them:
        `missing`, `kinds`, `promises`, `unit`, `weights`, `clip` and all others that
        are not about files; None is the default there. Columns of X are
        quasi-identifiers but for `identifiers`, `unit`, `weights` and names in
        `others`. An array takes `scale` alone.

    Attributes
    ----------
    estimator_ : classifier
        The trained one.
    classes_ : ndarray of shape (n_classes,)
    labels_ : ndarray of shape (n_released,)
        Cell of each released training record.
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

    A table with text and gaps:

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [31, 62, None, 58], "job": ["a", "b", "a", "b"]})
    >>> model = ReleaseClassifier(k=2, missing="category")
    >>> model.fit(people, ["no", "yes", "no", "yes"]).predict(people).tolist()
    ['no', 'yes', 'no', 'yes']
    """

    task = "classification"

    def _checked_target(self, y: Any, n_samples: int) -> np.ndarray:
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        return y

    def _confidential(self, y: np.ndarray) -> np.ndarray:
        """Classes as text, so that no number of them is taken for a measurement."""
        codes = np.searchsorted(self.classes_, y)
        return np.array([f"class {code}" for code in range(self.classes_.size)])[codes]

    def _learnt(self, released: np.ndarray) -> np.ndarray:
        codes = [int(text.removeprefix("class ")) for text in released]
        return self.classes_[codes]

    @available_if(_model_has("predict_proba"))
    def predict_proba(self, X: Any) -> Any:
        """Class probabilities of records as they are."""
        X = self._raw(X)  # first of all: it says what is not fitted
        return self.estimator_.predict_proba(X)

    @available_if(_model_has("decision_function"))
    def decision_function(self, X: Any) -> Any:
        """Decisions about records as they are."""
        X = self._raw(X)  # first of all: it says what is not fitted
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

    task = "regression"

    def _checked_target(self, y: Any, n_samples: int) -> np.ndarray:
        y = column_or_1d(y, warn=True).astype(np.float64)
        if not np.isfinite(y).all():
            raise ValueError("y contains NaN or infinity.")
        return y

    def _confidential(self, y: np.ndarray) -> np.ndarray:
        return y

    def _learnt(self, released: np.ndarray) -> np.ndarray:
        return released


def _in_memory(X: Any) -> Any:
    """A table, also of a stream of Arrow; what has no columns stays as it is."""
    tabular = any(hasattr(type(X), n) for n in ("columns", "__arrow_c_stream__"))
    return as_table(X) if tabular else X


def _is_table(X: Any) -> bool:
    """Whether columns have names, so that they can have kinds."""
    names = getattr(X, "column_names", getattr(X, "columns", ()))
    return len(names) > 0 and all(isinstance(name, str) for name in names)
