"""Plot: `release.plot()` and its parts, pictures of a release's facts."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from microcell.exceptions import InputError, ParameterError
from microcell.report import _pictures as pictures


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
        drawn = [
            (title, part)
            for title, part, piece in (
                ("how many look alike", self.classes, self._risk("class_sizes")),
                ("what an intruder knows", self.knowledge, self._risk("knowledge")),
                ("what was lost", self.costs, self._utility("costs")),
                ("columns together", self.associations, self._utility("associations")),
                ("cells", self.cells, self._utility("cells")),
                ("confidential columns", self.attributes, self._risk("attributes")),
            )
            if piece
        ]
        from matplotlib import pyplot

        n_columns = min(3, len(drawn))
        n_rows = -(-len(drawn) // n_columns)
        figure, axes = pyplot.subplots(
            n_rows,
            n_columns,
            figsize=(4.6 * n_columns, 3.4 * n_rows),
            layout="constrained",
            squeeze=False,
        )
        figure.suptitle(pictures.plain(self._facts["title"], 80), fontsize=11)
        panels = list(axes.flat)
        for ax, (title, part) in zip(panels, drawn, strict=False):
            part(ax=ax)
            ax.set_title(title, fontsize=9, loc="left", pad=20)  # above a legend
        for ax in panels[len(drawn) :]:
            ax.remove()
        return panels[: len(drawn)]

    def classes(self, ax: Any = None) -> Any:
        """Draw records by how many people look alike."""
        return self._drawn(
            pictures.draw_classes, self._risk("class_sizes"), "classes", ax
        )

    def knowledge(self, ax: Any = None) -> Any:
        """Draw how likely a record is found by who knows 1, 2, ... columns."""
        return self._drawn(
            pictures.draw_knowledge, self._risk("knowledge"), "knowledge", ax
        )

    def attributes(self, ax: Any = None) -> Any:
        """Draw what classes give away of confidential columns."""
        given = [a for a in self._risk("attributes") or () if a["largest_share"]]
        return self._drawn(pictures.draw_attributes, given, "attributes", ax)

    def interval(self, ax: Any = None) -> Any:
        """Draw how many records lie close to their original, by column."""
        return self._drawn(
            pictures.draw_interval, self._risk("interval"), "interval", ax
        )

    def carriers(self, ax: Any = None) -> Any:
        """Draw which columns carry the linkage risk."""
        return self._drawn(
            pictures.draw_carriers, self._risk("carriers"), "carriers", ax
        )

    def column(self, name: str, ax: Any = None) -> Any:
        """Draw one column before and after.

        Parameters
        ----------
        name : str
            A released column.
        """
        columns = self._utility("columns") or []
        named = {column["name"]: column for column in columns}
        if columns and name not in named:
            raise ParameterError(
                "name", f"must be one of {list(named)}. Got {name!r} instead."
            )
        column = named.get(name, {})
        drawable = column.get("histogram") or column.get("categories")
        return self._drawn(
            pictures.draw_column, column if drawable else None, f"column {name!r}", ax
        )

    def associations(self, ax: Any = None) -> Any:
        """Draw how strongly columns go together, before and after."""
        return self._drawn(
            pictures.draw_associations,
            self._utility("associations"),
            "associations",
            ax,
        )

    def cells(self, ax: Any = None) -> Any:
        """Draw the cells of the release where they differ most."""
        return self._drawn(pictures.draw_cells, self._utility("cells"), "cells", ax)

    def models(self, ax: Any = None) -> Any:
        """Draw what models learn from the release and from the original."""
        return self._drawn(pictures.draw_models, self._utility("models"), "models", ax)

    def costs(self, ax: Any = None) -> Any:
        """Draw which columns lost most."""
        return self._drawn(pictures.draw_costs, self._utility("costs"), "costs", ax)

    @cached_property
    def _facts(self) -> Any:
        from microcell.report._facts import facts_of

        return facts_of(self._release)

    def _risk(self, part: Any) -> Any:
        return (self._facts["risk"] or {}).get(part)

    def _utility(self, part: Any) -> Any:
        return (self._facts["utility"] or {}).get(part)

    def _drawn(self, draw: Any, piece: Any, part: Any, ax: Any) -> Any:
        if not piece:
            why = self._facts["withheld"] or "It does not apply to this release."
            raise InputError(f"There is no picture of {part}. {why}")
        if ax is None:
            from matplotlib import pyplot

            ax = pyplot.subplots(layout="constrained")[1]
        draw(ax, piece)
        return ax
