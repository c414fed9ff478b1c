"""Separability: how well a decision tree tells the classes of a release apart."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from microcell._validation import check_choice, check_count, check_same_shape
from microcell.exceptions import InputError, Option
from microcell.metrics._homogeneity import values_and_codes


def separability_score(
    X_original: ArrayLike,
    X_released: ArrayLike,
    y: ArrayLike,
    *,
    tested_on: str = "original",
    n_folds: int = 10,
    estimator: Any = None,
    random_state: Any = 0,
) -> float:
    """Share of records whose class a decision tree finds, by cross-validation [1]_.

    In each fold a tree learns from the released records of the other folds. It is
    tested on the original records of the fold (``tested_on="original"``), which is
    what a user of the release wants to know, or on the released ones, as the paper
    does.

    Tested on the release, the score can exceed that of the original table and says
    little about what was kept. All records of a cell are the same point, and a cell's
    records lie in the training and in the test folds alike: the tree has seen its test
    points. It learns the most frequent class of each cell by heart, and scores, for
    cells of more than a few records, about
    ``homogeneity(X_released, y).largest_share_mean``, whether or not that class is
    found around the cell. Cells formed with the help of `y` score more, up to 1 where
    each has one class, which is the very thing that an intruder hopes for.

    Tested on the original, the released cells still had a share of the tested records
    in them. `learning_utility` with a tree masks the training records alone; it needs
    the method and not only its release.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    y : array-like of shape (n_samples,)
        Classes, numbers or text.
    tested_on : {"original", "released"}, default="original"
        The records that the tree is tested on.
    n_folds : int, default=10
        Number of folds, stratified by class. A class with fewer records is spread over
        as many folds as it has records, and is not tested in the others; the one record
        of a class is tested by a tree that has never seen the class, and counts as
        wrong. Some class must have as many records as there are folds.
    estimator : classifier, optional
        By default ``DecisionTreeClassifier(random_state=0)``.
    random_state : int, RandomState instance or None, default=0
        Which records are in which fold.

    Returns
    -------
    score : float
        Share of all records, each tested once; best is 1.

    References
    ----------
    .. [1] Zouinina, Bennani, Rogovschi and Lyhyaoui (2020). A two-levels data
       anonymization approach. AIAI, 85-95.

    Examples
    --------
    Cells of one class on a table whose classes cannot be told apart:

    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(200, 1)), rng.integers(0, 2, size=200)
    >>> X_released = np.where(y == 0, X[y == 0].mean(), X[y == 1].mean())[:, None]
    >>> separability_score(X, X_released, y, tested_on="released")
    1.0
    >>> separability_score(X, X_released, y)
    0.5...
    """
    from sklearn.model_selection import StratifiedKFold
    from sklearn.tree import DecisionTreeClassifier

    X_original, X_released = check_same_shape(X_original, X_released)
    values, codes = values_and_codes(y, X_original.shape[0])
    check_choice("tested_on", tested_on, ("original", "released"))
    n_folds = check_count(n_folds, 2, "n_folds")
    if values.size == 1:
        raise InputError(
            f"'y' is {values[0]} in all records: there is nothing to tell apart."
        )
    largest = int(np.bincount(codes).max())
    if largest < n_folds:
        raise InputError(
            f"No class has more than {largest} record(s), fewer than "
            f"n_folds={n_folds}.",
            option="n_folds",
            hint=["Lower ", Option("n_folds"), " or merge classes."],
        )
    tested = X_original if tested_on == "original" else X_released
    model = DecisionTreeClassifier(random_state=0) if estimator is None else estimator
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    right = 0
    with warnings.catch_warnings():
        # Classes with fewer records than folds are welcome, see above.
        warnings.filterwarnings("ignore", message="The least populated class")
        splits = list(folds.split(X_released, codes))
    for train, test in splits:
        fitted = clone(model).fit(X_released[train], codes[train])
        right += int(np.count_nonzero(fitted.predict(tested[test]) == codes[test]))
    return float(right / codes.size)
