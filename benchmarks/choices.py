"""The criterion and rule that choose a parameter best, `python -m benchmarks.choices`.

Each of LDA, SD and SD by the posterior is tuned inside the training part by every
criterion and rule, on the data of the papers; the model that learnt from the release is
tested on the untouched records. Printed are the accuracy and the share of records in
cells of a single class, both against plain MDAV, with the 95 % interval over
repetitions. The folder of benchmark tables is needed (`MICROCELL_DATA`).
"""

import warnings
from itertools import product

import numpy as np
from joblib import Parallel, delayed

from microcell.compose._tuned import CRITERIA, RULES, choose
from microcell.experiments._curves import mean_and_interval
from microcell.experiments._data import draw, model_of
from microcell.experiments._experiment import Setting
from microcell.experiments._grid import measured
from microcell.experiments.price import PRICE
from microcell.metrics import split_and_scale

KS = {
    "adult": (10, 50, 200, 1000),
    "breast": (5, 20, 50, 100, 200),
    "heart": (5, 20, 50, 100),
    "synthetic": (5, 20, 50, 100, 200),
}
REPETITIONS = 10


def one(name, repetition, k):
    """Rows of a split: each method by each criterion and rule."""
    X, y = draw(name, repetition)
    split = split_and_scale(X, y, random_state=repetition)
    model = model_of(name)
    plain = measured(PRICE, Setting("MDAV"), k, model, split)
    rows = []
    for tuned in (PRICE.tuned, *PRICE.beside):
        tuner = PRICE.build(Setting(tuned.method, honest=True), k, model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tuner.fit(split[0], split[2])
        found = {}
        for criterion, rule in product(CRITERIA, RULES):
            place = choose(tuner.scores_, tuner.disclosures_, criterion, rule)
            if place not in found:
                setting = Setting(tuned.method, tuned.values[place])
                found[place] = measured(PRICE, setting, k, model, split)
            row = {"data": name, "repetition": repetition, "k": k}
            row |= {"method": tuned.method, "criterion": criterion, "rule": rule}
            for measure in ("accuracy", "homogeneous"):
                row[measure] = found[place][measure] - plain[measure]
            rows.append(row | {"value": tuned.values[place]})
    return rows


def main():
    """Print the table, points of per cent against plain MDAV."""
    tasks = [
        (name, repetition, k)
        for name, ks in KS.items()
        for k in ks
        for repetition in range(REPETITIONS)
    ]
    found = Parallel(n_jobs=-1)(delayed(one)(*task) for task in tasks)
    rows = [row for of_task in found for row in of_task]
    methods = dict.fromkeys(row["method"] for row in rows)
    for name, method in product([*KS, "all four"], methods):
        for criterion, rule in product(CRITERIA, RULES):
            chosen = [
                row
                for row in rows
                if row["data"] in (name, *(KS if name == "all four" else ()))
                and (row["method"], row["criterion"], row["rule"])
                == (method, criterion, rule)
            ]
            shown = []
            for measure in ("accuracy", "homogeneous"):
                means = [
                    100 * np.mean([r[measure] for r in chosen if r["repetition"] == i])
                    for i in range(REPETITIONS)
                ]
                mean, half = mean_and_interval(means)
                shown.append(f"{mean:+6.2f} +- {half:.2f}")
            print(f"{name:<10} {method:<24} {criterion:<9} {rule:<19}", *shown)


if __name__ == "__main__":
    main()
