"""Values: what confidential columns hold in a whole table, for whoever sees a part.

Promises number values as they stand in a table. The distinct values of the whole table
are put in front of a part, so that all parts number alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from microcell.columns import AS_IT_IS, ConfidentialReading
from microcell.exceptions import SchemaError
from microcell.pipeline._disclosure import GivenAway
from microcell.pipeline._sample import COUNT, PERSON, WEIGHT
from microcell.privacy import CellModel

PEOPLE_OF = "\0people of "
BEYOND = "\0beyond"  # limits
MAX_COUNTED_VALUES = 5_000_000
MAX_VALUES_COMPARED = 1_000_000  # of a column, beyond which no t-distance is shown


@dataclass(frozen=True)
class Values:
    """Distinct values of some columns together, and how often each occurs.

    Attributes
    ----------
    frame : polars.DataFrame
        The values in ascending order, their count in the last column.
    reading : ConfidentialReading
        As what values are compared: found out on those of the whole table.

    Examples
    --------
    >>> upper = Values.of(pl.DataFrame({"ill": ["flu", "gout"]}), ["ill"])
    >>> (upper + Values.of(pl.DataFrame({"ill": ["flu"]}), ["ill"])).frame.rows()
    [('flu', 2), ('gout', 1)]
    """

    frame: pl.DataFrame
    reading: ConfidentialReading = AS_IT_IS

    @classmethod
    def of(
        cls,
        frame: pl.DataFrame,
        columns: Sequence[str],
        counts: str | None = None,
        reading: ConfidentialReading = AS_IT_IS,
    ) -> Values:
        """Values of a table; the column `counts` says how often a row occurs."""
        rows = frame.select(
            *columns, (pl.lit(1) if counts is None else pl.col(counts)).alias(COUNT)
        )
        words = [n for n, t in rows.schema.items() if t == pl.Categorical]
        rows = rows.with_columns(pl.col(words).cast(pl.String))
        return cls(_added(rows), reading)

    def __add__(self, other: Values) -> Values:
        both = pl.concat([self.frame, other.frame], how="vertical_relaxed")
        return Values(_added(both), self.reading)

    @property
    def columns(self) -> list[str]:
        """The columns that the values are of."""
        return [name for name in self.frame.columns if name != COUNT]

    def resolve(self, model: CellModel) -> CellModel:
        """A promise with what it leaves to the table decided."""
        return model.resolve(self._read(self.frame))

    def codes(self, model: CellModel, frame: pl.DataFrame) -> np.ndarray:
        """Values of a part, numbered as in the whole table."""
        known = self.frame.select(self.columns)
        types: Any = dict(known.schema)
        both = pl.concat([known, frame.select(self.columns).cast(types)])
        return model.codes(self._read(both))[self.frame.height :]

    def totals(self, model: CellModel) -> np.ndarray:
        """Records of each value in the whole table, by its number."""
        codes = model.codes(self._read(self.frame))
        counts = self.frame[COUNT].to_numpy()
        return np.bincount(codes, weights=counts).astype(np.int64)

    def notices(self) -> list[str]:
        """Columns whose values cannot be read as what they look like."""
        return self.reading.notices(self.frame)

    def _read(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Values as what they are compared as."""
        read: pl.DataFrame = self.reading.read(frame)
        return read


@dataclass(frozen=True)
class ShownValues:
    """Distinct values of a confidential column, as long as they are not too many.

    Attributes
    ----------
    frame : polars.DataFrame
        The values, their count in the last column; none where there are more than
        `MAX_VALUES_COMPARED`.
    complete : bool
        Whether they are all values of what was seen.
    """

    frame: pl.DataFrame
    complete: bool = True

    @classmethod
    def of(cls, groups: pl.DataFrame, name: str, counts: str = COUNT) -> ShownValues:
        """Values of a column in groups of equal records."""
        return cls._of(groups.select(name, pl.col(counts).alias(COUNT)), True)

    @classmethod
    def _of(cls, rows: pl.DataFrame, complete: bool) -> ShownValues:
        rows = _counted(rows)
        complete = complete and rows.height <= MAX_VALUES_COMPARED
        return cls(rows if complete else rows.clear(), complete)

    def __add__(self, other: ShownValues) -> ShownValues:
        both = pl.concat([self.frame, other.frame], how="vertical_relaxed")
        return ShownValues._of(both, self.complete and other.complete)

    def given_away(
        self,
        cells: np.ndarray,
        groups: pl.DataFrame,
        reading: ConfidentialReading,
        people: np.ndarray | None = None,
        n_people: int | None = None,
    ) -> GivenAway:
        """What whole classes give away, of a table with these values."""
        name = self.frame.columns[0]
        types: Any = {name: self.frame.schema[name]}
        ahead = self.frame.select(name)
        table = pl.concat([ahead, groups.select(name).cast(types)])
        return GivenAway.of(
            cells,
            reading.read(table),
            name,
            counts=groups[COUNT].to_numpy(),
            units=people,
            n_people=n_people,
            whole=self.frame[COUNT].to_numpy() if self.complete else None,
            compared=self.complete,
        )


def _counted(rows: pl.DataFrame) -> pl.DataFrame:
    columns = [name for name in rows.columns if name != COUNT]
    return rows.group_by(columns).agg(pl.col(COUNT).cast(pl.Int64).sum())


def _added(rows: pl.DataFrame) -> pl.DataFrame:
    columns = [name for name in rows.columns if name != COUNT]
    added = _counted(rows)
    if added.height > MAX_COUNTED_VALUES:
        raise SchemaError(
            f"Column {columns[0]!r}, which something is promised of, has more than "
            f"{MAX_COUNTED_VALUES} values, too many to be compared in each shard.",
            column=columns[0],
            option="promises",
            hint="Group its values first, or promise nothing of it.",
        )
    return added.sort(columns)


def is_beside(name: str) -> bool:
    """Whether a column stands beside released records, and is not one of them."""
    return name in (PERSON, WEIGHT) or name.startswith(PEOPLE_OF)


def people_column(names: Sequence[str]) -> str:
    """The column that counts people who have some values, each once.

    It stands beside records of which a person may have several. Of no columns it counts
    people, and of `BEYOND` with a column those with a value beyond its limits.
    """
    return PEOPLE_OF + "\0".join(names)


def of_people(
    frame: pl.DataFrame, names: Sequence[str], people: pl.Series | None
) -> pl.DataFrame:
    """The values of records; each once of a person, where a person may have several."""
    if people is None:
        return frame.select(names)
    return frame.select(names).with_columns(people).unique()


def columns_of(model: CellModel) -> tuple[str, ...]:
    """The columns that a promise is about."""
    column = model.column
    return column if isinstance(column, tuple) else (str(column),)
