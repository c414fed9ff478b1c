"""One case in a process of its own, so that its peak memory is its own.

``python -m benchmarks.case KIND N D K PLAIN`` prints a line of JSON.
"""

import json
import resource
import sys
import time

import numpy as np

import microcell.partition._rounds as paths
from benchmarks.tables import TABLES
from microcell.partition import MDAV


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def seconds(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def count_visits():
    """Keep the indexes that are made, whose counters tell what was looked at."""
    made, make = [], paths.index_records

    def keep(*args, **options):
        made.append(make(*args, **options))
        return made[-1]

    paths.index_records = keep
    return made


def plain_mdav_labels(X, k):
    """Labels by scans, whatever the size of the table."""
    index_pays, paths.index_pays = paths.index_pays, lambda X, codes: False
    try:
        return MDAV(k).fit_predict(X)
    finally:
        paths.index_pays = index_pays


def main(kind, n, d, k, with_plain):
    for d_small in {d, 2}:  # compile, tree and scan
        MDAV(k).fit(np.random.default_rng(1).normal(size=(max(6000, 4 * k), d_small)))
    X = TABLES[kind](n, d)
    before = megabytes()
    runs = 3 if len(X) <= 200_000 else 1
    times = []
    for _ in range(runs):
        made = count_visits()
        took, labels = seconds(lambda: MDAV(k).fit_predict(X))
        times.append(took)
    rounds = (labels.max() + 1) / 2
    result = {
        "rows": X.shape[0],
        "columns": X.shape[1],
        "seconds": min(times),
        "megabytes": max(0.0, megabytes() - before),
        "visits": float(sum(index.visits[0] for index in made) / rounds),
    }
    if with_plain:
        plain_mdav_labels(X[:2000], k)
        result["plain"], expected = seconds(lambda: plain_mdav_labels(X, k))
        assert np.array_equal(labels, expected), "not the cells of the plain kernel"
    print(json.dumps(result))


if __name__ == "__main__":
    kind, n, d, k, with_plain = sys.argv[1:]
    main(kind, int(n), int(d), int(k), with_plain == "plain")
