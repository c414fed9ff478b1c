"""Releases of Spark's DataFrames, made where the records are."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from microcell.exceptions import InputError, Spelling, in_python
from microcell.io import Outbox, needed
from microcell.recipe import Recipe

if TYPE_CHECKING:
    from microcell.metrics import Scores
    from microcell.privacy import Finding
    from microcell.release import ShardedRelease

__all__ = ["SparkRelease", "anonymize"]


@dataclass(frozen=True)
class SparkRelease:
    """A release that is a DataFrame of Spark.

    Attributes
    ----------
    table : pyspark.sql.DataFrame
        The released records: of the folder that they were written to, or as Spark
        keeps them until `close`.
    sharded : ShardedRelease
        What is known of them.
    """

    table: Any
    sharded: ShardedRelease
    kept: Any = dataclasses.field(default=None, repr=False)

    @property
    def findings(self) -> Sequence[Finding]:
        """What was promised, and what was found in all released records."""
        return self.sharded.findings

    @property
    def scores(self) -> Scores:
        """Loss and risk."""
        return self.sharded.scores

    @property
    def disclosure(self) -> Mapping[str, Scores]:
        """What classes give away of each confidential column."""
        return self.sharded.disclosure

    def certificate(self) -> dict[str, Any]:
        """What can be said about the release without a value of any record."""
        return self.sharded.certificate()

    def summary(
        self, verbose: bool = False, *, spell: Spelling | None = in_python
    ) -> str:
        """What a person wants to read about the release; see `Release.summary`."""
        return self.sharded.summary(verbose, spell=spell)

    def close(self) -> None:
        """Let Spark forget a table that it keeps; one in a folder stays there."""
        if self.kept is not None:
            self.kept.free()

    def __enter__(self) -> SparkRelease:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def anonymize(
    df: Any,
    recipe: Recipe | str | Path,
    *,
    path: str | Path | None = None,
    overwrite: bool = False,
) -> SparkRelease:
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

    Returns
    -------
    release : SparkRelease

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
        kept = mask_on_spark(df, recipe)
        try:
            return SparkRelease(kept.table, kept.release(), kept)
        except BaseException:
            kept.free()
            raise
    _refuse_own_source(df, path)
    with StagedFolder(path, overwrite) as staged, Outbox() as outbox:
        sharded = written(mask_on_spark(df, recipe), staged)
        outbox.join(staged)
        outbox.publish()
    return SparkRelease(df.sparkSession.read.parquet(staged.name), sharded)


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
