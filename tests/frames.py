"""One small table in every dataframe library."""

import datetime as dt

import pandas as pd
import polars as pl
import pyarrow as pa

from microcell import Schema

PATIENTS = {
    "name": ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"],
    "age": [31, 62, 35, 58, 33, 60],
    "weight": [61.5, 80.25, 64.0, 77.5, 59.0, 82.0],
    "sex": ["f", "m", "f", "m", "f", "m"],
    "smoker": [True, False, True, False, False, False],
    "visit": [
        dt.date(2024, 1, 1),
        dt.date(2024, 6, 1),
        dt.date(2024, 1, 3),
        dt.date(2024, 6, 3),
        dt.date(2024, 1, 5),
        dt.date(2024, 6, 8),
    ],
    "diagnosis": ["flu", "gout", "flu", "asthma", None, "gout"],
}
SCHEMA = Schema(
    ["age", "weight", "sex", "smoker", "visit"],
    identifiers="name",
    confidential="diagnosis",
)


def pandas_table():
    frame = pd.DataFrame(PATIENTS, index=[10, 20, 20, 40, 50, 60])
    return frame.assign(visit=pd.to_datetime(frame["visit"]))


LIBRARIES = {
    "pandas": pandas_table,
    "polars": lambda: pl.DataFrame(PATIENTS),
    "pyarrow": lambda: pa.table(PATIENTS),
}
