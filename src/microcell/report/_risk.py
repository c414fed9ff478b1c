"""What is left to fear: class sizes, intruders' knowledge, what cells give away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from microcell.columns import ENCODERS
from microcell.metrics import (
    SUBSETS_SEED,
    affordable_subsets,
    column_disclosure,
    sampled_linkage_risks,
    subset_linkage_risk,
)
from microcell.pipeline import warnings_of
from microcell.privacy import as_polars
from microcell.report._columns import Column
from microcell.report._geometry import Geometry
from microcell.report._people import People, first_rows
from microcell.report._rulers import decimals, digits

if TYPE_CHECKING:
    from microcell.release import Release

MAX_LINKED_RECORDS = 1_000  # released records that are linked with all originals
MAX_RANKED_RECORDS = 20_000  # records whose ranks are compared
MAX_COLUMNS_LEFT_OUT = 15  # columns up to which each is left out in turn


def class_sizes(counted: Mapping[int, tuple[int, int]], k: int) -> dict[str, Any]:
    """People who share their released values: the sizes of such classes.

    Parameters
    ----------
    counted : mapping
        Of each size the classes that have it, and their records.
    k : int
    """
    sizes = np.array(sorted(counted))
    classes, records = np.array([counted[size] for size in sizes.tolist()]).T
    n_classes = int(classes.sum())
    middle = [(n_classes + 1) // 2, n_classes // 2 + 1]  # one of them, if it is odd
    half = np.searchsorted(np.cumsum(classes), middle)
    starts = sorted({1, 2, k, k + 1, 2 * k, 5 * k, 10 * k, 100 * k})
    bins = []
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        inside = (sizes >= start) & (sizes < (end or np.inf))
        if not inside.any():
            continue
        label = f"{start} or more" if end is None else f"{start} to {end - 1}"
        bins.append(
            {
                "label": str(start) if end == start + 1 else label,
                "classes": int(classes[inside].sum()),
                "records": int(records[inside].sum()),
            }
        )
    return {
        "smallest": int(sizes[0]),
        "median": float(sizes[half].mean()),
        "largest": int(sizes[-1]),
        "alone": int(records[sizes == 1].sum()),
        "below_k": int(records[sizes < k].sum()),
        "bins": bins,
    }


def knowledge(
    release: Release, before: Any, classes: np.ndarray, people: People
) -> list[dict[str, Any]]:
    """Risk from intruders who know the released values of 1, 2, ... or all columns.

    A person counts once with each of their released records that differ.

    Parameters
    ----------
    release : Release
    before : Before or None
        Its records beside their originals, or a sample and what was counted of all.
    classes : ndarray of shape (n_records,)
        Equivalence class of each record.
    people : People
    """
    if before is not None and before.knowledge is not None:
        by_size = before.knowledge
    else:
        table = release.table if before is None else before.table
        first = first_of_classes(classes)
        size, n_draws = affordable_subsets(len(release.known), first.size)
        by_size = subset_linkage_risk(
            as_polars(table, release.known)[first],
            copies=people.by_code(classes, first.size),
            size=size,
            n_draws=n_draws,
            random_state=SUBSETS_SEED,
        ).by_size
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
        for known in by_size
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
        rows = there[first_rows(there.size, MAX_RANKED_RECORDS)]
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
    if 1 < n_columns <= MAX_COLUMNS_LEFT_OUT:
        subsets += [[i for i in everything if i != j] for j in everything]
    rows = first_rows(n_records, MAX_LINKED_RECORDS)
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
