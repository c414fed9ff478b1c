"""What intruders gain from a file, as `check` tells it."""

import json

import numpy as np
import polars as pl
import pytest
from commands import run

from microcell import Schema, anonymize
from microcell.exceptions import InputError
from microcell.metrics import (
    attribute_inference_risk,
    singling_out_risk,
    subset_linkage_risk,
)
from microcell.release import check_file
from microcell.release._attacks import _size


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "age": rng.integers(18, 90, 300),
            "sex": rng.choice(["f", "m"], 300),
            "city": rng.choice(["ulm", "bonn", "kiel"], 300),
            "pay": rng.integers(1000, 5000, 300),
        }
    ).with_columns(ill=pl.when(pl.col("age") > 60).then(pl.lit("yes")).otherwise(None))
    table.write_csv("table.csv")
    schema = Schema(["age", "sex", "city"], confidential=["pay", "ill"])
    release = anonymize(table, schema, k=5)
    release.save("release.csv")
    return table, release


NAMES = ["age", "sex", "city"]


def test_figures_are_those_of_the_metrics(files):
    table, release = files
    found = check_file(
        "release.csv", NAMES, confidential=["pay", "ill"], original="table.csv"
    ).attacks
    shown = release.table.select(NAMES)
    subsets = subset_linkage_risk(shown, random_state=0)
    assert [s.mean for s in found.subsets.by_size] == pytest.approx(
        [s.mean for s in subsets.by_size]
    )
    assert found.subsets.most == subsets.most
    ill = release.table["ill"].fill_null("missing").to_list()
    expected = attribute_inference_risk(shown, ill)
    assert found.inference["ill"].attack == expected.attack
    assert found.inference["ill"].risk.risk > 0.5  # the ill are old
    assert found.inference["pay"].risk.risk < 0.3
    singled = singling_out_risk(table.select(NAMES), shown, random_state=0)
    assert found.singling_out.baseline.rate == pytest.approx(
        singled.baseline.rate, abs=0.05
    )


def test_check_prints_them(files):
    roles = ["-q", ",".join(NAMES), "-c", "ill"]
    done = run("check", "release.csv", *roles)
    assert done.exit_code == 0, done.stderr
    for words in ("knowing 1", "knowing 3", "tells most", "guessing ill", "gain"):
        assert words in done.stdout
    assert "singling out" not in done.stdout
    more = ["--original", "table.csv", "--json"]
    done = run("check", "release.csv", *roles, *more)
    attacks = json.loads(done.stdout)["attacks"]
    assert attacks["singling_out"]["attack"]["n_attacks"] > 0
    assert len(attacks["subsets"]["by_size"]) == 3


def test_an_original_without_the_columns_is_refused(files):
    pl.DataFrame({"age": [1]}).write_csv("other.csv")
    done = run("check", "release.csv", "-q", "age,sex", "--original", "other.csv")
    assert done.exit_code == 2 and "'sex'" in done.stderr


def test_an_untouched_table_gives_everybody_away(files):
    table, _ = files
    table.with_columns(id=pl.Series(range(300))).write_csv("raw.csv")
    found = check_file("raw.csv", ["id", "age"], confidential="ill").attacks
    assert found.subsets.by_size[0].worst.columns == ("id",)
    assert found.subsets.by_size[0].worst.unique == 1
    assert found.inference["ill"].attack.rate == 1
    assert found.inference["ill"].risk.risk == 1


def test_wide_tables_are_drawn_from():
    assert [_size(n) for n in (1, 2, 3, 8, 12, 30, 500)] == [1, 2, 3, 3, 3, 1, 1]


def test_intervals_are_no_values_of_the_original(files):
    table, _ = files
    schema = Schema(["age", "sex", "city"], confidential=["pay", "ill"])
    anonymize(table, schema, k=5, aggregate="interval").save("intervals.csv")
    assert check_file("intervals.csv", NAMES).attacks.subsets.by_size
    with pytest.raises(InputError, match="cannot be singled out"):
        check_file("intervals.csv", NAMES, original="table.csv")
