"""microcell anonymize: a table file in, a verified release out."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import Annotated, Any

import typer

from microcell.cli._echo import echo_lines
from microcell.cli._errors import as_flag
from microcell.cli._options import (
    FOLDER_HELP,
    AllowImport,
    AsJson,
    Overwrite,
    options_for,
    recipe_options,
    with_recipe_options,
)

beside = partial(typer.Option, rich_help_panel="Beside the release")
large = partial(typer.Option, rich_help_panel="Large tables")


@with_recipe_options(
    required=dict.fromkeys(
        ("quasi_identifiers", "k"), "Required, here or in the recipe."
    )
)
def anonymize_command(
    table: Annotated[str, typer.Argument(help=FOLDER_HELP)],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="Where the release goes; the suffix says the format.",
        ),
    ],
    recipe: Annotated[
        str | None,
        typer.Option(help="A recipe (TOML); options given here replace its entries."),
    ] = None,
    allow_import: AllowImport = False,
    write_recipe: Annotated[
        str | None, beside(help="Where to write the recipe of this release.")
    ] = None,
    certificate: Annotated[
        str | None, beside(help="Where to write the certificate (JSON).")
    ] = None,
    report: Annotated[
        str | None,
        typer.Option(help="Where to write the report to read and sign (HTML or JSON)."),
    ] = None,
    purpose: Annotated[
        str | None, beside(help="What the release is for, in the report.")
    ] = None,
    author: Annotated[
        str | None, beside(help="Who made the release, in the report.")
    ] = None,
    source_note: Annotated[
        str | None,
        beside(
            help="Where the key to the source's digest goes, for the owner alone; by "
            "default beside the certificate or the report.",
            metavar="FILE",
        ),
    ] = None,
    plain_source_hash: Annotated[
        bool,
        beside(
            "--plain-source-hash",
            help="Publish a plain SHA-256 of the source, by which guesses of "
            "confidential values can be tried.",
        ),
    ] = False,
    engine: Annotated[
        str,
        large(
            help="Where the table is: memory (cut into shards), disk (larger than "
            "memory) or spark; auto takes memory as a whole where it fits, else disk.",
            metavar="auto|memory|disk|spark",
        ),
    ] = "auto",
    memory: Annotated[
        str | None,
        large(
            help="Memory that may be used; by default most of what is free.",
            metavar="SIZE",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        large(
            help="Shards that are masked at the same time; by default one for each "
            "processor. It does not change the release."
        ),
    ] = None,
    master: Annotated[
        str | None,
        large(
            help="Where Spark runs: local[4], spark://host:7077, yarn, k8s://..., or "
            "sc://host.",
            metavar="ADDRESS",
        ),
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", help="Say everything: how cells came about, every figure."
        ),
    ] = False,
    **given: Any,
) -> None:
    """Make a k-anonymous release of a table and verify it on the written file."""
    from microcell.cli._progress import shown_progress
    from microcell.cli._signals import end_searches_first
    from microcell.recipe import Recipe
    from microcell.release import (
        anonymize_file,
        check_report_options,
        note_path,
        to_json,
    )

    files = (output, write_recipe, certificate, report)
    outputs = [path for path in files if path is not None]
    named = [*outputs, *([] if source_note is None else [source_note])]
    _check_outputs(named, table, recipe, engine, overwrite)
    check_report_options(report, purpose=purpose, author=author)
    end_searches_first()
    with shown_progress():
        entries = recipe_options(recipe, given, allow_import)
        entries = options_for(table, given, entries, look=engine != "spark")
        release, document = anonymize_file(
            table,
            Recipe.of(entries),
            output,
            certificate=certificate,
            write_recipe=write_recipe,
            report=report,
            purpose=purpose,
            author=author,
            source_note=source_note,
            plain_source_hash=plain_source_hash,
            overwrite=overwrite,
            engine=engine,
            memory=memory,
            jobs=jobs,
            master=master,
        )
    try:
        if as_json:
            typer.echo(to_json(document))
        else:
            lines = [
                release.summary(verbose, spell=as_flag),
                *read_back_lines(document),
            ]
            if verbose and "sha256" in _place(document):
                lines.append(f"sha256              {_place(document)['sha256']}")
            lines += [f"written             {path}" for path in outputs]
            if "hmac_sha256" in document.get("source", {}):
                key = note_path(source_note, False, certificate, report)
                lines.append(f"written for you     {key} (never give it away)")
            echo_lines(lines)
        sys.stdout.flush()
    except OSError:  # nobody reads it, or there is no room: the release is there
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _check_outputs(
    outputs: list[str], table: str, recipe: str | None, engine: str, overwrite: bool
) -> None:
    """Refuse bad outputs before any work is done; folders are looked at later."""
    from microcell.engines import is_folder
    from microcell.io import file_and_part
    from microcell.release import check_outputs

    read = [file_and_part(table)[0], recipe]
    if engine in ("disk", "spark") or is_folder(outputs[0]):
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
