"""What labels and releases cost, who does better at the same k, and what is nearest."""

import numpy as np

from microcell.experiments._claims import verdict
from microcell.experiments._curves import grouped
from microcell.experiments._tasks import as_list
from microcell.experiments.two_levels._claims import SHOWN_AS
from microcell.experiments.two_levels._paper import (
    PAPER_METHODS,
    PLAIN_METHODS,
    TWO_LEVELS_PAPER,
)
from microcell.experiments.two_levels._readings import FORMS_READ
from microcell.experiments.two_levels._run import ASKED_K, RIVALS, SET_TITLES
from microcell.experiments.two_levels._tables import (
    FORM_TITLES,
    FORMS,
    means,
    nearness,
    sets_of,
)

COSTS = {  # measure: words, factor, digits
    "combined": ("combined utility on the release", 1, 3),
    "combined_original": ("combined utility on original records", 1, 3),
    "learnt": ("accuracy on records never masked", 1, 3),
    "homogeneous": ("% of records in classes of one label", 100, 1),
    "sse_loss": ("% of the variance lost (median)", 100, 1),
}


@as_list
def k_anonymous(rows):
    """Whether the classes of the released table have the k that was asked for."""
    for form in FORMS:
        reached = means(rows, form, "k_reached")
        held = [
            reached[method, name] >= ASKED_K
            for method in PAPER_METHODS
            for name in sets_of(rows)
        ]
        yield TWO_LEVELS_PAPER.claim(
            f"Releases are k-anonymous, k = {ASKED_K}",
            f"{sum(held)} of {len(held)} releases",
            verdict([np.mean(held)]),
            FORM_TITLES[form],
        )


@as_list
def labels_cost_no_privacy(rows):
    """What labels change in the smallest class and in homogeneity."""
    pairs = [(method, name) for method in PLAIN_METHODS for name in sets_of(rows)]
    for form in FORMS:
        reached, alike = (means(rows, form, m) for m in ("k_reached", "homogeneous"))
        smaller = sum(reached[f"{m}++", n] < reached[m, n] for m, n in pairs)
        more = sum(alike[f"{m}++", n] > alike[m, n] + 1e-9 for m, n in pairs)
        ends = [
            100 * np.mean([alike[f"{m}{plus}", n] for m, n in pairs])
            for plus in ("", "++")
        ]
        yield TWO_LEVELS_PAPER.claim(
            "Labels improve utility without compromising anonymity",
            f"smaller k in {smaller} of {len(pairs)}, more records in classes of "
            f"one label in {more}, on average {ends[0]:.1f} to {ends[1]:.1f} %",
            verdict([1 - smaller / len(pairs), 1 - more / len(pairs)]),
            FORM_TITLES[form],
        )


@as_list
def reached_lines(rows):
    """The k that each method reached, data set by data set."""
    for form in FORMS:
        reached, size, alike, alone = (
            means(rows, form, measure)
            for measure in ("k_reached", "mean_class", "homogeneous", "alone")
        )
        for method in PAPER_METHODS:
            if form != FORMS_READ[form].plain and not FORMS_READ[form].masks(method):
                continue  # as what it stands beside
            shown = [
                f"{SET_TITLES[name]} {reached[method, name]:.0f} (mean "
                f"{size[method, name]:.1f}, one label "
                f"{100 * alike[method, name]:.0f} %, alone "
                f"{100 * alone[method, name]:.0f} %)"
                for name in sets_of(rows)
            ]
            title = f"k reached by {method}, {FORM_TITLES[form]}"
            yield f"{title}: {', '.join(shown)}"


def cost_of_labels(rows):
    """What the ++ versions change, means over data sets."""
    return [
        f"{method}++ less {method}, {FORM_TITLES[form]}, means over data sets: "
        + ", ".join(
            f"{words} {factor * _change(rows, form, method, measure):+.{digits}f}"
            for measure, (words, factor, digits) in COSTS.items()
        )
        for form in FORMS
        for method in PLAIN_METHODS
    ]


def _change(rows, form, method, measure):
    table, sets = means(rows, form, measure), sets_of(rows)
    changes = [table[f"{method}++", n] - table[method, n] for n in sets]
    return _middle(measure)(changes)


@as_list
def beside_rivals(rows):
    """MDAV and LDA-MDAV at the k of each method, means over data sets."""
    for beside in PLAIN_METHODS:
        wanted = [("published", beside)]
        wanted += [(form, f"{beside}++") for form in forms_beside("published")]
        if beside == "ctca":
            wanted += [
                (form, m)
                for form in forms_beside("promised")
                for m in PAPER_METHODS
                if form == "promised" or FORMS_READ[form].masks(m)
            ]
        own = [row for row in rows if row["beside"] in ("", beside)]
        wanted += [("rival", m) for m in RIVALS]
        title = f"k = {ASKED_K}" if beside == "ctca" else f"mean class size of {beside}"
        yield f"At {title}, means over data sets:"
        for form, method in wanted:
            words = FORM_TITLES.get(form, "rival")
            yield f"  {method}, {words}: {_costs(own, form, method)}"


def forms_beside(plain):
    """Readings of the ++ methods that stand beside the plain ones of a form."""
    return [form for form, reading in FORMS_READ.items() if reading.plain == plain]


def _costs(rows, form, method):
    return ", ".join(
        f"{words} {factor * _mean(rows, form, method, measure):.{digits}f}"
        for measure, (words, factor, digits) in COSTS.items()
    )


def _mean(rows, form, method, measure):
    table = means(rows, form, measure)
    return _middle(measure)([table[method, name] for name in sets_of(rows)])


def _middle(measure):
    """How data sets are put together; a prototype that ran away loses 40 times all."""
    return np.median if measure == "sse_loss" else np.mean


@as_list
def nearest_readings(rows):
    """A line for each table of the paper: how near each reading comes."""
    for table, readings in grouped(nearness(rows), "table").items():
        shown = [
            f"{FORM_TITLES[r['form']]}, {SHOWN_AS[r['reading']]} "
            f"{r['mean absolute difference']:.3f}"
            for r in sorted(readings, key=lambda r: r["mean absolute difference"])
        ]
        yield (
            f"{table.replace('_', ' ')}, mean absolute difference from the paper's "
            f"over {readings[0]['entries']} entries, nearest first: {'; '.join(shown)}"
        )


def summary(rows):
    """What stands behind the claims."""
    return [
        *(f"{reading.title}: {reading.meaning}" for reading in FORMS_READ.values()),
        *cost_of_labels(rows),
        *beside_rivals(rows),
        *reached_lines(rows),
        *nearest_readings(rows),
    ]
