"""Facts as the text of a file: a page for people, JSON for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from microcell.exceptions import InputError

REPORT_SUFFIXES = (".html", ".json")


def check_report(path: str | Path) -> None:
    """Refuse a report that could not be written.

    Examples
    --------
    >>> check_report("report.json")
    >>> check_report("report.pdf")
    Traceback (most recent call last):
    microcell.exceptions.InputError: A report is .html or .json. Got 'report.pdf'...
    """
    suffix = Path(path).suffix.lower()
    if suffix not in REPORT_SUFFIXES:
        raise InputError(
            f"A report is {' or '.join(REPORT_SUFFIXES)}. Got {Path(path).name!r} "
            "instead.",
            option="report",
            hint="Name an .html file, and print it from a browser for a PDF.",
        )


def report_text(facts: Any, path: Any) -> Any:
    """What a report holds; the suffix of its path says in which form.

    Parameters
    ----------
    facts : dict
        As `facts_of` gives them.
    path : path
        Ends in .html or .json.
    """
    if Path(path).suffix.lower() == ".json":
        return json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    from microcell.report._page import page_of

    return page_of(facts)
