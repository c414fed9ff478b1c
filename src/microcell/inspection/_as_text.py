"""An inspection as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microcell._printable import printable

if TYPE_CHECKING:
    from microcell.inspection._inspection import ColumnProposal, Inspection

MIN_SHOWN_SHARE = 0.005  # share of the records that a set singles out
MAX_SHOWN_DEPENDENCIES = 12  # dependencies
HEADER = ("column", "kind", "role", "", "distinct", "missing", "alone", "adds")


def lines_of(inspection: Inspection) -> list[str]:
    """Columns with their roles, sets that single out, and what was found besides."""
    lines = [f"records             {inspection.n_records}", ""]
    lines += aligned([HEADER, *map(_row, inspection.columns)])
    lines += ["", "why"]
    for column in inspection.columns:
        lines.append(f"  {printable(column.name)}: {'; '.join(column.reasons)}")
    lines += _sets(inspection)
    lines += _dependencies(inspection)
    if inspection.notices:
        lines += ["", *(f"note: {notice}" for notice in inspection.notices)]
    return lines


def percent(share: float) -> str:
    """A share in per cent, with a sign for what is not nothing.

    Examples
    --------
    >>> percent(0.842), percent(0.0), percent(0.0004)
    ('84 %', '0 %', '<1 %')
    """
    return "<1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def aligned(
    rows: list[tuple[str, ...]], left: tuple[int, ...] = (0, 1, 2, 3)
) -> list[str]:
    """Rows of text in columns, some to the left and figures to the right."""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if j in left else cell.rjust(width)
            for j, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _number(n: int) -> str:
    several = {2: "two", 3: "three"}
    return f"{several[n]} columns single" if n > 1 else "one column singles"


def _row(column: ColumnProposal) -> tuple[str, ...]:
    return (
        printable(column.name),
        column.kind or "-",
        column.role,
        column.confidence,
        str(column.n_distinct),
        str(column.n_missing),
        percent(column.figures.unique),
        "" if column.added is None else percent(max(column.added, 0.0)),
    )


def _sets(inspection: Inspection) -> list[str]:
    found = inspection.singling_out
    telling = [s for s in found.sets if s.unique >= MIN_SHOWN_SHARE]
    if not telling:
        return []
    rows: list[tuple[str, ...]] = [
        ("alone", f"below {inspection.k}", "separation", "distinction", "columns")
    ]
    for figures in telling:
        shares = (figures.separation, figures.distinction)
        rows.append(
            (
                percent(figures.unique),
                percent(figures.below_k),
                *(f"{100 * share:.2f} %" for share in shares),
                ", ".join(map(printable, figures.columns)),
            )
        )
    most = max(telling, key=lambda figures: figures.unique)
    lines = [
        "",
        f"{_number(len(most.columns))} out {percent(most.unique)} of the "
        f"records: {', '.join(map(printable, most.columns))}",
        *(f"  {line}" for line in aligned(rows, left=(4,))),
    ]
    if found.n_counted < inspection.n_records:
        lines.append(
            f"  (sets were chosen, and 'adds' counted, on a random sample of "
            f"{found.n_counted} records, in which more are alone; the shares of these "
            "sets are counted on all records)"
        )
    if found.left_out:
        lines.append(
            f"  (looked at alone only: {', '.join(map(printable, found.left_out))})"
        )
    return lines


def _dependencies(inspection: Inspection) -> list[str]:
    lines = [
        f"  {printable(second)} equals {printable(first)} up to the names of values"
        for first, second in inspection.duplicates
    ]
    twins = {frozenset(pair) for pair in inspection.duplicates}
    others = [
        d
        for d in inspection.dependencies
        if frozenset((d.source, d.follows)) not in twins
    ]
    for d in others[:MAX_SHOWN_DEPENDENCIES]:
        how = (
            "" if d.exact else f", except in {100 * d.exceptions:.1f} % of the records"
        )
        lines.append(
            f"  {printable(d.follows)} follows from {printable(d.source)}{how}"
        )
    if len(others) > MAX_SHOWN_DEPENDENCIES:
        lines.append(
            f"  and {len(others) - MAX_SHOWN_DEPENDENCIES} more (in the JSON form)"
        )
    return ["", "columns that follow from others", *lines] if lines else []
