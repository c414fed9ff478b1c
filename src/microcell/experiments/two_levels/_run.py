"""What is run: the paper's data and methods, what users get, and rivals at its k.

A task is one data set and one way to mask, with all its repetitions. Finished tasks
are kept as files, so that a run can be resumed.
"""

import warnings
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from microcell.embed import StandardScale
from microcell.experiments._tables import fetch_table
from microcell.experiments._tasks import in_parallel, resumed
from microcell.experiments.two_levels._paper import PAPER_METHODS, PAPER_SETS
from microcell.experiments.two_levels._readings import FORMS_READ, Recoded
from microcell.methods import METHODS
from microcell.metrics import (
    cells_of,
    group_davies_bouldin_loss,
    group_silhouette_score,
    homogeneity,
    learning_utility,
    reidentification_risk,
    separability_score,
    sse_loss,
    structural_score,
    weighted_utility,
)

WITHOUT_STAB = "electrical-without-stab"
SET_TITLES = PAPER_SETS | {WITHOUT_STAB: "Electrical without stab"}
ASKED_K = 5  # the paper does not say which k it asked C-TCA for
RIVALS = ("mdav", "lda-mdav")
AS_PUBLISHED = {  # the k of k-TCA and KDE is what comes out; a cell is its prototype
    "ktca": {"min_k": 1, "code": "unit"},
    "ctca": {"code": "unit"},
    "kde": {"min_k": 1},
}
TWO_LEVELS_PLANS = {  # data set, repetitions, splits of `learning_utility`
    "full": [
        ("electrical", 3, 3),
        ("waveform", 3, 4),
        ("page-blocks", 3, 4),
        (WITHOUT_STAB, 1, 3),
        ("yeast", 5, 10),
        ("ecoli", 5, 20),
        ("glass", 5, 20),
    ],
    "quick": [("yeast", 1, 3), ("ecoli", 1, 5), ("glass", 1, 5)],
}


@dataclass(frozen=True)
class Masking:
    """A way to mask.

    Attributes
    ----------
    method : str
        A name in `METHODS`, or "original": nothing is masked.
    form : str
        "original", a reading of the paper's methods (`FORMS_READ`), or "rival": what
        the paper lacks.
    k : int
        The k that is asked for.
    beside : str
        For a rival, the method of the paper whose k it has.
    """

    method: str
    form: str
    k: int = ASKED_K
    beside: str = ""

    def build(self, seed):
        """The plan, None for the original; only the ++ methods draw."""
        if self.form == "original":
            return None
        options = {"random_state": seed} if self.draws else {}
        reading = FORMS_READ.get(self.form)
        if reading is None:
            return METHODS[self.method](self.k, **options)
        if reading.plain == "published":
            options |= AS_PUBLISHED[self.method.removesuffix("++")]
        plan = METHODS[self.method](self.k, **options | reading.options)
        if reading.recoded:
            return Recoded(plan, own_class=reading.recoded == "own class")
        return plan

    @property
    def draws(self):
        """Whether releases differ by seed."""
        return self.method.endswith("++")

    def release(self, X, y, seed):
        """The released records."""
        plan = self.build(seed)
        return X if plan is None else plan.fit_transform(X, y)


ORIGINAL = Masking("original", "original", k=1)


@cache  # of each process: a worker reads a data set once
def load(name):
    """Attributes and class of a data set.

    The paper's Electrical has 14 columns, so `stab` is an attribute there, of which the
    class is the sign. It is confidential, so the same without it stands beside.
    """
    X, y = fetch_table("electrical" if name == WITHOUT_STAB else name).arrays()
    if name in ("electrical", WITHOUT_STAB):
        stab, y = y, (y > 0).astype(int)
        X = np.column_stack([X, stab]) if name == "electrical" else X
    X.flags.writeable = y.flags.writeable = False  # all tasks share them
    return X, y


def of_the_paper():
    """The original, then each method as published, promised, and in other readings."""
    maskings = [Masking(m, f) for f in ("published", "promised") for m in PAPER_METHODS]
    others = [
        Masking(m, form)
        for form, reading in FORMS_READ.items()
        for m in PAPER_METHODS
        if reading.masks(m)
    ]
    return [ORIGINAL, *maskings, *others]


