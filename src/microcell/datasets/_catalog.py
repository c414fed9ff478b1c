"""The benchmark tables with the roles of their columns, one function each.

Every function looks in the folder `MICROCELL_DATA`, then in the cache, then
downloads where that is possible; the sha256 of the file is checked each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from microcell._validation import check_choice
from microcell.datasets._benchmark_tables import TABLES
from microcell.datasets._dataset import Dataset
from microcell.datasets._fetch import fetch
from microcell.recipe import Column, Schema

ADULT_QUASI_IDENTIFIERS = {
    "papers": "age education-num marital-status sex capital-gain hours-per-week",
    "arx": (
        "sex age race marital-status education native-country workclass occupation"
    ),
}
HEART_CODES = TABLES["heart-cleveland"].nominal
PIMA_ZERO_IS_MISSING = ("plas", "pres", "skin", "insu", "mass")


def fetch_adult(
    *, quasi_identifiers: str = "papers", drop_missing: bool = False
) -> Dataset:
    """US adults of 1994: 48,842 records; confidential is `income`.

    Columns outside the chosen quasi-identifiers are left out of a release: they tell
    much about a person, and a release with them unmasked would not be k-anonymous in
    any useful sense. `fnlwgt`, a sampling weight, is left out for the same reason.

    Parameters
    ----------
    quasi_identifiers : "papers" or "arx", default="papers"
        "papers": age, education-num, marital-status, sex, capital-gain and
        hours-per-week. "arx": sex, age, race, marital-status, education,
        native-country, workclass and occupation.
    drop_missing : bool, default=False
        Leave out records with a missing value in any column, as is customary; 45,222
        are left.
    """
    check_choice("quasi_identifiers", quasi_identifiers, ADULT_QUASI_IDENTIFIERS)
    data = _dataset("adult", ADULT_QUASI_IDENTIFIERS[quasi_identifiers].split())
    return replace(data, frame=data.frame.drop_nulls()) if drop_missing else data


def fetch_breast_cancer_wisconsin(*, drop_missing: bool = False) -> Dataset:
    """Breast cell samples: 699 records, 9 scores from 1 to 10; confidential `class`.

    Parameters
    ----------
    drop_missing : bool, default=False
        Leave out the 16 records without `bare_nuclei`; 683 are left.
    """
    return _dataset("breast-cancer-wisconsin", drop_missing=drop_missing)


def fetch_census() -> Dataset:
    """Incomes and taxes: 1,080 records, 13 numeric quasi-identifiers."""
    return _dataset("census")


def fetch_ecoli() -> Dataset:
    """Proteins of E. coli: 336 records, 7 numeric quasi-identifiers; `class`."""
    return _dataset("ecoli")


def fetch_eia(*, utility_id: bool = True) -> Dataset:
    """Electric utilities by month: 4,092 records, 11 numeric quasi-identifiers.

    Parameters
    ----------
    utility_id : bool, default=True
        Whether UTILITYID, the number of the utility, is a quasi-identifier: the
        published results on "EIA, 11 attributes" treat it so. If False, it is left
        out of releases, and 10 quasi-identifiers are left.
    """
    columns = TABLES["eia"].columns
    return _dataset("eia", [*columns[: int(utility_id)], *columns[5:]])


def fetch_electrical_grid() -> Dataset:
    """Simulated grids: 10,000 records, 12 quasi-identifiers; `stab` and `stabf`.

    `stab` is a number, and `stabf` says "unstable" exactly when it is positive. p1 is
    minus the sum of p2, p3 and p4, so the quasi-identifiers have rank 11.
    """
    return _dataset("electrical-grid")


def fetch_glass() -> Dataset:
    """Pieces of glass: 214 records, 9 numeric quasi-identifiers; `type`.

    Records are sorted by type, so `id` would reveal it; it is an identifier.
    """
    return _dataset("glass")


def fetch_heart_cleveland(*, drop_missing: bool = False) -> Dataset:
    """Heart patients: 303 records, 13 quasi-identifiers; confidential is `num`.

    Columns sex, cp, fbs, restecg, exang, slope and thal hold codes, so the schema
    calls them nominal. `num` is 0 to 4; most papers ask whether it is above 0.

    Parameters
    ----------
    drop_missing : bool, default=False
        Leave out the 6 records without `ca` or `thal`; 297 are left.
    """
    return _dataset("heart-cleveland", drop_missing=drop_missing)


def fetch_page_blocks() -> Dataset:
    """Blocks of pages: 5,473 records, 10 numeric quasi-identifiers; `class`."""
    return _dataset("page-blocks")


def fetch_pima_diabetes(
    *, zero_is_missing: bool = False, drop_missing: bool = False
) -> Dataset:
    """Women of Pima heritage: 768 records, 8 numeric quasi-identifiers; `class`.

    Parameters
    ----------
    zero_is_missing : bool, default=False
        Turn the zeros of plas, pres, skin, insu and mass, which cannot be real, into
        missing values. Most papers keep them as they are.
    drop_missing : bool, default=False
        Leave out records with a missing value; 392 are left. It needs
        `zero_is_missing=True`.
    """
    if drop_missing and not zero_is_missing:
        raise ValueError(
            "drop_missing=True needs zero_is_missing=True in fetch_pima_diabetes: "
            "while zeros count as values, no value is missing. Got "
            f"zero_is_missing={zero_is_missing!r}."
        )
    data = _dataset("pima-diabetes")
    frame = data.frame
    if zero_is_missing:
        columns = [
            pl.when(pl.col(name) != 0).then(pl.col(name)).alias(name)
            for name in PIMA_ZERO_IS_MISSING
        ]
        frame = frame.with_columns(columns)
    if drop_missing:
        frame = frame.drop_nulls()
    return replace(data, frame=frame)


def fetch_waveform() -> Dataset:
    """Simulated waves: 5,000 records, 21 numeric quasi-identifiers; `class`."""
    return _dataset("waveform")


def fetch_yeast() -> Dataset:
    """Proteins of yeast: 1,484 records, 8 numeric quasi-identifiers; `class`.

    22 records repeat an earlier one exactly, name included.
    """
    return _dataset("yeast")


def _dataset(
    name: str, quasi_identifiers: Sequence[str] = (), *, drop_missing: bool = False
) -> Dataset:
    """Data set of a table, without records that miss a value of a column with a role.

    By default all columns without another role are quasi-identifiers.
    """
    table = TABLES[name]
    others = {*table.identifiers, *table.confidential}
    quasi = quasi_identifiers or [c for c in table.columns if c not in others]
    schema = Schema(
        quasi,
        identifiers=table.identifiers,
        confidential=table.confidential,
        others="drop" if set(table.columns) - {*quasi, *others} else "error",
        columns={column: Column(kind="nominal") for column in table.nominal},
    )
    frame = pl.read_csv(fetch(table), infer_schema_length=None)  # None: all records
    if drop_missing:
        frame = frame.drop_nulls([*quasi, *table.confidential])
    return Dataset(name, frame, schema, table.description, table.source, table.licence)
