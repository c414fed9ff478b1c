"""Which engine a table is released by: in memory, on disk, or on Spark."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from microcell._bytes import as_bytes, in_words
from microcell._memory import available_memory
from microcell.exceptions import InputError, Option, nearest_name
from microcell.io import (
    PARQUET,
    TEXTS,
    compression_of,
    file_and_part,
    format_of,
    is_address,
    is_folder_of_files,
    unpacked_size,
)
from microcell.pipeline import refuse_recipe
from microcell.recipe import Recipe
from microcell.release import source_format

Refusal = tuple[str, list[str | Option]]  # why an option is refused, and the way out
IN_SPARK: Refusal = ("is said in Spark's own settings", ["Leave it out."])


@dataclass(frozen=True)
class EngineSpec:
    """An engine, as the rest of the library knows it.

    Attributes
    ----------
    run : str
        The module beside this one and its function that release a table in parts, as
        in "_disk:release_on_disk"; empty where the table is held in memory.
    reads_here : bool
        Whether this process sees the file, and can look at it and make its digest.
    refuses : mapping
        Options that it cannot honour: why, and the way out.
    """

    run: str = ""
    reads_here: bool = True
    refuses: Mapping[str, Refusal] = field(default_factory=dict)


def _not_spark(engine: str) -> dict[str, Refusal]:
    why = f"is for Spark, and the engine is {engine!r}"
    return {
        "master": (why, ["Choose ", Option("engine", "spark"), ", or leave it out."])
    }


ENGINES = {
    "auto": EngineSpec(refuses=_not_spark("auto")),
    "memory": EngineSpec(
        refuses={
            **_not_spark("memory"),
            "memory": (
                "bounds a run on disk, not one in memory",
                ["Choose ", Option("engine", "disk"), ", or leave it out."],
            ),
        }
    ),
    "disk": EngineSpec("_disk:release_on_disk", refuses=_not_spark("disk")),
    "spark": EngineSpec(
        "_spark_files:run_on_spark",
        reads_here=False,
        refuses={"memory": IN_SPARK, "jobs": IN_SPARK},
    ),
}
LIBRARY_BYTES = 4 * 10**8  # bytes that every job takes
MEMORY_PER_TEXT_BYTE = 7  # what a job takes beside a text of so many bytes
MEMORY_PER_NUMBER_BYTE = 12  # and beside so many bytes of numbers
USABLE = 0.8  # of the memory that is free


class Chosen(NamedTuple):
    """An engine, and why it was chosen where nobody said it.

    A table that is neither cut nor read in parts is released as a "whole".
    """

    engine: str
    notice: str = ""

    @property
    def in_parts(self) -> bool:
        """Whether the table is read and written in parts."""
        return in_parts(self.engine)


def in_parts(engine: str) -> bool:
    """Whether an engine reads and writes a table in parts, whatever the table is."""
    return bool(ENGINES.get(engine, EngineSpec()).run)


def reads_here(engine: str) -> bool:
    """Whether this process sees the file that an engine reads."""
    return ENGINES.get(engine, EngineSpec()).reads_here


def memory_of_shards(memory: str | int | None) -> int:
    """Bytes that shards may take, beside what the libraries do."""
    limit = as_bytes(memory)
    if limit is None:
        return max(int(USABLE * available_memory()) - LIBRARY_BYTES, LIBRARY_BYTES)
    if limit <= LIBRARY_BYTES:
        raise InputError(
            [
                Option("memory", memory),
                f" is less than the libraries take, {LIBRARY_BYTES // 10**6} MB.",
            ],
            option="memory",
            hint="Allow more.",
        )
    return limit - LIBRARY_BYTES


def is_folder(path: str | Path) -> bool:
    """Whether a release goes to a folder: it has no suffix, or is one.

    Examples
    --------
    >>> is_folder("release"), is_folder("release/"), is_folder("release.csv")
    (True, True, False)
    """
    if is_address(path):
        return False
    text = os.fspath(path)
    return text.endswith(("/", os.sep)) or not Path(text).suffix or os.path.isdir(text)


def choose_engine(
    path: str | Path,
    recipe: Recipe,
    output: str | Path,
    *,
    engine: str = "auto",
    memory: str | int | None = None,
    jobs: int | None = None,
    master: str | None = None,
) -> Chosen:
    """The engine that a table is released by; options that it cannot honour raise.

    Parameters
    ----------
    path, output : path
        The table and where its release goes.
    recipe : Recipe
    engine : {"auto", "memory", "disk", "spark"}
        With "auto" a table that fits into memory is released in memory, as a whole
        unless the recipe says shards; others on disk.
    memory : str or int, optional
        What may be used, as in "8GB"; by default most of what is free.
    jobs : int, optional
        Shards that are masked at the same time.
    master : str, optional
        Where Spark runs.
    """
    limit = as_bytes(memory)
    if engine not in ENGINES:
        raise InputError(
            f"'engine' must be one of {list(ENGINES)}. Got {engine!r} instead.",
            option="engine",
            hint=nearest_name(engine, list(ENGINES)),
        )
    _check_given(engine, memory, jobs, master)
    if in_parts(engine):
        refuse_recipe(recipe)
        return Chosen(engine)
    if engine == "memory":
        folder = is_folder_of_files(path)
        if folder or is_folder(output):
            where = path if folder else output
            raise InputError(
                f"{where} is a folder, which a table in memory has no use for.",
                option="engine",
                hint=["Name a file, or choose ", Option("engine", "disk"), "."],
            )
        refuse_recipe(recipe)
        return Chosen("memory")
    if not _in_parts(path, recipe):
        if memory is not None:
            raise _refused(
                Option("memory", memory),
                "cannot be kept to: only files of Parquet and text are read in parts",
                ["Leave it out, or write the table as Parquet or CSV."],
            )
        return Chosen("whole")
    if os.path.isdir(path) or is_folder(output):
        refuse_recipe(recipe)
        return Chosen("disk", "a folder is read and written in parts, on disk")
    free = int(USABLE * available_memory()) if limit is None else limit
    need = memory_need(path, free, recipe.format)
    if need <= free:
        return Chosen("whole")
    packed = compression_of(file_and_part(path)[0]) is not None  # counted so far
    about = "at least" if packed else "about"
    why = (
        f"in memory the table would take {about} {in_words(need)}, of {in_words(free)}"
    )
    try:
        refuse_recipe(recipe)
    except InputError as error:
        said = [error.words] if isinstance(error.words, str) else list(error.words)
        raise InputError(
            [f"{why[0].upper()}{why[1:]} that may be used. ", *said],
            option=error.option,
            hint=["Allow more with ", Option("memory"), ", or leave that out."],
        ) from None
    notice = f"{why} that may be used, so it is released in shards, on disk"
    return Chosen("disk", notice)


def _check_given(
    engine: str, memory: Any, jobs: int | None, master: str | None
) -> None:
    if jobs is not None and (isinstance(jobs, bool) or jobs < 1):
        raise InputError(
            f"'jobs' must be at least 1. Got {jobs!r} instead.", option="jobs"
        )
    given = {"memory": memory, "jobs": jobs, "master": master}
    for name, (why, hint) in ENGINES[engine].refuses.items():
        if given[name] is not None:
            raise _refused(Option(name, given[name]), why, hint)


def _refused(option: Option, why: str, hint: list[str | Option]) -> InputError:
    """The error of an option that cannot be honoured."""
    return InputError([option, f" {why}."], option=option.name, hint=hint)


def _in_parts(path: str | Path, recipe: Recipe) -> bool:
    """Whether a table is of a format that can be read in parts."""
    if is_address(path):
        return False
    if os.path.isdir(path):
        return is_folder_of_files(path)
    file, sheet = file_and_part(path)
    format = source_format(path, recipe.format) or format_of(file)
    return sheet is None and (format is PARQUET or format in TEXTS)


def memory_need(path: str | Path, free: int, named: str | None = None) -> int:
    """About how many bytes a job takes that holds a table in memory.

    Parameters
    ----------
    path : path
        The table.
    free : int
        Bytes that there are: a compressed text is not counted beyond them.
    named : str, optional
        The format that a recipe names.
    """
    file, _ = file_and_part(path)
    try:
        size = Path(file).stat().st_size
    except OSError:
        return 0  # whoever reads it says what is wrong
    if (source_format(path, named) or format_of(file)) is PARQUET:
        return LIBRARY_BYTES + MEMORY_PER_NUMBER_BYTE * _numbers_in(Path(file))
    if size:
        with suppress(pa.ArrowException, OSError):  # a reader says what is wrong
            size = unpacked_size(file, free // MEMORY_PER_TEXT_BYTE)
    return LIBRARY_BYTES + MEMORY_PER_TEXT_BYTE * size


def _numbers_in(file: Path) -> int:
    """Bytes of a file of Parquet as numbers, or of its values where they are more."""
    import pyarrow.parquet as pq

    try:
        known = pq.read_metadata(file)
    except (pa.ArrowException, OSError):
        return 0
    groups = range(known.num_row_groups)
    values = sum(known.row_group(group).total_byte_size for group in groups)
    return max(values, 8 * known.num_rows * known.num_columns)
