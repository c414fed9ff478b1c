"""check_file: what a table keeps, whoever made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from microcell import _progress
from microcell._validation import check_k
from microcell.columns import ConfidentialReading
from microcell.exceptions import InputError, Option
from microcell.io import Source
from microcell.metrics import MEASURES, Scores, labelled, risk_of_class_sizes
from microcell.pipeline import (
    Visits,
    confidential_reading,
    disclosure_lines,
    disclosure_of,
    dominance_of,
    promises_of,
    read_columns,
    to_notice,
    units_in,
    visits_of,
    weights_of,
)
from microcell.privacy import Finding, KAnonymity, Promise, View, unprotected
from microcell.recipe import RECORDS, WEIGHTED, Recipe, Schema, as_promises
from microcell.release._alignment import aligned_rows
from microcell.release._as_released import BESIDE_ORIGINAL, compared_with
from microcell.release._attacks import Attacks, attacks_of
from microcell.release._certified import NotShown, stated_of
from microcell.release._prepared import prepare_for
from microcell.release._source import is_noted_source
from microcell.release._sources import read_by_recipe, read_whole

NOT_ITS_CERTIFICATE = "the certificate is of another file, or this one was changed"
WORST = 5  # smallest sizes of classes that a check shows

NOT_IN_A_FILE = {
    "cells": "counted on the cells",
    "construction": "known by how a release was made",
}


@dataclass(frozen=True)
class Check:
    """What a table keeps, whoever made it.

    Attributes
    ----------
    n_records : int
        Records of the table.
    quasi_identifiers : sequence of str
        Columns that make records equal.
    sizes : ndarray
        Sizes of the equivalence classes, in ascending order.
    findings : sequence of Finding
        One for each promise that was asked for.
    disclosure : dict
        What classes give away of each confidential column; see `disclosure_of`.
    attacks : Attacks
        What intruders gain who know some columns, or guess.
    source_as_noted : bool or None
        Whether a source is the one that a note was written for; None if not asked.
    not_checked : sequence of str
        What a recipe promises and these files do not show, and why.
    certified : bool or None
        Whether a certificate is that of the file; None if none was given.
    visits : Visits or None
        What is left to who knows all records of a person, where that is known.
    """

    n_records: int
    quasi_identifiers: Sequence[str]
    sizes: np.ndarray
    findings: Sequence[Finding]
    disclosure: Mapping[str, Scores]
    attacks: Attacks
    source_as_noted: bool | None = None
    not_checked: Sequence[str] = ()
    certified: bool | None = None
    visits: Visits | None = None

    @property
    def holds(self) -> bool:
        """Whether nothing is broken, and source and certificate are as they should be.

        What is not checked may be broken.
        """
        kept = all(finding.holds is not False for finding in self.findings)
        return kept and False not in (self.source_as_noted, self.certified)

    @property
    def nothing_checked(self) -> bool:
        """Whether a recipe promises something, and the files show none of it."""
        counted = any(
            f.holds is not None and f.basis != BESIDE_ORIGINAL for f in self.findings
        )
        return bool(self.not_checked) and not counted

    @property
    def scores(self) -> Scores:
        """Risk by the classes alone."""
        risk = risk_of_class_sizes(self.sizes)
        values = {
            "prosecutor_max_risk": risk.prosecutor_max,
            "prosecutor_average_risk": risk.prosecutor_average,
        }
        return Scores.of(values, MEASURES)

    @property
    def _worst(self) -> list[dict[str, int]]:
        """The smallest classes, by their size only."""
        shown, classes = np.unique(self.sizes, return_counts=True)
        return [
            {"size": int(size), "classes": int(n), "records": int(size * n)}
            for size, n in zip(shown[:WORST], classes[:WORST], strict=True)
        ]

    def lines(self) -> list[str]:
        """The check as a person reads it."""
        rows: list[tuple[str, Any]] = [
            ("records", self.n_records),
            ("k", int(self.sizes.min())),
            ("classes", self.sizes.size),
        ]
        lines = [labelled(*row) for row in rows] + self.scores.lines()
        lines += [
            f"classes of size {row['size']:<4}{row['classes']} "
            f"({row['records']} records)"
            for row in self._worst
        ]
        lines += disclosure_lines(self.disclosure)
        lines += [labelled("notice", said) for said in to_notice(self.disclosure)]
        lines += self.attacks.lines()
        if self.visits is not None:
            lines.append(labelled("notice", self.visits.sentence()))
        words = {True: "kept", False: "broken", None: "counted"}
        lines += [labelled(words[each.holds], each) for each in self.findings]
        if self.certified is False:
            lines.append(labelled("broken", NOT_ITS_CERTIFICATE))
        lines += [labelled("not checked", said) for said in self.not_checked]
        return lines + [
            labelled("warning", said) for said in unprotected(self.findings)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The check as plain data; classes by their size only."""
        result: dict[str, Any] = {
            "records": self.n_records,
            "quasi_identifiers": list(self.quasi_identifiers),
            "k": int(self.sizes.min()),
            "classes": int(self.sizes.size),
            **self.scores,
            "worst": self._worst,
            "findings": [finding.to_dict("file") for finding in self.findings],
            "disclosure": {name: dict(s) for name, s in self.disclosure.items()},
            "attacks": self.attacks.to_dict(),
        }
        if self.visits is not None:
            result["visits"] = self.visits.to_dict()
        if self.certified is not None:
            result["certified"] = self.certified
        if self.not_checked:
            result["not_checked"] = list(self.not_checked)
        if self.source_as_noted is not None:
            result["source_as_noted"] = self.source_as_noted
        promised = [f for f in self.findings if f.promised is not None]
        if promised:
            first = next(
                (f.promised for f in promised if f.basis != BESIDE_ORIGINAL), None
            )
            result |= {
                "promised": first,
                "records_failing": max(f.records_failing for f in promised),
                "holds": self.holds,
            }
        return result


