import numpy as np
from numpy.testing import assert_array_equal
from partition.rounds import of_mdav, plain
from tables import gaussian

from microcell.partition import CBFS


def test_large_tables_and_codes_go_by_the_index():
    X = gaussian(6000, 3)
    X[:, 2] = np.floor(X[:, 2])
    labels, rows, n_cells = plain(of_mdav, X, 5, len(X) + 1)
    labels[rows] = n_cells  # there are k of them
    assert_array_equal(CBFS(5).fit_predict(X), labels)
    expanded = np.column_stack([X[:, :2], (X[:, 2:] == np.unique(X[:, 2])) / 2**0.5])
    coded = CBFS(5, categorical_features=[2]).fit_predict(X[:1000])
    assert_array_equal(coded, CBFS(5).fit_predict(expanded[:1000]))
