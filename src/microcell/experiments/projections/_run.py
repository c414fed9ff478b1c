"""Table 1 computed: three projections, three block sizes, three k, two files."""

import time
from dataclasses import replace

import numpy as np

from microcell._validation import column_blocks
from microcell.experiments._tables import fetch_table
from microcell.experiments._tasks import as_list
from microcell.experiments.projections._paper import TABLE_1, TABLE_COLUMNS, published
from microcell.experiments.projections._readings import PROJECTIONS, default_release
from microcell.metrics import (
    distance_linkage_risk,
    information_loss,
    interval_disclosure_risk,
    known_blocks,
    score,
)

TIMED_RUNS = 3
PROJECTED = ("pcp", "zscores", "sugeno")


def tables(quick):
    """The paper's files, columns in file order; EIA is its ten attributes."""
    names = ("census",) if quick else ("census", "eia")
    return {name: fetch_table(name).arrays()[0] for name in names}


def settings(quick):
    """(method, v, k) of the rows; a quick run takes those of the figures."""
    return [row for row in TABLE_1 if row[1] == 4] if quick else list(TABLE_1)


@as_list
def run(quick, progress):
    """All rows for all readings.

    Returns
    -------
    rows : list of dict
        data, method, v, k, reading, and the columns of the table in per cent; a
        reading of one measure has only that column and the score.
    """
    data, wanted = tables(quick), settings(quick)
    releases = [
        (name, X, method, v, k, "default", default_release(method, k, v))
        for name, X in data.items()
        for method, v, k in wanted
    ]
    if not quick:
        releases += [
            (name, X, method, v, k, reading, build(k, v))
            for reading, (replaced, build) in PROJECTIONS.items()
            for name, X in data.items()
            for method, v, k in wanted
            if method == replaced
        ]
    for done, (name, X, method, v, k, reading, masking) in enumerate(releases):
        progress(done, len(releases), f"{name} {method} v={v} k={k}")
        X_released, seconds = timed(masking, X)
        measured = score(X, X_released, blocks=v)
        labels = {"data": name, "method": method, "v": v, "k": k, "seconds": seconds}
        yield labels | {"reading": reading} | in_percent(measured)
        if reading == "default":
            yield from (
                [
                    labels | {"reading": other} | columns
                    for other, columns in other_measures(X, X_released, measured, v)
                ]
            )
    progress(len(releases), len(releases), "done")


def timed(masking, X):
    """The release, and the least processor time of three runs; the first compiles."""
    found = []
    for _ in range(TIMED_RUNS):
        start = time.process_time()
        X_released = masking.fit_transform(X)
        found.append(time.process_time() - start)
    return X_released, min(found)


def in_percent(measured):
    """The paper's columns of a score."""
    risk = measured.disclosure
    shares = (measured.il, risk.dld, risk.pld, risk.id, measured.score)
    return {
        column: 100 * share for column, share in zip(TABLE_COLUMNS, shares, strict=True)
    } | {"DR": 100 * measured.dr}


def other_measures(X, X_released, measured, v):
    """The same release by other readings of one measure: that column and the score."""
    for il1 in ("capped", "scaled"):
        lost = information_loss(X, X_released, il1=il1)
        yield f"IL1 {il1}", only("IL", replace(measured, information=lost))
    by_deviation = interval_disclosure_risk(X, X_released, kind="sd")
    risk = replace(measured.disclosure, id=by_deviation)
    yield "ID by deviation", only("ID", replace(measured, disclosure=risk))
    risk = replace(measured.disclosure, dld=linkage_on_one_scale(X, X_released, v))
    yield "DLD on one scale", only("DLD", replace(measured, disclosure=risk))


def linkage_on_one_scale(X, X_released, v):
    """Linkage by distance with both files divided by the original's deviations."""
    scale = X.std(axis=0)
    Z, Z_released = X / scale, X_released / scale
    blocks = column_blocks(v, X.shape[1])
    risks = []
    for known in known_blocks(len(blocks), "cumulative"):
        columns = [column for b in known for column in blocks[b]]
        risks.append(distance_linkage_risk(Z[:, columns], Z_released[:, columns]))
    return float(np.mean(risks))


def only(column, measured):
    """The column that a reading changes, and the score."""
    values = in_percent(measured)
    return {column: values[column], "score": values["score"], "DR": values["DR"]}


def with_published(row):
    """The row with the paper's figures beside ours."""
    theirs = published(row["data"], row["method"], row["v"], row["k"])
    return row | {f"paper {column}": theirs[column] for column in TABLE_COLUMNS}
