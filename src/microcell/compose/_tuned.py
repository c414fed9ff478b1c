"""TunedMicroaggregator: a parameter chosen by what models learn, honestly."""

import narwhals as nw
import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from microcell.compose._microaggregator import Microaggregator


class TunedMicroaggregator(Microaggregator):
    """Choose a parameter by cross-validation inside the table that is released.

    For each value and each fold, the other folds are masked, a model learns from
    them, and it is tested on the untouched records of the fold. The value with the
    highest mean accuracy is taken, the first on ties; nothing outside the table is
    seen, unlike a choice on test records, which flatters the method. A model learns
    from the middles of intervals.

    Parameters
    ----------
    partition, embed, aggregate
        As in `Microaggregator`.
    parameter : str
        Which parameter, for example ``"embed__alpha"``.
    values : sequence
        Values to try.
    estimator : classifier, optional
        The model that learns; by default logistic regression.
    n_folds : int, default=5
        Number of stratified folds; fewer if a class or the table is too small.

    Attributes
    ----------
    value_ : the value that was taken
    accuracies_ : ndarray of shape (n_values,)
        Mean accuracy of each value.
    labels_, n_cells_
        As in `Microaggregator`.
    """

    def __init__(
        self,
        partition,
        *,
        embed=None,
        aggregate=None,
        parameter=None,
        values=(),
        estimator=None,
        n_folds=5,
    ):
        super().__init__(partition, embed=embed, aggregate=aggregate)
        self.parameter = parameter
        self.values = values
        self.estimator = estimator
        self.n_folds = n_folds

    def _fit(self, X, y):
        if y is None:
            raise ValueError(
                "requires y to be passed, but the target y is None: a parameter is "
                "chosen by what a model learns about the confidential attribute."
            )
        validate_data(self, X, dtype=np.float64)
        check_classification_targets(y)
        self.accuracies_ = self._accuracies(X, np.asarray(y))
        self.value_ = self.values[int(np.argmax(self.accuracies_))]
        chosen = self._with(self.value_)
        X = chosen._fit(X, y)
        learnt = set(vars(chosen)) - set(chosen.get_params(deep=False))
        for name in learnt:
            setattr(self, name, getattr(chosen, name))
        return X

    def _with(self, value):
        plain = Microaggregator(
            self.partition, embed=self.embed, aggregate=self.aggregate
        )
        return clone(plain).set_params(**{self.parameter: value})

    def _accuracies(self, X, y):
        named = None  # an embedding may go by names
        if hasattr(X, "columns"):
            named = nw.from_native(X, eager_only=True)
        X = np.asarray(X, dtype=np.float64)
        rarest = np.unique(y, return_counts=True)[1].min()
        n_folds = min(self.n_folds, rarest)
        k = self.partition.k
        if n_folds < 2 or X.shape[0] - X.shape[0] // n_folds < k:
            return np.zeros(len(self.values))  # too small to choose: the first value
        estimator = self.estimator
        if estimator is None:
            estimator = LogisticRegression(max_iter=1000)
        scores = np.zeros((len(self.values), n_folds))
        for fold, (learn, test) in enumerate(StratifiedKFold(n_folds).split(X, y)):
            for i, value in enumerate(self.values):
                others = X[learn] if named is None else named[learn].to_native()
                released = np.asarray(self._with(value).fit_transform(others, y[learn]))
                middles = released.reshape(len(learn), X.shape[1], -1).mean(axis=2)
                model = clone(estimator).fit(middles, y[learn])
                scores[i, fold] = model.score(X[test], y[test])
        return scores.mean(axis=1)
