"""The table of measures: what a release shows of its loss and its risk.

A measure is a name, how a person reads it, and a function of a `Comparison`. Summary,
certificate, `measure` and the command line read `MEASURES`; a new measure is one
function and one line here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from microcell.embed import ColumnScaler
from microcell.exceptions import InputError, Option, ParameterError, nearest_name
from microcell.metrics._distance_linkage import linkage_risks
from microcell.metrics._figures import DISCLOSED, Figure, Scores
from microcell.metrics._homogeneity import homogeneity
from microcell.metrics._household_risk import HouseholdRisk
from microcell.metrics._journalist_risk import JournalistRisk
from microcell.metrics._reidentification import risk_of_class_sizes
from microcell.metrics._sse_loss import mse_distortion, relative_loss, sse_loss
from microcell.metrics._visits_risk import VisitsRisk

EXPENSIVE_FROM = 100_000  # records from which "quick" leaves out what is expensive
CHOICES = ("quick", "all", "none")
NEEDED = {"weights": "sampling weights", "unit": "units of several records"}
REORDERED = "the rows of the release are in another order than those of the original"


class Comparison:
    """An original and its release, as measures look at them.

    Parameters
    ----------
    X, X_released : ndarray of shape (n_samples, n_attributes)
        Quasi-identifiers as numbers; categories as codes.
    scaler : ColumnScaler
        How attributes get a common scale, learnt on the original; codes stay codes.
    class_sizes : ndarray
        People in each equivalence class of the release.
    journalist : JournalistRisk, optional
        Population risk, where records have sampling weights.
    household : HouseholdRisk, optional
        Risk of units of several records, where k counts them.
    visits : VisitsRisk, optional
        What is left to who knows all records of a unit, where k counts them.
    """

    def __init__(
        self,
        X: np.ndarray,
        X_released: np.ndarray,
        scaler: ColumnScaler,
        *,
        class_sizes: np.ndarray,
        journalist: JournalistRisk | None = None,
        household: HouseholdRisk | None = None,
        visits: VisitsRisk | None = None,
    ) -> None:
        self.X = X
        self.X_released = X_released
        self.scaler = scaler.keep_codes()
        self.class_sizes = class_sizes
        self.journalist = journalist
        self.household = household
        self.visits = visits

    @property
    def given(self) -> set[str]:
        """What measures may need and is known here."""
        known = {"weights": self.journalist, "unit": self.household}
        return {option for option, risk in known.items() if risk is not None}

    @cached_property
    def scaled(self) -> tuple[np.ndarray, np.ndarray]:
        """Both tables on a common scale; codes stay codes and come last."""
        Z = self.scaler.fit_transform(self.X)
        return Z, self.scaler.transform(self.X_released)

    @cached_property
    def changes(self) -> tuple[np.ndarray, np.ndarray]:
        """As `scaled`, for losses: a missing value that stands in the middle has
        nothing to lose."""
        Z, Z_released = self.scaled
        if self.scaler.missing != "middle":
            return Z, Z_released
        nothing = np.where(np.isnan(self.X), self.X, self.X_released)
        return Z, self.scaler.transform(nothing)

    @property
    def codes(self) -> list[int]:
        """Columns of `scaled` that hold codes."""
        return list(self.scaler.coded_)

    @property
    def units(self) -> list[float]:
        """What a mismatch in each of them counts."""
        return list(self.scaler.units_)

    @cached_property
    def linkage(self) -> list[float]:
        """Distance linkage with the nearest and with the two nearest."""
        return linkage_risks(*self.scaled, (1, 2), self.codes, self.units)


@dataclass(frozen=True)
class Measure(Figure):
    """One figure of a release, and how it is computed; see `Figure`.

    Attributes
    ----------
    compute : callable
        Takes a `Comparison`, gives a float.
    expensive : bool
        Whether it takes long on a large table.
    aligned : bool
        Whether it compares tables row by row, so that rows must be in one order.
    needs : str
        The option that it needs, "weights" or "unit", and without which it is not
        shown.
    """

    compute: Callable[[Comparison], float]
    expensive: bool = False
    aligned: bool = True
    needs: str = ""


def _lost(loss: Callable[..., float]) -> Callable[[Comparison], float]:
    return lambda c: loss(*c.changes, nominal=c.codes, units=c.units)


def _class_risk(name: str) -> Callable[[Comparison], float]:
    return lambda c: float(getattr(risk_of_class_sizes(c.class_sizes), name))


# A measure that needs an option is computed only where that was given.
MEASURES = (
    Measure("relative_loss", "information loss", "share", "low", _lost(relative_loss)),
    Measure("sse_loss", "SSE / SST", "number", "low", _lost(sse_loss)),
    Measure(
        "mse_distortion", "mean sq. distortion", "number", "low",
        lambda c: mse_distortion(
            *c.changes, nominal=c.codes, units=c.units, n_attributes=c.X.shape[1]
        ),
    ),
    Measure(
        "distance_linkage_risk", "linkage, nearest", "share", "low",
        lambda c: c.linkage[0], expensive=True,
    ),
    Measure(
        "distance_linkage_risk_top2", "linkage, 2 nearest", "share", "low",
        lambda c: c.linkage[1], expensive=True,
    ),
    Measure(
        "prosecutor_max_risk", "highest risk", "share", "low",
        _class_risk("prosecutor_max"), aligned=False,
    ),
    Measure(
        "prosecutor_average_risk", "average risk", "share", "low",
        _class_risk("prosecutor_average"), aligned=False,
    ),
    Measure(
        "journalist_max_risk", "highest, population", "share", "low",
        lambda c: c.journalist.journalist_max, needs="weights",  # type: ignore[union-attr]
    ),
    Measure(
        "journalist_average_risk", "average, population", "share", "low",
        lambda c: c.journalist.journalist_average, needs="weights",  # type: ignore[union-attr]
    ),
    Measure(
        "household_max_risk", "highest, any member", "share", "low",
        lambda c: c.household.highest, needs="unit",  # type: ignore[union-attr]
    ),
    Measure(
        "household_average_risk", "average, any member", "share", "low",
        lambda c: c.household.average, needs="unit",  # type: ignore[union-attr]
    ),
    Measure(
        "visits_max_risk", "highest, all visits", "share", "low",
        lambda c: c.visits.highest, needs="unit",  # type: ignore[union-attr]
    ),
)  # fmt: skip


def check_measures(measures: Any) -> str | tuple[str, ...]:
    """Return a choice of measures: quick, all, none, or names of measures."""
    known = [measure.name for measure in MEASURES]
    if isinstance(measures, str) and measures in CHOICES:
        return measures
    listed = isinstance(measures, (list, tuple, set))
    names = tuple(measures) if listed else (measures,)
    for name in names:
        if name not in known:
            raise ParameterError(
                "measures",
                f"must be one of {list(CHOICES)} or names of {known}. "
                f"Got {name!r} instead.",
                hint=nearest_name(name, (*CHOICES, *known)),
            )
    return names


def chosen_measures(
    measures: Any, n_records: int, given: Collection[str] = ()
) -> list[Measure]:
    """The measures that a choice stands for on a table of `n_records`.

    Parameters
    ----------
    measures : "quick", "all", "none" or sequence of str
    n_records : int
    given : collection of str
        Options that some measures need, and that were given: "weights", "unit".
    """
    measures = check_measures(measures)
    possible = [m for m in MEASURES if not m.needs or m.needs in given]
    if measures == "none":
        return []
    if measures == "all":
        return possible
    if measures == "quick":
        return [m for m in possible if not m.expensive or n_records <= EXPENSIVE_FROM]
    for measure in MEASURES:
        if measure.name in measures and measure not in possible:
            raise ParameterError(
                "measures",
                f"names {measure.name!r}, which needs {NEEDED[measure.needs]}.",
                hint=["Name their column in ", Option(measure.needs), "."],
            )
    return [m for m in possible if m.name in measures]


def compute_scores(
    comparison: Comparison, measures: Any = "all", *, aligned: bool = True
) -> Scores:
    """The chosen measures of a comparison, rounded to what may be given away.

    Parameters
    ----------
    comparison : Comparison
    measures : "quick", "all", "none" or sequence of str
        Which figures.
    aligned : bool, default=True
        Whether rows of the two tables are in one order. If not, what compares them
        row by row is left out with a notice, or is an error if it was named.
    """
    chosen = chosen_measures(measures, len(comparison.X), comparison.given)
    left_out = [m for m in chosen if m.aligned and not aligned]
    if left_out and measures not in CHOICES:
        raise InputError(
            f"{REORDERED[0].upper()}{REORDERED[1:]}, and {left_out[0].name!r} compares "
            "them row by row.",
            option="measures",
            hint=[
                "Its certificate has the scores. Or release it with ",
                Option("order", "keep"),
                "; or, if the order is the same, say so with ",
                Option("aligned", True),
                ".",
            ],
        )
    labels = "; ".join(measure.label for measure in left_out)
    notice = f"{REORDERED}; not measured: {labels}. {HELP}"
    numbers = comparison.scaled[0].shape[1] > len(comparison.codes)
    if any(m.name in LOSSES for m in left_out) and numbers:
        chosen = [VARIANCE_LOST, *chosen]
    values = {m.name: m.compute(comparison) for m in chosen if m not in left_out}
    exact = Scores.of(values, chosen, notice if left_out else "")
    return exact.rounded(len(comparison.X))


def _variance_lost(comparison: Comparison) -> float:
    """Share of the variance of numbers that the release does not have, at most 1.

    What noise adds to a column is as far from it as what means take: it counts alike.
    """
    before, after = (
        np.nanvar(Z[:, : Z.shape[1] - len(comparison.codes)], axis=0)
        for Z in comparison.scaled
    )
    changed, spread = float(np.abs(after - before).sum()), float(before.sum())
    return min(changed / spread, 1.0) if spread > 0 else float(changed > 0)


VARIANCE_LOST = Measure(  # near the loss where means are released; needs no order
    "variance_lost", "variance lost", "share", "low", _variance_lost, aligned=False
)
LOSSES = ("relative_loss", "sse_loss", "mse_distortion")
OF_THE_TARGET = ("p_sensitivity", "homogeneous_records")
HELP = (
    "Its certificate has what was measured when it was made; a release with order=keep "
    "can be measured here"
)


def cell_scores(cells: np.ndarray, y: np.ndarray) -> Scores:
    """What the cells of each record give away of a confidential attribute.

    Of several, a column each, that of which most records are in cells of one value.
    """
    each = [homogeneity(cells, column) for column in np.atleast_2d(y.T)]
    found = max(each, key=lambda one: one.homogeneous_records)
    values = {name: getattr(found, name) for name in OF_THE_TARGET}
    return Scores.of(values, DISCLOSED)
