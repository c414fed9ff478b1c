"""A column that is not there gets its nearest neighbour, wherever it is named."""

import re

import polars as pl
import pytest
import tomli_w
from commands import run
from marks import for_each

from microcell import Recipe, Schema, anonymize, apply_recipe, inspect, measure
from microcell.exceptions import SchemaError, nearest_name
from microcell.privacy import KAnonymity, PSensitivity, View
from microcell.recipe._recipe import LAYOUT

QUASI, CONFIDENTIAL, IDENTIFIERS = ["age", "born", "sex"], ["income"], ["patient"]
ROLES = {
    "quasi_identifiers": QUASI,
    "confidential": CONFIDENTIAL,
    "identifiers": IDENTIFIERS,
}
# Each place where a column is named: how it is said in Python and on the command line,
# and what was meant. Roles are replaced by those that are given.
PLACES = {
    "quasi_identifiers": (["agee", "born"], "-q agee,born", "age"),
    "identifiers": (["patientt"], "-i patientt", "patient"),
    "confidential": (["incom"], "-c incom", "income"),
    "others": (["citty", "drop"], "--others citty,drop", "city"),
    "kinds": ({"agee": "numeric"}, "--kind agee=numeric", "age"),
    "hierarchies": ({"sexx": "f.csv"}, "--hierarchy sexx=f.csv", "sex"),
    "representatives": ({"agee": "median"}, "--representative agee=median", "age"),
    "clip": ({"agee": "18:90"}, "--clip agee=18:90", "age"),
    "digits": ({"agee": 1}, "--digits agee=1", "age"),
    "importance": ({"agee": 2}, "--importance agee=2", "age"),
    "strata": (["sexx"], "--strata sexx", "sex"),
    "unit": ("patientt", "--unit patientt", "patient"),
    "weights": ("wheight", "--weights wheight", "weight"),
    "target": ("incom", "--target incom -m mdav-sd", "income"),
    "dates": ({"bron": "%d/%m/%Y"}, "--date bron=%d/%m/%Y", "born"),
    "missing_marks": ({"agee": ["999"]}, "--missing-mark agee=999", "age"),
    "promises": (
        {"p-sensitivity": {"p": 2, "column": "incom"}},
        """--promise p-sensitivity={"p":2,"column":"incom"}""",
        "income",
    ),
}


def table():
    n = 24
    return pl.DataFrame(
        {
            "age": [str(20 + i) for i in range(n)],
            "born": [f"{1 + i:02d}/05/1980" for i in range(n)],
            "sex": ["f", "m"] * (n // 2),
            "income": [str(1000 * (i % 7)) for i in range(n)],
            "patient": [f"p{i}" for i in range(n)],
            "weight": [str(1 + i % 3) for i in range(n)],
            "city": ["Rome", "Oslo"] * (n // 2),
        }
    )


def entries(place=None):
    """Options of a release in which one place names a column that is not there."""
    right = ROLES | {"others": "drop", "k": 3, "dates": {"born": "%d/%m/%Y"}}
    if place is None:
        return right
    wrong = {"method": "mdav-sd"} if place == "target" else {}
    return right | wrong | {place: PLACES[place][0]}


def test_the_table_is_released_where_all_names_are_right():
    assert apply_recipe(table(), Recipe.of(entries())).findings[0].holds


@for_each("place", PLACES)
def test_in_python(place):
    with pytest.raises(SchemaError, match=meaning(PLACES[place][2])):
        apply_recipe(table(), Recipe.of(entries(place)))


def meaning(name):
    return re.escape(f"Did you mean '{name}'?")


def recipe_file(path, place=None):
    """A recipe file, with a wrong name in one place."""
    contents = Recipe.of(entries()).to_dict()
    for section, keys in LAYOUT.items():
        for key, name in keys.items():
            if name == place:
                entry = PLACES[place][0]
                if section == "columns":
                    for column, value in entry.items():
                        contents[section].setdefault(column, {})[key] = value
                elif section == key:
                    contents[section] = entry
                else:
                    contents[section] |= {key: entry}
    if place == "target":
        contents["method"]["name"] = "mdav-sd"
    path.write_text(tomli_w.dumps(contents))
    return path


@pytest.mark.parametrize("where", ["in the recipe", "as an option"])
@pytest.mark.parametrize("place", PLACES)
def test_on_the_command_line(place, where, tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "o.csv"
    table().write_csv(path)
    _, given, meant = PLACES[place]
    in_recipe = where == "in the recipe"
    recipe = recipe_file(tmp_path / "r.toml", place if in_recipe else None)
    words = [] if in_recipe else given.split(" ")
    command = ["anonymize", str(path), "--recipe", str(recipe), *words, "-o", str(out)]
    done = run(*command)
    assert done.exit_code == 2, done.output
    assert f"Did you mean '{meant}'?" in done.stderr
    assert not out.exists()


def test_in_the_schema_alone():
    for place in ("kinds", "hierarchies"):
        with pytest.raises(SchemaError, match="Did you mean"):
            Schema(QUASI, **{place: PLACES[place][0]})


@pytest.mark.parametrize("option", ["unit", "weights"])
def test_in_measure(option):
    frame = table().select("age", "patient", "weight")
    given = {option: PLACES[option][0]}
    with pytest.raises(SchemaError, match=meaning(PLACES[option][2])):
        measure(frame, frame, ["age"], aligned=True, **given)
    with pytest.raises(SchemaError, match=meaning("age")):
        measure(frame, frame, ["agee"])
    with pytest.raises(SchemaError, match=meaning("agee")):
        measure(frame, frame.rename({"age": "agee"}), ["age"])


def test_in_promises_and_views():
    with pytest.raises(SchemaError, match=meaning("age")):
        anonymize(
            table().select("age"),
            Schema(["age"]),
            k=3,
            promises=KAnonymity(2, ["agee"]),
        )
    view = View(table(), ["age"], confidential=["income"])
    with pytest.raises(SchemaError, match=meaning("income")):
        PSensitivity(2, "incom").verify(view)


def test_in_an_inspection():
    with pytest.raises(SchemaError, match=meaning("age")):
        inspect(table())["agee"]


def test_in_views_of_a_method():
    with pytest.raises(ValueError, match=meaning("born")):
        anonymize(
            table(),
            Schema(QUASI, others="drop", kinds={"sex": "nominal"}),
            k=3,
            method="ctca",
            views=[["age"], ["bron", "sex"]],
            dates={"born": "%d/%m/%Y"},
        )


def test_a_mark_that_is_no_name_stays_a_mark():
    from microcell.cli._options import parse_marks

    assert parse_marks(["n=0", "age=9"], ["age"]) == {"*": ["", "n=0"], "age": ["9"]}


@pytest.mark.parametrize(
    ("name", "meant"), [("AGE", "Age"), ("agee", "Age"), ("xyz", None)]
)
def test_letter_case_does_not_count(name, meant):
    guess = nearest_name(name, ["Age", "sex"])
    assert guess == ("" if meant is None else f"Did you mean '{meant}'?")
