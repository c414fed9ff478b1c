"""What is searched: methods and their parameters, with and without enforced limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcell.exceptions import InputError
from microcell.methods import ALPHAS, LAMBDAS
from microcell.pipeline import promises_of
from microcell.privacy import KAnonymity
from microcell.recipe import Recipe, own_parameters
from microcell.selection._candidates import Grid
from microcell.selection._choice import Limit
from microcell.selection._enforceable import promises_for, ways_to_keep
from microcell.selection._search import Setting

GAMMAS = (0.0, 0.1, 0.2, 0.5, 1.1)
GRIDS: dict[str, dict[str, Sequence[Any]]] = {  # what is tried around the best
    "vmdav": {"gamma": GAMMAS},
    "mondrian": {"mode": ("strict", "relaxed")},
    "lda-mdav": {"alpha": ALPHAS},
    "lda-vmdav": {"alpha": ALPHAS, "gamma": GAMMAS},
    "lda-mondrian": {"alpha": ALPHAS, "mode": ("strict", "relaxed")},
    "mdav-sd": {"lambda_": LAMBDAS, "target_form": ("posterior", "label")},
    "pcp": {"cost": ("multivariate", "projected")},
    "zscores": {"cost": ("multivariate", "projected")},
    "sugeno": {"cost": ("multivariate", "projected")},
    "ktca": {"code": ("mean", "unit")},
    "ctca": {"code": ("mean", "unit")},
}
NOT_WHOLE = (
    "It does not promise k-anonymity of whole records, so it is tried only if it is "
    "named."
)


class Space:
    """What may be searched: methods, with and without enforced limits.

    Parameters
    ----------
    plan : Grid
        Methods and the options that all share.
    limits : sequence of Limit
    whole : bool
        Whether methods that do not promise k-anonymity of whole records are left out.

    Attributes
    ----------
    families : list of Setting
        Without k and parameters.
    """

    def __init__(self, plan: Grid, limits: Sequence[Limit], *, whole: bool) -> None:
        self.bases: dict[str, Recipe] = {}
        for recipe in plan.recipes:
            if whole and not promises_k(recipe):
                plan.left_out[recipe.method_name] = NOT_WHOLE
            else:
                self.bases.setdefault(recipe.method_name, recipe)
        if not self.bases:
            raise InputError(
                "No method that is allowed promises k-anonymity of whole records.",
                option="methods",
                hint="Name the methods to try.",
            )
        self.given = plan.grid
        self.families = list(self._families(promises_for(limits)))

    def _families(self, promises: tuple[Any, ...]) -> Any:
        for name, base in self.bases.items():
            yield Setting(name, 0)
            own = tuple(p for p in promises if p not in base.promises)
            for way in ways_to_keep(own, name) if own else ():
                setting = Setting(name, 0, promises=own, enforce=way)
                if self.allows(replace(setting, k=base.k)):
                    yield setting

    def recipe_of(self, setting: Setting) -> Recipe:
        """The recipe of a setting."""
        base = self.bases[setting.method]
        return replace(
            base,
            k=setting.k,
            parameters={**base.parameters, **dict(setting.parameters)},
            promises=(*base.promises, *setting.promises),
            enforce=setting.enforce or base.enforce,
        )

    def allows(self, setting: Setting) -> bool:
        """Whether a setting makes a recipe."""
        try:
            self.recipe_of(setting)
        except InputError:
            return False
        return True

    def grid_of(self, name: str) -> Mapping[str, Sequence[Any]]:
        """Values to try of each parameter of a method; one that was given is kept."""
        given = self.given.get(name, {})
        grid = {**GRIDS.get(name, {}), **given}
        return {key: values for key, values in grid.items() if len(values) > 1}

    def defaults_of(self, name: str) -> Mapping[str, Any]:
        """The parameters of a method that a setting does not name."""
        base = self.bases[name]
        return {**own_parameters(base.method), **base.parameters}


def promises_k(recipe: Recipe) -> bool:
    """Whether a recipe's method promises that whole records are k-anonymous.

    Examples
    --------
    >>> from microcell import Schema
    >>> schema = Schema(["age", "pay"])
    >>> promises_k(Recipe(schema, k=5))
    True
    >>> promises_k(Recipe(schema, k=5, method="individual-ranking"))
    False
    """
    names = set(recipe.schema.quasi_identifiers)
    return any(
        isinstance(promise, KAnonymity)
        and promise.promised
        and set(promise.columns or names) >= names
        for promise in promises_of(recipe.plan, recipe, ())
    )
