"""The Spark engine: the release of the table in memory, whatever happens on the way."""

import datetime
import decimal
import doctest
import os
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from marks import slow
from pipeline import test_features_in_parts as features
from polars.testing import assert_frame_equal
from report.test_in_parts import comparable
from spark_cluster import (
    LOOPBACK,
    Cluster,
    Killer,
    children,
    end_java,
    environment,
    free_port,
    missing,
    runs,
    settings,
    wait_until,
)

import microcell.spark
from microcell.engines import _spark
from microcell.engines._spark_files import read_folder, run_on_spark
from microcell.engines._spark_types import arrow_schema, spark_schema
from microcell.exceptions import (
    InputError,
    OutputExistsError,
    PrivacyError,
    SchemaError,
)
from microcell.pipeline._beside import VALUES_OF_IDENTIFIERS
from microcell.pipeline._sample import row_hash
from microcell.privacy import LDiversity
from microcell.recipe import Recipe, Schema
from microcell.release import Sidecars, apply_recipe
from microcell.report import facts_of
from microcell.spark import anonymize

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def java():
    """Settings of Spark's processes for this module, none of which outlives it."""
    before, others = dict(os.environ), set(children(os.getpid()))
    os.environ.update(environment())
    yield
    started = set(children(os.getpid())) - others  # joblib's tracker stays
    end_java()
    for pid in started:
        wait_until(lambda pid=pid: not runs(pid), f"process {pid} does not end")
    os.environ.clear()
    os.environ.update(before)


def session(master, **more):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master)
    for name, value in (settings() | more).items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


@pytest.fixture(scope="class")
def spark(java):
    """A session in one process, which others can connect to."""
    port = free_port()
    spark = session(
        "local[2]",
        **{
            "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
            "spark.connect.grpc.binding.address": LOOPBACK,
            "spark.connect.grpc.binding.port": str(port),
            "spark.sql.session.timeZone": "Asia/Kolkata",
        },
    )
    spark.connect_url = f"sc://{LOOPBACK}:{port}"
    yield spark
    spark.stop()


@pytest.fixture(scope="class")
def connected(spark):
    from pyspark.sql.connect.session import SparkSession

    remote = SparkSession.builder.remote(spark.connect_url).create()
    remote.conf.set("spark.sql.adaptive.enabled", "false")
    remote.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "70")
    yield remote
    remote.stop()


def patients(n_records=600):
    """Every kind of column, gaps, ties, and columns that are not touched."""
    rng = np.random.default_rng(0)
    first = datetime.datetime(2024, 3, 30)
    hours = [
        first + datetime.timedelta(hours=int(h)) for h in rng.integers(0, 99, n_records)
    ]
    cents = [decimal.Decimal(int(c)) / 100 for c in rng.integers(0, 9999, n_records)]
    table = pl.DataFrame(
        {
            "age": rng.integers(18, 90, n_records),
            "bmi": rng.normal(25, 4, n_records).round(1),
            "sex": rng.choice(["f", "m", "é"], n_records),
            "seen": pl.Series(hours, dtype=pl.Datetime("us", "UTC")),
            "born": [moment.date() for moment in hours],
            "ill": rng.choice(["flu", "gout", ""], n_records),
            "paid": pl.Series(cents, dtype=pl.Decimal(12, 2)),
            "wall.clock": hours,  # a name with a dot
            "number": np.arange(n_records, dtype=np.int32),
        }
    )
    gaps = pl.when(pl.col("number") % 11 == 0).then(None)
    return table.with_columns(
        gaps.otherwise(pl.col("age")).alias("age"),
        gaps.otherwise(pl.col("ill")).alias("ill"),
    )


KEPT = ["paid", "wall.clock", "number"]
NUMERIC = Recipe(Schema(["bmi"], others=KEPT), k=5, shard=100, allow_unique=["number"])
MIXED = Recipe(
    Schema(["age", "bmi", "sex", "seen", "born"], confidential="ill", others=KEPT),
    k=5,
    shard=100,
    missing="category",
    promises=[LDiversity(2)],
    allow_unique=["number"],
    representatives={"age": "interval", "sex": "set"},
)


def on_spark(spark, table, n_partitions):
    plain = table.rename(lambda name: name.replace(".", "_"))  # which Spark fails on
    arrow = plain.to_arrow(compat_level=pl.CompatLevel.oldest())
    schema = spark_schema(arrow_schema(plain))  # a wall clock is no moment
    df = spark.createDataFrame(arrow, schema).toDF(*table.columns)
    return df.repartition(n_partitions)


