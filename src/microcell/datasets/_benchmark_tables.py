"""The benchmark files, as `tables.toml` declares them, and how raw ones become CSV."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from importlib.resources import files


@dataclass(frozen=True)
class Table:
    """A benchmark file that is known by its sha256.

    Parameters
    ----------
    name : str
        Name of the data set; the file has underscores for dashes.
    records : int
        Number of records, all kept.
    sha256 : str
        Of the CSV file.
    columns, identifiers, confidential, nominal : tuple of str
        Columns of the CSV file, and those of them with a role or codes.
    description, source, licence : str
        What the records are, where they come from, on which terms.
    by_hand : str
        How a person gets the file, in one or two sentences.
    urls : tuple of str
        Raw files below the UCI folder; empty if there is no automatic download.
    spaces : bool
        Whether values of raw files stand between runs of spaces, not commas.
    endings : dict of str to str
        What ends raw values of a column, and not those of the CSV file.
    """

    name: str
    records: int
    sha256: str
    columns: tuple[str, ...]
    description: str
    source: str
    licence: str
    by_hand: str
    identifiers: tuple[str, ...] = ()
    confidential: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    spaces: bool = False
    endings: dict[str, str] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """Name of the CSV file."""
        return self.name.replace("-", "_") + ".csv"

    def normalise(self, *raws: bytes) -> bytes:
        """The CSV file from the raw files, whose order is that of `urls`.

        The header is added, spaces are stripped and a missing "?" becomes an empty
        field; comments are left out. Order of records and text of numbers stay.
        Nothing is checked here: the sha256 of the result is.

        Examples
        --------
        >>> raw = b"AAT_ECOLI   0.49  0.29  0.48  0.50  0.56  0.24  0.35   cp"
        >>> print(TABLES["ecoli"].normalise(raw).decode())
        sequence_name,mcg,gvh,lip,chg,aac,alm1,alm2,class
        AAT_ECOLI,0.49,0.29,0.48,0.50,0.56,0.24,0.35,cp
        <BLANKLINE>
        """
        lines = b"\n".join(raws).decode("utf-8", errors="replace").splitlines()
        made = [",".join(self.columns)]
        for line in lines:
            if line.strip() and not line.startswith("|"):
                texts = [t.strip() for t in line.split(None if self.spaces else ",")]
                values = ["" if text == "?" else text for text in texts]
                ends = (self.endings.get(column, "") for column in self.columns)
                plain = map(str.removesuffix, values, ends)
                made.append(",".join(plain))
        return "".join(f"{line}\n" for line in made).encode()


def _tables() -> dict[str, Table]:
    declared = tomllib.loads((files(__package__) / "tables.toml").read_text("utf-8"))
    tables = {}
    for name, given in declared.items():
        for key in ("columns", "identifiers", "confidential", "nominal"):
            given[key] = tuple(given.get(key, "").split())
        endings = given.get("endings", {}).items()
        given["endings"] = {c: end for end, cs in endings for c in cs.split()}
        given["urls"] = tuple(given.get("urls", ()))
        tables[name] = Table(name, **given)
    return tables


TABLES = _tables()
