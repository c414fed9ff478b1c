"""What the app has done: plain data in, a call of the library, plain data out.

A task is ``task(request, emit) -> result`` and runs in a process of its own. `emit`
tells what is known before the task is done. What is heavy is imported where it is used.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcell.recipe import READING_OPTIONS

if TYPE_CHECKING:
    from microcell.io import Source
    from microcell.selection import Compared

Emit = Callable[[dict[str, Any]], None]

SHOWN_ROWS = 20  # records of the preview
MAX_SHOWN_CHARACTERS = 200  # characters of a value in it
DEMO_FILE = "patients.csv"


def demo(request: Mapping[str, Any], emit: Emit) -> dict[str, Any]:
    """Write 442 real patients into a folder, to try things on."""
    from microcell.datasets import load_diabetes_patients
    from microcell.io import save_table

    path = Path(request["folder"]) / DEMO_FILE
    save_table(load_diabetes_patients().frame, path, overwrite=True)
    return {"path": str(path), "name": path.name}


def look(request: Mapping[str, Any], emit: Emit) -> dict[str, Any]:
    """Read a table, show its beginning, and propose what to do with it.

    The preview is emitted before the table is inspected. A table in which nothing is
    to be masked is no failure: it has a problem, and what was found of it.
    """
    from microcell.app._errors import error_of
    from microcell.columns import open_frame
    from microcell.exceptions import InputError
    from microcell.inspection import inspect_source
    from microcell.pipeline import refused_as_they_are

    source = _read(request["path"], request["reading"], emit)
    shown = preview(source)
    emit({"look": shown | {"inspection": None}})
    found = inspect_source(source, k=request["k"], shapes=True)
    entries, problem = None, None
    try:
        entries = _entries(found.recipe)
    except InputError as error:
        problem = error_of(error)
    told = found.to_dict() | {"unit_reason": found.unit_reason}
    refused = refused_as_they_are(open_frame(source.frame), request["k"])
    for column in told["columns"]:
        name = column["name"]
        notes = source.notes.get(name)  # what statistics programs call it
        column["label"] = notes.label if notes is not None else ""
        column["refused"] = error_of(refused[name]) if name in refused else None
    return {
        "look": shown | {"inspection": told},
        "entries": entries,
        "problem": problem,
    }


def _read(path: str, reading: Mapping[str, Any], emit: Emit) -> Source:
    """Read a table; of a workbook with several sheets at least say which."""
    from microcell._progress import report
    from microcell.exceptions import InputError
    from microcell.io import read_source, sheets_of
    from microcell.release import source_format

    report(0, None, "reading")
    said: dict[str, Any] = {name: reading.get(name) for name in READING_OPTIONS}
    format = source_format(path, said.pop("format"))
    try:
        return read_source(path, format=format, **said)
    except InputError as error:
        if error.option == "sheet":
            sheets = sheets_of(path, format=format)
            emit({"look": _nothing_read() | {"sheets": sheets}})
        raise


def preview(source: Source) -> dict[str, Any]:
    """The beginning of a table as text, and how its file was read."""
    from microcell.release import found_options

    found = found_options(source)
    rows = source.frame.head(SHOWN_ROWS).rows()
    return _nothing_read() | {
        "found": {name: found.get(name) for name in READING_OPTIONS},
        "n_records": source.frame.height,
        "columns": list(source.frame.columns),
        "rows": [[_text(value) for value in row] for row in rows],
        "sheets": list(source.sheets),
        "notices": list(source.notices),
    }


def _nothing_read() -> dict[str, Any]:
    return {
        "found": dict.fromkeys(READING_OPTIONS),
        "n_records": None,
        "columns": [],
        "rows": [],
        "sheets": [],
        "notices": [],
        "inspection": None,
    }


def _text(value: Any) -> str:
    text = "" if value is None else str(value)
    return (
        text
        if len(text) <= MAX_SHOWN_CHARACTERS
        else text[: MAX_SHOWN_CHARACTERS - 1] + "…"
    )


def _entries(recipe: Any) -> dict[str, Any]:
    """The options of a recipe by name, as a draft holds them."""
    from microcell.recipe import LAYOUT, flatten

    return flatten(recipe.to_dict(), LAYOUT)


def recipe(request: Mapping[str, Any], emit: Emit) -> dict[str, Any]:
    """Options of a recipe that was sent as the bytes of its file."""
    from microcell.recipe import LAYOUT, flatten, parse_toml

    contents = request["contents"].encode("latin-1")
    return {"entries": flatten(parse_toml(contents, "This"), LAYOUT)}


def compare(request: Mapping[str, Any], emit: Emit) -> dict[str, Any]:
    """Try methods and values of k on a table; each is emitted as soon as it is done."""
    from microcell.selection import compare_file

    options, told = _grid(request), set()

    def watch(so_far: Compared) -> None:
        shown = _compared(so_far)
        for candidate in shown.pop("candidates"):
            if candidate["label"] not in told:
                told.add(candidate["label"])
                emit({"candidate": candidate, **shown})

    compared = compare_file(
        request["path"],
        options.pop("schema"),
        request["folder"],
        label=request.get("label"),
        watch=watch,
        **options,
    )
    return _compared(compared)


def _grid(request: Mapping[str, Any]) -> dict[str, Any]:
    """What is compared, and what of the draft all candidates share.

    Parameters of the draft's method stay its own, and a target goes where it is used.
    """
    from microcell.app._catalogue import needs_target
    from microcell.methods import COMPARED
    from microcell.recipe import SCHEMA_OPTIONS, Schema

    entries = dict(request["entries"])
    roles = {name: entries.pop(name) for name in SCHEMA_OPTIONS if name in entries}
    method, parameters = entries.pop("method", None), entries.pop("parameters", {})
    entries.pop("k", None)
    methods = request.get("methods")
    tried = list(COMPARED) if methods is None else methods
    if not any(needs_target(name) for name in tried):
        entries.pop("target", None)
    own = {name: [value] for name, value in parameters.items()}
    return {
        "schema": Schema(**({"quasi_identifiers": ()} | roles)),
        "methods": methods,
        "k": request["k"],
        "grid": {method: own} if own and method in tried else None,
        **entries,
    }


def _compared(compared: Compared) -> dict[str, Any]:
    """A comparison, or what is known of one, as the page shows it."""
    x, y = compared.axes if compared.figures else (None, None)
    on_it = compared.frontier() if compared.figures else []
    return _plain(
        {
            "figures": [vars(figure) for figure in compared.figures],
            "x": x,
            "y": y,
            "frontier": [candidate.label for candidate in on_it],
            "candidates": [c.to_dict() for c in compared.candidates],
            "original": dict(compared.original),
            "left_out": dict(compared.left_out),
            "notes": list(compared.notes),
        }
    )


def release(request: Mapping[str, Any], emit: Emit) -> dict[str, Any]:
    """Make a release with its report, certificate and recipe.

    The arguments are those of ``microcell anonymize TABLE --recipe RECIPE``, so that
    the recipe gives the same file there.
    """
    from microcell.app._same_job import command_of, files_of, program_of
    from microcell.recipe import Recipe
    from microcell.release import anonymize_file, note_path, to_heed

    begun = time.perf_counter()
    folder, stem = Path(request["folder"]), request["stem"]
    names = files_of(stem, request["format"])
    paths = {what: folder / name for what, name in names.items()}
    words: dict[str, Any] = {
        name: request.get(name) or None for name in ("purpose", "author")
    }
    done, certificate = anonymize_file(
        request["path"],
        Recipe.of(request["entries"]),
        paths["release"],
        certificate=paths["certificate"],
        write_recipe=paths["recipe"],
        report=paths["report"],
        **words,
    )
    key = note_path(None, False, paths["certificate"], None)
    if key is not None and key.exists():  # none of a differentially private release
        paths["source_key"] = key
    name = Path(request["path"]).name
    said = {what: text or "" for what, text in words.items()}
    return _plain(
        {
            "name": name,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "method": done.recipe.method_name,
            "k": done.recipe.k,
            "n_records": certificate["file"]["records"],
            "entries": _entries(done.recipe),
            "heed": to_heed(done.summary(spell=None)),
            "summary": done.summary(verbose=True, spell=None).splitlines(),
            "findings": certificate["findings"],
            "loss": certificate["scores"].get("relative_loss"),
            "files": {what: _described(path) for what, path in paths.items()},
            "command": command_of(name, names, **said),
            "python": program_of(name, names, **said),
            "seconds": time.perf_counter() - begun,
        }
    )


def _described(path: Path) -> dict[str, Any]:
    from microcell.io import sha256

    return {"name": path.name, "size": path.stat().st_size, "sha256": sha256(path)}


def _plain(document: Any) -> dict[str, Any]:
    """Plain data as JSON holds it; what is no number is null."""
    from microcell.selection import to_json

    plain: dict[str, Any] = json.loads(to_json(document))
    return plain


TASKS: dict[str, Callable[[Mapping[str, Any], Emit], dict[str, Any]]] = {
    task.__name__: task for task in (demo, look, recipe, compare, release)
}
