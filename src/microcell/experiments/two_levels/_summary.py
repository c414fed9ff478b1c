"""What the run says of costs, and how near it comes to the paper's tables."""

from microcell.experiments._tasks import as_list
from microcell.experiments.two_levels._claims import SHOWN_AS
from microcell.experiments.two_levels._costs import (
    beside_rivals,
    cost_of_labels,
    reached_lines,
)
from microcell.experiments.two_levels._readings import FORMS_READ
from microcell.experiments.two_levels._tables import FORM_TITLES, nearness


@as_list
def nearest_readings(rows):
    """A line for each table of the paper: how near each reading comes."""
    found = {}
    for row in nearness(rows):
        found.setdefault(row["table"], []).append(row)
    for table, readings in found.items():
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
