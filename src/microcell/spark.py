"""Releases of Spark's DataFrames, made where the records are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from microcell.exceptions import InputError
from microcell.io import Outbox, needed
from microcell.recipe import Recipe

if TYPE_CHECKING:
    from microcell.release import Release

__all__ = ["anonymize"]


def anonymize(
    df: Any,
    recipe: Recipe | str | Path,
    *,
    path: str | Path | None = None,
    overwrite: bool = False,
    remember: bool = True,
) -> Release:
    """Make the release of a DataFrame where its records are.

    The driver gets sums, and the quasi-identifiers of at most 100,000 distinct records,
    from which cuts are learnt. Records go to shards of neighbours, each shard is masked
    by itself by one task, and what is released is counted again, all by `mapInArrow`.
    The release is that of `microcell.anonymize` with the same recipe and the same
    ``shard``, whatever the order of records, the partitions and the workers that are
    lost on the way.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The table, of a session or of Spark Connect. It is computed several times and
        must give the same records each time.
    recipe : Recipe or path
        A recipe or the TOML file of one.
    path : path, optional
        A folder for the release, local or of HDFS (``hdfs://``), as Parquet. It is
        written beside its place, read back, verified, and then renamed. By default
        Spark keeps the release in memory and on the workers' disks.
    overwrite : bool, default=False
        Whether a folder that exists may be replaced.
    remember : bool, default=True
        Whether the release remembers the original's quasi-identifiers, of a sample of
        at most about 20,000 records, for its report and its pictures.

    Returns
    -------
    release : Release
        Its `table` is a DataFrame of Spark: of the folder that was written, or as Spark
        keeps it until `release.close()`.

    Raises
    ------
    PrivacyError
        If a promise failed; nothing is released then.

    Examples
    --------
    >>> from microcell import Recipe, Schema
    >>> from microcell.spark import anonymize
    >>> df = spark.createDataFrame(
    ...     [(30, "flu"), (32, "gout"), (60, "flu"), (62, "flu")], "age int, ill string"
    ... )  # doctest: +SKIP
    >>> recipe = Recipe(Schema(["age"], confidential="ill"), k=2)
    >>> release = anonymize(df, recipe)  # doctest: +SKIP
    >>> release.table.orderBy("age", "ill").show()  # doctest: +SKIP
    +----+----+
    | age| ill|
    +----+----+
    |31.0| flu|
    |31.0|gout|
    |61.0| flu|
    |61.0| flu|
    +----+----+
    >>> print(release.findings[0])  # doctest: +SKIP
    k-anonymity: promised 2, found 2
    >>> release.close()  # doctest: +SKIP
    """
    needed("pyspark", "spark", "Spark's tables")
    from microcell.engines import StagedFolder, mask_on_spark, written

    if not hasattr(df, "mapInArrow"):
        raise InputError(
            f"The table must be a DataFrame of Spark. Got {type(df).__name__}.",
            hint="microcell.anonymize takes tables in memory.",
        )
    if not isinstance(recipe, Recipe):
        recipe = Recipe.from_toml(recipe)
    if path is None:
        if overwrite:
            raise InputError(
                "overwrite needs a path.", option="overwrite", hint="Leave it out."
            )
        kept = mask_on_spark(df, recipe, remember=remember)
        try:
            return replace(kept.release(), table=kept.table, kept=kept)
        except BaseException:
            kept.free()
            raise
    _refuse_own_source(df, path)
    with StagedFolder(path, overwrite) as staged, Outbox() as outbox:
        release = written(mask_on_spark(df, recipe, remember=remember), staged)
        outbox.join(staged)
        outbox.publish()
    return replace(release, table=df.sparkSession.read.parquet(staged.name))


def _refuse_own_source(df: Any, path: str | Path) -> None:
    """Refuse a folder that the DataFrame is read from, or one beside its files."""

    def place(address: str) -> str:
        return urlsplit(address).path.rstrip("/")

    target = place(str(path))
    for file in df.inputFiles():
        folder = place(file).rpartition("/")[0]
        if folder == target or f"{folder}/".startswith(f"{target}/"):
            raise InputError(
                f"The output {path} is also an input.",
                option="path",
                hint="Choose another name.",
            )