def from_spark(df):
    """Records of a DataFrame in ascending order, moments as UTC."""
    frame = pl.from_arrow(df.toArrow())
    moments = [n for n, t in frame.schema.items() if getattr(t, "time_zone", None)]
    return in_order(frame.with_columns(pl.col(moments).dt.convert_time_zone("UTC")))


def in_order(frame):
    return frame.sort(frame.columns)


def in_memory(table, recipe, **options):
    return apply_recipe(table.select(_columns(table, recipe)), recipe, **options)


def _columns(table, recipe):
    schema = recipe.schema
    used = {*schema.quasi_identifiers, *schema.confidential, *schema.others}
    return [name for name in table.columns if name in used]


def assert_same_release(release, expected):
    assert_frame_equal(from_spark(release.table), in_order(expected.table))
    assert [str(f) for f in release.findings] == [str(f) for f in expected.findings]
    assert release.scores["sse_loss"] == pytest.approx(expected.scores["sse_loss"])
    assert release.certificate()["records"] == expected.table.height
    assert release.certificate()["decide"][0] == expected.decide[0]  # whom it finds
    assert list(release.disclosure) == list(expected.disclosure) != []
    for name, scores in expected.disclosure.items():
        assert dict(release.disclosure[name]) == pytest.approx(dict(scores))


@pytest.fixture(scope="module")
def expected():
    return in_memory(patients(), MIXED)


