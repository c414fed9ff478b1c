import numpy as np
import pytest
from tables import gaussian

from microcell import METHODS
from microcell.metrics import (
    combined_utility_score,
    separability_score,
    structural_score,
    weighted_utility,
)


@pytest.fixture
def masked():
    X = gaussian(100, 3)
    y = (X[:, 0] > 0).astype(int)
    return X, METHODS["mdav"](7).fit_transform(X), y


@pytest.mark.parametrize("tested_on", ["original", "released"])
@pytest.mark.parametrize("alpha", [0, 0.25, 1])
def test_weighted_mean_of_both(masked, alpha, tested_on):
    of_classes = separability_score(*masked, tested_on=tested_on, n_folds=5)
    of_columns = structural_score(*masked[:2], normalise="across_columns")
    found = combined_utility_score(
        *masked,
        alpha=alpha,
        tested_on=tested_on,
        normalise="across_columns",
        n_folds=5,
    )
    assert found == pytest.approx(alpha * of_classes + (1 - alpha) * of_columns)


def test_the_default_is_half_and_half_on_original_records(masked):
    both = separability_score(*masked), structural_score(*masked[:2])
    assert combined_utility_score(*masked) == pytest.approx(np.mean(both))


def test_folds_can_be_drawn_anew(masked):
    found = {combined_utility_score(*masked, random_state=seed) for seed in range(5)}
    assert len(found) > 1


def test_alpha_is_a_share():
    with pytest.raises(ValueError, match="'alpha' parameter must be a number between"):
        weighted_utility(0.5, 0.5, alpha=1.5)
