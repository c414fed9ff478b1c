"""What is read and confirmed before a release is made, and before it is handed out."""

import pytest
from app_pages import make_release
from app_server import running_app

NAMES = ["Anna Schmidt", "Ben Okri", "Cleo Marsh", "Dan Ek", "Eva Lund", "Finn Berg"]
MASKED = ["age", "height", "a", "b", "c", "d", "e"]
REFUSED = "Column 'who' would be released as it is, and 100 % of the records are alone"


def people(n=60):
    """A table with a column of names and many others."""
    lines = [",".join([*MASKED, "who", "ill"])]
    for i in range(n):
        first, last = NAMES[i % 6].split()
        values = [20 + i * 7 % 50, 150 + i * 13 % 40, *[i % m for m in range(2, 7)]]
        lines.append(",".join(map(str, [*values, f"{first} {last}{chr(97 + i // 6)}"])))
        lines[-1] += ",yes" if i % 9 == 0 else ",no"
    return ("\n".join(lines) + "\n").encode()


@pytest.fixture
def document(app):
    """People in the session, their names left out."""
    document = app.looked_at(app.upload("people.csv", people())["id"])["id"]
    app.put_draft(
        document, quasi_identifiers=MASKED, identifiers=["who"], confidential=["ill"],
        others="drop", unit="records", method="mdav", measures="none",
    )  # fmt: skip
    yield document
    app.client.delete(f"/api/documents/{document}")


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "place") as server:
        yield server


def asked(app, document, **wish):
    return app.client.post(f"/api/documents/{document}/release", json=wish)


def test_roles_are_confirmed_before_the_first_release_and_when_they_change(
    app, document
):
    refused = asked(app, document)
    assert refused.status_code == 409 and "confirmed" in refused.text
    assert (
        not app.document(document)["confirmed"]
        and not app.document(document)["jobs"][1:]
    )
    app.release(document)
    assert app.document(document)["confirmed"]
    app.put_draft(document, k=6)
    assert asked(app, document).status_code == 202  # roles are what they were
    app.put_draft(document, confidential=[], identifiers=["who", "ill"])
    assert asked(app, document).status_code == 409


@pytest.mark.parametrize("role", ["confidential", "others"])
def test_a_column_of_names_is_refused_until_it_is_stated(app, document, role):
    columns = {
        column["name"]: column
        for column in app.document(document)["look"]["inspection"]["columns"]
    }
    assert [name for name, column in columns.items() if column["refused"]] == ["who"]
    shown = app.put_draft(document, identifiers=[], **{role: ["who"]})
    if role == "others":
        shown = app.put_draft(document, identifiers=[], others=["who", "drop"])
    error = shown["checked"]["error"]
    assert error["message"].startswith(REFUSED) and error["column"] == "who"
    assert error["ways"] == [{"option": "allow_unique", "value": ["who"]}]
    assert asked(app, document, confirmed=True).status_code == 422
    assert app.put_draft(document, allow_unique=["who"])["checked"]["error"] is None
    made = app.release(document)
    assert "allow_unique" in made["heed"][0]["text"]
    assert made["heed"][0]["kind"] == "to decide"
    assert b'allow_unique = [\n    "who",\n]' in app.download(made, "recipe")


@pytest.mark.browser
@pytest.mark.slow  # the whole way is in test_whole_flow.py
def test_what_is_to_be_decided_is_read_before_anything_is_downloaded(
    visit, app, document
):
    page = visit(width=360, height=740).tab(f"#/document/{document}/columns")
    card = page.get_by_role("group", name="who", exact=True)
    card.get_by_role("radio", name="Confidential", exact=True).check()
    card.get_by_text(REFUSED).wait_for()
    card.get_by_role("checkbox", name="I state that it may be released").check()
    card.get_by_text(REFUSED).wait_for(state="hidden")
    app.wait(
        lambda: app.document(document)["checked"], lambda c: c and c["error"] is None
    )
    page.goto(f"{app.origin}/#/document/{document}/release")
    page.locator(".checklist li").first.wait_for()
    plan = page.locator(".checklist").inner_text()
    assert all(name in plan.replace(" and ", ", ") for name in [*MASKED, "who", "ill"])
    assert "more column" not in plan
    page.get_by_role("button", name="Make the release").click()
    assert [job["kind"] for job in app.document(document)["jobs"]] == [
        "look"
    ]  # not confirmed
    make_release(page)
    heed = page.locator(".verdict-card .notice").first
    assert "who knows it finds 100 %" in heed.inner_text()
    assert heed.evaluate("node => node.closest('details') === null")
    download = page.locator(".downloads").bounding_box()
    for notice in page.locator(".verdict-card .notice").all():
        box = notice.bounding_box()
        assert box["y"] + box["height"] <= download["y"]
    verdict = page.locator(".verdict-words").inner_text()
    assert verdict.startswith("! Released. Decide") and "✓" not in verdict
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
