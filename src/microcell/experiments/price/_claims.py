"""What the paper claims, held against our run."""

import numpy as np

from microcell.experiments._claims import (
    FAILS,
    HOLDS,
    UNTOLD,
    Claim,
    verdict_above,
    verdict_of_all,
)
from microcell.experiments._curves import best_on_test, curves, point, shown_interval
from microcell.experiments._data import TITLES
from microcell.experiments._predictors import (
    CORRELATED,
    PREDICTORS,
    jackknifed,
    with_one_left_out,
)

SD = "MDAV with SD"
DISTORTIONS = {"MDAV": 20, SD: 20, "Mondrian": 40, "V-MDAV": 40}  # Adult, k = 50, %
MORE, LESS = "accuracy", "distortion"
SAID_ORDERS = {  # claim: measure, {data set: pairs, the better one first}
    "MDAV with SD learns most (figures 6, 8, 10 and 12)": (
        MORE,
        {
            name: [(SD, other) for other in ("MDAV", "V-MDAV", "Mondrian")]
            for name in ("adult", "breast", "heart", "synthetic")
        },
    ),
    "MDAV learns second best, V-MDAV and Mondrian least (figure 6)": (
        MORE,
        {"adult": [("MDAV", "V-MDAV"), ("MDAV", "Mondrian")]},
    ),
    "V-MDAV learns more than Mondrian (figures 10 and 12)": (
        MORE,
        {name: [("V-MDAV", "Mondrian")] for name in ("heart", "synthetic")},
    ),
    "MDAV with SD distorts least, in its combined measure (figures 7 and 9)": (
        LESS,
        {
            name: [(SD, other) for other in ("MDAV", "V-MDAV", "Mondrian")]
            for name in ("adult", "breast")
        },
    ),
    "MDAV distorts less than V-MDAV and Mondrian (figures 7, 11 and 13)": (
        LESS,
        {
            name: [("MDAV", "V-MDAV"), ("MDAV", "Mondrian")]
            for name in ("adult", "heart", "synthetic")
        },
    ),
    "Mondrian distorts most (figure 9)": (
        LESS,
        {"breast": [("MDAV", "Mondrian"), ("V-MDAV", "Mondrian")]},
    ),
    "V-MDAV distorts more than Mondrian (figures 11 and 13)": (
        LESS,
        {name: [("Mondrian", "V-MDAV")] for name in ("heart", "synthetic")},
    ),
}
MAX_K_OF_CLAIM = {"MDAV learns second best, V-MDAV and Mondrian least (figure 6)": 60}
POOR = 0.5  # a rank correlation nearer to 0 tells little


def claims(experiment, rows, readings, names):
    """All claims of the paper, by each reading."""
    originals = [name for name in names if not name.endswith("(all)")]
    return [
        *(c for name in names for c in claims_on_adult(experiment, name, rows)),
        *at_1000(experiment, readings),
        *distortions(experiment, rows),
        *orders(experiment, rows, originals),
        *predicts_poorly(experiment, rows, originals),
    ]


def claims_on_adult(experiment, name, rows):
    """Above 80 % to k = 50 for all methods, to k = 1000 with SD."""
    if not name.startswith("adult"):
        return []
    tuned, title = experiment.tuned, experiment.paper.title
    found = curves(experiment, rows, name, "accuracy")
    claims = []
    for label, points in found.items():
        to_50 = [point for point in points if point[0] <= 50]
        if to_50:
            _, lowest, half = min(to_50, key=lambda point: point[1])
            claims.append(
                Claim(
                    title,
                    "On Adult accuracy stays above 80 % to k = 50 (figure 6)",
                    "above 80 %",
                    f"lowest {100 * lowest:.1f}{shown_interval(100 * half)} %",
                    verdict_above(lowest, half, 0.8),
                    f"{TITLES[name]}, {label}",
                )
            )
    for label in (tuned.as_published, tuned.as_honest):
        if not found[label]:
            continue
        k, lowest, half = min(found[label], key=lambda point: point[1])
        claims.append(
            Claim(
                title,
                "On Adult accuracy with SD is not below 80 % even at k = 1000 "
                "(figure 6)",
                "not below 80 %",
                f"lowest {100 * lowest:.1f}{shown_interval(100 * half)} %, at k = {k}",
                verdict_above(lowest, half, 0.8),
                f"{TITLES[name]}, {label}",
            )
        )
    return claims


