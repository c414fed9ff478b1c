"""What was meant by a name that nothing has: a near one, a promise, another method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from microcell.exceptions import Option, nearest_name


def meant(name: str, value: Any, known: Sequence[str]) -> list[str | Option]:
    """Words for where a name belongs that is not among `known`; none if nobody knows.

    Examples
    --------
    >>> meant("mesures", "all", ["measures", "missing"])
    ["Did you mean 'measures'?"]
    >>> meant("t", 0.2, [])
    ['It is promised: ', Option(name='promises', value={'t-closeness': 0.2}), '.']
    >>> meant("gamma", 0.2, [])
    ["It is a parameter of ['vmdav', 'lda-vmdav']."]
    """
    from microcell.methods import METHODS, method_parameters
    from microcell.privacy import MODELS

    if name in known:  # elsewhere, and not where it was given
        return ["It is an option of its own: ", Option(name, value), "."]
    guess = nearest_name(name, known)
    if guess:
        return [guess]
    words: list[str | Option] = []
    for model in MODELS:
        if fields(model)[0].name == name and not words:
            words = ["It is promised: ", Option("promises", {model.name: value}), "."]
    having = [method for method in METHODS if name in method_parameters(method)]
    if having:
        words.append(f"{' ' if words else ''}It is a parameter of {having}.")
    return words
