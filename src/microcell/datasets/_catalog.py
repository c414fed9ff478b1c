"""The benchmark tables with the roles of their columns, one function each.

Every function looks in the folder `MICROCELL_DATA`, then in the cache, then
downloads where that is possible; the sha256 of the file is checked each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from microcell.datasets._dataset import Dataset
from microcell.datasets._fetch import fetch
from microcell.datasets._tables import TABLES
from microcell.recipe import Column, Schema

ADULT_QUASI_IDENTIFIERS = {
    "papers": (
        "age",
        "education-num",
        "marital-status",
        "sex",
        "capital-gain",
        "hours-per-week",
    ),
    "arx": (
        "sex",
        "age",
        "race",
        "marital-status",
        "education",
        "native-country",
        "workclass",
        "occupation",
    ),
}
HEART_CODES = ("sex", "cp", "fbs", "restecg", "exang", "slope", "thal")
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
    if quasi_identifiers not in ADULT_QUASI_IDENTIFIERS:
        raise ValueError(
            "The 'quasi_identifiers' parameter of fetch_adult must be one of "
            f"{list(ADULT_QUASI_IDENTIFIERS)}. Got {quasi_identifiers!r} instead."
        )
    quasi = ADULT_QUASI_IDENTIFIERS[quasi_identifiers]
    schema = _schema("adult", quasi, confidential=["income"])
    return _dataset("adult", schema, TABLES["adult"].columns if drop_missing else ())


def fetch_breast_cancer_wisconsin(*, drop_missing: bool = False) -> Dataset:
    """Breast cell samples: 699 records, 9 scores from 1 to 10; confidential `class`.

    Parameters
    ----------
    drop_missing : bool, default=False
        Leave out the 16 records without `bare_nuclei`; 683 are left.
    """
    name = "breast-cancer-wisconsin"
    quasi = TABLES[name].columns[1:-1]
    ids = TABLES[name].columns[:1]
    schema = _schema(name, quasi, confidential=["class"], identifiers=ids)
    return _dataset(name, schema, _roles(schema) if drop_missing else ())


def fetch_census() -> Dataset:
    """Incomes and taxes: 1,080 records, 13 numeric quasi-identifiers."""
    return _dataset("census", _schema("census", TABLES["census"].columns))


def fetch_ecoli() -> Dataset:
    """Proteins of E. coli: 336 records, 7 numeric quasi-identifiers; `class`."""
    return _numeric_with_class("ecoli", first=1)


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
    quasi = [*columns[:1], *columns[5:]] if utility_id else columns[5:]
    return _dataset("eia", _schema("eia", quasi))


def fetch_electrical_grid() -> Dataset:
    """Simulated grids: 10,000 records, 12 quasi-identifiers; `stab` and `stabf`.

    `stab` is a number, and `stabf` says "unstable" exactly when it is positive. p1 is
    minus the sum of p2, p3 and p4, so the quasi-identifiers have rank 11.
    """
    columns = TABLES["electrical-grid"].columns
    schema = _schema("electrical-grid", columns[:-2], confidential=columns[-2:])
    return _dataset("electrical-grid", schema)


def fetch_glass() -> Dataset:
    """Pieces of glass: 214 records, 9 numeric quasi-identifiers; `type`.

    Records are sorted by type, so `id` would reveal it; it is an identifier.
    """
    return _numeric_with_class("glass", first=1)


def fetch_heart_cleveland(*, drop_missing: bool = False) -> Dataset:
    """Heart patients: 303 records, 13 quasi-identifiers; confidential is `num`.

    Columns sex, cp, fbs, restecg, exang, slope and thal hold codes, so the schema
    calls them nominal. `num` is 0 to 4; most papers ask whether it is above 0.

    Parameters
    ----------
    drop_missing : bool, default=False
        Leave out the 6 records without `ca` or `thal`; 297 are left.
    """
    name = "heart-cleveland"
    quasi = TABLES[name].columns[:-1]
    kinds = dict.fromkeys(HEART_CODES, "nominal")
    schema = _schema(name, quasi, confidential=["num"], kinds=kinds)
    return _dataset(name, schema, _roles(schema) if drop_missing else ())


def fetch_page_blocks() -> Dataset:
    """Blocks of pages: 5,473 records, 10 numeric quasi-identifiers; `class`."""
    return _numeric_with_class("page-blocks")


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
    data = _numeric_with_class("pima-diabetes")
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
    return _numeric_with_class("waveform")


def fetch_yeast() -> Dataset:
    """Proteins of yeast: 1,484 records, 8 numeric quasi-identifiers; `class`.

    22 records repeat an earlier one exactly, name included.
    """
    return _numeric_with_class("yeast", first=1)


def _numeric_with_class(name: str, first: int = 0) -> Dataset:
    """Identifiers before column `first`, then quasi-identifiers, last the class."""
    columns = TABLES[name].columns
    schema = _schema(
        name,
        columns[first:-1],
        confidential=columns[-1:],
        identifiers=columns[:first],
    )
    return _dataset(name, schema)


def _schema(
    name: str,
    quasi_identifiers: Sequence[str],
    confidential: Sequence[str] = (),
    kinds: dict[str, str] | None = None,
    identifiers: Sequence[str] = (),
) -> Schema:
    """Schema in which columns without a role are left out."""
    named = {*quasi_identifiers, *confidential, *identifiers}
    return Schema(
        quasi_identifiers,
        identifiers=identifiers,
        confidential=confidential,
        others="drop" if set(TABLES[name].columns) - named else "error",
        columns={n: Column(kind=kind) for n, kind in (kinds or {}).items()},
    )


def _roles(schema: Schema) -> list[str]:
    return [*schema.quasi_identifiers, *schema.confidential]


def _dataset(name: str, schema: Schema, complete: Sequence[str] = ()) -> Dataset:
    """Data set of a table, with no value missing in the columns `complete`."""
    table = TABLES[name]
    frame = pl.read_csv(fetch(table), infer_schema_length=None)  # None: all records
    if complete:
        frame = frame.drop_nulls(complete)
    return Dataset(name, frame, schema, table.description, table.source, table.licence)
