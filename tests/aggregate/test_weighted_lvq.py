import numpy as np
import pytest
from hypothesis import given
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from tables import any_values, gaussian, tables_and_k

from microcell.aggregate import ByColumn, Centroid, DensityPeaks, Mode, WeightedLVQ2
from microcell.compose import Microaggregator
from microcell.kernels.weighted_lvq import (
    LVQSettings,
    learn,
    majority_classes,
    two_nearest,
)
from microcell.partition import CTCA, MDAV, KDECells


def two_classes(n=400, noise_columns=1, seed=0):
    """Two classes that overlap in the first column; the others are noise."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 1 + noise_columns))
    X[:, 0] += 2.5 * y
    return X, y


def cost(X, y, prototypes, classes, weights):
    """Sum of |W (x - m_j)|^2 - |W (x - m_i)|^2 where m_i is wrong and m_j right."""
    total = 0.0
    for x, own in zip(X, y, strict=True):
        gaps = (prototypes - x[:, None]) * weights[:, None]
        distances = (gaps**2).sum(axis=0)
        i, j = np.argsort(distances, kind="stable")[:2]
        if classes[i] != own and classes[j] == own:
            total += distances[j] - distances[i]
    return total


def state(seed=0):
    X, y = two_classes(600, seed=seed)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    labels = MDAV(8).fit_predict(X)
    means = Centroid().aggregate(X, labels)[np.unique(labels, return_index=True)[1]]
    return X, y, np.ascontiguousarray(means.T), majority_classes(labels, y)


@for_each("seed", range(5))
def test_each_step_lowers_the_cost_of_its_record(seed):
    X, y, prototypes, classes = state(seed)
    weights, moved = np.ones(2), 0
    for row in range(len(X)):
        before = cost(X[[row]], y[[row]], prototypes, classes, weights)
        order = np.array([row])
        n = learn(X, y, order, prototypes, classes, weights, (1e-3, 1e-4), 0.5)
        after = cost(X[[row]], y[[row]], prototypes, classes, weights)
        assert after < before if n else after == before
        moved += n
    assert moved > 0


@pytest.mark.parametrize("seed", range(4))
def test_the_whole_cost_falls(seed):
    X, y, prototypes, classes = state(seed)
    weights, order = np.ones(2), np.arange(600)
    costs = [cost(X, y, prototypes, classes, weights)]
    for _ in range(10):
        learn(X, y, order, prototypes, classes, weights, (0.03, 0.003), 0.0)
        costs.append(cost(X, y, prototypes, classes, weights))
    assert costs[1] < costs[0]
    assert costs[-1] < 0.5 * costs[0]


def test_one_step_by_hand():
    X, y = np.array([[2.0, 1.0]]), np.array([1])
    prototypes = np.array(
        [[1.0, 4.0], [1.0, 1.0]]
    )  # columns: m_i = (1, 1), m_j = (4, 1)
    weights = np.array([2.0, 1.0])
    learn(X, y, np.array([0]), prototypes, np.array([0, 1]), weights, (0.1, 0.01), 0.4)
    assert_allclose(prototypes[:, 0], [1.0 - 0.1 * 4 * (2 - 1), 1.0])
    assert_allclose(prototypes[:, 1], [4.0 + 0.1 * 4 * (2 - 4), 1.0])
    assert_allclose(weights, [2.0 - 0.01 * 2 * (2**2 - 1**2), 1.0])


def test_steps_follow_the_gradient_of_the_cost():
    rng = np.random.default_rng(0)
    X, y, classes = rng.normal(size=(1, 3)), np.array([1]), np.array([0, 1])
    weights = np.array([0.5, 1.5, 1.0])
    prototypes = np.column_stack([X[0] + 0.5, X[0] - 0.8])
    moved, learnt = prototypes.copy(), weights.copy()
    learn(X, y, np.array([0]), moved, classes, learnt, (1e-6, 1e-6), 0.0)
    step = 1e-5
    for place in np.ndindex(prototypes.shape):
        nudged = prototypes.copy()
        nudged[place] += step
        slope = cost(X, y, nudged, classes, weights)
        slope -= cost(X, y, prototypes, classes, weights)
        found = (moved - prototypes)[place] / 1e-6
        assert found == pytest.approx(-slope / step / 2, abs=1e-3)
    for j in range(3):
        nudged = weights.copy()
        nudged[j] += step
        slope = cost(X, y, prototypes, classes, nudged)
        slope -= cost(X, y, prototypes, classes, weights)
        found = (learnt - weights)[j] / 1e-6
        assert found == pytest.approx(-slope / step / 2, abs=1e-3)


def test_prototypes_that_no_record_moves_stay():
    X, y = two_classes(400)
    far = np.full((8, 2), 50.0)  # a cell far away from all others
    X, y = np.r_[X, far], np.r_[y, np.zeros(8, dtype=int)]
    labels = MDAV(8).fit_predict(X)
    part = WeightedLVQ2(random_state=0)
    released = part.aggregate(X, labels, y)
    assert part.n_moves_.sum() > 0 and part.feature_weights_.min() < 1
    assert_array_equal(released[-8:], far)


def test_records_outside_the_window_move_nothing():
    X, y = np.array([[2.0]]), np.array([1])
    for least, n_moves in ((0.45, 1), (0.5, 0), (0.6, 0)):  # the ratio is 1 / 2
        prototypes = np.array([[1.0, 4.0]])
        rates = (0.1, 0.1)
        classes, order = np.array([0, 1]), np.array([0])
        found = learn(X, y, order, prototypes, classes, np.ones(1), rates, least)
        assert found == n_moves


def test_two_nearest_go_to_the_earlier_on_ties():
    prototypes = np.array([[5.0, 1.0, 3.0, 1.0]])
    found = two_nearest(prototypes, np.array([2.0]), np.ones(1), np.empty(4))
    assert found == (1, 2)


def test_weight_of_a_noise_column_falls():
    X, y = two_classes(600, noise_columns=1)
    labels = MDAV(6).fit_predict(X)
    part = WeightedLVQ2(random_state=0)
    part.aggregate(X, labels, y)
    told, noise = part.feature_weights_
    assert noise < 1 < told
    assert np.mean(part.feature_weights_**2) == pytest.approx(1)


@given(table=tables_and_k(elements=any_values))
def test_cells_stay_and_are_released_alike(table):
    X, k = table
    labels, y = MDAV(k).fit_predict(X), np.arange(len(X)) % 2
    for part in (
        WeightedLVQ2(n_passes=3, random_state=0),
        WeightedLVQ2(DensityPeaks(), per_column=True, n_passes=3, random_state=0),
    ):
        released = part.aggregate(X, labels, y)
        first = np.unique(labels, return_index=True)[1]
        assert_array_equal(released, released[first][labels])


def test_without_wrong_neighbours_means_are_released():
    X = np.r_[gaussian(20, 2), gaussian(20, 2, seed=1) + 100]
    y = np.repeat([0, 1], 20)
    labels = MDAV(5).fit_predict(X)
    part = WeightedLVQ2(random_state=0)
    assert_array_equal(part.aggregate(X, labels, y), Centroid().aggregate(X, labels))
    assert part.n_outside_ == 0 and part.notices_ == []


def test_prototypes_outside_their_cell_are_counted_and_shown():
    X, y = two_classes(300)
    labels = MDAV(3).fit_predict(X)
    part = WeightedLVQ2(rate=0.5, random_state=0)
    released = part.aggregate(X, labels, y)
    outside = 0
    for cell in range(labels.max() + 1):
        rows = X[labels == cell]
        value = released[labels == cell][0]
        outside += bool(
            (value < rows.min(axis=0)).any() | (value > rows.max(axis=0)).any()
        )
    assert part.n_outside_ == outside > 0
    assert part.notices_[0].startswith(f"{outside} of {labels.max() + 1} cells")


def test_columns_alone_share_prototypes_where_they_start_alike():
    X, y = two_classes(300)
    labels = MDAV(3).fit_predict(X)
    start = DensityPeaks().aggregate(X, labels)
    part = WeightedLVQ2(DensityPeaks(), per_column=True, random_state=0)
    released = part.aggregate(X, labels, y)
    for j in range(2):
        pairs = np.unique(np.column_stack([start[:, j], released[:, j]]), axis=0)
        assert len(pairs) == len(np.unique(start[:, j]))
    assert_array_equal(part.feature_weights_, [1, 1])


def test_seed_decides():
    X, y = two_classes(200)
    labels = MDAV(3).fit_predict(X)

    def released(seed):
        return WeightedLVQ2(random_state=seed).aggregate(X, labels, y)

    assert_array_equal(released(1), released(1))
    assert not np.array_equal(released(1), released(2))


def test_class_of_a_cell_is_that_of_most_records():
    labels = np.array([0, 0, 0, 1, 1, 2])
    assert majority_classes(labels, np.array([1, 1, 0, 2, 1, 0])).tolist() == [1, 1, 0]


def test_scale_of_columns_changes_nothing():
    X, y = two_classes(200)
    labels = MDAV(3).fit_predict(X)
    part = WeightedLVQ2(random_state=0)
    plain = part.aggregate(X, labels, y)
    scaled = part.aggregate(X * [1e-3, 1e5] + [0, 7e6], labels, y)
    assert_allclose((scaled - [0, 7e6]) / [1e-3, 1e5], plain, atol=1e-6)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y"),
        (np.linspace(0, 1, 12), "Prototypes learn from classes"),
        (np.arange(11) % 2, "inconsistent numbers of samples"),
    ],
)
def test_bad_target(y, message):
    with pytest.raises(ValueError, match=message):
        WeightedLVQ2().aggregate(gaussian(12, 2), np.arange(12) // 3, y)


@pytest.mark.parametrize(
    "parameters",
    [{"window": 1.5}, {"rate": -1}, {"weight_rate": "fast"}, {"n_passes": 0}],
)
def test_bad_parameters(parameters):
    X, y = two_classes(60)
    with pytest.raises(ValueError, match=f"'{next(iter(parameters))}' parameter"):
        WeightedLVQ2(**parameters).aggregate(X, MDAV(3).fit_predict(X), y)


def test_a_step_in_the_weighted_space_by_hand():
    X, y = np.array([[2.0, 1.0]]), np.array([1])
    prototypes = np.array([[2.0, 8.0], [1.0, 1.0]])  # W times (1, 1) and (4, 1)
    weights, order = np.array([2.0, 1.0]), np.array([0])
    of_class = np.array([0, 1])
    learn(X, y, order, prototypes, of_class, weights, (0.1, 0.01), 0.4, True)
    assert_allclose(prototypes[0], [2.0 - 0.1 * (4 - 2), 8.0 + 0.1 * (4 - 8)])
    assert_allclose(weights, [2.0 - 0.01 * 2 * (2.0 - 8.0), 1.0])


def test_steps_in_the_weighted_space_follow_the_gradient():
    """Of |W x - m_j|^2 - |W x - m_i|^2, halved, by differences."""
    rng = np.random.default_rng(0)
    x, m, w = rng.normal(size=3), rng.normal(size=(3, 2)), np.array([0.5, 1.5, 1.0])
    if np.sum((w * x - m[:, 0]) ** 2) > np.sum((w * x - m[:, 1]) ** 2):
        m = m[:, ::-1].copy()  # the wrong one is nearer

    def cost_of(m, w):
        return np.sum((w * x - m[:, 1]) ** 2) - np.sum((w * x - m[:, 0]) ** 2)

    moved, learnt, order = m.copy(), w.copy(), np.array([0])
    of_class = np.array([0, 1])
    learn(x[None], np.array([1]), order, moved, of_class, learnt, (1, 1), 0.0, True)
    step = 1e-6
    for place in np.ndindex(3, 2):
        nudged = m.copy()
        nudged[place] += step
        slope = (cost_of(nudged, w) - cost_of(m, w)) / step
        assert (moved - m)[place] == pytest.approx(-slope / 2, abs=1e-4)
    for j in range(3):
        nudged = w.copy()
        nudged[j] += step
        slope = (cost_of(m, nudged) - cost_of(m, w)) / step
        assert (learnt - w)[j] == pytest.approx(-slope / 2, abs=1e-4)


def slow_regrouped(near, far, k):
    """Records to the nearest prototype; the smallest cell is emptied while below k."""
    cells = [int(np.argmin([((x - m) ** 2).sum() for m in far])) for x in near]
    while True:
        sizes = {c: cells.count(c) for c in sorted(set(cells))}
        smallest = min(sizes, key=lambda c: (sizes[c], c))
        if sizes[smallest] >= k:
            return np.array(cells)
        others = [c for c in sizes if c != smallest]
        cells = [
            c
            if c != smallest
            else min(others, key=lambda o: (((x - far[o]) ** 2).sum(), o))
            for x, c in zip(near, cells, strict=True)
        ]


@pytest.mark.parametrize("codewords", ["cells", "k-means"])
@pytest.mark.parametrize("k", [2, 5])
def test_records_go_to_the_nearest_prototype_and_k_is_kept(k, codewords):
    X, y = two_classes(150, seed=3)
    part = WeightedLVQ2(membership="reassign", codewords=codewords, random_state=0)
    plan = Microaggregator(CTCA(k, views=None), aggregate=part)
    released = plan.fit_transform(X, y)
    labels = plan.labels_
    assert np.bincount(labels).min() >= k
    first = np.unique(labels, return_index=True)[1]
    assert_array_equal(released, released[first][labels])
    weights = plan.aggregate_.feature_weights_ / X.std(axis=0)
    expected = slow_regrouped(X * weights, released[first] * weights, k)
    assert_array_equal(expected, labels)  # cells that were emptied are gone


def test_records_of_other_cells_do_not_change_them():
    X, y = two_classes(60)
    part = WeightedLVQ2(membership="reassign", random_state=0)
    for cells in (MDAV(3), KDECells(3)):
        with pytest.raises(ValueError, match="units of a map"):
            Microaggregator(cells, aggregate=part).fit(X, y)
    mixed = ByColumn([(part, [0]), (Mode(), [1])])
    with pytest.raises(ValueError, match="some are not numbers"):
        Microaggregator(CTCA(3), aggregate=mixed).fit(X, y)


def test_a_second_round_is_longer_and_gentler():
    rates = LVQSettings(n_passes=2, rate=0.1, second_round=True).rates()
    assert len(rates) == 22
    assert_allclose(rates[[0, 1, 2, 21]], [0.1, 0.05, 0.01, 0.0005])
