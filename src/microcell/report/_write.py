"""Facts as the text of a file: a page for people, JSON for programs."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from microcell._printable import printable_value
from microcell.exceptions import InputError
from microcell.report import _numbers

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


def filled(template: str, **values: Any) -> str:
    """A page with its style inside, from a template of this folder.

    Parameters
    ----------
    template : str
        Name of its file.
    **values
        What it shows, beside the filters of `_numbers`.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    home = files("microcell.report")
    environment = Environment(
        loader=FunctionLoader(lambda name: home.joinpath(name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=printable_value,
    )
    environment.filters |= {name: getattr(_numbers, name) for name in _numbers.FILTERS}
    css = Markup(home.joinpath("page.css").read_text("utf-8"))
    return environment.get_template(template).render(css=css, **values)
