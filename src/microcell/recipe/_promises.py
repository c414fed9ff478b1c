"""Promises as a recipe file has them: by name, with their parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from microcell.exceptions import InputError, ParameterError, nearest_name
from microcell.recipe._written import plain

if TYPE_CHECKING:
    from microcell.privacy import Promise


def as_promises(promises: Any) -> tuple[Promise, ...]:
    """Promises from objects, or from names and parameters as a recipe file has them."""
    from microcell.privacy import PROMISES, Promise

    if isinstance(promises, Mapping):
        made: list[Promise] = []
        for name, values in promises.items():
            if name not in PROMISES:
                hint = f"{nearest_name(name, PROMISES)} There are {list(PROMISES)}."
                words = f"There is no promise {name!r}."
                raise InputError(words, option="promises", hint=hint.lstrip())
            several = values if isinstance(values, list) else [values]
            made += [_promise(PROMISES[name], value) for value in several]
        return tuple(made)
    promises = (promises,) if isinstance(promises, Promise) else promises
    if isinstance(promises, str) or not isinstance(promises, Sequence):
        promises = [promises]
    for promise in promises:
        if not isinstance(promise, Promise):
            raise InputError(
                f"'promises' holds promises. Got {promise!r} instead.",
                option="promises",
                hint=f"There are {list(PROMISES)}.",
            )
    return tuple(promises)


def _promise(model: type[Promise], value: Any) -> Promise:
    try:
        return model.from_dict(value)
    except ParameterError as error:  # a method may have a parameter of that name
        raise InputError(
            f"{error.option!r} of the promise {model.name!r} {error.requirement}",
            option="promises",
            hint=error.hint,
        ) from None
    except TypeError:
        raise InputError(
            f"The promise {model.name!r} cannot be made of {value!r}.",
            option="promises",
            hint=f"{_parameter_guess(model, value)} Give it one parameter, or a table "
            "of its parameters by name.".lstrip(),
        ) from None


def _parameter_guess(model: type[Promise], value: Any) -> str:
    known = [field.name for field in fields(model)]  # type: ignore[arg-type]
    unknown = [n for n in value if n not in known] if isinstance(value, dict) else []
    return nearest_name(unknown[0], known) if unknown else ""


def written_promises(promises: Sequence[Promise]) -> dict[str, Any]:
    """Promises by name; several of one model are a list.

    Examples
    --------
    >>> from microcell.privacy import PSensitivity
    >>> written_promises([PSensitivity(2, "ill"), PSensitivity(3, "job")])
    {'p-sensitivity': [{'p': 2, 'column': 'ill'}, {'p': 3, 'column': 'job'}]}
    """
    written: dict[str, list[Any]] = {}
    for promise in promises:
        written.setdefault(promise.name, []).append(plain(promise.to_dict()))
    return {name: v[0] if len(v) == 1 else v for name, v in written.items()}
