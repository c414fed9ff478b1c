"""Learning utility: how well a model trained on the release does on real records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtrit
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import check_array, check_random_state

from microcell._capabilities import check_keeps_rows
from microcell._validation import check_choice, check_count
from microcell.columns import fit_encoder, is_missing, open_frame
from microcell.embed import Mismatch, is_measured
from microcell.exceptions import absent_column
from microcell.metrics._homogeneity import values_and_codes

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import ArrayLike, NDArray


LEARNING_TASKS = ("classification", "regression")
LEARNT_FROM = ("released", "original", "constant")


@dataclass(frozen=True, eq=False)
class LearningUtility:
    """Metrics of three models in each repetition, all on the same test records.

    Each of `released`, `original` and `constant` is a dict from the name of a metric
    to an array of shape (n_repetitions,). The metrics are those of `train_and_test`.

    Attributes
    ----------
    task : str
        "classification" or "regression".
    released : dict
        Trained on the released training records.
    original : dict
        Trained on the training records as they were.
    constant : dict
        The majority class, or the mean, of the training records.
    """

    task: str
    released: dict
    original: dict
    constant: dict

    def __str__(self) -> str:
        """A small table: models as rows, metrics with 95 % intervals as columns.

        Examples
        --------
        >>> same = {"r2": np.array([0.5, 0.6])}
        >>> print(LearningUtility("regression", same, same, {"r2": np.zeros(2)}))
        learnt from        r2
        the release        0.550 +- 0.635
        the original       0.550 +- 0.635
        nothing, constant  0.000 +- 0.000
        """
        titles = ("the release", "the original", "nothing, constant")
        rows = [["learnt from", *self.released]]
        for title, figures in zip(titles, self.summary().values(), strict=True):
            row = [title]
            for mean, low, high in figures.values():
                half = "" if np.isnan(low) else f" +- {(high - low) / 2:.3f}"
                row.append(f"{mean:.3f}{half}")
            rows.append(row)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True))
            for row in rows
        ]
        return "\n".join(line.rstrip() for line in lines)

    __repr__ = __str__

    def mean(self, metric: str, model: str = "released") -> float:
        """Mean of a metric over the repetitions."""
        return float(np.mean(self._values(metric, model)))

    def interval(
        self, metric: str, model: str = "released", level: float = 0.95
    ) -> tuple[float, float]:
        """Confidence interval of the mean, as `mean_interval` gives it."""
        return mean_interval(self._values(metric, model), level=level)

    def summary(self) -> Any:
        """Mean and 95 % interval, `summary()[model][metric] = (mean, low, high)`."""
        return {
            model: {m: (self.mean(m, model), *self.interval(m, model)) for m in values}
            for model, values in self._models().items()
        }

    def _models(self) -> dict[str, dict[str, np.ndarray]]:
        return {name: getattr(self, name) for name in LEARNT_FROM}

    def _values(self, metric: str, model: str) -> np.ndarray:
        models = self._models()
        check_choice("model", model, tuple(models))
        check_choice("metric", metric, tuple(models[model]))
        return models[model][metric]


def learning_utility(
    microaggregator: Any,
    X: np.ndarray | pl.DataFrame,
    y: ArrayLike | str,
    *,
    estimator: Any = None,
    task: str = "auto",
    test_size: float | int = 0.25,
    n_repetitions: int = 10,
    random_state: Any = None,
) -> LearningUtility:
    """Train on the release, test on original records that were held out [1]_.

    In each repetition the table is split, stratified by class. Both parts are
    standardised with the means and deviations of the training part. The training
    quasi-identifiers are microaggregated with `y` at hand, a clone of the estimator
    learns from them and predicts the untouched test records. Scaling, embedding and
    whatever the parts tune see training records only.

    Parameters
    ----------
    microaggregator : Microaggregator or None
        What makes the release; None masks nothing. A differentially private one is
        refused: its rows are in another order than `y`.
    X : dataframe or array-like of shape (n_samples, n_features)
        Quasi-identifiers: a pandas, polars or pyarrow table, whose categories become a
        column of 0 and 1 each, or an array of numbers.
    y : array-like of shape (n_samples,), or str
        Confidential attribute to predict: classes as text or numbers, or numbers. The
        name of a column of the table is that column, and not a quasi-identifier.
    estimator : classifier or regressor, optional
        By default ``LogisticRegression(max_iter=1000)`` or ``Ridge()``.
    task : {"auto", "classification", "regression"}, default="auto"
        By default regression if `y` holds numbers with fractions, or more than 20
        different ones, else classification, as `compare` has it.
    test_size : float or int, default=0.25
        Share or number of records held out.
    n_repetitions : int, default=10
        Number of splits.
    random_state : int, RandomState instance or None, default=None
        Decides on the splits: methods compared with the same integer see the same
        records. Randomness of the parts and of the estimator is their own.

    Returns
    -------
    utility : LearningUtility

    References
    ----------
    .. [1] Rodríguez-Hoyos et al. (2018). Does k-anonymous microaggregation affect
       machine-learned macrotrends? IEEE Access 6, 28258-28277.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from microcell import METHODS
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> utility = learning_utility(
    ...     METHODS["mdav"](20), X, y, n_repetitions=5, random_state=0)
    >>> [round(utility.mean("accuracy", model), 2)
    ...  for model in ("released", "original", "constant")]
    [0.9..., 0.9..., 0.63]
    >>> low, high = utility.interval("accuracy")
    >>> low < utility.mean("accuracy") < high
    True

    A table, with a column of it to predict:

    >>> from microcell.datasets import load_diabetes_patients
    >>> patients = load_diabetes_patients().frame.select("age", "sex", "bmi", "bp",
    ...                                                  "progression")
    >>> print(learning_utility(METHODS["mdav"](5), patients, "progression",
    ...                        task="regression", random_state=0))
    learnt from        r2               rmse
    the release        0.3... +- 0...   6... +- ...
    the original       0.3... +- 0...   6... +- ...
    nothing, constant  -0.0... +- 0...  7... +- ...
    """
    from sklearn.dummy import DummyClassifier, DummyRegressor

    check_keeps_rows(microaggregator)
    if is_table(X):
        X, y = table_arrays(X, y)
    X, y, task = check_learning(X, y, task)
    n_repetitions = check_count(n_repetitions, 1, "n_repetitions")
    estimator = default_estimator(task) if estimator is None else estimator
    constant = DummyClassifier() if task == "classification" else DummyRegressor()
    rng = check_random_state(random_state)
    rows: dict[str, list[Any]] = {name: [] for name in LEARNT_FROM}
    for seed in rng.randint(2**31 - 1, size=n_repetitions):
        Z, Z_test, y_train, y_test = split_and_scale(X, y, test_size, int(seed), task)
        untouched = (y_train, Z_test, y_test)
        original = train_and_test(Z, *untouched, estimator, task)
        released = original
        if microaggregator is not None:
            Z_released = clone(microaggregator).fit_transform(Z, y_train)
            released = train_and_test(Z_released, *untouched, estimator, task)
        rows["released"].append(released)
        rows["original"].append(original)
        rows["constant"].append(train_and_test(Z, *untouched, constant, task))
    return LearningUtility(task, **{model: columns(r) for model, r in rows.items()})


def is_table(X: np.ndarray | pl.DataFrame) -> bool:
    """Whether X is a dataframe: its columns have names and kinds."""
    return hasattr(X, "columns") or hasattr(X, "column_names")


def table_arrays(table: Any, y: str | ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Columns of a table as numbers, and y as an array.

    Numbers and dates are one column, ordered categories their ranks, other categories a
    column of 0 and 1 each (two of them share one).

    Parameters
    ----------
    table : dataframe
    y : str or array-like of shape (n_samples,)
        The name of a column, which is not among those of X then, or values.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [31, 62, 35], "job": ["cook", "smith", "nurse"],
    ...                        "ill": ["no", "no", "yes"]})
    >>> X, y = table_arrays(people, "ill")
    >>> X
    array([[31.,  1.,  0.,  0.],
           [62.,  0.,  0.,  1.],
           [35.,  0.,  1.,  0.]])
    >>> y.tolist()
    ['no', 'no', 'yes']
    """
    frame = open_frame(table)
    names = list(frame.columns)
    if isinstance(y, str):
        if y not in names:
            raise absent_column(y, "y", names)
        names.remove(y)
        y = frame[y].to_numpy()
    columns = []
    for name in names:
        if is_missing(frame[name]).any():
            raise ValueError(f"Column {name!r} has missing values, NaN or empty.")
        encoder = fit_encoder(frame[name])
        codes = encoder.encode(frame[name])[:, None]
        if not encoder.ordered:
            codes = (Mismatch().fit_transform(codes) > 0) * 1.0
        columns.append(codes)
    return np.hstack(columns), np.asarray(y)


