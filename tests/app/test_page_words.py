"""What the page says of methods, models and options is about those that there are."""

import json
import re
from pathlib import Path

import microcell.app
from microcell._default_method import DEFAULT_METHOD
from microcell.app._catalogue import ADVISED_K, COMPARED_FIRST, SHOWN_FIRST, catalogue

PAGE = Path(microcell.app.__file__).parent / "page"
SAID = json.loads((PAGE / "texts" / "en.json").read_text("utf-8"))["protect"]
KNOWN = catalogue()
OPTIONS = {option["name"]: option for option in KNOWN["options"]}
METHODS = {method["name"]: method for method in KNOWN["methods"]}


def names_in(script, start):
    """The texts in the array or object that follows `start` in a module."""
    source = (PAGE / script).read_text("utf-8")
    body = source.split(start, 1)[1].split(";", 1)[0]
    return re.findall(r"\"([^\"]+)\"", body)


def test_recommended_methods_are_there():
    for names in (SHOWN_FIRST, COMPARED_FIRST):
        assert set(names) <= set(METHODS) - {DEFAULT_METHOD}
    for shown in ("recommended", "compared"):
        assert METHODS[DEFAULT_METHOD][shown]
        assert sum(method[shown] for method in METHODS.values()) > 3
    cards = {name for name, method in METHODS.items() if method["recommended"]}
    assert cards <= set(SAID["methods"])  # in words of our own


def test_one_k_is_advised_for_each_receiver():
    """In the app as on the page that says why."""
    advice = (Path(__file__).parents[2] / "docs/stewards/choosing-k.md").read_text()
    rows = dict(re.findall(r"^\| (\d+)[^|]*\|[^|]*\| (.*) \|$", advice, re.M))
    for receiver, words in (
        ("contract", "contract"),
        ("public", "anybody may download"),
    ):
        saying = [int(k) for k, said in rows.items() if words in said]
        assert saying == [ADVISED_K[receiver]]
        assert [said for said in rows.values() if "public file" in said] == []
    for key, receiver in (("how_trust", "contract"), ("how_public", "public")):
        assert f"{{{receiver}}}" in SAID["k"][key]
        assert not re.search(r"\d", SAID["k"][key])


def test_what_k_promises_is_not_said_of_methods_that_do_not_keep_it():
    """`meaning` is shown where k is promised; the introduction, always."""
    assert "obody" not in SAID["k"]["intro"]
    assert "obody" in SAID["k"]["meaning"] and "obody" in SAID["k"]["meaning_unit"]


def test_every_group_of_options_is_shown_and_in_words():
    shown = names_in("protect_options.js", "const GROUPS =")
    groups = {option["group"] for option in OPTIONS.values()} - {"", "column"}
    assert sorted(shown) == sorted(groups)
    assert groups <= set(SAID["groups"])


def test_options_of_columns_are_in_words():
    words = SAID["per_column"]
    of_columns = {n for n, option in OPTIONS.items() if option["group"] == "column"}
    assert of_columns and of_columns - {"clip"} <= set(words)
    assert {"low", "high"} <= set(words) and set(words["examples"]) <= of_columns
    kinds = {each["of_kind"] for each in OPTIONS.values()} - {""}
    assert all(kinds <= set(kind) for kind in KNOWN["kinds"])


def test_words_of_methods_and_their_parameters_are_about_some():
    parameters = {name for method in METHODS.values() for name in method["parameters"]}
    assert set(SAID["methods"]) <= set(METHODS)
    assert set(SAID["parameters"]) == parameters


def test_each_choice_of_an_option_is_in_words():
    for name, words in SAID["options"].items():
        choices = OPTIONS[name]["choices"]
        if choices:
            assert set(choices) <= set(words["choices"]), name
    published = {name for names in KNOWN["representatives"].values() for name in names}
    assert published <= set(SAID["options"]["aggregate"]["choices"])


def test_each_model_of_a_column_is_in_words():
    models = {each["name"] for each in KNOWN["promises"] if each["of_column"]}
    assert set(SAID["promises"]["models"]) == models
    for each in KNOWN["promises"]:
        if each["of_column"]:
            promise = SAID["promises"]["models"][each["name"]]["promise"]
            level = each["parameters"][0]["name"]
            assert f"{{{level}}}" in promise
            assert "{column}" in promise
            needed = {p["name"] for p in each["parameters"] if p["required"]}
            assert needed <= set(SAID["promises"]["parameters"])