def rivals(rows, name):
    """MDAV and LDA-MDAV at the k of C-TCA and at the sizes that others came to.

    k-TCA and KDE as published have no k: the mean size of their classes stands for it,
    at least 2.
    """
    n_samples = len(load(name)[1])
    wanted = {"ctca": ASKED_K}
    for row in rows:
        if (row["data"], row["form"]) == (name, "published"):
            if row["method"] in ("ktca", "kde") and row["method"] not in wanted:
                size = max(round(row["mean_class"]), 2)
                wanted[row["method"]] = min(size, n_samples // 2)
    return [
        Masking(r, "rival", k, beside) for beside, k in wanted.items() for r in RIVALS
    ]


def measured(X, X_released, y):
    """Structure and indices of a release in all readings, and what it gives away."""
    scale = StandardScale().fit(X)
    Z, Z_released = scale.transform(X), scale.transform(X_released)
    risk, alike = reidentification_risk(X_released), homogeneity(X_released, y)
    cells = cells_of(X_released)
    sizes = np.bincount(cells)
    alone = float(np.mean(sizes[cells] == 1))
    return {
        "structural": structural_score(X, X_released),
        "structural_across": structural_score(
            X, X_released, normalise="across_columns"
        ),
        "silhouette_classes": of_groups(group_silhouette_score, Z_released, y),
        "silhouette_cells": 1 - alone if len(sizes) > 1 else None,  # each is one point
        "silhouette_original": of_groups(group_silhouette_score, Z, cells),
        "davies_bouldin_classes": of_groups(group_davies_bouldin_loss, Z_released, y),
        "davies_bouldin_cells": 0.0 if len(sizes) > 1 else None,
        "davies_bouldin_original": of_groups(group_davies_bouldin_loss, Z, cells),
        "sse_loss": sse_loss(Z, Z_released),
        "k_reached": risk.smallest_class,
        "mean_class": len(X) / risk.n_classes,
        "alone": alone,
        "homogeneous": alike.homogeneous_records,
        "largest_share": alike.largest_share_mean,
    }


def utilities(X, X_released, y, found, seed):
    """Separability with these folds, and what it makes of the structure in `found`."""
    within, honest = (
        separability_score(X, X_released, y, tested_on=tested, random_state=seed)
        for tested in ("released", "original")
    )
    by_range, across = found["structural"], found["structural_across"]
    return {
        "separability_within": within,
        "separability_original": honest,
        "combined": weighted_utility(within, by_range),
        "combined_across": weighted_utility(within, across),
        "combined_original": weighted_utility(honest, by_range),
    }


def of_groups(measure, Z, groups):
    """An index of groups; None if there is one group only."""
    return None if np.unique(groups).size == 1 else measure(Z, groups)


def run_task(name, masking, repetitions, splits, folder):
    """Rows of one data set and masking, from the cache if they are there.

    Parameters
    ----------
    name : str
    masking : Masking
    repetitions : int
        Seeds of the ++ methods and of the folds.
    splits : int
        Splits of `learning_utility`.
    folder : Path
        The cache.
    """
    task = {
        "experiment": "two-levels",
        "data": name,
        "masking": asdict(masking),
        "masked by": repr(masking.build(0)),
        "repetitions": repetitions,
        "splits": splits,
    }
    called = f"{name}-{masking.form}-{masking.method}-k{masking.k}-{masking.beside}"
    file = folder / f"{called.replace('++', '-plus').replace(' ', '-')}.json"

    def compute():
        X, y = load(name)
        rows = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # rare classes, prototypes that moved far
            learnt = learning_utility(
                masking.build(0),
                X,
                y,
                estimator=DecisionTreeClassifier(random_state=0),
                n_repetitions=splits,
                random_state=0,
            ).mean("accuracy")
            for seed in range(repetitions):
                if seed == 0 or masking.draws:
                    X_released = masking.release(X, y, seed)
                    found = measured(X, X_released, y)
                said = {"data": name} | asdict(masking)
                said |= {"repetition": seed, "learnt": learnt} | found
                rows.append(said | utilities(X, X_released, y, found, seed))
        return rows

    return resumed(file, task, compute)


def run(plan, folder, progress):
    """All tasks of a plan on all cores: the paper's, then the rivals at their k.

    Returns
    -------
    rows : list of dict
        One for each data set, masking and repetition.
    """
    folder.mkdir(parents=True, exist_ok=True)
    maskings = of_the_paper()
    before = len(plan) * len(maskings)
    total = before + 3 * len(RIVALS) * len(plan)

    def rows_of(maskings_of, n_done):
        tasks = [
            (name, masking, *repeated, folder)
            for name, *repeated in plan
            for masking in maskings_of(name)
        ]
        found = in_parallel(
            run_task,
            tasks,
            progress,
            lambda name, masking, *_: f"{name} {masking.method}",
            before=n_done,
            total=total,
        )
        return [row for rows in found for row in rows]

    rows = rows_of(lambda name: maskings, 0)
    return rows + rows_of(lambda name: rivals(rows, name), before)
