"""From a folder to a folder on Spark: what `--engine spark` does."""

from __future__ import annotations

import codecs
import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from pyarrow import fs

from microcell import _progress
from microcell.engines._spark import errors_of_workers, mask_on_spark
from microcell.engines._spark_folder import RENAMED, StagedFolder, store_of, written
from microcell.exceptions import InputError, Option
from microcell.io import (
    LOGS,
    PARQUET,
    Dialect,
    Logged,
    Outbox,
    log_in,
    logged_error,
    needed,
)
from microcell.recipe import Recipe
from microcell.release import FileRelease, Sidecars

READ = ("parquet", "csv", "tsv")
CHARSETS = (
    "iso-8859-1",
    "us-ascii",
    "utf-16",
    "utf-16be",
    "utf-16le",
    "utf-32",
    "utf-8",
)
_DELIMITERS = {"csv": ",", "tsv": "\t"}


def run_on_spark(
    path: str | Path,
    recipe: Recipe | str | Path,
    output: str | Path,
    *,
    master: str | None = None,
    sidecars: Sidecars = Sidecars(),  # noqa: B008
) -> FileRelease:
    """Read a folder with Spark, write its release, read it back and verify it.

    Parameters
    ----------
    path : path
        A file or a folder of Parquet, or of delimited text: local, of HDFS, or any
        other that the session can read. Workers must see it.
    recipe : Recipe or path
        A recipe or the TOML file of one.
    output : path
        A folder for the release as Parquet, local or of HDFS.
    master : str, optional
        Where Spark runs, as in ``"local[4]"``, ``"spark://host:7077"``, ``"yarn"`` or
        ``"sc://host"`` of Spark Connect; by default what `spark-submit` or the
        session says.
    sidecars : Sidecars
        What is written beside it, on this machine.

    Returns
    -------
    release, certificate : Release, dict
    """
    needed("pyspark", "spark", "Spark's tables")
    if not isinstance(recipe, Recipe):
        recipe = Recipe.from_toml(recipe)
    check_output(output)
    format = format_of_folder(path, recipe)
    _check_dialects(path, format, output, recipe)
    overwrite = sidecars.overwrite
    with StagedFolder(output, overwrite) as folder, Outbox(overwrite=overwrite) as box:
        staged = sidecars.stage(box)
        _progress.report(0, None, "starting Spark")
        with session(master) as spark:
            df = read_folder(spark, path, format, recipe)
            kept = mask_on_spark(
                df,
                recipe,
                as_text=format != "parquet",
                remember=sidecars.report is not None,
            )
            release = written(kept, folder)
        document = release.certificate()
        sidecars.write(staged, release, document)
        box.join(folder)
        box.publish()
    return FileRelease(release, document)


def check_output(output: str | Path) -> None:
    """Refuse a place or a format that a release cannot be written to."""
    store_of(str(output))
    suffix = Path(urlsplit(str(output)).path).suffix.lower()
    if suffix not in ("", ".parquet"):
        raise InputError(
            f"Spark writes a folder of Parquet, and {output} ends in {suffix!r}.",
            option="output",
            hint="Name a folder, as in release or release.parquet.",
        )


def _check_dialects(
    path: str | Path, format: str, output: str | Path, recipe: Recipe
) -> None:
    """Refuse a delimiter or an encoding of Parquet."""
    written = Dialect(recipe.output_delimiter, recipe.output_encoding)
    PARQUET.refuse_foreign(output, written)
    if format == "parquet":
        PARQUET.refuse_foreign(path, Dialect(recipe.delimiter, recipe.encoding))


def format_of_folder(path: str | Path, recipe: Recipe) -> str:
    """What a file or a folder of files holds, by the recipe or by suffixes.

    Examples
    --------
    >>> from microcell import Schema
    >>> recipe = Recipe(Schema(["age"]), k=5)
    >>> format_of_folder("hdfs://host/visits.parquet", recipe)
    'parquet'
    """
    if os.path.isdir(path) and log_in(path) is not None:
        return "parquet"  # what else is there is the log's
    names = [urlsplit(str(path)).path]
    if recipe.format is not None:
        names = [f".{recipe.format}"]
    elif Path(names[0]).suffix[1:].lower() not in READ:
        names = _files_in(str(path))
    found = {Path(f"x{Path(n).name}").suffix[1:].lower() for n in names}
    if len(found) == 1 and found <= set(READ):
        return found.pop()
    shown = ", ".join(sorted(found)) or "nothing"
    raise InputError(
        f"Spark reads folders of one format, {', '.join(READ)}. {path} holds {shown}.",
        option="format",
        hint=["Say which it is with ", Option("format"), "."],
    )


