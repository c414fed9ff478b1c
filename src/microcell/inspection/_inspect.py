"""inspect: kinds and roles for the columns of a table, with reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from microcell._progress import report
from microcell._validation import check_k
from microcell.columns import ENCODERS, is_text_table, open_frame
from microcell.inspection._column import Column, look_at
from microcell.inspection._dependencies import (
    MAX_COMPARED_COLUMNS,
    Dependency,
    dependencies,
    duplicates,
)
from microcell.inspection._inspection import ColumnProposal, Inspection
from microcell.inspection._kinds import KindProposal, propose_kind, resolved_kind
from microcell.inspection._roles import (
    CONFIDENTIAL,
    IDENTIFIERS,
    LEFT_OUT,
    LIKELY,
    POSSIBLE,
    QUASI,
    WEIGHING,
    RoleProposal,
    has_bodies,
    role_by_figures,
    role_by_itself,
)
from microcell.inspection._shapes import column_shape
from microcell.inspection._singling_out import SetFigures, figures_of, singling_out
from microcell.inspection._units import propose_unit
from microcell.io import ColumnNotes, Source, read_source
from microcell.recognition import IDENTIFIER, NAMED, TOLD, sense_of
from microcell.release import found_options, noted_kinds, source_format

DEFAULT_K = 5
NOTED = "as the file's labels and measurement levels say"
DECIMAL_NOTICE = (
    "numbers of text are read with the decimal mark {!r}, which alone decides whether "
    "1,234 is more than a thousand: check it"
)


def inspect(
    table: Any, *, k: int = DEFAULT_K, as_text: bool = False, shapes: bool = False
) -> Inspection:
    """Propose kinds and roles for the columns of a table, with reasons.

    Columns are known by their names (in eight languages), by their values (addresses
    and numbers of people, codes, dates, marks of missing values) and by how much they
    single out, alone, in pairs and in triples. What is proposed is a guess, to be
    checked by who knows the data: it is not applied to anything.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table, or a stream of Arrow such as a relation
        of DuckDB, a table of Ibis or a RecordBatchReader; it is not changed.
    k : int, default=5
        The k of the proposed recipe. No value that fewer than k records have is in
        what is returned.
    as_text : bool, default=False
        Whether columns of text are read as what they stand for even if other columns
        have types. A table whose columns are all text is always read so.
    shapes : bool, default=False
        Whether to tell how the values of each column are distributed, for pictures.

    Returns
    -------
    inspection : Inspection
        Print it, or write its recipe: ``inspection.save_recipe("recipe.toml")``.

    Examples
    --------
    >>> from microcell.datasets import make_hospital
    >>> found = inspect(make_hospital(500, random_state=0).frame)
    >>> found.names("quasi-identifier"), found.names("identifier"), found.unit
    (['postcode', 'city', 'born', 'sex'], ['household'], 'household')
    >>> [(d.source, d.follows) for d in found.dependencies]
    [('household', 'postcode'), ('household', 'city'), ('postcode', 'city')]
    """
    return _inspected(table, k, as_text, {}, shapes)


def _inspected(
    table: Any, k: int, as_text: bool, notes: Mapping[str, ColumnNotes], shapes: bool
) -> Inspection:
    """As `inspect`, with what the file notes of columns."""
    k = check_k(k, least=2)
    frame = open_frame(table)
    as_text = as_text or is_text_table(frame)

    def look(name: str, **more: Any) -> Column:
        own = notes.get(name)
        return look_at(frame[name], k, as_text=as_text, notes=own, **more)

    columns, decimal = _look_at_all(frame.columns, look)
    of_body = has_bodies(column.called for column in columns)
    kinds = {c.name: propose_kind(c, as_text) for c in columns}
    noted = noted_kinds(frame.to_polars(), notes, frame.columns) if notes else {}
    for name, kind in noted.items():
        codes = ENCODERS.of(kinds[name].kind).nominal  # which have a level too
        if not (codes and ENCODERS[kind].numbers):
            kinds[name] = KindProposal(kind, declared=True, reason=NOTED)
    roles = {c.name: role_by_itself(c, kinds[c.name], of_body) for c in columns}
    usable = [c for c in columns if c.codes.size]
    twins = duplicates(usable)
    for column in usable:
        _resolve(column, kinds, roles)
    for first, second in twins:
        roles[second] = _role_of_twin(roles[second], roles[first], first)
    unit = propose_unit(columns, roles)
    if unit.people is not None:  # fewer than k of them may have a mark
        for place, column in enumerate(columns):
            if column.marks:
                again = look(column.name, decimal=decimal, people=unit.people)
                columns[place] = again
    maybe = [c for c in usable if (r := roles[c.name]) is None or r.role == QUASI]
    found = singling_out(maybe, k)
    follows = dependencies(usable)
    proposals = []
    for column in columns:
        role, added = roles[column.name], found.added.get(column.name)
        sizes = column.sizes if column.codes.size else np.array([len(frame)])
        figures = figures_of([column.name], sizes, k)
        if role is None:
            role = role_by_figures(added, figures.unique)
        resolved = kinds[column.name]
        shape = None
        if shapes:
            shape = column_shape(column, resolved.kind, k, unit.people)
        proposals.append(_proposal(column, resolved, role, figures, added, k, shape))
    proposals = _at_least_one(proposals)
    texts = {column.name for column in columns if column.text}
    if not any(p.role == QUASI and p.name in texts for p in proposals):
        decimal = None
    return Inspection(
        n_records=len(frame),
        k=k,
        columns=tuple(_one_weights(proposals)),
        singling_out=found,
        dependencies=tuple(follows),
        duplicates=tuple(twins),
        unit=unit.unit,
        unit_reason=unit.reason,
        notices=(
            *_notices(columns, proposals, follows, unit, k),
            *([] if decimal is None else [DECIMAL_NOTICE.format(decimal)]),
        ),
        decimal=decimal,
    )


def inspect_file(
    path: str | Path,
    *,
    k: int = DEFAULT_K,
    format: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Inspection:
    """Inspect a table in a file; see `inspect`.

    Parameters
    ----------
    path : path
        The table: a file, or the address of a table in a database.
    k : int, default=5
        As in `inspect`.
    format, delimiter, encoding, sheet : str, optional
        How the file is written, where it is not to be found out; the recipe says it
        too.

    Returns
    -------
    inspection : Inspection
    """
    report(0, None, "reading")
    source = read_source(
        path,
        format=source_format(path, format),
        delimiter=delimiter,
        encoding=encoding,
        sheet=sheet,
    )
    return inspect_source(source, k=k)


def inspect_source(
    source: Source, *, k: int = DEFAULT_K, shapes: bool = False
) -> Inspection:
    """Inspect a table that was read from a file; see `inspect`.

    Parameters
    ----------
    source : Source
        What `microcell.io.read_source` gave.
    k, shapes
        As in `inspect`.

    Returns
    -------
    inspection : Inspection
        Its recipe reads the file in the same way again.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "ages.csv"
    >>> _ = path.write_text("age;sex\\n" + "31;f\\n62;m\\n" * 20)
    >>> inspect_source(read_source(path)).file_options["delimiter"]
    ';'
    """
    as_text = source.format is not None and not source.format.typed
    found = _inspected(source.frame, k, as_text, source.notes, shapes)
    return replace(
        found,
        file_options=found_options(source),
        notices=(*source.notices, *found.notices),
    )


def _look_at_all(
    names: Sequence[str], look: Callable[..., Column]
) -> tuple[list[Column], str | None]:
    """All columns, and the decimal mark by which most of them can be read."""
    columns = []
    for done, name in enumerate(names):
        report(done, len(names), "looking at columns")
        columns.append(look(name))
    best, decimal = 0, None
    for mark in (",", "."):
        if not any(_is_gained(column, mark) for column in columns):
            continue
        again = {
            place: look(c.name, decimal=mark)
            for place, c in enumerate(columns)
            if _is_gained(c, mark) or (c.text and c.values.dtype.is_numeric())
        }
        gained = sum(
            _is_gained(columns[p], mark) - (c.kind is None) for p, c in again.items()
        )
        if gained > best:
            best, decimal, read = gained, mark, again
    if decimal is not None:
        columns = [read.get(place, column) for place, column in enumerate(columns)]
    return columns, decimal


def _is_gained(column: Column, mark: str) -> bool:
    """Whether a column that may be masked is numbers by a decimal mark only."""
    sense = sense_of(column.called)
    may_be = sense not in (TOLD, IDENTIFIER, NAMED)
    return may_be and column.reading is not None and mark in column.reading.decimals


def _resolve(
    column: Column,
    kinds: dict[str, KindProposal],
    roles: dict[str, RoleProposal | None],
) -> None:
    """Leave out what may be masked for all that is known, but cannot be."""
    name = column.name
    if roles[name] is not None and roles[name].role != QUASI:  # type: ignore[union-attr]
        return
    kinds[name] = resolved_kind(column, kinds[name])
    if kinds[name].kind is None:
        roles[name] = RoleProposal(LEFT_OUT, LIKELY, (kinds[name].reason,))


def _role_of_twin(
    own: RoleProposal | None, first: RoleProposal | None, name: str
) -> RoleProposal | None:
    """The role of a column that equals an earlier one up to the names of values.

    What one of them gives away, the other does.
    """
    why = f"equals {name!r} up to the names of values"
    if first is None:
        return RoleProposal(LEFT_OUT, POSSIBLE, (why,)) if own is None else own
    if own is not None and own.role == IDENTIFIERS:
        return own
    if first.role == QUASI or own is None:
        role = LEFT_OUT if first.role in (QUASI, WEIGHING) else first.role
        return RoleProposal(role, first.confidence, (why,))
    if first.role == IDENTIFIERS:
        return RoleProposal(IDENTIFIERS, first.confidence, (why,))
    return own


def _proposal(
    column: Column,
    kind: KindProposal,
    role: RoleProposal,
    figures: SetFigures,
    added: float | None,
    k: int,
    shape: dict[str, Any] | None,
) -> ColumnProposal:
    reasons = list(role.reasons)
    if role.role == QUASI and kind.reason:
        reasons.append(f"{kind.kind}: {kind.reason}" if kind.declared else kind.reason)
    formats = () if column.reading is None else column.reading.formats
    if len(formats) > 1:
        reasons.append(f"dates fit several formats: {' and '.join(formats)}")
    if column.marks:
        shown = ", ".join(map(repr, column.marks))
        reasons.append(f"{shown} may mark missing values ({column.n_marked} records)")
    if column.hidden_marks:
        reasons.append(
            f"something that may mark missing values is not shown: fewer than {k} "
            "people have it; if it does, name it as a mark of the missing"
        )
    if column.unmarked_dates:
        reasons.append(
            "holds a date that may mark missing ones: make it null before the release"
        )
    return ColumnProposal(
        name=column.name,
        role=role.role,
        confidence=role.confidence,
        kind=kind.kind,
        declared=kind.declared,
        reasons=tuple(reasons),
        n_distinct=column.n_distinct,
        n_missing=column.n_missing if column.codes.size else 0,
        figures=figures,
        added=added,
        marks=column.marks,
        format=formats[0] if formats else None,
        shape=shape,
    )


def _at_least_one(proposals: list[ColumnProposal]) -> list[ColumnProposal]:
    """Let undecided columns be masked where nothing else would be."""
    if any(p.role == QUASI for p in proposals):
        return proposals
    why = "no column singles people out, and something is to be masked"
    return [
        replace(p, role=QUASI, reasons=(why,))
        if p.role == LEFT_OUT and p.confidence == POSSIBLE and p.kind is not None
        else p
        for p in proposals
    ]


def _one_weights(proposals: Sequence[ColumnProposal]) -> list[ColumnProposal]:
    """Let the first column of weights be it, and leave others out."""
    weights = [p.name for p in proposals if p.role == WEIGHING]
    return [
        replace(p, role=LEFT_OUT, reasons=(*p.reasons, f"but so is {weights[0]!r}"))
        if p.name in weights[1:]
        else p
        for p in proposals
    ]


def _notices(
    columns: Sequence[Column],
    proposals: Sequence[ColumnProposal],
    follows: Sequence[Dependency],
    unit: Any,
    k: int,
) -> list[str]:
    notices = [] if unit.reason == "" else [unit.reason]
    role = {p.name: p.role for p in proposals}
    for d in follows:
        if role[d.source] == QUASI and role[d.follows] == CONFIDENTIAL:
            notices.append(
                f"the confidential column {d.follows!r} follows from {d.source!r}: who "
                "knows the one knows the other, unless cells mix it"
            )
    n_people = unit.n_people or max((c.n_records for c in columns), default=0)
    if n_people < k:
        notices.append(f"there are {n_people} people, fewer than k={k}: lower k")
    usable = sum(column.codes.size > 0 for column in columns)
    if usable > MAX_COMPARED_COLUMNS:
        notices.append(
            "dependencies were looked for among the first "
            f"{MAX_COMPARED_COLUMNS} columns"
        )
    return notices
