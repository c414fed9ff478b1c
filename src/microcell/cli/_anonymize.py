"""microcell anonymize: a table file in, a verified release out."""

from __future__ import annotations

from functools import partial
from typing import Any

import typer

from microcell.cli._echo import echo_lines, reader_may_leave
from microcell.cli._errors import as_flag
from microcell.cli._options import (
    ALLOW_IMPORT,
    AS_JSON,
    FOLDER_HELP,
    OVERWRITE,
    argument,
    needed,
    options_for,
    parameter,
    recipe_options,
    switch,
    with_options,
)

BESIDE = "Beside the release"
beside = partial(parameter, panel=BESIDE)
large = partial(parameter, panel="Large tables")


@with_options(
    argument("table", FOLDER_HELP),
    needed(
        "output",
        "Where the release goes; the suffix says the format.",
        "--output",
        "-o",
    ),
    parameter("recipe", "A recipe (TOML); options given here replace its entries."),
    ALLOW_IMPORT,
    beside("write_recipe", "Where to write the recipe of this release."),
    beside("certificate", "Where to write the certificate (JSON)."),
    parameter("report", "Where to write the report to read and sign (HTML or JSON)."),
    beside("purpose", "What the release is for, in the report."),
    beside("author", "Who made the release, in the report."),
    beside(
        "source_note",
        "Where the key to the source's digest goes, for the owner alone; by default "
        "beside the certificate or the report.",
        metavar="FILE",
    ),
    switch(
        "plain_source_hash",
        "Publish a plain SHA-256 of the source, by which guesses of confidential "
        "values can be tried.",
        panel=BESIDE,
    ),
    large(
        "engine",
        "Where the table is: memory (cut into shards), disk (larger than memory) or "
        "spark; auto takes memory as a whole where it fits, else disk.",
        type=str,
        default="auto",
        metavar="auto|memory|disk|spark",
    ),
    large(
        "memory",
        "Memory that may be used; by default most of what is free.",
        metavar="SIZE",
    ),
    large(
        "jobs",
        "Shards that are masked at the same time; by default one for each processor. "
        "It does not change the release.",
        type=int | None,
    ),
    large(
        "master",
        "Where Spark runs: local[4], spark://host:7077, yarn, k8s://..., or sc://host.",
        metavar="ADDRESS",
    ),
    OVERWRITE,
    AS_JSON,
    switch("verbose", "Say everything: how cells came about, every figure."),
    required=dict.fromkeys(
        ("quasi_identifiers", "k"), "Required, here or in the recipe."
    ),
)
def anonymize_command(
    table: str,
    output: str,
    recipe: str | None,
    allow_import: bool,
    as_json: bool,
    verbose: bool,
    given: dict[str, Any],
    **said: Any,
) -> None:
    """Make a k-anonymous release of a table and verify it on the written file."""
    from microcell.cli._progress import shown_progress
    from microcell.cli._signals import end_searches_first
    from microcell.engines import reads_here
    from microcell.recipe import Recipe
    from microcell.release import (
        anonymize_file,
        check_report_options,
        note_path,
        to_json,
    )

    files = (output, *(said[n] for n in ("write_recipe", "certificate", "report")))
    outputs = [path for path in files if path is not None]
    note, engine = said["source_note"], said["engine"]
    named = [*outputs, *([] if note is None else [note])]
    _check_outputs(named, table, recipe, engine, said["overwrite"])
    words = {name: said[name] for name in ("purpose", "author")}
    check_report_options(said["report"], **words)
    end_searches_first()
    with shown_progress():
        entries = recipe_options(recipe, given, allow_import)
        entries = options_for(table, given, entries, look=reads_here(engine))
        release, document = anonymize_file(table, Recipe.of(entries), output, **said)
    with reader_may_leave():
        if as_json:
            typer.echo(to_json(document))
            return
        place = _place(document)
        lines = [release.summary(verbose, spell=as_flag), *read_back_lines(document)]
        if verbose and "sha256" in place:
            lines.append(f"sha256              {place['sha256']}")
        lines += [f"written             {path}" for path in outputs]
        if "hmac_sha256" in document.get("source", {}):
            key = note_path(note, False, said["certificate"], said["report"])
            lines.append(f"written for you     {key} (never give it away)")
        echo_lines(lines)


def _check_outputs(
    outputs: list[str], table: str, recipe: str | None, engine: str, overwrite: bool
) -> None:
    """Refuse bad outputs before any work is done; folders are looked at later."""
    from microcell.engines import in_parts, is_folder
    from microcell.io import file_and_part
    from microcell.release import check_outputs

    read = [file_and_part(table)[0], recipe]
    if in_parts(engine) or is_folder(outputs[0]):
        check_outputs(outputs[1:], [recipe], overwrite, table=False)
    else:
        check_outputs(outputs, read, overwrite)


def read_back_lines(document: dict[str, Any]) -> list[str]:
    """What was found in the written file, as a person reads it."""
    where = "files"
    if "file" in document or "table" in document:
        where = "file" if "file" in document else "database"
    on_file = [f for f in document["findings"] if f["counted_on"] in (where, "files")]
    records = _place(document)["records"]
    number = len(document.get("files", ()))
    of = f"{number} " if number else "the "
    lines = [f"read back           {records} records from {of}{where}"]
    for finding in on_file:
        word = "counted" if finding["promised"] is None else "verified"
        label = f"{word} in {where}"
        lines.append(f"{label:<19} {finding['promise']}: found {finding['found']:.6g}")
    for counted in _place(document).get("counted_by_database", ()):
        lines.append(
            f"{'database counts':<20}{counted['records']} records, "
            f"{counted['classes']} classes, the smallest of {counted['smallest']}"
        )
    return lines


def _place(document: dict[str, Any]) -> dict[str, Any]:
    """What a certificate says of the file or the table that holds the release."""
    if "files" in document:
        return {"records": sum(file["records"] for file in document["files"])}
    found: dict[str, Any] = document.get("file") or document.get("table") or document
    return found
