"""microcell compare: methods, parameters and values of k on one table."""

from __future__ import annotations

import time
from math import nan
from typing import TYPE_CHECKING, Any

import typer

from microcell.cli._echo import TextConsole, echo_table, reader_may_leave
from microcell.cli._options import (
    ALLOW_IMPORT,
    AS_JSON,
    FLAGGED,
    OVERWRITE,
    TABLE_HELP,
    argument,
    flag,
    needed,
    options_for,
    parameter,
    parse_count,
    read_value,
    recipe_options,
    several,
    with_options,
)
from microcell.cli._signals import take_workers_along
from microcell.recipe import SCHEMA_OPTIONS

if TYPE_CHECKING:
    from microcell.selection import Compared

SHARED = tuple(name for name in FLAGGED if name not in ("k", "method"))
KS = "3,5,10,25,50"
NAME = "candidate"  # title of the names of candidates

METHODS = several(
    "methods",
    "Methods to compare (comma list or repeated); by default all that apply, but "
    "`best`, which takes long.",
    *("--methods", "--method", "-m"),
    metavar="NAMES",
)
GRID = several(
    "grid",
    "Values of a parameter to try, vmdav.gamma=0.1,0.5, or gamma=0.1,0.5 for every "
    "method that has it (repeat the option).",
    metavar="[METHOD.]NAME=VALUES",
)
LABEL = parameter(
    "label",
    "A released column: how well models learn it from the release, tested on records "
    "held out.",
    metavar="NAME",
)
JOBS = parameter(
    "jobs", "Number of processes; -1 takes all cores.", type=int, default=-1
)


def ks_to_try(help: str) -> Any:
    """The option for values of k."""
    return several("k", help, "-k", metavar="NUMBERS", show_default=False)


@with_options(
    argument("table", TABLE_HELP),
    needed("out", "Folder for the comparison; the same command goes on in it."),
    METHODS,
    ks_to_try(f"Values of k (comma list or repeated); by default {KS}."),
    GRID,
    LABEL,
    parameter("x", "Figure across the map; linkage."),
    parameter("y", "Figure upwards on the map; loss."),
    JOBS,
    parameter(
        "recipe",
        "A recipe (TOML); options given here replace its entries. Without -k its k "
        "joins those compared, without --methods its method.",
    ),
    ALLOW_IMPORT,
    OVERWRITE,
    AS_JSON,
    names=SHARED,
)
def compare_command(
    table: str,
    out: str,
    x: str | None,
    y: str | None,
    label: str | None,
    jobs: int,
    overwrite: bool,
    as_json: bool,
    **asked: Any,
) -> None:
    """Compare what releases of a table would give; nothing is released.

    Tables (CSV, JSON) of all figures and a map of risk and loss go to the folder, with
    the candidates that no other beats in both marked.
    """
    from microcell.cli._progress import shown_progress
    from microcell.selection import compare_file, to_json

    take_workers_along()
    start = time.perf_counter()
    with shown_progress():
        wanted = grid_options(table, **asked)
        compared = compare_file(
            table,
            wanted.pop("schema"),
            out,
            label=label,
            x=x,
            y=y,
            n_jobs=jobs,
            overwrite=overwrite,
            **wanted,
        )
    seconds = time.perf_counter() - start
    with reader_may_leave():
        if as_json:
            typer.echo(to_json(compared.to_dict(x, y)))
        else:
            show(compared, x, y)
            typer.echo(f"{how_long(compared, seconds)}; written to {out}")


def how_long(compared: Compared, seconds: float) -> str:
    """How many candidates there are, and how long they took."""
    known = f", {compared.n_kept} known from before" if compared.n_kept else ""
    return f"{len(compared.candidates)} candidates in {seconds:.1f} s{known}"


def grid_options(
    table: str,
    recipe: str | None,
    methods: list[str] | None,
    k: list[str] | None,
    grid: list[str] | None,
    given: dict[str, Any],
    allow_import: bool,
) -> dict[str, Any]:
    """What is compared, as arguments of `compare`: `schema`, `methods`, `k`, `grid`
    and the options that all candidates share."""
    from microcell.methods import COMPARED
    from microcell.recipe import Schema

    typed = {**given, "method": methods}
    entries = recipe_options(recipe, typed, allow_import)
    entries = options_for(table, given, entries)
    ks: list[Any] = [parse_count(text) for text in words(k or [KS])]
    own_k, own_method = entries.pop("k", None), entries.pop("method", None)
    if k is None and own_k is not None:
        ks = sorted({*ks, own_k}, key=int)
    named: list[str] | None = words(methods) if methods else None
    if named is None and own_method not in (None, *COMPARED):
        named = [*COMPARED, own_method]
    roles = {n: entries.pop(n) for n in SCHEMA_OPTIONS if n in entries}
    return {
        "schema": Schema(**({"quasi_identifiers": ()} | roles)),
        "methods": named,
        "k": ks,
        "grid": parse_grid(grid or []),
        **entries,
    }


def words(values: list[str]) -> list[str]:
    """Words of repeated options and comma lists.

    Examples
    --------
    >>> words(["mdav,vmdav", "kde"])
    ['mdav', 'vmdav', 'kde']
    """
    parts = [part.strip() for value in values for part in value.split(",")]
    return [part for part in parts if part]


def parse_grid(values: list[str]) -> dict[str, Any]:
    """Values to try of parameters, from [METHOD.]NAME=VALUES.

    Examples
    --------
    >>> parse_grid(["vmdav.gamma=0.1,0.5", "mode=strict,relaxed"])
    {'vmdav': {'gamma': [0.1, 0.5]}, 'mode': ['strict', 'relaxed']}
    """
    grid: dict[str, Any] = {}
    for value in values:
        key, mark, text = value.partition("=")
        method, dot, name = key.rpartition(".")
        if not mark or not name or not text or (dot and not method):
            raise ValueError(
                f"{flag('grid')} takes [METHOD.]NAME=VALUES. Got {value!r} instead."
            )
        entries = grid.setdefault(method, {}) if method else grid
        if isinstance(entries.get(name), dict):
            raise ValueError(f"{flag('grid')} names {name!r} both ways.")
        entries[name] = [*entries.get(name, ()), *map(read_value, words([text]))]
    return grid


def show(compared: Compared, x: str | None, y: str | None) -> None:
    """The candidates as a table, from good to bad in x; the frontier is marked."""
    x, y = x or compared.axes[0], y or compared.axes[1]
    figures = compared.most_asked(x, y)
    best = {id(candidate) for candidate in compared.frontier(x, y)}
    rows = [
        ["*" if id(c) in best else "", c.label]
        + [f.shown(c.figures.get(f.name, nan)) for f in figures]
        for c in compared.ranked(x, y)
    ]
    echo_table(["", NAME, *(figure.label for figure in figures)], rows, NAME)
    labels = f"{compared.figure(x).label} and {compared.figure(y).label}"
    said = [f"* no other is better in both {labels}"]
    said += [
        f"no release: {', '.join(w)}: {why}" for why, w in compared.reasons.items()
    ]
    said += [f"note: {c.label}: {n}" for c in compared.candidates for n in c.notes]
    said += [f"note: {note}" for note in compared.notes]
    console = TextConsole(soft_wrap=True)
    for line in filter(None, [*said, compared.learnt_from_original]):
        console.print(line)
