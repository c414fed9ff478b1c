"""What promises cost beside the plain partition, `python -m benchmarks.promises N ...`.

Each enforcing part runs on the same records as plain MDAV in the same process, on a
table of numbers and on one of numbers and codes, and the ratio of processor times is
printed for each N, with the number of cells and the share of the variance that is lost.
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
from microcell.compose._judge import Judge
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


def main(sizes):
    """Print a line for each part and size."""
    print(
        f"{'table':8} {'part':9} {'records':>8} {'seconds':>8} {'ratio':>6} cells loss"
    )
    for kind, make in (("numbers", numbers), ("mixed", mixed)):
        small, y, marks = make(6000)
        for part, _ in ((MDAV(K, **marks), None), *parts(kind, marks).values()):
            part.fit(small, y)  # compile
        for n in sizes:
            X, y, marks = make(n)
            measured = slice(0, 4 if kind == "numbers" else 2)
            plain, labels = timed(MDAV(K, **marks), X, y)
            shown = f"{labels.max() + 1} {100 * loss(X[:, measured], labels):.2f} %"
            print(f"{kind:8} {'MDAV':9} {n:8} {plain:8.2f} {1:6.1f} {shown}")
            for name, (part, promise) in parts(kind, marks).items():
                took, labels = timed(part, X, y)
                assert Judge([promise], y[:, None]).holds(labels).all()
                assert np.bincount(labels).min() >= K
                lost = 100 * loss(X[:, measured], labels)
                shown = f"{labels.max() + 1} {lost:.2f} %"
                print(
                    f"{kind:8} {name:9} {n:8} {took:8.2f} {took / plain:6.1f} {shown}"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main([int(n) for n in sys.argv[1:]] or [10_000, 30_000, 100_000])
