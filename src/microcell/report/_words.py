"""What a report says in sentences: the answer, what to fear, what was lost, limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from microcell.columns import ENCODERS
from microcell.pipeline import WORDS
from microcell.privacy import holds_by_block
from microcell.recipe import representatives_of
from microcell.report._numbers import listed, number, share

if TYPE_CHECKING:
    from microcell.release import Release


NOTHING_TO_FEAR = (
    "Nothing stands out in what was measured. The limits below hold all the same."
)


def answer(release: Release, facts: dict[str, Any]) -> dict[str, Any]:
    """The first screen: what was released, promised, is to be feared, was lost."""
    return {
        "released": _released(release, facts),
        "promised": [_promised(release, finding) for finding in release.findings],
        "fear": [*_fear(release, facts)] or [NOTHING_TO_FEAR],
        "lost": [*_lost(facts)] or ["Nothing was measured of what is lost."],
    }


def _released(release: Release, facts: dict[str, Any]) -> str:
    by_role: dict[str, list[str]] = {}
    for column in facts["columns"]:
        by_role.setdefault(column["role"], []).append(column["name"])
    records = f"{facts['records']:,} records"
    source = facts["source"] or {}
    if source.get("name"):
        records += f" of {source['name']}"
    if release.n_people is not None:
        records += f" ({facts['people']:,} values of {facts['k_counts']})"
    text = f"{records} were released"
    if facts["records_left_out"]:
        text += f", and {facts['records_left_out']:,} left out for missing values"
    masked = by_role.get("quasi-identifier", [])
    parts = [f"{len(masked)} {'column' if len(masked) == 1 else 'columns'} masked"]
    as_is = len(facts["columns"]) - len(masked)
    parts += [f"{as_is} as {'it is' if as_is == 1 else 'they are'}"] if as_is else []
    left_out = len(facts["left_out"])
    parts += [f"{left_out} left out"] if left_out else []
    return f"{text}: {listed(parts)}."


def _promised(release: Release, finding: Any) -> dict[str, Any]:
    people = release.people
    found = f"{finding.found:.6g}"
    if finding.promise.startswith("k-anonymity") and finding.promised is not None:
        text = (
            f"{_first_up(finding.promise)}: at least {finding.promised:.6g} {people} "
            f"share every combination of masked values. The fewest found are {found}."
        )
    elif finding.promised is None:
        text = f"{_first_up(finding.promise)} was not promised. Found: {found}."
    else:
        text = (
            f"{_first_up(finding.promise)}: {finding.promised:.6g} was promised, "
            f"{found} was found."
        )
    if finding.records_failing:
        text += f" It does not hold for {finding.records_failing:,} records."
    if finding.argument:
        text += f" Because: {finding.argument}."
    return {"text": text, "holds": finding.holds, "basis": finding.basis}


def _first_up(text: str) -> str:
    return text if text[:2] in ("k-", "t-", "p-", "l-") else text[:1].upper() + text[1:]


def _fear(release: Release, facts: dict[str, Any]) -> Iterator[str]:
    if holds_by_block(release.promises):
        yield (
            "k holds for each block of columns alone: somebody who knows columns of "
            "several blocks may find a single record."
        )
    elif not release._promises_k and not release.differentially_private:
        below = sum(f.records_failing for f in release.findings if f.promised is None)
        yield (
            f"k = {facts['k']} of the whole table is not promised: {below:,} records "
            "share their released values with fewer."
        )
    linkage = facts["risk"]["linkage"]
    if linkage is not None:
        looked_up = f" (of {linkage['records']:,} that were looked up)"
        yield (
            "Somebody who has all original values of the masked columns finds the "
            f"right record for {share(linkage['all'])} of the records by taking the "
            f"nearest{looked_up if facts['sampled'] else ''}."
        )
    risks = {each["name"]: each["value"] or 0.0 for each in facts["risk"]["scores"]}
    any_of_them = risks.get("household_max_risk", 0.0)
    if any_of_them > risks.get("prosecutor_max_risk", 1.0):  # who has several records
        yield (
            f"Somebody who looks for all records of one {facts['k_counts']} finds one "
            f"of them with a chance of up to {share(any_of_them)}."
        )
    if release.visits is not None and not release.visits.below_k:  # else to decide
        yield _sentence(release.visits.sentence())
    carriers = [c for c in facts["risk"]["carriers"] if c["share"]]
    if len(carriers) > 1:
        most = max(carriers, key=lambda c: c["share"])
        yield (
            f"Of what makes records linkable, {most['name']} carries most "
            f"({share(most['share'])})."
        )
    for attribute in facts["risk"]["attributes"]:
        if attribute["warnings"]:
            yield from map(_sentence, attribute["warnings"])
        elif attribute["uniform"]:
            yield (
                f"For {share(attribute['uniform'])} of the records everybody in the "
                f"class has the same {attribute['name']}, so that it is known of them."
            )
    if release.recipe.order == "keep":
        yield _sentence(WORDS["keep"])


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."


def _lost(facts: dict[str, Any]) -> Iterator[str]:
    if facts["withheld"]:
        yield f"Comparisons with the original are withheld: {facts['withheld']}."
        return
    scores = {score["name"]: score for score in facts["risk"]["scores"]}
    costs = [cost for cost in facts["utility"]["costs"] if cost["share"]]
    most = max(costs, key=lambda cost: cost["share"]) if len(costs) > 1 else None
    if "relative_loss" in scores:
        text = (
            f"{share(scores['relative_loss']['value'])} of what makes records differ "
            "in the masked columns is lost"
        )
        if most is not None:
            text += f"; {most['name']} costs most ({share(most['share'])} of it)"
        yield f"{text}."
    elif most is not None:
        yield f"{most['name']} loses most, {share(most['share'])} of it all."
    related = facts["utility"]["associations"]
    if related is not None:
        yield (
            "The association of two columns changes by "
            f"{related['largest_change']:.2g} at most, on a scale from 0 to 1."
        )
    for model in facts["utility"]["models"]:
        word = "accuracy" if model["metric"] == "accuracy" else "R2"
        yield (
            f"A model of {model['column']} that learns from the release reaches "
            f"{number(model['released'])} {word}, from the original "
            f"{number(model['original'])}; guessing without any, "
            f"{number(model['constant'])}."
        )


def limits(release: Release, facts: dict[str, Any]) -> list[dict[str, str]]:
    """What this release does not protect from, in plain words."""
    return [{"title": t, "text": text} for t, text in _limits(release, facts)]


def _limits(release: Release, facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    k, known, sampled = facts["k"], listed(release.known), said_of_sample(facts)
    if release.differentially_private:
        yield (
            "What is promised",
            "Differential privacy bounds what the release tells of one record, "
            "whatever else somebody knows. It says nothing of what holds for many.",
        )
    elif not release._promises_k:
        yield (
            "What k means here",
            f"Cells have at least {k} records, but what was released of a cell differs "
            "from record to record or from block to block. Released records may be "
            "unique; the findings say how many are.",
        )
    else:
        yield (
            "What k means",
            f"Whoever knows somebody's {known} is left with at least {k} candidates "
            "and cannot tell which is the right one. That is all that k says.",
        )
    if release.disclosure:
        yield (
            "What all of a class share",
            "k hides whose record is whose, not what the records of a class have "
            "in common. If all have one diagnosis, everybody in the class has it. "
            "Models such as l-diversity and t-closeness limit that, where they are "
            "among the promises.",
        )
        yield (
            "Confidential columns",
            f"{_as_they_are(list(release.disclosure))}. Somebody who knows such a "
            "value of a person, for example a rare or an extreme one, can find the "
            "record by it.",
        )
    others = [c["name"] for c in facts["columns"] if c["role"] == "other"]
    if others:
        yield (
            "Other columns",
            f"{_as_they_are(others)}, without protection. What is in such a column "
            "must not be known to others, nor tell who somebody is.",
        )
    published = representatives_of(release.recipe, release.kinds)
    if not release.differentially_private:
        if {"mean", "midpoint"} & {*published.values()}:
            yield (
                "Extremes",
                "A mean follows its extremes: where one person's value is far from "
                "all others, the mean of their cell tells roughly how far. Limits "
                "(clip) help; so do medians, unless one person has most of the "
                "records of a cell.",
            )
        if "interval" in published.values():
            yield (
                "Ends of intervals",
                "An interval reaches to its extremes: where one person's value is "
                "far from all others, the interval of their cell tells how far. "
                "Limits (clip) and rounded ends help.",
            )
        yield (
            "Repeated releases",
            "Two releases of the same or of overlapping people can be laid upon "
            "each other, and classes of k may fall apart. Publish one release of "
            "the same people, or the same classes each time.",
        )
    yield ("Row order", _sentence(WORDS[release.recipe.order]))
    real = [name for name in published if _is_real(name, published[name], release)]
    if real:
        yield (
            "Real values",
            f"What is released of {listed(real)} is what people really have, such "
            "as the most frequent category of a cell. It is shared by a whole "
            "class, but it is not made up.",
        )
    if release.recipe.strata:
        yield (
            "Strata",
            f"Cells were formed inside of {listed(release.recipe.strata)}. Strata "
            "that were too small were merged if that was asked for, and what was "
            "merged is written together.",
        )
    if release.recipe.weights:
        yield (
            "Weights",
            "Shares and means of this report count records, not what they stand "
            "for in the population.",
        )
    if facts["k_counts"] != "records":
        yield (
            "People and records",
            f"k counts values of {facts['k_counts']}, and so do the classes of "
            "those who look alike. All other bars and shares count records.",
        )
    yield (
        "This report",
        f"No value in it comes from fewer than {k} people: bins, categories and "
        "quantiles of fewer are merged, rounded or left out. Means and spreads "
        f"that fewer than {k} people make up are left out. "
        + (
            f"{sampled} Numbers of records and of people, and what classes give "
            "away, are counted on all."
            if sampled
            else "Counts and shares are exact, so that two of them may differ by "
            "one person."
        ),
    )


def said_of_sample(facts: Any) -> str:
    """That comparisons are made on some of the records, where it is so."""
    if facts["sampled"] is None:
        return ""
    return (
        "The original and the release are compared on a sample of "
        f"{facts['sampled']:,} of {facts['records']:,} records."
    )


def _as_they_are(names: list[str]) -> str:
    """
    Examples
    --------
    >>> _as_they_are(["hiv"]), _as_they_are(["hiv", "cost"])
    ('hiv is released as it is', 'hiv and cost are released as they are')
    """
    words = "is released as it is" if len(names) == 1 else "are released as they are"
    return f"{listed(names)} {words}"


def _is_real(name: str, representative: str, release: Release) -> bool:
    """Whether values of people are published of a column, and nothing made of them."""
    if representative == "interval":
        rounds = ENCODERS[release.kinds[name]].measured
        return release.recipe.ends == "exact" or not rounds
    return representative in ("median", "medoid", "mode", "set")
