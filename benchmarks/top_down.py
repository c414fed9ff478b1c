"""Top-down splits beside MDAV, in a process of their own for their peak memory.

``python -m benchmarks.top_down KIND N D K C`` prints a line of JSON; C is a number of
parts, or ``default``. Both work in one thread, so seconds are those of the processor,
which other work on the machine hardly moves.
"""

import json
import sys
import time

import numpy as np

from benchmarks.memory import reset_peak, resident
from benchmarks.tables import TABLES
from microcell.aggregate import Centroid
from microcell.metrics import sse_loss
from microcell.partition import MDAV, TopDown
from microcell.partition._coarse_parts import number_of_parts


def seconds(call):
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def main(kind, n, d, k, c):
    small = np.random.default_rng(1).normal(size=(60_000, d))
    TopDown(k, 2, random_state=0).fit(small[:9000])  # compile both searches for pairs
    TopDown(k, 1).fit(small)
    MDAV(k).fit(small)
    del small
    X = TABLES[kind](n, d)
    reset_peak()
    before = resident("VmRSS")
    runs = 3 if len(X) <= 200_000 else 1
    part = TopDown(k, c, random_state=0)
    took, labels = min(
        (seconds(lambda: part.fit_predict(X)) for _ in range(runs)), key=lambda r: r[0]
    )
    peak = resident("VmHWM") - before
    sizes = np.bincount(labels)
    assert k <= sizes.min() and sizes.max() <= 2 * k - 1, "cells of k to 2k - 1"
    mdav, mdav_labels = min(
        (seconds(lambda: MDAV(k).fit_predict(X)) for _ in range(runs)),
        key=lambda r: r[0],
    )
    result = {
        "rows": X.shape[0],
        "columns": X.shape[1],
        "parts": number_of_parts(c, X.shape[0], k),
        "seconds": took,
        "mdav": mdav,
        "loss": 100 * sse_loss(X, Centroid().aggregate(X, labels)),
        "mdav_loss": 100 * sse_loss(X, Centroid().aggregate(X, mdav_labels)),
        "megabytes": peak,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    kind, n, d, k, c = sys.argv[1:]
    main(kind, int(n), int(d), int(k), None if c == "default" else int(c))
