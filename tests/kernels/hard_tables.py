"""Tables of several hundred records that try an index: ties, tails, flat directions."""

import numpy as np
from hypothesis import strategies as st


def gaussian(rng, n, d):
    return rng.normal(size=(n, d))


def clustered(rng, n, d):
    return (
        rng.normal(size=(n, d)) + 20 * rng.normal(size=(9, d))[rng.integers(9, size=n)]
    )


def clustered_grid(rng, n, d):
    """Clusters of few values each: ties and equal records near and far."""
    centres = 8 * rng.integers(-3, 4, size=(5, d))
    return (centres[rng.integers(5, size=n)] + rng.integers(0, 3, size=(n, d))) / 3


def facing_clusters(rng, n, d):
    """Two clusters whose far sides are about equally far from each other."""
    X = rng.normal(size=(n, d))
    X *= rng.uniform(9.9, 10, size=(n, 1)) / np.linalg.norm(X, axis=1, keepdims=True)
    X[rng.integers(3, size=n) == 0] /= 100
    return X


def heavy_tailed(rng, n, d):
    return rng.standard_t(2, size=(n, d))


def grid(rng, n, d):
    return np.round(2 * rng.normal(size=(n, d)))


def duplicated(rng, n, d):
    return rng.normal(size=(1 + n // 20, d))[rng.integers(1 + n // 20, size=n)]


def frequent(rng, n, d):
    """Most records are one of three that are equal, near the middle and far from it."""
    X, kind = rng.normal(size=(n, d)), rng.random(n)
    X[kind < 0.7] = 0.1
    X[kind < 0.3] = X[0]
    X[kind < 0.1] = 5.0
    return X


def collinear(rng, n, d):
    return rng.normal(size=(n, 1)) * rng.normal(size=d)


def partly_constant(rng, n, d):
    X = rng.normal(size=(n, d))
    X[:, ::2] = 7.0
    return X


def on_a_sphere(rng, n, d):
    X = rng.normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def around_a_circle(rng, n, d):
    """All are equally far from the centre but for rounding; some turns are repeated."""
    angles = 2 * np.pi * np.arange(n) / rng.integers(min(8, n), n + 1)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def thirds(rng, n, d):
    """Distances that are equal but for rounding."""
    return rng.integers(-3, 4, size=(n, d)) / 3


def far_from_zero(rng, n, d):
    return 1e7 + rng.normal(size=(n, d))


def single_precision(rng, n, d):
    return rng.normal(size=(n, d)).astype(np.float32).astype(np.float64)


def tiny(rng, n, d):
    return 1e-160 * rng.normal(size=(n, d))


def one_outlier(rng, n, d):
    X = rng.normal(size=(n, d))
    X[n // 2] += 1e12
    return X


KINDS = {
    kind.__name__: kind
    for kind in (
        gaussian,
        clustered,
        clustered_grid,
        facing_clusters,
        heavy_tailed,
        grid,
        duplicated,
        frequent,
        collinear,
        partly_constant,
        on_a_sphere,
        around_a_circle,
        thirds,
        far_from_zero,
        single_precision,
        tiny,
        one_outlier,
    )
}


def codes_of(X, n_coded):
    """Columns of codes, numbered through, some rare and some with the measures."""
    rng = np.random.default_rng(len(X))
    columns, start = [], 0
    for column in range(n_coded):
        n_codes = int(rng.integers(1, 40))
        shares = 1 / np.arange(1, n_codes + 1)
        codes = rng.choice(n_codes, len(X), p=shares / shares.sum())
        if column % 2:
            codes = np.where(X[:, 0] > np.median(X[:, 0]), codes, 0)
        columns.append(start + np.unique(codes, return_inverse=True)[1])
        start += columns[-1].max() + 1
    return np.column_stack([*columns, np.empty((len(X), 0))]).astype(float)


@st.composite
def random_tables(draw, most_rows=700, most_columns=30, kinds=tuple(KINDS)):
    """A table of one of the kinds; more than 256 records make a tree of two levels."""
    kind = KINDS[draw(st.sampled_from(sorted(kinds)))]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(1, most_rows)), draw(st.integers(1, most_columns))
    return kind(rng, n, d)
