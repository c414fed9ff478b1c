"""What promises cost beside the plain partition, `python -m benchmarks.promises N ...`.

Each enforcing part runs on the same records as plain MDAV in the same process, on a
table of numbers and on one of numbers and codes, and the ratio of processor times is
printed for each N, with the exponent of growth since the N before, the number of cells
and the share of the variance that is lost.
"""

import sys
import time

import numpy as np

from microcell.compose import (
    Enforce,
    KAnonymityFirst,
    PSensitiveFirst,
    TClosenessFirst,
)
from microcell.compose._promise_check import PromiseCheck
from microcell.metrics import sse_loss
from microcell.partition import MDAV
from microcell.privacy import LDiversity, TCloseness

K, T = 5, 0.2
CLOSE, EQUAL = TCloseness(T, distance="ordered"), TCloseness(T, distance="equal")


def numbers(n):
    """Four columns that move together in part, and a number that follows them."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 4)) + rng.normal(size=(n, 1))
    pay = X[:, 0] + rng.normal(size=n)
    return X, np.unique(pay, return_inverse=True)[1], {}


def mixed(n):
    """Two numbers, three columns of codes, and three values of unequal frequency."""
    rng = np.random.default_rng(2)
    codes = [rng.integers(0, n_codes, n) for n_codes in (40, 12, 2)]
    X = np.column_stack([rng.normal(size=(n, 2)), *codes]).astype(float)
    ill = rng.choice(3, n, p=[0.75, 0.2, 0.05])
    return X, ill, {"categorical_features": [2, 3, 4]}


def parts(kind, marks):
    """Enforcing parts for a kind of table, each with its promise."""
    close = CLOSE if kind == "numbers" else EQUAL
    diverse = LDiversity(2)
    return {
        "merge, t": (Enforce(MDAV(K, **marks), close), close),
        "merge, l": (Enforce(MDAV(K, **marks), diverse), diverse),
        "k first": (KAnonymityFirst(close, K, **marks), close),
        "t first": (TClosenessFirst(close, K, **marks), close),
        "p first": (PSensitiveFirst(diverse, K, **marks), diverse),
    }


def timed(part, X, y):
    start = time.process_time()
    labels = part.fit_predict(X, y)
    return time.process_time() - start, labels


def loss(X, labels):
    sums = np.stack([np.bincount(labels, column) for column in X.T], axis=1)
    return sse_loss(X, (sums / np.bincount(labels)[:, None])[labels])


def growth(took, before):
    """The power of the number of records that seconds grow with, from pairs of both."""
    if before is None:
        return ""
    return f"{np.log(took[1] / before[1]) / np.log(took[0] / before[0]):.2f}"


def main(sizes):
    """Print a line for each part and size."""
    line = "{:8} {:9} {:>8} {:>8} {:>6} {:>6} {:>6} {:>8}"
    print(line.format(*"table part records seconds ratio growth cells loss".split()))
    for kind, make in (("numbers", numbers), ("mixed", mixed)):
        small, y, marks = make(6000)
        everything = {"MDAV": (MDAV(K, **marks), None), **parts(kind, marks)}
        for part, _ in everything.values():
            part.fit(small, y)  # compile
        before = dict.fromkeys(everything)
        measured = slice(0, 4 if kind == "numbers" else 2)
        for n in sizes:
            (X, y, _), plain = make(n), np.nan
            for name, (part, promise) in everything.items():
                took, labels = timed(part, X, y)
                plain = took if promise is None else plain
                if promise is not None:
                    assert PromiseCheck([promise], y[:, None]).holds(labels).all()
                assert np.bincount(labels).min() >= K
                shown = (
                    f"{took:.2f}",
                    f"{took / plain:.1f}",
                    growth((n, took), before[name]),
                    labels.max() + 1,
                    f"{100 * loss(X[:, measured], labels):.2f} %",
                )
                print(line.format(kind, name, n, *shown), flush=True)
                before[name] = (n, took)


if __name__ == "__main__":
    main([int(n) for n in sys.argv[1:]] or [10_000, 30_000, 100_000])
