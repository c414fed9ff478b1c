"""What is left to fear: class sizes, intruders' knowledge, what cells give away."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from microcell.columns import ENCODERS
from microcell.metrics import (
    column_disclosure,
    sampled_linkage_risks,
    subset_linkage_risk,
)
from microcell.pipeline import warnings_of
from microcell.release import DRAWN_SUBSETS, LARGEST_SUBSETS, SEED
from microcell.report._columns import Column
from microcell.report._geometry import Geometry
from microcell.report._people import People, sample_rows
from microcell.report._rulers import decimals, digits

if TYPE_CHECKING:
    from microcell.release import Release

MOST_LOOKED_UP = 1_000  # released records that are linked with all originals
MOST_RANKED = 20_000  # records whose ranks are compared
MOST_LEFT_OUT = 15  # columns up to which each is left out in turn
MOST_COUNTED = 20_000_000  # distinct records times subsets of columns
MOST_SUBSETS_TRIED = 10_000  # of columns, however few the records: each takes a call
FEWEST_DRAWN = 3


def class_sizes(classes: np.ndarray, people: People) -> dict[str, Any]:
    """People who share their released values: the sizes of such classes."""
    sizes = people.by_code(classes, int(classes.max()) + 1)
    n_records = np.bincount(classes)
    k = people.k
    starts = sorted({1, 2, k, k + 1, 2 * k, 5 * k, 10 * k, 100 * k})
    bins = []
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        inside = np.flatnonzero((sizes >= start) & (sizes < (end or np.inf)))
        if inside.size == 0:
            continue
        label = f"{start} or more" if end is None else f"{start} to {end - 1}"
        bins.append(
            {
                "label": str(start) if end == start + 1 else label,
                "classes": int(inside.size),
                "records": int(n_records[inside].sum()),
            }
        )
    return {
        "smallest": int(sizes.min()),
        "median": float(np.median(sizes)),
        "largest": int(sizes.max()),
        "alone": int(n_records[sizes == 1].sum()),
        "below_k": int(n_records[sizes < k].sum()),
        "bins": bins,
    }


def knowledge(
    release: Release, classes: np.ndarray, people: People
) -> list[dict[str, Any]]:
    """Risk from intruders who know the released values of 1, 2, ... or all columns.

    A person counts once with each of their released records that differ.

    Parameters
    ----------
    classes : ndarray of shape (n_records,)
        Equivalence class of each record.
    """
    first = first_of_classes(classes)
    frame = nw.from_native(release.table, eager_only=True).select(*release.known)
    n_columns, n_distinct = len(release.known), first.size
    size = affordable_size(n_columns, n_distinct)
    spent = sum(comb(n_columns, known) for known in range(1, size + 1))
    left = max(MOST_COUNTED // n_distinct - spent, 0)
    drawn = left // max(n_columns - size, 1)
    found = subset_linkage_risk(
        frame.to_polars()[first],
        copies=people.by_code(classes, n_distinct),
        size=size,
        n_draws=int(np.clip(drawn, FEWEST_DRAWN, DRAWN_SUBSETS)),
        random_state=SEED,
    )
    return [
        {
            "size": known.size,
            "subsets": known.n_subsets,
            "exact": known.exact,
            "mean": digits(known.mean),
            "worst": digits(known.worst.average),
            "unique": digits(known.worst.unique),
            "columns": [str(name) for name in known.worst.columns],
        }
        for known in found.by_size
    ]


def first_of_classes(classes: np.ndarray) -> np.ndarray:
    """The first record of each class.

    Examples
    --------
    >>> first_of_classes(np.array([0, 1, 0, 2]))
    array([0, 1, 3])
    """
    first = np.empty(int(classes.max()) + 1, dtype=np.int64)
    first[classes[::-1]] = np.arange(classes.size)[::-1]
    return first


def affordable_size(n_columns: int, n_distinct: int) -> int:
    """Largest size of subsets of which all can be looked at in good time.

    Examples
    --------
    >>> affordable_size(5, 1_000), affordable_size(20, 1_000_000)
    (3, 1)
    >>> affordable_size(120, 10)
    2
    """
    size, n_subsets = 1, n_columns
    while size < min(LARGEST_SUBSETS, n_columns):
        n_subsets += comb(n_columns, size + 1)
        if n_subsets > MOST_SUBSETS_TRIED or n_subsets * n_distinct > MOST_COUNTED:
            break
        size += 1
    return size


def interval_disclosure(columns: list[Column], people: People) -> list[dict[str, Any]]:
    """How often an original value lies near its released one, by its rank."""
    found = []
    for column in columns:
        ordered = ENCODERS[column.kind].ordered
        if column.before is None or column.role != "quasi-identifier" or not ordered:
            continue
        before, after = column.numbers(column.before), column.numbers(column.after)
        there = np.flatnonzero(~(np.isnan(before) | np.isnan(after)))
        if not people.enough(there):
            continue
        rows = there[sample_rows(there.size, MOST_RANKED)]
        share = column_disclosure(before[rows, None], after[rows, None])[0]
        found.append({"name": column.name, "share": digits(float(share))})
    return found


def attributes(release: Release, columns: list[Column]) -> list[dict[str, Any]]:
    """What classes give away of each confidential column."""
    kind_of = {column.name: column.kind for column in columns}
    return [
        {
            "name": name,
            "kind": kind_of[name],
            "uniform": digits(scores["homogeneous_records"]),
            "largest_share": digits(scores["largest_share_max"]),
            "largest_share_mean": digits(scores["largest_share_mean"]),
            "table_share": digits(scores["table_share"]),
            "t_distance_max": digits(scores.get("t_distance_max")),
            "t_distance_mean": digits(scores.get("t_distance_mean")),
            "p": int(scores["p_sensitivity"]),
            "warnings": warnings_of(name, scores),
        }
        for name, scores in release.disclosure.items()
    ]


def carriers(geometry: Geometry) -> dict[str, Any]:
    """How often the nearest original is the right one, by what the intruder knows.

    Linkage by distance of some released records with all originals: by each column
    alone, and by all but it. The share of a column is the mean of what it adds first
    and what it adds last.
    """
    n_records, n_columns = len(geometry.Z), len(geometry.names)
    everything = list(range(n_columns))
    subsets = [everything, *([j] for j in everything)]
    if 1 < n_columns <= MOST_LEFT_OUT:
        subsets += [[i for i in everything if i != j] for j in everything]
    rows = sample_rows(n_records, MOST_LOOKED_UP)
    known, *found = sampled_linkage_risks(
        geometry.Z,
        geometry.Z_released,
        rows,
        [geometry.places(subset) for subset in subsets],  # type: ignore[misc]
        geometry.codes,
        geometry.units,
    )
    alone = found[:n_columns]
    all_but: list[float | None] = [*found[n_columns:]]
    if not all_but:
        all_but = [1 / n_records if n_columns == 1 else None] * n_columns
    added = []
    for first, without in zip(alone, all_but, strict=True):
        last = first if without is None else known - without
        added.append(max(first - 1 / n_records, 0) + max(last, 0))
    total = sum(added)
    columns = [
        {
            "name": name,
            "alone": decimals(alone[j]),
            "without": decimals(all_but[j]),
            "share": digits(added[j] / total) if total > 0 else None,
        }
        for j, name in enumerate(geometry.names)
    ]
    return {"all": decimals(known), "records": int(rows.size), "columns": columns}
