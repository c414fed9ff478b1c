"""The method of a recipe: a name, a function by its import path, or an estimator."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from sklearn.base import clone

from microcell._capabilities import Capabilities
from microcell.compose import Plan, as_plan
from microcell.exceptions import InputError, ParameterError, nearest_name
from microcell.methods import METHODS, method_parameters


def resolve_method(method: Any) -> Any:
    """A method as a recipe keeps it: text wherever the text leads back to it.

    Examples
    --------
    >>> from microcell.methods import vmdav
    >>> resolve_method("mdav"), resolve_method(vmdav)
    ('mdav', 'vmdav')
    """
    if isinstance(method, str):
        if method not in METHODS:
            _imported(method)
        return method
    for name, known in METHODS.items():
        if method is known:
            return name
    if inspect.isclass(method) or not (
        callable(method) or hasattr(method, "fit_transform")
    ):
        raise _no_method(method)
    if callable(method) and not _takes_k(method):
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


def own_parameters(method: Any) -> dict[str, Any]:
    """A method's parameters with their defaults; an estimator was given its own."""
    function = method_function(method)
    return method_parameters(function) if callable(function) else {}


def is_random(method: Any) -> bool:
    """Whether a method draws random numbers that a seed can fix.

    Examples
    --------
    >>> is_random("mdav")
    False
    """
    function = method_function(method)
    return (
        callable(function) and "random_state" in inspect.signature(function).parameters
    )


def method_capabilities(
    method: Any, k: int, parameters: Mapping[str, Any] | None = None
) -> Capabilities:
    """What the plans of a method can do.

    Nothing is known where it makes none for k: a recipe says what is wrong then.

    Examples
    --------
    >>> method_capabilities("lda-mdav", 2).needs_target
    True
    """
    function = method_function(method)
    try:
        built = function(k, **(parameters or {})) if callable(function) else function
    except (ValueError, TypeError):
        return Capabilities()
    return as_plan(built, k).capabilities


def build_method(
    method: Any,
    k: int,
    scale: Any = None,
    parameters: Mapping[str, Any] | None = None,
    random_state: Any = None,
) -> Plan:
    """The plan that a method makes for k."""
    function = method_function(method)
    seed = {"random_state": random_state} if is_random(method) else {}
    if callable(function):
        built = function(k, scale=scale, **seed, **(parameters or {}))
    else:
        built = clone(function)
    if not hasattr(built, "fit_transform"):
        raise InputError(
            f"Method {method_name(method)!r} must make an estimator with "
            f"fit_transform(X, y). Got {type(built).__name__} instead.",
            option="method",
        )
    plan = as_plan(built, k)
    if isinstance(plan.k, int) and plan.k < k and plan.capabilities.promises_k:
        raise ParameterError(
            "k",
            f"is {k}, but {method_name(method)!r} was made with k={plan.k}.",
            hint="Give both the same.",
        )
    return plan


def _imported(path: str) -> Any:
    """The function at "package.module:function"."""
    module, mark, name = path.partition(":")
    if not mark or not module or module == "__main__":
        raise _no_method(path)
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the code may do anything, such as end the program
        raise InputError(
            f"The method {path!r} cannot be imported ({type(error).__name__}).",
            option="method",
            hint="Install the package that holds it, or name another method.",
        ) from None
    if not callable(found) or inspect.isclass(found) or not _takes_k(found):
        raise _no_method(path)
    return found


@contextlib.contextmanager
def without_current_folder() -> Iterator[None]:
    """Import nothing from where the user happens to be, for a time.

    Whoever gave a recipe may have put a module beside it.
    """
    kept = list(sys.path)
    sys.path[:] = [p for p in kept if os.path.abspath(p) != os.getcwd()]
    try:
        yield
    finally:
        sys.path[:] = kept


def _takes_k(function: Any) -> bool:
    """Whether a function can be called as a method is: ``function(k, scale=...)``."""
    try:
        signature = inspect.signature(function)
        signature.bind(2, scale=None)
    except (TypeError, ValueError):
        return False
    return "scale" in signature.parameters


def _no_method(method: Any) -> ParameterError:
    return ParameterError(
        "method",
        f"must be one of {list(METHODS)}, a function method(k, *, scale=None) (in a "
        f"file 'module:function') or an estimator. Got {method!r} instead.",
        hint=nearest_name(method, METHODS),
    )
