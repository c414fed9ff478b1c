"""Rounds of MDAV and V-MDAV, to call one path or the other with."""

from microcell.kernels.codes import no_codes
from microcell.partition._mdav import mdav_rounds
from microcell.partition._mdav_kernel import indexed_mdav_rounds
from microcell.partition._rounds import Rounds, indexed_cells, place_rest, plain_cells
from microcell.partition._vmdav import outermost_first, rounds_in_turn


def of_mdav(X, k, codes, pairs_from):
    return Rounds(mdav_rounds, indexed_mdav_rounds, 2 * k, (pairs_from,), in_order=True)


def of_vmdav(X, k, codes, gamma):
    return rounds_in_turn(outermost_first(X, codes), k, gamma, in_order=True)


def plain(rounds, X, k, option, codes=None):
    codes = no_codes(X.shape[1]) if codes is None else codes
    return plain_cells(X, k, codes, rounds(X, k, codes, option))


def indexed(rounds, X, k, option, codes=None, **options):
    codes = no_codes(X.shape[1]) if codes is None else codes
    return indexed_cells(X, k, codes, rounds(X, k, codes, option), **options)


def plain_mdav_labels(X, k):
    """Labels of MDAV by scans, whatever the size of the table."""
    return place_rest(X, k, no_codes(X.shape[1]), plain(of_mdav, X, k, 3 * k))
