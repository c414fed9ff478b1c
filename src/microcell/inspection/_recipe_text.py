"""The proposed recipe as a TOML file to edit: with reasons and help as comments.

The library that writes TOML knows no comments, so lines are put together here; each
key and value is written by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import tomli_w

from microcell._printable import printable
from microcell.inspection._roles import CONFIDENTIAL, IDENTIFIERS, QUASI, WEIGHING
from microcell.recipe import LAYOUT, OPTIONS, help_line

if TYPE_CHECKING:
    from microcell.inspection._inspection import ColumnProposal, Inspection

HEAD = (
    "A recipe proposed by `microcell inspect`: guesses, to be checked by who knows the",
    "data. Correct it, then: microcell anonymize TABLE --recipe FILE -o RELEASE",
    "A column that is named nowhere is left out of the release.",
)
ROLE_LISTS = {
    "quasi_identifiers": (QUASI,),
    "identifiers": (IDENTIFIERS, WEIGHING),
    "confidential": (CONFIDENTIAL,),
}


def recipe_text(inspection: Inspection) -> str:
    """The TOML text of an inspection's recipe."""
    contents = inspection.recipe.to_dict()
    lines = [*map(comment, HEAD), ""]
    for section, keys in LAYOUT.items():
        written = contents[section]
        if section == "columns":
            lines += _column_lines(inspection, keys, written)
            continue
        lines.append(f"[{section}]")
        if section == "roles":
            lines += _role_lines(inspection, written)
        elif section in keys:  # an entry for each promise
            lines.append(comment(help_line(OPTIONS[keys[section]])))
            lines += [_entry(key, value) for key, value in written.items()]
        else:
            for key, name in keys.items():
                if key in written:
                    lines.append(comment(help_line(OPTIONS[name])))
                    lines += _notes(inspection, name, None)
                    lines.append(_entry(key, written[key]))
        lines.append("")
    return "\n".join(lines)


def _column_lines(
    inspection: Inspection, keys: Mapping[str, str], written: Mapping[str, Any]
) -> list[str]:
    """A table for each column of which something is said, below what may be said."""
    lines = [] if written else ["[columns]"]
    lines.append(comment("What is said of a column stands in [columns.NAME]:"))
    lines += [
        comment(f"  {key}: {help_line(OPTIONS[name])}") for key, name in keys.items()
    ]
    for column, said in written.items():
        lines += ["", f"[columns.{_key(column)}]"]
        for key, value in said.items():
            lines += [*_notes(inspection, keys[key], column), _entry(key, value)]
    return [*lines, ""]


def comment(text: str) -> str:
    """A line of comment; no character of a name may end it.

    Examples
    --------
    >>> comment("a\\nb")
    '# a\\\\nb'
    """
    return f"# {printable(text)}".rstrip()


def inline(value: Any) -> str:
    """A value of TOML in one line.

    Examples
    --------
    >>> print(inline({"age": ["999", "-9"], "net income": 1.5}))
    {age = ["999", "-9"], "net income" = 1.5}
    """
    if isinstance(value, dict):
        pairs = [f"{_key(key)} = {inline(entry)}" for key, entry in value.items()]
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return tomli_w.dumps({"x": value}).rstrip("\n").removeprefix("x = ")


def _key(key: str) -> str:
    return tomli_w.dumps({key: 0}).rstrip("\n").removesuffix(" = 0")


def _entry(key: str, value: Any) -> str:
    return f"{_key(key)} = {inline(value)}"


def _role_lines(inspection: Inspection, written: dict[str, Any]) -> list[str]:
    lines = []
    for name, roles in ROLE_LISTS.items():
        lines += [comment(help_line(OPTIONS[name])), f"{name} = ["]
        for column in inspection.columns:
            if column.role in roles:
                lines += [f"    {comment(line)}" for line in _reasons(column)]
                lines.append(f"    {inline(column.name)},")
        lines.append("]")
    for name in [n for n in written if n not in ROLE_LISTS]:
        lines += [comment(help_line(OPTIONS[name])), _entry(name, written[name])]
    for column in inspection.columns:
        if column.role not in {r for roles in ROLE_LISTS.values() for r in roles}:
            lines += [comment(f"left out: {column.name!r}: {'; '.join(_why(column))}")]
    return lines


def _why(column: ColumnProposal) -> list[str]:
    return [f"{column.confidence}: {column.reasons[0]}", *column.reasons[1:]]


def _reasons(column: ColumnProposal) -> list[str]:
    kind = f"{column.kind}; " if column.role == QUASI else ""
    alone = f"; singles out {100 * column.figures.unique:.0f} % alone"
    return [f"{kind}{'; '.join(_why(column))}{alone if column.role == QUASI else ''}"]


def _notes(inspection: Inspection, option: str, key: str | None) -> list[str]:
    """What an inspection has to say of an option."""
    if option == "unit" and inspection.unit_reason:
        return [comment(f"CHECK: {inspection.unit_reason}")]
    if option == "dates" and key is not None:
        several = [r for r in inspection[key].reasons if "formats" in r]
        return [comment(f"CHECK: {reason}") for reason in several]
    if option == "decimal":
        return [
            comment("CHECK: it alone decides whether 1,234 is more than a thousand.")
        ]
    if option == "missing_marks" and inspection.recipe.missing_marks:
        return [comment("CHECK: proposed because of their usual meaning.")]
    return []
