"""pycanon, another implementation of these models, as a reference for ours.

It demands exact versions of numpy, pandas and others that are not ours, so it is in no
extra but in tests/references.txt, which `make test` installs without dependencies. The
definitions themselves are tested without it in test_models.py.
"""

import numpy as np
import pandas as pd
import pytest
from marks import for_each

from microcell.privacy import (
    AlphaAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    LDiversity,
    RecursiveDiversity,
    TCloseness,
    View,
)

reference = pytest.importorskip("pycanon.anonymity")
SEEDS = range(15)
pytestmark = pytest.mark.filterwarnings("ignore:In a future version, the keys of")


def random_table(seed, *, full=False):
    """A table of a few classes; `full` puts every value into every class."""
    rng = np.random.default_rng(seed)
    n, n_values = int(rng.integers(8, 60)), int(rng.integers(2, 5))
    ages, ill = rng.integers(0, 4, n), rng.integers(0, n_values, n)
    if full:
        pairs = np.array([(a, v) for a in range(4) for v in range(n_values)])
        ages, ill = np.r_[ages, pairs[:, 0]], np.r_[ill, pairs[:, 1]]
    words = np.array(["flu", "gout", "hiv", "cold", "none"])
    return pd.DataFrame({"age": ages, "ill": words[ill], "pay": 10 * ill**2})


def found(promise, table):
    view = View(table, ["age"], confidential=["ill", "pay"])
    return promise.verify(view).found


@for_each("seed", SEEDS)
def test_k_l_alpha_t_and_basic_beta_agree(seed):
    """The same definitions; t is equal for text and ordered for numbers in both."""
    table = random_table(seed)
    assert found(KAnonymity(2), table) == reference.k_anonymity(table, ["age"])
    for name in ("ill", "pay"):
        given = (table, ["age"], [name])
        assert found(LDiversity(2, name), table) == reference.l_diversity(*given)
        alpha, _ = reference.alpha_k_anonymity(*given)
        assert found(AlphaAnonymity(0.5, name), table) == alpha
        t = reference.t_closeness(*given)
        assert found(TCloseness(0.5, name), table) == pytest.approx(t, abs=1e-12)
        beta = reference.basic_beta_likeness(*given)
        assert found(BetaLikeness(1, name), table) == pytest.approx(beta, abs=1e-12)


@for_each("seed", SEEDS)
def test_entropy_l_is_cut_to_a_whole_number_there(seed):
    """pycanon gives int(exp(entropy)); ours keeps the fraction, so cut it here.

    Rounding of the exponential may cut 2 to 1 there, so a whole number of ours may be
    one more.
    """
    table = random_table(seed)
    ours = found(EntropyLDiversity(1, "ill"), table)
    theirs = reference.entropy_l_diversity(table, ["age"], ["ill"])
    assert theirs in ({int(ours), int(ours) - 1} if ours == int(ours) else {int(ours)})


@for_each("seed", SEEDS)
def test_delta_agrees_where_no_class_lacks_a_value(seed):
    """pycanon leaves out values that a class lacks; the paper's bound is about all."""
    table = random_table(seed, full=True)
    delta = reference.delta_disclosure(table, ["age"], ["ill"])
    assert found(DeltaDisclosure(1, "ill"), table) == pytest.approx(delta)
    lacks = table[(table["age"] > 0) | (table["ill"] == "flu")].reset_index(drop=True)
    assert found(DeltaDisclosure(1, "ill"), lacks) == np.inf
    assert np.isfinite(reference.delta_disclosure(lacks, ["age"], ["ill"]))


@for_each("seed", SEEDS)
def test_recursive_counts_start_with_the_rarest_there(seed):
    """pycanon sorts counts upwards, so its r_1 is the rarest value.

    The paper's r_1 is the most frequent. Where all values of a class are equally
    frequent there is no difference: its c is then the next whole number above ours.
    """
    rng = np.random.default_rng(seed)
    n_values = int(rng.integers(2, 5))
    repeats = rng.integers(1, 4, 3)
    ages = np.repeat(np.arange(3), repeats * n_values)
    ill = np.concatenate([np.tile(np.arange(n_values), r) for r in repeats])
    table = pd.DataFrame({"age": ages, "ill": ill.astype(str), "pay": ill})
    c, level = reference.recursive_c_l_diversity(table, ["age"], ["ill"])
    assert level == n_values
    assert c == np.floor(found(RecursiveDiversity(1, int(level), "ill"), table)) + 1
    uneven = pd.DataFrame({"age": 0, "ill": ["a", "a", "a", "b"], "pay": 0})
    assert found(RecursiveDiversity(1, 2, "ill"), uneven) == 3
    assert reference.recursive_c_l_diversity(uneven, ["age"], ["ill"])[0] == 1


@for_each("seed", SEEDS)
def test_enhanced_beta_is_another_number_there(seed):
    """pycanon gives min(basic beta, -ln of the rarest share): no bound that holds.

    The paper holds each value to min(beta, -ln p) of its own p. Ours is the least beta
    that holds, infinite where none does.
    """
    table = random_table(seed)
    basic = reference.basic_beta_likeness(table, ["age"], ["ill"])
    rarest = table["ill"].value_counts(normalize=True).min()
    theirs = reference.enhanced_beta_likeness(table, ["age"], ["ill"])
    assert theirs == pytest.approx(min(basic, -np.log(rarest)))
    ours = found(EnhancedBetaLikeness(1, "ill"), table)
    assert ours == np.inf or ours == pytest.approx(basic)