def _files_in(address: str) -> list[str]:
    """Names of the files in a folder; Spark skips hidden ones."""
    if urlsplit(address).scheme not in RENAMED:
        return []
    store, place = store_of(address)
    if store.get_file_info(place).type == fs.FileType.NotFound:
        raise InputError(f"{address} does not exist.")
    files = store.get_file_info(fs.FileSelector(place, recursive=True))
    names = [f.base_name for f in files if f.type == fs.FileType.File]
    return [name for name in names if not name.startswith(("_", "."))]


def charset_of(encoding: str) -> str:
    """What Spark calls an encoding; it knows few of them.

    Examples
    --------
    >>> charset_of("latin-1"), charset_of("UTF8")
    ('iso-8859-1', 'utf-8')
    """
    known = {codecs.lookup(name).name: name for name in CHARSETS}
    try:
        return known[codecs.lookup(encoding).name]
    except LookupError:
        raise InputError(
            f"Spark does not read text in {encoding!r}, but in {', '.join(CHARSETS)}.",
            option="encoding",
            hint=[
                "Write the files as UTF-8, or choose ",
                Option("engine", "disk"),
                ".",
            ],
        ) from None


def read_folder(spark: Any, path: str | Path, format: str, recipe: Recipe) -> Any:
    """The table of a folder; text to the letter, and strictly.

    A text file is read by one task, since a line break may stand in quotes.
    """
    with errors_of_workers():
        if format == "parquet":
            return _parquet(spark, str(path).rstrip("/"))
        return spark.read.csv(
            str(path),
            header=True,
            sep=recipe.delimiter or _DELIMITERS[format],
            encoding=charset_of(recipe.encoding or "utf-8"),
            escape='"',
            multiLine=True,
            mode="FAILFAST",
            enforceSchema=False,
        )


def _parquet(spark: Any, address: str) -> Any:
    """A folder of Parquet; one with a log by Spark's own reader of such tables."""
    kind = _log_in(spark, address)
    if kind is not None:
        return _by_own_reader(spark, address, kind)
    for above in _parents(address):
        kind = _log_in(spark, above)
        if kind is not None:
            raise logged_error(address, Logged(kind, above))
    return spark.read.parquet(address)


def _by_own_reader(spark: Any, address: str, kind: str) -> Any:
    """The records that a table has now, if this Spark can read it."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        df = spark.read.format(kind.lower()).load(address)
        df.columns  # noqa: B018  Spark Connect looks for the reader only now
        return df
    except (PySparkException, Py4JJavaError) as error:
        raise logged_error(address, Logged(kind, address)) from error


def _log_in(spark: Any, address: str) -> str | None:
    """What kind of table has its log in a folder, which only the session may see."""
    from pyspark.errors import PySparkException

    for kind, pattern in LOGS.items():
        try:
            spark.read.format("binaryFile").load(f"{address}/{pattern}").columns  # noqa: B018
            return kind
        except PySparkException as error:
            if error.getCondition() != "PATH_NOT_FOUND":
                raise
    return None


def _parents(address: str) -> Iterator[str]:
    """Folders above an address, up to its root.

    Examples
    --------
    >>> list(_parents("hdfs://host/lake/visits/ward=a"))
    ['hdfs://host/lake/visits', 'hdfs://host/lake']
    """
    scheme, host, path, *_ = urlsplit(address)
    if not scheme:
        path = os.path.abspath(address)
    for above in PurePosixPath(path).parents:
        if above.name:
            yield f"{scheme}://{host}{above}" if scheme else str(above)


@contextmanager
def session(master: str | None) -> Iterator[Any]:
    """A session of Spark: the one that is there, or one for the time of the block."""
    from pyspark.sql import SparkSession

    there = SparkSession.getActiveSession()
    if there is not None and master is None:
        yield there
        return
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        spark = _started(master, there is not None)
        try:
            yield spark
        finally:
            spark.stop()


def _started(master: str | None, is_one_there: bool) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("microcell")
    if master is not None and master.startswith("sc://"):
        return builder.remote(master).create()
    if is_one_there:
        raise InputError(
            f"Spark runs in this process already, so it cannot run on {master}.",
            option="master",
            hint="Leave it out, or stop the session.",
        )
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder if master is None else builder.master(master)
    return builder.getOrCreate()


def check_java() -> None:
    """Refuse to start Spark without Java, which it would say in other words."""
    home = os.environ.get("JAVA_HOME")
    if shutil.which(f"{home}/bin/java" if home else "java") is None:
        raise InputError(
            "Spark needs Java 17, and there is no program java.",
            hint="Install it (on Debian: openjdk-17-jre-headless), or say where it is "
            "in JAVA_HOME.",
        )
