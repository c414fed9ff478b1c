"""Which recipes are compared: methods, their parameters and values of k."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any

from microcell._validation import check_k
from microcell.exceptions import InputError, ParameterError, nearest_name
from microcell.methods import COMPARED, METHODS
from microcell.recipe import (
    OPTIONS,
    Recipe,
    Schema,
    is_random,
    meant,
    method_capabilities,
    method_name,
    own_parameters,
    refuse_of_schema,
    resolve_method,
)

DIFFERENTIALLY_PRIVATE = (
    "It is differentially private, and figures of what it gives would be computed from "
    "the original."
)
TAKES_LONG = "It takes long, so it is tried only if it is named."
NO_TARGET = "It shapes cells by a confidential column, and there is none."


class Grid:
    """Methods, values of k and parameters, checked, and the options common to all.

    Parameters
    ----------
    schema : Schema
    methods : sequence, optional
        As `Recipe.method`; by default all of the library but "best", which takes long.
    k : int or sequence of int
    grid : mapping, optional
        Values to try of parameters: ``{"vmdav": {"gamma": [0.1, 0.5]}}``, or
        ``{"gamma": [0.1, 0.5]}`` for every method that has one of this name.
    options : mapping
        Options of a release that all share. A parameter of a method is that of every
        method that has it; `target` and `random_state` go to those that use them.
    label : str, optional
        What models learn: the target of methods that need one, if no other is given.

    Attributes
    ----------
    recipes : list of Recipe
        Without a seed.
    left_out : dict of str to str
        What cannot be compared, and why.
    seed : int or None
        Of the methods that draw.
    """

    def __init__(
        self,
        schema: Schema,
        methods: Any,
        k: Any,
        grid: Mapping[str, Any] | None,
        options: Mapping[str, Any],
        label: str | None = None,
    ) -> None:
        self.label = label if label in schema.confidential else None
        self.ks = [check_k(each, least=2) for each in as_list(k, "k")]
        self.methods = [
            resolve_method(m)
            for m in (COMPARED if methods is None else as_list(methods, "methods"))
        ]
        shared, parameters = _split(options)
        self.seed = shared.pop("random_state", None)
        self.target = shared.pop("target", None)
        self.shared = {"schema": schema, **shared}
        self.grid = _grid_of(self.methods, grid, parameters)
        self.recipes: list[Recipe] = []
        self.left_out: dict[str, str] = {}
        if methods is None:
            self.left_out |= dict.fromkeys(METHODS.keys() - COMPARED, TAKES_LONG)
        self._errors: list[InputError] = []
        for method in self.methods:
            self._try(method)
        self._check_used()

    def _try(self, method: Any) -> None:
        """Make the recipes of a method, or say why there are none."""
        name = method_name(method)
        can = method_capabilities(method, self.ks[0])
        why = DIFFERENTIALLY_PRIVATE if can.differentially_private else ""
        if can.needs_target and not self.shared["schema"].confidential:
            why = NO_TARGET
        if why:
            self.left_out[name] = why
            said = f"Method {name!r} cannot be compared. {why}"
            self._errors.append(InputError(said))
            return
        made, refused = [], {}
        for k, own in product(self.ks, combinations(self.grid[name])):
            try:
                made.append(self._recipe(method, k, own))
            except InputError as error:
                self._errors.append(error)
                written = [f"{key}={value}" for key, value in own.items()]
                refused[" ".join([name, *written]) + f", k={k}"] = str(error)
        if not made and len(set(refused.values())) == 1:
            refused = {name: next(iter(refused.values()))}
        self.recipes += made
        self.left_out |= refused

    def _recipe(self, method: Any, k: int, own: Mapping[str, Any]) -> Recipe:
        given = {**self.shared, "method": method, "k": k, "parameters": own}
        target = self.label if self.target is None else self.target
        if target is not None and method_capabilities(method, k, own).needs_target:
            given["target"] = target
        return Recipe.of(given)

    def _check_used(self) -> None:
        """Refuse what no method uses, and a comparison of nothing."""
        if not self.recipes:
            said = {str(error) for error in self._errors}
            if len(said) == 1:
                raise self._errors[0]
            reasons = " ".join(f"{what}: {why}" for what, why in self.left_out.items())
            raise InputError(f"Nothing can be compared. {reasons}", option="methods")
        if self.target is not None and not any(r.target for r in self.recipes):
            raise InputError(
                f"No method that is compared uses a target. Got {self.target!r}.",
                option="target",
                hint="Leave it out.",
            )
        if self.seed is not None and not any(is_random(m) for m in self.methods):
            raise InputError(
                "No method that is compared draws random numbers, so a seed changes "
                "nothing.",
                option="random_state",
                hint="Leave it out.",
            )


def as_list(value: Any, name: str) -> list[Any]:
    """One value or several as a list without repetitions; none is an error.

    Examples
    --------
    >>> as_list(5, "k"), as_list((3, 5, 3), "k"), as_list({"mdav": 1}, "methods")
    ([5], [3, 5], ['mdav'])
    """
    single = isinstance(value, str) or not isinstance(value, Iterable)
    if single or hasattr(value, "fit"):  # an estimator that holds others
        value = [value]
    values = list(value)
    if not values:
        raise ParameterError(name, "must hold at least one value.")
    return [
        v for i, v in enumerate(values) if not any(v is u or v == u for u in values[:i])
    ]


def _split(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of a release, and parameters of methods."""
    refuse_of_schema(options)
    if "method" in options:
        raise InputError(
            "A comparison takes several methods.",
            option="method",
            hint="Name them in 'methods'.",
        )
    own = dict(options.get("parameters") or {})
    own |= {name: value for name, value in options.items() if name not in OPTIONS}
    known = {name: v for name, v in options.items() if name in OPTIONS}
    shared = {name: v for name, v in known.items() if not OPTIONS[name].of_search}
    return shared, own


