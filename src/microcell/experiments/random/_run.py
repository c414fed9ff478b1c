"""What is run: two tables, values of k, ways to mask, repetitions with seeds."""

import time
from dataclasses import asdict, dataclass

import numpy as np

from microcell.aggregate import Interval
from microcell.compose import RESOLUTION, from_steps, private_sums, to_steps
from microcell.embed import NoScale, RangeScale
from microcell.experiments._experiment import Paper
from microcell.experiments._tables import fetch_table
from microcell.methods import METHODS
from microcell.metrics import (
    centroid_linkage_risk,
    differential_attack,
    distance_linkage_risk,
    sse_loss,
)
from microcell.partition import Insensitive

PAPER = Paper("Random Aggregation: Differential Privacy in k-Anonymity", "Yang")
TABLE_TITLES = {"breast": "Breast Cancer", "diabetes": "Diabetes"}
RHOS = (0.0, 0.5, 0.8, 1.0)  # of the paper
PARTS = (1, 10)  # the paper does not say which c it uses
EPSILONS = (0.1, 1.0, 10.0)
DP = "dp-microaggregation"
RANDOM_PLANS = {"full": (tuple(range(2, 16)), 20), "quick": ((3, 8, 15), 3)}
"""Values of k, repetitions."""


@dataclass(frozen=True)
class Setting:
    """A way to mask: method, and the parameters that matter to it."""

    method: str
    c: int | None = None
    rho: float | None = None
    epsilon: float | None = None
    roulette: str | None = None

    @property
    def label(self):
        """What figures and tables call it."""
        if self.epsilon is not None:
            return f"differentially private, epsilon = {self.epsilon:g}"
        if self.rho is not None:
            return f"random aggregation, rho = {self.rho:g}"
        title = self.method.replace("-k-", " k-")
        title = title if self.c is None else f"{title}, c = {self.c}"
        return title if self.roulette is None else f"{title}, drawn by distance"


def settings():
    """Both ways to form cells, the four values of rho, Song et al., and real DP."""
    cells = [Setting(m, c) for m in ("top-down", "bottom-up") for c in PARTS]
    cells.append(Setting("top-down", max(PARTS), roulette="distance"))  # the paper's
    noise = [Setting("random-aggregation", rho=rho) for rho in RHOS]
    private = [Setting(DP, epsilon=e) for e in EPSILONS]
    return [*cells, *noise, Setting("random-k-anonymity"), *private]


def build(setting, k, seed):
    """The plan of a setting for columns from 0 to 1."""
    if setting.epsilon is not None:
        return PrivateBesideRecords(k, setting.epsilon)
    given = {name: getattr(setting, name) for name in ("c", "rho", "roulette")}
    given = {name: value for name, value in given.items() if value is not None}
    return METHODS[setting.method](k, random_state=seed, scale=NoScale(), **given)


class PrivateBesideRecords:
    """The centroids of `DPMicroaggregator` beside the records that they come from.

    To be measured, never released: a private release has no such order. Its noise has
    no seed, so no two runs are the same.
    """

    def __init__(self, k, epsilon):
        self.k = k
        self.epsilon = epsilon

    def fit_transform(self, X):
        """Noisy centroid of the cell of each record."""
        bounds = np.tile([0.0, 1.0], (X.shape[1], 1))
        sums, sizes = private_sums(X, self.k, self.epsilon, bounds)
        cells = Insensitive(self.k).fit_predict(to_steps(X, bounds) / RESOLUTION)
        self.labels_ = cells
        return from_steps(sums, sizes, bounds)[cells]


def load(name):
    """A table on the paper's scale, each column from 0 to 1."""
    return RangeScale().fit_transform(fetch_table(name).arrays()[0])


def literal_loss(X, X_released):
    """The paper's formula as printed: distances, not squared ones."""
    moved = np.linalg.norm(X - X_released, axis=1).sum()
    return float(moved / np.linalg.norm(X - X.mean(axis=0), axis=1).sum())


def run_one(X, setting, k, seed):
    """Mask once and measure; seconds are those of the plan, noise included."""
    plan = build(setting, k, seed)
    start = time.process_time()  # whatever else the machine does; one thread works
    X_released = plan.fit_transform(X)
    seconds = time.process_time() - start
    rho = 1.0 if setting.method == "random-k-anonymity" else setting.rho
    attack = differential_attack(X, X_released, plan.labels_, rho=rho)
    return {
        "seconds": seconds,
        "loss": sse_loss(X, X_released),
        "literal_loss": literal_loss(X, X_released),
        "linkage": distance_linkage_risk(X, X_released, top=2),
        "centroid_linkage": centroid_linkage_risk(X, X_released, plan.labels_, top=2),
        "attack_error": attack.error,
        "attack_error_without": attack.error_without,
    }


def impossible_share(X, k, rho):
    """Share of outputs that a neighbouring table cannot give, cells held as they are.

    In each cell and column the record with the greatest value moves to 1, the end of
    the column; the share is that of the new interval of the noise which the old one
    does not cover. Differential privacy with delta = 0 allows none, for any epsilon.

    Returns
    -------
    mean, largest : float
        Over cells and columns whose greatest value is below 1.
    """
    plan = METHODS["top-down"](k, c=1, scale=NoScale()).fit(X)
    labels, sizes = plan.labels_, np.bincount(plan.labels_)
    ends = np.empty((len(sizes), 2 * X.shape[1]))
    ends[labels] = Interval().aggregate(X, labels)
    means = np.column_stack([np.bincount(labels, column) / sizes for column in X.T])
    low, high = ends[:, 0::2], ends[:, 1::2]
    new_means = means + (1 - high) / sizes[:, None]
    old_top = means + rho * (high - means)
    old_bottom = means + rho * (low - means)
    new_top = new_means + rho * (1 - new_means)
    new_bottom = new_means + rho * (low - new_means)
    shared = np.maximum(
        np.minimum(old_top, new_top) - np.maximum(old_bottom, new_bottom), 0
    )
    can_move = high < 1
    share = 1 - shared[can_move] / (new_top - new_bottom)[can_move]
    return float(share.mean()), float(share.max())


def run(plan, progress):
    """All releases of a plan, one after the other so that times compare.

    Returns
    -------
    rows : list of dict
        One for each table, k, repetition and setting.
    strips : dict
        `impossible_share` of each table, for k = 5 and each rho above 0.
    """
    ks, repetitions = plan
    tables = {name: load(name) for name in TABLE_TITLES}
    for setting in settings():  # compile, so that times are those of the work
        run_one(tables["breast"], setting, 3, 0)
    rows, total = [], len(tables) * len(ks)
    for name, X in tables.items():
        for k in ks:
            for repetition in range(repetitions):
                for setting in settings():
                    found = run_one(X, setting, k, repetition)
                    said = {"data": name, "k": k, "repetition": repetition}
                    label = {"label": setting.label}
                    rows.append(said | asdict(setting) | label | found)
            progress(len(rows) // (repetitions * len(settings())), total, f"{name} {k}")
    strips = {
        name: {rho: impossible_share(X, 5, rho) for rho in RHOS if rho > 0}
        for name, X in tables.items()
    }
    return rows, strips
