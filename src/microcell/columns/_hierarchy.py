"""Codes in a hierarchy that the user gives: a list of parents for each value."""

from __future__ import annotations

import csv
import io
import itertools
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from microcell._patterns import pattern_of
from microcell.columns._releasable import type_name
from microcell.columns._series import dictionary
from microcell.columns._text_types import refuse_first
from microcell.columns._tree import MARK, TreeEncoder, grow
from microcell.exceptions import InputError, column_error, sentence

Labels = Mapping[str, tuple[str, ...]]
Rows = list[tuple[int, list[str]]]
SEPARATORS = (";", "\t", ",")  # that ARX writes, its own first


class Hierarchy(NamedTuple):
    """Values and the groups they are in.

    Attributes
    ----------
    labels : dict
        For each value its groups, the nearest first.
    names : dict
        What is released of a group, by its level (1 is the nearest) and its label;
        only of groups with more than one part. One more level stands for the root.
    n_levels : int
        Levels of groups above the values.
    """

    labels: dict
    names: dict
    n_levels: int


class HierarchyEncoder(TreeEncoder):
    """Values, and groups as a hierarchy names them.

    A group whose label is also that of a value, or of a group below, is released with
    a star behind it, so that the two can be told apart.
    """

    kind = "hierarchy"

    def __init__(self, like: Any, values: Any, hierarchy: Any) -> None:
        self.hierarchy = hierarchy
        super().__init__(like, values)
        used = {value: hierarchy.labels[value] for value in values}
        levels = [*map(set, zip(*used.values(), strict=True)), {None}]  # and the root
        names = {
            (level, label): name
            for (level, label), name in hierarchy.names.items()
            if label in levels[level - 1]
        }
        self.hierarchy = hierarchy._replace(labels=used, names=names)

    @classmethod
    def fit(cls, series: Any, options: Any, records: Any = None) -> Self:
        """Learn which values of the hierarchy there are."""
        hierarchy = read_hierarchy(options.hierarchy, series.name)
        seen, categories = dictionary(series)
        if not all(type(value) in (str, int) for value in categories):
            raise column_error(
                series.name,
                f"has a hierarchy but data type {type_name(series)}.",
                hint="Convert it to text.",
            )
        texts = [str(value) for value in categories]
        unknown = [text not in hierarchy.labels for text in texts]
        refuse_first(
            series.name,
            categories,
            seen,
            unknown,
            f"which is not in its hierarchy ({sum(unknown)} of {len(texts)} values are "
            "not).",
            records,
            hint=sentence("Add them to the hierarchy in {hierarchies}."),
            option="hierarchies",
        )
        return cls(series, sorted(texts), hierarchy)

    def _grow(self, values: np.ndarray) -> Any:
        hierarchy = self.hierarchy
        rows = [[value, *hierarchy.labels[value]] for value in values]
        columns = list(zip(*rows, strict=True))[::-1]  # coarse levels first
        groups = np.column_stack([numbered(column) for column in columns])
        tree = grow(groups, range(len(columns)), len(columns))
        names = []
        for place, member in zip(tree.places, tree.members, strict=True):
            level = len(columns) - place  # of the group, which is one above its parts
            label = None if place == 0 else columns[place - 1][member]
            names.append(hierarchy.names[level, label])
        return tree, names

    def _with(self, values: Any) -> Self:
        return type(self)(self.like, values, self.hierarchy)

    def merge(self, other: Any) -> Self:
        """Values of both parts, which are of one hierarchy."""
        both = self.hierarchy._replace(
            labels=self.hierarchy.labels | other.hierarchy.labels,
            names=self.hierarchy.names | other.hierarchy.names,
        )
        values = sorted({*self.values, *other.values})
        return type(self)(self.like, values, both)


