"""Figures and how people read them: the one table of labels, and the one formatter.

Whatever shows a figure (summary, report, certificate, `check`, `measure`, `compare`,
`tune`, the app) takes its label, its unit and its good end from here, and its text from
`shown`. Measures that are computed of a release are in `_measures`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from microcell.metrics._rounding import rounded_figures

LABEL_WIDTH = 20  # characters before what a line says


def shown(value: float, unit: str = "share", decimals: int = 2) -> str:
    """A figure as people read it.

    Parameters
    ----------
    value : float
    unit : {"share", "number", "count", "seconds"}, default="share"
        A share is shown in per cent.
    decimals : int, default=2
        Of a share.

    Examples
    --------
    >>> shown(0.25), shown(0.123456, "number"), shown(7.0, "count"), shown(math.nan)
    ('25.00 %', '0.1235', '7', '-')
    """
    if math.isnan(value):
        return "-"
    if unit == "share":
        return f"{100 * value:.{decimals}f} %"
    if unit == "seconds":
        return f"{value:.1f} s"
    return format(value, ".0f" if unit == "count" else ".4g")


def labelled(label: str, said: Any) -> str:
    """A line of text: a label, and what it says in a column of its own.

    Examples
    --------
    >>> labelled("k", 5)
    'k                   5'
    """
    return f"{label:<{LABEL_WIDTH}}{said}"


@dataclass(frozen=True)
class Figure:
    """What a figure is called, and how to read it.

    Attributes
    ----------
    name : str
        What programs call it; that of one column ends in a colon and its name.
    label : str
        What people read.
    unit : {"share", "number", "count", "seconds"}
        A share is shown in per cent.
    better : {"low", "high", ""}
        Which end is good; empty where releases are not compared by it.

    Examples
    --------
    >>> loss = Figure("relative_loss", "information loss", "share", "low")
    >>> loss.shown(0.25), loss.cost(0.25)
    ('25.00 %', 0.25)
    """

    name: str
    label: str
    unit: str
    better: str

    def shown(self, value: float) -> str:
        """A value as a person reads it."""
        return shown(value, self.unit)

    def cost(self, value: float) -> float:
        """The value turned so that low is good."""
        return value if self.better == "low" else -value

    def of(self, column: str, join: str = ", ") -> Figure:
        """The same figure of one column."""
        label = f"{self.label}{join}{column}"
        return Figure(f"{self.name}:{column}", label, self.unit, self.better)


DISCLOSED = (  # of each confidential column, by the classes of a release
    Figure("t_distance_max", "t-distance", "number", "low"),
    Figure("t_distance_mean", "t-distance, mean", "number", "low"),
    Figure("homogeneous_records", "in uniform cells", "share", "low"),
    Figure("largest_share_max", "most frequent value", "share", "low"),
    Figure("largest_share_mean", "most frequent, mean", "share", "low"),
    Figure("p_sensitivity", "values in a cell", "count", "high"),
    Figure("narrowest_range", "narrowest range", "share", "high"),
    Figure("mean_range", "range, mean", "share", "high"),
    Figure("table_share", "in the table", "share", ""),
    Figure("uniform_but_missing", "uniform, known values", "share", ""),
    Figure("known_values", "known values in a cell", "count", ""),
    Figure("values_respelt", "values spelt otherwise", "count", ""),
)
LEARNT = (  # by a model of a label
    Figure("accuracy", "accuracy", "share", "high"),
    Figure("balanced_accuracy", "balanced accuracy", "share", "high"),
    Figure("f1", "F1", "share", "high"),
    Figure("auc", "AUC", "number", "high"),
    Figure("r2", "R2", "number", "high"),
)
COMPARED = (  # of candidates alone
    Figure("interval_disclosure_risk", "interval disclosure", "share", "low"),
    Figure("variance_loss", "change of variances", "share", "low"),
    Figure("correlation_loss", "change of correl.", "number", "low"),
)
FOUND_K = Figure("k", "k found", "count", "high")
SECONDS = Figure("seconds", "seconds", "seconds", "low")
SAMPLED_LINKAGE = Figure("sampled_linkage_risk", "linkage, in shards", "share", "low")


class ShownScore(NamedTuple):
    """A figure and how to read it."""

    name: str
    value: float
    label: str
    unit: str

    def __str__(self) -> str:
        return shown(self.value, self.unit)


class Scores(dict):
    """Figures by name; `shown` has them with their labels and units.

    Parameters
    ----------
    shown : iterable of ShownScore
    notice : str
        Why figures are not among them.

    Examples
    --------
    >>> loss = ShownScore("relative_loss", 0.25, "information loss", "share")
    >>> scores = Scores([loss])
    >>> scores["relative_loss"], str(scores.shown[0])
    (0.25, '25.00 %')
    """

    def __init__(self, shown: Iterable[ShownScore] = (), notice: str = "") -> None:
        self.shown = tuple(shown)
        self.notice = notice
        super().__init__({score.name: score.value for score in self.shown})

    @classmethod
    def of(
        cls, values: Mapping[str, float], figures: Iterable[Figure], notice: str = ""
    ) -> Scores:
        """Those of some figures that have a value, in the order of the figures.

        Examples
        --------
        >>> Scores.of({"mean_range": 0.5, "p_sensitivity": 2}, DISCLOSED).lines()
        ['values in a cell    2', 'range, mean         50.00 %']
        """
        known = (f for f in figures if not math.isnan(values.get(f.name, math.nan)))
        shown = (
            ShownScore(f.name, float(values[f.name]), f.label, f.unit) for f in known
        )
        return cls(shown, notice)

    def __reduce__(self) -> Any:
        return Scores, (self.shown, self.notice)

    def rounded(self, n_records: int) -> Scores:
        """The figures as they may be given away; see `rounded_figures`.

        Examples
        --------
        >>> Scores([ShownScore("sse_loss", 0.0251234, "loss", "share")]).rounded(5_000)
        {'sse_loss': 0.0251}
        """
        values = rounded_figures(self, n_records)
        shown = (score._replace(value=values[score.name]) for score in self.shown)
        return Scores(shown, self.notice)

    def lines(self, names: Iterable[str] | None = None) -> list[str]:
        """One line for each figure, label and value, as a person reads them.

        Parameters
        ----------
        names : iterable of str, optional
            Which; by default all, and the notice.
        """
        chosen = self if names is None else set(names)
        lines = [labelled(s.label, s) for s in self.shown if s.name in chosen]
        said = self.notice if names is None else ""
        return [*lines, labelled("notice", said)] if said else lines
