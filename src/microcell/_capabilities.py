"""What parts and plans can do, and the one place where that is found out.

Parts and plans of ours say it by their `capabilities`; wrappers take those of what is
inside and change what they change. An estimator of somebody else is asked here, once.
"""

from dataclasses import dataclass, fields
from typing import Any

from sklearn.utils import get_tags

from microcell.exceptions import InputError


@dataclass(frozen=True)
class Capabilities:
    """What a partitioner, or a plan around it, can do.

    Attributes
    ----------
    promises_k : bool
        Whether k is what a user asked for, and not what cells turn out to be.
    takes_codes : bool
        Whether columns may hold codes of categories.
    scale_free : bool
        Whether cells are the same on any scale of the columns.
    refinable : bool
        Whether a search for cells of a lower SSE may change them.
    searches, is_timed : bool
        Whether there is such a search, and whether the clock ends it.
    keeps_more : bool
        Whether cells keep to more than k: units, strata or promises.
    by_unit : bool
        Whether cells may be made of units of records.
    units_apart : bool
        Whether cells have k units, whose records may be in several cells.
    cells_of_map : bool
        Whether cells are units of a self-organising map, with their prototypes.
    needs_target : bool
        Whether it cannot be fitted without y, the confidential attribute.
    takes_several_targets : bool
        Whether y may have several columns.
    differentially_private : bool
        Whether its release may have nothing of the original beside it.
    can_be_equipped : bool
        Whether a plan can be told what is published and how records are grouped.

    Examples
    --------
    >>> from microcell import METHODS
    >>> METHODS["lda-mdav"](5).capabilities.needs_target
    True
    """

    promises_k: bool = True
    takes_codes: bool = False
    scale_free: bool = False
    refinable: bool = True
    searches: bool = False
    is_timed: bool = False
    keeps_more: bool = False
    by_unit: bool = False
    units_apart: bool = False
    cells_of_map: bool = False
    needs_target: bool = False
    takes_several_targets: bool = False
    differentially_private: bool = False
    can_be_equipped: bool = False


# What an estimator can do only because something inside of it does.
OF_THE_INSIDE = ("searches", "is_timed", "differentially_private")


def capabilities_of(part: Any) -> Capabilities:
    """What a part can do; of one of somebody else, what can be found out.

    It is asked by scikit-learn's tags, by the attributes that it has of those of
    `Capabilities`, and by the parts inside of it.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from microcell.embed import StandardScale, StatisticalDependence
    >>> line = make_pipeline(StandardScale(), StatisticalDependence())
    >>> capabilities_of(line).needs_target, capabilities_of(None).needs_target
    (True, False)
    """
    own = getattr(part, "capabilities", None)
    if isinstance(own, Capabilities):
        return own
    inside = [capabilities_of(each) for each in _parts_inside(part)]
    found = {
        field.name: bool(getattr(part, field.name))
        for field in fields(Capabilities)
        if hasattr(part, field.name)
    }
    for name in OF_THE_INSIDE:
        found[name] = any(getattr(each, name) for each in inside)
    steps = [capabilities_of(step) for _, step in getattr(part, "steps", ())]
    needing = [step for step in steps if step.needs_target]
    if steps:
        found["needs_target"] = bool(needing)
        found["takes_several_targets"] = all(s.takes_several_targets for s in needing)
    elif _is_estimator(part):
        tags = get_tags(part).target_tags
        found["needs_target"] = tags.required
        found["takes_several_targets"] = bool(tags.multi_output)
    return Capabilities(**found)


def _parts_inside(part: Any) -> list[Any]:
    """Estimators that an estimator holds."""
    held = part.get_params().values() if _is_estimator(part) else ()
    steps = [step for _, step in getattr(part, "steps", ())]
    return [each for each in (*held, *steps) if _is_estimator(each)]


def _is_estimator(value: Any) -> bool:
    is_one = hasattr(value, "get_params") and hasattr(value, "__sklearn_tags__")
    return is_one and not isinstance(value, type)


def check_keeps_rows(plan: Any) -> None:
    """Refuse a plan whose released rows are not those of X in their order.

    A differentially private release is sorted, so that its rows and a target beside
    them belong to different records. A pipeline or wrapper is looked into.

    Examples
    --------
    >>> from microcell import METHODS
    >>> check_keeps_rows(METHODS["mdav"](5))
    """
    if capabilities_of(plan).differentially_private:
        raise InputError(
            "A differentially private release has its rows in another order than the "
            "records, so no target can stand beside them.",
            option="method",
            hint="Release the target too, by anonymize with all columns as "
            "quasi-identifiers, and train a model on the released table.",
        )
