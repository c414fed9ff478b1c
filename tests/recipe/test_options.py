"""What the help of an option says."""

import inspect
import re
from dataclasses import dataclass, fields

import numpy as np
import pytest

from microcell.exceptions import InputError
from microcell.recipe import Column, Recipe, Schema
from microcell.recipe._options import (
    OptionSpec,
    check_options,
    help_line,
    layout,
    option,
    options_of,
)
from microcell.recipe._recipe import OPTIONS


def test_every_option_is_explained_where_it_is_declared():
    for name, spec in OPTIONS.items():
        owner, said = (Column, spec.key) if spec.by_column else (Recipe, name)
        if said in (field.name for field in fields(Schema)):
            owner = Schema
        text = inspect.getdoc(owner)
        assert re.search(rf"^(\w+, )*{said}(, \w+)* : ", text, re.M), name


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
    """Options of a test."""

    way: str = option("plain", "How.", section="records", choices=("plain", "odd"))
    most: int | None = option(
        None,
        "How many.",
        section="records",
        form="count",
        least=2,
        needs=("way", "odd"),
    )
    said: str | None = option(None, "What.", section="file", key="word")
    even: int = option(
        0, "Even.", section="file", form="count", check=lambda own, n: n - n % 2
    )


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
