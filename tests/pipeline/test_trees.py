"""Codes with a hierarchy from table to verified release, file and measure."""

import json

import numpy as np
import polars as pl
import pytest
from commands import run
from marks import for_each
from tables import seed_of

from microcell import METHODS, Recipe, Schema, anonymize, anonymize_file, measure
from microcell.exceptions import InputError, SchemaError
from microcell.privacy import PSensitivity
from microcell.release import apply_recipe

ICD = {
    "E11": ["E11", "E", "*"],
    "E112": ["E11", "E", "*"],
    "E113": ["E11", "E", "*"],
    "I10": ["I1", "I", "*"],
    "I21": ["I2", "I", "*"],
    "J45": ["J4", "J", "*"],
}
ZIPS = ["03741", "03748", "03755", "10001", "10002", "90210"]


def patients(n=80, seed=0):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "zip": rng.choice(ZIPS, n),
            "icd": rng.choice(list(ICD), n),
            "age": rng.integers(20, 80, n),
            "ill": rng.choice(["no", "yes"], n),
        }
    )


SCHEMA = Schema(
    ["zip", "icd", "age"],
    confidential="ill",
    kinds={"zip": "prefix"},
    hierarchies={"icd": ICD},
)


def is_inside(group, code):
    """Whether a released zip stands for a code."""
    return all(a in (b, "*") for a, b in zip(group, code, strict=True))


