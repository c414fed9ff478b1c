"""All data sets by name, and what can be said of them without loading them."""

from __future__ import annotations

import polars as pl

from microcell.datasets import _admissions, _catalog, _hospital, _load, _make
from microcell.datasets._benchmark_tables import TABLES
from microcell.datasets._fetch import locate
from microcell.exceptions import InputError, nearest_name

_FUNCTIONS = {
    **{name: getattr(_catalog, f"fetch_{name.replace('-', '_')}") for name in TABLES},
    "admissions": _admissions.make_admissions,
    "diabetes-patients": _load.load_diabetes_patients,
    "hospital": _hospital.make_hospital,
    "two-gaussians": _make.make_two_gaussians,
}
DATASETS = dict(sorted(_FUNCTIONS.items()))
_WITHOUT_FILE = {  # records, attributes, where from
    "admissions": (8000, 11, "generated"),
    "diabetes-patients": (442, 11, "shipped"),
    "hospital": (2000, 10, "generated"),
    "two-gaussians": (1000, 3, "generated"),
}


def available(name: str) -> str:
    """Where a data set would come from now; no file is read.

    Parameters
    ----------
    name : str
        A name in `DATASETS`.

    Returns
    -------
    where : str
        "shipped", "generated", "found in MICROCELL_DATA", "found in cache", "needs
        download", or "needs a copy in MICROCELL_DATA" where there is no automatic
        download.

    Examples
    --------
    >>> available("two-gaussians")
    'generated'
    """
    if name not in DATASETS:
        hint = f"{nearest_name(name, DATASETS)} The names are {list(DATASETS)}."
        raise InputError(f"There is no data set {name!r}.", hint=hint.lstrip())
    if name in _WITHOUT_FILE:
        return _WITHOUT_FILE[name][-1]
    found = locate(TABLES[name])
    if found is not None:
        return f"found in {found[0]}"
    return "needs download" if TABLES[name].urls else "needs a copy in MICROCELL_DATA"


def describe() -> pl.DataFrame:
    """One row for each data set: name, records, attributes, available.

    No data set is loaded. Sizes are those of the default call.

    Examples
    --------
    >>> describe().filter(pl.col("name") == "diabetes-patients").row(0)
    ('diabetes-patients', 442, 11, 'shipped')
    """
    rows = [(name, *_size(name), available(name)) for name in DATASETS]
    columns = ["name", "records", "attributes", "available"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def _size(name: str) -> tuple[int, int]:
    if name in _WITHOUT_FILE:
        return _WITHOUT_FILE[name][:2]
    return TABLES[name].records, len(TABLES[name].columns)
