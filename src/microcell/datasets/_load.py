"""Data sets that come with a dependency: no network, no files."""

from __future__ import annotations

import polars as pl

from microcell.datasets._dataset import Dataset
from microcell.recipe import Schema


def load_diabetes_patients() -> Dataset:
    """442 diabetes patients, in real units, from scikit-learn [1]_.

    Quasi-identifiers are age, sex (codes "1" and "2", whose meaning the source does
    not tell), body mass index and mean blood pressure. Confidential are the
    progression of the disease after a year, which is `y` of `Dataset.arrays`, and
    six blood measurements, s1 to s6.

    References
    ----------
    .. [1] Efron, Hastie, Johnstone and Tibshirani (2004). Least angle regression.
       Ann. Stat. 32, 407-499.

    Examples
    --------
    >>> load_diabetes_patients()
    Dataset 'diabetes-patients': 442 records, 11 attributes
      quasi-identifiers (4): age, sex, bmi, bp
      confidential (7): progression, s1, s2, s3, s4, s5, s6
    """
    from sklearn.datasets import load_diabetes  # slow to import, and only needed here

    source = load_diabetes(scaled=False)
    frame = pl.DataFrame(source.data, schema=source.feature_names, orient="row")
    frame = frame.with_columns(
        pl.col("age").cast(pl.Int64),
        pl.col("sex").cast(pl.Int64).cast(pl.String),
        progression=source.target,
    )
    blood = ["s1", "s2", "s3", "s4", "s5", "s6"]
    return Dataset(
        "diabetes-patients",
        frame,
        Schema(["age", "sex", "bmi", "bp"], confidential=["progression", *blood]),
        description="Diabetes patients and the progression of the disease in a year.",
        source="scikit-learn, load_diabetes(scaled=False); Efron et al. (2004)",
        licence="shipped with scikit-learn (BSD-3-Clause); none stated for the data",
    )
