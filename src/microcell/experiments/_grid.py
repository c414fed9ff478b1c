"""What the papers 000 and 004 share: data, models, and a grid with a cache.

A task is one data set, one repetition and one k: it splits the records, masks the
training part by every setting, trains a model on each release and tests it on the
untouched records. Finished tasks are kept as files, so that a run can be resumed.
"""

import json
import warnings
from dataclasses import asdict, dataclass

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from microcell import __version__
from microcell.datasets import (
    fetch_adult,
    fetch_breast_cancer_wisconsin,
    fetch_heart_cleveland,
    make_two_gaussians,
)
from microcell.embed._statistical_dependence import target_coordinates
from microcell.metrics import (
    combined_distortion,
    homogeneity,
    mse_distortion,
    split_and_scale,
    train_and_test,
)

KS = (2, 5, 10, 20, 50, 100, 200, 500, 1000)
FEW = (5, 50, 200)
FULL = [(name, 10, KS) for name in ("adult", "breast", "heart", "synthetic")]
QUICK = [("adult", 2, (50, 500))] + [(name, 2, FEW) for name, _, _ in FULL[1:]]
ALL_RECORDS = ("adult (all)", 3, (10, 50, 200, 1000))  # ours, not the papers'
"""Plans: data set, repetitions, values of k."""
MODELS = {
    "boosted trees": HistGradientBoostingClassifier(random_state=0),
    "logistic regression": LogisticRegression(max_iter=1000),
    "support vector machine": SVC(),
    "nearest neighbours": KNeighborsClassifier(),
}
BEST_MODEL = {"adult": "boosted trees", "adult (all)": "boosted trees"}
TITLES = {
    "adult": "UCI Adult, 10 % sample",
    "adult (all)": "UCI Adult, all records",
    "breast": "Breast Cancer Wisconsin",
    "heart": "Heart Disease",
    "synthetic": "synthetic data set",
}


def load(name):
    """Quasi-identifiers as numbers and the class, 1 for the positive one."""
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
    return MODELS[BEST_MODEL.get(name, "logistic regression")]


def ks_of(n_train, ks=KS):
    """The values of k for which there are at least two cells."""
    return [k for k in ks if 2 * k <= n_train]


@dataclass(frozen=True)
class Setting:
    """A way to mask the training part.

    Attributes
    ----------
    method : str
        Name in figures and tables.
    parameter : float or None
        What the papers choose on the test records (alpha, lambda).
    honest : bool
        Whether the parameter is chosen inside the training part instead.
    """

    method: str
    parameter: float | None = None
    honest: bool = False


def describe(name, repetition, k, build, settings, model):
    """All that the results of a task depend on, as plain data."""
    return {
        "built by": f"{build.__module__}.{build.__qualname__}",
        "microcell": __version__,
        "data": name,
        "repetition": repetition,
        "k": k,
        "model": repr(model),
        "settings": [asdict(setting) for setting in settings],
    }


def finished(file, task):
    """Results in a file of the cache, or None if they are not of this very task."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    if not isinstance(kept, dict) or kept.get("task") != task:
        return None
    return kept["results"]


def run_task(name, repetition, k, build, settings, cache):
    """Results of all settings, from the cache if they are there.

    Parameters
    ----------
    build : callable
        Takes a setting, k and the model; returns the microaggregator.
    cache : Path
        Folder of finished tasks.
    """
    model = model_of(name)
    task = describe(name, repetition, k, build, settings, model)
    file = cache / f"{name.replace(' ', '-')}-k{k}-r{repetition}.json"
    results = finished(file, task)
    if results is not None:
        return results
    X, y = load(name)
    X_train, X_test, y_train, y_test = split_and_scale(X, y, random_state=repetition)
    results = []
    for setting in settings:
        masking = build(setting, k, model)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # a model that did not converge still counts
            released = masking.fit_transform(X_train, y_train)
            scores = train_and_test(
                released, y_train, X_test, y_test, clone(model), "classification"
            )
        share = setting.parameter if setting.method == "MDAV with SD" else 0.0
        share = getattr(masking, "value_", share) if share is None else share
        uniform = homogeneity(masking.labels_, y_train)
        results.append(
            {"data": name, "repetition": repetition, "k": k}
            | asdict(setting)
            | {"accuracy": scores["accuracy"], "f_measure": scores["f1"]}
            | {"distortion": mse_distortion(X_train, released)}
            | {
                "combined": combined_distortion(
                    X_train, released, target_coordinates(y_train), lambda_=share
                )
            }
            | {
                "largest_share": uniform.largest_share_mean,
                "homogeneous": uniform.homogeneous_records,
                "p_sensitivity": uniform.p_sensitivity,
                "t_distance": uniform.t_distance_mean,
            }
        )
    whole = file.with_suffix(".part")
    whole.write_text(json.dumps({"task": task, "results": results}), encoding="utf-8")
    whole.replace(file)  # a task is finished or it is not there
    return results


def run_grid(plan, build, settings_of, cache, progress):
    """Run all tasks of a plan on all cores.

    Parameters
    ----------
    plan : list of (data set, repetitions, values of k)
    cache : Path
        Folder of finished tasks; one for each experiment and plan.
    settings_of : callable
        The settings to run on a data set.

    Returns
    -------
    rows : list of dict
        One for each task and setting.
    """
    cache.mkdir(parents=True, exist_ok=True)
    tasks = [
        (name, repetition, k)
        for name, repetitions, ks in plan
        for k in ks_of(int(0.75 * len(load(name)[1])), ks)
        for repetition in range(repetitions)
    ]
    jobs = (
        delayed(run_task)(name, repetition, k, build, settings_of(name), cache)
        for name, repetition, k in tasks
    )
    rows = []
    results = Parallel(n_jobs=-1, return_as="generator")(jobs)
    for done, (task, result) in enumerate(zip(tasks, results, strict=True), start=1):
        rows += result
        progress(done, len(tasks), f"{task[0]} k={task[2]}")
    return rows


def compare_models(names, n_repetitions):
    """Mean accuracy of each model on the original records, as the papers chose."""
    rows = []
    for name in names:
        X, y = load(name)
        for title, model in MODELS.items():
            found = []
            for repetition in range(n_repetitions):
                X_train, X_test, y_train, y_test = split_and_scale(
                    X, y, random_state=repetition
                )
                scores = train_and_test(
                    X_train, y_train, X_test, y_test, clone(model), "classification"
                )
                found.append(scores["accuracy"])
            rows.append({"data": name, "model": title, "accuracy": np.mean(found)})
    return rows