def split_and_scale(
    X: Any,
    y: Any,
    test_size: float = 0.25,
    random_state: Any = None,
    task: str = "auto",
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Split a table, stratified by class, and standardise it as the training part is.

    Each column is centred on the mean of the training part and divided by its standard
    deviation (n - 1). A column that is constant there is 0 in both parts.

    Returns
    -------
    Z_train, Z_test : ndarray of shape (n_train, n_features), (n_test, n_features)
        Standardised records.
    y_train, y_test : ndarray of shape (n_train,), (n_test,)
        Their confidential values.

    Examples
    --------
    >>> Z_train, Z_test, y_train, y_test = split_and_scale(
    ...     [[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "b"], 0.5, random_state=0)
    >>> y_train.tolist(), np.round(Z_train.ravel(), 3), np.round(Z_test.ravel(), 3)
    (['a', 'b'], array([ 0.707, -0.707]), array([ 2.121, -2.121]))
    """
    X, y, task = check_learning(X, y, task)
    strata = y if task == "classification" else None
    train, test = hold_out(len(y), test_size, random_state, strata=strata)
    X_train, X_test = X[train], X[test]
    mean = X_train.mean(axis=0)
    varies = X_train.min(axis=0) < X_train.max(axis=0)
    deviation = X_train.std(axis=0, ddof=min(1, len(X_train) - 1))
    Z_train, Z_test = (
        np.divide(part - mean, deviation, out=np.zeros(part.shape), where=varies)
        for part in (X_train, X_test)
    )
    return Z_train, Z_test, y[train], y[test]


def hold_out(
    n_samples: int,
    test_size: float,
    random_state: Any,
    *,
    strata: np.ndarray | None = None,
    units: np.ndarray | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Records to learn from and records to test on.

    Parameters
    ----------
    n_samples : int
    test_size : float or int
        Share or number of records held out; of units if there are some.
    random_state : int, RandomState instance or None
    strata : ndarray of shape (n_samples,), optional
        Classes, of which both parts have their share.
    units : ndarray of shape (n_samples,), optional
        Whose each record is: all records of a person are on one side.

    Examples
    --------
    >>> train, test = hold_out(8, 0.25, 0, units=np.arange(8) // 2)
    >>> train.size, np.unique(test // 2).size
    (6, 1)
    """
    from sklearn.model_selection import GroupShuffleSplit, train_test_split

    rows = np.arange(n_samples)
    if units is not None:
        drawn = GroupShuffleSplit(1, test_size=test_size, random_state=random_state)
        train, test = next(drawn.split(rows, groups=units))
    else:
        train, test = train_test_split(
            rows, test_size=test_size, random_state=random_state, stratify=strata
        )
    return train, test


def train_and_test(
    Z_released: ArrayLike,
    y_train: ArrayLike,
    Z_test: ArrayLike,
    y_test: ArrayLike,
    estimator: Any,
    task: str,
) -> dict[str, float]:
    """Metrics on the test records of a clone of `estimator` trained on the release.

    Parameters
    ----------
    Z_released, Z_test : array-like of shape (n_train, n_features), (n_test, n_features)
        Released training records, and test records in the same units.
    y_train, y_test : array-like of shape (n_train,), (n_test,)
        Their confidential values.
    estimator : classifier or regressor
        It is cloned, so the one given stays as it is.
    task : {"classification", "regression"}
        Which metrics are computed.

    Returns
    -------
    metrics : dict of str to float
        Classification: "accuracy"; "f1", of the larger label if there are two and the
        mean over classes if more; "auc", of the larger label or the mean of each class
        against the rest; "balanced_accuracy", the mean recall of the classes tested.
        Regression: "r2" and "rmse". What is undefined is NaN: "auc" if the estimator
        has neither `predict_proba` nor `decision_function` or one class is tested,
        "r2" if all tested values are equal.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> train_and_test([[0.0], [0.0], [2.0], [2.0]], ["no", "no", "yes", "yes"],
    ...                [[-1.0], [0.5], [3.0]], ["no", "yes", "yes"],
    ...                LogisticRegression(), "classification")
    {'accuracy': 0.666..., 'f1': 0.666..., 'auc': 1.0, 'balanced_accuracy': 0.75}
    """
    check_choice("task", task, LEARNING_TASKS)
    wrong_kind = is_regressor if task == "classification" else is_classifier
    if wrong_kind(estimator):
        raise ValueError(
            f"The task is {task} and {estimator!r} is made for another. "
            "Pass another estimator or task."
        )
    y_train, y_test, Z_test = map(np.asarray, (y_train, y_test, Z_test))
    model = clone(estimator).fit(np.asarray(Z_released), y_train)
    predicted = np.asarray(model.predict(Z_test))
    if task == "regression":
        return regression_metrics(y_test, predicted)
    every = np.concatenate([y_train, y_test, predicted])
    classes, codes = np.unique(every, return_inverse=True)
    tested, guessed = np.split(codes[y_train.size :], 2)
    return classification_metrics(
        tested, guessed, class_scores(model, Z_test, classes), classes.size
    )


def classification_metrics(
    tested: np.ndarray, guessed: np.ndarray, scores: np.ndarray | None, n_classes: int
) -> dict[str, float]:
    """Metrics of codes from 0 to n_classes - 1; `scores` is None or has a column each.

    Examples
    --------
    >>> classification_metrics(np.array([0, 0, 1]), np.array([0, 1, 1]), None, 2)
    {'accuracy': 0.666..., 'f1': 0.666..., 'auc': nan, 'balanced_accuracy': 0.75}
    """
    from sklearn.metrics import accuracy_score, f1_score, recall_score, roc_auc_score

    two, occur = n_classes == 2, np.unique(tested)
    auc = np.nan
    if scores is not None and occur.size > 1:
        asked = [1] if two else occur
        auc = np.mean([roc_auc_score(tested == c, scores[:, c]) for c in asked])
    of_classes = {"average": "macro", "zero_division": 0}
    f1_of = {"average": "binary", "zero_division": 0} if two else of_classes
    # The mean recall, rather than the balanced accuracy: that of scikit-learn warns of
    # a class that was guessed and not tested.
    recall = recall_score(tested, guessed, labels=occur, **of_classes)
    return {
        "accuracy": float(accuracy_score(tested, guessed)),
        "f1": float(f1_score(tested, guessed, **f1_of)),
        "auc": float(auc),
        "balanced_accuracy": float(recall),
    }


def regression_metrics(y: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    """R2 and root mean squared error.

    Examples
    --------
    >>> regression_metrics(np.array([1.0, 3.0]), np.array([1.0, 2.0]))
    {'r2': 0.5, 'rmse': 0.707...}
    """
    from sklearn.metrics import r2_score, root_mean_squared_error

    varies = np.min(y) < np.max(y)
    r2 = r2_score(y, predicted) if varies else np.nan
    return {"r2": float(r2), "rmse": float(root_mean_squared_error(y, predicted))}


def class_scores(model: Any, Z: np.ndarray, classes: np.ndarray) -> Any:
    """How much the model believes in each of `classes`, or None if it does not say.

    A class that the model has not met has the score 0 for all records.
    """
    if hasattr(model, "predict_proba"):
        found = np.asarray(model.predict_proba(Z))
    elif hasattr(model, "decision_function"):
        found = np.asarray(model.decision_function(Z))
    else:
        return None
    if found.ndim == 1:
        found = np.column_stack([-found, found])
    scores = np.zeros((found.shape[0], classes.size))
    scores[:, np.searchsorted(classes, model.classes_)] = found
    return scores


def mean_interval(
    values: Sequence[float] | np.ndarray, level: float = 0.95
) -> tuple[float, float]:
    """Confidence interval of the mean by Student's t; NaN for a single value.

    Repeated splits share records, so the interval tells how well the mean over splits
    of this table is known, and is too narrow for what another table would give.

    Examples
    --------
    >>> mean_interval([0.8, 0.82, 0.84])
    (0.770..., 0.869...)
    >>> mean_interval([0.8])
    (nan, nan)
    """
    if not 0 < level < 1:
        raise ValueError(
            f"The 'level' parameter must be between 0 and 1. Got {level!r} instead."
        )
    values = np.asarray(values, dtype=np.float64)
    if values.size < 2:
        return float("nan"), float("nan")
    error = values.std(ddof=1) / np.sqrt(values.size)
    reach = stdtrit(values.size - 1, (1 + level) / 2) * error
    return float(values.mean() - reach), float(values.mean() + reach)


def check_learning(X: Any, y: Any, task: str) -> Any:
    """Return X, y as arrays and the task, if there is something to learn."""
    check_choice("task", task, ("auto", *LEARNING_TASKS))
    X = check_array(X, dtype=np.float64, input_name="X")
    y = np.asarray(y)
    values, codes = values_and_codes(y, X.shape[0])
    is_number = values.dtype.kind in "biuf"
    if task == "auto":
        task = task_of(values)
    if task == "regression" and not (is_number and np.isfinite(values).all()):
        raise ValueError(
            f"For regression 'y' must hold finite numbers. Got dtype {y.dtype}."
        )
    if values.size == 1:
        raise ValueError(f"'y' is {values[0]} in all records: nothing can be learnt.")
    if task == "regression":
        return X, y.astype(np.float64), task
    rarest = np.argmin(np.bincount(codes))
    if np.count_nonzero(codes == rarest) < 2:
        raise ValueError(
            f"Class {values[rarest]} has 1 record, fewer than the 2 that a stratified "
            "split needs. Drop or merge it, or pass task='regression' for numbers."
        )
    return X, y, task


def task_of(values: np.ndarray) -> str:
    """What distinct values are learnt as: numbers with fractions, or many, as numbers.

    Examples
    --------
    >>> task_of(np.arange(40)), task_of(np.arange(15)), task_of(np.array(["a", "b"]))
    ('regression', 'classification', 'classification')
    """
    return "regression" if is_measured(values) else "classification"


def default_estimator(task: str) -> Any:
    """The plainest model for a task."""
    from sklearn.linear_model import LogisticRegression, Ridge

    return LogisticRegression(max_iter=1000) if task == "classification" else Ridge()


def columns(rows: Sequence[dict[str, float]]) -> dict[str, np.ndarray]:
    """A dict of arrays from a list of dicts."""
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}
