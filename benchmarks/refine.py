"""Refinement: loss against time on Census and EIA, and what it does at scale.

``python -m benchmarks.refine`` prints tables in Markdown, ``--out FILE`` also writes
them. Searches of Census and EIA run on one core. The loss of every partition is counted
anew from its cells, whose sizes are checked.
"""

import argparse
import os
import sys
import time
from inspect import signature

import numpy as np
from sklearn.cluster import KMeans

from benchmarks.memory import reset_peak, resident
from benchmarks.tables import clustered, gaussian, heavy_tailed, standardised
from microcell import METHODS, anonymize
from microcell.aggregate import Centroid
from microcell.compose import DissolveAndSplit, Refine
from microcell.datasets import fetch_adult, fetch_census, fetch_eia
from microcell.methods import COMPARED
from microcell.metrics import loss_lower_bound, sse_loss
from microcell.partition import DBA, MDAV, Tour

FETCH = {"census": fetch_census, "eia": fetch_eia}
COLUMN_GENERATION = {("census", 3): 4.6771, ("eia", 3): 0.3537}
"""Losses in percent of the public solution files, the lowest published ones."""
BEST_HELD = {
    "census": {3: 4.6679, 4: 6.0508, 5: 7.2854, 10: 11.3688},
    "eia": {3: 0.3502, 4: 0.4852, 5: 0.7335, 10: 1.9390},
}
"""Losses in percent of the best partitions that we knew before there was `Refine`."""
PLANS = {name: METHODS[name](50) for name in COMPARED}
QUICK = [  # methods that need no label and keep k of whole records, but "best"
    name
    for name, plan in PLANS.items()
    if "classes" in plan.keeps(2)
    and not plan.capabilities.differentially_private
    and not plan.capabilities.needs_target
]
STARTS = {
    "MDAV": MDAV,
    "MDAV-2": lambda k: DissolveAndSplit(MDAV(k, leftover="each")),
    "DBA-2": lambda k: DissolveAndSplit(DBA(k)),
    "tour + cut": Tour,
}


def loss_of(X, labels, k):
    """Loss in percent, of cells of at least k."""
    assert np.bincount(labels).min() >= k, "a cell below k"
    return 100 * sse_loss(X, Centroid().aggregate(X, labels))


def timed(part, X):
    begin = time.perf_counter()
    labels = part.fit_predict(X)
    return time.perf_counter() - begin, labels


def load_kernels():
    X = gaussian(500, 3)
    for start in STARTS.values():
        start(3).fit(X)
    Refine(MDAV(3), search="combined", moves=10_000).fit(X)


def against_time(tables, ks, budgets, bound_seconds, tell):
    """One row for each table and k: starts, searches, and what is known."""
    names = [*STARTS, *(f"best, {seconds:g} s" for seconds in budgets)]
    tell(
        "| table | k | "
        + " | ".join(names)
        + " | column generation | best held | lower bound | gap |"
    )
    tell("| --- " * (len(names) + 6) + "|")
    for name in tables:
        X = standardised(FETCH[name]().arrays()[0])
        for k in ks:
            row, best = [], None
            for start in STARTS.values():
                took, labels = timed(start(k), X)
                row.append(f"{loss_of(X, labels, k):.4f} ({took:.2f} s)")
            for seconds in budgets:
                part = Refine(MDAV(k), search="combined", seconds=seconds)
                took, best = timed(part, X)
                row.append(f"{loss_of(X, best, k):.4f} ({took:.1f} s)")
            bound = 100 * loss_lower_bound(
                X, k, method="columns", labels=best, seconds=bound_seconds
            )
            published = COLUMN_GENERATION.get((name, k))
            row.append("-" if published is None else f"{published:.4f}")
            row += [f"{BEST_HELD[name][k]:.4f}", f"{bound:.4f}"]
            row.append(f"{100 * (loss_of(X, best, k) / bound - 1):.2f} %")
            tell(f"| {name} | {k} | " + " | ".join(row) + " |")


