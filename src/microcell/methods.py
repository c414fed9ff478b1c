"""Published methods, each a composition of two to four lines.

`METHODS` is read by everything that lists methods. A method takes k, its own
parameters, and `scale`: the transformer that gives the quasi-identifiers a common
scale, by default mean 0 and variance 1. One that draws takes `random_state`, for its
cells and its noise.
"""

import inspect
from collections.abc import Callable
from typing import Any

from sklearn.base import clone

from microcell._validation import check_choice, check_count
from microcell.aggregate import (
    DensityPeaks,
    MapPrototype,
    RandomRho,
    WeightedLVQ2,
    WrapNoise,
)
from microcell.base import BasePartitioner
from microcell.compose import (
    ByBlock,
    DPMicroaggregator,
    Microaggregator,
    Refine,
    TunedMicroaggregator,
)
from microcell.embed import (
    DISCRIMINANTS,
    FACTORS,
    LAST_RADIUS,
    QUANTIFIERS,
    TARGETS,
    BaseAggregationFunction,
    ChoquetIntegral,
    CollaborativeMaps,
    ColumnScaler,
    LinearDiscriminantRotation,
    OrderedWeightedAverage,
    PrincipalComponentProjection,
    RangeScale,
    StandardScale,
    StatisticalDependence,
    SugenoIntegral,
    ZScoreSum,
)
from microcell.exceptions import InputError, Option, ParameterError
from microcell.partition import (
    CTCA,
    KTCA,
    MDAV,
    VMDAV,
    BottomUp,
    KDECells,
    Mondrian,
    OptimalUnivariate,
    TopDown,
)

CODEWORDS = ("cells", "k-means")
COLLABORATIONS = ("together", "in turn")  # of a collaboration
ALPHAS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
LAMBDAS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9)


