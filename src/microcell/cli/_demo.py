"""microcell demo: the main job, end to end, on 442 real patients."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from microcell.cli._errors import as_flag
from microcell.cli._options import argument, switch, with_options

if TYPE_CHECKING:
    from microcell.datasets import Dataset
    from microcell.release import Release

PROMISED = 5
KINDS_OF_PATIENTS = {"sex": "nominal"}  # its codes 1 and 2 are no amounts
FILES = {
    "original": "patients.csv",
    "release": "release.csv",
    "certificate": "certificate.json",
    "recipe": "recipe.toml",
    "report": "report.html",
    "source key": "certificate.source-key.json",  # for the owner alone
}


@with_options(
    argument(
        "folder",
        "Where the files go; it is made if it is not there.",
        type=Path,
        default=Path("demo"),
    ),
    switch("overwrite", "Replace files that exist."),
    names=(),
)
def demo_command(folder: Path, overwrite: bool) -> None:
    """Release 442 real patients: before and after, a certificate, a report."""
    from microcell.cli._echo import echo_lines
    from microcell.cli._progress import shown_progress
    from microcell.datasets import load_diabetes_patients
    from microcell.io import save_table
    from microcell.recipe import Recipe
    from microcell.release import anonymize_file

    paths = {name: folder / file for name, file in FILES.items()}
    _check(folder, paths, overwrite)
    patients = load_diabetes_patients()
    recipe = Recipe(patients.schema.saying(kinds=KINDS_OF_PATIENTS), k=PROMISED)

    folder.mkdir(exist_ok=True)
    original = paths["original"]
    save_table(patients.frame, original, overwrite=overwrite)
    with shown_progress():
        release, document = anonymize_file(
            original,
            recipe,
            paths["release"],
            certificate=paths["certificate"],
            write_recipe=paths["recipe"],
            report=paths["report"],
            source_note=paths["source key"],
            purpose="To show what a release and its report look like",
            overwrite=overwrite,
        )
    _show_one_cell(patients, release)
    read_back = f"{document['file']['records']} records, k verified"
    said = {"read back": read_back, **paths}
    echo_lines(
        [
            release.summary(spell=as_flag),
            *(f"{label:<20}{what}" for label, what in said.items()),
        ]
    )
    typer.echo("\nwhat to try next")
    for command in _next(paths):
        typer.echo(shlex.join(command))


def _check(folder: Path, paths: dict[str, Path], overwrite: bool) -> None:
    """Refuse before the work what could not be written after it."""
    from microcell.io import check_target

    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file. Name a folder.")
    if not folder.exists():
        check_target(folder, overwrite)  # of its parent
        return
    for path in paths.values():
        check_target(path, overwrite)


def _show_one_cell(patients: Dataset, release: Release) -> None:
    """The records of one cell, as they came and as they are released."""
    import polars as pl

    masked = list(patients.schema.quasi_identifiers)
    labels = release.labels
    assert labels is not None  # it was made in memory
    first = labels == labels[0]
    with pl.Config(tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True):
        typer.echo(f"{patients.name}: {patients.frame.height} records")
        typer.echo(f"masked: {', '.join(masked)}\n")
        for words, table in (
            ("before: the records of one cell, as they came", patients.frame),
            ("after: the same records, as they are released", release.table),
        ):
            typer.echo(words)
            typer.echo(str(table.select([*masked, "progression"]).filter(first)))


def _next(paths: dict[str, Path]) -> list[list[str]]:
    """Commands that go on from here."""
    original, release, recipe = (
        str(paths[name]) for name in ("original", "release", "recipe")
    )
    comparison = str(paths["release"].with_name("comparison"))
    tried = ["-k", "3,5,10", "--methods", "mdav,mondrian", "--out", comparison]
    return [
        ["microcell", "check", release, "--recipe", recipe],
        ["microcell", "inspect", original],
        ["microcell", "compare", original, "--recipe", recipe, *tried],
    ]
