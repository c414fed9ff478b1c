"""The steps Protect, Compare and Release as a real browser shows them."""

import hashlib

import pytest
from app_pages import start_release

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,  # the whole way is in test_whole_flow.py
]

UNFOLD = "document.querySelectorAll('main details').forEach(each => each.open = true)"


def show(page, app, id, step, ready):
    page.goto(f"{app.origin}/#/document/{id}/{step}")
    page.wait_for_selector(ready)


def problems_of(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]


@pytest.fixture
def id(app):
    """The demonstration, looked at."""
    id = app.looked_at(app.demo()["id"])["id"]
    yield id
    app.client.delete(f"/api/documents/{id}")


def test_k_is_clicked_and_said_in_words(page, app, id):
    show(page, app, id, "protect", ".promise-words")
    page.locator(".k-presets label", has_text="11").click()
    page.get_by_text("hides among at least 11").wait_for()
    app.wait(lambda: app.document(id), lambda document: document["draft"]["k"] == 11)
    page.locator(".recipe .fresh", has_text="k = 11").wait_for()


def test_what_is_wrong_stands_beside_its_field(page, app, id):
    show(page, app, id, "protect", ".promise-words")
    page.get_by_text("Missing values").click()
    filled = page.get_by_label("How gaps are filled", exact=True)
    filled.select_option(label="by the five nearest records")
    page.locator(".field.wrong", has=filled).locator(".problem").wait_for()
    said = app.wait(lambda: app.document(id)["checked"]["error"], bool)["message"]
    assert said in page.inner_text(".problem-summary")
    page.get_by_role("button", name="Show me where").click()
    assert filled.evaluate("node => node === document.activeElement")
    page.get_by_role("button", name="Reset How gaps are filled to its default").click()
    page.locator(".field.wrong").wait_for(state="detached")
    assert "imputer" not in app.document(id)["draft"]


def test_a_column_has_the_fields_of_its_kind(page, app, id):
    """As the library declares them; what is written comes into the recipe."""
    app.put_draft(id, kinds={"sex": "nominal"})
    show(page, app, id, "protect", ".promise-words")
    page.evaluate(UNFOLD)
    columns = page.locator("fieldset.per-column")
    labels = {
        name: columns.filter(has=page.locator("legend", has_text=name))
        .locator(".field-head .label, .field-head label")
        .all_inner_texts()
        for name in ("bmi", "sex")
    }
    assert labels["sex"] == ["Published as", "Importance"]
    assert labels["bmi"] == [
        "Published as", "No lower than", "No higher than", "Decimals", "Importance"
    ]  # fmt: skip
    bmi = columns.filter(has=page.locator("legend", has_text="bmi"))
    bmi.get_by_label("Decimals", exact=True).fill("1")
    bmi.get_by_label("No lower than", exact=True).fill("15")
    app.wait(
        lambda: app.document(id)["draft"],
        lambda draft: (
            (draft.get("digits"), draft.get("clip")) == ({"bmi": 1}, {"bmi": "15:"})
        ),
    )
    assert page.locator("option", has_text="Semicolon").count() == 1


def test_a_model_is_added_changed_and_removed(page, app, id):
    show(page, app, id, "protect", ".promise-words")
    page.get_by_label("Promise more").select_option("t-closeness")
    page.get_by_role("button", name="Add", exact=True).click()
    level = page.get_by_label("Distance at most (t)", exact=True)
    level.fill("0.25")
    app.wait(
        lambda: app.document(id)["draft"]["promises"],
        lambda promises: promises == {"t-closeness": {"t": 0.25}},
    )
    page.get_by_role("button", name="Remove t-closeness").click()
    app.wait(lambda: app.document(id)["draft"], lambda draft: draft["promises"] == {})


def test_weaker_methods_do_not_claim_k(page, app, id):
    app.put_draft(id, method="individual-ranking")
    show(page, app, id, "protect", ".promise-words")
    assert "In each column alone" in page.inner_text(".promise-words")
    assert "chance of at most" not in page.inner_text("main")


