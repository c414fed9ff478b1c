"""Everything that can be chosen, as the library says it."""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from microcell._docstrings import first_sentence

OF_KINDS = ("measured", "numbers", "moments")  # what options of columns ask of kinds
SHOWN_FIRST = ("mdav", "vmdav", "mondrian", "mdav-sd")  # beside the usual method
COMPARED_FIRST = (*SHOWN_FIRST, "pcp", "zscores")
ADVISED_K = {  # by who gets the file; docs/stewards/choosing-k.md says why
    "contract": 5,
    "public": 11,
}
USUAL_K = (3, *ADVISED_K.values(), 25, 50)


@cache
def catalogue() -> dict[str, Any]:
    """Methods, promises, options, kinds, representatives, formats, encodings.

    Examples
    --------
    >>> found = catalogue()
    >>> found["methods"][0]["name"], found["methods"][0]["random"]
    ('mdav', False)
    >>> found["representatives"]["nominal"]
    ['medoid', 'mode', 'set']
    """
    from microcell.io import OFTEN_MET

    return {
        "methods": _methods(),
        "k": {"usual": list(USUAL_K), "advised": ADVISED_K},
        "promises": _promises(),
        "options": _options(),
        "kinds": _kinds(),
        "representatives": _representatives(),
        "formats": _formats(),
        "encodings": list(OFTEN_MET),
    }


def needs_target(method: str) -> bool:
    """Whether a method shapes cells by a confidential column.

    Examples
    --------
    >>> needs_target("mdav"), needs_target("lda-mdav")
    (False, True)
    """
    from microcell.recipe import method_capabilities

    return method_capabilities(method, 2).needs_target


def _methods() -> list[dict[str, Any]]:
    from microcell._default_method import DEFAULT_METHOD
    from microcell.methods import METHODS, method_parameters, methods_table
    from microcell.recipe import is_random, method_capabilities

    summaries = {name: summary for name, _, summary in methods_table()}
    abilities = {name: method_capabilities(name, 2) for name in METHODS}
    return [
        {
            "name": name,
            "summary": summaries[name],
            "parameters": method_parameters(name),
            "random": is_random(name) or can.differentially_private,
            "needs_target": can.needs_target,
            "differentially_private": can.differentially_private,
            "refinable": can.refinable,
            "usual": name == DEFAULT_METHOD,
            "recommended": name in (DEFAULT_METHOD, *SHOWN_FIRST),
            "compared": name in (DEFAULT_METHOD, *COMPARED_FIRST),
        }
        for name, can in abilities.items()
    ]


def _promises() -> list[dict[str, Any]]:
    from microcell.privacy import PROMISES, CellModel

    return [
        {
            "name": name,
            "summary": first_sentence(model),
            "parameters": [
                {"name": field.name, "required": field.default is MISSING}
                for field in fields(model)
            ],
            "of_column": issubclass(model, CellModel),
        }
        for name, model in PROMISES.items()
    ]


def _options() -> list[dict[str, Any]]:
    from microcell.recipe import OPTIONS

    empty: dict[str, Any] = {"pairs": {}, "names": [], "count": None}
    return [
        {
            "name": name,
            "help": spec.help,
            "choices": [] if spec.by_column else list(spec.choices),
            "form": spec.form,
            "group": "" if spec.of_file == "read" else spec.group,
            "of_kind": spec.of_kind,
            "default": empty[spec.form] if spec.default == () else spec.default,
        }
        for name, spec in OPTIONS.items()
        if spec.section
    ]


def _kinds() -> list[dict[str, Any]]:
    from microcell.columns import ENCODERS

    return [
        {
            "name": kind,
            **{name: getattr(encoder, name) for name in OF_KINDS},
        }
        for kind, encoder in ENCODERS.items()
    ]


def _representatives() -> dict[str, list[str]]:
    from microcell.columns import ENCODERS
    from microcell.recipe import REPRESENTATIVES

    return {
        kind: [name for name, way in REPRESENTATIVES.items() if way.fits(kind)]
        for kind in ENCODERS
    }


def _formats() -> list[dict[str, Any]]:
    from microcell.io import FORMATS

    return [
        {"suffix": suffix, "name": format.name, "writes": format.write is not None}
        for format in FORMATS
        for suffix in format.suffixes
    ]


def writable() -> list[str]:
    """Suffixes of the files that a release may be.

    Examples
    --------
    >>> ".csv" in writable()
    True
    """
    return [each["suffix"] for each in _formats() if each["writes"]]
