"""Cross-fitted predictions: what a model expects of each record without seeing it."""

import warnings
from typing import Any

import joblib
import numpy as np
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from microcell.embed._scales import StandardScale

N_FOLDS = 5
MIN_RECORDS_FOR_TREES = 50  # records; with fewer a tree of 20 to a leaf hardly splits
SMALL_TREES = {"max_iter": 50, "max_leaf_nodes": 15, "random_state": 0}

# The last table's predictions: an embedding that is tried with many weights, as a tuner
# does, asks for the same ones each time.
_last: dict[Any, Any] = {}


def cross_fitted(X: Any, y: Any, measured: bool) -> np.ndarray:
    """Predictions for each record by a model that learnt from the other folds.

    Records are dealt to five folds, stratified by class, always in the same way. A
    linear model and boosted trees predict each fold from the others; those with the
    better log-loss (of numbers, the better squared error) are taken.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Classes, or numbers.
    measured : bool
        Whether y is a measurement rather than classes.

    Returns
    -------
    predictions : ndarray of shape (n_samples, n_classes) or (n_samples, 1)
        Class probabilities in the order of the sorted classes, or expected numbers.
        Where there are too few records to learn from, those of the whole table.

    Examples
    --------
    >>> X = np.arange(40.0)[:, None]
    >>> sure = cross_fitted(X, X[:, 0] >= 20, measured=False)
    >>> sure[[0, -1]].round(1)
    array([[1., 0.],
           [0., 1.]])
    """
    key = joblib.hash((X, y, measured))
    found = _last.get(key)
    if found is None:
        # On a busy machine threads that spin while they wait for each other take many
        # times as long as one thread does.
        with threadpool_limits(1):
            found = _numbers(X, y) if measured else _probabilities(X, y)
        found.flags.writeable = False
        _last.clear()
        _last[key] = found
    return found


def _probabilities(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss
    from sklearn.model_selection import StratifiedKFold

    classes, codes, sizes = np.unique(y, return_inverse=True, return_counts=True)
    n_folds = min(N_FOLDS, sizes.max())
    if classes.size == 1 or n_folds < 2:
        return np.tile(sizes / y.size, (y.size, 1))
    X = np.asarray(StandardScale().fit_transform(X))  # of all, or some overflow
    models = [LogisticRegression(max_iter=1000)]
    if y.size >= MIN_RECORDS_FOR_TREES:
        models.append(HistGradientBoostingClassifier(**SMALL_TREES))
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    found = [np.zeros((y.size, classes.size)) for _ in models]
    with warnings.catch_warnings():
        # a class of fewer records than folds, and a model that is not quite there
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        for learn, rest in folds.split(X, codes):
            seen = np.unique(codes[learn])
            for shares, model in zip(found, models, strict=True):
                if seen.size == 1:
                    shares[rest, seen[0]] = 1.0
                else:
                    model.fit(X[learn], codes[learn])
                    shares[np.ix_(rest, model.classes_)] = model.predict_proba(X[rest])
    every = np.arange(classes.size)
    return min(found, key=lambda shares: log_loss(codes, shares, labels=every))


def _numbers(X: np.ndarray, y: Any) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.linear_model import Ridge
    from sklearn.metrics import mean_squared_error
    from sklearn.model_selection import KFold, cross_val_predict

    y = y.astype(np.float64)
    n_folds = min(N_FOLDS, y.size)
    if n_folds < 2:
        return y[:, None]
    X = np.asarray(StandardScale().fit_transform(X))
    models = [Ridge()]
    if y.size >= MIN_RECORDS_FOR_TREES:
        models.append(HistGradientBoostingRegressor(**SMALL_TREES))
    folds = KFold(n_folds, shuffle=True, random_state=0)
    found = [cross_val_predict(model, X, y, cv=folds) for model in models]
    return min(found, key=lambda predicted: mean_squared_error(y, predicted))[:, None]
