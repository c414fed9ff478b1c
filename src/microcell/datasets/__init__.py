"""Tables to try things on, with the roles of their columns.

`load_` comes with a dependency, `make_` generates, `fetch_` looks in the folder
`MICROCELL_DATA`, then in the cache, then downloads where that is possible.
"""

from microcell.datasets._catalog import HEART_CODES as HEART_CODES
from microcell.datasets._catalog import (
    fetch_adult,
    fetch_breast_cancer_wisconsin,
    fetch_census,
    fetch_ecoli,
    fetch_eia,
    fetch_electrical_grid,
    fetch_glass,
    fetch_heart_cleveland,
    fetch_page_blocks,
    fetch_pima_diabetes,
    fetch_waveform,
    fetch_yeast,
)
from microcell.datasets._dataset import Dataset
from microcell.datasets._hospital import make_hospital
from microcell.datasets._load import load_diabetes_patients
from microcell.datasets._make import make_two_gaussians
from microcell.datasets._registry import DATASETS, available, describe

__all__ = [
    "DATASETS",
    "Dataset",
    "available",
    "describe",
    "load_diabetes_patients",
    "make_hospital",
    "make_two_gaussians",
    "fetch_adult",
    "fetch_breast_cancer_wisconsin",
    "fetch_census",
    "fetch_ecoli",
    "fetch_eia",
    "fetch_electrical_grid",
    "fetch_glass",
    "fetch_heart_cleveland",
    "fetch_page_blocks",
    "fetch_pima_diabetes",
    "fetch_waveform",
    "fetch_yeast",
]
