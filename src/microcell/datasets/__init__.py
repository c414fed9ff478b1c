"""Tables to try things on, with the roles of their columns.

`load_` comes with a dependency, `make_` generates, `fetch_` looks in the folder
`MICROCELL_DATA`, then in the cache, then downloads where that is possible. Names are
loaded when they are first used.
"""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)

__all__ = [
    "DATASETS",
    "Dataset",
    "available",
    "describe",
    "load_diabetes_patients",
    "make_admissions",
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
