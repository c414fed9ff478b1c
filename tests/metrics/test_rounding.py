"""Published figures: what somebody who knows nearly everything makes of them."""

import json

import numpy as np
import polars as pl
import pytest

from microcell import Recipe, Schema, anonymize, anonymize_file, compare
from microcell.datasets import load_diabetes_patients
from microcell.metrics import sse_loss
from microcell.metrics._rounding import loss_step, rounded_figures, rounded_loss
from microcell.release import measure_files

NEAR = 0.01  # of the standard deviation: who comes nearer has solved both values
EXACT = 1e-12


def widths(x, labels, published, half):
    """How far two unknown values of each cell may be apart, given a loss.

    Their sum is known from the centroid; the loss is ``(base + d**2 / 2) / (total +
    d**2 / 2)`` of their difference d. In standard deviations, half from end to end.
    """
    centroids = np.array([x[labels == cell].mean() for cell in labels])
    apart = np.linspace(0, np.ptp(x), 200_001) ** 2 / 2
    found = []
    for cell in range(labels.max() + 1):
        i, j = np.flatnonzero(labels == cell)[:2]
        own = (x[i] - x[j]) ** 2 / 2
        loss = np.sum((x - centroids) ** 2) - own + apart
        loss /= np.sum((x - x.mean()) ** 2) - own + apart
        fits = np.flatnonzero(np.abs(loss - published) <= half)
        ends = np.sqrt(2 * apart[fits[[0, -1]]]) if fits.size else np.zeros(2)
        found.append((ends[1] - ends[0]) / 2 / x.std())
    return np.array(found[:40])


TABLES = {
    "age": load_diabetes_patients().frame["age"].to_numpy().astype(float),
    "few ages": load_diabetes_patients().frame["age"].to_numpy()[:50].astype(float),
    "income": np.random.default_rng(0).lognormal(10, 0.7, 2000),
}


@pytest.mark.parametrize("name", TABLES)
def test_two_people_of_a_cell_are_not_solved_from_the_loss(name):
    x = TABLES[name]
    table = pl.DataFrame({"x": x})
    release = anonymize(table, Schema(["x"]), k=5, method="mdav")
    exact = sse_loss(x[:, None], release.table["x"].to_numpy()[:, None])
    assert np.mean(widths(x, release.labels, exact, EXACT) < NEAR) > 0.9
    said = release.certificate()["scores"]["sse_loss"]
    assert said == release.scores["sse_loss"]
    half = loss_step(len(x)) / 2 * (1 + 1e-9)
    found = widths(x, release.labels, said, half)
    assert np.mean(found < NEAR) < 0.05 and np.median(found) > 3 * NEAR


def test_every_place_that_shows_a_loss_shows_the_rounded_one(tmp_path):
    """No document has a figure with more digits than the step of a loss allows."""
    frame = load_diabetes_patients().frame.select("age", "bmi", "bp", "sex")
    schema = Schema(["age", "bmi", "bp"], confidential="sex")
    frame.write_csv(tmp_path / "t.csv")
    for engine in ("memory", "disk"):
        recipe = Recipe(schema, k=5, shard=200 if engine == "disk" else None)
        sidecars = {"certificate": tmp_path / f"{engine}.json"}
        if engine == "memory":
            sidecars["report"] = tmp_path / "report.json"
        out = tmp_path / ("o.csv" if engine == "memory" else "out")
        anonymize_file(tmp_path / "t.csv", recipe, out, engine=engine, **sidecars)
    compared = compare(frame, schema, k=[5], methods=["mdav", "mondrian"], label="sex")
    tmp_path.joinpath("comparison.json").write_text(json.dumps(compared.to_dict()))
    compared.table.write_csv(tmp_path / "comparison.csv")
    said = [json.loads(path.read_text()) for path in tmp_path.glob("*.json")]
    losses = list(figures_of_losses(said))
    assert len(losses) > 15
    assert [x for x in losses if round(x, 5) != x] == []
    cells = pl.read_csv(tmp_path / "comparison.csv")
    for name in ("relative_loss", "sse_loss", "mse_distortion", "variance_loss"):
        assert (cells[name] == cells[name].round(4)).all()
    measured = measure_files(tmp_path / "t.csv", tmp_path / "t.csv", ["age"])
    assert measured == rounded_figures(measured, 442)


def figures_of_losses(document):
    """Figures of what was lost in a document, wherever they are."""
    if isinstance(document, dict):
        for name, entry in document.items():
            if isinstance(entry, float) and ("loss" in name or "distortion" in name):
                yield entry
            elif name in ("before", "after", "original", "alone", "without"):
                yield from (x for x in flat(entry) if isinstance(x, float))
            else:
                yield from figures_of_losses(entry)
    elif isinstance(document, list):
        for entry in document:
            yield from figures_of_losses(entry)


def flat(entry):
    if isinstance(entry, dict):
        entry = list(entry.values())
    if not isinstance(entry, list):
        return [entry]
    return [x for inner in entry for x in flat(inner)]


def test_a_distortion_is_as_coarse_as_its_loss_in_any_unit():
    loss, n_records = 0.0512345, 442
    for scale in (1e-3, 1.0, 1e6):
        distortion = scale * loss
        figures = {"sse_loss": loss, "mse_distortion": distortion}
        said = rounded_figures(figures, n_records)["mse_distortion"]
        near = {
            rounded_figures(
                {"sse_loss": other, "mse_distortion": scale * other}, n_records
            )["mse_distortion"]
            for other in np.linspace(loss, loss + loss_step(n_records), 20)
        }
        assert len(near) <= 2
        assert abs(said - distortion) <= max(loss_step(442) * scale, 1e-4)
    assert rounded_figures({"mse_distortion": 123456.7}, 442)["mse_distortion"] == 1.2e5


def test_a_published_gap_is_never_below_the_true_one():
    from microcell.compose._refinement import Refinement

    rng = np.random.default_rng(0)
    for n_records in (20, 442, 30_000):
        for _ in range(100):
            loss = rng.uniform(0.001, 0.5)
            bound = loss * rng.uniform(0.7, 1.0)
            exact = Refinement(1.2 * loss, loss, lower_bound=bound)
            said = exact.rounded(n_records)
            assert said.loss == rounded_loss(loss, n_records, finest=0.0)
            assert said.lower_bound <= bound
            assert said.gap is None or said.gap >= exact.gap - 1e-9