def read_hierarchy(source: Any, column: str) -> Hierarchy:
    """A hierarchy from a file or a mapping, checked.

    Parameters
    ----------
    source : path, or mapping of values to lists of groups
        Groups of a value are listed from the nearest to the root. In a file, each line
        holds a value and its groups, separated by semicolons, tabs or commas, without
        a header.
    column : str
        The column that it is for.
    """
    if isinstance(source, Mapping):
        rows, where = rows_of_mapping(source, column), "entry"
    else:
        rows, where = rows_of_file(source, column), "line"
    labels: dict[str, tuple[str, ...]] = {}
    length = len(rows[0][1]) if rows else 0
    line_of: dict[str, int] = {}
    for line, row in rows:
        if length < 2:
            raise wrong(column, f"{where} {line} has no groups, only a value")
        if len(row) != length:
            problem = f"has {len(row)} fields, the first {length}"
            raise wrong(column, f"{where} {line} {problem}")
        if "" in row:
            raise wrong(column, f"{where} {line} has an empty field")
        value, groups = row[0], tuple(row[1:])
        if labels.setdefault(value, groups) != groups:
            raise wrong(
                column,
                f"{where}s {line_of[value]} and {line} give the same value (pattern "
                f"{pattern_of(value)!r}) different groups",
            )
        line_of.setdefault(value, line)
    if not labels:
        raise wrong(column, "it is empty")
    check_one_parent(column, where, labels, line_of)
    return Hierarchy(labels, names_of_groups(labels), length - 1)


def rows_of_mapping(source: Mapping[Any, Any], column: str) -> Rows:
    """Numbered rows of a mapping."""
    rows = []
    for number, (value, groups) in enumerate(source.items(), start=1):
        groups = [groups] if isinstance(groups, str) else groups
        if not isinstance(groups, (list, tuple)):
            raise wrong(column, f"entry {number} must list the groups of a value")
        rows.append((number, [str(value), *map(str, groups)]))
    return rows


def rows_of_file(path: str | Path, column: str) -> Rows:
    """Numbered rows; the separator is the first that gives all the same length."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise wrong(column, f"there is no file {os.fspath(path)!r}") from None
    except OSError as error:
        problem = f"{os.fspath(path)!r} cannot be read: {error.strerror}"
        raise wrong(column, problem) from None
    except UnicodeDecodeError:
        raise wrong(column, f"{os.fspath(path)!r} is not in UTF-8") from None
    found: list[Rows] = []
    for separator in SEPARATORS:
        source = io.StringIO(text, newline="")
        lines = csv.reader(source, delimiter=separator, strict=True)
        try:
            rows = [(lines.line_num, row) for row in lines if row]
        except csv.Error:
            continue
        lengths = {len(row) for _, row in rows}
        if len(lengths) == 1 and lengths != {1}:
            return rows
        found.append(rows)
    if not found:
        raise wrong(column, f"a quote in line {lines.line_num} does not close")
    return max(found, key=lambda rows: max((len(row) for _, row in rows), default=0))


def check_one_parent(
    column: str, where: str, labels: Labels, line_of: Mapping[str, int]
) -> None:
    """Refuse a group that is in two groups: then there is no tree."""
    parents: dict[tuple[int, str], tuple[str, str]] = {}
    for value, groups in labels.items():
        pairs = enumerate(itertools.pairwise(groups), start=1)
        for level, (group, parent) in pairs:
            known, before = parents.setdefault((level, group), (parent, value))
            if known != parent:
                raise wrong(
                    column,
                    f"{where}s {line_of[before]} and {line_of[value]} put one group of "
                    f"level {level} (pattern {pattern_of(group)!r}) into two groups of "
                    f"level {level + 1}; give groups that differ labels that differ",
                )


def names_of_groups(labels: Labels) -> dict[tuple[int, str | None], str]:
    """What is released of each group with more than one part, and of the root.

    A label that is taken gets as many stars as it takes to be another.
    """
    levels = list(zip(*((v, *own) for v, own in labels.items()), strict=True))
    groups: list[tuple[int, str | None]] = []
    for level in range(1, len(levels)):
        pairs = {*zip(levels[level - 1], levels[level], strict=True)}
        parts = Counter(label for _, label in pairs)
        groups += [(level, label) for label in sorted(parts) if parts[label] > 1]
    names, taken = {}, set(labels)
    for group in [*groups, (len(levels), None)]:
        name = group[1] or MARK
        while name in taken:
            name += MARK
        names[group] = name
        taken.add(name)
    return names


def numbered(labels: Sequence[Any]) -> np.ndarray:
    """A number for each label."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels])


def wrong(column: str, problem: str) -> InputError:
    """The error for a hierarchy that is none."""
    return InputError(
        f"The hierarchy of column {column!r} is not as it should be: {problem}.",
        column=column,
        option="hierarchies",
        hint="Write each value and its groups, the nearest first, on a line: "
        "value;group;larger group;*.",
    )
