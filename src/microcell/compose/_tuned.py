"""TunedMicroaggregator: a parameter chosen by what models learn, honestly."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from sklearn.base import clone
from sklearn.utils.multiclass import check_classification_targets

from microcell._validation import check_choice, check_count, check_records
from microcell.base import BaseAggregator, BasePartitioner
from microcell.compose._microaggregator import Microaggregator
from microcell.embed import NoScale
from microcell.exceptions import InputError, ParameterError
from microcell.metrics import default_estimator, homogeneity

CRITERIA = ("accuracy", "brier")
RULES = ("best", "one-standard-error")


class TunedMicroaggregator(Microaggregator):
    """Choose a parameter by cross-validation inside the table that is released.

    For each value and each fold, the other folds are masked, a model learns from
    them, and it is tested on the untouched records of the fold; nothing outside the
    table is seen, unlike a choice on test records, which flatters the method. A model
    learns from the middles of intervals.

    The other folds hold fewer records than the table, so cells of k would be coarser in
    them than in the release, up to a single one that teaches nothing. They are masked
    with k (1 - 1 / n_folds) instead, rounded and at least 2.

    Parameters
    ----------
    partition, embed, aggregate
        As in `Microaggregator`.
    parameter : str
        Which parameter, for example ``"embed__alpha"``.
    values : sequence
        Values to try, the plain one (alpha = 1, lambda = 0) first.
    estimator : classifier, optional
        The model that learns; by default logistic regression.
    scale : transformer, optional
        What the model's columns are scaled by, learnt from the records that are masked,
        before they are. Learnt from few cells, it would blow up the columns in which
        cells hardly differ.
    n_folds : int, default=5
        Number of stratified folds; fewer if a class is too small.
    criterion : {"accuracy", "brier"}, default="accuracy"
        What is best: the accuracy, or the Brier score of the class probabilities.
    rule : {"one-standard-error", "best"}, default="one-standard-error"
        "best" takes the value of the best mean over folds; "one-standard-error" leaves
        the first value for it only if the gain, paired over folds, exceeds its standard
        error, which learns as much on our data and discloses less. Ties go to the value
        that discloses least, with the smallest share of records in cells of a single
        class, then to the earlier one.

    Attributes
    ----------
    value_ : the value that was taken
    scores_ : dict of ndarray of shape (n_values, n_folds)
        "accuracy" and, if the model gives probabilities, "brier", for which less is
        better.
    disclosures_ : ndarray of shape (n_values,)
        Share of records in cells of a single class, mean over folds.
    labels_, n_cells_
        As in `Microaggregator`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from microcell.embed import LinearDiscriminantRotation
    >>> from microcell.partition import MDAV
    >>> X, y = load_iris(return_X_y=True)
    >>> tuned = TunedMicroaggregator(MDAV(50), embed=LinearDiscriminantRotation(),
    ...                              parameter="embed__alpha", values=(1.0, 4.0))
    >>> tuned.fit(X, y).value_
    4.0
    >>> tuned.scores_["accuracy"].mean(axis=1).round(2)
    array([0.87, 0.9 ])
    """

    def __init__(
        self,
        partition: BasePartitioner,
        *,
        embed: Any = None,
        aggregate: BaseAggregator | None = None,
        parameter: str | None = None,
        values: Sequence[Any] = (),
        estimator: Any = None,
        scale: Any = None,
        n_folds: int = 5,
        criterion: str = "accuracy",
        rule: str = "one-standard-error",
    ) -> None:
        super().__init__(partition, embed=embed, aggregate=aggregate)
        self.parameter = parameter
        self.values = values
        self.estimator = estimator
        self.scale = scale
        self.n_folds = n_folds
        self.criterion = criterion
        self.rule = rule

    def _fit(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        if y is None:
            raise ValueError(
                "requires y to be passed, but the target y is None: a parameter is "
                "chosen by what a model learns about the confidential attribute."
            )
        check_choice("criterion", self.criterion, CRITERIA)
        check_choice("rule", self.rule, RULES)
        check_records(self, X)
        check_classification_targets(y)
        self._measure(X, np.asarray(y))
        chosen = choose(self.scores_, self.disclosures_, self.criterion, self.rule)
        self.value_ = self.values[chosen]
        masked = self._with(self.value_, self.partition)
        X = masked._fit(X, y)
        learnt = set(vars(masked)) - set(masked.get_params(deep=False))
        for name in learnt:
            setattr(self, name, getattr(masked, name))
        return X

    def _with(self, value: Any, partition: BasePartitioner) -> Microaggregator:
        plain = Microaggregator(partition, embed=self.embed, aggregate=self.aggregate)
        return clone(plain).set_params(**{str(self.parameter): value})

    def _measure(self, X: Any, y: np.ndarray) -> None:
        """Scores of each value in each fold, and what its cells disclose."""
        from sklearn.model_selection import StratifiedKFold

        named = None  # an embedding may go by names
        if hasattr(X, "columns"):
            named = nw.from_native(X, eager_only=True)
        X = np.asarray(X, dtype=np.float64)
        n_folds = self._possible_folds(y)
        part = with_k(self.partition, fold_k(self.k, n_folds))
        estimator = self.estimator
        if estimator is None:
            estimator = default_estimator("classification")
        shape = (len(self.values), n_folds)
        scores = {criterion: np.zeros(shape) for criterion in CRITERIA}
        disclosures, most_cells = np.zeros(shape), 0
        for fold, (learn, test) in enumerate(StratifiedKFold(n_folds).split(X, y)):
            if len(learn) < part.k:
                raise one_cell(self.k, len(y))
            scale = clone(NoScale() if self.scale is None else self.scale)
            X_test = scale.fit(X[learn]).transform(X[test])
            for i, value in enumerate(self.values):
                others = X[learn] if named is None else named[learn].to_native()
                masked = self._with(value, part)
                released = np.asarray(masked.fit_transform(others, y[learn]))
                middles = released.reshape(len(learn), X.shape[1], -1).mean(axis=2)
                model = clone(estimator).fit(scale.transform(middles), y[learn])
                scores["accuracy"][i, fold] = model.score(X_test, y[test])
                scores["brier"][i, fold] = brier_score(model, X_test, y[test])
                uniform = homogeneity(masked.labels_, y[learn]).homogeneous_records
                disclosures[i, fold] = uniform
                most_cells = max(most_cells, masked.n_cells_)
        if most_cells == 1:
            raise one_cell(self.k, len(y))
        if np.isnan(scores["brier"]).any():
            del scores["brier"]
        self.scores_ = scores
        self.disclosures_ = disclosures.mean(axis=1)

    def _possible_folds(self, y: np.ndarray) -> int:
        classes, sizes = np.unique(y, return_counts=True)
        n_folds = min(check_count(self.n_folds, 2, "n_folds"), sizes.min())
        if classes.size < 2 or n_folds < 2:
            raise InputError(
                f"{self.parameter!r} cannot be chosen by what a model learns: y has "
                f"n_samples={sizes.min()} of class {classes[sizes.argmin()]!r} and "
                f"{classes.size} class(es), and each of two or more is needed twice.",
                hint="Give the parameter a value, or join classes.",
            )
        return n_folds


def choose(
    scores: Mapping[str, np.ndarray], disclosures: np.ndarray, criterion: str, rule: str
) -> int:
    """Position of the value to take.

    Parameters
    ----------
    scores : dict of ndarray of shape (n_values, n_folds)
        As `TunedMicroaggregator.scores_`.
    disclosures : ndarray of shape (n_values,)
        What decides between values that are equally good.
    criterion, rule : str
        As in `TunedMicroaggregator`.

    Examples
    --------
    >>> scores = {"accuracy": np.array([[0.7, 0.8], [0.9, 0.7], [0.8, 0.8]])}
    >>> choose(scores, np.array([0.0, 0.3, 0.2]), "accuracy", "best")
    2
    >>> choose(scores, np.array([0.0, 0.3, 0.2]), "accuracy", "one-standard-error")
    0
    """
    if criterion not in scores:
        raise ParameterError(
            "criterion",
            f"is {criterion!r}, which needs class probabilities, and the estimator has "
            "no predict_proba.",
            hint="Choose 'accuracy', or another estimator.",
        )
    good = scores[criterion] if criterion == "accuracy" else -scores[criterion]
    means = good.mean(axis=1)
    tied = np.flatnonzero(means >= means.max() - 1e-12)  # rounding is no difference
    best = int(tied[np.argmin(disclosures[tied])])
    if rule == "one-standard-error":
        gain = good[best] - good[0]
        error = gain.std(ddof=1) / np.sqrt(gain.size)
        if gain.mean() <= error:
            return 0
    return best


def fold_k(k: int, n_folds: int) -> int:
    """The k of a fold's other records, so that cells are as coarse as in the release.

    Examples
    --------
    >>> fold_k(100, 5), fold_k(2, 5), fold_k(1, 5)
    (80, 2, 1)
    """
    return min(k, max(2, round(k * (1 - 1 / n_folds))))


def with_k(partition: BasePartitioner, k: int) -> BasePartitioner:
    """The partitioner, or the one inside of its wrappers, with another k."""
    path = "k"
    part: Any = partition
    while "k" not in part.get_params(deep=False):
        path, part = f"partition__{path}", part.partition
    return clone(partition).set_params(**{path: k})


def brier_score(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Mean squared error of the class probabilities, or NaN if there are none.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> coin = DummyClassifier().fit([[0], [0]], [0, 1])
    >>> brier_score(coin, np.zeros((3, 1)), np.array([0, 1, 1]))
    0.5
    """
    if not hasattr(model, "predict_proba"):
        return np.nan
    errors = model.predict_proba(X) - (y[:, None] == model.classes_)
    return float(np.mean(np.sum(errors**2, axis=1)))


def one_cell(k: int, n_samples: int) -> InputError:
    """The error for a k that leaves nothing to choose by."""
    return InputError(
        f"With k={k} the folds of n_samples={n_samples} records are one cell each, so "
        "every value gives the same release and none can be chosen.",
        option="k",
        hint="Lower k, add records, or give the parameter a value instead of 'auto'.",
    )
