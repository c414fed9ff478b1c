"""Data and models of the papers on what models learn from a release.

The papers name neither the settings of their models nor the numbers that stand for
categories, and both move accuracy by more than most ways to form cells. So they are
named readings, one of them the default.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from microcell._validation import check_choice
from microcell.datasets import HEART_CODES, make_two_gaussians
from microcell.experiments._tables import fetch_table

LEARNERS = {
    # 30 trees of 20 splits, rate 0.1: the preset of MATLAB's Classification Learner,
    # which the papers used, as far as we know
    "AdaBoost": AdaBoostClassifier(
        DecisionTreeClassifier(max_leaf_nodes=21),
        n_estimators=30,
        learning_rate=0.1,
        random_state=0,
    ),
    # few distinct rows split equally well by every column, and ties go by the order of
    # columns: half of them at a time breaks that
    "histogram boosting": HistGradientBoostingClassifier(
        max_features=0.5, random_state=0
    ),
    "logistic regression": LogisticRegression(max_iter=1000),
    "small network": MLPClassifier(
        (16,), learning_rate_init=0.01, max_iter=100, random_state=0
    ),
    "support vector machine": SVC(),
    "nearest neighbours": KNeighborsClassifier(),
}
READ_LEARNERS = tuple(LEARNERS)[:4]
CODINGS = ("documented order", "alphabetical", "one-hot")
CATEGORIES = {  # of Adult, in the order of the data's own documentation
    "marital-status": (
        *("Married-civ-spouse", "Divorced", "Never-married", "Separated", "Widowed"),
        *("Married-spouse-absent", "Married-AF-spouse"),
    ),
    "sex": ("Female", "Male"),
}
TITLES = {
    "adult": "UCI Adult, 10 % sample",
    "adult (all)": "UCI Adult, all records",
    "breast": "Breast Cancer Wisconsin",
    "heart": "Heart Disease",
    "synthetic": "synthetic data set",
}
RECORDS_SAID = (
    "Breast Cancer Wisconsin and Heart Disease: the 683 and 297 complete records, "
    "where the papers list 699 and 303"
)


@dataclass(frozen=True)
class Reading:
    """A way to read what a paper leaves open.

    Attributes
    ----------
    learner : str or None
        A name in `LEARNERS`; by default the one that was best on the original records.
    coding : str
        The numbers that stand for categories: "documented order" of the data's own
        documentation, "alphabetical" order, or "one-hot", a column for each.
    masks_test : bool
        Whether the test records are masked too, by themselves.
    """

    learner: str | None = None
    coding: str = CODINGS[0]
    masks_test: bool = False


READINGS = [Reading(*pair) for pair in product(READ_LEARNERS, CODINGS)]


@cache  # of each process: a worker reads a data set once, whatever it is asked to do
def load(name, coding=CODINGS[0]):
    """Quasi-identifiers as numbers and the class, 1 for the positive one; all records.

    Examples
    --------
    >>> X, y = load("synthetic")
    >>> X.shape, y.sum()
    ((1000, 2), np.int64(500))
    """
    check_choice("coding", coding, CODINGS)
    X, y = _read(name, coding)
    X.flags.writeable = y.flags.writeable = False  # all tasks share them
    return X, y


def draw(name, repetition, coding=CODINGS[0]):
    """The records of a repetition: of Adult another tenth each time, else all.

    The tenth has the same share of both classes as the whole.
    """
    X, y = load(name, coding)
    if name != "adult":
        return X, y
    X, _, y, _ = train_test_split(
        X, y, train_size=0.1, stratify=y, random_state=repetition
    )
    return X, y


def size_of(name):
    """Number of records in a repetition."""
    n_records = len(load(name)[1])
    return n_records // 10 if name == "adult" else n_records


def model_of(name, learner=None):
    """The model of a reading, by default that which the papers found best."""
    return LEARNERS[best_learner(name) if learner is None else learner]


def best_learner(name):
    """The model that the papers found best on the original records."""
    return "AdaBoost" if name.startswith("adult") else "logistic regression"


def _read(name, coding):
    if name == "synthetic":
        return make_two_gaussians(1000, random_state=0).arrays()
    data = fetch_table(name.partition(" ")[0])
    X, y = data.arrays()  # text in alphabetical order
    names = data.schema.quasi_identifiers
    if name == "breast":
        return X, (y == y.max()).astype(int)
    if name == "heart":  # its codes are numbers already, in the documented order
        return _coded(X, names, HEART_CODES, coding), (y > 0).astype(int)
    if coding == "documented order":
        for column, order in CATEGORIES.items():
            places = np.array([order.index(value) for value in sorted(order)])
            codes = X[:, names.index(column)].astype(int)
            X[:, names.index(column)] = places[codes]
    return _coded(X, names, CATEGORIES, coding), y


def _coded(X, names, categorical, coding):
    """X with a column for each category, if that is the coding."""
    if coding != "one-hot":
        return X
    columns = []
    for name, column in zip(names, X.T, strict=True):
        values = np.unique(column)
        if name in categorical and values.size > 2:
            columns += [column == value for value in values]
        else:
            columns.append(column)
    return np.column_stack(columns).astype(np.float64)
