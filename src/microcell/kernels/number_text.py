"""Text that is all plain numbers, found in one pass over its bytes.

The patterns of numbers say the same, one pass for each question.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.compiled import njit

PLUS, MINUS, POINT, ZERO, NINE = (np.uint8(ord(c)) for c in "+-.09")
SMALL_E, LARGE_E = (np.uint8(ord(c)) for c in "eE")


class NumberText(NamedTuple):
    """What texts look like.

    Attributes
    ----------
    numbers : bool
        Whether all are plain numbers as they stand: ASCII digits with a sign, a point
        and an exponent or without, and no spaces. If not, nothing else is known.
    whole : int
        How many have neither a point nor an exponent.
    zero_led : bool
        Whether one begins with a zero and another digit, as codes do.
    """

    numbers: bool
    whole: int
    zero_led: bool


def look_at_numbers(data, offsets):
    """Whether texts are plain numbers, and of which sort.

    Parameters
    ----------
    data : ndarray of uint8
        Bytes of all texts.
    offsets : ndarray of shape (n_texts + 1,)
        Where each begins, and the last ends.

    Returns
    -------
    looks : NumberText

    Examples
    --------
    >>> data = np.frombuffer(b"12-0.5e3", dtype=np.uint8)
    >>> look_at_numbers(data, np.array([0, 2, 8]))
    NumberText(numbers=True, whole=1, zero_led=False)
    >>> look_at_numbers(data, np.array([0, 3, 8])).numbers
    False
    """
    return NumberText(*scan_numbers(data, offsets))


@njit(cache=True, nogil=True)
def after_digits(data, at, end):
    """The first place from `at` on that holds no digit."""
    while at < end and ZERO <= data[at] <= NINE:
        at += 1
    return at


@njit(cache=True, nogil=True)
def after_sign(data, at, end):
    """The place after a sign, if there is one."""
    if at < end and (data[at] == PLUS or data[at] == MINUS):
        return at + 1
    return at


@njit(cache=True, nogil=True)
def scan_numbers(data, offsets):
    """Fields of `NumberText`; stops at the first text that is no plain number."""
    n_whole, zero_led = 0, False
    for i in range(offsets.shape[0] - 1):
        end = offsets[i + 1]
        first = after_sign(data, offsets[i], end)
        at = after_digits(data, first, end)
        n_digits = at - first
        zero_led = zero_led or (n_digits > 1 and data[first] == ZERO)
        if at == end and n_digits > 0:
            n_whole += 1
            continue
        if at < end and data[at] == POINT:
            point = at
            at = after_digits(data, at + 1, end)
            n_digits += at - point - 1
        if n_digits == 0:
            return False, 0, False
        if at < end and (data[at] == SMALL_E or data[at] == LARGE_E):
            power = after_sign(data, at + 1, end)
            at = after_digits(data, power, end)
            if at == power:
                return False, 0, False
        if at < end:
            return False, 0, False
    return True, n_whole, zero_led
