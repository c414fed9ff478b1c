"""Release: a table that kept its promises, and what is known about it."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from microcell.exceptions import InputError, Option, Spelling, in_python
from microcell.io import ColumnNotes, Layout
from microcell.kernels.threads import meanwhile
from microcell.metrics import Scores
from microcell.pipeline import WORDS, Visits, canonical_order, confidential_reading
from microcell.privacy import Finding, Promise, View, require
from microcell.recipe import WITHHELD, Recipe
from microcell.recognition import MIN_PEOPLE
from microcell.release._before import Before
from microcell.release._fingerprint import fingerprint
from microcell.release._sidecars import ReportFile, Sidecars
from microcell.release._source import (
    PLAIN_GIVES_AWAY,
    SourceDigest,
    new_key,
    note_path,
    source_digest,
)
from microcell.release._summary import summary_of

if TYPE_CHECKING:
    import polars as pl

    from microcell.compose import Refinement
    from microcell.io import Format
    from microcell.report import Plot

VERSIONED = ("microcell", "numpy", "numba", "scikit-learn", "narwhals", "polars")


@dataclass(frozen=True, eq=False)
class Release:
    """The result of `anonymize`, on any engine.

    Attributes
    ----------
    table : dataframe or None
        The released table, of the same kind as the original; a DataFrame of Spark where
        Spark keeps the records, and None where they are only in files.
    n_records, n_dropped : int
        Records released, and left out because they miss a quasi-identifier.
    cells : list of int
        Number of cells in each block of columns.
    columns : list of dict
        Every released column with its role and what was done to it.
    kinds : dict
        How each quasi-identifier was treated.
    findings : sequence of Finding
        What was promised and what was found on the released table.
    scores : Scores
        Loss and risk, as `measure` gives them. If a confidential attribute shaped the
        cells, also `p_sensitivity`, the least number of its values in a cell, and
        `homogeneous_records`, the share of records in cells with a single value.
    disclosure : dict
        For each confidential column what the equivalence classes of the release give
        away of it: uniform classes, distinct values, shares of the most frequent one,
        t-distances, and the ranges of numbers; see `disclosure_of`.
    recipe : Recipe
        Everything needed to do it again.
    promises : sequence of Promise
        What is verified, on the table and on the file.
    left_out : sequence of str
        Columns of the original that are not released.
    decide : sequence of str
        What the owner has to decide before the release is given away, most serious
        first; nothing is plain success while something stands here.
    notices : sequence of str
        What the owner should know.
    labels : ndarray of shape (n_records,) or (n_records, n_blocks), or None
        Cell of each released record; one column per block where blocks of columns
        were masked each by itself. None where records are not in memory.
    known : sequence of str
        Released columns that an intruder may know; classes are counted over them.
    units : ndarray or None
        Whose record each is, where k counts an identifier; never released.
    n_people : int or None
        How many there are, where k counts an identifier.
    visits : Visits or None
        What is left to who knows all records of a person, where these are in several
        classes.
    class_sizes : dict
        Of each number of people that share their known values: how many such
        equivalence classes there are, and their records.
    n_strata : (int, int)
        Strata that were merged because they were too small, of how many.
    layouts : dict
        How text wrote its numbers and moments; a text file writes them so again.
    fingerprint : str
        Digest of the table that was verified.
    versions : dict
        Versions of the software that made it.
    before : Before or None
        The original's quasi-identifiers, for the report, or those of a sample where
        records are not in memory; in memory alone, and in no pickle or copy.
    refinement : Refinement or None
        What a search for better cells did: the loss of the cells that it began with
        and of those found, in the geometry in which cells are formed.
    n_shards : int or None
        Shards that were masked each by itself, where records are not in memory.
    sample : dict
        How many records were looked up there for `sampled_linkage_risk`, the share of
        a sample of released records that are found by distance among the originals of
        their shard, and the interval of that share, which is at least the share among
        all.
    kept : object or None
        What Spark keeps of it, until `close`.
    """

    table: Any
    n_records: int
    n_dropped: int
    cells: list[int]
    columns: list[dict[str, str]]
    kinds: dict[str, str]
    findings: Sequence[Finding]
    scores: Scores
    disclosure: Mapping[str, Scores]
    recipe: Recipe
    promises: Sequence[Promise]
    left_out: Sequence[str]
    decide: Sequence[str]
    notices: Sequence[str]
    labels: np.ndarray | None = None
    known: Sequence[str] = ()
    units: np.ndarray | None = field(default=None, repr=False)
    n_people: int | None = None
    visits: Visits | None = None
    class_sizes: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    n_strata: tuple[int, int] = (0, 0)
    layouts: Mapping[str, Layout] = field(default_factory=dict)
    fingerprint: str = ""
    versions: dict[str, str] = field(default_factory=lambda: software_versions())
    before: Before | None = field(default=None, repr=False)
    refinement: Refinement | None = None
    n_shards: int | None = None
    sample: Mapping[str, Any] = field(default_factory=dict)
    kept: Any = field(default=None, repr=False)

    def close(self) -> None:
        """Let Spark forget a table that it keeps; one in a folder stays there."""
        if self.kept is not None:
            self.kept.free()

    def __enter__(self) -> Release:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "before": None}
        state.pop("plot", None)
        return state

    def __repr__(self) -> str:
        return f"<Release\n{self.summary()}\n>"

    def _repr_html_(self) -> str:
        from microcell.report import short_html

        return short_html(self)

    def _in_memory(self, what: str) -> np.ndarray:
        """Cells of the records, which some things cannot be made without."""
        if self.labels is None:
            raise InputError(
                f"{what} needs the records, and those of this release are not in "
                "memory.",
                hint="Read what was released and compare it with `microcell.measure`, "
                "or release it with engine='memory'.",
            )
        return self.labels

    @cached_property
    def plot(self) -> Plot:
        """Pictures: `release.plot()`, `release.plot.column("age")`, ...; see `Plot`."""
        from microcell.report import Plot

        return Plot(self)

    def summary(
        self, verbose: bool = False, *, spell: Spelling | None = in_python
    ) -> str:
        """What a person wants to read about the release, in one screen.

        What is to be decided first. Percentages of loss and risk; nothing of a record.

        Parameters
        ----------
        verbose : bool, default=False
            Whether to say everything: how cells came about and all that was measured.
        spell : callable, optional
            How options in notices are spelt: as arguments of Python, unless a command
            line has its own way. None leaves them out.
        """
        return summary_of(self, verbose, spell)

    @property
    def k_counts(self) -> str:
        """What k counts: records, or the column whose values are people."""
        return "records" if self.n_people is None else str(self.recipe.unit)

    @property
    def people(self) -> str:
        """What k counts, as people read it."""
        return "records" if self.n_people is None else f"values of {self.recipe.unit}"

    @property
    def row_order(self) -> str:
        """How the records are sorted."""
        if self.n_shards is None:
            return WORDS[self.recipe.order]
        return "shard by shard, each sorted by its released values"

    @property
    def _promises_k(self) -> bool:
        """Whether k of the whole table is promised, and not only counted."""
        return all(getattr(promise, "promised", True) for promise in self.promises)

    @property
    def differentially_private(self) -> bool:
        """Whether nothing computed from the original may be published beside it."""
        return any(one.differentially_private for one in self.promises)

    @property
    def _withheld(self) -> bool:
        """Whether scores of so few records would give their values away."""
        return self.n_records < MIN_PEOPLE

    @property
    def withheld(self) -> str:
        """Why nothing is told of loss and risk; empty where it is."""
        if self.differentially_private:
            return WITHHELD
        return f"withheld: fewer than {MIN_PEOPLE} records" if self._withheld else ""

    @property
    def refined_words(self) -> str:
        """What refinement did to the loss of the cells; nothing if there is no figure.

        Of few records it would give values away, as scores would.
        """
        if self.refinement is None or self.differentially_private:
            return ""
        return self.withheld or str(self.refinement.words)

    def certificate(self) -> dict[str, Any]:
        """What can be said about the release without a value of any record."""
        now = datetime.datetime.now(datetime.UTC)
        counted = "table" if self.n_shards is None else "files"
        document: dict[str, Any] = {
            "created": now.isoformat(timespec="seconds"),
            "recipe": self.recipe.without_seed(),
            "records": self.n_records,
            "records_left_out": self.n_dropped,
            "k_counts": self.k_counts,
            "columns": self.columns,
            "row_order": self.row_order,
            "cells": self.cells,
            "strata_merged": self.n_strata[0],
            "kinds": dict(self.kinds),
            "findings": [finding.to_dict(counted) for finding in self.findings],
            "scores": dict(self.scores),
            "disclosure": {name: dict(s) for name, s in self.disclosure.items()},
            "decide": list(self.decide),
            "notices": list(self.notices),
            "versions": dict(self.versions),
        }
        if self.visits is not None:
            document["visits"] = self.visits.to_dict()
        if self.n_shards is not None:
            document["shards"] = self.n_shards
            document["linkage_sample"] = {} if self._withheld else dict(self.sample)
        if self.refinement is not None and self.refined_words and not self._withheld:
            document["refinement"] = self.refinement.to_dict()
        if self.differentially_private:
            document["scores_withheld"] = WITHHELD
        elif self._withheld:
            document["scores"] = dict.fromkeys(self.scores)
            document["scores_withheld"] = f"fewer than {MIN_PEOPLE} records"
        return document

    def view(self, table: Any, rows: np.ndarray | None = None) -> View:
        """A table as this release's promises look at it.

        Parameters
        ----------
        table : dataframe
        rows : ndarray of shape (n_records,), optional
            The record of this release that each of its rows is; by default in order.
        """
        labels = self._in_memory("A view")
        rows = np.arange(len(labels)) if rows is None else rows
        return View(
            confidential_reading(self.recipe).read(table),
            self.known,
            confidential=self.recipe.schema.confidential,
            units=None if self.units is None else self.units[rows],
            unit=self.recipe.unit or "",
            labels=labels[rows],
        )

    def save(
        self,
        path: str | Path,
        *,
        certificate: str | Path | None = None,
        recipe: str | Path | None = None,
        source: str | Path | SourceDigest | None = None,
        source_note: str | Path | None = None,
        plain_source_hash: bool = False,
        report: str | Path | None = None,
        purpose: str | None = None,
        author: str | None = None,
        source_name: str | None = None,
        overwrite: bool = False,
    ) -> dict[str, Any]:
        """Write the table, read it back, count again, and only then show the file.

        Files appear whole or not at all. Records are in the order that the recipe says.

        Parameters
        ----------
        path : path
            Where the table goes; the suffix says how (.csv, .parquet, .xlsx, ...).
            Or the address of a new table in a database, as in
            "sqlite:///file.db::release".
        certificate, recipe : path, optional
            Where the certificate (JSON) and the recipe (TOML) go.
        source : path, optional
            The file, or the address of the table, that the original came from. The
            certificate and the report then hold its digest, keyed with random bytes
            that go to a note for the owner alone; that of a differentially private
            release does not.
        source_note : path, optional
            Where that note goes (JSON, mode 0600); by default beside the certificate,
            or the report, as in "certificate.source-key.json". It is never to be given
            away: with the key, guesses of the original can be tried.
        plain_source_hash : bool, default=False
            Whether to publish a plain SHA-256 of the source instead. Whoever knows the
            quasi-identifiers can then try confidential values until it fits.
        report : path, optional
            Where the report goes, .html or .json; see `report`.
        purpose, author, source_name : str, optional
            What the release is for, who made it and what its source is called; for the
            report.
        overwrite : bool, default=False
            Whether files that exist may be replaced.

        Returns
        -------
        certificate : dict
            With the file's name, size, sha256 and what was found in it.

        Raises
        ------
        PrivacyError
            If the file does not keep what was promised; nothing is written then.
        ValueError
            If the table is not the one that was verified.
        """
        from microcell.io import Outbox, writable
        from microcell.release._written import write_release

        self._in_memory("Writing a file")
        check_report_options(
            report, purpose=purpose, author=author, source_name=source_name
        )
        note = note_path(
            source_note,
            plain_source_hash,
            certificate,
            report,
            no_digest=self._no_source_digest(source),
        )
        if source is not None and not isinstance(source, SourceDigest):
            source = source_digest(source, new_key(plain_source_hash))
        known_by = source if note is not None or plain_source_hash else None
        format = writable(path)
        dialect = self._output_dialect(format)
        page = report and ReportFile(report, purpose, author, source_name)
        beside = Sidecars(
            certificate, recipe, page or None, None if known_by is None else note
        )
        with Outbox(overwrite=overwrite) as outbox:
            staged = beside.stage(outbox)
            frame = nw.from_native(self.table, eager_only=True).to_polars()
            with meanwhile(lambda: self._in_file_order(frame, format)) as ordered:
                self._check_unchanged()
            frame, rows = ordered()
            layouts = _at_rows(self.layouts, rows)
            place, written, compare, finish = write_release(
                outbox, path, frame, format, layouts, dialect
            )
            if written.height != self.n_records:
                raise RuntimeError(
                    f"{written.height} records were read back from {path}, but "
                    f"{self.n_records} were written. Nothing is published."
                )
            view = self.view(written, rows)
            with meanwhile(compare) as compared:
                findings = [promise.verify(view) for promise in self.promises]
                require(findings)
            document = self.certificate()
            document["findings"] += [
                finding.to_dict(place) for finding in findings if finding.shows_in_table
            ]
            if known_by is not None:
                document["source"] = known_by.to_dict()
                if plain_source_hash and PLAIN_GIVES_AWAY not in document["decide"]:
                    document["decide"].append(PLAIN_GIVES_AWAY)
            document["table" if place == "database" else place] = finish(
                view, self.promises, compared()
            )
            beside.write(staged, self, document, known_by)
            outbox.publish()
        return document

    def _no_source_digest(self, source: Any) -> str:
        """Why there is no digest of the source in any case."""
        if self.differentially_private:
            return "a differentially private release has no digest of its source"
        return "" if source is not None else "the source is not said"

    def _output_dialect(self, format: Format) -> dict[str, str]:
        """Delimiter and encoding of a text file, to write it and to read it back."""
        options = {
            "delimiter": self.recipe.output_delimiter,
            "encoding": self.recipe.output_encoding,
        }
        given = {name: value for name, value in options.items() if value is not None}
        if format.typed:
            for name in given:
                raise InputError(
                    f"A file of {format.name} has no {name}.",
                    option=f"output_{name}",
                    hint="Leave it out, or write a text file.",
                )
            return {}
        delimiter = format.delimiter_after(self.recipe.delimiter)
        own = {"delimiter": delimiter, "encoding": "utf-8"}
        return own | given

    def report(
        self,
        path: str | Path,
        *,
        purpose: str | None = None,
        author: str | None = None,
        overwrite: bool = False,
    ) -> dict[str, Any]:
        """Write a page about the release that people can read, file and sign.

        What was released from what, promised and found, left to fear and lost; risk,
        utility, costs, limits and the recipe, with pictures. No value in it comes from
        fewer than k people. `save` writes one beside the table, with its hash.

        Parameters
        ----------
        path : path
            An .html file, which needs nothing else; or .json, the same as data.
        purpose, author : str, optional
            What the release is for and who made it; lines to fill in if not given.
        overwrite : bool, default=False
            Whether a file that exists may be replaced.

        Returns
        -------
        facts : dict
            What the report says.
        """
        from microcell.io import Outbox

        check_report_options(path)
        if self.labels is not None:
            self._check_unchanged()
        with Outbox(overwrite=overwrite) as outbox:
            staged = outbox.stage(path)
            facts = ReportFile(path, purpose, author).write(staged, self)
            outbox.publish()
        return facts

    def _in_file_order(
        self, frame: pl.DataFrame, format: Format
    ) -> tuple[pl.DataFrame, np.ndarray]:
        """The table as a file has it, and which record each of its rows is."""
        if self.recipe.order == "keep":
            return frame, np.arange(frame.height)
        rows = canonical_order(frame, format.shown(frame, self.layouts))
        return frame[rows], rows

    def _check_unchanged(self) -> None:
        """Refuse a table that was changed after it was verified."""
        if fingerprint(self.table) != self.fingerprint:
            raise InputError(
                "The table of this release is not the one that was verified: a column, "
                "a record or a value was changed.",
                hint="Change the original and anonymize it again.",
            )


def _at_rows(layouts: Mapping[str, Any], rows: np.ndarray) -> dict[str, Any]:
    """Layouts with what is noted of each record in the order of a file."""
    return {
        name: layout.at(rows) if isinstance(layout, ColumnNotes) else layout
        for name, layout in layouts.items()
    }


def released_columns(
    names: Sequence[str], kinds: Mapping[str, str], recipe: Recipe, joined: bool = False
) -> list[dict[str, str]]:
    """Released columns with their roles and what was done to them.

    `joined` says that small strata were merged.
    """
    described = []
    for name in names:
        role = "confidential" if name in recipe.schema.confidential else "other"
        treatment = "as it is"
        if name in kinds:
            role, treatment = "quasi-identifier", f"masked as {kinds[name]}"
        elif joined and name in recipe.strata:
            treatment = "text, joined where strata were merged"
        described.append({"name": name, "role": role, "treatment": treatment})
    return described


def check_report_options(report: str | Path | None, **said: str | None) -> None:
    """Refuse a report that cannot be made, before any work; and words for none."""
    if report is not None:
        from microcell.report import check_report

        check_report(report)
        return
    for option, value in said.items():
        if value is not None:
            raise InputError(
                [Option(option), " is said in a report, and none is asked for."],
                option=option,
                hint=["Ask for one with ", Option("report", "report.html"), "."],
            )


def software_versions() -> dict[str, str]:
    """Versions that a release depends on."""
    return {"python": platform.python_version()} | {
        name: version(name) for name in VERSIONED
    }
