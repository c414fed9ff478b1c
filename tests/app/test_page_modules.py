"""Parts of the page that compute: each beside the library's own, in a browser."""

import numpy as np
import pytest

from microcell.privacy import LDiversity, PSensitivity, RecursiveDiversity, TCloseness
from microcell.recipe import as_promises, written_promises
from microcell.selection._pareto import efficient

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOW = {"name": "x", "better": "low"}
HIGH = {"name": "y", "better": "high"}


@pytest.mark.parametrize("seed", range(5))
def test_the_frontier_of_chosen_axes_is_that_of_the_library(page, seed):
    x, y = np.random.default_rng(seed).integers(0, 6, (2, 30)).astype(float)
    candidates = [
        {"label": str(i), "error": None, "figures": {"x": a, "y": b}}
        for i, (a, b) in enumerate(zip(x, y, strict=True))
    ]
    found = page.evaluate(
        """async ([candidates, x, y]) => {
            const { frontier_of } = await import("/page/figures.js");
            return frontier_of(candidates, x, y).map(each => Number(each.label));
        }""",
        [candidates, LOW, HIGH],
    )
    assert sorted(found) == np.flatnonzero(efficient(x, -y)).tolist()


@pytest.mark.parametrize(
    "promises",
    [
        [],
        [LDiversity(3)],
        [PSensitivity(2, "ill"), PSensitivity(3, "job"), TCloseness(0.2)],
        [RecursiveDiversity(2.0, 3, "ill")],
    ],
)
def test_promises_come_back_from_their_rows(page, app, promises):
    models = app.client.get("/api/catalogue").json()["promises"]
    found = page.evaluate(
        """async ([promises, models]) => {
            const { promises_of, rows_of } = await import("/page/promise_rows.js");
            return promises_of(rows_of(promises, models));
        }""",
        [written_promises(promises), models],
    )
    assert as_promises(found) == tuple(promises)


@pytest.mark.parametrize("values", [[3, 3, 3], [0, 5], [0.001, 40, 900], [-2, 7.5]])
def test_an_axis_holds_its_values_and_its_ticks(page, values):
    places, ticks, n_ticks = page.evaluate(
        """async values => {
            const { axis_of } = await import("/page/axis.js");
            const { place, ticks } = axis_of(values);
            return [values.map(place), ticks.map(place), ticks.length];
        }""",
        values,
    )
    assert all(0 <= place <= 1 for place in [*places, *ticks])
    assert places == sorted(places)
    assert 2 <= n_ticks <= 16


def test_names_on_the_map_cover_nothing(page):
    points = np.random.default_rng(1).uniform(20, 580, (25, 2)).tolist()
    spots = [{"x": x, "y": y, "text": "mdav, k=5", "away": 0} for x, y in points]
    room = {"left": 0, "top": 0, "right": 600, "bottom": 600}
    placed = page.evaluate(
        """async ([spots, points, room]) => {
            const { place_labels } = await import("/page/labels.js");
            return place_labels(spots, points, [], room, 1);
        }""",
        [spots, points, room],
    )
    assert placed
    centres = [(each["x"], each["y"], each["anchor"]) for each in placed]
    assert len(set(centres)) == len(centres)
    for x, y, _ in centres:
        assert all(max(abs(x - a), abs(y - b)) > 5 for a, b in points)
