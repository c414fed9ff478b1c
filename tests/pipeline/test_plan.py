"""Methods that mask by themselves: what cannot be given to them is refused."""

import numpy as np
import polars as pl
import pytest
from marks import for_each
from sklearn.base import BaseEstimator, TransformerMixin

from microcell import Schema, anonymize
from microcell.exceptions import InputError
from microcell.privacy import PSensitivity

TABLE = pl.DataFrame(
    {
        "age": [20.0, 21.0, 22.0, 60.0, 61.0, 62.0],
        "region": ["n", "n", "n", "s", "s", "s"],
        "who": ["a", "b", "c", "d", "e", "f"],
        "ill": ["flu", "gout", "flu", "flu", "gout", "flu"],
    }
)
SCHEMA = Schema(["age"], identifiers="who", confidential="ill", others=["region"])


class Halves(TransformerMixin, BaseEstimator):
    """One mean for those below 40 and one for those above; nothing else is known."""

    def __init__(self, k=3):
        self.k = k

    def fit(self, X, y=None):
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X, y=None):
        self.labels_ = (X[:, 0] > 40).astype(np.int64)
        means = [X[self.labels_ == label].mean(axis=0) for label in (0, 1)]
        return np.array(means)[self.labels_]


def halves(k, scale=None):
    return Halves(k)


def test_a_method_that_masks_by_itself_is_held_to_k_anonymity():
    release = anonymize(TABLE, SCHEMA, k=3, method=halves)
    assert release.table["age"].to_list() == [21.0] * 3 + [61.0] * 3
    assert str(release.findings[0]) == "k-anonymity: promised 3, found 3"


@for_each(
    "option",
    [
        {"strata": "region"},
        {"unit": "who"},
        {"promises": [PSensitivity(2)]},
        {"aggregate": "median"},
        {"scale": "minmax"},
    ],
)
def test_what_it_cannot_honour_is_refused(option):
    with pytest.raises(InputError, match="masks by itself"):
        anonymize(TABLE, SCHEMA, k=2, method=halves, **option)
