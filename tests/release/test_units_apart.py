"""Records of a person apart: k people in each class, counted on what was released."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from microcell import Schema, anonymize
from microcell.datasets import make_admissions
from microcell.exceptions import InputError, PrivacyError, SchemaError
from microcell.privacy import KOverVisits, PSensitivity, TCloseness

ADMISSIONS = make_admissions(240, 130, random_state=0)
COLUMNS = ADMISSIONS.schema.quasi_identifiers


def released(frame=None, k=3, **more):
    frame = ADMISSIONS.frame if frame is None else frame
    given = {"unit": "patient_id", "unit_records": "apart", "method": "mdav"} | more
    if given["unit"] == "records" and "unit_records" not in more:
        del given["unit_records"]
    return anonymize(frame, ADMISSIONS.schema, k=k, **{"order": "keep"} | given)


def people_of_classes(release, frame=ADMISSIONS.frame, names=COLUMNS):
    """Different people of each class, counted on the table by its own rows."""
    table = pl.DataFrame(release.table)
    whose = frame["patient_id"].alias("who")
    return (
        table.with_columns(whose).group_by(names).agg(pl.col("who").n_unique())["who"]
    )


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"method": "mondrian"},
        {"method": "mdav", "refine": 2000},
        {"strata": ["sex"]},
        {"promises": [PSensitivity(2, "hiv")], "k": 2},
        {"promises": [TCloseness(0.9, "hiv", distance="equal")]},
        {"aggregate": "median"},
        {"representatives": {"stay": "interval"}},
    ],
    ids=lambda more: " ".join(more) or "plain",
)
def test_each_class_has_k_people(more):
    release = released(**more)
    if "stay" not in release.table.columns:
        names = [n for n in release.table.columns if n not in ("hiv", "cost")]
    else:
        names = COLUMNS
    assert people_of_classes(release, names=names).min() >= more.get("k", 3)
    assert release.findings[0].found >= more.get("k", 3)
    assert "people" in str(release.findings[0]) or "patient_id" in str(release)


def test_it_loses_less_than_together():
    together = released(unit_records="together")
    assert released().scores["sse_loss"] < 0.8 * together.scores["sse_loss"]


def test_tables_of_one_to_thirty_rows_each_and_one_person_with_a_third():
    rng = np.random.default_rng(1)
    whose = np.repeat(np.arange(60), rng.integers(1, 31, 60))[:240]
    for units in (whose, np.maximum(np.arange(240) - 79, 0)):
        names = pl.Series("patient_id", [f"P{unit}" for unit in units])
        frame = ADMISSIONS.frame.with_columns(names)
        release = released(frame)
        assert people_of_classes(release, frame).min() >= 3
    assert any("more records than there are cells" in n for n in release.notices)
    promised = released(frame, promises=[PSensitivity(2, "hiv")])
    assert any("more records than there are cells" in n for n in promised.notices)


def test_who_knows_several_visits_is_named():
    said = "who knows several of them looks for people who are in all"
    assert any(said in notice for notice in released().notices)
    together = released(unit_records="together")
    assert not any(said in notice for notice in together.notices)


def test_who_is_in_all_classes_of_a_person_is_counted():
    frame = ADMISSIONS.frame.with_columns(hiv=pl.col("patient_id").str.slice(-1) > "7")
    release = released(frame)
    table = pl.DataFrame(release.table).with_columns(who=frame["patient_id"])
    table = table.with_columns(cell=pl.struct(COLUMNS).rank("dense"))
    cells = {who[0]: {*own["cell"]} for who, own in table.group_by("who")}
    values = {cell[0]: {*own["hiv"]} for cell, own in table.group_by("cell")}
    candidates = [
        sum(own <= other for other in cells.values()) for own in cells.values()
    ]
    one_value = [
        len(set.intersection(*(values[cell] for cell in own))) == 1
        for own in cells.values()
    ]
    found = release.visits
    assert found.candidates_least == min(candidates) < 3
    assert found.candidates_mean == pytest.approx(np.mean(candidates))
    assert found.below_k == pytest.approx(np.mean(np.array(candidates) < 3))
    assert found.in_several == np.mean([len(own) > 1 for own in cells.values()])
    assert found.known_values["hiv"] == pytest.approx(np.mean(one_value), abs=0.05)
    assert "cost" not in found.known_values  # which visits differ in
    risk = 1 / min(candidates)
    assert release.scores["visits_max_risk"] == risk
    assert f"highest, all visits {100 * risk:.2f} %" in release.summary()
    said = "looks for those who are in all of their classes: at least 1, "
    assert any(said in words for words in release.decide)
    assert release.certificate()["visits"]["candidates_least"] == min(candidates)
    together = released(frame, unit_records="together")
    one = together.scores["prosecutor_max_risk"]
    assert together.scores["visits_max_risk"] == one
    assert together.visits is None and "visits" not in together.certificate()
    assert not any(said in words for words in together.decide)


def test_k_over_visits_is_promised_or_the_release_is_withheld():
    with pytest.raises(PrivacyError, match=r"promised 3, found 1.* share a cell"):
        released(promises=[KOverVisits(3)])
    together = released(promises=[KOverVisits(3)], unit_records="together")
    finding = together.findings[-1]
    assert finding.promise == "k-over-visits, counted in patient_id"
    assert finding.holds and finding.found >= 3
    assert "way_out" not in together.certificate()["findings"][-1]
    with pytest.raises(InputError, match="counted on the whole table at once"):
        schema = ADMISSIONS.schema
        given = {"unit": "patient_id", "promises": [KOverVisits(3)], "shard": 100}
        anonymize(ADMISSIONS.frame, schema, k=3, **given)


def test_a_person_may_have_records_in_several_strata():
    release = released(strata=["ward"], small_strata="merge")
    assert people_of_classes(release).min() >= 3


def test_a_person_with_most_records_of_a_cell_does_not_decide_it():
    """Sixty visits of one patient are one vote; sampling weights are people still."""
    ages = np.concatenate([np.full(60, 30.0), np.arange(40.0, 60.0)])
    frame = pl.DataFrame(
        {
            "who": [f"P{max(0, row - 59)}" for row in range(80)],
            "age": ages,
            "weight": np.where(ages == 59, 400.0, 1.0),
        }
    )
    schema = Schema("age", identifiers=["who", "weight"])
    given = {"k": 4, "method": "mdav", "unit": "who", "order": "keep"}
    with pytest.raises(InputError, match="one person has more than 90 %"):
        anonymize(frame, schema, **given)
    release = anonymize(frame, schema, unit_records="apart", **given)
    table = pl.DataFrame(release.table).with_columns(frame["who"], was=frame["age"])
    for _, cell in table.group_by("age"):
        people = cell.group_by("who").agg(pl.col("was").mean())["was"]
        assert cell["age"][0] == pytest.approx(people.mean(), abs=0.051)
        assert len(people) >= 4
    with pytest.raises(InputError, match="of the weight in 'weight'"):
        anonymize(frame, schema, unit_records="apart", weights="weight", **given)


def test_what_it_needs():
    with pytest.raises(InputError, match="needs"):
        released(unit=None)
    with pytest.raises(InputError, match="says that each has one"):
        released(unit="records", unit_records="apart")
    with pytest.raises(InputError, match="says itself what is published"):
        released(method="random-aggregation")


FIGURES = {  # loss and kept diagnoses in percent, least people; k = 5 and 11
    ("mdav", "records"): ((28.1, 84, 2), (38.5, 74, 6)),
    ("mdav", "together"): ((47.5, 72, 5), (57.1, 63, 11)),
    ("mdav", "apart"): ((28.7, 84, 5), (39.0, 73, 11)),
    ("mdav-refined", "records"): ((24.0, 91, 1), (32.1, 89, 6)),
    ("mdav-refined", "together"): ((43.9, 78, 5), (51.4, 75, 11)),
    ("mdav-refined", "apart"): ((24.3, 91, 5), (32.4, 89, 11)),
}


@pytest.mark.slow
@pytest.mark.parametrize(("method", "form"), FIGURES)
def test_figures_of_the_page_on_people(method, form):
    data = make_admissions(random_state=0)
    how = {"unit": "records"} if form == "records" else {"unit_records": form}
    for k, (loss, kept, least) in zip((5, 11), FIGURES[method, form], strict=True):
        release = released(data.frame, k, method=method, **how)
        assert 100 * release.scores["sse_loss"] == pytest.approx(loss, abs=0.06)
        same = release.table["diagnosis"] == data.frame["diagnosis"]
        assert 100 * same.mean() == pytest.approx(kept, abs=0.6)
        assert people_of_classes(release, data.frame).min() == least


def test_what_says_whose_rows_are_one_persons_is_refused():
    """A value of one person alone, in several rows of theirs, joins them again."""
    patients = ADMISSIONS.frame["patient_id"]
    number = np.unique(patients.to_numpy(), return_inverse=True)[1]
    income = pl.Series("income", np.exp(7 + np.sin(number)).round(2))
    frame = ADMISSIONS.frame.with_columns(income)
    schema = replace(ADMISSIONS.schema, confidential=["hiv", "income"], others="drop")
    given = {"k": 3, "unit": "patient_id", "method": "mdav"}
    for more in ({}, {"allow_unique": ["income"]}, {"shard": 60}):
        with pytest.raises(SchemaError, match="which of them are theirs") as caught:
            anonymize(frame, schema, unit_records="apart", **given, **more)
        assert caught.value.column == "income" and "'together'" in str(caught.value)
    assert anonymize(frame, schema, **given).findings[0].holds
    each_visit = frame.with_columns(income + np.arange(len(frame)) / 1000)
    assert anonymize(each_visit, schema, unit_records="apart", **given)


def test_small_strata_of_the_same_people_are_joined_until_they_have_k():
    few = ADMISSIONS.frame["patient_id"].unique(maintain_order=True)[:2]
    frame = ADMISSIONS.frame.with_columns(
        ward=pl.when(~pl.col("patient_id").is_in(few.implode()))
        .then(pl.lit("large"))
        .otherwise(pl.lit("small"))
    )
    again = frame.filter(pl.col("ward") == "small").with_columns(ward=pl.lit("tiny"))
    frame = pl.concat([frame, again])
    merged = {"strata": ["ward"], "small_strata": "merge"}
    release = released(frame, **merged)
    assert people_of_classes(release, frame).min() >= 3
    sharded = released(frame, shard=60, order="sorted", **merged)
    assert sharded.findings[0].found >= 3
    assert release.n_strata == sharded.n_strata == (3, 3)
