"""What the help of an option says."""

import re
from dataclasses import dataclass

import numpy as np
import pytest

from microcell import Column, Recipe, Schema
from microcell._docstrings import described
from microcell.exceptions import InputError
from microcell.recipe._options import (
    OptionSpec,
    check_options,
    help_line,
    layout,
    option,
    options_of,
)
from microcell.recipe._recipe import OPTIONS


def test_help_names_choices_and_default():
    spec = OPTIONS["small_strata"]
    assert help_line(spec).endswith("One of error, merge. Default: error.")


def test_help_without_choices_and_default_is_the_help_alone():
    spec = OptionSpec(help="What it is.", section="method")
    assert help_line(spec) == "What it is."
    spec = OptionSpec(help="What it is.", section="method", default=0.5)
    assert help_line(spec, lambda value: f"{value:.2f}").endswith("Default: 0.50.")


@dataclass(frozen=True)
class Own:
    """Options of a test.

    Parameters
    ----------
    way : str, default="plain"
        How; "odd" is
        odd. More of it.
    most : int, optional
        How many.
    """

    way: str = option("plain", section="records", choices=("plain", "odd"))
    most: int | None = option(
        None, section="records", form="count", least=2, needs=("way", "odd")
    )
    said: str | None = option(None, section="file", key="word")
    even: int = option(0, section="file", form="count", check=lambda own, n: n - n % 2)


def test_help_is_the_first_sentence_of_the_docstring():
    helps = {name: spec.help for name, spec in options_of(Own).items()}
    assert helps["way"] == 'How; "odd" is odd.' and helps["most"] == "How many."


@pytest.mark.parametrize("owner", [Column, Schema, Recipe])
def test_docstrings_say_what_options_are(owner):
    """Each option, with its choices and its default."""
    types = dict(re.findall(r"^ *(\w+) : (.+)$", owner.__doc__, re.M))
    for name, spec in options_of(owner).items():
        assert len(spec.help.split()) > 2 and spec.help.endswith("."), name
        said = f"{types[name]} {described(owner)[name]}"
        assert all(choice in said for choice in spec.choices if name != "kind"), name
        if spec.default not in (None, (), {}):
            assert f"default={spec.default!r}".replace("'", '"') in types[name], name
    assert {*types} >= {*options_of(owner)}


def test_checks_follow_from_what_an_option_says():
    own = Own("odd", most=np.int64(5), even=7)
    check_options(own)
    assert own == Own("odd", most=5, even=6) and type(own.most) is int
    for wrong, message in (
        (Own("od"), "'way' parameter must be one of .* Did you mean 'odd'"),
        (Own("odd", most=1), "'most' parameter must be an integer >= 2. Got 1"),
        (Own("odd", most="5"), "must be an integer >= 2. Got '5'"),
        (Own(most=5), r"most=5 goes with way='odd'\. Got 'plain' instead"),
        (Own(said=5), "'said' parameter must be text. Got 5"),
        (Own(even=None), "'even' parameter must be an integer >= 0. Got None"),
    ):
        with pytest.raises(InputError, match=message):
            check_options(wrong)


def test_the_layout_follows_too():
    assert layout(options_of(Own)) == {
        "records": {"way": "way", "most": "most"},
        "file": {"word": "said", "even": "even"},
    }
