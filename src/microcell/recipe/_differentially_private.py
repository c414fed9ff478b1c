"""Private releases: nothing of the original but what went through the mechanism.

Where `capabilities.differentially_private` says so, every released column is
masked, rows have lost their order, data types follow from the recipe, and nothing else
that was computed from the original is published: no score, no digest of the source.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from microcell.columns import ENCODERS
from microcell.exceptions import (
    InputError,
    Option,
    ParameterError,
    SchemaError,
    column_error,
    sentence,
)
from microcell.recipe._column import COLUMN_OPTIONS
from microcell.recipe._options import options_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from microcell.columns import Prepared
    from microcell.compose import Plan
    from microcell.recipe._recipe import Recipe
    from microcell.recipe._schema import Schema

WITHHELD = "withheld: computed from the original, which only the release may show"


def check_private(recipe: Recipe, plan: Plan) -> None:
    """Refuse what would be released or decided by records without the mechanism."""
    from microcell.compose import DPMicroaggregator

    schema = recipe.schema
    plan.name_columns(schema.quasi_identifiers)
    if not isinstance(plan, DPMicroaggregator):
        raise InputError(
            f"Method {recipe.method_name!r} has a differentially private part inside, "
            "and nothing is known of what is done before and after it.",
            option="method",
            hint="Give the part itself as the method.",
        )
    if plan.k != recipe.k:
        raise ParameterError(
            "k",
            f"is {recipe.k}, but {recipe.method_name!r} was made with k={plan.k}.",
            hint="Give both the same.",
        )
    for name, kind in schema.kinds.items():
        if not ENCODERS.of(kind).numbers:
            raise _no_numbers(name)
    for name in (*schema.confidential, *schema.kept_by_name):
        raise column_error(
            name,
            "would be released as it is, and then nothing of method "
            f"{recipe.method_name!r} is private.",
            sentence(
                "Name it in {quasi_identifiers} with bounds, so that it is masked too, "
                "or in {identifiers}, so that it is left out."
            ),
        )

    def refusal(said: Option, way_out: str) -> InputError:
        words = "Method {method} cannot honour {said} and stay private: " + way_out
        method = repr(recipe.method_name)
        return InputError(sentence(words, method=method, said=said), option=said.name)

    if schema.others == "keep":
        raise refusal(Option("others", "keep"), "{others='drop'}.")
    if recipe.missing != "error":
        raise refusal(
            Option("missing", recipe.missing),
            "the number of records is public and may not depend on their values, and "
            "what fills a gap comes from other records. Fill missing values before.",
        )
    for name, spec in (COLUMN_OPTIONS | options_of(type(recipe))).items():
        honoured = spec.with_dp
        if honoured is not None:
            if getattr(recipe, name) not in (spec.default, *honoured):
                raise refusal(Option(name), "leave it out.")


@contextmanager
def numbers_only(recipe: Recipe) -> Iterator[Schema]:
    """The schema of a private release: all columns are numbers, whatever they hold.

    A column of two numbers is otherwise taken for a category, and so a record could
    decide what becomes of the others.
    """
    names = recipe.schema.quasi_identifiers
    try:
        yield recipe.schema.saying(kinds=dict.fromkeys(names, "numeric"))
    except SchemaError as error:
        if error.column not in names or error.option == "missing":
            raise
        raise _no_numbers(error.column) from None


def _no_numbers(column: str | None) -> SchemaError:
    return column_error(
        column,
        "does not hold numbers, and the noise is for numbers.",
        sentence(
            "Make numbers of it (a year, a yes as 1), leave it out in {identifiers}, "
            "or choose a method that is not differentially private."
        ),
    )


def one_record_each(error: SchemaError) -> SchemaError:
    """The error for people with several records, who would not be private."""
    return SchemaError(
        f"{error.words} Of a person with several records, each alone would be private.",
        column=error.column,
        option="unit",
        hint=sentence(
            "Make one record of each person, or say that every record is one with "
            "{unit='records'}."
        ),
    )


def check_private_table(prepared: Prepared, plan: Any) -> None:
    """Refuse a table that the mechanism cannot take; only its owner sees the error."""
    whole = plan.whole_columns(prepared.names)
    for name, values in zip(prepared.names, prepared.X.T, strict=True):
        if name in whole and (values != np.rint(values)).any():
            raise column_error(
                name,
                "has fractions, but its bounds are whole numbers, which says that it "
                "is rounded.",
                "Write its bounds with a point, such as [0.0, 1.0].",
                option="bounds",
            )


def private_layouts(recipe: Recipe) -> dict[str, Any]:
    """How numbers are written: by what the recipe says, not by what records had."""
    from microcell.io import NumberLayout

    if recipe.decimal is None:
        return {}
    names = recipe.schema.quasi_identifiers
    return dict.fromkeys(names, NumberLayout(recipe.decimal))


def private_table(prepared: Prepared, columns: list[str], X: Any, plan: Any) -> Any:
    """The released table, made anew of the released numbers alone.

    Columns with whole bounds are rounded; no data type follows from the records.
    """
    whole = plan.whole_columns(prepared.names)
    of = dict(zip(prepared.names, X.T, strict=True))
    return nw.from_dict(
        {n: np.rint(of[n]).astype(np.int64) if n in whole else of[n] for n in columns},
        backend=prepared.frame.implementation,
    ).to_native()
