"""The paper's claims, each held against its own tables and against our run."""

import numpy as np

from microcell.experiments._verdict import verdict
from microcell.experiments.two_levels._paper import (
    COMBINED_UTILITY,
    DAVIES_BOULDIN,
    PAPER_METHODS,
    PLAIN_METHODS,
    PRINTED_SCORE,
    SEPARABILITY,
    SEPARABILITY_BEFORE,
    SILHOUETTE,
    scores_of,
)
from microcell.experiments.two_levels._run import SET_TITLES
from microcell.experiments.two_levels._tables import FORM_TITLES, FORMS, means, sets_of

READINGS = {
    "silhouette_classes": "classes on the release",
    "silhouette_cells": "cells on the release",
    "silhouette_original": "cells on the original records",
    "davies_bouldin_classes": "classes on the release",
    "davies_bouldin_cells": "cells on the release",
    "davies_bouldin_original": "cells on the original records",
    "separability_within": "tree tested on the release",
    "separability_original": "tree tested on original records",
    "learnt": "tree tested on records that were never masked",
    "combined": "distances by range, tested on the release",
    "combined_across": "distances across columns, tested on the release",
    "combined_original": "distances by range, tested on original records",
}


def raised(table, sets, *, falls=False):
    """Pairs (method, data set) whose ++ version is above (or below) the plain one."""
    pairs = [(method, name) for method in PLAIN_METHODS for name in sets]
    sign = -1 if falls else 1
    up = [
        (method, name)
        for method, name in pairs
        if None not in (table[method, name], table[f"{method}++", name])
        and sign * (table[f"{method}++", name] - table[method, name]) > 0
    ]
    return up, len(pairs)


def in_words(pairs):
    """Pairs grouped by method."""
    by_method = {}
    for method, name in pairs:
        by_method.setdefault(method, []).append(SET_TITLES[name])
    return "; ".join(f"{m}: {', '.join(names)}" for m, names in by_method.items())


def counted(pairs, total):
    """5 of 6 (83 %)."""
    return f"{len(pairs)} of {total} ({100 * len(pairs) / total:.0f} %)"


def separability_rises(rows):
    """Separability improved after LVQ for 83 % of the tests."""
    sets = sets_of(rows)
    shares, shown = [], [f"paper's table 4: {counted(*raised(SEPARABILITY, sets))}"]
    for form in FORMS:
        for measure in ("separability_within", "separability_original", "learnt"):
            up, total = raised(means(rows, form, measure), sets)
            down, _ = raised(means(rows, form, measure), sets, falls=True)
            shares.append(len(up) / total)
            shown.append(
                f"{FORM_TITLES[form]}, {READINGS[measure]}: up in "
                f"{counted(up, total)}, down in {len(down)}"
            )
    word = verdict([float(share >= 0.83) for share in shares])
    claim = "Labels raise separability in 83 % of the tests (table 4)"
    return f"{claim}: {word} ({'; '.join(shown)})"


def kde_indices(rows):
    """KDE++ beats KDE by far in both indices."""
    sets = sets_of(rows)
    shares, shown = [], []
    for theirs, index, falls in (
        (SILHOUETTE, "silhouette", False),
        (DAVIES_BOULDIN, "davies_bouldin", True),
    ):
        own = [
            name
            for method, name in raised(theirs, sets, falls=falls)[0]
            if method == "kde"
        ]
        shown.append(f"{index} in the paper: better on {len(own)} of {len(sets)}")
        for reading in ("classes", "original"):
            measure = f"{index}_{reading}"
            table = means(rows, "published", measure)
            better = [n for m, n in raised(table, sets, falls=falls)[0] if m == "kde"]
            shares.append(len(better) / len(sets))
            shown.append(f"{READINGS[measure]}: {len(better)}")
    claim = "KDE++ outperforms KDE in silhouette and Davies-Bouldin (tables 2, 3)"
    return f"{claim}: {verdict(shares)} ({'; '.join(shown)})"


