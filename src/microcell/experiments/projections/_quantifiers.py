"""Other aggregation functions and quantifiers, the paper's future work.

What is best on a table says little, for sixteen were tried; so the function is chosen
on half of the tables and evaluated on the others, then the other way round.
"""

from itertools import product

import numpy as np
from scipy.stats import rankdata

from microcell.embed import QUANTIFIERS
from microcell.experiments._curves import grouped, point
from microcell.experiments._tables import fetch_table
from microcell.experiments._tasks import as_list, in_parallel
from microcell.methods import METHODS
from microcell.metrics import score

V = 4
HALVES = (  # the paper's tables on either side
    ("census", "breast", "ecoli", "page-blocks"),
    ("eia", "diabetes", "glass", "yeast"),
)
FUNCTIONS = tuple(product(("sugeno", "choquet"), QUANTIFIERS))
PUBLISHED_FUNCTION = ("sugeno", "x")
CLASSICAL = ("pcp", "zscores")
FUNCTION_PLANS = {
    "full": (HALVES, (5, 15, 25)),
    "quick": ((("census", "ecoli"), ("breast", "glass")), (15,)),
}


def title_of(choice):
    """A function and its quantifier, or a rival, in words.

    Examples
    --------
    >>> title_of(("choquet", "sqrt")), title_of("pcp")
    ('choquet with Q = sqrt', 'pcp')
    """
    return choice if isinstance(choice, str) else f"{choice[0]} with Q = {choice[1]}"


def score_of(name, k, choice):
    """The score of a release in per cent."""
    X, _ = fetch_table(name).arrays()
    own = {}
    if not isinstance(choice, str):
        own = dict(zip(("function", "quantifier"), choice, strict=True))
    method = METHODS["sugeno" if own else choice](k, v=V, cost="projected", **own)
    return 100 * score(X, method.fit_transform(X), blocks=V).score


def run_quantifiers(quick, progress):
    """Scores of all functions and rivals on tables of both halves.

    Returns
    -------
    rows : list of dict
        half, data, k, choice and score.
    """
    halves, ks = FUNCTION_PLANS["quick" if quick else "full"]
    half_of = {name: half for half, names in enumerate(halves) for name in names}
    tasks = [*product(half_of, ks, (*CLASSICAL, *FUNCTIONS))]
    scores = in_parallel(
        score_of, tasks, progress, lambda name, _, choice: f"{name} {title_of(choice)}"
    )
    return [
        {"half": half_of[name], "data": name, "k": k, "choice": title_of(choice)}
        | {"score": found}
        for (name, k, choice), found in zip(tasks, scores, strict=True)
    ]


def chosen_on(rows, half):
    """The function of the lowest mean rank of the score on the tables of a half."""
    titles = [title_of(choice) for choice in FUNCTIONS]
    own = [r for r in rows if r["half"] == half and r["choice"] in titles]
    ranks = []
    for case in grouped(own, "data", "k").values():
        found = {row["choice"]: row["score"] for row in case}
        ranks.append(rankdata([found[title] for title in titles]))
    return titles[np.mean(ranks, axis=0).argmin()]


def gained(rows, chosen, rival):
    """How much lower the score is than a rival's, mean and half interval over tables.

    Parameters
    ----------
    chosen : dict
        {half: the choice that is evaluated on its tables}.
    rival : str
    """
    scores = {(r["data"], r["k"], r["choice"]): r["score"] for r in rows}
    by_table = {}
    for row in rows:
        if row["choice"] == rival:
            ours = scores[row["data"], row["k"], chosen[row["half"]]]
            by_table.setdefault(row["data"], []).append(row["score"] - ours)
    return point([np.mean(found) for found in by_table.values()])


def evaluated(rows):
    """What is evaluated: as published, and what each half chose, on the other half."""
    halves = sorted({row["half"] for row in rows})
    best = {half: chosen_on(rows, half) for half in halves}
    return {
        "Sugeno integral with Q = x, all tables": dict.fromkeys(
            halves, title_of(PUBLISHED_FUNCTION)
        ),
        "Sugeno integral with Q = sqrt, all tables": dict.fromkeys(
            halves, title_of(("sugeno", "sqrt"))
        ),
        "chosen on half of the tables, evaluated on the others": {
            half: best[1 - half] for half in halves
        },
    }


@as_list
def quantifier_lines(rows):
    """The best function on each table, and what was chosen on each half."""
    titles = [title_of(choice) for choice in FUNCTIONS]
    for name, of_table in grouped(rows, "data").items():
        means = {
            title: np.mean([row["score"] for row in own])
            for title, own in grouped(of_table, "choice").items()
        }
        best = min(titles, key=means.get)
        beside = ", ".join(
            f"{other} {means[other]:.2f}"
            for other in (title_of(PUBLISHED_FUNCTION), *CLASSICAL)
        )
        yield (
            f"{name}, v = {V}, lowest score of {len(titles)} functions, mean over k: "
            f"{best} {means[best]:.2f} ({beside})"
        )
    for half, own in sorted(grouped(rows, "half").items()):
        names = grouped(own, "data")
        yield f"chosen on {', '.join(names)}: {chosen_on(rows, half)}"
