"""The papers' tables, by the short names that figures and results have for them."""

from microcell.datasets import DATASETS

FULL_NAMES = {
    "breast": "breast-cancer-wisconsin",
    "diabetes": "pima-diabetes",
    "electrical": "electrical-grid",
    "heart": "heart-cleveland",
}
WITH_GAPS = ("adult", "breast", "heart")  # whose complete records are used


def fetch_table(name):
    """A data set as the papers use it; of EIA the ten attributes, without a number."""
    fetch = DATASETS[FULL_NAMES.get(name, name)]
    if name == "eia":
        return fetch(utility_id=False)
    return fetch(drop_missing=True) if name in WITH_GAPS else fetch()