def test_a_point_of_the_map_is_chosen_by_keys_and_undone(page, app, id):
    show(page, app, id, "compare", ".compare-form")
    before = app.document(id)["draft"]
    for name in ("vmdav", "pcp", "zscores", "mdav-sd"):
        page.locator(f".method-boxes label:has(code:text-is('{name}'))").click()
    page.get_by_role("button", name="Start comparing").click()
    app.wait(
        lambda: app.document(id)["comparison"], lambda c: c and c["state"] == "done"
    )
    page.wait_for_selector(".work", state="hidden")
    alive = [c for c in app.document(id)["comparison"]["candidates"] if not c["error"]]
    page.wait_for_function(
        "n => document.querySelectorAll('.point').length === n", arg=len(alive)
    )
    assert page.locator(".candidates tbody tr").count() == len(alive)
    page.locator(".point[tabindex='0']").focus()
    page.keyboard.press("End")
    label = page.evaluate("document.activeElement.dataset.label")
    page.keyboard.press("Enter")
    page.get_by_text(f"{label} is now in your settings.").wait_for()
    draft = app.document(id)["draft"]
    assert f"{draft['method']}, k={draft['k']}" == label
    page.locator(".chosen").get_by_role("button", name="Undo").click()
    app.wait(lambda: app.document(id)["draft"], lambda draft: draft == before)


def test_a_release_is_made_shown_downloaded_and_taken_back(page, app, id):
    show(page, app, id, "release", ".release-form")
    page.get_by_label("Purpose").fill("a test")
    start_release(page)
    page.get_by_role("heading", name="Released.").wait_for()
    made = app.document(id)["releases"][0]
    with page.expect_download() as coming:
        page.locator(".download.first").click()
    contents = coming.value.path().read_bytes()
    assert hashlib.sha256(contents).hexdigest() == made["files"]["release"]["sha256"]
    assert page.locator("iframe").get_attribute("sandbox") == ""
    report = page.frame_locator("iframe")
    report.get_by_text("Report of a release").wait_for()
    page.get_by_role("tab", name="Python").click()
    assert page.inner_text(".same-panel").strip() == made["python"].strip()
    page.get_by_role("button", name="Take back the release").click()
    page.locator(".release-row.taken").wait_for()
    assert app.document(id)["releases"] == []
    page.locator(".release-row").get_by_role("button", name="Undo").click()
    app.wait(lambda: app.document(id)["releases"], bool)
    page.goto(f"{app.origin}/#/history")
    page.locator(".release-row", has_text="patients.csv").wait_for()


def test_a_promise_that_cannot_hold_releases_nothing(page, app, id):
    app.put_draft(id, promises={"l-diversity": 400})
    show(page, app, id, "release", ".release-form")
    start_release(page)
    page.get_by_text("Nothing was released").first.wait_for()
    failed = [job for job in app.document(id)["jobs"] if job["state"] == "failed"]
    assert failed[-1]["error"]["message"] in page.inner_text("main")
    assert app.document(id)["releases"] == []
    assert page.locator(".verdict-card").count() == 0


def test_what_the_library_proposes_is_one_click(page, app, tmp_path):
    """And what was released before is not shown as an answer to what failed."""
    rows = ["age,sex,ill"] + [f"{20 + n % 50},{'mf'[n % 2]},{n % 3}" for n in range(60)]
    file = tmp_path / "gaps.csv"
    file.write_text("\n".join([*rows, ",m,1", ",f,0"]))
    id = app.looked_at(app.upload(file.name, file.read_bytes())["id"])["id"]
    show(page, app, id, "release", ".release-form")
    start_release(page)
    page.locator(".verdict-card").wait_for()
    app.put_draft(id, missing="error")
    start_release(page)
    page.get_by_text("Nothing was released").first.wait_for()
    page.locator(".verdict-card").wait_for(state="detached")
    page.get_by_role("button", name="leave these records out").click()
    page.get_by_text("Nothing was released").wait_for(state="detached")
    assert app.document(id)["draft"]["missing"] == "drop"
    start_release(page)
    page.locator(".verdict-card").wait_for()
    app.client.delete(f"/api/documents/{id}")


def test_everybody_can_use_it_on_every_screen(page, app, id):
    answer = app.client.post(
        f"/api/documents/{id}/compare",
        json={"methods": ["mdav", "mondrian"], "k": [3, 5]},
    )
    app.job(id, answer.json()["id"])
    app.put_draft(id, promises={"l-diversity": 2}, missing="impute")
    app.release(id)
    shown = {
        "protect": ".promise-words",
        "compare": ".point",
        "release": ".verdict-card",
    }
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (360, 768, 1440, 3840):
            page.set_viewport_size({"width": width, "height": 900})
            for step, ready in shown.items():
                show(page, app, id, step, ready)
                page.evaluate(UNFOLD)
                assert problems_of(page) == [], (step, width, scheme)
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, (step, width, scheme)
