"""Points near which searches for the farthest record have begun before.

Where records lie in clusters, the farthest ones are asked for from the same few places
again and again, and many boxes of a cluster on the other side are about equally far.
Their sides do not tell which is the farthest, but what an earlier search has found
does: a record at most r from an outpost p is within

    r^2 + |s - p|^2 + 2 (p - s) (x - p)

of a point s, squared, and the last term is small if s is near p. An outpost remembers
the r of each box. It learns them as searches open boxes, and never forgets: records
only leave, so an old r still holds. Where searches are expensive a new outpost takes
the place of the one that was used longest ago.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import squared_distance

N_OUTPOSTS = 8
NEAR_OUTPOST = 0.25  # an outpost helps from so far, as a share of the records' radius
CHEAP = 24  # boxes that a search may open for nothing
COST = 4000  # boxes that searches open beyond that before an outpost is set up
CLOCK, SPENT = range(2)


class Outposts(NamedTuple):
    """What outposts know about the boxes of a tree.

    Attributes
    ----------
    points : ndarray of shape (N_OUTPOSTS, n_measured)
    radius : float32 ndarray of shape (N_OUTPOSTS, n_groups, LANES)
        No free record of a box is farther from the outpost; infinity if it is not
        known.
    last_used : ndarray of shape (N_OUTPOSTS,)
        When each was set up or used; 0 for one that is not there.
    state : ndarray of shape (2,)
        The CLOCK, which counts searches, and boxes SPENT since the last was set up.
    cheap, cost : int
        Boxes that a search opens for nothing, and how many beyond that are spent before
        an outpost is set up.
    """

    points: np.ndarray
    radius: np.ndarray
    last_used: np.ndarray
    state: np.ndarray
    cheap: int
    cost: int


def make_outposts(n_measured, n_groups, lanes):
    """No outposts yet, for a tree of so many groups of boxes."""
    return Outposts(
        np.zeros((N_OUTPOSTS, n_measured)),
        np.empty((N_OUTPOSTS, n_groups, lanes), dtype=np.float32),
        np.zeros(N_OUTPOSTS, dtype=np.int64),
        np.array([1, 0]),
        CHEAP,
        COST,
    )


@njit(cache=True, nogil=True)
def nearest_outpost(outposts, point, radius):
    """The outpost nearest to `point`, or -1 if none is near.

    Parameters
    ----------
    radius : float
        How far the free records reach from their centre.
    """
    state, last_used = outposts.state, outposts.last_used
    state[CLOCK] += 1
    best, best_distance = -1, NEAR_OUTPOST * NEAR_OUTPOST * radius * radius
    for i in range(last_used.shape[0]):
        if last_used[i] > 0:
            distance = squared_distance(outposts.points[i], point)
            if distance < best_distance:
                best, best_distance = i, distance
    if best >= 0:
        last_used[best] = state[CLOCK]
    return best


@njit(cache=True, nogil=True)
def count_search(outposts, point, visits):
    """Note what a search has cost; set up an outpost where it began if it is time."""
    state, last_used = outposts.state, outposts.last_used
    if visits <= outposts.cheap:
        return
    state[SPENT] += visits - outposts.cheap
    if state[SPENT] > outposts.cost:
        oldest = np.argmin(last_used)
        outposts.points[oldest] = point
        outposts.radius[oldest] = np.inf
        last_used[oldest] = state[CLOCK]
        state[SPENT] = 0