def best_methods(table, sets):
    """The method of the greatest utility on each data set."""
    return {
        name: max(PAPER_METHODS, key=lambda method: table[method, name])
        for name in sets
    }


def kde_is_best(rows):
    """KDE++ has the best combined utility on all data sets, and the best Score."""
    sets = sets_of(rows)
    theirs = best_methods(COMBINED_UTILITY, sets)
    shown = [f"paper's table 5: best on {_named(theirs)}"]
    shares = []
    for form in FORMS:
        for measure in ("combined", "combined_across", "combined_original"):
            found = best_methods(means(rows, form, measure), sets)
            shares.append(sum(m == "kde++" for m in found.values()) / len(sets))
            shown.append(f"{FORM_TITLES[form]}, {READINGS[measure]}: {_named(found)}")
    claim = "KDE++ has the best combined utility (table 5)"
    return f"{claim}: {verdict(shares)} ({'; '.join(shown)})"


def _named(best):
    return ", ".join(f"{SET_TITLES[name]} {method}" for name, method in best.items())


def score_line(rows):
    """KDE++ has the highest Score."""
    sets = sets_of(rows)
    tables = {
        "printed": PRINTED_SCORE,
        "recomputed from the printed table 5": scores_of(COMBINED_UTILITY),
    }
    for form in FORMS:
        for measure in ("combined", "combined_original"):
            title = f"{FORM_TITLES[form]}, {READINGS[measure]}"
            tables[title] = scores_of(means(rows, form, measure), sets)
    ours = [max(s, key=s.get) == "kde++" for t, s in tables.items() if "print" not in t]
    shown = "; ".join(
        f"{title}: " + ", ".join(f"{m} {score:.2f}" for m, score in scores.items())
        for title, scores in tables.items()
    )
    claim = "The attribute-oriented methods have the highest Score (table 5)"
    return f"{claim}: {verdict([float(own) for own in ours])} ({shown})"


def utility_rises(rows):
    """Labels raise the combined utility for all of the methods."""
    sets = sets_of(rows)
    up, total = raised(COMBINED_UTILITY, sets)
    down, _ = raised(COMBINED_UTILITY, sets, falls=True)
    shares = []
    shown = [f"paper's table 5: {counted(up, total)}, down for {in_words(down)}"]
    for form in FORMS:
        for measure in ("combined", "combined_across", "combined_original"):
            table = means(rows, form, measure)
            up, total = raised(table, sets)
            change = np.mean(
                [table[f"{m}++", n] - table[m, n] for m in PLAIN_METHODS for n in sets]
            )
            shares.append(len(up) / total)
            shown.append(
                f"{FORM_TITLES[form]}, {READINGS[measure]}: {counted(up, total)}, mean "
                f"change {change:+.3f}, up for {in_words(up) or 'none'}"
            )
    claim = "Labels raise the combined utility of every method (table 5)"
    return f"{claim}: {verdict(shares)} ({'; '.join(shown)})"


def more_than_the_original(rows):
    """A release is easier to separate than the original."""
    sets = sets_of(rows)
    theirs = [
        SEPARABILITY[m, n] > SEPARABILITY_BEFORE[n] for m in PAPER_METHODS for n in sets
    ]
    shown = [f"paper's table 4: {sum(theirs)} of {len(theirs)}"]
    shares = []
    for form in FORMS:
        for measure in ("separability_within", "separability_original", "learnt"):
            table, before = (means(rows, f, measure) for f in (form, "original"))
            more = [
                table[m, n] > before["original", n] for m in PAPER_METHODS for n in sets
            ]
            if measure != "separability_within":
                shares.append(np.mean(more))
            shown.append(
                f"{FORM_TITLES[form]}, {READINGS[measure]}: {sum(more)} of {len(more)}"
            )
    claim = "Classes are easier to tell apart after microaggregation (table 4)"
    return f"{claim}: {verdict(shares)} on original records ({'; '.join(shown)})"
