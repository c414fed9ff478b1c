"""A release in a notebook: a short table, with nothing but the standard library."""

from __future__ import annotations

from html import escape
from typing import Any

from microcell._printable import printable
from microcell.release import summary_rows

BOX = (
    "border:1px solid rgba(128,128,128,.4);border-radius:6px;padding:.6em 1em;"
    "display:inline-block;max-width:60em"
)
TOP_LEFT = "text-align:left;vertical-align:top;"
LABEL = f"{TOP_LEFT}font-weight:normal;opacity:.7;white-space:nowrap;padding-right:1em"
CELL = f"{TOP_LEFT}white-space:normal;overflow-wrap:anywhere"


def short_html(release: Any) -> str:
    """What `release.summary()` says first, as a table for a notebook.

    Parameters
    ----------
    release : Release

    Returns
    -------
    text : str
        HTML; whatever comes from the table is escaped.
    """
    recipe = release.recipe
    rows = [
        ("method", f"{recipe.method_name}, k = {recipe.k}"),
        ("cells refined", release.refined_words),
        *summary_rows(release),
    ]
    body = "".join(
        f'<tr><th scope="row" style="{LABEL}">{escape(printable(str(label)))}</th>'
        f'<td style="{CELL}">{escape(printable(str(text)))}</td></tr>'
        for label, text in rows
        if text
    )
    return (
        f'<div style="{BOX}"><strong>Release</strong>'
        f'<table style="border-collapse:collapse;margin:.4em 0 0">{body}</table></div>'
    )
