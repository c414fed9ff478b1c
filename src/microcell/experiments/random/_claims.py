"""What the paper claims, held against our run."""

import numpy as np

from microcell.experiments._claims import FAILS, HOLDS, verdict
from microcell.experiments._curves import grouped
from microcell.experiments._tasks import as_list
from microcell.experiments.random._figures import curves
from microcell.experiments.random._run import PAPER, PARTS, RHOS, TABLE_TITLES

BY_DISTANCE = f"c = {max(PARTS)}, drawn by distance"
OF_CELLS = [*(f"c = {c}" for c in PARTS), BY_DISTANCE]
NOISE_LABELS = [f"random aggregation, rho = {rho:g}" for rho in RHOS]


def claims(rows, strips):
    """All claims of the paper, by each reading.

    Parameters
    ----------
    rows : list of dict
        Of `run`.
    strips : dict
        Outputs that a neighbouring table cannot give.
    """
    return [
        *against(rows, "seconds", "Top-down takes much less time (figure 4)"),
        *against(rows, "loss", "Top-down loses less in most cases (figure 5)"),
        in_order(rows, "loss", 0, False, "Loss grows with rho (figure 6)"),
        in_order(rows, "loss", 1, False, "Loss grows with k (figure 6)"),
        in_order(rows, "linkage", 0, True, "Linkage falls with rho (figure 7)"),
        in_order(rows, "linkage", 1, True, "Linkage falls with k (figure 7)"),
        *lower_at_rho_08(rows),
        in_order(
            rows,
            "centroid_linkage",
            0,
            True,
            "Noise protects the records near a centroid: their linkage falls with rho",
        ),
        cannot_be_guessed(rows),
        not_private(strips),
    ]


def by_k(rows, name, measure, kind, label):
    """Means over repetitions, by ascending k."""
    return np.array([mean for _, mean, _ in curves(rows, name, measure, kind)[label]])


def noise_means(rows, name, measure):
    """Means for each rho (rows) and k (columns)."""
    return np.array(
        [by_k(rows, name, measure, "noise", label) for label in NOISE_LABELS]
    )


@as_list
def against(rows, measure, words):
    """Top-down against bottom-up cells: where it is lower, and by how much."""
    for reading in OF_CELLS:
        shares, shown = [], []
        for name, title in TABLE_TITLES.items():
            other = reading.partition(", drawn")[0]
            ours = by_k(rows, name, measure, "cells", f"top-down, {reading}")
            theirs = by_k(rows, name, measure, "cells", f"bottom-up, {other}")
            shares.append(np.mean(ours < theirs))
            shown.append(
                f"{title}: lower for {np.sum(ours < theirs)} of {len(ours)} values of "
                f"k, {np.mean(ours / theirs):.2f} times bottom-up's on average"
            )
        yield PAPER.claim(words, "; ".join(shown), verdict(shares), reading)


def in_order(rows, measure, axis, falling, words):
    """Whether means rise (or fall) along rho (axis 0) or k (axis 1)."""
    shares, shown = [], []
    for name, title in TABLE_TITLES.items():
        means = noise_means(rows, name, measure)
        steps = np.diff(means, axis=axis)
        right = steps < 0 if falling else steps > 0
        shares.append(right.mean())
        ends = 100 * means.mean(axis=1 - axis)
        shown.append(
            f"{title}: {right.sum()} of {right.size} steps, on average {ends[0]:.2f} "
            f"to {ends[-1]:.2f} %"
        )
    return PAPER.claim(words, "; ".join(shown), verdict(shares))


def single_runs(rows, name, label):
    """{repetition: {k: linkage}} of a setting."""
    own = [row for row in rows if (row["data"], row["label"]) == (name, label)]
    return {
        repetition: {row["k"]: row["linkage"] for row in run}
        for repetition, run in grouped(own, "repetition").items()
    }


def lower_at_rho_08(rows):
    """Whether rho = 0.8 is linked less than rho = 1 at some k: on average, in one run.

    The paper does not say how many runs its figure has; what it shows may be chance.
    """
    words = "Sometimes linkage is lower for rho = 0.8 than for rho = 1 (figure 7)"
    printed = "at k = 8 and 9 on both tables"
    of_means, of_runs, shown, shown_runs = [], [], [], []
    for name, title in TABLE_TITLES.items():
        means = noise_means(rows, name, "linkage")
        lower = means[RHOS.index(0.8)] < means[RHOS.index(1.0)]
        of_means.append(float(lower.any()))
        shown.append(f"{title}: {lower.sum()} of {lower.size} values of k")
        less, most = (
            single_runs(rows, name, NOISE_LABELS[RHOS.index(rho)]) for rho in (0.8, 1.0)
        )
        others = [*list(most)[1:], *list(most)[:1]]  # one seed has the same noise
        some = [
            any(less[run][k] < most[other][k] for k in less[run])
            for run, other in zip(less, others, strict=True)
        ]
        of_runs.append(np.mean(some))
        shown_runs.append(f"{title}: {np.sum(some)} of {len(some)} runs")
    in_runs = f"at some k in {'; '.join(shown_runs)}"
    return [
        PAPER.claim(words, ours, verdict(shares), reading, printed=printed)
        for ours, shares, reading in (
            ("; ".join(shown), of_means, f"means of {len(some)} repetitions"),
            (in_runs, of_runs, "single runs, with noise of its own for each rho"),
        )
    ]


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
    return PAPER.claim(
        "Who knows all of a cell but one cannot guess the last, for rho > 0",
        f"error of the guess in sd: {'; '.join(shown)}",
        verdict(shares),
        "an intruder who also knows the bounds of the noise",
    )


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
    largest = max(most for name in strips for _, most in strips[name].values())
    return PAPER.claim(
        "Random aggregation satisfies differential privacy",
        "outputs that a table with one other record cannot give, which none may be "
        f"for any epsilon, mean over cells and columns: {shown}",
        FAILS if largest > 0 else HOLDS,
        "one record moved to the end of its column, k = 5",
    )