class TestOneMachine:
    """Each run takes seconds, so few tables show much each."""

    @pytest.mark.slow  # people, strata and weights are quick
    def test_same_release_as_in_memory(self, spark, expected):
        df = on_spark(spark, patients().select(_columns(patients(), MIXED)), 3)
        with anonymize(df, MIXED) as release:
            assert_same_release(release, expected)
            assert "shards" in release.summary()
            assert comparable(facts_of(release)) == comparable(facts_of(expected))

    @pytest.mark.parametrize("form", ["apart", slow("together")])
    def test_people_strata_weights_and_the_rest(
        self, spark, tmp_path, monkeypatch, form
    ):
        """What is counted in people is counted on what was written, as elsewhere."""
        monkeypatch.setattr(_spark, "PEOPLE_TOGETHER", 250)
        recipe = features.recipe_of(**features.EVERYTHING, unit_records=form)
        table = features.visits()
        df = on_spark(spark, table, 3)
        folder = tmp_path / "release"
        release = anonymize(df, recipe, path=folder)
        released = pl.read_parquet(folder / "*.parquet")
        features.assert_same_release(released, release, apply_recipe(table, recipe))
        assert not any("microcell" in name for name in released.columns)

    @pytest.mark.slow
    def test_connected_with_other_partitions_order_and_settings(
        self, connected, expected
    ):
        table = patients().select(_columns(patients(), MIXED)).sort("bmi")
        with anonymize(on_spark(connected, table, 1), MIXED) as release:
            assert_same_release(release, expected)

    @pytest.mark.slow
    def test_folder_of_text(self, spark, tmp_path):
        """Whose costs say that numbers are written with decimal commas."""
        schema = Schema(["age", "born"], others=["ill", "cost"])
        recipe = Recipe(schema, k=3, shard=60)
        table = patients(300).select(
            pl.col("age").fill_null(0).cast(str), pl.col("born").cast(str), "ill",
            cost=pl.Series(["9,5", "10,25", "12"] * 100),
        )  # fmt: skip
        source = tmp_path / "source"
        source.mkdir()
        for number in range(2):
            part = table.slice(150 * number, 150).fill_null("")
            part.write_csv(source / f"{number}.csv", quote_style="always")
        certificate = tmp_path / "certificate.json"
        released = tmp_path / "release"
        done = run_on_spark(source, recipe, released, sidecars=Sidecars(certificate))
        said = replace(recipe, decimal=",")
        expected = in_memory(table.fill_null(""), said, as_text=True).table
        found = pl.read_parquet(released / "*.parquet")
        assert_frame_equal(
            in_order(found).fill_null(""), in_order(expected).fill_null("")
        )
        ages = found["age"]  # one digit more than the source has
        assert (ages == ages.round(1)).all() and (ages != ages.round()).any()
        assert set(found["cost"]) == set(table["cost"])
        assert done.certificate["records"] == 300 and certificate.exists()
        with pytest.raises(OutputExistsError):
            run_on_spark(source, recipe, released)
        with pytest.raises(InputError, match="in this process already"):
            run_on_spark(source, recipe, tmp_path / "other", master="local[1]")

    def test_a_record_with_other_fields_is_not_shown(self, spark, tmp_path):
        (tmp_path / "a.csv").write_text("age,ill\n" + 9 * "31,flu\n" + "secret\n")
        recipe = Recipe(Schema(["age"], confidential="ill"), k=3)
        with pytest.raises(InputError, match=r"a\.csv has a record") as caught:
            run_on_spark(tmp_path / "a.csv", recipe, tmp_path / "release")
        assert "secret" not in str(caught.value)
        assert caught.value.__cause__ is None and caught.value.__suppress_context__
        assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]

    @pytest.mark.slow
    def test_text_in_another_encoding_is_not_garbled(self, spark, tmp_path):
        text = "age,ill\n" + 9 * "31,fièvre\n"
        (tmp_path / "a.csv").write_bytes(text.encode("latin-1"))
        schema = Schema(["age"], confidential="ill")
        with pytest.raises(InputError, match="encoding") as caught:
            run_on_spark(tmp_path / "a.csv", Recipe(schema, k=3), tmp_path / "release")
        assert caught.value.column == "ill"
        odd = Recipe(schema, k=3, encoding="mac_roman")
        with pytest.raises(InputError, match="Spark does not read text"):
            run_on_spark(tmp_path / "a.csv", odd, tmp_path / "release")
        named = Recipe(schema, k=3, encoding="latin-1")
        run_on_spark(tmp_path / "a.csv", named, tmp_path / "release")
        released = pl.read_parquet(tmp_path / "release/*.parquet")
        assert set(released["ill"]) == {"fièvre"}

    def test_dialects_of_parquet_are_refused(self, spark, tmp_path):
        pl.DataFrame({"age": [30] * 9}).write_parquet(tmp_path / "a.parquet")
        for option in ("delimiter", "encoding", "output_delimiter", "output_encoding"):
            recipe = Recipe(Schema(["age"]), k=3, **{option: "cp1252"})
            with pytest.raises(InputError, match="is no text"):
                run_on_spark(tmp_path / "a.parquet", recipe, tmp_path / "release")

    @pytest.mark.slow  # every other engine refuses one in test_table_log.py
    @pytest.mark.parametrize(
        "log, kind",
        [
            ("_delta_log/0.json", "Delta"),
            ("metadata/v1.metadata.json", "Iceberg"),
            (".hoodie/hoodie.properties", "Hudi"),
        ],
    )
    def test_a_table_with_a_log_is_not_read_as_parquet(
        self, spark, connected, tmp_path, log, kind
    ):
        """By a session that has no reader of its own for it, as this one."""
        table = tmp_path / "visits"
        (table / log).parent.mkdir(parents=True)
        (table / log).write_text("{}")
        (table / "data").mkdir()
        part = table / "data/a.parquet"
        pl.DataFrame({"age": [30] * 9}).write_parquet(part)
        recipe = Recipe(Schema(["age"]), k=3)
        for path in (table, table / "data", part, f"file://{part}"):
            with pytest.raises(InputError, match=f"a table of {kind}"):
                run_on_spark(path, recipe, tmp_path / "release")
        with pytest.raises(InputError, match=f"a table of {kind}"):
            read_folder(connected, f"{tmp_path}/*", "parquet", recipe)
        (tmp_path / "plain").mkdir()
        part.rename(tmp_path / "plain/a.parquet")
        assert read_folder(connected, tmp_path / "plain", "parquet", recipe).count()

    @pytest.mark.slow
    def test_nothing_is_published_if_a_promise_fails(
        self, spark, tmp_path, monkeypatch
    ):
        def fails(self, table):
            assert table.count() == 600  # what was written is what is counted
            raise PrivacyError("found 1")

        monkeypatch.setattr(_spark.OnSpark, "release", fails)
        df = on_spark(spark, patients().select(_columns(patients(), NUMERIC)), 2)
        with pytest.raises(PrivacyError):
            anonymize(df, NUMERIC, path=tmp_path / "release")
        assert list(tmp_path.iterdir()) == []

    def test_shards_are_apart_by_range_too(self, spark):
        df = spark.range(1000).selectExpr("cast(id % 7 as int) AS shard")
        for by_number in (True, False):
            moved = _spark.together(df, "shard", 7, by_number)
            places = moved.selectExpr("shard", "spark_partition_id() AS place")
            pairs = {tuple(row) for row in places.distinct().collect()}
            assert len(pairs) == 7 and len({place for _, place in pairs}) == 7

    def test_refused_before_any_work(self, spark, tmp_path):
        computed = "cast(raise_error('computed') AS int) AS age"
        df = spark.range(1).selectExpr(computed, "1 AS n", "map('a', 1) AS odd")
        recipe = Recipe(Schema(["n"]), k=5)
        with pytest.raises(SchemaError, match="no role"):
            anonymize(df, recipe)
        with pytest.raises(SchemaError, match="Column 'odd' is of Spark's type map"):
            anonymize(df, Recipe(Schema(["odd"], others="drop"), k=5))
        with pytest.raises(SchemaError, match="'N' and 'n' have one name"):
            both = df.selectExpr("1 AS N", "2 AS n")
            anonymize(both, Recipe(Schema(["n"], others="drop"), k=5))
        in_order = Recipe(Schema(["n"], others=["age"]), k=5, order="keep")
        with pytest.raises(InputError, match="order"):
            anonymize(df.drop("odd"), in_order)
        with pytest.raises(InputError, match="takes tables in memory"):
            anonymize(pl.DataFrame({"n": [1]}), recipe)
        with pytest.raises(InputError, match="overwrite needs a path"):
            anonymize(df, recipe, overwrite=True)
        (tmp_path / "there").mkdir()
        with pytest.raises(OutputExistsError):
            anonymize(df.drop("age", "odd"), recipe, path=tmp_path / "there")

    @pytest.mark.slow
    def test_errors_of_records_are_ours(self, spark):
        recipe = Recipe(Schema(["age"], others="drop"), k=5, shard=100)
        df = on_spark(spark, patients().select("age"), 2)
        with pytest.raises(SchemaError, match="Missing values") as caught:
            anonymize(df, recipe)
        assert caught.value.option == "missing"

    @pytest.mark.slow
    def test_a_repeat_that_a_sample_does_not_show_is_refused(self, spark):
        n_records = VALUES_OF_IDENTIFIERS + 1000
        hashes = row_hash(pl.DataFrame({"pid": range(n_records - 1)}))
        twice = int(hashes.arg_max())  # the last that a sample would hold
        df = spark.range(n_records).selectExpr(
            f"CASE WHEN id = {n_records - 1} THEN {twice} ELSE id END AS pid",
            "id % 70 AS age",
        )
        recipe = Recipe(Schema(["age"], identifiers="pid"), k=5, method="mdav")
        with pytest.raises(SchemaError, match=f"fewer than {n_records} values"):
            anonymize(df, recipe)

    def test_the_source_is_not_replaced(self, spark, tmp_path):
        folder = tmp_path / "table"
        spark.createDataFrame([(1.0,), (2.0,)], "x double").write.parquet(str(folder))
        df = spark.read.parquet(str(folder))
        for path in (folder, tmp_path):
            with pytest.raises(InputError, match="also an input"):
                anonymize(df, Recipe(Schema(["x"]), k=2), path=path, overwrite=True)

    @pytest.mark.slow
    def test_a_table_that_changes_is_noticed(self, spark):
        def anything(batches):
            import pyarrow as pa

            for _ in batches:
                yield pa.RecordBatch.from_pydict(
                    {"x": np.random.default_rng().random(99)}
                )

        df = spark.range(1).repartition(1).mapInArrow(anything, "x double")
        with pytest.raises(InputError, match="not the same each time"):
            anonymize(df, Recipe(Schema(["x"]), k=2, shard=20))

    @pytest.mark.slow
    def test_the_example_runs(self, spark):
        text = microcell.spark.anonymize.__doc__.replace("# doctest: +SKIP", "")
        example = doctest.DocTestParser().get_doctest(
            text, {"spark": spark}, "anonymize", None, None
        )
        assert len(example.examples) > 5
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        assert runner.run(example).failed == 0


