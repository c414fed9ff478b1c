"""Draws of a search: the same on every machine, for no library function is called."""

import numpy as np

from microcell.kernels.compiled import njit

ONE_OF_2_TO_53 = 1.0 / 9007199254740992.0


def seeded(seed: int | tuple[int, int, int]) -> np.ndarray:
    """State of the draws of one search, never zero.

    Examples
    --------
    >>> state = seeded(7)
    >>> drawn_below(state, 10) < 10
    True
    """
    return np.random.SeedSequence(seed).generate_state(1, np.uint64) | np.uint64(1)


@njit(cache=True, nogil=True)
def drawn_bits(state):
    """The next 64 bits: Marsaglia's xorshift."""
    bits = state[0]
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    state[0] = bits
    return bits


@njit(cache=True, nogil=True)
def drawn_below(state, n):
    """A whole number from 0 to n - 1, for n below 2^32."""
    high = drawn_bits(state) >> np.uint64(32)
    return np.int64((high * np.uint64(n)) >> np.uint64(32))


@njit(cache=True, nogil=True)
def is_accepted(change, temperature, state):
    """Whether a move is made: always if it lowers the SSE, else by Metropolis' rule.

    A temperature below zero demands that it lowers the SSE by that much. The chance is
    exp(-z) of z = change / temperature, by a polynomial of z / 8 that is raised to the
    eighth power: libraries round their exponentials differently.
    """
    if change < 0.0 or temperature <= 0.0:
        return change < min(temperature, 0.0)
    if change >= 30.0 * temperature:
        return False
    part = 0.125 * change / temperature
    power = 1.0 + part * (1.0 + part * (0.5 + part * (1 / 6 + part * (1 / 24))))
    power *= power
    power *= power
    power *= power
    return (drawn_bits(state) >> np.uint64(11)) * ONE_OF_2_TO_53 * power < 1.0
