"""The paper's claims, each held against its own tables and against our run.

Each by every reading of the ++ methods, by the paper's measure and on original records.
"""

from itertools import groupby
from operator import itemgetter

import numpy as np

from microcell.experiments._claims import FAILS, HOLDS, verdict
from microcell.experiments._tasks import as_list
from microcell.experiments.two_levels._paper import (
    COMBINED_UTILITY,
    DAVIES_BOULDIN,
    PAPER_METHODS,
    PLAIN_METHODS,
    PRINTED_SCORE,
    SEPARABILITY,
    SEPARABILITY_BEFORE,
    SILHOUETTE,
    TWO_LEVELS_PAPER,
    impossible_structure,
    scores_of,
)
from microcell.experiments.two_levels._run import SET_TITLES
from microcell.experiments.two_levels._tables import (
    FORM_TITLES,
    FORMS,
    OF_SEPARABILITY,
    OF_UTILITY,
    means,
    sets_of,
)

SHOWN_AS = {
    "silhouette_classes": "classes on the release",
    "silhouette_cells": "cells on the release",
    "silhouette_original": "cells on the original records",
    "davies_bouldin_classes": "classes on the release",
    "davies_bouldin_cells": "cells on the release",
    "davies_bouldin_original": "cells on the original records",
    "separability_within": "tree tested on the release",
    "separability_original": "tree tested on original records",
    "learnt": "tree tested on records that were never masked",
    "combined": "distances by range, tree tested on the release",
    "combined_across": "distances across columns, tree tested on the release",
    "combined_original": "distances by range, tree tested on original records",
}
SAME_UTILITY = 1e-9  # what differs by less is rounding


@as_list
def claimed(words, printed, judge, by_paper, on_original):
    """A claim by each reading of the ++ methods, with the figures behind it.

    Parameters
    ----------
    words, printed : str
    judge : callable
        The share of cases in which it holds, and in words, of a form and a measure.
    by_paper, on_original : tuple of str
        The measures of the paper, and those on original records.
    """
    for title, measures in (
        ("by the paper's measure", by_paper),
        ("on original records", on_original),
    ):
        for form in FORMS:
            shares, said = zip(*(judge(form, m) for m in measures), strict=True)
            ours = [f"{SHOWN_AS[m]}: {x}" for m, x in zip(measures, said, strict=True)]
            reading = f"{FORM_TITLES[form]}, {title}"
            yield TWO_LEVELS_PAPER.claim(
                words, "; ".join(ours), verdict(shares), reading, printed=printed
            )


def raised(table, sets, *, falls=False):
    """Pairs (method, data set) whose ++ version is above (or below) the plain one."""
    pairs = [(method, name) for method in PLAIN_METHODS for name in sets]
    sign = -1 if falls else 1
    up = [
        (method, name)
        for method, name in pairs
        if None not in (table[method, name], table[f"{method}++", name])
        and sign * (table[f"{method}++", name] - table[method, name]) > SAME_UTILITY
    ]
    return up, len(pairs)


def in_words(pairs):
    """Pairs grouped by method."""
    words = [
        f"{method} ({', '.join(SET_TITLES[name] for _, name in own)})"
        for method, own in groupby(pairs, key=itemgetter(0))
    ]
    return ", ".join(words) or "none"


def counted(pairs, total):
    """5 of 6 (83 %)."""
    return f"{len(pairs)} of {total} ({100 * len(pairs) / total:.0f} %)"


def separability_rises(rows):
    """Separability improved after LVQ for 83 % of the tests."""
    sets = sets_of(rows)

    def judge(form, measure):
        table = means(rows, form, measure)
        up, total = raised(table, sets)
        down, _ = raised(table, sets, falls=True)
        share = min(len(up) / total / 0.83, 1.0)
        return share, f"up in {counted(up, total)}, down in {len(down)}"

    return claimed(
        "Labels raise separability in 83 % of the tests (table 4)",
        f"up in {counted(*raised(SEPARABILITY, sets))}",
        judge,
        OF_SEPARABILITY[:1],
        OF_SEPARABILITY[2:],
    )


def kde_indices(rows):
    """KDE++ beats KDE in both indices."""
    sets = sets_of(rows)

    def better(table, measure):
        falls = measure.startswith("davies_bouldin")
        up, _ = raised(table, sets, falls=falls)
        n_better = sum(method == "kde" for method, _ in up)
        index = "davies-bouldin" if falls else "silhouette"
        return n_better / len(sets), f"{index} better on {n_better} of {len(sets)}"

    def judge(form, measure):
        return better(means(rows, form, measure), measure)

    theirs = (SILHOUETTE, "silhouette"), (DAVIES_BOULDIN, "davies_bouldin")
    return claimed(
        "KDE++ outperforms KDE in silhouette and Davies-Bouldin (tables 2 and 3)",
        ", ".join(better(*index)[1] for index in theirs),
        judge,
        ("silhouette_classes", "davies_bouldin_classes"),
        ("silhouette_original", "davies_bouldin_original"),
    )


