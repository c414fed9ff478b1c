"""What the paper claims, held against its own table and against our run."""

from operator import itemgetter

import numpy as np

from microcell.experiments._claims import (
    FAILS,
    HOLDS,
    verdict,
    verdict_above,
    verdict_of_all,
)
from microcell.experiments._curves import grouped, shown_change
from microcell.experiments._tasks import as_list
from microcell.experiments.projections._paper import (
    PROJECTIONS_PAPER,
    TABLE_1,
    TABLE_COLUMNS,
    published,
)
from microcell.experiments.projections._quantifiers import CLASSICAL, evaluated, gained
from microcell.experiments.projections._run import PROJECTED

CENSUS_4 = ("census", 4)
OF_FIGURES = {  # claim: column, values of k
    "Sugeno has the lowest disclosure risk on Census at v = 4 (figure 2)": (
        "DR",
        (5, 15, 25),
    ),
    "Sugeno has the best score on Census at v = 4 for k = 15, 25 (figure 3)": (
        "score",
        (15, 25),
    ),
}


def claims(rows, of_functions):
    """All claims of the paper.

    Parameters
    ----------
    rows : list of dict
        Table 1, default reading.
    of_functions : list of dict
        Of `run_quantifiers`.
    """
    return [
        *lowest(rows),
        *never_the_worst(rows),
        *saves_time(rows),
        *better_scores(of_functions),
    ]


def paper_row(method, k):
    """The paper's row on Census at v = 4, with its disclosure risk."""
    row = published("census", method, 4, k)
    return row | {"DR": 0.25 * row["DLD"] + 0.25 * row["PLD"] + 0.5 * row["ID"]}


@as_list
def lowest(rows):
    """Figures 2 and 3: Sugeno below the others."""
    ours = {(r["method"], r["k"]): r for r in rows if (r["data"], r["v"]) == CENSUS_4}
    for words, (column, ks) in OF_FIGURES.items():
        right, shown, printed = [], [], []
        for k in ks:
            theirs = {m: paper_row(m, k)[column] for m in PROJECTED}
            values = {m: ours[m, k][column] for m in PROJECTED}
            right.append(float(min(values, key=values.get) == "sugeno"))
            shown.append(f"k = {k}: {_shown(values)}")
            printed.append(f"k = {k}: {_shown(theirs)}")
        said, printed = "; ".join(shown), "; ".join(printed)
        share = verdict([np.mean(right)])
        yield PROJECTIONS_PAPER.claim(words, said, share, printed=printed)


def _shown(values):
    return ", ".join(f"{method} {value:.2f}" for method, value in values.items())


@as_list
def never_the_worst(rows):
    """Where Sugeno has the highest score, loss or risk of the three."""
    theirs = [
        published(data, method, v, k) | {"data": data, "method": method, "v": v, "k": k}
        for data in ("eia", "census")
        for method, v, k in TABLE_1
    ]
    for table, reading in ((theirs, "the paper's own table 1"), (rows, "our run")):
        cases = grouped(table, "data", "v", "k").values()
        worst = {
            column: sum(
                max(case, key=itemgetter(column))["method"] == "sugeno"
                for case in cases
            )
            for column in TABLE_COLUMNS
        }
        shown = ", ".join(f"{column} {count}" for column, count in worst.items())
        yield PROJECTIONS_PAPER.claim(
            "Sugeno is never the worst, in the score or its components (table 1)",
            f"of {len(cases)} cases it is the worst in: {shown}",
            FAILS if any(worst.values()) else HOLDS,
            reading,
            printed="never",
        )


@as_list
def saves_time(rows):
    """Processor time of Sugeno against the others."""
    for data, of_data in grouped(rows, "data").items():
        own = [
            {row["method"]: row["seconds"] for row in case}
            for case in grouped(of_data, "v", "k").values()
        ]
        faster = [times["sugeno"] < min(times[m] for m in CLASSICAL) for times in own]
        means = {m: 1000 * np.mean([times[m] for times in own]) for m in PROJECTED}
        shown = ", ".join(f"{method} {mean:.1f}" for method, mean in means.items())
        yield PROJECTIONS_PAPER.claim(
            "Sugeno saves execution time, for it has no parameters to compute",
            f"ms, means: {shown}; the least in {sum(faster)} of {len(own)} cases",
            verdict([np.mean(faster)]),
            f"{data}, processor time of the whole method, the best of three runs",
        )


@as_list
def better_scores(rows):
    """The conclusion, on tables that did not choose the function."""
    for reading, chosen in evaluated(rows).items():
        gains = {rival: gained(rows, chosen, rival) for rival in CLASSICAL}
        shown = ", ".join(
            f"than {rival} by {shown_change(*gain, 2, factor=1)}"
            for rival, gain in gains.items()
        )
        names = ", ".join(dict.fromkeys(chosen.values()))
        yield PROJECTIONS_PAPER.claim(
            "Aggregation functions have a better score than PCP and z-scores "
            "(conclusion)",
            f"{names}: score lower {shown} points, mean over k and "
            f"{len({row['data'] for row in rows})} tables",
            verdict_of_all(verdict_above(*gain) for gain in gains.values()),
            reading,
        )
