"""What the run says: how close each column comes, and which conclusions hold."""

import numpy as np
from scipy.stats import spearmanr

from microcell.experiments.projections._paper import TABLE_COLUMNS, published
from microcell.experiments.projections._readings import PROJECTIONS
from microcell.experiments.projections._run import PROJECTED


def closeness(rows):
    """Rank correlation and mean absolute difference, per reading, file and column.

    Returns
    -------
    table : list of dict
        A reading that replaces one method has the rows of that method only; the
        default on the same rows stands beside it.
    """
    rows = rows + [
        row | {"reading": f"default, {method} only"}
        for reading, (method, _) in PROJECTIONS.items()
        if any(row["reading"] == reading for row in rows)
        for row in rows
        if (row["reading"], row["method"]) == ("default", method)
    ]
    table = []
    groups = dict.fromkeys((row["reading"], row["data"]) for row in rows)
    for reading, data in groups:
        chosen = [r for r in rows if (r["reading"], r["data"]) == (reading, data)]
        for column in TABLE_COLUMNS:
            pairs = [(r[column], r[f"paper {column}"]) for r in chosen if column in r]
            if not pairs:
                continue
            ours, theirs = np.array(pairs).T
            table.append(
                {
                    "reading": reading,
                    "data": data,
                    "column": column,
                    "rows": len(pairs),
                    "rank correlation": float(spearmanr(ours, theirs).statistic),
                    "mean absolute difference": float(np.abs(ours - theirs).mean()),
                }
            )
    return table


def lines_of(table):
    """One line for each column of the default reading, then the other readings."""
    return [
        f"{row['data']:<7} {row['column']:<6} {row['reading']:<26} rank correlation "
        f"{row['rank correlation']:+.2f}, mean absolute difference "
        f"{row['mean absolute difference']:.2f} ({row['rows']} rows)"
        for row in table
    ]


def conclusions(rows):
    """The paper's conclusions, each held against its own table and against our run."""
    ours = {
        (r["data"], r["method"], r["v"], r["k"]): r
        for r in rows
        if r["reading"] == "default"
    }
    claims = [("DR", k) for k in (5, 15, 25)] + [("score", k) for k in (15, 25)]
    lines = []
    for column, k in claims:
        found = {m: ours["census", m, 4, k][column] for m in PROJECTED}
        theirs = {m: paper_row(m, k)[column] for m in PROJECTED}
        word = "disclosure risk" if column == "DR" else "score"
        lines.append(
            f"Sugeno has the lowest {word} on Census at v=4, k={k}: "
            f"{_verdict(theirs)} in the paper, {_verdict(found)} in our run "
            f"({_shown(found)})"
        )
    return lines


def paper_row(method, k):
    """The paper's row on Census at v = 4, with its disclosure risk."""
    row = published("census", method, 4, k)
    return row | {"DR": 0.25 * row["DLD"] + 0.25 * row["PLD"] + 0.5 * row["ID"]}


def _verdict(values):
    return "holds" if min(values, key=values.get) == "sugeno" else "does not hold"


def _shown(values):
    return ", ".join(f"{method} {value:.2f}" for method, value in values.items())
