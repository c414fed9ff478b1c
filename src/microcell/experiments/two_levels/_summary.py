"""What the run says: claims, costs, and how near it comes to the paper's tables."""

from microcell.experiments.two_levels._claims import (
    SHOWN_AS,
    kde_indices,
    kde_is_best,
    more_than_the_original,
    score_lines,
    separability_rises,
    utility_rises,
)
from microcell.experiments.two_levels._costs import (
    beside_rivals,
    cost_of_labels,
    k_anonymous,
    labels_cost_no_privacy,
    reached_lines,
)
from microcell.experiments.two_levels._paper import impossible_structure
from microcell.experiments.two_levels._readings import FORMS_READ
from microcell.experiments.two_levels._run import SET_TITLES
from microcell.experiments.two_levels._tables import FORM_TITLES, nearness


def nearest_readings(rows):
    """A line for each table of the paper: how near each reading comes."""
    found = {}
    for row in nearness(rows):
        found.setdefault(row["table"], []).append(row)
    lines = []
    for table, readings in found.items():
        shown = [
            f"{FORM_TITLES[r['form']]}, {SHOWN_AS[r['reading']]} "
            f"{r['mean absolute difference']:.3f}"
            for r in sorted(readings, key=lambda r: r["mean absolute difference"])
        ]
        lines.append(
            f"{table.replace('_', ' ')}, mean absolute difference from the paper's "
            f"over {readings[0]['entries']} entries, nearest first: {'; '.join(shown)}"
        )
    return lines


def slips():
    """Where the paper's tables contradict each other."""
    shown = ", ".join(
        f"{SET_TITLES[name]} {method} {value:.2f}"
        for (method, name), value in impossible_structure().items()
    )
    return (
        "The paper's tables 4 and 5 imply a structural utility above 1, which its "
        f"definition cannot give, for {shown}"
    )


def summary(rows):
    """A line for each claim, then what stands behind it."""
    return [
        *(f"{reading.title}: {reading.meaning}" for reading in FORMS_READ.values()),
        *separability_rises(rows),
        *more_than_the_original(rows),
        *kde_indices(rows),
        *utility_rises(rows),
        *kde_is_best(rows),
        *score_lines(rows),
        *labels_cost_no_privacy(rows),
        *k_anonymous(rows),
        *cost_of_labels(rows),
        *beside_rivals(rows),
        *reached_lines(rows),
        *nearest_readings(rows),
        slips(),
    ]
