"""Sums without rounding: the same in any order and from any parts.

A float is an integer of 53 bits times a power of two, so sums of floats and of their
squares are whole numbers of a smallest unit. Pieces are added to limbs of 32 bits that
are wide enough to wait with their carries until the end.
"""

import numpy as np

from microcell.kernels.compiled import njit

MIN_EXPONENT = -1074  # floats are multiples of 2 to this power
BITS = 32  # of a limb
MASK = (1 << BITS) - 1
LIMBS = 68  # of sums: 2100 bits and carries
SQUARE_LIMBS = 136
SUMMED_AT_ONCE = 1 << 26  # values before carries could overflow
HALF_BITS = 27


@njit(cache=True, nogil=True)
def _add(limbs, piece, place):
    """Add an integer of less than 2^56, times 2^place."""
    limb, shift = place >> 5, place & 31
    low = (piece & MASK) << shift
    high = (piece >> BITS) << shift
    limbs[limb] += low & MASK
    limbs[limb + 1] += (low >> BITS) & MASK
    limbs[limb + 1] += high & MASK
    limbs[limb + 2] += high >> BITS


@njit(cache=True, nogil=True)
def _sum_into(bits, sums, squares):
    """Add floats, given by their bits; their number, without those that are NaN."""
    n_values = 0
    for word in bits:
        exponent = (word >> 52) & 0x7FF
        mantissa = word & 0xFFFFFFFFFFFFF
        if exponent == 0x7FF:
            continue
        n_values += 1
        if exponent == 0:
            exponent = 1  # as small as floats can be
        else:
            mantissa |= 0x10000000000000
        if mantissa == 0:
            continue
        place = exponent - 1
        _add(sums, -mantissa if word < 0 else mantissa, place)
        high, low = mantissa >> HALF_BITS, mantissa & ((1 << HALF_BITS) - 1)
        _add(squares, high * high, 2 * place + 2 * HALF_BITS)
        _add(squares, 2 * high * low, 2 * place + HALF_BITS)
        _add(squares, low * low, 2 * place)
    return n_values


def exact_sums(values):
    """How many values there are, their sum, and the sum of their squares.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Floats; NaN is left out.

    Returns
    -------
    n_values, total, squares : int
        The sum in units of 2^-1074, that of squares in units of 2^-2148.

    Examples
    --------
    >>> n_values, total, squares = exact_sums(np.array([1.5, np.nan, -0.5]))
    >>> n_values, total / 2**1074, squares / 2**2148
    (2, 1.0, 2.5)
    """
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    n_values = total = total_squares = 0
    for start in range(0, len(bits), SUMMED_AT_ONCE):
        sums = np.zeros(LIMBS, dtype=np.int64)
        squares = np.zeros(SQUARE_LIMBS, dtype=np.int64)
        n_values += _sum_into(bits[start : start + SUMMED_AT_ONCE], sums, squares)
        total += _whole(sums)
        total_squares += _whole(squares)
    return n_values, total, total_squares


def _whole(limbs):
    return sum(limb << (BITS * place) for place, limb in enumerate(limbs.tolist()))
