"""Which method makes the cells, what becomes of them, and what is promised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from microcell._default_method import DEFAULT_METHOD
from microcell.exceptions import InputError
from microcell.recipe._enforcement import BUILDERS, WAYS
from microcell.recipe._mistyped import meant
from microcell.recipe._options import ANY, as_option, option
from microcell.recipe._promises import as_promises
from microcell.recipe._refine import check_refine
from microcell.recipe._representatives import FOR_ALL, check_ends
from microcell.recipe._schema import Schema
from microcell.recipe._written import plain

if TYPE_CHECKING:
    from microcell.privacy import Promise


method_option = partial(option, section="method")


def _method(recipe: Any, method: Any) -> Any:
    """The method; where none is named, one that what is said of its cells fits."""
    from microcell.recipe._method import resolve_method

    if method is None:
        is_said = recipe.enforce in BUILDERS or recipe.refine is not None
        method = "mdav" if is_said else DEFAULT_METHOD
    return resolve_method(method)


def _parameters(recipe: Any, parameters: Any) -> dict[str, Any]:
    from microcell.recipe._method import own_parameters
    from microcell.recipe._recipe import OPTIONS

    if not isinstance(parameters, Mapping):
        words = f"'parameters' must map names to values. Got {parameters!r} instead."
        raise InputError(words, option="parameters")
    own, known = plain(parameters), own_parameters(recipe.method)
    for name in own:
        if name not in known:
            hint = meant(name, own[name], [*known, *OPTIONS])
            raise InputError(
                f"Method {recipe.method_name!r} has no parameter {name!r}.",
                option=name,
                hint=[*hint, f" Its parameters are {list(known)}."],
            )
    grouped = recipe.strata or recipe.unit not in (None, "records") or recipe.promises
    if (grouped or recipe.weights) and "auto" in own.values():
        raise InputError(
            "A parameter of 'auto' is chosen on folds of the whole table, which "
            "strata, units, weights and promises do not allow.",
            hint="Give it a value.",
        )
    # TOML has no word for None, which is what such a parameter is anyway
    return {n: v for n, v in own.items() if v is not None or known[n] is not None}


def _seed(recipe: Any, seed: Any) -> int | None:
    from microcell.recipe._method import is_random

    if seed is not None and not is_random(recipe.method):
        raise InputError(
            f"Method {recipe.method_name!r} draws no random numbers, so a seed "
            "changes nothing.",
            option="random_state",
            hint="Leave it out.",
        )
    return seed


def _measures(recipe: Any, measures: Any) -> Any:
    from microcell.metrics import check_measures

    return check_measures(measures)


@dataclass(frozen=True)
class MethodOptions:
    """Which method makes the cells, what becomes of them, and what is promised.

    Parameters
    ----------
    schema : Schema
        Roles and kinds of the columns.
    k : int
        Least number of people that share their released quasi-identifiers, 2 or more.
    method : str, callable or estimator, default="mdav-refined"
        The method that makes the cells: see `microcell methods`, or module:function.
        In Python a name in `microcell.methods.METHODS`; a function that is called with
        k, scale and the parameters and returns a plan; or an estimator with
        `fit_transform` and `labels_`. A recipe file holds a function by its import path
        ("package.module:function"), which is imported only from a recipe that is
        `trusted`, and cannot hold an estimator. By default "mdav-refined"; where
        `enforce` builds cells as MDAV does, or `refine` says how they are refined,
        "mdav".
    target : str, optional
        The confidential column that shapes cells, or a,b for several (lda, sd). By
        default the only one there is.
    parameters : mapping, optional
        A parameter of the method, for example gamma=0.9.
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        Common scale of columns, before distances are measured.
    aggregate : str, default="mean"
        What columns become, where their kind allows it. There are "mean", "median",
        "medoid", "mode", "interval", "set" and "midpoint"; other columns give what is
        usual for their kind: numbers and dates their mean, ordered categories their
        median, categories without order their mode.
    ends : {"exact", "rounded"}, default="exact"
        Ends of intervals: values that occur, or rounded outwards. They are rounded to a
        round step near half a standard deviation of the column, or to whole months or
        years.
    integers : {"mean", "round"}, default="mean"
        Means of integers, as they are or rounded to integers.
    random_state : int, optional
        Seed of a random method, for tests and experiments: whoever has it can undo the
        noise. By default fresh entropy; no certificate holds it.
    promises : sequence of Promise, optional
        A promise besides k, for example p-sensitivity=2, or of one column
        'p-sensitivity={"p": 2, "column": "ill"}'. In Python ``PSensitivity(2)``. It is
        enforced on the cells and verified on the release.
    enforce : {"auto", "merge", "t-first", "k-first", "p-first"}, default="auto"
        How cells come to keep further promises: cells are merged, or built for one;
        auto takes what loses least. Cells of the method are merged until they do; or,
        instead of MDAV's, cells are built for t-closeness
        ("t-first", from strata of the ordered values), with exchanges ("k-first"), or
        for p-sensitivity and l-diversity ("p-first"); what they leave is merged. "auto"
        merges, and for t-closeness of MDAV's cells, refined or not, where k counts
        records, also builds in both ways, and takes the cells that lose least. None
        withstands an intruder who knows everybody's quasi-identifiers and re-runs the
        method.
    refine : str, int or bool, optional
        Search for cells that lose less: yes, no, long, a number of moves to look at, or
        a time (90s, 10min), after which cells cannot be repeated. It is before promises
        are enforced on the cells. "yes" looks at 300 moves for each record, "long" at
        50,000 (300 million at most) and says how far the loss may be from the optimum,
        a number at that many, which strata share and each shard has for itself; all
        these give the same cells each time. By default what the method does; "no"
        refuses one that is a search, and where none is named it is "mdav".
    measures : "quick", "all", "none" or sequence of str, default="quick"
        Loss and risk to measure: quick, all, none, or names. "quick" leaves out what is
        expensive on a large table.
    """

    schema: Schema
    k: int = field(
        metadata=as_option(
            section="method",
            form="count",
            flags=("-k",),
            usual=True,
            of_search=True,
            with_dp=ANY,
            least=2,
        )
    )
    method: Any = method_option(
        None,
        key="name",
        check=_method,
        flags=("--method", "-m"),
        of_search=True,
        shown=DEFAULT_METHOD,
        with_dp=ANY,
    )
    _: KW_ONLY
    target: str | None = method_option(None)
    # Bounds are the scale of a differentially private release.
    scale: str = method_option(
        "standard", choices=("standard", "minmax", "robust", "none"), group="numbers"
    )
    aggregate: str = method_option("mean", choices=FOR_ALL, group="published")
    ends: str = method_option(
        "exact", choices=("exact", "rounded"), check=check_ends, group="published"
    )
    # A differentially private release rounds columns with whole bounds.
    integers: str = method_option(
        "mean",
        choices=("mean", "round"),
        needs=("aggregate", "mean"),
        group="published",
    )
    parameters: Mapping[str, Any] = method_option(
        {},
        check=_parameters,
        form="pairs",
        flags=("--parameter", "-p"),
        of_search=True,
        with_dp=ANY,
    )
    random_state: int | None = method_option(
        None,
        key="seed",
        check=_seed,
        form="count",
        flags=("--seed",),
        with_dp=ANY,
        group="file",
    )
    promises: Sequence[Promise] = method_option(
        (),
        section="promises",
        check=lambda recipe, promises: as_promises(promises),
        form="pairs",
        flags=("--promise",),
    )
    enforce: str = method_option("auto", choices=WAYS, with_dp=("merge",))
    refine: str | None = method_option(
        None,
        check=lambda recipe, value: check_refine(value),
        with_dp=("no",),
        metavar="yes|no|long|MOVES|TIME",
    )
    measures: str | Sequence[str] = method_option(
        "quick",
        section="measures",
        key="shown",
        check=_measures,
        with_dp=("none",),
        form="others",
        metavar="quick|all|none|NAMES",
        group="file",
    )
