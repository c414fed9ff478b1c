"""What a browser says is data: it imports, reads and seeds nothing."""

import datetime as dt
import sys

import pytest

from microcell.app import _vetting
from microcell.app._vetting import vet
from microcell.exceptions import InputError
from microcell.recipe import Recipe

PLAIN = {"quasi_identifiers": ["age", "icd"], "k": 5}
INSIDE = "data/icd.csv"


def allowed(tmp_path):
    def allowed_path(text):
        if text != INSIDE:
            raise InputError(f"{text!r} is not below a folder that the app was given.")
        return tmp_path / "icd.csv"

    return allowed_path


def vetted(entries, tmp_path):
    return vet(PLAIN | entries, allowed(tmp_path))


@pytest.mark.parametrize(
    "method",
    [
        "os:system",
        "microcell.methods:mdav",
        "this:s",
        "antigravity:geohash",
        "MDAV",
        "",
        None,
        5,
        ["mdav"],
        {"mdav": 1},
    ],
)
def test_a_method_is_a_name_of_the_library(method, tmp_path):
    before = set(sys.modules)
    with pytest.raises(InputError, match="must be one of") as refused:
        vetted({"method": method}, tmp_path)
    assert refused.value.option == "method"
    assert not {"this", "antigravity"} & (set(sys.modules) - before)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../icd.csv", "data/../../x", "sqlite:///x.db::t", ""]
)
def test_files_are_those_that_are_allowed(path, tmp_path):
    for entries in (
        {"hierarchies": {"icd": path}},
        {"promises": {"k-map": {"k": 3, "population": path}}},
        {"promises": {"k-map": [{"k": 3, "population": path}]}},
        {"promises": {"delta-presence": {"most": 0.5, "population": path}}},
    ):
        with pytest.raises(InputError, match="not below a folder"):
            vetted(entries, tmp_path)


@pytest.mark.parametrize("population", [["data/icd.csv"], {"a": 1}, 5, None])
def test_a_population_is_a_file(population, tmp_path):
    with pytest.raises(InputError, match="a population is a file"):
        vetted({"promises": {"k-map": {"k": 3, "population": population}}}, tmp_path)


def test_allowed_files_become_their_paths(tmp_path):
    found = vetted(
        {
            "hierarchies": {"icd": INSIDE},
            "promises": {"k-map": {"k": 3, "population": INSIDE}},
        },
        tmp_path,
    )
    place = str(tmp_path / "icd.csv")
    assert found["hierarchies"] == {"icd": place}
    assert found["promises"]["k-map"]["population"] == place
    assert Recipe.of(found).schema.hierarchies == {"icd": place}


def test_files_are_allowed_under_their_columns_too(tmp_path):
    found = vetted({"columns": {"icd": {"hierarchy": INSIDE}}}, tmp_path)
    assert found["columns"] == {"icd": {"hierarchy": str(tmp_path / "icd.csv")}}
    with pytest.raises(InputError):
        vetted({"columns": {"icd": {"hierarchy": "/etc/hostname"}}}, tmp_path)


def test_groups_may_be_said_in_the_recipe(tmp_path):
    groups = {"E10": ["E1", "*"], "population": ["people", "*"]}
    entries = {
        "hierarchies": {"icd": groups},
        "confidential": ["ill"],
        "promises": {"t-closeness": {"t": 0.2, "hierarchy": groups}},
    }
    found = vetted(entries, tmp_path)
    assert found == PLAIN | entries
    assert Recipe.of(found).schema.hierarchies == {"icd": groups}


@pytest.mark.parametrize(
    "entries",
    [
        {"random_state": 0},
        {"method": "random-aggregation", "random_state": 7},
        {"method": "random-aggregation", "parameters": {"random_state": 7}},
        {"parameters": {"seed": 7}},
    ],
)
def test_no_seed(entries, tmp_path):
    with pytest.raises(InputError, match="undo the noise") as refused:
        vetted(entries, tmp_path)
    assert refused.value.option == "random_state"


def test_no_seed_is_none(tmp_path):
    assert vetted({"random_state": None}, tmp_path)["random_state"] is None


@pytest.mark.parametrize("name", ["missin", "schema", "__class__", "engine", "output"])
def test_unknown_options_have_the_librarys_sentence(name, tmp_path):
    with pytest.raises(InputError, match=f"The recipe has no key '{name}'"):
        vetted({name: "drop"}, tmp_path)


@pytest.mark.parametrize("entries", [None, [], "k = 5", 5])
def test_a_draft_is_a_table(entries, tmp_path):
    with pytest.raises(InputError, match="table of options"):
        vet(entries, allowed(tmp_path))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (dt.date(2024, 1, 1), "Got a date"),
        (b"x", "Got a bytes"),
        (float("nan"), "finite"),
        (float("inf"), "finite"),
        ("\ud800", "is no text"),
        ("x" * 10_001, "10001 characters"),
    ],
)
def test_only_plain_data(value, words, tmp_path):
    for entries in ({"kinds": {"age": [value]}}, {"sheet": value}):
        with pytest.raises(InputError, match=words):
            vetted(entries, tmp_path)


def test_names_of_columns_are_looked_at_too(tmp_path):
    with pytest.raises(InputError, match="is no text"):
        vetted({"kinds": {"\udcff": "nominal"}}, tmp_path)


def test_nothing_is_nested_without_end(tmp_path):
    deep = value = []
    for _ in range(100_000):
        value.append([])
        value = value[0]
    with pytest.raises(InputError, match="too deeply"):
        vetted({"kinds": {"age": deep}}, tmp_path)


def test_nothing_is_larger_than_the_page_needs(tmp_path, monkeypatch):
    names = {"quasi_identifiers": [f"column {i}" for i in range(1000)]}
    assert vetted(names, tmp_path)
    monkeypatch.setattr(_vetting, "MAX_DRAFT_SIZE", 5000)
    with pytest.raises(InputError, match="too much"):
        vetted(names, tmp_path)


def test_what_was_proposed_passes(tmp_path):
    entries = {
        "quasi_identifiers": ["age"],
        "confidential": ["ill"],
        "others": ["town", "drop"],
        "kinds": {"age": "numeric"},
        "k": 5,
        "method": "vmdav",
        "parameters": {"gamma": 0.5},
        "promises": {"p-sensitivity": 2, "t-closeness": {"t": 0.4, "column": "ill"}},
        "missing_marks": {"age": ["999"]},
        "clip": {"age": [18, 90]},
        "measures": "quick",
    }
    assert vet(entries, allowed(tmp_path)) == entries
    assert Recipe.of(vet(entries, allowed(tmp_path))).k == 5
