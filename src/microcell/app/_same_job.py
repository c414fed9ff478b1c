"""The same job elsewhere: a release as a command line and as a Python program.

Both read the table and the recipe by their names, so they run in the folder where the
two files are.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping


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


def command_of(
    table: str, files: Mapping[str, str], purpose: str = "", author: str = ""
) -> str:
    """The command line that makes a release again from its table and its recipe.

    Parameters
    ----------
    table : str
        Name of the table's file.
    files : mapping
        What `files_of` gave.
    purpose, author : str
        What the report says; nothing if empty.

    Examples
    --------
    >>> print(command_of("my table.csv", files_of("table", "csv"), author="Ann"))
    microcell anonymize 'my table.csv' --recipe table-recipe.toml
    -o table-release.csv --report table-report.html
    --certificate table-certificate.json --author Ann
    """
    words = [
        *("microcell", "anonymize", _no_option(table)),
        *("--recipe", _no_option(files["recipe"])),
        *("-o", _no_option(files["release"])),
        *("--report", _no_option(files["report"])),
        *("--certificate", _no_option(files["certificate"])),
        *(("--purpose", purpose) if purpose else ()),
        *(("--author", author) if author else ()),
    ]
    return shlex.join(words)


def program_of(
    table: str, files: Mapping[str, str], purpose: str = "", author: str = ""
) -> str:
    """The Python program that does the same; see `command_of`.

    Examples
    --------
    >>> print(program_of("table.csv", files_of("table", "csv")))
    from microcell import anonymize_file
    <BLANKLINE>
    anonymize_file(
        'table.csv',
        'table-recipe.toml',
        'table-release.csv',
        report='table-report.html',
        certificate='table-certificate.json',
    )
    <BLANKLINE>
    """
    named = {
        "report": files["report"],
        "certificate": files["certificate"],
        **({"purpose": purpose} if purpose else {}),
        **({"author": author} if author else {}),
    }
    lines = [repr(text) for text in (table, files["recipe"], files["release"])]
    lines += [f"{name}={text!r}" for name, text in named.items()]
    arguments = "".join(f"    {line},\n" for line in lines)
    return f"from microcell import anonymize_file\n\nanonymize_file(\n{arguments})\n"


def _no_option(name: str) -> str:
    """A file's name that does not begin like an option."""
    return f"./{name}" if name.startswith("-") else name
