import numpy as np
import pytest
from marks import for_each

from microcell.kernels.compiled import njit
from microcell.refine._draws import drawn_below, drawn_bits, is_accepted, seeded

MOST_OFF = 5e-5  # a chance that a polynomial gives


def test_draws_are_the_same_for_the_same_seed_only():
    def draws(seed):
        state = seeded(seed)
        return [int(drawn_bits(state)) for _ in range(5)]

    assert draws(7) == draws(7)
    assert len({tuple(draws(seed)) for seed in (0, 1, 2**62, (0, 1), (1, 2))}) == 5


def test_the_state_is_never_zero():
    assert all(seeded(seed)[0] > 0 for seed in range(200))


@for_each("n", [1, 2, 16, 1000, 2**32 - 1])
def test_below_n(n):
    state = seeded(3)
    drawn = np.array([drawn_below(state, n) for _ in range(4000)])
    assert drawn.min() >= 0 and drawn.max() < n
    if n == 16:
        counts = np.bincount(drawn, minlength=16)
        assert ((counts - 250) ** 2 / 250).sum() < 45  # chi-squared, 15 degrees: 1e-4
    if n > 999:
        assert drawn.mean() / n == pytest.approx(0.5, abs=0.02)


@njit(cache=False)
def times_accepted(change, temperature, state, n):
    times = 0
    for _ in range(n):
        times += is_accepted(change, temperature, state)
    return times


@for_each("z", [0.0, 0.05, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0])
def test_metropolis_rule(z):
    n, chance = 1_000_000, np.exp(-z)
    error = 4 * np.sqrt(chance * (1 - chance) / n) + MOST_OFF
    share = times_accepted(2.0 * z, 2.0, seeded(11), n) / n
    assert share == pytest.approx(chance, abs=error)


def test_the_polynomial_is_near_the_exponential():
    """The same sums as the kernel's, as a chance and not by draws."""
    z = np.linspace(0, 30, 3001)
    part = z / 8
    power = 1 + part * (1 + part * (0.5 + part * (1 / 6 + part / 24)))
    assert abs(power**-8 - np.exp(-z)).max() < MOST_OFF


def test_always_and_never():
    state = seeded(0)
    assert is_accepted(-1e-300, 1.0, state) and is_accepted(-1.0, 0.0, state)
    assert is_accepted(-2.0, -1.0, state)
    for change, temperature in [
        (0.0, 0.0),
        (1e-300, 0.0),
        (-1.0, -1.0),
        (-0.5, -1.0),
        (30.0, 1.0),
        (np.inf, 1.0),
        (np.inf, -1.0),
        (np.nan, 1.0),
        (np.nan, -1.0),
    ]:
        assert not is_accepted(change, temperature, state)
    assert is_accepted(0.0, 1.0, state)
