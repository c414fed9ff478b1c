"""The paper's claims, each held against its own tables and against our run.

Each by every reading of the ++ methods, by the paper's measure and on original records.
"""

import numpy as np

from microcell.experiments._claims import FAILS, Claim, verdict
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
from microcell.experiments.two_levels._tables import FORM_TITLES, FORMS, means, sets_of

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
OF_SEPARABILITY = ("separability_within", "separability_original", "learnt")
OF_UTILITY = ("combined", "combined_across", "combined_original")
SAME_UTILITY = 1e-9  # what differs by less is rounding


def claimed(words, printed, shares, said, by_paper, on_original):
    """A claim by each reading of the ++ methods, with the figures behind it.

    Parameters
    ----------
    words, printed : str
    shares, said : dict
        {(form, measure): share of cases in which it holds}, and in words.
    by_paper, on_original : tuple of str
        The measures of the paper, and those on original records.
    """
    return [
        Claim(
            TWO_LEVELS_PAPER.title,
            words,
            printed,
            "; ".join(f"{SHOWN_AS[m]}: {said[form, m]}" for m in measures),
            verdict([shares[form, m] for m in measures]),
            f"{FORM_TITLES[form]}, {title}",
        )
        for title, measures in (
            ("by the paper's measure", by_paper),
            ("on original records", on_original),
        )
        for form in FORMS
    ]


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
    by_method = {}
    for method, name in pairs:
        by_method.setdefault(method, []).append(SET_TITLES[name])
    words = [f"{m} ({', '.join(names)})" for m, names in by_method.items()]
    return ", ".join(words) or "none"


def counted(pairs, total):
    """5 of 6 (83 %)."""
    return f"{len(pairs)} of {total} ({100 * len(pairs) / total:.0f} %)"


def separability_rises(rows):
    """Separability improved after LVQ for 83 % of the tests."""
    sets = sets_of(rows)
    shares, said = {}, {}
    for form in FORMS:
        for measure in OF_SEPARABILITY:
            table = means(rows, form, measure)
            up, total = raised(table, sets)
            down, _ = raised(table, sets, falls=True)
            shares[form, measure] = min(len(up) / total / 0.83, 1.0)
            said[form, measure] = f"up in {counted(up, total)}, down in {len(down)}"
    return claimed(
        "Labels raise separability in 83 % of the tests (table 4)",
        f"up in {counted(*raised(SEPARABILITY, sets))}",
        shares,
        said,
        OF_SEPARABILITY[:1],
        OF_SEPARABILITY[2:],
    )


def kde_indices(rows):
    """KDE++ beats KDE in both indices."""
    sets = sets_of(rows)
    shares, said, printed = {}, {}, []
    for theirs, index, falls in (
        (SILHOUETTE, "silhouette", False),
        (DAVIES_BOULDIN, "davies_bouldin", True),
    ):
        words = index.replace("_", "-")
        better = sets_raised("kde", theirs, sets, falls)
        printed.append(f"{words} better on {better} of {len(sets)}")
        for form in FORMS:
            for reading in ("classes", "original"):
                measure = f"{index}_{reading}"
                better = sets_raised("kde", means(rows, form, measure), sets, falls)
                shares[form, measure] = better / len(sets)
                said[form, measure] = f"{words} better on {better} of {len(sets)}"
    return claimed(
        "KDE++ outperforms KDE in silhouette and Davies-Bouldin (tables 2 and 3)",
        ", ".join(printed),
        shares,
        said,
        ("silhouette_classes", "davies_bouldin_classes"),
        ("silhouette_original", "davies_bouldin_original"),
    )


def sets_raised(method, table, sets, falls):
    """On how many data sets a method's ++ version is above (or below) it."""
    return sum(m == method for m, _ in raised(table, sets, falls=falls)[0])


def best_methods(table, sets):
    """The method of the greatest utility on each data set."""
    return {name: max(PAPER_METHODS, key=lambda m: table[m, name]) for name in sets}


