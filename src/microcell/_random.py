"""Random numbers: one way from `random_state` to a generator."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from microcell.exceptions import ParameterError

CELLS, NOISE, ATTACKS = 1, 2, 3
"""What draws are for: the same seed gives each purpose draws of its own."""


def random_generator(random_state: Any, purpose: int) -> np.random.Generator:
    """A generator for one purpose, from what users give as `random_state`.

    Parameters
    ----------
    random_state : None, int, RandomState or Generator
        None takes fresh entropy from the operating system, which is what noise that
        protects people needs; whoever knows a seed can subtract the noise.
    purpose : int
        One of the constants above.

    Examples
    --------
    >>> random_generator(7, NOISE).random() == random_generator(7, NOISE).random()
    True
    >>> random_generator(7, NOISE).random() == random_generator(7, CELLS).random()
    False
    """
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.RandomState):
        return np.random.Generator(random_state._bit_generator)
    is_bool = isinstance(random_state, (bool, np.bool_))
    is_seed = isinstance(random_state, numbers.Integral) and not is_bool
    if not is_seed or random_state < 0:
        raise ParameterError(
            "random_state",
            "must be None, an integer >= 0 or a random generator of numpy.",
        )
    return np.random.default_rng((purpose, int(random_state)))
