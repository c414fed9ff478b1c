"""The steps File and Columns as a real browser shows them."""

import io
import random

import openpyxl
import pytest

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,  # the whole way is in test_whole_flow.py
]

SCRIPT = "<script>document.title = 'owned'</script>"
HOSTILE = ["patient_id", SCRIPT, "تاريخ", "city 🌍", "x" * 200, "diagnosis"]


def table(columns, n_records=200):
    draw = random.Random(1)
    lines = [",".join(columns)]
    for record in range(n_records):
        values = [str(draw.choice([f"<b>{v}</b>", v, v])) for v in "abcd"]
        lines.append(
            ",".join([str(1000 + record), *draw.choices(values, k=len(columns) - 1)])
        )
    return "\n".join(lines).encode()


def opened(app, name, contents):
    """The id of a table that has been looked at."""
    return app.looked_at(app.upload(name, contents)["id"])["id"]


def show(page, app, id, step):
    page.goto(f"{app.origin}/#/document/{id}/{step}")
    page.wait_for_selector(".column" if step == "columns" else ".figures")


def card(page, name):
    return page.locator(".column").filter(has=page.locator("h2").get_by_text(name))


def problems_of(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]


def test_the_demonstration_is_one_click_away(page):
    page.get_by_role("button", name="Try it with 442 patients").click()
    page.get_by_role("link", name="Continue to the columns").click()
    page.wait_for_selector(".column")
    assert page.locator(".column").count() == 11
    assert page.evaluate("document.activeElement.tagName") == "H1"
    assert page.evaluate("window.__refused ?? []") == []


def test_a_file_is_chosen_by_its_button_and_shown(page):
    page.locator(".drop input").set_input_files(
        {"name": "seen.csv", "mimeType": "text/csv", "buffer": table(["a", "b"])}
    )
    page.get_by_text("200 records with 2 columns").wait_for()
    assert page.locator("table tbody tr").count() == 20


def test_values_and_names_stay_words(page, app):
    id = opened(app, "hostile.csv", table(HOSTILE))
    for step in ("file", "columns"):
        show(page, app, id, step)
        assert "<b>" in page.inner_text("main")
        assert SCRIPT in page.inner_text("main")
        assert page.locator("main b, main script").count() == 0
        assert "owned" not in page.title()
    assert page.evaluate("window.__refused ?? []") == []


def test_roles_are_changed_by_keys_and_undone(page, app):
    id = opened(app, "keys.csv", table(["id", "age", "sex"]))
    show(page, app, id, "columns")
    before = app.document(id)["draft"]
    page.locator(".column").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("c")
    app.wait(lambda: app.document(id), lambda c: "sex" in c["draft"]["confidential"])
    assert card(page, "sex").get_by_label("Confidential").is_checked()
    page.keyboard.press("Control+z")
    app.wait(lambda: app.document(id), lambda c: c["draft"] == before)


def test_a_column_that_is_released_as_it_is_comes_with_a_warning(page, app):
    id = opened(app, "kept.csv", table(["id", "age", "sex"]))
    show(page, app, id, "columns")
    card(page, "sex").get_by_label("As it is").check()
    card(page, "sex").get_by_text("nothing hides it").wait_for()
    draft = app.wait(
        lambda: app.document(id)["draft"], lambda entries: entries["others"] != "drop"
    )
    assert draft["others"] == ["sex", "drop"]


def test_without_a_quasi_identifier_the_way_on_is_closed(page, app):
    id = opened(app, "none.csv", table(["id", "age", "sex"]))
    show(page, app, id, "columns")
    page.get_by_label("Select all").check()
    page.locator(".several").get_by_role("button", name="Left out").click()
    page.get_by_text("There is no quasi-identifier").wait_for()
    closed = page.locator(".steps [aria-disabled=true]")
    assert closed.all_inner_texts()[0].endswith("Protect")
    assert page.get_by_role("button", name="Continue to protect").is_disabled()


def test_categories_are_put_in_order(page, app):
    id = opened(app, "order.csv", table(["id", "age", "city"]))
    show(page, app, id, "columns")
    city = card(page, "city")
    city.get_by_label("Quasi-identifier").check()
    city.locator("select").select_option("ordinal")
    city.get_by_role("button", name="Move a down").click()
    marked = [f"<b>{value}</b>" for value in "abcd"]  # signs come before letters
    app.wait(
        lambda: app.document(id)["draft"]["kinds"],
        lambda kinds: kinds.get("city") == [*marked, *"bacd"],
    )


def test_a_workbook_with_two_sheets_is_put_right_beside_the_field(page, app):
    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("Other")):
        sheet.append(["age", "sex"])
        for record in range(40):
            sheet.append([20 + record % 7, record % 2])
    contents = io.BytesIO()
    book.save(contents)
    id = opened(app, "two.xlsx", contents.getvalue())
    page.goto(f"{app.origin}/#/document/{id}/file")
    wrong = page.locator(".field.wrong")
    assert "several sheets" in wrong.inner_text()
    wrong.get_by_label("Sheet").select_option("Other")
    page.get_by_text("40 records with 2 columns").wait_for()
    assert page.locator(".field.wrong").count() == 0


def test_a_wide_table_is_found_its_way_in(page, app):
    id = opened(app, "wide.csv", table([f"q{i}" for i in range(300)], 60))
    show(page, app, id, "columns")
    assert page.locator(".column").count() == 300
    page.get_by_label("Find a column").fill("q29")
    assert page.locator(".column").count() == 11
    page.get_by_label("Find a column").fill("")
    assert page.locator(".column").count() == 300


def test_a_reload_stays_where_it_was(page, app):
    id = opened(app, "again.csv", table(["id", "age", "sex"]))
    show(page, app, id, "columns")
    page.reload()
    page.wait_for_selector(".column")
    assert page.get_by_role("link", name="Columns").get_attribute("aria-current")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1440, 3840])
def test_everybody_can_use_it_on_every_screen(page, app, width, scheme):
    id = opened(app, "screens.csv", table(HOSTILE))
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    for address in ("#/", f"#/document/{id}/file", f"#/document/{id}/columns"):
        page.goto(f"{app.origin}/{address}")
        page.locator(".drop, .figures, .column").first.wait_for()
        assert problems_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    app.client.delete(f"/api/documents/{id}").raise_for_status()
