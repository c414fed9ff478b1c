"""The paper's claims, each with a verdict and the figures behind it."""

import numpy as np

from microcell.experiments._claims import verdict
from microcell.experiments.random._figures import curves
from microcell.experiments.random._run import DP, PARTS, RHOS, TABLE_TITLES

SUMMED_UP = (
    "seconds",
    "loss",
    "literal_loss",
    "linkage",
    "centroid_linkage",
    "attack_error",
    "attack_error_without",
)


def means_table(rows):
    """Mean and half interval of every measure, a row for each table, setting and k."""
    found = {}
    for name in TABLE_TITLES:
        for kind in ("cells", "noise"):
            for measure in SUMMED_UP:
                for label, points in curves(rows, name, measure, kind).items():
                    for k, mean, half in points:
                        row = found.setdefault((name, label, k), {})
                        row[measure], row[f"{measure}_half_interval"] = mean, half
    keys = ("data", "setting", "k")
    return [dict(zip(keys, key, strict=True)) | row for key, row in found.items()]


def by_k(rows, name, measure, kind, label):
    """Means over repetitions, by ascending k."""
    return np.array([mean for _, mean, _ in curves(rows, name, measure, kind)[label]])


def noise_means(rows, name, measure):
    """Means for each rho (rows) and k (columns)."""
    labels = [f"random aggregation, rho = {rho:g}" for rho in RHOS]
    return np.array([by_k(rows, name, measure, "noise", label) for label in labels])


def against(rows, measure, claim):
    """Top-down against bottom-up cells: where it is lower, and by how much."""
    shares, shown = [], []
    for name, title in TABLE_TITLES.items():
        for c in PARTS:
            ours, theirs = (
                by_k(rows, name, measure, "cells", f"{method}, c = {c}")
                for method in ("top-down", "bottom-up")
            )
            shares.append(np.mean(ours < theirs))
            shown.append(
                f"{title}, c = {c}: lower for {np.sum(ours < theirs)} of {len(ours)} "
                f"values of k, {np.mean(ours / theirs):.2f} times bottom-up's on "
                "average"
            )
    return f"{claim}: {verdict(shares)} ({'; '.join(shown)})"


def in_order(rows, measure, axis, falling, claim, unit=100):
    """Whether means rise (or fall) along rho (axis 0) or k (axis 1)."""
    shares, shown = [], []
    for name, title in TABLE_TITLES.items():
        means = noise_means(rows, name, measure)
        steps = np.diff(means, axis=axis)
        right = steps < 0 if falling else steps > 0
        shares.append(right.mean())
        ends = means.mean(axis=1 - axis)
        shown.append(
            f"{title}: {right.sum()} of {right.size} steps, on average "
            f"{unit * ends[0]:.2f} to {unit * ends[-1]:.2f}"
        )
    return f"{claim}: {verdict(shares)} ({'; '.join(shown)})"


def lower_at_rho_08(rows):
    """Values of k at which rho = 0.8 is linked less than rho = 1."""
    shares, shown = [], []
    for name, title in TABLE_TITLES.items():
        means = noise_means(rows, name, "linkage")
        lower = means[RHOS.index(0.8)] < means[RHOS.index(1.0)]
        shares.append(float(lower.any()))
        shown.append(f"{title}: {lower.sum()} of {lower.size} values of k")
    claim = "Linkage is sometimes lower for rho = 0.8 than for 1 (figure 7)"
    return f"{claim}: {verdict(shares)} ({'; '.join(shown)})"


def cannot_be_guessed(rows):
    """The attack of who knows all but one, and the method, against a guess without."""
    shares, shown = [], []
    for name, title in TABLE_TITLES.items():
        errors = noise_means(rows, name, "attack_error")
        without = noise_means(rows, name, "attack_error_without")
        shares += list(np.mean(errors[1:] >= without[1:], axis=1))
        figures = ", ".join(
            f"{error:.2f} for rho = {rho:g}"
            for rho, error in zip(RHOS, errors.mean(axis=1), strict=True)
        )
        shown.append(f"{title}: {figures}; {without.mean():.2f} without the release")
    claim = (
        "Who knows a cell but one guesses the last record no better with the release, "
        "for rho > 0"
    )
    return f"{claim}: {verdict(shares)} (error in sd, {'; '.join(shown)})"


def not_private(strips):
    """Differential privacy: what outputs a neighbouring table cannot give."""
    shown = "; ".join(
        f"{title}: "
        + ", ".join(
            f"{100 * mean:.0f} % for rho = {rho:g} (at most {100 * most:.0f} %)"
            for rho, (mean, most) in strips[name].items()
        )
        for name, title in TABLE_TITLES.items()
    )
    return (
        "Random aggregation satisfies differential privacy: does not hold, for any "
        "epsilon (one record moved to the end of its column, k = 5: outputs that the "
        f"first table cannot give, mean over cells and columns: {shown})"
    )


def private_lines(rows):
    """The same axes for the method that is differentially private, if it is there."""
    lines = []
    for name, title in TABLE_TITLES.items():
        found = curves(rows, name, "loss", "noise", 100)
        for label in found:
            if label.startswith("differentially private"):
                linked = curves(rows, name, "linkage", "noise", 100)[label]
                loss = np.mean([mean for _, mean, _ in found[label]])
                linkage = np.mean([mean for _, mean, _ in linked])
                lines.append(
                    f"{title}, {label}: loss {loss:.1f} %, linkage {linkage:.2f} %, "
                    "means over k"
                )
    return lines or [f"No method {DP!r}: its curves are left out."]


def summary(rows, strips):
    """A line for each claim, then what is differentially private on the same axes."""
    return [
        against(
            rows, "seconds", "Top-down cells take less time than bottom-up (figure 4)"
        ),
        against(rows, "loss", "Top-down cells lose less than bottom-up (figure 5)"),
        in_order(rows, "loss", 0, False, "Loss in % grows with rho (figure 6)"),
        in_order(rows, "loss", 1, False, "Loss in % grows with k (figure 6)"),
        in_order(rows, "linkage", 0, True, "Linkage in % falls with rho (figure 7)"),
        in_order(rows, "linkage", 1, True, "Linkage in % falls with k (figure 7)"),
        lower_at_rho_08(rows),
        in_order(
            rows,
            "centroid_linkage",
            0,
            True,
            "Noise protects the records near a centroid, linkage in % falls with rho",
        ),
        cannot_be_guessed(rows),
        not_private(strips),
        *private_lines(rows),
    ]
