"""From file to file: anonymize_file, check_file and measure_files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from microcell import _progress
from microcell.columns import type_columns
from microcell.exceptions import InputError, SchemaError
from microcell.io import (
    Source,
    check_table_output,
    check_target,
    file_and_part,
    file_of,
    format_of,
    is_address,
    writable,
)
from microcell.kernels.columns import load_kernels
from microcell.kernels.compiled import said_if_it_compiles
from microcell.kernels.threads import meanwhile
from microcell.metrics import Scores
from microcell.recipe import Recipe, Schema
from microcell.release._anonymize import apply_recipe
from microcell.release._measure import measure
from microcell.release._release import Release, check_report_options
from microcell.release._sidecars import ReportFile, Sidecars
from microcell.release._source import (
    PLAIN_GIVES_AWAY,
    SourceDigest,
    new_key,
    note_path,
    source_digest,
    source_name,
    table_digest,
)
from microcell.release._sources import (
    lost_labels,
    merged_gaps,
    noted_kinds,
    read_by_recipe,
    read_whole,
    without_counted_kinds,
)


class FileRelease(NamedTuple):
    """A release that was written, and its certificate with what is in the file."""

    release: Release
    certificate: dict[str, Any]


def anonymize_file(
    path: str | Path,
    recipe: Recipe | str | Path,
    output: str | Path,
    *,
    certificate: str | Path | None = None,
    write_recipe: str | Path | None = None,
    report: str | Path | None = None,
    purpose: str | None = None,
    author: str | None = None,
    source_note: str | Path | None = None,
    plain_source_hash: bool = False,
    overwrite: bool = False,
    engine: str = "auto",
    memory: str | int | None = None,
    jobs: int | None = None,
    master: str | None = None,
) -> FileRelease:
    """Read a table, make its release, write it, read it back and verify it again.

    Parameters
    ----------
    path : path
        The table: a file, or the address of a table or a query in a database, as in
        ``"sqlite:///file.db::patients"``; or a folder of Parquet or text files.
    recipe : Recipe or path
        A recipe or the TOML file of one.
    output : path
        Where the release goes: a file, whose suffix says how it is written, or the
        address of a new table in a database; or a folder, for files of Parquet.
    certificate, write_recipe : path, optional
        Where the certificate (JSON) and the recipe (TOML) go.
    report : path, optional
        Where the report goes, .html or .json; see `Release.report`.
    purpose, author : str, optional
        What the release is for and who made it, for the report.
    source_note : path, optional
        Where the key to the source's digest goes, for the owner alone; by default
        beside the certificate or the report. See `Release.save`.
    plain_source_hash : bool, default=False
        Whether to publish a plain SHA-256 of the source, by which guesses of
        confidential values can be tried.
    overwrite : bool, default=False
        Whether files and a table that exist may be replaced.
    engine : {"auto", "memory", "disk", "spark"}, default="auto"
        Where the table is: in memory, as a whole or, with "memory", cut into shards;
        on disk, shard by shard; or on Spark. With "auto", one that fits into memory is
        released as a whole, unless the recipe says shards, and others on disk.
    memory : str or int, optional
        Memory that may be used, as in "8GB"; by default most of what is free.
    jobs : int, optional
        Shards that are masked at the same time; by default one for each processor.
    master : str, optional
        Where Spark runs, as in "local[4]", "spark://host:7077", "yarn" or "sc://host".

    Returns
    -------
    release, certificate : Release, dict

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "ages.csv").write_text("age\\n30\\n32\\n60\\n62\\n")
    >>> recipe = Recipe(Schema(["age"]), k=2)
    >>> done = anonymize_file(folder / "ages.csv", recipe, folder / "release.csv")
    >>> (folder / "release.csv").read_text().split()
    ['age', '31.0', '31.0', '61.0', '61.0']
    """
    from microcell.engines import choose_engine

    given = recipe if isinstance(recipe, (str, Path)) else None
    file, _ = file_and_part(path)
    check_report_options(report, purpose=purpose, author=author)
    if not isinstance(recipe, Recipe):
        recipe = Recipe.from_toml(recipe)
    note = note_path(
        source_note,
        plain_source_hash,
        certificate,
        report,
        no_digest=no_source_digest(recipe, engine),
    )
    files = (output, write_recipe, certificate, report, note)
    outputs = [p for p in files if p is not None]
    chosen = choose_engine(
        path,
        recipe,
        output,
        engine=engine,
        memory=memory,
        jobs=jobs,
        master=master,
    )
    if chosen.in_parts:
        from microcell.engines import run_in_shards

        page = None
        if report is not None:
            page = ReportFile(report, purpose, author, source_name(path))
        return run_in_shards(
            path,
            recipe,
            output,
            chosen,
            memory=memory,
            jobs=jobs,
            master=master,
            sidecars=Sidecars(
                certificate, write_recipe, page, note, plain_source_hash, overwrite
            ),
            recipe_file=given,
        )
    check_outputs(outputs, [file, given], overwrite)
    _progress.report(0, None, "reading")
    with meanwhile(load_kernels):
        tables, source, recipe = _opened(path, recipe, output)
    _progress.report(0, None, "grouping records (the first run compiles)")
    as_text = source.format is not None and not source.format.typed
    hash_of = _digest(path, tables[0], note, plain_source_hash)
    with errors_in(path), meanwhile(hash_of) as hashed, said_if_it_compiles():
        release = apply_recipe(
            tables.pop(),
            recipe,
            as_text=as_text,
            remember=report is not None,
            source=source,
            engine="memory" if chosen.engine == "memory" else None,
            jobs=jobs,
        )
    if plain_source_hash:
        release = replace(release, decide=(*release.decide, PLAIN_GIVES_AWAY))
    _progress.report(0, None, "writing and reading back")
    document = release.save(
        output,
        certificate=certificate,
        recipe=write_recipe,
        source=hashed(),
        source_note=note,
        plain_source_hash=plain_source_hash,
        report=report,
        purpose=purpose,
        author=author,
        source_name=None if report is None else source_name(path),
        overwrite=overwrite,
    )
    return FileRelease(release, document)


def _opened(
    path: str | Path, recipe: Recipe, output: str | Path
) -> tuple[list[pl.DataFrame], Source, Recipe]:
    """The table to be released, what its file says of it, and the recipe with that.

    The table is alone in a list: whoever takes it out holds all there is of it, so
    that its text need not stay when it has been read.
    """
    source, recipe = read_by_recipe(path, recipe)
    source = without_counted_kinds(source, recipe)
    frame = source.frame
    masked = recipe.schema.quasi_identifiers
    released = recipe.schema.released(frame.columns)
    kept = [n for n in released if n not in masked]
    gaps = merged_gaps(source, kept, writable(output))
    labels = lost_labels(source, released, writable(output))
    notices = (*source.notices, *gaps, *labels)
    as_text = source.format is not None and not source.format.typed
    source = replace(source, frame=frame.clear(), notices=notices)
    if as_text and format_of(output).typed:  # types, where text has none
        # values of merged strata are joined, as text
        joined = recipe.strata if recipe.small_strata == "merge" else ()
        as_is = [n for n in frame.columns if n not in masked and n not in joined]
        frame = type_columns(frame, as_is, missing_marks=[""], mixed="text")
    return [frame], source, recipe


def no_source_digest(recipe: Recipe, engine: str) -> str:
    """Why a release has no digest of its source, whatever is asked for."""
    if recipe.plan.capabilities.differentially_private:
        return "a differentially private release has no digest of its source"
    from microcell.engines import reads_here

    return (
        "" if reads_here(engine) else f"{engine.title()} makes no digest of its source"
    )


def _digest(
    path: str | Path, frame: pl.DataFrame, note: Path | None, plain: bool
) -> Callable[[], SourceDigest | None]:
    """What makes the digest of a source, where one is published.

    A table that is no file (of a database, of a table log) is held until then, so its
    digest is made here.
    """
    if note is None and not plain:
        return lambda: None
    if is_address(path) or os.path.isdir(path):
        made = table_digest(path, frame, new_key(plain))
        return lambda: made
    return partial(source_digest, path, new_key(plain))


def measure_files(
    original: str | Path,
    release: str | Path,
    quasi_identifiers: str | Sequence[str] = (),
    *,
    recipe: Recipe | str | Path | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    release_delimiter: str | None = None,
    release_encoding: str | None = None,
    **options: Any,
) -> Scores:
    """Compare two files with the same records; see `measure`.

    A file written here has another order than its source, unless its recipe says
    ``order="keep"``. It is put in order where what was released as it is tells all
    records apart; else what needs the same order is not measured, and named.

    Parameters
    ----------
    original, release : path
        The files; also folders of Parquet or text files, read into memory.
    quasi_identifiers : str or sequence of str
        The columns that were masked.
    recipe : Recipe or path, optional
        The recipe that the release was made by, instead of what says how.
    delimiter, encoding : str, optional
        Dialect of the original, if it is text; by default the recipe's, or found out.
    release_delimiter, release_encoding : str, optional
        Dialect of the release, if it is text and was not written here.
    **options
        As in `measure`: `kinds`, `hierarchies`, `scale`, `missing`, `missing_marks`,
        `measures`, `decimal`, `dates`, `unit`, `aligned`.
    """
    if recipe is not None:
        if not isinstance(recipe, Recipe):
            recipe = Recipe.from_toml(recipe)
        dialect = {"delimiter": delimiter, "encoding": encoding}
        given: dict[str, Any] = {n: v for n, v in dialect.items() if v is not None}
        release_delimiter = release_delimiter or recipe.output_delimiter
        release_encoding = release_encoding or recipe.output_encoding
        source, options["recipe"] = read_by_recipe(original, replace(recipe, **given))
        names = recipe.schema.quasi_identifiers
    else:
        source = read_whole(original, delimiter=delimiter, encoding=encoding)
        names = Schema(quasi_identifiers, others="drop").quasi_identifiers
        noted = noted_kinds(source.frame, source.notes, names)
        options["kinds"] = {**noted, **(options.get("kinds") or {})}
    before = source.frame
    after = read_whole(
        release, delimiter=release_delimiter, encoding=release_encoding
    ).frame
    for table in (before, after):
        Schema(names, others="drop").released(table.columns)
    _progress.report(0, None, "measuring")
    with errors_in(original):
        return measure(
            before,
            after,
            quasi_identifiers,
            as_text=source.format is not None and not source.format.typed,
            **options,
        )


@contextmanager
def errors_in(path: str | Path) -> Iterator[None]:
    """Name the file in an error about one of its columns."""
    try:
        yield
    except SchemaError as error:
        if error.column is None:
            raise
        words = [error.words] if isinstance(error.words, str) else error.words
        raise SchemaError(
            [f"{path}: ", *words],
            column=error.column,
            option=error.option,
            hint=error.hint,
        ) from None


def check_outputs(
    outputs: Sequence[str | Path],
    inputs: Sequence[str | Path | None],
    overwrite: bool,
    *,
    table: bool = True,
) -> None:
    """Refuse bad outputs before any work is done; the first is the table, if any is."""
    read = [source for source in inputs if source is not None]
    files = [file_of(source) for source in read]
    if table:
        writable(outputs[0])
    if table and is_address(outputs[0]):
        check_table_output(str(outputs[0]), read, overwrite)
        files.append(file_of(outputs[0]))
        outputs = outputs[1:]
    for path in outputs:
        if is_address(path):
            raise InputError("Only a table goes to a database.", hint="Name a file.")
        target = check_target(path, overwrite=True)
        for source in files:
            if source == str(target):
                raise InputError(
                    f"The output {path} is also an input.", hint="Choose another name."
                )
        check_target(target, overwrite)
    if len({os.path.realpath(path) for path in outputs}) < len(outputs):
        raise InputError(
            "Two outputs go to the same file.", hint="Give each its own name."
        )
