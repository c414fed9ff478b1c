"""MDAV on six columns of codes and one of measures, in a process of its own.

``python -m benchmarks.codes N beside|alone`` prints a line of JSON. ``beside`` also
runs it with a coordinate for each code, whose cells must be the same.
"""

import json
import sys
import time

import numpy as np

from benchmarks.memory import reset_peak, resident
from microcell.embed import Mismatch
from microcell.partition import MDAV

CODES = (90, 60, 30, 12, 6, 2)  # in each column, the first most frequent


def table(n):
    rng = np.random.default_rng(1)
    columns = [rng.normal(size=n)]
    for n_codes in CODES:
        shares = 1 / np.arange(1, n_codes + 1)
        columns.append(rng.choice(n_codes, size=n, p=shares / shares.sum()))
    return np.column_stack(columns).astype(float)


def measured(part, X):
    """Seconds of the processor, cells, and megabytes beyond the table."""
    reset_peak()
    before = resident("VmRSS")
    start = time.process_time()
    labels = part.fit_predict(X)
    return time.process_time() - start, labels, resident("VmHWM") - before


def main(n, beside):
    by_codes = MDAV(5, categorical_features=range(1, 7))
    small = table(6000)
    by_codes.fit(small)  # compile
    X = table(n)
    took, labels, peak = measured(by_codes, X)
    result = {"rows": n, "seconds": took, "megabytes": peak}
    if beside:
        reset_peak()
        before = resident("VmRSS")
        expanded = np.hstack([X[:, :1], Mismatch().fit_transform(X[:, 1:])])
        seconds, same, _ = measured(MDAV(5), expanded)
        assert np.array_equal(labels, same), "the same cells"
        result["expanded"] = seconds
        result["expanded_megabytes"] = resident("VmHWM") - before
    print(json.dumps(result))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] == "beside")
