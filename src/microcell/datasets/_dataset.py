"""Dataset: a table that comes with the roles of its columns."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import shorten

import numpy as np
import polars as pl

from microcell.recipe import Schema


@dataclass(frozen=True, repr=False, eq=False)
class Dataset:
    """A table, the roles of its columns, and where it comes from.

    Parameters
    ----------
    name : str
        Name on the command line, such as "heart-cleveland".
    frame : polars.DataFrame
        The records, in the order of the source; a missing value is null.
    schema : Schema
        The role of every column of `frame`.
    description, source, licence : str
        What the records are, where they come from, on which terms.

    Examples
    --------
    >>> frame = pl.DataFrame({"age": [30, 41], "town": ["Vic", "Reus"], "ill": [0, 1]})
    >>> schema = Schema(["age", "town"], confidential="ill")
    >>> patients = Dataset("patients", frame, schema, "Two people.", "made up", "CC0")
    >>> patients
    Dataset 'patients': 2 records, 3 attributes
      quasi-identifiers (2): age, town
      confidential (1): ill
    >>> X, y = patients.arrays()
    >>> X
    array([[30.,  1.], [41.,  0.]])
    >>> y
    array([0, 1])
    """

    name: str
    frame: pl.DataFrame
    schema: Schema
    description: str
    source: str
    licence: str

    def __post_init__(self) -> None:
        self.schema.released(self.frame.columns)  # every column has a role

    def arrays(self) -> tuple[np.ndarray, np.ndarray | None]:
        """Quasi-identifiers and the first confidential attribute, as numbers.

        Text becomes 0, 1, 2, ... in the sorted order of its distinct values, as in
        the experiments of the papers. That order is arbitrary: to mask a table of
        your own, use the frame and the schema, which keep categories as they are.

        Returns
        -------
        X : ndarray of shape (n_samples, n_quasi_identifiers), float64
            Quasi-identifiers, in the order of the schema.
        y : ndarray of shape (n_samples,) or None
            First confidential attribute: its values, or integer codes of its text.
            None where there is no confidential attribute.
        """
        quasi, confidential = self.schema.quasi_identifiers, self.schema.confidential
        self._check_complete([*quasi, *confidential[:1]])
        X = np.column_stack([_numbers(self.frame[name]) for name in quasi])
        y = _numbers(self.frame[confidential[0]]) if confidential else None
        return X.astype(np.float64), y

    def _check_complete(self, names: list[str]) -> None:
        missing = {name: count_missing(self.frame[name]) for name in names}
        missing = {name: count for name, count in missing.items() if count}
        if missing:
            counts = ", ".join(f"{name} ({count})" for name, count in missing.items())
            raise ValueError(
                f"Data set {self.name!r} has missing values in {counts}, of "
                f"{self.frame.height} records; arrays have no place for them. Fetch it "
                "with drop_missing=True, or fill them in the frame."
            )

    def __repr__(self) -> str:
        height, width = self.frame.shape
        lines = [f"Dataset {self.name!r}: {height:,} records, {width} attributes"]
        for title, names in (
            ("quasi-identifiers", self.schema.quasi_identifiers),
            ("confidential", self.schema.confidential),
            ("identifiers, never released", self.schema.identifiers),
        ):
            if names:
                line = f"{title} ({len(names)}): {', '.join(names)}"
                lines.append("  " + shorten(line, width=86, placeholder=" ..."))
        return "\n".join(lines)


def count_missing(column: pl.Series) -> int:
    """Number of values that are null or not a number."""
    nan = int(column.is_nan().sum()) if column.dtype.is_float() else 0
    return column.null_count() + nan


def _numbers(column: pl.Series) -> np.ndarray:
    if column.dtype.is_numeric():
        return column.to_numpy()
    text = column.cast(pl.String).to_list()
    return np.unique(text, return_inverse=True)[1].astype(np.int64)
