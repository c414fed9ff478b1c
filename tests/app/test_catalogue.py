"""Whatever the library knows can be chosen, and nothing else."""

import json
from dataclasses import MISSING, fields

from marks import for_each

from microcell.app._catalogue import catalogue, first_sentence
from microcell.columns import ENCODERS
from microcell.io import FORMATS
from microcell.methods import METHODS, method_parameters
from microcell.privacy import PROMISES
from microcell.recipe._recipe import OPTIONS

FOUND = catalogue()


def by_name(what):
    return {entry["name"]: entry for entry in FOUND[what]}


def test_it_is_plain_data():
    assert json.loads(json.dumps(FOUND)) == FOUND


def test_every_name_of_the_library_is_there():
    assert list(by_name("methods")) == list(METHODS)
    assert list(by_name("promises")) == list(PROMISES)
    flat = [name for name, spec in OPTIONS.items() if spec.section]
    assert list(by_name("options")) == flat
    assert list(by_name("kinds")) == list(FOUND["representatives"]) == list(ENCODERS)
    suffixes = {suffix for format in FORMATS for suffix in format.suffixes}
    assert {entry["suffix"] for entry in FOUND["formats"]} == suffixes


@for_each("what", ["methods", "promises", "options"])
def test_everything_is_explained_in_a_sentence(what):
    for entry in FOUND[what]:
        said = entry.get("summary", entry.get("help"))
        assert len(said.split()) > 2 and said.endswith(".")
        assert "repeat the option" not in said and "]_" not in said


def test_methods_say_what_they_need():
    methods = by_name("methods")
    for name, entry in methods.items():
        assert entry["parameters"] == method_parameters(name)
    assert methods["lda-mdav"]["needs_target"] and not methods["mdav"]["needs_target"]
    assert methods["random-aggregation"]["random"] and not methods["mdav"]["random"]
    private = [
        name for name, entry in methods.items() if entry["differentially_private"]
    ]
    assert private == ["dp-microaggregation"]


def test_promises_can_be_made_of_their_parameters():
    for name, entry in by_name("promises").items():
        required = [p["name"] for p in entry["parameters"] if p["required"]]
        own = [f.name for f in fields(PROMISES[name]) if f.default is MISSING]
        assert required == own
        column = "column" in [p["name"] for p in entry["parameters"]]
        assert entry["of_column"] == column


def test_options_have_the_defaults_of_a_recipe():
    for entry in FOUND["options"]:
        if entry["choices"]:
            assert entry["default"] in entry["choices"]
    assert by_name("options")["kinds"]["default"] == {}
    assert by_name("options")["k"]["default"] is None
    assert by_name("options")["missing"]["default"] == "error"


def test_a_sentence_has_no_references():
    def documented():
        """Do something [1]_."""

    assert first_sentence(documented) == "Do something."
