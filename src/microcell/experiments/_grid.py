"""An experiment's grid of tasks on all cores, with a cache.

A task is one data set, one repetition and one k: it splits the records, masks the
training part by every setting, trains a model on each release and tests it on the
untouched records. Finished tasks are kept as files, so that a run can be resumed.
"""

import warnings
from dataclasses import asdict
from functools import partial

import numpy as np
from joblib import Parallel, delayed
from sklearn import config_context
from sklearn.base import clone

from microcell.embed import target_coordinates
from microcell.experiments._data import LEARNERS, Reading, draw, model_of, size_of
from microcell.experiments._predictors import expected_class, measures_of
from microcell.experiments._tasks import in_parallel, resumed
from microcell.metrics import (
    combined_distortion,
    homogeneity,
    mse_distortion,
    split_and_scale,
    train_and_test,
)

DEFAULT = Reading()


def ks_of(n_train, ks):
    """The values of k for which there are at least two cells."""
    return [k for k in ks if 2 * k <= n_train]


def describe(experiment, name, repetition, k, settings, reading):
    """All that the results of a task depend on, as plain data."""
    model = model_of(name, reading.learner)
    with config_context(print_changed_only=False):  # a default may change
        built = [repr(experiment.build(s, k, model)) for s in settings]
        learner = repr(model)
    return {
        "experiment": experiment.name,
        "data": name,
        "repetition": repetition,
        "k": k,
        "model": learner,
        "reading": asdict(reading),
        "settings": [asdict(setting) for setting in settings],
        "masked by": built,
    }


def run_task(experiment, name, repetition, k, settings, cache, reading=DEFAULT):
    """Results of all settings, from the cache if they are there.

    Parameters
    ----------
    experiment : Experiment
    name : str
        The data set.
    settings : list of Setting
    cache : Path
        Folder of finished tasks.
    reading : Reading
        What the paper leaves open.
    """

    def compute():
        X, y = draw(name, repetition, reading.coding)
        split = split_and_scale(X, y, random_state=repetition)
        model, expected = model_of(name, reading.learner), None
        if experiment.measures_all and reading == DEFAULT:
            expected = expected_class(split[0], split[2])
        said = {"data": name, "repetition": repetition, "k": k} | asdict(reading)
        return [
            said
            | asdict(setting)
            | measured(experiment, setting, k, model, split, reading, expected)
            for setting in settings
        ]

    task = describe(experiment, name, repetition, k, settings, reading)
    file = cache / f"{name.replace(' ', '-')}-k{k}-r{repetition}.json"
    return resumed(file, task, compute)


def measured(experiment, setting, k, model, split, reading=DEFAULT, expected=None):
    """What one way to mask the training part costs, and what a model learns from it.

    With the `expected` class of each training record all measures are taken.
    """
    X_train, X_test, y_train, y_test = split
    masking = experiment.build(setting, k, model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a model that did not converge still counts
        released = masking.fit_transform(X_train, y_train)
        if reading.masks_test:
            X_test = clone(masking).fit_transform(X_test, y_test)
        scores = train_and_test(
            released, y_train, X_test, y_test, clone(model), "classification"
        )
    tuned, share = experiment.tuned_of(setting.method), 0.0
    value = masking.value_ if setting.honest else setting.parameter
    if tuned is not None and tuned.weighs_target:
        share = value
    combined = combined_distortion(
        X_train, released, target_coordinates(y_train), lambda_=share
    )
    uniform = homogeneity(masking.labels_, y_train)
    more = {}
    if expected is not None:
        more = measures_of(X_train, released, y_train, masking.labels_, expected)
    return more | {
        "chosen": value,
        "accuracy": scores["accuracy"],
        "f_measure": scores["f1"],
        "distortion": mse_distortion(X_train, released),
        "combined": combined,
        "largest_share": uniform.largest_share_mean,
        "homogeneous": uniform.homogeneous_records,
        "p_sensitivity": uniform.p_sensitivity,
        "t_distance": uniform.t_distance_mean,
    }


def run_grid(experiment, plan, cache, progress):
    """Run all tasks of a plan on all cores.

    Parameters
    ----------
    experiment : Experiment
    plan : list of (data set, repetitions, values of k)
    cache : Path
        Folder of finished tasks; one for each experiment and plan.

    Returns
    -------
    rows : list of dict
        One for each task and setting.
    """
    tasks = [
        (name, repetition, k, experiment.settings_of(name, k), cache)
        for name, repetitions, ks in plan
        for k in ks_of(int(0.75 * size_of(name)), ks)
        for repetition in range(repetitions)
    ]
    return run_tasks(experiment, tasks, progress)


def run_tasks(experiment, tasks, progress):
    """Rows of tasks (data set, repetition, k, settings, cache, reading)."""
    for cache in {task[4] for task in tasks}:
        cache.mkdir(parents=True, exist_ok=True)
    run = partial(run_task, experiment)
    return [
        row
        for rows in in_parallel(run, tasks, progress, lambda *t: f"{t[0]} k={t[2]}")
        for row in rows
    ]


def compare_models(names, n_repetitions):
    """Mean accuracy of each model on the original records, as the papers chose."""
    pairs = [(name, title) for name in names for title in LEARNERS]
    jobs = (delayed(accuracy_of)(*pair, n_repetitions) for pair in pairs)
    return [
        {"data": name, "model": title, "accuracy": accuracy}
        for (name, title), accuracy in zip(pairs, Parallel(-1)(jobs), strict=True)
    ]


def accuracy_of(name, title, n_repetitions):
    """Mean accuracy of a model on the original records of a data set."""
    found = []
    for repetition in range(n_repetitions):
        split = split_and_scale(*draw(name, repetition), random_state=repetition)
        X_train, X_test, y_train, y_test = split
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as above
            scores = train_and_test(
                X_train, y_train, X_test, y_test, LEARNERS[title], "classification"
            )
        found.append(scores["accuracy"])
    return float(np.mean(found))
