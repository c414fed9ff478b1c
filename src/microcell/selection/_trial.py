"""Trying a recipe on a table: its figures, or the sentence that says why not."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from microcell.exceptions import Explained, PrivacyError
from microcell.learning import Evaluation
from microcell.recipe import Recipe, is_random
from microcell.release import apply_recipe
from microcell.selection._figures import figures_of

Outcome = dict[str, Any]
"""What came of a recipe: attributes of a `Candidate`, plain enough for a file."""


@dataclass(frozen=True)
class Trial:
    """What all candidates of a comparison have in common.

    Attributes
    ----------
    table : dataframe
    as_text : bool
        As in `apply_recipe`.
    evaluation : Evaluation or None
        What a model learns from the release.
    seed : int
        Of methods that draw. Nothing is released here, so it need not be a secret;
        no recipe and no file holds it, and a release draws anew.
    """

    table: Any
    as_text: bool = False
    evaluation: Evaluation | None = None
    seed: int = 0

    def run(self, recipe: Recipe) -> Outcome:
        """Make the release, verify it, measure it and forget it."""
        seed = self.seed if is_random(recipe.method) else None
        seeded = replace(recipe, random_state=seed)
        start = perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a model that did not converge counts
            try:
                release = apply_recipe(self.table, seeded, as_text=self.as_text)
                figures = figures_of(release)
            except Exception as error:
                seconds = perf_counter() - start
                return {"figures": {}, "seconds": seconds, "error": sentence(error)}
            seconds = perf_counter() - start
            learnt, notes = self._learnt(seeded)
        figures |= learnt | {"seconds": seconds}
        return {"figures": figures, "seconds": seconds, "notes": tuple(notes)}

    def _learnt(self, recipe: Recipe) -> tuple[dict[str, float], list[str]]:
        """What a model learns, or why a part of the records has no release."""
        if self.evaluation is None:
            return {}, []
        try:
            return self.evaluation.figures(recipe), []
        except Exception as error:
            what = f"nothing was learnt of {self.evaluation.label!r}"
            return {}, [f"{what}: {sentence(error)}"]


def sentence(error: Exception) -> str:
    """What an error says, without a value of a record.

    Errors of this library name columns, counts and patterns, and mark what is more;
    what others say may quote a record.

    Examples
    --------
    >>> sentence(ValueError("could not convert string to float: 'John Smith'"))
    'It failed with ValueError, whose message may quote a record: anonymize with this
    recipe shows it.'
    """
    if isinstance(error, Explained):
        return str(error)
    if isinstance(error, PrivacyError) or _is_ours(error):
        return str(error)
    return (
        f"It failed with {type(error).__name__}, whose message may quote a record: "
        "anonymize with this recipe shows it."
    )


def _is_ours(error: Exception) -> bool:
    """Whether this library raised it, whose words name no value of a record."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    home = "" if trace is None else str(trace.tb_frame.f_globals.get("__name__", ""))
    return home.startswith("microcell.") and isinstance(error, (ValueError, TypeError))