def at_scale(tell):
    """Large tables: what a multiple of MDAV's own time gains, and a descent."""
    tell("| gaussian, 5 columns, k = 5 | seconds | loss, % | of MDAV's | MB |")
    tell("| --- | --- | --- | --- | --- |")
    for n in (100_000, 1_000_000):
        X = gaussian(n, 5)
        mdav, labels = timed(MDAV(5), X)
        of_mdav = loss_of(X, labels, 5)
        tell(f"| MDAV, {n:,} | {mdav:.2f} | {of_mdav:.4f} | 1 | |")
        searches = {"descent": {"search": "descent"}, "300 moves a record": {}}
        if n == 100_000:
            searches["ten times MDAV's time"] = {"seconds": 10 * mdav}
        for name, options in searches.items():
            reset_peak()
            before = resident("VmRSS")
            took, labels = timed(Refine(MDAV(5), **options), X)
            loss = loss_of(X, labels, 5)
            peak = resident("VmHWM") - before
            tell(
                f"| {name}, {n:,} | {took:.2f} | {loss:.4f} | {loss / of_mdav:.4f} "
                f"| {peak:.0f} |"
            )


def merged_k_means(X, k):
    """A rival where k is large: k-means, and a cell below k joins the nearest."""
    model = KMeans(max(1, len(X) // k), n_init=1, random_state=0)
    labels = model.fit_predict(X)
    while (sizes := np.bincount(labels)).min() < k:
        middles = np.array([X[labels == i].mean(axis=0) for i in range(len(sizes))])
        small = sizes.argmin()
        distances = ((middles - middles[small]) ** 2).sum(axis=1)
        distances[small] = np.inf
        labels[labels == small] = distances.argmin()
        labels = np.unique(labels, return_inverse=True)[1]
    return labels


def with_large_cells(tell):
    """What quick methods lose at large k beside k-means, and processor time."""
    tables = {
        "normal, 2,000 x 8": standardised(gaussian(2000, 8)),
        "clustered, 4,000 x 5": standardised(clustered(4000, 5)),
        "heavy tails, 3,000 x 4": standardised(heavy_tailed(3000, 4)),
    }
    ks = (50, 100, 200)
    tell("| method | " + " | ".join(f"{t}, k = 50 | 100 | 200" for t in tables) + " |")
    tell("| --- " * (1 + len(ks) * len(tables)) + "|")
    for name in (*QUICK, None):
        row = ["k-means and merge" if name is None else f"`{name}`"]
        for X in tables.values():
            for k in ks:
                begin = time.process_time()
                if name is None:
                    labels = merged_k_means(X, k)
                else:
                    labels = labels_of(name, k, X)
                took = time.process_time() - begin
                row.append(f"{loss_of(X, labels, k):.1f} % ({took:.2f} s)")
        tell("| " + " | ".join(row) + " |")


def labels_of(method, k, X):
    """Cells of a method; one that draws has a seed."""
    seed = (
        {"random_state": 0}
        if "random_state" in signature(METHODS[method]).parameters
        else {}
    )
    return METHODS[method](k, **seed).fit(X).labels_


def on_categories(tell):
    """Adult with categories, as releases count their loss."""
    data = fetch_adult(quasi_identifiers="arx", drop_missing=True)
    methods = {"mdav": {}, "mondrian": {}, "mdav-refined": {}}
    tell("| Adult, 8 columns with categories | k = 3 | 5 | 10 |")
    tell("| --- | --- | --- | --- |")
    for method, options in methods.items():
        row = []
        for k in (3, 5, 10):
            begin = time.perf_counter()
            release = anonymize(
                data.frame,
                data.schema,
                k=k,
                method=method,
                measures=["sse_loss"],
                **options,
            )
            took = time.perf_counter() - begin
            row.append(f"{100 * release.scores['sse_loss']:.2f} % ({took:.1f} s)")
        tell(f"| {method} | " + " | ".join(row) + " |")


def main():
    numbers = lambda text: [float(part) for part in text.split(",")]  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default="census,eia")
    parser.add_argument("--k", type=numbers, default=[3, 4, 5, 10])
    parser.add_argument("--seconds", type=numbers, default=[5.0, 60.0])
    parser.add_argument("--bound-seconds", type=float, default=60.0)
    parser.add_argument("--only", choices=["time", "scale", "categories", "large"])
    parser.add_argument("--out")
    given = parser.parse_args()
    lines = []

    def tell(line):
        lines.append(line)
        print(line, flush=True)

    load_kernels()
    if given.only in (None, "scale"):
        at_scale(tell)
        tell("")
    if given.only in (None, "large"):
        with_large_cells(tell)
        tell("")
    if given.only in (None, "categories"):
        on_categories(tell)
        tell("")
    if given.only in (None, "time"):
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        ks = [int(k) for k in given.k]
        tables = given.tables.split(",")
        against_time(tables, ks, given.seconds, given.bound_seconds, tell)
    if given.out:
        with open(given.out, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
