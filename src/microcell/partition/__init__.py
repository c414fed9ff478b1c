"""Ways to group records into cells of at least k."""

from microcell.partition._bottom_up import BottomUp
from microcell.partition._cbfs import CBFS
from microcell.partition._ctca import CTCA
from microcell.partition._dba import DBA
from microcell.partition._insensitive import Insensitive
from microcell.partition._kde_cells import KDECells
from microcell.partition._ktca import KTCA
from microcell.partition._maximum_distance import MaximumDistance
from microcell.partition._mdav import MDAV
from microcell.partition._mdav_kernel import close_one_cell as close_one_cell
from microcell.partition._mdav_kernel import mdav_rounds as mdav_rounds
from microcell.partition._mondrian import Mondrian
from microcell.partition._mu_approx import MuApprox
from microcell.partition._optimal_univariate import OptimalUnivariate
from microcell.partition._optimal_univariate import cut_order as cut_order
from microcell.partition._rounds import Rounds as Rounds
from microcell.partition._rounds import closed_cells as closed_cells
from microcell.partition._rounds import indexed_cells as indexed_cells
from microcell.partition._rounds import plain_cells as plain_cells
from microcell.partition._rounds import start_run as start_run
from microcell.partition._rounds_kernel import PlainRun as PlainRun
from microcell.partition._rounds_kernel import close_cell as close_cell
from microcell.partition._rounds_kernel import close_indexed_cell as close_indexed_cell
from microcell.partition._rounds_kernel import farthest_free as farthest_free
from microcell.partition._rounds_kernel import farthest_indexed as farthest_indexed
from microcell.partition._rounds_kernel import shell_is_old as shell_is_old
from microcell.partition._spanning_tree import SpanningTree
from microcell.partition._splitting import pieces_of_cells as pieces_of_cells
from microcell.partition._splitting import split_large_cells as split_large_cells
from microcell.partition._tfrp import TFRP
from microcell.partition._top_down import TopDown
from microcell.partition._tour import Tour
from microcell.partition._tour import nearest_path as nearest_path
from microcell.partition._vmdav import VMDAV

__all__ = [
    "CBFS",
    "CTCA",
    "DBA",
    "KTCA",
    "MDAV",
    "TFRP",
    "VMDAV",
    "BottomUp",
    "Insensitive",
    "KDECells",
    "MaximumDistance",
    "Mondrian",
    "MuApprox",
    "OptimalUnivariate",
    "SpanningTree",
    "TopDown",
    "Tour",
]
