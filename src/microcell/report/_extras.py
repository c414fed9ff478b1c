"""What a report needs beyond the library itself, asked for before any work is done."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from microcell.exceptions import InputError, MissingExtraError

NEEDED_BY = {
    "app": ("fastapi", "uvicorn", "jinja2", "matplotlib"),
    "plot": ("matplotlib",),
    "report": ("jinja2", "matplotlib"),
}
SUBJECT = {
    "app": "The app needs",
    "plot": "Pictures need",
    "report": "A report in HTML needs",
}
REPORT_SUFFIXES = (".html", ".json")


def require_extra(name: str) -> None:
    """Raise an error that names the extra if a package of it is missing.

    Parameters
    ----------
    name : {"app", "plot", "report"}
    """
    missing = [package for package in NEEDED_BY[name] if find_spec(package) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise MissingExtraError(
            f"{SUBJECT[name]} {' and '.join(missing)}, which {verb} not installed.",
            hint=f'Install with: pip install "microcell[{name}]".',
        )


def check_report(path: str | Path) -> None:
    """Refuse a report that could not be written; JSON needs nothing.

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
    if suffix == ".html":
        require_extra("report")