def _also_takes(*others: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method pass on what other functions take by keyword, and show it.

    Examples
    --------
    >>> @_also_takes(mdav)
    ... def slow_mdav(k, **given):
    ...     return mdav(k, **given)
    >>> list(inspect.signature(slow_mdav).parameters)
    ['k', 'scale']
    """

    def decorate(method: Any) -> Any:
        own = inspect.signature(method).parameters
        shown = {
            name: p for name, p in own.items() if p.kind is p.POSITIONAL_OR_KEYWORD
        }
        for function in (*others, method):
            parameters = inspect.signature(function).parameters
            shown |= {n: p for n, p in parameters.items() if p.kind is p.KEYWORD_ONLY}
        if "scale" in shown:
            shown["scale"] = shown.pop("scale")  # the last, as everywhere
        method.__signature__ = inspect.Signature(list(shown.values()))
        return method

    return decorate


def _taken_by(function: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """What a function takes of what is given, taken out of it."""
    return {
        n: given.pop(n) for n in inspect.signature(function).parameters if n in given
    }


def _scale(scale: ColumnScaler | None) -> ColumnScaler | StandardScale:
    return StandardScale() if scale is None else clone(scale)


def _bound(bound: Any) -> Any:
    """What certifies a loss; "no" is what a recipe file has for nothing."""
    check_choice("bound", bound, ("no", "neighbours", "columns"))
    return None if bound == "no" else bound


def _least(k: int, min_k: Any) -> Any:
    """Least number of records in a cell: k, or 1 where that is asked for."""
    if min_k is None or min_k == k:
        return k
    if min_k is True or min_k != 1:
        raise ParameterError(
            "min_k",
            f"must be k={k}, which is promised, or 1 for the cells as published, of "
            f"which nothing is. Got {min_k!r} instead.",
        )
    return 1


def _on_maps(
    part: BasePartitioner,
    unit_code: str,
    scale: Any,
    *,
    views: int = 2,
    code: str = "mean",
    shape: Any = None,
    beta: float = 1.0,
    passes: int = 20,
    radius: float = LAST_RADIUS,
    collaboration: str = "together",
) -> Microaggregator:
    """Cells on maps of views that listen to each other."""
    check_choice("collaboration", collaboration, COLLABORATIONS)
    check_choice("code", code, ("mean", "unit"))
    maps = CollaborativeMaps(
        views,
        scale=_scale(scale),
        beta=beta,
        code=unit_code,
        shape=shape,
        n_passes=check_count(passes, 1, "passes"),
        order=collaboration,
        radius=radius,
    )
    released = MapPrototype() if code == "unit" else None  # means by default
    cells = part.set_params(views=None, shape=shape)
    return Microaggregator(cells, embed=maps, aggregate=released)


def _moved_by_classes(
    plan: Microaggregator,
    *,
    levels: str = "last",
    membership: str = "fixed",
    space: str = "records",
    codewords: str = "cells",
    second_round: bool = False,
    random_state: Any = None,
) -> Microaggregator:
    """A plan by maps, with prototypes that classes move, at one level or both."""
    check_choice("levels", levels, ("last", "both"))
    check_choice("membership", membership, ("fixed", "reassign"))
    check_choice("space", space, ("records", "weighted"))
    fixed = membership == "fixed"
    check_choice("codewords", codewords, ("cells",) if fixed else CODEWORDS)
    if levels == "both":
        plan.embed.set_params(labelled=True, random_state=random_state)
    plan.aggregate = WeightedLVQ2(
        plan.aggregate,
        membership=membership,
        space=space,
        codewords=codewords,
        second_round=second_round,
        random_state=random_state,
    )
    return plan


def _check_scale_counts(method: Any, own_scale: Any, cost: Any, scale: Any) -> None:
    """Refuse a scale that would change nothing.

    Sums of z-scores and ranks are the same on any scale; only the multivariate cost
    sees it. Coordinates of nominal columns do count, beside the standard scale.
    """
    if cost != "projected" or scale is None:
        return
    from sklearn.preprocessing import StandardScaler

    standard = isinstance(scale, (StandardScale, StandardScaler))
    if isinstance(scale, ColumnScaler):
        standard = scale.scale == "standard"
        if len(set(scale.importance or ())) > 1:
            raise InputError(
                [
                    f"Method {method!r} with cost='projected' goes by {own_scale}, so ",
                    Option("importance"),
                    " would change nothing.",
                ],
                option="importance",
                hint="Choose cost='multivariate', which measures on the scale.",
            )
    if not standard:
        raise InputError(
            f"Method {method!r} with cost='projected' goes by {own_scale}, whatever "
            f"the 'scale'. Got {scale!r}.",
            option="scale",
            hint=[
                "Leave it at ",
                Option("scale", "standard"),
                ", or choose cost='multivariate', which measures on it.",
            ],
        )


def _for_learning(
    partition: Any, embedding: Any, name: str, value: Any, grid: Any, *scales: Any
) -> Any:
    """Put an embedding that knows the confidential attribute before a partitioner.

    With "auto", its parameter is chosen by cross-validation inside the table.
    """
    from sklearn.pipeline import make_pipeline

    embed = make_pipeline(*scales, embedding)
    path = f"embed__{type(embedding).__name__.lower()}__{name}"
    if value == "auto":
        return TunedMicroaggregator(
            partition, embed=embed, parameter=path, values=grid, scale=StandardScale()
        )
    return Microaggregator(partition, embed=embed).set_params(**{path: value})


def _aggregation(
    function: str, quantifier: Any, weights: Any
) -> BaseAggregationFunction:
    """The aggregation function of a name; what it has no use for is refused."""
    check_choice("function", function, ("sugeno", "choquet", "owa"))
    if function == "owa":
        if weights is None:
            raise ParameterError(
                "owa_weights", "must be given with function='owa', one for each column."
            )
        if quantifier != "x":
            raise ParameterError(
                "quantifier", "has no use with function='owa', which has weights."
            )
        return OrderedWeightedAverage(weights)
    if weights is not None:
        raise ParameterError("owa_weights", "has a use with function='owa' only.")
    if not callable(quantifier):
        check_choice("quantifier", quantifier, tuple(QUANTIFIERS))
    parts = {"sugeno": SugenoIntegral, "choquet": ChoquetIntegral}
    return parts[function](quantifier=quantifier)


def _rotated(
    partition: BasePartitioner,
    *scales: Any,
    alpha: float = 4.0,
    factors: str = "same",
    discriminant: str = "linear",
) -> Any:
    """Cells of a partitioner, stretched by LDA."""
    check_choice("factors", factors, FACTORS)
    check_choice("discriminant", discriminant, DISCRIMINANTS)
    lda = LinearDiscriminantRotation(factors=factors, discriminant=discriminant)
    return _for_learning(partition, lda, "alpha", alpha, ALPHAS, *scales)


def _along_a_line(
    projection: Any,
    k: int,
    goes_by: tuple[str, str] | None = None,
    *,
    v: Any = None,
    cost: str = "multivariate",
    scale: Any = None,
) -> Any:
    """Cut the order that a projection gives.

    `cost` is what the cut minimises: "projected" the SSE of the projection, as in the
    paper; "multivariate" that of the scaled columns. Both cut the same order, ties of
    the projection included, so "multivariate" is never worse for those. With `v`, each
    block of v columns is masked by itself and k holds per block. A method that goes by
    a scale of its own is named, with that scale.
    """
    from sklearn.pipeline import make_pipeline, make_union

    if goes_by is not None:
        _check_scale_counts(*goes_by, cost, scale)
    check_choice("cost", cost, ("multivariate", "projected"))
    line = make_pipeline(_scale(scale), projection)
    if cost == "projected":
        masked = Microaggregator(OptimalUnivariate(k), embed=line)
    else:
        by_mean = isinstance(projection, BaseAggregationFunction)
        n_keys = 2 if by_mean else 1  # the mean breaks ties
        part = OptimalUnivariate(k, cost="rest", n_keys=n_keys)
        masked = Microaggregator(part, embed=make_union(line, _scale(scale)))
    return masked if v is None else ByBlock(masked, blocks=check_count(v, 1, "v"))


def mdav(k: int, *, scale: ColumnScaler | None = None) -> Microaggregator:
    """Cells of k around the records farthest from the centroid (MDAV)."""
    return Microaggregator(MDAV(k), embed=_scale(scale))


def mdav_refined(
    k: int,
    *,
    moves: Any = None,
    seconds: Any = None,
    bound: str = "no",
    scale: Any = None,
) -> Any:
    """MDAV's cells, changed by a search until they lose less; the same each time.

    By default 300 moves for each record are looked at; with `seconds` cells depend on
    the speed of the machine. With a `bound`, "neighbours" or closer "columns", the
    release says how far its loss may be from the optimum.
    """
    part = Refine(MDAV(k), moves=moves, seconds=seconds, bound=_bound(bound))
    return Microaggregator(part, embed=_scale(scale))


def best(
    k: int,
    *,
    moves: Any = None,
    seconds: Any = None,
    bound: str = "neighbours",
    scale: Any = None,
) -> Any:
    """The least loss that a long search finds, and how far it may be from the optimum.

    By default 50,000 moves for each record are looked at, at most 300 million: a minute
    or two on most tables. The bound is as in "mdav-refined".
    """
    if moves is None and seconds is None:
        moves = "long"
    bound = _bound(bound)
    part = Refine(MDAV(k), moves=moves, seconds=seconds, search="combined", bound=bound)
    return Microaggregator(part, embed=_scale(scale))


def vmdav(k: int, *, gamma: float = 0.2, scale: Any = None) -> Any:
    """MDAV with cells of k to 2k - 1 that grow where records are close (V-MDAV)."""
    return Microaggregator(VMDAV(k, gamma=gamma), embed=_scale(scale))


def mondrian(k: int, *, mode: str = "strict", scale: Any = None) -> Any:
    """Cuts at the median of the widest column; the fastest (Mondrian)."""
    return Microaggregator(Mondrian(k, mode=mode), embed=_scale(scale))


@_also_takes(_along_a_line)
def pcp(k: int, **cut: Any) -> Any:
    """Optimal cells along the first principal component (projected)."""
    return _along_a_line(PrincipalComponentProjection(), k, **cut)


@_also_takes(_along_a_line)
def zscores(k: int, **cut: Any) -> Any:
    """Optimal cells along the sum of z-scores (projected)."""
    return _along_a_line(ZScoreSum(), k, ("zscores", "z-scores"), **cut)


@_also_takes(_along_a_line)
def sugeno(
    k: int,
    *,
    function: str = "sugeno",
    quantifier: str = "x",
    owa_weights: Any = None,
    **cut: Any,
) -> Any:
    """Optimal cells along the Sugeno integral of ranks (projected).

    Other aggregation functions are function="choquet", with a quantifier too, and
    function="owa" with a list of `owa_weights`, that of the largest rank first.
    """
    line = _aggregation(function, quantifier, owa_weights)
    return _along_a_line(line, k, ("sugeno", "ranks"), **cut)


def individual_ranking(k: int, *, scale: Any = None) -> Any:
    """Optimal cells of each column by itself; k holds per column, not for the table.

    A nominal column, which takes a coordinate for each category, is ordered by
    category and cut where fewest records of a cell differ: a category of at least k
    records has cells of its own, rarer ones share cells with their neighbours.
    """
    part = OptimalUnivariate(k, cost="all")  # all coordinates of the one column
    return ByBlock(Microaggregator(part, embed=_scale(scale)), blocks=1)


@_also_takes(_rotated)
def lda_mdav(k: int, *, scale: Any = None, **lda: Any) -> Any:
    """MDAV on cells stretched by LDA, for models of the confidential attribute.

    With factors="each", directions of more classes than two are stretched by how much
    they tell; with discriminant="bayes" cells follow the log Bayes factor.
    """
    return _rotated(MDAV(k), _scale(scale), **lda)


@_also_takes(_rotated)
def lda_vmdav(k: int, *, gamma: float = 0.2, scale: Any = None, **lda: Any) -> Any:
    """V-MDAV on cells stretched by LDA; `factors` and so on as in "lda-mdav"."""
    return _rotated(VMDAV(k, gamma=gamma), _scale(scale), **lda)


@_also_takes(_rotated)
def lda_mondrian(k: int, *, mode: str = "strict", scale: Any = None, **lda: Any) -> Any:
    """Mondrian on cells stretched by LDA; `factors` and so on as in "lda-mdav"."""
    part = Mondrian(k, mode=mode, widths="absolute")  # or alpha would be undone
    relative = (_scale(scale), RangeScale())  # widths of columns, before LDA
    return _rotated(part, *relative, **lda)


def mdav_sd(
    k: int, *, lambda_: float = 0.2, target_form: str = "posterior", scale: Any = None
) -> Any:
    """MDAV that preserves statistical dependence on the confidential attribute.

    `target_form` is the attribute itself, "label", as in the paper, or its expectation
    given the quasi-identifiers, "posterior": models learn as much from it, and an
    intruder far less.
    """
    check_choice("target_form", target_form, TARGETS)
    dependence = StatisticalDependence(target=target_form)
    return _for_learning(
        MDAV(k), dependence, "lambda_", lambda_, LAMBDAS, _scale(scale)
    )


def top_down(
    k: int,
    *,
    c: Any = None,
    roulette: str = "squared",
    random_state: Any = None,
    scale: Any = None,
) -> Any:
    """Splits at the farthest pair, inside c parts of k-means++ (top-down).

    With roulette="distance" its centres are drawn by distance, as published.
    """
    part = TopDown(k, c, roulette=roulette, random_state=random_state)
    return Microaggregator(part, embed=_scale(scale))


def bottom_up(
    k: int, *, c: Any = None, random_state: Any = None, scale: Any = None
) -> Any:
    """Cells around records drawn at random, inside c parts of k-means++."""
    part = BottomUp(k, c, random_state=random_state)
    return Microaggregator(part, embed=_scale(scale))


@_also_takes(top_down)
def random_aggregation(
    k: int,
    *,
    rho: float = 0.5,
    centre: bool = False,
    random_state: Any = None,
    **cells: Any,
) -> Any:
    """Top-down cells, each record their mean plus noise; cells of k, no k-anonymity.

    Released records are distinct: the promise is the size of the cells. Not
    differentially private for any epsilon, see `RandomRho`.
    """
    plan = top_down(k, random_state=random_state, **cells)
    plan.aggregate = RandomRho(rho, centre=centre, random_state=random_state)
    return plan


@_also_takes(bottom_up)
def random_k_anonymity(k: int, *, random_state: Any = None, **cells: Any) -> Any:
    """Bottom-up cells, each record a draw from their range; cells of k, no k-anonymity.

    Released records are distinct: the promise is the size of the cells. Not
    differentially private for any epsilon, see `WrapNoise`.
    """
    plan = bottom_up(k, random_state=random_state, **cells)
    plan.aggregate = WrapNoise(random_state=random_state)
    return plan


def dp_microaggregation(
    k: int, *, epsilon: Any = None, bounds: Any = None, scale: Any = None
) -> Any:
    """Differentially private: noisy centroids of cells that one record hardly moves.

    Both parameters are required; columns get their common scale from the bounds.
    """
    return DPMicroaggregator(k, epsilon=epsilon, bounds=bounds)


@_also_takes(_on_maps)
def ktca(k: int, *, min_k: Any = None, scale: Any = None, **maps: Any) -> Any:
    """Cells of a self-organising map of collaborating views (k-TCA).

    Cells with fewer than k records are merged, nearest first. With min_k=1 they are
    not, as published: k is then what the map reaches, counted and not promised.
    `beta`, `passes` and `radius` are those of the collaboration, in which all views
    listen at once, or one after the other with collaboration="in turn".
    """
    return _on_maps(KTCA(_least(k, min_k)), "unit", scale, **maps)


@_also_takes(ktca, _moved_by_classes)
def ktca_plus(k: int, **given: Any) -> Any:
    """k-TCA with prototypes that classes move (k-TCA++, by wLVQ2).

    With levels="both", as the paper has it, they also move the units of the views. With
    membership="reassign" records then go to the nearest prototype, k kept: cells depend
    on the classes; prototypes may then start at codewords="k-means". space="weighted"
    and second_round=True are the paper's training.
    """
    moves = _taken_by(_moved_by_classes, given)
    return _moved_by_classes(ktca(k, **given), **moves)


@_also_takes(_on_maps)
def ctca(k: int, *, scale: Any = None, **maps: Any) -> Any:
    """Cells of a self-organising map, small units emptied into others (C-TCA)."""
    return _on_maps(CTCA(k), "mixture", scale, **maps)


@_also_takes(ctca, _moved_by_classes)
def ctca_plus(k: int, **given: Any) -> Any:
    """C-TCA with prototypes that classes move (C-TCA++, by wLVQ2).

    `levels`, `membership` and so on as in "ktca++".
    """
    moves = _taken_by(_moved_by_classes, given)
    return _moved_by_classes(ctca(k, **given), **moves)


def kde(
    k: int, *, min_k: Any = None, bandwidth: str = "silverman", scale: Any = None
) -> Any:
    """Cells between the valleys of each column's density, released as its peaks (KDE).

    Cells with fewer than k records are merged, nearest first. With min_k=1 they are
    not, as published: each column is masked by itself, and k is what the whole records
    reach, counted and not promised.
    """
    least = _least(k, min_k)
    part = KDECells(least, bandwidth=bandwidth)
    peaks = DensityPeaks(least, bandwidth=bandwidth)
    plan = Microaggregator(part, embed=_scale(scale), aggregate=peaks)
    return plan if least > 1 else ByBlock(plan, blocks=1)


@_also_takes(kde)
def kde_plus(k: int, *, random_state: Any = None, **cells: Any) -> Any:
    """KDE with peaks that classes move, column by column (KDE++, by wLVQ2)."""
    plan = kde(k, **cells)
    inside = plan.microaggregator if isinstance(plan, ByBlock) else plan
    inside.aggregate = WeightedLVQ2(
        inside.aggregate, per_column=True, random_state=random_state
    )
    return plan


METHODS = {
    "mdav": mdav,
    "mdav-refined": mdav_refined,
    "best": best,
    "vmdav": vmdav,
    "mondrian": mondrian,
    "pcp": pcp,
    "zscores": zscores,
    "sugeno": sugeno,
    "individual-ranking": individual_ranking,
    "lda-mdav": lda_mdav,
    "lda-vmdav": lda_vmdav,
    "lda-mondrian": lda_mondrian,
    "mdav-sd": mdav_sd,
    "top-down": top_down,
    "bottom-up": bottom_up,
    "random-aggregation": random_aggregation,
    "random-k-anonymity": random_k_anonymity,
    "ktca": ktca,
    "ktca++": ktca_plus,
    "ctca": ctca,
    "ctca++": ctca_plus,
    "kde": kde,
    "kde++": kde_plus,
    "dp-microaggregation": dp_microaggregation,
}
COMPARED = tuple(name for name in METHODS if name != "best")
"""What is compared unless somebody names methods: those that take no minute each."""

__all__ = [
    "METHODS",
    "method_parameters",
    "methods_table",
    *(method.__name__ for method in METHODS.values()),
]


GIVEN = ("k", "scale", "random_state")  # what a recipe gives to every method


def method_parameters(method: str | Callable[..., Any]) -> dict[str, Any]:
    """A method's own parameters with their defaults.

    Parameters
    ----------
    method : str or callable
        A name in `METHODS`, or a function like those.

    Examples
    --------
    >>> method_parameters("vmdav")
    {'gamma': 0.2}
    """
    function = METHODS[method] if isinstance(method, str) else method
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.name not in GIVEN}


def methods_table() -> list[tuple[str, str, str]]:
    """All methods as rows (name, parameters, what it does).

    Examples
    --------
    >>> methods_table()[0]
    ('mdav', '', 'Cells of k around the records farthest from the centroid (MDAV).')
    """
    return [
        (
            name,
            ", ".join(
                f"{key}={value}" for key, value in method_parameters(name).items()
            ),
            (inspect.getdoc(method) or "").splitlines()[0],
        )
        for name, method in METHODS.items()
    ]
