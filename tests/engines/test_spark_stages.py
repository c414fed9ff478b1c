"""What Spark's workers run, without Spark."""

import pickle
from dataclasses import asdict, replace

import numpy as np
import polars as pl
import pytest
from engines.in_parts import added as sum_of
from engines.in_parts import split
from polars.testing import assert_frame_equal

from microcell.engines import _spark_stages as stages
from microcell.engines._spark import no_released, no_routed, seeded
from microcell.engines._spark_types import arrow_schema, batches_of, frames
from microcell.exceptions import InputError, SchemaError
from microcell.pipeline._task import Task
from microcell.recipe import Recipe, Schema


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, 400),
            "bmi": rng.normal(25, 4, 400).round(1),
            "ill": rng.choice(["flu", "gout"], 400),
        }
    )


@pytest.fixture
def job(table):
    return job_of(table)


def job_of(table, **options):
    schema = Schema(["age", "bmi"], confidential="ill")
    task = Task(Recipe(schema, k=5, shard=100, **options), dict(table.schema))
    job = task.plan(task.learn(table))
    return job.merged(job.arrivals(job.route(table)))


def sent(frame):
    return list(batches_of(frame, arrow_schema(frame)))


def payloads(batches):
    return [pickle.loads(row.as_py()) for batch in batches for row in batch.column(0)]


def routed(job, parts):
    schema = arrow_schema(no_routed(job, parts[0].clear()))
    return [b for part in parts for b in stages.routed(job, schema, sent(part))]


def masked(job, batches, like):
    schema = arrow_schema(no_released(job, like.clear())).append(
        stages.PAYLOADS.field(0)
    )
    rows = pl.concat(frames(stages.masked(job, schema, batches)))
    tallies = rows[stages.PAYLOAD].drop_nulls()
    records = rows.filter(pl.col(stages.PAYLOAD).is_null()).drop(stages.PAYLOAD)
    return records, [pickle.loads(tally) for tally in tallies]


def sorted_by_shard(batches):
    return sent(pl.concat(frames(batches)).sort(stages.SHARD))


def test_a_partition_of_several_shards_is_masked_shard_by_shard(table, job):
    assert job.n_shards > 1
    records, tallies = masked(job, sorted_by_shard(routed(job, [table])), table)
    assert len(tallies) == job.n_shards
    whole = job.route(table)
    alone = [
        job.mask(whole.filter(pl.col(job.LEAF).is_in(job.leaves_of(shard))), shard)
        for shard in range(job.n_shards)
    ]
    assert_frame_equal(records, pl.concat([one.frame for one in alone]))
    assert sum_of(tallies) == sum_of([one.tally for one in alone])


def test_order_and_parts_change_nothing(table, job):
    once = masked(job, sorted_by_shard(routed(job, [table])), table)
    again = masked(job, sorted_by_shard(routed(job, split(table, 5))), table)
    assert_frame_equal(once[0], again[0])
    assert sum_of(once[1]) == sum_of(again[1])


def test_a_shard_that_draws_draws_the_same_again_and_another_run_does_not(table):
    job = job_of(table, method="random-aggregation")
    batches = sorted_by_shard(routed(job, [table]))
    once = masked(job, batches, table)
    again = masked(pickle.loads(pickle.dumps(job)), batches[::-1], table)
    assert_frame_equal(once[0], again[0])
    other = masked(job_of(table, method="random-aggregation"), batches, table)
    assert not once[0].equals(other[0])


def test_the_seed_stays_on_the_driver(table):
    seed = 0x5EEDC0DE
    job = job_of(table, method="random-aggregation", random_state=seed)
    written = seed.to_bytes(4, "little")
    bare = seeded(job, None)
    assert written in pickle.dumps(job.masking)
    assert written not in pickle.dumps(bare.masking)
    assert bare.seeds == job.seeds and seeded(bare, seed) == job


def test_a_shard_with_a_record_less_or_more_is_noticed(table, job):
    batches = routed(job, [table])
    with pytest.raises(stages.Lost, match=r"has \d+ records, and \d+ were counted"):
        masked(job, sorted_by_shard([batches[0].slice(1)]), table)
    with pytest.raises(stages.Lost):
        masked(job, sorted_by_shard([*batches, batches[0].slice(0, 1)]), table)


def test_a_shard_that_is_not_together_is_noticed(table, job):
    with pytest.raises(stages.Lost):
        masked(job, routed(job, [table.sort("ill")]), table)


def test_sums_travel_as_one_row(table):
    rows = list(stages.summed(pl.DataFrame.height.fget, stages.versions(), sent(table)))
    assert payloads(rows) == [400]
    assert payloads(stages.added(rows * 3)) == [1200]
    assert list(stages.summed(len, stages.versions(), [])) == []


def test_errors_that_explain_themselves_travel_too(table):
    def refuse(frame):
        raise SchemaError("No.", column="age", hint="Drop it.")

    rows = list(stages.summed(refuse, stages.versions(), sent(table)))
    good = list(stages.summed(len, stages.versions(), sent(table)))
    (error,) = payloads(stages.added([*good, *rows, *good]))
    assert isinstance(error, SchemaError) and error.column == "age"


def test_an_error_in_a_shard_travels_beside_records(table, job, monkeypatch):
    def refuse(self, frame, shard):
        raise InputError("Not this one.")

    batches = routed(job, [table])
    monkeypatch.setattr(type(job), "mask", refuse)
    records, (error,) = masked(job, sorted_by_shard(batches), table)
    assert records.is_empty() and str(error) == "Not this one."


def test_other_errors_are_not_hidden(table):
    with pytest.raises(ZeroDivisionError):
        list(stages.summed(lambda frame: 1 // 0, stages.versions(), sent(table)))


def test_workers_with_other_versions_are_refused(table):
    (error,) = payloads(stages.summed(len, "microcell 0.0", sent(table)))
    assert "workers have microcell" in str(error) and "same" in str(error)


def test_verdicts_on_buckets_add_up(table, job):
    released = masked(job, sorted_by_shard(routed(job, [table])), table)[0]
    schema = arrow_schema(job.classes(released.clear())[0])
    groups = [
        batch
        for part in split(released, 3)
        for batch in stages.grouped(job, 0, schema, sent(part))
    ]
    whole = job.classes(released)[0]
    (known,) = payloads(
        stages.summed(
            lambda part: job.values(job.classes(part)[0]),
            stages.versions(),
            sent(released),
        )
    )
    (verdict,) = payloads(stages.verified(job, 0, known, groups))
    expected = job.verify(whole, 0, job.values(whole))
    away, of_whole = verdict.given_away.pop("ill"), expected.given_away.pop("ill")
    assert verdict == expected
    assert asdict(away.sums) == pytest.approx(asdict(of_whole.sums), rel=1e-12)
    assert replace(away, sums=of_whole.sums) == of_whole
    assert list(stages.verified(job, 0, known, [])) == []


@pytest.mark.parametrize("shown", ["mean", "interval", "median"])
def test_no_records_have_the_types_of_records(table, shown):
    job = job_of(table, representatives={"age": shown})
    part = job.route(table).filter(pl.col(job.LEAF).is_in(job.leaves_of(0)))
    assert no_released(job, table.clear()).schema == job.mask(part, 0).frame.schema