def kde_is_best(rows):
    """KDE++ has the best combined utility on all data sets."""
    sets = sets_of(rows)
    shares, said = {}, {}
    for form in FORMS:
        for measure in OF_UTILITY:
            best = best_methods(means(rows, form, measure), sets)
            first = sum(method == "kde++" for method in best.values())
            shares[form, measure] = first / len(sets)
            said[form, measure] = f"on {first} of {len(sets)}"
    return claimed(
        "KDE++ has the best combined utility (table 5)",
        _named(best_methods(COMBINED_UTILITY, sets)),
        shares,
        said,
        OF_UTILITY[:2],
        OF_UTILITY[2:],
    )


def _named(best):
    return ", ".join(f"{SET_TITLES[name]} {method}" for name, method in best.items())


def highest_score(rows):
    """KDE++ has the highest Score, also in the paper's own figures."""
    shares, said = {}, {}
    for form in FORMS:
        for measure in OF_UTILITY:
            scores = scores_of(means(rows, form, measure), sets_of(rows))
            shares[form, measure] = float(max(scores, key=scores.get) == "kde++")
            best = max(scores, key=scores.get)
            said[form, measure] = _scores({m: scores[m] for m in ("kde++", best)})
    words, printed = "KDE++ has the highest Score (table 5)", _scores(PRINTED_SCORE)
    recomputed = scores_of(COMBINED_UTILITY)
    own = [
        Claim(
            TWO_LEVELS_PAPER.title,
            words,
            printed,
            _scores(scores),
            verdict([float(max(scores, key=scores.get) == "kde++")]),
            reading,
        )
        for scores, reading in (
            (PRINTED_SCORE, "the paper's own figures"),
            (recomputed, "recomputed from its table 5 by its formula"),
        )
    ]
    by = (OF_UTILITY[:2], OF_UTILITY[2:])
    return [*own, *claimed(words, printed, shares, said, *by)]


def _scores(scores):
    return ", ".join(f"{method} {score:.2f}" for method, score in scores.items())


def utility_rises(rows):
    """Labels raise the combined utility for all of the methods."""
    sets = sets_of(rows)
    up, total = raised(COMBINED_UTILITY, sets)
    down, _ = raised(COMBINED_UTILITY, sets, falls=True)
    shares, said = {}, {}
    for form in FORMS:
        for measure in OF_UTILITY:
            table = means(rows, form, measure)
            found, total = raised(table, sets)
            shares[form, measure] = len(found) / total
            changes = [
                table[f"{m}++", n] - table[m, n] for m in PLAIN_METHODS for n in sets
            ]
            said[form, measure] = (
                f"up in {counted(found, total)}, mean change {np.mean(changes):+.3f}"
            )
    return claimed(
        "Labels raise the combined utility of every method (table 5)",
        f"up in {counted(up, total)}, down for {in_words(down)}",
        shares,
        said,
        OF_UTILITY[:2],
        OF_UTILITY[2:],
    )


def more_than_the_original(rows):
    """A release is easier to separate than the original."""
    sets = sets_of(rows)
    pairs = [(method, name) for method in PAPER_METHODS for name in sets]
    theirs = [key for key in pairs if SEPARABILITY[key] > SEPARABILITY_BEFORE[key[1]]]
    shares, said = {}, {}
    for form in FORMS:
        for measure in OF_SEPARABILITY:
            table, before = (means(rows, f, measure) for f in (form, "original"))
            more = [key for key in pairs if table[key] > before["original", key[1]]]
            shares[form, measure] = len(more) / len(pairs)
            said[form, measure] = counted(more, len(pairs))
    return claimed(
        "Classes are easier to tell apart after microaggregation (table 4)",
        counted(theirs, len(pairs)),
        shares,
        said,
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
    return Claim(
        TWO_LEVELS_PAPER.title,
        "Combined utility is the mean of separability and structure (tables 4 and 5)",
        "",
        f"implied structure, at most 1 by its definition: {shown or 'never above 1'}",
        FAILS if found else verdict([1.0]),
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
