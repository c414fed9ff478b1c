"""A subset of the tests of kernels, run by Python itself.

Compiled code reads beyond an array or past the largest integer without a word; run by
Python the same line is an error.
"""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
SUBSET = [
    "kernels/test_distinct.py",
    "kernels/test_outer_shell.py",
    "kernels/test_free_records.py",
    "partition/test_twins.py::test_same_cells_as_slow_twin_on_ties",
    "partition/test_rounds.py::test_same_cells_on_small_grids",
    "partition/test_rounds.py::test_same_cells_on_small_tables",
    "partition/test_mondrian.py::test_same_cells_as_slow_twin_on_ties",
    "partition/test_mondrian.py::test_selection",
    "partition/test_optimal_univariate.py::test_many_columns_along_an_order",
    "partition/test_vmdav.py::test_same_cells_as_slow_twin_on_ties",
    "partition/test_vmdav.py::test_indexed_path_closes_the_same_cells",
    "compose/test_units_apart.py::test_mdav_has_the_cells_of_its_slow_twin",
    "compose/test_units_apart.py::test_each_cell_has_k_units",
    "refine/test_moves.py",
    "refine/test_owners.py::test_moves_keep_k_units",
    "refine/test_descent.py::test_no_transfer_or_swap_gains_at_the_end",
    "metrics/test_distance_linkage.py::test_equal_to_all_pairs_on_ties",
    "metrics/test_distance_linkage.py::test_codes_are_one_unit_apart",
    "metrics/test_probabilistic_linkage.py::test_greedy_links_equal_to_the_plain_way",
    "metrics/test_probabilistic_linkage.py::test_optimal_links_equal_to_the_plain_way",
]
EMPTY = "ignore:invalid value:RuntimeWarning"  # sides of empty boxes are infinite


def test_kernels_are_right_without_compilation():
    settings = {"NUMBA_DISABLE_JIT": "1", "MICROCELL_EXAMPLES": "few"}
    options = ["-q", "-p", "no:cacheprovider", "-W", EMPTY]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *SUBSET],
        cwd=TESTS,
        env=os.environ | settings,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
