"""Compared: candidates side by side, the frontier among them, and their files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from microcell.selection._candidate import Candidate
from microcell.selection._figures import Figure, find_figure

if TYPE_CHECKING:
    import polars as pl

MOST_ASKED = (  # figures of short tables, where there are such
    "k",
    "relative_loss",
    "distance_linkage_risk",
    "prosecutor_max_risk",
    "visits_max_risk",
    "homogeneous_records",
    "t_distance_max",
)
LEARNT_FIRST = ("accuracy:", "r2:")  # of what a model learns, in short tables
DEFAULT_X = ("distance_linkage_risk", "prosecutor_max_risk")  # the first that is there
DEFAULT_Y = ("relative_loss",)


@dataclass(frozen=True, eq=False)
class Compared:
    """The result of `compare`.

    Attributes
    ----------
    candidates : sequence of Candidate
        What was tried, by method, parameters and k; those that failed have an error.
    figures : list of Figure
        What they can be compared by: every figure that one of them has.
    left_out : dict of str to str
        Methods, or candidates, that could not be tried, and why.
    n_records : int
        Records of the table.
    label : str or None
        The column that models learnt.
    original : dict of str to float
        What a model learns of the label from the records as they are.
    notes : sequence of str
        What the reader should know of the figures.
    recipe : dict
        What all candidates share, as in a recipe file.
    versions : dict
        Versions of the software.
    n_kept : int
        Candidates that were known from before; see `cache` of `compare`.
    """

    candidates: Sequence[Candidate]
    figures: Sequence[Figure]
    left_out: Mapping[str, str] = field(default_factory=dict)
    n_records: int = 0
    label: str | None = None
    original: Mapping[str, float] = field(default_factory=dict)
    notes: Sequence[str] = ()
    recipe: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    n_kept: int = 0

    def __repr__(self) -> str:
        failed = sum(c.error is not None for c in self.candidates)
        return (
            f"<Compared: {len(self.candidates)} candidates, {failed} failed, "
            f"{len(self.figures)} figures>"
        )

    def figure(self, name: str, option: str = "") -> Figure:
        """The figure of a name; see `find_figure`."""
        return find_figure(name, self.figures, option)

    def values(self, name: str) -> np.ndarray:
        """A figure of each candidate; NaN where it has none."""
        key = self.figure(name).name
        return np.array([c.figures.get(key, np.nan) for c in self.candidates])

    @property
    def axes(self) -> tuple[str, str]:
        """The figures that a map has by default: risk across, loss upwards."""
        there = [figure.name for figure in self.figures]
        x = next((name for name in DEFAULT_X if name in there), there[0])
        y = next((name for name in DEFAULT_Y if name in there), there[-1])
        return x, y

    def named(self, x: str | None, y: str | None) -> tuple[str, str]:
        """The figures of a map: those that are named, by default those of `axes`."""
        return x or self.axes[0], y or self.axes[1]

    def frontier(self, x: str | None = None, y: str | None = None) -> list[Candidate]:
        """Candidates that no other beats in both figures, from good to bad in x.

        Each figure has a good end. Of candidates with the same two figures all are
        there; those that lack one are not.

        Parameters
        ----------
        x, y : str, optional
            Names of figures; by default those of `axes`.
        """
        x, y = self.named(x, y)
        costs = [self._costs(x, "x"), self._costs(y, "y")]
        there = np.flatnonzero(efficient(*costs))
        order = there[np.lexsort((costs[1][there], costs[0][there]))]
        return [self.candidates[i] for i in order]

    def ranked(self, x: str | None = None, y: str | None = None) -> list[Candidate]:
        """Candidates that gave a release, from good to bad in x, then in y."""
        both = [self.figure(name) for name in self.named(x, y)]
        alive = [c for c in self.candidates if c.error is None]

        def key(candidate: Candidate) -> list[float]:
            found = candidate.figures
            return [f.cost(found[f.name]) if f.name in found else np.inf for f in both]

        return sorted(alive, key=key)

    def most_asked(self, x: str | None = None, y: str | None = None) -> list[Figure]:
        """Figures of a short table: what most ask for, what is learnt, and two more."""
        there = {figure.name: figure for figure in self.figures}
        learnt = [name for name in there if name.startswith(LEARNT_FIRST)]
        more = [self.figure(name).name for name in self.named(x, y)]
        names = dict.fromkeys([*MOST_ASKED, *learnt, *more])
        return [there[name] for name in names if name in there]

    @property
    def reasons(self) -> dict[str, list[str]]:
        """Why there is no release: of what failed, and of what was left out."""
        found: dict[str, list[str]] = {}
        failed = [(c.label, c.error) for c in self.candidates if c.error is not None]
        for what, why in [*failed, *self.left_out.items()]:
            found.setdefault(why, []).append(what)
        return found

    @property
    def learnt_from_original(self) -> str:
        """What a model learns from the records as they are, in words, or nothing."""
        there = [f for f in self.figures if f.name in self.original]
        said = [f"{f.label} {f.shown(self.original[f.name])}" for f in there]
        return f"learnt from the original: {', '.join(said)}" if said else ""

    def _costs(self, name: str, option: str) -> np.ndarray:
        figure = self.figure(name, option)
        return np.array([figure.cost(value) for value in self.values(name)])

    @property
    def table(self) -> pl.DataFrame:
        """One row for each candidate, a column for each figure."""
        import polars as pl

        rows = [
            {
                "candidate": c.label,
                "method": c.recipe.method_name,
                "parameters": json.dumps(dict(c.recipe.parameters), default=str),
                "k_asked": c.recipe.k,
                **{f.name: c.figures.get(f.name) for f in self.figures},
                "error": c.error,
            }
            for c in self.candidates
        ]
        types = {f.name: pl.Float64 for f in self.figures}
        return pl.DataFrame(
            rows,
            infer_schema_length=None,
            schema_overrides=types | {"error": pl.String},
        )

    def to_dict(self, x: str | None = None, y: str | None = None) -> dict[str, Any]:
        """The comparison as plain data, with the frontier of two figures."""
        x, y = self.named(x, y)
        on_it = self.frontier(x, y)
        return {
            "records": self.n_records,
            "label": self.label,
            "figures": [vars(figure) for figure in self.figures],
            "frontier": {
                "x": self.figure(x).name,
                "y": self.figure(y).name,
                "candidates": [candidate.label for candidate in on_it],
            },
            "candidates": [c.to_dict() for c in self.candidates],
            "original": dict(self.original),
            "left_out": dict(self.left_out),
            "notes": list(self.notes),
            "recipe": dict(self.recipe),
            "versions": dict(self.versions),
        }

    def plot(
        self, x: str | None = None, y: str | None = None, *, figure: Any = None
    ) -> Any:
        """Draw the map of two figures with the frontier.

        Parameters
        ----------
        x, y : str, optional
            Names of figures; by default those of `axes`.
        figure : matplotlib.figure.Figure, optional
            Where to draw, an empty one: ``pyplot.figure()`` for ``pyplot.show()``. By
            default a new one, which notebooks show and ``savefig`` writes.

        Returns
        -------
        figure : matplotlib.figure.Figure
        """
        from microcell.report import draw_map

        return draw_map(self, *self.named(x, y), figure=figure)

    def save(
        self,
        folder: str | Path,
        *,
        x: str | None = None,
        y: str | None = None,
        overwrite: bool = False,
        choice: Any = None,
    ) -> list[Path]:
        """Write the comparison into a folder, all of its files or none.

        Parameters
        ----------
        folder : path
            It is made if it is not there.
        x, y : str, optional
            Figures of the map.
        overwrite : bool, default=False
            Whether files that exist may be replaced.
        choice : Tuned, optional
            What was chosen, to mark it; see `Tuned.save`.

        Returns
        -------
        files : list of Path
        """
        from microcell.io import Outbox
        from microcell.report import pictures_of_comparison

        folder = Path(folder)
        made = {
            "comparison.csv": self.table.write_csv().encode(),
            "comparison.json": (to_json(self.to_dict(x, y)) + "\n").encode(),
            **({} if choice is None else choice.files(folder)),
            **pictures_of_comparison(self, *self.named(x, y), choice=choice),
        }
        folder.mkdir(exist_ok=True)
        with Outbox(overwrite=overwrite) as outbox:
            for name, contents in made.items():
                Path(outbox.stage(folder / name)).write_bytes(contents)
            outbox.publish()
            return outbox.published


def to_json(document: Any) -> str:
    """Plain data as text; what is no number is null."""
    return json.dumps(_finite(document), indent=2, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def efficient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Which points no other point beats, O(n log n); low is better in both.

    A point is beaten by one that is no worse in both and better in one. Equal points
    do not beat each other. A point without a number is on no frontier.

    Parameters
    ----------
    x, y : ndarray of shape (n_points,)

    Returns
    -------
    mask : ndarray of bool of shape (n_points,)

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 2.0, 3.0, np.nan])
    >>> y = np.array([5.0, 3.0, 3.0, 4.0, 0.0])
    >>> efficient(x, y)
    array([ True,  True,  True, False, False])
    """
    mask = np.zeros(x.shape[0], dtype=bool)
    rows = np.flatnonzero(~(np.isnan(x) | np.isnan(y)))
    if rows.size == 0:
        return mask
    rows = rows[np.lexsort((y[rows], x[rows]))]
    xs, ys = x[rows], y[rows]
    begins = np.r_[True, xs[1:] != xs[:-1]]  # of points with the same x
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    best = np.minimum.accumulate(ys)
    left = np.r_[np.inf, best[:-1]][first]  # lowest y of points with a lower x
    mask[rows] = (ys == ys[first]) & ((ys < left) | (first == 0))
    return mask
