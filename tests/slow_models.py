"""The models written from their definitions, over lists of values, one cell a time."""

import math
from collections import Counter

import numpy as np
from scipy.optimize import linprog


def shares(values):
    return {value: n / len(values) for value, n in Counter(values).items()}


def distinct(cell, table):
    return len(set(cell))


def entropy_l(cell, table):
    return math.exp(-sum(p * math.log(p) for p in shares(cell).values()))


def recursive(cell, table, least):
    counts = sorted(Counter(cell).values(), reverse=True)
    tail = sum(counts[least - 1 :])
    return counts[0] / tail if tail else math.inf


def alpha(cell, table):
    return max(shares(cell).values())


def delta(cell, table):
    p = shares(cell)
    if any(value not in p for value in table):
        return math.inf
    return max(abs(math.log(p[v] / q)) for v, q in shares(table).items())


def beta(cell, table):
    p, q = shares(cell), shares(table)
    return max(0, *((p.get(v, 0) - q[v]) / q[v] for v in q))


def enhanced_beta(cell, table):
    """Least beta of a fine search that the class keeps; infinite if none does."""
    p, q = shares(cell), shares(table)
    gains = [((p[v] - q[v]) / q[v], -math.log(q[v])) for v in p if p[v] > q[v]]
    if any(gain > most for gain, most in gains):
        return math.inf
    return max([0.0, *(gain for gain, _ in gains)])


def earth_movers(cell, table, ground):
    """The cheapest way to move one distribution to the other, by linear programming."""
    values = sorted(set(table))
    p, q = shares(cell), shares(table)
    m = len(values)
    if m == 1:
        return 0.0
    cost = [ground(a, b, values) for a in values for b in values]
    moves = np.arange(m * m).reshape(m, m)
    limits, right = np.zeros((2 * m, m * m)), np.zeros(2 * m)
    for i, value in enumerate(values):
        limits[i, moves[i]] = 1
        limits[m + i, moves[:, i]] = 1
        right[i], right[m + i] = p.get(value, 0), q[value]
    return linprog(cost, A_eq=limits[:-1], b_eq=right[:-1]).fun


def equal_ground(a, b, values):
    return float(a != b)


def ordered_ground(a, b, values):
    return abs(values.index(a) - values.index(b)) / (len(values) - 1)


def related_ground(ancestors, height):
    """Height of the lowest common ancestor; all values are equally deep."""

    def ground(a, b, values):
        if a == b:
            return 0.0
        pairs = zip(ancestors[a], ancestors[b], strict=True)
        return next(i + 1 for i, (x, y) in enumerate(pairs) if x == y) / height

    return ground
