import json
import pickle

import numpy as np
import polars as pl
import pytest

from microcell import Schema, anonymize, measure
from microcell.datasets import load_diabetes_patients
from microcell.metrics import MEASURES, Measure, ShownScore, chosen_measures
from microcell.metrics import _measures as module

TABLE = load_diabetes_patients().frame
SCHEMA = Schema(["age", "bmi"], others="drop")


def test_a_new_measure_is_one_line_and_shown_everywhere(monkeypatch, tmp_path):
    largest = Measure(
        "largest_change",
        "largest change",
        "number",
        "low",
        lambda c: np.abs(c.X - c.X_released).max(),
    )
    monkeypatch.setattr(module, "MEASURES", (*MEASURES, largest))
    release = anonymize(TABLE, SCHEMA, k=5)
    value = release.scores["largest_change"]
    assert f"largest change      {value:.4g}" in release.summary(verbose=True)
    document = release.save(tmp_path / "o.csv")
    assert document["scores"]["largest_change"] == value
    measured = measure(TABLE, release.table, SCHEMA.quasi_identifiers)
    assert measured["largest_change"] == pytest.approx(value)
    assert any("largest change" in line for line in measured.lines())


def test_a_choice_of_measures():
    release = anonymize(TABLE, SCHEMA, k=5, measures=["sse_loss"])
    assert list(release.scores) == ["sse_loss"]
    assert anonymize(TABLE, SCHEMA, k=5, measures="none").scores == {}
    everything = anonymize(TABLE, SCHEMA, k=5, measures="all").scores
    assert list(everything) == [m.name for m in MEASURES if not m.needs]
    with pytest.raises(ValueError, match=r"'measures' parameter .* Got 'magic'"):
        anonymize(TABLE, SCHEMA, k=5, measures="magic")


def test_what_is_expensive_is_left_out_of_a_large_table(monkeypatch):
    few = [m.name for m in chosen_measures("quick", 100_001)]
    assert "distance_linkage_risk" not in few and "sse_loss" in few
    assert len(chosen_measures("quick", 100_000, given=["weights", "unit"])) == len(
        MEASURES
    )
    monkeypatch.setattr(module, "EXPENSIVE_FROM", 100)
    release = anonymize(TABLE, SCHEMA, k=5)
    assert "distance_linkage_risk" not in release.scores
    assert "not measured        linkage, nearest" in release.summary(verbose=True)
    assert (
        "distance_linkage_risk" in anonymize(TABLE, SCHEMA, k=5, measures="all").scores
    )


def test_scores_are_numbers_with_labels():
    scores = anonymize(TABLE, SCHEMA, k=5).scores
    assert json.loads(json.dumps(scores)) == dict(scores)
    assert pickle.loads(pickle.dumps(scores)).shown == scores.shown
    assert all(isinstance(score, ShownScore) for score in scores.shown)
    assert str(ShownScore("p", 3.0, "values", "count")) == "3"


def test_one_measure_alone_costs_nothing_else(monkeypatch):
    def never(*arguments):
        raise AssertionError("linkage was computed")

    monkeypatch.setattr(module, "linkage_risks", never)
    original = pl.DataFrame({"age": [20, 30, 60, 70]})
    release = pl.DataFrame({"age": [25.0, 25.0, 65.0, 65.0]})
    assert measure(original, release, "age", measures=["sse_loss"])["sse_loss"] > 0
