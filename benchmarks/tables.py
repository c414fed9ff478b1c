"""Tables of many shapes, in z-scores."""

import numpy as np


def gaussian(n, d):
    return np.random.default_rng(0).normal(size=(n, d))


def clustered(n, d):
    """A mixture of 20 narrow clusters of different sizes."""
    rng = np.random.default_rng(0)
    centres = 5 * rng.normal(size=(20, d))
    which = rng.choice(20, size=n, p=rng.dirichlet(np.ones(20)))
    return standardised(centres[which] + 0.3 * rng.normal(size=(n, d)))


def heavy_tailed(n, d):
    """Student's t with two degrees of freedom."""
    return np.random.default_rng(0).standard_t(2, size=(n, d))


def grid(n, d):
    """Integers from 0 to 9: many ties and equal records."""
    return np.random.default_rng(0).integers(0, 10, size=(n, d)).astype(float)


def adult(n, d):
    from microcell.datasets import fetch_adult

    return standardised(fetch_adult(drop_missing=True).arrays()[0])


def eia(n, d):
    from microcell.datasets import fetch_eia

    return standardised(fetch_eia().arrays()[0])


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


TABLES = {
    "gaussian": gaussian,
    "clustered": clustered,
    "heavy-tailed": heavy_tailed,
    "grid": grid,
    "adult": adult,
    "eia": eia,
}
