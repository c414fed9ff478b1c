"""Everything that can be chosen, as the library says it."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields
from functools import cache
from typing import Any

COMMAND_LINE_WORDS = re.compile(r" \((repeat the option[^)]*)\)")
REFERENCE = re.compile(r"\s*\[\w+\]_")
ENTRY = re.compile(r"^(\w[\w, *]*?) : .*$")  # of a numpydoc section
OPTION_OF_ROLE = {  # where a draft has the columns of each role
    "identifier": "identifiers",
    "quasi-identifier": "quasi_identifiers",
    "confidential": "confidential",
    "other": "others",
    "left out": "others",
    "weights": "weights",
}


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
    """Methods, promises, options, roles, kinds, representatives, formats, encodings.

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
        "roles": _roles(),
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
                {
                    "name": field.name,
                    "default": None if field.default is MISSING else field.default,
                    "required": field.default is MISSING,
                    "help": described(model).get(field.name, ""),
                }
                for field in fields(model)
            ],
            "of_column": issubclass(model, CellModel),
        }
        for name, model in PROMISES.items()
    ]


def _options() -> list[dict[str, Any]]:
    from microcell.recipe import OPTIONS, Column, Recipe, Schema

    said = described(Schema) | described(Recipe)
    of_column = described(Column)
    empty: dict[str, Any] = {"pairs": {}, "names": [], "count": None}
    return [
        {
            "name": name,
            "section": spec.section,
            "help": COMMAND_LINE_WORDS.sub("", spec.help),
            "details": of_column[spec.key] if spec.by_column else said.get(name, ""),
            "choices": list(spec.choices),
            "form": spec.form,
            "group": "" if spec.of_file == "read" else spec.group,
            "of_kind": spec.of_kind,
            "default": empty[spec.form] if spec.default == () else spec.default,
        }
        for name, spec in OPTIONS.items()
        if spec.section
    ]


def _roles() -> list[dict[str, Any]]:
    from microcell.recipe import OPTIONS, Schema

    kept = first_sentence(Schema.kept_by_name), first_sentence(Schema.drops_others)
    beside = dict(zip(("other", "left out"), kept, strict=True))
    return [
        {
            "name": role,
            "option": option,
            "help": beside.get(role)
            or COMMAND_LINE_WORDS.sub("", OPTIONS[option].help),
        }
        for role, option in OPTION_OF_ROLE.items()
    ]


def _kinds() -> list[dict[str, Any]]:
    from microcell.columns import ENCODERS

    return [
        {
            "name": kind,
            "help": first_sentence(encoder),
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


def first_sentence(documented: Any) -> str:
    """What the first line of a docstring says, without its references.

    Examples
    --------
    >>> from microcell.privacy import PSensitivity
    >>> first_sentence(PSensitivity)
    'Every equivalence class has at least p distinct confidential values.'
    """
    text = inspect.getdoc(documented) or ""
    return REFERENCE.sub("", text.partition("\n")[0])


@cache
def described(documented: Any) -> dict[str, str]:
    """What a docstring says of each parameter, as one paragraph of plain text.

    Examples
    --------
    >>> from microcell.privacy import TCloseness
    >>> described(TCloseness)["t"]
    'Largest distance, between 0 and 1.'
    """
    lines = (inspect.getdoc(documented) or "").splitlines()
    found: dict[str, str] = {}
    if "Parameters" not in lines:
        return found
    names: list[str] = []
    for line in lines[lines.index("Parameters") + 2 :]:
        if line and not line.startswith(" "):
            entry = ENTRY.match(line)
            if entry is None:  # the title of the next section
                break
            names = entry[1].split(", ")
            found |= dict.fromkeys(names, "")
        for name in names if line.startswith(" ") else ():
            found[name] = f"{found[name]} {line.strip()}".lstrip()
    return {name: text.replace("``", "") for name, text in found.items()}
