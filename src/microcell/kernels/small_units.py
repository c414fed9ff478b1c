"""Units with too few records give them to others, as in C-TCA."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import squared_distance


@njit(cache=True, nogil=True)
def empty_small_units(X, prototypes, units, k):
    """Give the records of units with fewer than k to others; `units` is changed."""
    n_units = prototypes.shape[0]
    sizes = np.zeros(n_units, dtype=np.int64)
    for i in range(units.shape[0]):
        sizes[units[i]] += 1
    while True:
        smallest = -1
        for unit in range(n_units):
            if sizes[unit] > 0 and (smallest < 0 or sizes[unit] < sizes[smallest]):
                smallest = unit
        if sizes[smallest] >= k:
            return
        sizes[smallest] = 0
        for i in range(units.shape[0]):
            if units[i] == smallest:
                nearest, least = -1, np.inf
                for unit in range(n_units):
                    if sizes[unit] > 0:
                        distance = squared_distance(X[i], prototypes[unit])
                        if distance < least or nearest < 0:
                            nearest, least = unit, distance
                units[i] = nearest
                sizes[nearest] += 1