class TestCluster:
    @pytest.mark.slow
    def test_a_worker_is_killed_while_shards_are_masked(self, java, tmp_path):
        table = people(200_000)
        schema = Schema(["a", "b"], others=["number"])
        recipe = Recipe(
            schema, k=5, method="mdav", shard=10_000, allow_unique=["number"]
        )
        table.write_parquet(tmp_path / "people.parquet")
        with Cluster() as cluster:
            spark = session(cluster.url, **{"spark.cores.max": "2"})
            try:
                killer = Killer(spark, cluster)
                df = spark.read.parquet(str(tmp_path / "people.parquet"))
                with killer:
                    release = anonymize(df, recipe, path=tmp_path / "release")
                total = release.table.selectExpr("count(*)", "sum(number)").first()
            finally:
                spark.stop()
        assert killer.killed and 0 < killer.n_done < killer.n_tasks
        assert tuple(total) == (200_000, table["number"].sum())
        assert release.findings[0].found >= 5
        expected = in_order(apply_recipe(table, recipe).table)
        assert_frame_equal(
            in_order(pl.read_parquet(tmp_path / "release/*.parquet")), expected
        )


def people(n_records):
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "a": rng.normal(size=n_records),
            "b": rng.normal(size=n_records),
            "number": rng.permutation(n_records),
        }
    )
