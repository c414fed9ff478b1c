"""Data and models of the papers on what models learn from a release."""

from functools import cache

from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from microcell.datasets import (
    fetch_adult,
    fetch_breast_cancer_wisconsin,
    fetch_heart_cleveland,
    make_two_gaussians,
)

LEARNERS = {
    "boosted trees": HistGradientBoostingClassifier(random_state=0),
    "logistic regression": LogisticRegression(max_iter=1000),
    "support vector machine": SVC(),
    "nearest neighbours": KNeighborsClassifier(),
}
BEST_LEARNER = {"adult": "boosted trees", "adult (all)": "boosted trees"}
TITLES = {
    "adult": "UCI Adult, 10 % sample",
    "adult (all)": "UCI Adult, all records",
    "breast": "Breast Cancer Wisconsin",
    "heart": "Heart Disease",
    "synthetic": "synthetic data set",
}


@cache  # of each process: a worker reads a data set once, whatever it is asked to do
def load(name):
    """Quasi-identifiers as numbers and the class, 1 for the positive one."""
    X, y = _read(name)
    X.flags.writeable = y.flags.writeable = False  # all tasks share them
    return X, y


def _read(name):
    if name.startswith("adult"):
        X, y = fetch_adult(drop_missing=True).arrays()
        if name == "adult":  # a tenth, with the same share of both classes
            X, _, y, _ = train_test_split(
                X, y, train_size=0.1, stratify=y, random_state=0
            )
        return X, y
    if name == "breast":
        X, y = fetch_breast_cancer_wisconsin(drop_missing=True).arrays()
        return X, (y == y.max()).astype(int)
    if name == "heart":
        X, y = fetch_heart_cleveland(drop_missing=True).arrays()
        return X, (y > 0).astype(int)
    return make_two_gaussians(1000, random_state=0).arrays()


def model_of(name):
    """The model that the papers found best on the original data."""
    return LEARNERS[BEST_LEARNER.get(name, "logistic regression")]
