"""What a claim comes to."""


def verdict(shares):
    """Holds in all cases, in some, or in none.

    Examples
    --------
    >>> verdict([1.0, 1.0]), verdict([1.0, 0.3]), verdict([0.0])
    ('holds', 'holds in part', 'does not hold')
    """
    if min(shares) == 1:
        return "holds"
    return "does not hold" if max(shares) == 0 else "holds in part"
