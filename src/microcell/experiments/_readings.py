"""Readings of what the papers leave open, side by side on Adult.

Neither the settings of the model nor the numbers that stand for categories are printed
in the papers, and both move accuracy by more than most ways to form cells.
"""

from dataclasses import asdict

from microcell.experiments._curves import best_on_test, by_k, point, shown_interval
from microcell.experiments._data import READ_LEARNERS, READINGS, Reading
from microcell.experiments._experiment import Setting
from microcell.experiments._grid import run_tasks
from microcell.experiments._tasks import as_list

READING_PLANS = {"full": (10, (50, 1000)), "quick": (2, (1000,))}
"""Repetitions, values of k."""
MASKED_TEST = [Reading(learner, masks_test=True) for learner in READ_LEARNERS]


def run_readings(experiment, plan_name, cache, progress):
    """Rows of MDAV and of each value of the tuned method, by each reading."""
    repetitions, ks = READING_PLANS[plan_name]
    tuned = experiment.tuned
    settings = [Setting("MDAV"), *(Setting(tuned.method, v) for v in tuned.values)]
    tasks = []
    for reading in READINGS + (MASKED_TEST if experiment.printed else []):
        for k in ks:
            if reading.masks_test and k != 50:  # where the paper prints its gain
                continue
            folder = cache / "readings" / slug(reading)
            tasks += [
                ("adult", repetition, k, settings, folder, reading)
                for repetition in range(repetitions)
            ]
    return run_tasks(experiment, tasks, progress)


def slug(reading):
    """A name for the folder of a reading.

    Examples
    --------
    >>> slug(Reading("AdaBoost", "one-hot"))
    'adaboost-one-hot'
    """
    test = "-test-masked" if reading.masks_test else ""
    return f"{reading.learner}-{reading.coding}{test}".lower().replace(" ", "-")


@as_list
def readings_table(experiment, rows):
    """Accuracy in % of MDAV and of the tuned method, best on test, by each reading."""
    method = experiment.tuned.method
    for reading in READINGS + MASKED_TEST:
        own = [r for r in rows if asdict(reading).items() <= r.items()]
        for k, at_k in by_k(own):
            plain = {r["repetition"]: r for r in at_k if r["method"] == "MDAV"}
            best = best_on_test([r for r in at_k if r["method"] == method], "accuracy")
            found = {
                "MDAV": [row["accuracy"] for row in plain.values()],
                method: [row["accuracy"] for row in best],
                "gain": [
                    row["accuracy"] - plain[row["repetition"]]["accuracy"]
                    for row in best
                ],
            }
            row = asdict(reading) | {"k": k}
            for label, values in found.items():
                mean, half = point(values)
                row |= {label: 100 * mean, f"{label} +-": 100 * half}
            yield row


def reading_lines(experiment, table):
    """One line for each reading, and how far learner and coding move accuracy."""
    tuned, lines = experiment.tuned, []
    for row in table:
        shown = [
            f"{label} {row[label]:.1f}{shown_interval(row[f'{label} +-'])}"
            for label in ("MDAV", tuned.method, "gain")
        ]
        test = ", test records masked too" if row["masks_test"] else ""
        lines.append(
            f"adult, k={row['k']}, {row['learner']}, {row['coding']}{test}: "
            f"{shown[0]}, {shown[1]} (best {tuned.symbol} on test), {shown[2]} points"
        )
    untouched = [row for row in table if not row["masks_test"]]
    for k in sorted({row["k"] for row in untouched}):
        for label in ("MDAV", tuned.method):
            found = [row[label] for row in untouched if row["k"] == k]
            lines.append(
                f"adult, k={k}, {label}: learner and coding move accuracy by "
                f"{max(found) - min(found):.1f} points, from {min(found):.1f} to "
                f"{max(found):.1f} %"
            )
    return lines
