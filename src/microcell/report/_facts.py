"""facts_of: everything that a report shows of a release, as plain data."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import tomli_w

from microcell._progress import report
from microcell.exceptions import InputError, Option
from microcell.privacy import class_codes
from microcell.report._columns import Column, columns_of
from microcell.report._geometry import Geometry
from microcell.report._models import models
from microcell.report._people import People
from microcell.report._risk import (
    attributes,
    carriers,
    class_sizes,
    interval_disclosure,
    knowledge,
)
from microcell.report._rulers import digits
from microcell.report._utility import associations, picture_of_cells
from microcell.report._words import answer, limits

if TYPE_CHECKING:
    from microcell.release import Release


def facts_of(
    release: Release,
    *,
    purpose: str | None = None,
    author: str | None = None,
    document: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """What a report shows of a release: plain data, nothing of fewer than k people.

    Parameters
    ----------
    release : Release
    purpose, author : str, optional
        Lines for whoever signs.
    document : dict, optional
        The certificate that `Release.save` returned, which knows the file and its
        source; by default that of the table in memory.

    Returns
    -------
    facts : dict
        Of dicts, lists, text, numbers and None; no number is infinite or NaN.

    Raises
    ------
    InputError
        If the release does not remember its original.

    Examples
    --------
    >>> from microcell import Schema, anonymize
    >>> from microcell.datasets import load_diabetes_patients
    >>> patients = load_diabetes_patients().frame.select("age", "sex", "bmi")
    >>> facts = facts_of(anonymize(patients, Schema(["age", "sex", "bmi"]), k=5))
    >>> facts["answer"]["released"]
    '442 records were released: 3 columns masked.'
    """
    if release.before is None and not release.differentially_private:
        raise InputError(
            "The release does not remember its original: it was pickled, copied or "
            "made with remember=False, and a report compares both.",
            hint="Make the report where the release is made.",
        )
    document = release.certificate() if document is None else document
    before = None if release.before is None else release.before.ordered()
    table = release.table if before is None else before.table
    n_seen = release.n_records if before is None else len(before.X)
    people = People(release.recipe.k, n_seen, None if before is None else before.units)
    facts = _about(release, document, purpose, author)
    if before is not None and release.n_people is not None and people.units is None:
        raise InputError(
            f"A report counts {release.people}, and of this table in parts it is not "
            "known whose records these are.",
            option="report",
            hint=["Choose ", Option("engine", "memory"), ", or leave the report out."],
        )
    sampled = before is not None and before.is_sample
    facts["sampled"] = n_seen if sampled else None
    _say("classes of the release")
    classes = class_codes(table, release.known)
    _say("columns before and after")
    columns = columns_of(release, before)
    geometry = None if before is None or facts["withheld"] else Geometry(before)
    shown = geometry is not None or release.differentially_private
    _say("what intruders learn")
    risk: dict[str, Any] = {
        "class_sizes": class_sizes(release.class_sizes, release.recipe.k)
        | {"counts": release.people},
        "scores": _scores(release, facts["withheld"]),
        "knowledge": knowledge(release, before, classes, people),
        "interval": [],
        "attributes": attributes(release, columns),
        "carriers": [],
        "linkage": None,
    }
    _say("columns together")
    utility: dict[str, Any] = {
        "columns": [column.shown(people) for column in columns] if shown else [],
        "associations": None,
        "cells": None,
        "models": [],
        "costs": [],
    }
    if before is not None and geometry is not None:
        risk["interval"] = interval_disclosure(columns, people)
        utility["associations"] = associations(columns, people)
        n_classes = sum(number for number, _ in release.class_sizes.values())
        sizes = before.cell_sizes if sampled else None
        cells = picture_of_cells(geometry, classes, sizes, n_classes)
        utility["cells"] = cells
        utility["costs"] = _costs(geometry, columns, people)
        _say("which columns can be linked")
        linked = carriers(geometry)
        risk["carriers"] = linked.pop("columns")
        risk["linkage"] = _linkage(release, None if sampled else linked)
        _say("models")
        utility["models"] = models(release, columns, geometry, people)
    facts |= {"risk": risk, "utility": utility}
    facts["answer"] = answer(release, facts)
    facts["limits"] = limits(release, facts)
    return facts


def _linkage(release: Release, linked: dict[str, Any] | None) -> dict[str, Any] | None:
    """How often the nearest original is the right one, of as many as it is known of.

    Parameters
    ----------
    linked : dict or None
        What was found of some records among all; None if only some are known.
    """
    measured = release.scores.get("distance_linkage_risk")
    if measured is not None:  # of all records, and not of a sample
        return {"all": digits(measured), "records": release.n_records}
    found = release.scores.get("sampled_linkage_risk")
    if linked is None and found is not None:
        return {"all": digits(found), "records": int(release.sample["records"])}
    return linked


CERTIFIED = (  # what the certificate says is said in the same words
    "created",
    "records",
    "records_left_out",
    "k_counts",
    "cells",
    "columns",
    "decide",
    "notices",
    "versions",
)


def _say(step: str) -> None:
    report(0, None, f"reporting: {step}")


def _about(
    release: Release, document: dict[str, Any], purpose: str | None, author: str | None
) -> dict[str, Any]:
    """What was released, by whom and how."""
    file = document.get("file") or document.get("table")  # of a database
    source = document.get("source")
    hashes = {}  # not the table's in memory, which is in the order of the original
    if file is not None:
        hashes["file"] = file["sha256"]
    digests = ("hmac_sha256", "sha256")  # of the source, with a key and without
    for digest in digests:
        if source is not None and digest in source:
            hashes["source"] = source[digest]
    withheld = release.withheld.removeprefix("withheld: ") or None
    of_source = ("name", *digests, "gives_away")
    return {
        "title": "Report of a release",
        **{name: document[name] for name in CERTIFIED},
        "microcell": release.versions["microcell"],
        "purpose": purpose,
        "author": author,
        "source": None
        if source is None
        else {"name": None} | {n: source[n] for n in of_source if n in source},
        "file": None
        if file is None
        else {name: file.get(name) for name in ("name", "bytes", "sha256", "records")},
        "k": int(release.recipe.k),
        "people": release.n_people or release.n_records,
        "refined": release.refined_words or None,
        "method": release.recipe.method_name,
        "left_out": list(release.left_out),
        "findings": [_plain(finding) for finding in document["findings"]],
        "withheld": withheld,
        "recipe": tomli_w.dumps(release.recipe.without_seed()),
        "hashes": hashes,
    }


def _plain(finding: dict[str, Any]) -> dict[str, Any]:
    """A finding without numbers that JSON has no word for."""
    return {
        name: None if isinstance(value, float) and not isfinite(value) else value
        for name, value in finding.items()
    }


def _scores(release: Release, withheld: str | None) -> list[dict[str, Any]]:
    return [
        {
            "name": score.name,
            "label": score.label,
            "value": None if withheld else digits(float(score.value)),
            "text": "withheld" if withheld else str(score),
        }
        for score in release.scores.shown
    ]


def _costs(
    geometry: Geometry, columns: list[Column], people: People
) -> list[dict[str, Any]]:
    """What columns lose that k people have a value of."""
    names = [c.name for c in columns if c.had_by_enough(people)]
    costs = geometry.costs(names)
    return [c | {n: digits(c[n]) for n in ("loss", "share")} for c in costs]
