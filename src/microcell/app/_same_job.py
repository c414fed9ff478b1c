"""The same job elsewhere: a release as a command line and as a Python program."""

from __future__ import annotations


def files_of(stem: str, format: str) -> dict[str, str]:
    """Names of the files that a release is made of.

    Examples
    --------
    >>> files_of("survey", "csv")["release"]
    'survey-release.csv'
    """
    return {
        "release": f"{stem}-release.{format}",
        "report": f"{stem}-report.html",
        "certificate": f"{stem}-certificate.json",
        "recipe": f"{stem}-recipe.toml",
    }
