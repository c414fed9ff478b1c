"""Released numbers are written as the source is, with one digit more at most."""

import json
import re

import numpy as np
import polars as pl
import pytest
from commands import run
from engines.in_parts import run_in_parts, split
from marks import for_each

from microcell import Recipe, Schema, anonymize, anonymize_file, check_file
from microcell.columns._steps import MAX_WRITTEN_DECIMALS, decimals_of
from microcell.io import read_table

N = 120
QUASI = ["age", "birth_year", "height", "sex"]
SCHEMA = Schema(QUASI, confidential="cost")


def people(comma=False):
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "birth_year": rng.integers(1930, 2005, N),
            "height": rng.normal(170, 9, N).round(1),
            "sex": rng.choice(["f", "m"], N),
            "cost": rng.gamma(2, 900, N).round(2),
        }
    )
    if not comma:
        return frame
    texts = pl.col("height", "cost").cast(pl.String)
    return frame.with_columns(texts.str.replace(".", ",", literal=True))


def decimals(texts):
    return {len(re.split("[.,]", text)[1]) if re.search("[.,]", text) else 0
            for text in texts}  # fmt: skip


def test_means_have_one_digit_more_and_years_none():
    release = anonymize(people(), SCHEMA, k=7)
    table = release.table
    assert decimals(table["age"].cast(pl.String)) == {1}
    assert max(decimals(table["height"].cast(pl.String))) == 2
    assert table["birth_year"].dtype == pl.Int64
    assert table["cost"].equals(people()["cost"])
    # what was verified and measured is what is written
    sizes = table.group_by(QUASI).len()["len"]
    assert release.findings[0].found == sizes.min()
    exact = anonymize(people(), SCHEMA, k=7, digits=dict.fromkeys(QUASI[:3], 15))
    assert max(decimals(exact.table["height"].cast(pl.String))) > 5


@for_each(
    ("name", "values", "dtype", "released"),
    [
        ("year", [2011, 2012, 2012, 2012], pl.Int32, [2012] * 4),  # 2011.75
        ("Geburtsjahr", [1960, 1961, 1961, 1961], pl.Int64, [1961] * 4),
        ("year", [3, 4, 4, 4], pl.Int64, [3.8] * 4),  # of study
        ("income", [2011, 2012, 2012, 2012], pl.Int64, [2011.8] * 4),
        ("year", [2011.5, 2012, 2012, 2012], pl.Float64, [2011.88] * 4),
        ("x", [0.25, 0.5, 0.5, 0.75], pl.Float32, [0.5] * 4),
        ("x", [1 / 3, 2 / 3, 0.1, 0.2], pl.Float64, None),  # computed: as they are
        ("x", [1200.0, 1300.0, 1300.0, 1401.0], pl.Float64, [1300.2] * 4),
    ],
)
def test_what_a_column_shows_of_its_numbers(name, values, dtype, released):
    table = pl.DataFrame({name: pl.Series(values, dtype=dtype)})
    schema = Schema([name], kinds={name: "numeric"})
    wanted = [float(np.mean(values))] * 4 if released is None else released
    recipe = Recipe(schema, k=4)
    whole = anonymize(table, schema, k=4).table
    parts, _ = run_in_parts(split(table, 2, 0), recipe)
    for found in (whole[name], parts[name]):
        assert found.cast(pl.Float32).to_list() == pytest.approx(wanted, rel=1e-7)
        if released is not None and dtype != pl.Float32:
            assert found.to_list() == wanted


def test_decimals_of_what_people_write():
    assert [decimals_of(np.array(x)) for x in ([], [1e300], [-0.5, 3], [1e-12])] == [
        *(0, 0, 1),
        MAX_WRITTEN_DECIMALS,
    ]
    assert decimals_of(np.append(np.ones(5000), 0.125)) == 3
    assert decimals_of(np.array([0.1], np.float32).astype(float), single=True) == 1
    assert decimals_of(np.array([1 / 3, 2.0])) is None


@pytest.mark.parametrize("engine", ["memory", "disk"])
@pytest.mark.parametrize("source", ["masked", "beside"])
def test_decimal_comma_and_delimiter_are_those_of_the_source(tmp_path, engine, source):
    path, out, sidecar = (tmp_path / n for n in ("t.csv", "o.csv", "c.json"))
    names = QUASI if source == "masked" else ["age", "birth_year", "sex"]
    people(comma=True).select(*names, "cost").write_csv(path, separator=";")
    recipe = Recipe(
        Schema(names, confidential="cost"),
        k=7,
        decimal="," if source == "masked" else None,  # beside, costs tell it
    )
    done = anonymize_file(path, recipe, out, engine=engine, certificate=sidecar)
    header, *rows = out.read_text().splitlines()
    assert header == ";".join([*names, "cost"])
    assert all(re.fullmatch(r"[0-9]+,[0-9]", row.split(";")[0]) for row in rows)
    assert all(re.fullmatch(r"[0-9]{4}", row.split(";")[1]) for row in rows)
    assert "." not in "".join(rows) and '"' not in "".join(rows)
    costs = people(comma=True)["cost"].sort()
    assert read_table(out)["cost"].sort().equals(costs)
    found = check_file(out, recipe=done.release.recipe)
    assert found.holds and found.sizes.min() == done.release.findings[0].found
    assert json.loads(sidecar.read_text())["findings"][0]["found"] == found.sizes.min()
    others = tmp_path / "o.tsv"  # which says what separates its fields
    anonymize_file(path, recipe, others, engine=engine)
    assert others.read_text().startswith("\t".join(names))


def test_points_among_masked_numbers_are_not_commas(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "o.csv"
    mixed = people(comma=True).with_columns(height=people()["height"])
    mixed.write_csv(path, separator=";")
    anonymize_file(path, Recipe(SCHEMA, k=7), out)
    assert "." in read_table(out)["height"][0] and "," in read_table(out)["cost"][0]


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_a_release_that_says_nothing_is_no_plain_success(tmp_path, engine):
    path, out, sidecar = (tmp_path / n for n in ("t.csv", "o.csv", "c.json"))
    people().write_csv(path)
    arguments = ["anonymize", path, "-q", ",".join(QUASI), "-c", "cost", "-o", out]
    arguments += ["-k", 70, "--engine", engine, "--certificate", sidecar]
    done = run(*arguments)
    assert done.exit_code == 0
    lines = [line for line in done.stdout.splitlines() if "to decide" in line]
    assert any("all records are in one cell" in line for line in lines)
    assert done.stdout.startswith("to decide")
    decide = json.loads(sidecar.read_text())["decide"]
    assert any("all records are in one cell" in said for said in decide)
    constant = pl.DataFrame({"age": [3.0] * 20})
    assert anonymize(constant, Schema(["age"]), k=5).decide == ()
