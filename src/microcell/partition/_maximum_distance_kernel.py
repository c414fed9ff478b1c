"""Inner loop of maximum distance: arrays in, arrays out, no checks."""

from microcell.kernels.compiled import njit
from microcell.partition._farthest_pair_kernel import farthest_pair_at_once
from microcell.partition._mdav_kernel import close_around


@njit(cache=True, nogil=True)
def maximum_distance_rounds(run, classes, seen, n_free, n_cells, visits):
    """Close cells until fewer than 2k records are free or `visits` are spent.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    classes : ndarray of shape (n_samples,)
        Equal records have the same class.
    seen : ndarray of shape (n_classes,)
        SCRATCH: less than `n_cells`.
    n_free, n_cells, visits
        As in `mdav_rounds`.

    Returns
    -------
    n_free, n_cells : int
    """
    while n_free >= 2 * run.k and visits > 0:
        first, second, _, work = farthest_pair_at_once(
            run.free[:n_free], classes[run.rows[:n_free]], seen, n_cells
        )
        visits -= work + 2 * n_free
        n_free, n_cells = close_around(run, first, second, True, n_free, n_cells)
    return n_free, n_cells