def check_file(
    path: str | Path,
    quasi_identifiers: str | Sequence[str] = (),
    *,
    k: int | None = None,
    confidential: str | Sequence[str] = (),
    promises: Any = (),
    recipe: Recipe | str | Path | None = None,
    original: str | Path | None = None,
    certificate: str | Path | None = None,
    source: str | Path | None = None,
    source_note: str | Path | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    original_delimiter: str | None = None,
    original_encoding: str | None = None,
) -> Check:
    """Count how many records of a file look alike, and whether it keeps promises.

    Parameters
    ----------
    path : path
        The table; also a folder of Parquet or text files, which is read into memory.
    quasi_identifiers : str or sequence of str
        Columns that make records equal.
    k : int, optional
        The k that is to hold.
    confidential : str or sequence of str
        Columns that further promises are about.
    promises : sequence of Promise, optional
        What is to hold besides, for example ``PSensitivity(2)``.
    recipe : Recipe or path, optional
        A recipe instead: what it promises is to hold. A promise about people who have
        several records is checked where the original says whose records they are.
    original : path, optional
        The table that it was made from, its records in any order: then people are
        singled out in it by what the file shows. With a recipe, the number of records
        and the columns that are released as they are must be those of the original.
    certificate : path, optional
        The certificate of this very file, by its SHA-256: with a recipe, what it states
        of promises that these files do not show stands beside what was counted.
    source, source_note : path, optional
        A source, and the note with the key to its digest: whether the certificate with
        that digest was made from it.
    delimiter, encoding : str, optional
        Dialect of a text file.
    original_delimiter, original_encoding : str, optional
        Dialect of the original, if it is text; by default the recipe's, or found out.

    Returns
    -------
    check : Check
    """
    read = _Dialects(delimiter, encoding, original_delimiter, original_encoding)
    if original is None:
        read.refuse_original()
    if (source is None) != (source_note is None):
        raise InputError(
            "A source is compared with the note that was written for it.",
            option="source_note" if source_note is None else "source",
            hint="Give both.",
        )
    if recipe is not None:
        if k is not None or quasi_identifiers or confidential or promises:
            raise InputError("A recipe says what is to hold. Give it, or the options.")
        check = _check_recipe(path, recipe, original, certificate, read)
    elif certificate is not None:
        raise InputError(
            "A certificate states what was promised, and what is to hold is given.",
            option="certificate",
            hint=["Give the ", Option("recipe"), " of the release, or leave it out."],
        )
    else:
        to_keep: list[Promise] = [] if k is None else [KAnonymity(check_k(k))]
        schema = Schema(quasi_identifiers, confidential=confidential, others="drop")
        for promise in as_promises(promises):
            to_keep += promise.bind(schema.confidential)
        check = _check_promises(path, schema, to_keep, original, read)
    if source is None or source_note is None:
        return check
    return replace(check, source_as_noted=is_noted_source(source, source_note))


class _Dialects(NamedTuple):
    """How text files are read."""

    delimiter: str | None
    encoding: str | None
    original_delimiter: str | None
    original_encoding: str | None

    @property
    def of_original(self) -> dict[str, str | None]:
        return {
            "delimiter": self.original_delimiter,
            "encoding": self.original_encoding,
        }

    def refuse_original(self) -> None:
        """Refuse a dialect of an original where there is none."""
        for name, value in self.of_original.items():
            if value is not None:
                raise InputError(
                    f"No original is named, so it has no {name}.",
                    option=f"original_{name}",
                    hint=["Name it in ", Option("original"), ", or leave it out."],
                )


def _check_promises(
    path: str | Path,
    schema: Schema,
    to_keep: list[Promise],
    original: str | Path | None,
    read: _Dialects,
) -> Check:
    """Whether a file keeps some promises."""
    frame = read_whole(path, delimiter=read.delimiter, encoding=read.encoding).frame
    schema.released(frame.columns)
    names = read_columns(schema.confidential, to_keep)
    table = ConfidentialReading(names).read(frame)
    view = View(table, schema.quasi_identifiers, confidential=schema.confidential)
    for promise in to_keep:
        if promise.over in NOT_IN_A_FILE:
            how = NOT_IN_A_FILE[promise.over]
            raise InputError(f"{promise.name!r} is {how}, which a file does not show.")
    beside = None
    if original is not None:
        beside = read_whole(original, **read.of_original).frame
    _progress.report(0, None, "counting who looks alike")
    return _checked(view, [promise.verify(view) for promise in to_keep], beside)


