"""The method of a recipe: a name, a function by its import path, or an estimator."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from sklearn.base import clone
from sklearn.utils import get_tags

from microcell.exceptions import InputError, ParameterError
from microcell.methods import METHODS


def resolve_method(method: Any) -> Any:
    """A method as a recipe keeps it: text wherever the text leads back to it.

    Examples
    --------
    >>> from microcell.methods import vmdav
    >>> resolve_method("mdav"), resolve_method(vmdav)
    ('mdav', 'microcell.methods:vmdav')
    """
    if isinstance(method, str):
        if method not in METHODS:
            _imported(method)
        return method
    if not callable(method) and not hasattr(method, "fit_transform"):
        raise _no_method(method)
    path = f"{getattr(method, '__module__', '')}:{getattr(method, '__qualname__', '')}"
    try:
        return path if callable(method) and _imported(path) is method else method
    except InputError:
        return method


def method_function(method: Any) -> Any:
    """What builds the plan: called with k, scale and the method's parameters."""
    if isinstance(method, str):
        return METHODS[method] if method in METHODS else _imported(method)
    return method


def method_name(method: Any) -> str:
    """The method as messages, certificates and recipe files name it."""
    if isinstance(method, str):
        return method
    return str(getattr(method, "__qualname__", type(method).__qualname__))


def method_parameters(method: Any) -> dict[str, Any]:
    """Parameters of a method with their defaults, without k and scale."""
    if not callable(method_function(method)):
        return {}  # an estimator has been given its own
    signature = inspect.signature(method_function(method)).parameters.values()
    return {p.name: p.default for p in signature if p.name not in ("k", "scale")}


def build_method(
    method: Any, k: int, scale: Any = None, parameters: Mapping[str, Any] | None = None
) -> Any:
    """The plan that a method makes for k."""
    function = method_function(method)
    if callable(function):
        plan = function(k, scale=scale, **(parameters or {}))
    else:
        plan = clone(function)
        own = plan.get_params().get("partition__k", k)
        if own != k:
            raise ParameterError(
                "k",
                f"is {k}, but {method_name(method)!r} was made with k={own}.",
                hint="Give both the same.",
            )
    if not hasattr(plan, "fit_transform"):
        raise InputError(
            f"Method {method_name(method)!r} must make an estimator with "
            f"fit_transform(X, y). Got {type(plan).__name__} instead.",
            option="method",
        )
    return plan


def uses_target(method: Any, parameters: Mapping[str, Any] | None = None) -> bool:
    """Whether a method shapes cells by a confidential attribute.

    Examples
    --------
    >>> uses_target("mdav"), uses_target("lda-mdav")
    (False, True)
    """
    function = method_function(method)
    plan = function(2, **(parameters or {})) if callable(function) else function
    return bool(get_tags(plan).target_tags.required)


def _imported(path: str) -> Any:
    """The function at "package.module:function"."""
    module, mark, name = path.partition(":")
    if not mark or not module or module == "__main__":
        raise _no_method(path)
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError):
        raise InputError(
            f"The method {path!r} cannot be imported.",
            option="method",
            hint="Install the package that holds it, or name another method.",
        ) from None
    if not callable(found):
        raise _no_method(path)
    return found


def _no_method(method: Any) -> ParameterError:
    return ParameterError(
        "method",
        f"must be one of {list(METHODS)}, a function (in a file 'module:function') or "
        f"an estimator. Got {method!r} instead.",
    )