def at_1000(experiment, readings):
    """Whether "not below 80 % at k = 1000" holds, by readings of learner and coding."""
    tuned = experiment.tuned
    found = [row for row in readings if row["k"] == 1000]
    if not found:
        return []
    verdicts = [
        verdict_above(row[tuned.method], row[f"{tuned.method} +-"], 80) for row in found
    ]
    counts = ", ".join(
        f"{word} by {verdicts.count(word)}" for word in (HOLDS, UNTOLD, FAILS)
    )
    levels = [row[tuned.method] for row in found]
    return [
        Claim(
            experiment.paper.title,
            "On Adult accuracy with SD is not below 80 % even at k = 1000 (figure 6)",
            "not below 80 %",
            f"{min(levels):.1f} to {max(levels):.1f} %; of {len(found)} readings: "
            f"{counts}",
            verdict_of_all(verdicts),
            f"all readings of learner and coding, {tuned.as_published}",
        )
    ]


def distortions(experiment, rows):
    """The distortions that the paper prints of Adult at k = 50."""
    found = curves(experiment, rows, "adult", "distortion")
    claims = []
    for method, least in DISTORTIONS.items():
        label = experiment.tuned.as_published if method == SD else method
        for k, mean, half in found.get(label, ()):
            if k == 50:
                claims.append(
                    Claim(
                        experiment.paper.title,
                        "Distortion of Adult at k = 50 (figure 7)",
                        f"{method} more than {least} %",
                        f"{100 * mean:.1f}{shown_interval(100 * half)} %",
                        verdict_above(mean, half, least / 100),
                        label,
                    )
                )
    return claims


def values_of(experiment, rows, name, method, measure, most_k=np.inf):
    """For each repetition the mean over k; of the tuned method best on test."""
    tuned = experiment.tuned
    own = [
        row
        for row in rows
        if (row["data"], row["method"], row["honest"]) == (name, method, False)
        and row["k"] <= most_k
    ]
    if method == tuned.method and measure == LESS and tuned.weighs_target:
        measure = "combined"
    found = {}
    for k in sorted({row["k"] for row in own}):
        for row in best_on_test([r for r in own if r["k"] == k], "accuracy"):
            found.setdefault(row["repetition"], []).append(row[measure])
    return {repetition: np.mean(values) for repetition, values in found.items()}


def orders(experiment, rows, names):
    """Which of two methods is better, as the paper says of each data set."""
    claims = []
    for words, (measure, pairs_of) in SAID_ORDERS.items():
        sign = 1 if measure == MORE else -1
        for name, pairs in pairs_of.items():
            if name not in names:
                continue
            verdicts, shown = [], []
            for better, worse in pairs:
                one, two = (
                    values_of(
                        experiment,
                        rows,
                        name,
                        m,
                        measure,
                        MAX_K_OF_CLAIM.get(words, np.inf),
                    )
                    for m in (better, worse)
                )
                mean, half = point([sign * (one[r] - two[r]) for r in one])
                verdicts.append(verdict_above(mean, half))
                shown.append(
                    f"{better} against {worse} {100 * sign * mean:+.1f}"
                    f"{shown_interval(100 * half)}"
                )
            claims.append(
                Claim(
                    experiment.paper.title,
                    words,
                    "",
                    f"{measure}, mean over k, points: {', '.join(shown)}",
                    verdict_of_all(verdicts),
                    f"{TITLES[name]}"
                    + (", lambda best on the test records" if SD in pairs[0] else ""),
                )
            )
    return claims


def predicts_poorly(experiment, rows, names):
    """The main conclusion: distortion does not predict what a model learns."""
    claims = []
    for measure in ("distortion", "combined_half"):
        for way, words in CORRELATED.items():
            values = with_one_left_out(rows, names, measure, way)
            if not len(values):
                continue
            mean, half = jackknifed(values)
            claims.append(
                Claim(
                    experiment.paper.title,
                    "Distortion does not predict what a model learns (figures 7, 9, "
                    "11 and 13)",
                    "accuracy stays while distortion grows",
                    f"rank correlation with accuracy {mean:+.2f}"
                    f"{shown_interval(half, 2)}; poor is nearer to 0 than {POOR}",
                    verdict_above(-abs(mean), half, -POOR),
                    f"{PREDICTORS[measure]}, {words}",
                )
            )
    return claims