def best_methods(table, sets):
    """The method of the greatest utility on each data set."""
    return {name: max(PAPER_METHODS, key=lambda m: table[m, name]) for name in sets}


def kde_is_best(rows):
    """KDE++ has the best combined utility on all data sets."""
    sets = sets_of(rows)

    def judge(form, measure):
        best = best_methods(means(rows, form, measure), sets)
        first = sum(method == "kde++" for method in best.values())
        return first / len(sets), f"on {first} of {len(sets)}"

    theirs = best_methods(COMBINED_UTILITY, sets).items()
    return claimed(
        "KDE++ has the best combined utility (table 5)",
        ", ".join(f"{SET_TITLES[name]} {method}" for name, method in theirs),
        judge,
        OF_UTILITY[:2],
        OF_UTILITY[2:],
    )


def highest_score(rows):
    """KDE++ has the highest Score, also in the paper's own figures."""

    def judge(form, measure):
        scores = scores_of(means(rows, form, measure), sets_of(rows))
        best = max(scores, key=scores.get)
        return float(best == "kde++"), _scores({m: scores[m] for m in ("kde++", best)})

    words, printed = "KDE++ has the highest Score (table 5)", _scores(PRINTED_SCORE)
    own = [
        TWO_LEVELS_PAPER.claim(
            words,
            _scores(scores),
            HOLDS if max(scores, key=scores.get) == "kde++" else FAILS,
            reading,
            printed=printed,
        )
        for scores, reading in (
            (PRINTED_SCORE, "the paper's own figures"),
            (scores_of(COMBINED_UTILITY), "recomputed from its table 5 by its formula"),
        )
    ]
    return [*own, *claimed(words, printed, judge, OF_UTILITY[:2], OF_UTILITY[2:])]


def _scores(scores):
    return ", ".join(f"{method} {score:.2f}" for method, score in scores.items())


def utility_rises(rows):
    """Labels raise the combined utility for all of the methods."""
    sets = sets_of(rows)
    up, total = raised(COMBINED_UTILITY, sets)
    down, _ = raised(COMBINED_UTILITY, sets, falls=True)

    def judge(form, measure):
        table = means(rows, form, measure)
        found, total = raised(table, sets)
        changes = [
            table[f"{m}++", n] - table[m, n] for m in PLAIN_METHODS for n in sets
        ]
        mean = np.mean(changes)
        said = f"up in {counted(found, total)}, mean change {mean:+.3f}"
        return len(found) / total, said

    return claimed(
        "Labels raise the combined utility of every method (table 5)",
        f"up in {counted(up, total)}, down for {in_words(down)}",
        judge,
        OF_UTILITY[:2],
        OF_UTILITY[2:],
    )


def more_than_the_original(rows):
    """A release is easier to separate than the original."""
    pairs = [(method, name) for method in PAPER_METHODS for name in sets_of(rows)]

    def judge(form, measure):
        table, before = (means(rows, f, measure) for f in (form, "original"))
        more = [key for key in pairs if table[key] > before["original", key[1]]]
        return len(more) / len(pairs), counted(more, len(pairs))

    theirs = [key for key in pairs if SEPARABILITY[key] > SEPARABILITY_BEFORE[key[1]]]
    return claimed(
        "Classes are easier to tell apart after microaggregation (table 4)",
        counted(theirs, len(pairs)),
        judge,
        OF_SEPARABILITY[:1],
        OF_SEPARABILITY[2:],
    )


def consistent_tables():
    """Tables 4 and 5 of the paper against the definition of what they hold."""
    found = impossible_structure()
    shown = ", ".join(
        f"{SET_TITLES[name]} {method} {value:.2f}"
        for (method, name), value in found.items()
    )
    return TWO_LEVELS_PAPER.claim(
        "Combined utility is the mean of separability and structure (tables 4 and 5)",
        f"implied structure, at most 1 by its definition: {shown or 'never above 1'}",
        FAILS if found else HOLDS,
        "the paper's own figures",
    )


def claims(rows):
    """All claims of the paper about utility, by each reading."""
    return [
        *separability_rises(rows),
        *more_than_the_original(rows),
        *kde_indices(rows),
        *utility_rises(rows),
        *kde_is_best(rows),
        *highest_score(rows),
        consistent_tables(),
    ]
