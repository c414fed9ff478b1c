"""The map of a comparison as the page shows it: that of `compare`, as plain data."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

DOTS_PER_INCH = 100  # of the screen: letters of nine points have 12.5 dots
WIDTHS = (260, 1600)  # dots, the least and the most
_drawing = threading.Lock()
"""Pictures are drawn one at a time."""


def drawn_map(
    comparison: Mapping[str, Any], x: str, y: str, width: int
) -> dict[str, Any]:
    """The map of two figures, with the candidates on the frontier.

    Parameters
    ----------
    comparison : mapping
        Candidates and figures, as the page has them.
    x, y : str
        Names of figures.
    width : int
        Of the place on the screen, in dots.

    Returns
    -------
    drawn : dict
        The picture is None where no candidate has both figures.
    """
    from microcell.report import map_as_data
    from microcell.selection import Compared, Figure

    candidates: list[Any] = [_candidate(each) for each in comparison["candidates"]]
    compared = Compared(candidates, [Figure(**each) for each in comparison["figures"]])
    frontier = [candidate.label for candidate in compared.frontier(x, y)]
    picture = None
    if frontier:
        dots = min(max(width, WIDTHS[0]), WIDTHS[1])
        with _drawing:
            picture = map_as_data(compared, x, y, dots / DOTS_PER_INCH)
    labels = [candidate.label for candidate in candidates]  # by their marks
    return {"x": x, "y": y, "labels": labels, "frontier": frontier, "picture": picture}


def _candidate(told: Mapping[str, Any]) -> SimpleNamespace:
    """A candidate as drawings know it."""
    return SimpleNamespace(
        label=told["label"],
        method=told["line"],
        enforced=told["enforced"],
        error=told["error"],
        recipe=SimpleNamespace(method_name=told["method"], k=told["k"]),
        figures={n: math.nan if v is None else v for n, v in told["figures"].items()},
    )