def _check_recipe(
    path: str | Path,
    recipe: Recipe | str | Path,
    original: str | Path | None,
    certificate: str | Path | None,
    read: _Dialects,
) -> Check:
    """Whether a file keeps what a recipe promises."""
    if not isinstance(recipe, Recipe):
        recipe = Recipe.from_toml(recipe)
    frame = read_whole(
        path,
        delimiter=read.delimiter or recipe.output_delimiter,
        encoding=read.encoding or recipe.output_encoding,
    ).frame
    schema = recipe.schema
    Schema(
        schema.quasi_identifiers, confidential=schema.confidential, others="drop"
    ).released(frame.columns)
    beside = [
        name
        for name in recipe.strata
        if name in frame.columns and name not in schema.quasi_identifiers
    ]
    view = View(
        confidential_reading(recipe).read(frame),
        [*schema.quasi_identifiers, *beside],
        confidential=schema.confidential,
    )
    source = None
    if original is not None:
        given: dict[str, Any] = {name: v for name, v in read.of_original.items() if v}
        source, recipe = read_by_recipe(original, replace(recipe, **given))
    _progress.report(0, None, "counting who looks alike")
    shown, hidden = [], list[NotShown]()
    for promise in promises_of(recipe.plan, recipe, beside):
        how = NOT_IN_A_FILE.get(promise.over)
        if how is None:
            shown.append(promise)
        else:
            why = f" is {how}, which a file does not show"
            hidden.append(NotShown(promise, why))
    before = None if source is None else source.frame
    if recipe.unit in (None, RECORDS):
        findings = [promise.verify(view) for promise in shown]
    else:
        findings, more = _of_people(view, frame, shown, recipe, source)
        hidden += more
    if (
        recipe.weights in frame.columns
        and {recipe.representatives.get(n, recipe.aggregate) for n in view.known}
        & WEIGHTED
    ):
        table = nw.from_native(frame, eager_only=True)
        weights = weights_of(table, recipe.weights, decimal=recipe.decimal)
        findings.append(dominance_of(view.classes, weights))
    certified = None
    if certificate is not None:
        certified, stated, hidden = stated_of(path, certificate, hidden)
        findings += stated
    not_checked = list(map(str, hidden))
    if source is not None:
        same, unlike = compared_with(source, frame, recipe)
        findings += same
        not_checked += unlike
    check = _checked(view, findings, before, recipe.decimal)
    visits = None if view.units is None else visits_of(view, recipe)
    return replace(
        check, not_checked=tuple(not_checked), certified=certified, visits=visits
    )


def _of_people(
    view: View,
    frame: pl.DataFrame,
    promises: Sequence[Promise],
    recipe: Recipe,
    source: Source | None,
) -> tuple[list[Finding], list[NotShown]]:
    """What can be found of promises to people, of whom some have several records.

    A release does not say whose its records are. The original does, where the rows of
    both can be put side by side; then the view is given the people. Else classes of so
    many records that k people must share them keep k; and those of fewer than k records
    break it, as people are not more than records.

    Returns
    -------
    findings : list of Finding
    not_checked : list of NotShown
    """
    unit = str(recipe.unit)
    why = f"it counts {unit!r}, which a release does not hold"
    most = len(frame)  # records that one person may have
    if source is None:
        why += ": name the original, or the certificate of this file"
    else:
        as_text = source.format is not None and not source.format.typed
        prepared, task = prepare_for(source.frame, recipe, recipe.schema, as_text)
        units = units_in(prepared.frame, unit, task.marks.also(""))
        rows = aligned_rows(prepared, frame, made_here=True, order=recipe.order)
        if rows is not None:
            view.units, view.unit = np.empty_like(units), unit
            view.units[rows] = units
            return [promise.verify(view) for promise in promises], []
        if len(units) == len(frame):
            most = int(np.bincount(units).max())
        why += (
            ", and its rows cannot be put beside those of the original: check a "
            "private copy that is made with order=keep, and publish the sorted one"
        )
    findings, hidden = [], list[NotShown]()
    for promise in promises:
        if isinstance(promise, KAnonymity):
            sizes = view.counts(promise.columns).sizes
            at_least = promise.check(-(-sizes // most), f"{unit}, at least")
            if at_least.holds:
                findings.append(at_least)
                continue
            counted = replace(promise, promised=sizes.min() < promise.k)
            findings.append(counted.check(sizes, "records"))
        hidden.append(NotShown(promise, f": {why}"))
    return findings, hidden


def _checked(
    view: View,
    findings: Sequence[Finding],
    original: pl.DataFrame | None,
    decimal: str | None = None,
) -> Check:
    _progress.report(0, None, "trying what intruders would")
    if original is not None:
        Schema(view.known, others="drop").released(original.columns)
    return Check(
        len(view.classes),
        view.known,
        view.counts().sizes,
        findings,
        disclosure_of(view),
        attacks_of(view.table, view.known, view.confidential, original, decimal),
    )
