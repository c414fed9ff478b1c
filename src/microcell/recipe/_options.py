"""Each option of a release, said once.

An option is a field of `Schema` or `Recipe` that carries its section in the recipe
file, its help, its choices and how a command line gives it. Checks, the layout of the
recipe and the options of the command line follow from the fields.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from microcell._validation import check_choice

NAMES_HELP = "repeat the option or separate names by commas"
USUAL = frozenset(
    ("quasi_identifiers", "identifiers", "confidential", "others", "k", "unit")
)  # what almost every release says; a help shows them first, in no panel
PANELS = {  # of a help, by section of the recipe
    "roles": "Columns",
    "kinds": "Columns",
    "hierarchies": "Columns",
    "representatives": "Columns",
    "clip": "Columns",
    "digits": "Columns",
    "importance": "Columns",
    "dates": "Columns",
    "method": "Method",
    "promises": "Promises besides k",
    "records": "Records and people",
    "measures": "Method",
    "file": "How files are read and written",
}


@dataclass(frozen=True)
class OptionSpec:
    """What is said of an option.

    Attributes
    ----------
    section : str
        Table of the recipe file that holds it.
    help : str
        One sentence for whoever asks.
    choices : tuple of str
        The values it may take; any, if empty.
    form : str
        How a command line gives it: "text", "count", "names" (several), "pairs"
        (NAME=VALUE, several), or "others".
    flags : tuple of str
        Flags of the command line; by default made from the name.
    metavar : str
        What stands for the value in help texts.
    key : str
        Key in the recipe file; by default the name.
    """

    section: str
    help: str
    choices: tuple[str, ...] = ()
    form: str = "text"
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    key: str = ""


def option(default: Any = dataclasses.MISSING, **said: Any) -> Any:
    """A field of a dataclass that is an option; see `OptionSpec`."""
    metadata = {"option": OptionSpec(**said)}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


def options_of(*owners: Any) -> dict[str, OptionSpec]:
    """Options of dataclasses by name, in the order of their fields."""
    return {
        f.name: f.metadata["option"]
        for owner in owners
        for f in fields(owner)
        if "option" in f.metadata
    }


def check_choices(values: Any) -> None:
    """Check each option of a dataclass that has choices."""
    for name, spec in options_of(values).items():
        if spec.choices:
            check_choice(name, getattr(values, name), spec.choices)


def layout(options: Mapping[str, OptionSpec]) -> dict[str, dict[str, str]]:
    """Sections of a recipe file: for each its keys and the options they stand for."""
    sections: dict[str, dict[str, str]] = {}
    for name, spec in options.items():
        sections.setdefault(spec.section, {})[spec.key or name] = name
    return sections


def panel_of(name: str, spec: OptionSpec) -> str | None:
    """The panel of a help that shows an option; none for the usual ones."""
    return None if name in USUAL else PANELS[spec.section]


def help_line(spec: OptionSpec, default: Any, spell: Callable[[Any], str] = str) -> str:
    """Help of an option with its choices and default."""
    line = spec.help
    if spec.choices:
        line += f" One of {', '.join(spec.choices)}."
    if isinstance(default, (str, int, float)) and default != "":
        line += f" Default: {spell(default)}."
    return line
