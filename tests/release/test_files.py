"""One recipe through every interface: the same release."""

import hashlib
import hmac
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from commands import run

from microcell import (
    PrivacyError,
    Recipe,
    Schema,
    SchemaError,
    anonymize,
    anonymize_file,
    apply_recipe,
    check_file,
    measure,
    measure_files,
)
from microcell.columns import MISSING_MARKS
from microcell.exceptions import InputError
from microcell.io import read_table
from microcell.privacy import PSensitivity

RECIPE = Recipe(
    Schema(["age", "zip", "day"], identifiers="name", confidential="ill"),
    k=4,
    missing="drop",
)


@pytest.fixture
def table(tmp_path):
    """163 people, among them numbers with missing ones, codes and dates as text."""
    rng = np.random.default_rng(0)
    ages = [str(a) for a in rng.permutation(163)]
    ages[5] = "NA"
    rows = [
        f"n{i},{age},0{rng.integers(1, 4)}139,2024-01-{rng.integers(10, 28)},{ill}"
        for i, (age, ill) in enumerate(
            zip(ages, rng.choice(["flu", "gout"], 163), strict=True)
        )
    ]
    path = tmp_path / "p.csv"
    path.write_text("name,age,zip,day,ill\n" + "\n".join(rows) + "\n")
    return path


def test_one_recipe_gives_the_same_release_through_every_interface(table, tmp_path):
    """A number column of a text table once counted as 163 categories in the API."""
    toml = tmp_path / "r.toml"
    toml.write_text(RECIPE.to_toml())
    text = read_table(table)
    releases = {
        "polars": apply_recipe(text, RECIPE),
        "pandas": apply_recipe(text.to_pandas(), RECIPE),
        "pyarrow": apply_recipe(text.to_arrow(), toml),
    }
    for name, release in releases.items():
        assert release.kinds == {"age": "numeric", "zip": "nominal", "day": "date"}
        assert release.n_dropped == 1
        release.save(tmp_path / f"{name}.csv")
    anonymize_file(table, toml, tmp_path / "file.csv")
    arguments = ["anonymize", table, "--recipe", toml, "-o", tmp_path / "cli.csv"]
    done = run(*arguments)
    assert done.exit_code == 0, done.stderr
    digests = {
        hashlib.sha256((tmp_path / f"{interface}.csv").read_bytes()).hexdigest()
        for interface in (*releases, "file", "cli")
    }
    assert len(digests) == 1


def test_text_with_types_beside_it_stays_text():
    table = pl.DataFrame({"zip": ["90210", "10001"] * 3, "n": range(6)})
    release = anonymize(table, Schema(["zip"], others="drop"), k=3)
    assert release.kinds == {"zip": "nominal"}
    release = anonymize(table.select("zip"), Schema(["zip"]), k=3)
    assert release.kinds == {"zip": "nominal"}  # two values are codes
    texts = pl.DataFrame({"zip": ["90210", "10001", "55555", "44444"]})
    assert anonymize(texts, Schema(["zip"]), k=2).kinds == {"zip": "numeric"}
    as_words = Schema(["zip"], kinds={"zip": "nominal"})
    assert anonymize(texts, as_words, k=2).kinds == {"zip": "nominal"}


def test_moments_are_written_as_they_were_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("at\n" + "".join(f"2024-01-01 10:{m}\n" for m in (10, 12, 40, 42)))
    anonymize_file(path, Recipe(Schema(["at"]), k=2), tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text().split("\n")[1:3] == ["2024-01-01 10:11"] * 2


def test_the_source_is_known_by_its_hash_alone(table, tmp_path):
    sidecars = {"certificate": tmp_path / "c.json"}
    certificate = anonymize_file(
        table, RECIPE, tmp_path / "o.csv", **sidecars
    ).certificate
    key = bytes.fromhex(json.loads((tmp_path / "c.source-key.json").read_text())["key"])
    digest = hmac.digest(key, table.read_bytes(), "sha256").hex()
    assert certificate["source"] == {"hmac_sha256": digest}
    assert "p.csv" not in str(certificate)


def test_check_file(table, tmp_path):
    out = tmp_path / "o.csv"
    anonymize_file(table, RECIPE, out)
    check = check_file(out, ["age", "zip", "day"], k=4)
    assert check.holds and check.sizes.min() >= 4 and check.n_records == 162
    assert not check_file(out, ["age", "zip", "day"], k=100).holds
    assert check_file(out, recipe=RECIPE).holds
    promised = check_file(
        out, ["age", "zip", "day"], confidential="ill", promises=[PSensitivity(3)]
    )
    assert not promised.holds and promised.findings[0].found <= 2
    with pytest.raises(InputError, match="Give it, or the options"):
        check_file(out, "age", recipe=RECIPE)
    with pytest.raises(SchemaError, match="Did you mean 'age'"):
        check_file(out, "agee")
    units = Recipe(Schema(["age"], identifiers="name"), k=4, unit="name")
    assert (
        "which a release does not hold" in check_file(out, recipe=units).not_checked[0]
    )


def test_measure_files_after_records_were_dropped(table, tmp_path):
    out = tmp_path / "o.csv"
    release = anonymize_file(table, replace(RECIPE, order="keep"), out).release
    names = list(RECIPE.schema.quasi_identifiers)
    assert measure_files(table, out, names, missing="drop") == release.scores
    typed = pl.read_csv(table, null_values=list(MISSING_MARKS), try_parse_dates=True)
    assert typed["age"].null_count() == 1
    with pytest.raises(SchemaError, match=r"'age' \(1\)"):
        measure(typed, release.table, "age")
    assert measure(typed, release.table, "age", missing="drop")["sse_loss"] > 0
    done = run(
        "measure", str(table), str(out), "-q", "age,zip,day", "--missing", "drop"
    )
    assert done.exit_code == 0 and "information loss" in done.stdout


def test_errors_name_the_file(table, tmp_path):
    table.write_text(table.read_text().replace("\nn3,", "\nn3,x"))
    with pytest.raises(SchemaError, match=r"p\.csv: Column 'age' looks like numbers"):
        anonymize_file(table, RECIPE, tmp_path / "o.csv")


def test_an_output_that_is_an_input(table):
    with pytest.raises(InputError, match="is also an input"):
        anonymize_file(table, RECIPE, table, overwrite=True)


def test_nothing_is_written_if_the_promise_fails(table, tmp_path, monkeypatch):
    from microcell.columns import Prepared

    honest = Prepared.restore

    def careless(self, X_released, *shown):
        spoiled = X_released.copy()
        spoiled[0, 0] += 0.5
        return honest(self, spoiled)

    monkeypatch.setattr(Prepared, "restore", careless)
    with pytest.raises(PrivacyError):
        anonymize_file(table, RECIPE, tmp_path / "o.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["p.csv"]


def test_pandas_text_may_have_a_filtered_index(table):
    text = read_table(table).to_pandas()
    half = text[text.index % 2 == 0]
    release = apply_recipe(half, RECIPE)
    assert isinstance(release.table, pd.DataFrame)
    assert release.table.index.tolist() == list(range(len(release.table)))