@for_each("name", [name for name in METHODS if name != "dp-microaggregation"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_method(name):
    table = patients()
    release = anonymize(table, SCHEMA, k=4, method=name, **seed_of(METHODS[name]))
    pairs = zip(release.table["zip"], table["zip"], strict=True)
    assert all(is_inside(group, code) for group, code in pairs)
    assert release.kinds == {"zip": "prefix", "icd": "hierarchy", "age": "numeric"}
    again = measure(
        table,
        release.table,
        SCHEMA.quasi_identifiers,
        kinds=SCHEMA.kinds,
        hierarchies=SCHEMA.hierarchies,
    )
    assert {n: again[n] for n in release.scores if n in again} == {
        n: release.scores[n] for n in again
    }


@for_each(
    "options",
    [
        {"aggregate": "interval"},
        {"aggregate": "median", "scale": "robust"},
        {"promises": [PSensitivity(2)]},
        {"strata": "zip", "small_strata": "merge"},
        {"importance": {"zip": 5, "icd": 0.5}},
    ],
)
def test_with_other_options(options):
    release = anonymize(patients(), SCHEMA, k=4, **options)
    assert release.findings[0].found >= 4


def test_units():
    table = patients(90).with_columns(name=pl.Series(np.arange(90) // 2))
    schema = Schema(["zip", "age"], "name", others="drop", kinds={"zip": "prefix"})
    release = anonymize(table, schema, k=3, unit="name")
    assert release.findings[0].found >= 3


def test_near_unique_codes_are_fine():
    codes = [f"{i:05d}" for i in range(300)]
    table = pl.DataFrame({"zip": codes, "age": np.arange(300) % 50})
    release = anonymize(table, Schema(["zip", "age"], kinds={"zip": "prefix"}), k=3)
    assert release.table["zip"].str.ends_with("*").all()
    with pytest.raises(SchemaError, match="alone with their category"):
        anonymize(table, Schema(["zip", "age"], kinds={"zip": "nominal"}), k=3)


def test_a_notice_if_most_codes_are_lost():
    table = pl.DataFrame({"zip": list("abcdefghij") * 3, "age": np.arange(30)})
    schema = Schema(["zip", "age"], kinds={"zip": "prefix"})
    release = anonymize(table, schema, k=10, importance={"age": 100})
    assert any("'zip' is released as '*'" in notice for notice in release.notices)
    assert not anonymize(table, schema, k=3, importance={"zip": 100}).notices


def test_one_code_stays():
    table = pl.DataFrame({"zip": ["03741"] * 12, "age": np.arange(12)})
    release = anonymize(table, Schema(["zip", "age"], kinds={"zip": "prefix"}), k=3)
    assert set(release.table["zip"]) == {"03741"} and not release.notices
    release = anonymize(
        table, Schema("zip", others="drop", kinds={"zip": "prefix"}), k=3
    )
    assert set(release.table["zip"]) == {"03741"}


def test_a_group_of_another_tree_cannot_be_measured():
    table = patients().select("zip")
    wrong = table.with_columns(zip=pl.lit("0****"))
    with pytest.raises(SchemaError, match="neither a value of the original nor"):
        measure(table, wrong, "zip", kinds={"zip": "prefix"})


def test_schemas():
    with pytest.raises(SchemaError, match="of kind 'hierarchy', but there is none"):
        Schema("icd", kinds={"icd": "hierarchy"})
    with pytest.raises(SchemaError, match="has a hierarchy, and its kind is 'numeric'"):
        Schema("icd", kinds={"icd": "numeric"}, hierarchies={"icd": ICD})
    with pytest.raises(SchemaError, match="'ill', which is not a quasi-identifier"):
        Schema("icd", confidential="ill", hierarchies={"ill": ICD})
    with pytest.raises(SchemaError, match="confidential: the kind 'prefix' says"):
        Schema("icd", confidential="ill", kinds={"ill": "prefix"})
    with pytest.raises(SchemaError, match="must be a file or a mapping"):
        Schema("icd", hierarchies={"icd": 3})
    with pytest.raises(SchemaError, match="must map columns to values"):
        Schema("icd", hierarchies="icd.csv")
    assert Schema("icd", hierarchies={"icd": ICD}).kinds == {"icd": "hierarchy"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a table, and a hierarchy one folder deeper."""
    patients().write_csv(tmp_path / "patients.csv")
    (tmp_path / "codes").mkdir()
    lines = [";".join([value, *groups]) for value, groups in ICD.items()]
    (tmp_path / "codes" / "icd.csv").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


ROLES = ["-q", "zip,icd,age", "-c", "ill", "--kind", "zip=prefix"]


def test_from_file_to_file(folder):
    done = run(
        "anonymize", "patients.csv", "-k", 4, *ROLES, "--hierarchy",
        "icd=codes/icd.csv", "--importance", "zip=2", "-o", "out.csv",
        "--certificate", "c.json", "--write-recipe", "recipes.toml", "--order", "keep",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    released = pl.read_csv(folder / "out.csv", infer_schema=False)
    expected = anonymize(patients(), SCHEMA, k=4, importance={"zip": 2}).table
    assert released["zip"].to_list() == expected["zip"].to_list()
    assert released["icd"].to_list() == expected["icd"].to_list()

    sidecar = (folder / "c.json").read_text()
    assert json.loads(sidecar)["recipe"]["columns"]["icd"]["hierarchy"] == "icd.csv"
    assert "codes/" not in sidecar and "E113" not in sidecar

    scores = run(
        "measure", "patients.csv", "out.csv", "-q", "zip,icd,age", "--kind",
        "zip=prefix", "--hierarchy", "icd=codes/icd.csv", "--json",
    )  # fmt: skip
    assert scores.exit_code == 0, scores.stderr
    told = json.loads(sidecar)["scores"]
    assert json.loads(scores.stdout) == pytest.approx(told)


def test_a_recipe_names_files_beside_it(folder, monkeypatch):
    schema = Schema(
        ["zip", "icd", "age"],
        confidential="ill",
        kinds={"zip": "prefix"},
        hierarchies={"icd": "codes/icd.csv"},
    )
    recipe = Recipe(schema, k=4)
    assert 'hierarchy = "codes/icd.csv"' in recipe.to_toml()
    for place in ("r.toml", "codes/r.toml"):
        anonymize_file("patients.csv", recipe, "one.csv", write_recipe=place)
        monkeypatch.chdir("/")
        again = Recipe.from_toml(folder / place)
        release = apply_recipe(patients(), again)
        assert set(release.table["icd"]) <= {*ICD, "E11*", "E", "I", "*"}
        done = run(
            "anonymize", folder / "patients.csv", "--recipe", folder / place,
            "-o", folder / "two.csv", "--overwrite",
        )  # fmt: skip
        assert done.exit_code == 0, done.stderr
        monkeypatch.chdir(folder)
        assert (folder / "two.csv").read_bytes() == (folder / "one.csv").read_bytes()
        (folder / "one.csv").unlink()
    written = (folder / "codes/r.toml").read_text()
    assert 'hierarchy = "icd.csv"' in written and str(folder) not in written


def test_a_mapping_in_a_recipe_file(tmp_path):
    recipe = Recipe(SCHEMA, k=4)
    (tmp_path / "r.toml").write_text(recipe.to_toml())
    assert Recipe.from_toml(tmp_path / "r.toml") == recipe
    release = apply_recipe(patients(), tmp_path / "r.toml")
    assert "E113" not in str(release.certificate()["recipe"])


def test_a_file_that_is_not_there(folder):
    done = run(
        "anonymize", "patients.csv", "-k", 4, *ROLES, "--hierarchy", "icd=no.csv",
        "-o", "out.csv",
    )  # fmt: skip
    assert done.exit_code == 2 and "there is no file 'no.csv'" in done.stderr
    assert not (folder / "out.csv").exists()
    done = run("anonymize", "patients.csv", "-k", 4, *ROLES, "--hierarchy", "icd",
               "-o", "out.csv")  # fmt: skip
    assert "--hierarchy takes NAME=FILE" in done.stderr


def test_text_tables_keep_codes(folder):
    """All columns are text; 01 stays 01 and 10 stays text."""
    table = pl.DataFrame({"zip": ["01", "02", "10", "11"], "age": ["1", "2", "8", "9"]})
    schema = Schema(["zip", "age"], kinds={"zip": "prefix"})
    release = anonymize(table, schema, k=2)
    assert release.table.rows() == [("0*", 1.5)] * 2 + [("1*", 8.5)] * 2
    with pytest.raises(InputError, match="leading zeros"):
        anonymize(table.cast(pl.Int64), schema, k=2)
