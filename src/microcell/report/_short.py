"""A release in a notebook: a short table, with nothing but the standard library."""

from __future__ import annotations

from html import escape
from typing import Any

from microcell._printable import printable
from microcell.recipe import WITHHELD
from microcell.recognition import MIN_PEOPLE
from microcell.report._format import count

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
    by_role: dict[str, Any] = {}
    for column in release.columns:
        by_role.setdefault(column["role"], []).append(column["name"])
    records = count(release.n_records)
    if release.n_dropped:
        records += f" ({count(release.n_dropped)} left out)"
    people = release.people
    rows = [("to decide", said) for said in release.decide]
    rows += [
        ("records", records),
        ("method", f"{recipe.method_name}, k = {recipe.k}, counting {people}"),
        ("cells refined", release.refined_words),
        ("masked", ", ".join(by_role.get("quasi-identifier", ()))),
        ("confidential", ", ".join(by_role.get("confidential", ()))),
        ("as it is", ", ".join(by_role.get("other", ()))),
        ("not released", ", ".join(release.left_out)),
    ]
    rows += [("promise", _said(finding)) for finding in release.findings]
    rows += _scores(release)
    rows += [("notice", notice) for notice in release.notices]
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


def _said(finding: Any) -> str:
    mark = {True: "✓ ", False: "✗ ", None: ""}[finding.holds]
    return f"{mark}{finding}"


def _scores(release: Any) -> Any:
    if release.differentially_private:
        return [("loss and risk", WITHHELD)]
    if release.n_records < MIN_PEOPLE:
        return [("loss and risk", f"withheld: fewer than {MIN_PEOPLE} records")]
    return [(score.label, str(score)) for score in release.scores.shown]