def _grid_of(
    methods: Sequence[Any],
    grid: Mapping[str, Any] | None,
    parameters: Mapping[str, Any],
) -> dict[str, dict[str, list[Any]]]:
    """Values to try of the parameters of each method."""
    from microcell.selection import compare, tune

    known = {method_name(method): own_parameters(method) for method in methods}
    names = list(known)
    found: dict[str, dict[str, list[Any]]] = {name: {} for name in names}
    of_all = {name: [value] for name, value in parameters.items()}
    of_one = []
    for name, entry in (grid or {}).items():
        if not isinstance(entry, Mapping):
            of_all[name] = as_list(entry, f"grid {name}")
        elif name in found:
            of_one += [
                ([name], key, as_list(v, f"grid {key}")) for key, v in entry.items()
            ]
        else:
            raise InputError(
                f"The grid has entries of {name!r}, which is not compared.",
                option="grid",
                hint=f"{nearest_name(name, names)} The methods are {names}.".lstrip(),
            )
    for asked, key, values in [*((names, *each) for each in of_all.items()), *of_one]:
        having = [name for name in asked if key in known[name]]
        if not having:
            there = {name: list(known[name]) for name in asked if known[name]}
            words = [
                *arguments_of(compare),
                *arguments_of(tune),
                *OPTIONS,
                *chain(*there.values()),
            ]
            raise InputError(
                f"No method that is compared has a parameter {key!r}.",
                option="grid",
                hint=[*meant(key, values[0], words), f" They have {there}."],
            )
        for name in having:
            found[name][key] = values
    return found


def arguments_of(call: Callable[..., Any]) -> list[str]:
    """What a comparison or search is told beside the options of a release."""
    parameters = inspect.signature(call).parameters.values()
    return [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]


def combinations(entries: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Every combination of values of parameters.

    Examples
    --------
    >>> list(combinations({"gamma": [0.1, 0.5], "mode": ["strict"]}))
    [{'gamma': 0.1, 'mode': 'strict'}, {'gamma': 0.5, 'mode': 'strict'}]
    """
    for values in product(*entries.values()):
        yield dict(zip(entries, values, strict=True))
