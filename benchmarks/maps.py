"""Maps and densities, in a process of their own for their peak memory.

``python -m benchmarks.maps WHAT N D`` prints a line of JSON. WHAT is ``ktca`` (all maps
and the merging of small cells, k = 5), ``kde`` (one column's valleys and peaks), or
``map``: one map of 50 epochs, beside MiniSom's batch training of a map of the same size
if that package is installed. Several threads are used, so seconds are those of a clock.
"""

import json
import sys
import time
from importlib.util import find_spec

import numpy as np

from benchmarks.memory import reset_peak, resident
from microcell._density import density_intervals
from microcell.embed import SelfOrganisingMap
from microcell.partition import KTCA


def seconds(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def minisom_seconds(X, shape):
    """Seconds of MiniSom, and the mean distance to its units; None without it."""
    if find_spec("minisom") is None:
        return None, None
    from minisom import MiniSom

    rival = MiniSom(*shape, X.shape[1], sigma=max(shape) / 2, random_seed=0)
    rival.pca_weights_init(X)
    took, _ = seconds(lambda: rival.train_batch_offline(X, 50))
    return took, rival.quantization_error(X)


def main(what, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    calls = {
        "ktca": lambda X: KTCA(5).fit(X),
        "kde": lambda X: density_intervals(X[:, 0]),
        "map": lambda X: SelfOrganisingMap().fit(X),
    }
    calls[what](X[:500].copy())  # compile
    reset_peak()
    before = resident("VmRSS")
    took, fitted = seconds(lambda: calls[what](X))
    result = {
        "what": what,
        "rows": n,
        "columns": d,
        "seconds": took,
        "megabytes": resident("VmHWM") - before,
    }
    if what == "map" and n <= 10_000:
        distances = np.linalg.norm(X - fitted.prototypes_[fitted.labels_], axis=1)
        result["error"] = float(distances.mean())
        result["rival"], result["rival_error"] = minisom_seconds(X, fitted.shape_)
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
