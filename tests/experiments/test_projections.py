import numpy as np
import polars as pl
import pytest
from tables import gaussian
from typer.testing import CliRunner

from microcell.cli._app import app
from microcell.experiments.projections._paper import TABLE_1, TABLE_COLUMNS, published
from microcell.experiments.projections._readings import PROJECTIONS
from microcell.experiments.projections._summary import closeness, conclusions
from microcell.metrics import reidentification_risk


def test_published_scores_follow_from_their_parts():
    """The transcription is right: score = IL / 2 + DLD / 8 + PLD / 8 + ID / 4."""
    for method, v, k in TABLE_1:
        for data in ("eia", "census"):
            row = published(data, method, v, k)
            parts = row["IL"] / 2 + (row["DLD"] + row["PLD"]) / 8 + row["ID"] / 4
            assert row["score"] == pytest.approx(parts, abs=0.02)


def rows_like(table, reading="default"):
    return [
        {"data": "census", "method": method, "v": v, "k": k, "reading": reading}
        | {c: published("census", method, v, k)[c] + 1 for c in TABLE_COLUMNS}
        | {f"paper {c}": published("census", method, v, k)[c] for c in TABLE_COLUMNS}
        | {"DR": 0.0}
        for method, v, k in table
    ]


def test_closeness_of_a_shifted_table():
    for row in closeness(rows_like(TABLE_1)):
        assert row["rank correlation"] == pytest.approx(1.0)
        assert row["mean absolute difference"] == pytest.approx(1.0)
        assert row["rows"] == 27


def test_the_default_stands_beside_a_reading_of_one_method():
    rows = rows_like(TABLE_1)
    rows += [
        r | {"reading": "Sugeno of ranges"} for r in rows if r["method"] == "sugeno"
    ]
    readings = {(r["reading"], r["rows"]) for r in closeness(rows)}
    assert readings == {
        ("default", 27),
        ("Sugeno of ranges", 9),
        ("default, sugeno only", 9),
    }


def test_conclusions_are_held_against_both_tables():
    rows = rows_like(TABLE_1)
    lines = conclusions(rows)
    assert len(lines) == 5
    assert all("holds in the paper" in line for line in lines)
    assert "holds in our run" in lines[-1]  # the scores are the paper's, shifted
    for row in rows:
        row["score"] = -row["score"]
    assert "does not hold in our run" in conclusions(rows)[-1]


@pytest.mark.parametrize("reading", PROJECTIONS)
def test_readings_release_cells_of_k(reading):
    _, build = PROJECTIONS[reading]
    released = build(5, 2).fit_transform(np.exp(gaussian(60, 4)))
    assert reidentification_risk(released[:, :2]).smallest_class >= 5


@pytest.mark.slow
def test_quick_run_from_the_command_line(benchmark_data, tmp_path):
    arguments = ["reproduce", "projections", "--quick", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, arguments, prog_name="microcell")
    assert done.exit_code == 0, done.stderr
    assert "rank correlation" in done.stdout
    assert "Modeling Projections in Microaggregation (Nin and Torra)" in done.stdout
    out = tmp_path / "projections"
    table = pl.read_csv(out / "table_1.csv")
    assert table.height == 9
    assert set(TABLE_COLUMNS) | {f"paper {c}" for c in TABLE_COLUMNS} <= set(
        table.columns
    )
    assert (out / "figure_2.png").stat().st_size > 10_000
    assert (out / "figure_3.svg").read_text().startswith("<?xml")


def test_unknown_experiment(tmp_path):
    arguments = ["reproduce", "magic", "--out", str(tmp_path / "x")]
    done = CliRunner().invoke(app, arguments, prog_name="microcell")
    assert done.exit_code == 2 and "projections" in done.stderr
