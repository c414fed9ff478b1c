"""Parts of the page that compute: each beside the library's own, in a browser."""

import pytest

from microcell.privacy import LDiversity, PSensitivity, RecursiveDiversity, TCloseness
from microcell.recipe import as_promises, written_promises

pytestmark = [pytest.mark.browser, pytest.mark.slow]


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
