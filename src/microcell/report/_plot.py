"""Plot: `release.plot()` and its parts, pictures of a release's facts."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from microcell.exceptions import InputError, ParameterError
from microcell.report._pictures import PICTURES, draw_column, plain

OVERVIEW = {
    "classes": "how many look alike",
    "knowledge": "what an intruder knows",
    "costs": "what was lost",
    "associations": "columns together",
    "cells": "cells",
    "attributes": "confidential columns",
}


class Plot:
    """Pictures of a release; called, it draws an overview.

    Nothing here shows more than the report does: bins and categories with fewer than
    k people are merged or left out.

    Parameters
    ----------
    release : Release

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from microcell import anonymize
    >>> from microcell.datasets import load_diabetes_patients
    >>> patients = load_diabetes_patients()
    >>> release = anonymize(patients.frame, patients.schema, k=5)
    >>> axes = release.plot.classes(ax=Figure().subplots())
    >>> axes.get_xlabel()
    'records that look alike'
    """

    def __init__(self, release: Any) -> None:
        self._release = release

    def __repr__(self) -> str:
        parts = ", ".join(name for name in dir(type(self)) if not name.startswith("_"))
        return f"<Plot: call it for an overview, or one of {parts}>"

    def __call__(self) -> Any:
        """Draw an overview.

        Returns
        -------
        axes : list of matplotlib.axes.Axes
            Of one figure, ``axes[0].figure``.
        """
        from matplotlib import pyplot

        facts = self._facts
        drawn = [part for part in OVERVIEW if PICTURES[part].piece(facts)]
        n_columns = min(3, len(drawn))
        n_rows = -(-len(drawn) // n_columns)
        figure, axes = pyplot.subplots(
            n_rows,
            n_columns,
            figsize=(4.6 * n_columns, 3.4 * n_rows),
            layout="constrained",
            squeeze=False,
        )
        figure.suptitle(plain(facts["title"], 80), fontsize=11)
        panels = list(axes.flat)
        for ax, part in zip(panels, drawn, strict=False):
            self._drawn(part, ax)
            ax.set_title(
                OVERVIEW[part], fontsize=9, loc="left", pad=20
            )  # above a legend
        for ax in panels[len(drawn) :]:
            ax.remove()
        return panels[: len(drawn)]

    def classes(self, ax: Any = None) -> Any:
        """Draw records by how many people look alike."""
        return self._drawn("classes", ax)

    def knowledge(self, ax: Any = None) -> Any:
        """Draw how likely a record is found by who knows 1, 2, ... columns."""
        return self._drawn("knowledge", ax)

    def attributes(self, ax: Any = None) -> Any:
        """Draw what classes give away of confidential columns."""
        return self._drawn("attributes", ax)

    def interval(self, ax: Any = None) -> Any:
        """Draw how many records lie close to their original, by column."""
        return self._drawn("interval", ax)

    def carriers(self, ax: Any = None) -> Any:
        """Draw which columns carry the linkage risk."""
        return self._drawn("carriers", ax)

    def associations(self, ax: Any = None) -> Any:
        """Draw how strongly columns go together, before and after."""
        return self._drawn("associations", ax)

    def cells(self, ax: Any = None) -> Any:
        """Draw the cells of the release where they differ most."""
        return self._drawn("cells", ax)

    def models(self, ax: Any = None) -> Any:
        """Draw what models learn from the release and from the original."""
        return self._drawn("models", ax)

    def costs(self, ax: Any = None) -> Any:
        """Draw which columns lost most."""
        return self._drawn("costs", ax)

    def column(self, name: str, ax: Any = None) -> Any:
        """Draw one column before and after.

        Parameters
        ----------
        name : str
            A released column.
        """
        columns = self._facts["utility"]["columns"]
        named = {column["name"]: column for column in columns}
        if columns and name not in named:
            raise ParameterError(
                "name", f"must be one of {list(named)}. Got {name!r} instead."
            )
        column = named.get(name, {})
        drawable = column.get("histogram") or column.get("categories")
        return self._on(ax, draw_column, drawable and column, f"column {name!r}")

    @cached_property
    def _facts(self) -> Any:
        from microcell.report._facts import facts_of

        return facts_of(self._release)

    def _drawn(self, part: str, ax: Any) -> Any:
        picture = PICTURES[part]
        return self._on(ax, picture.draw, picture.piece(self._facts), part)

    def _on(self, ax: Any, draw: Any, piece: Any, what: str) -> Any:
        if not piece:
            why = self._facts["withheld"] or "It does not apply to this release."
            raise InputError(f"There is no picture of {what}. {why}")
        if ax is None:
            from matplotlib import pyplot

            ax = pyplot.subplots(layout="constrained")[1]
        draw(ax, piece)
        return ax
