"""Two tabs, reloads, back and forward, cancelled jobs, and a server that goes away."""

import numpy as np
import pytest
from app_pages import (
    STEPS,
    Visitor,
    compare,
    compared,
    go_to,
    make_release,
    recipe,
    say_k,
    set_role,
    start_release,
    title,
)
from app_server import running_app
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,  # the whole way is in test_whole_flow.py
]


def table(n_records):
    rng = np.random.default_rng(0)
    columns = [rng.integers(18, 95, n_records), rng.integers(150, 200, n_records)]
    ill = rng.choice(["no", "yes"], n_records)
    rows = zip(*columns, ill, strict=True)
    return "age,height,ill\n" + "".join(f"{a},{h},{i}\n" for a, h, i in rows)


@pytest.fixture
def document(app):
    """A small table of its own for each test."""
    made = app.looked_at(app.upload("small.csv", table(200))["id"])["id"]
    yield made
    app.client.delete(f"/api/documents/{made}")


@pytest.fixture
def large_document(app):
    """A table whose release takes long enough to be stopped."""
    made = app.looked_at(app.upload("large.csv", table(8_000))["id"])["id"]
    yield made
    app.client.delete(f"/api/documents/{made}")


def k_field(page):
    return page.get_by_role("spinbutton", name="k", exact=True)


def test_a_reload_changes_nothing(visit, document):
    page = visit().tab(f"#/document/{document}/protect")
    say_k(page, 8)
    page.get_by_role("radio", name="Fastest").check()
    expect(recipe(page)).to_contain_text('name = "mondrian"')
    for step in STEPS:
        go_to(page, step)
        before = page.url, page.get_by_role("main").inner_text()
        page.reload()
        expect(page.locator("[aria-current=step]")).to_contain_text(step)
        page.wait_for_function(
            "text => document.querySelector('main').innerText === text", arg=before[1]
        )
        assert page.url == before[0]
    go_to(page, "Protect")
    expect(k_field(page)).to_have_value("8")


def test_what_was_typed_last_is_not_lost_by_a_reload(visit, app, document):
    page = visit().tab(f"#/document/{document}/protect")
    k_field(page).fill("6")
    page.reload()
    expect(k_field(page)).to_have_value("6")
    assert app.document(document)["draft"]["k"] == 6


def test_back_and_forward(visit, document):
    page = visit().tab(f"#/document/{document}/file")
    for step in STEPS[1:]:
        go_to(page, step)
    for step in reversed(STEPS[:-1]):
        page.go_back()
        expect(page.locator("[aria-current=step]")).to_contain_text(step)
        page.locator(f".page-{step.lower()} h1").wait_for()
    page.go_forward()
    expect(page.locator("[aria-current=step]")).to_contain_text("Columns")
    title(page, "What is in each column?")


def test_a_running_job_goes_on_over_a_reload(visit, large_document):
    page = visit().tab(f"#/document/{large_document}/compare")
    compare(page, ("mondrian",), (25, 50))
    page.get_by_role("main").get_by_role("button", name="Cancel").wait_for()
    page.reload()
    page.get_by_role("main").get_by_role("button", name="Cancel").wait_for()
    go_to(page, "Columns")
    expect(page.locator("#jobs")).to_contain_text("Comparing")
    go_to(page, "Compare")
    compared(page, 2)


def test_a_cancelled_release_leaves_nothing_and_the_next_works(
    visit, app, large_document
):
    page = visit().tab(f"#/document/{large_document}/release")
    start_release(page)
    page.get_by_role("main").get_by_role("button", name="Cancel").click()
    expect(
        page.get_by_text("Nothing was released, and nothing is left")
    ).to_be_visible()
    app.wait(lambda: app.files, lambda files: not any("release" in f for f in files))
    assert app.document(large_document)["releases"] == []
    assert page.get_by_role("heading", name="Released.").count() == 0
    go_to(page, "Protect")
    page.get_by_role("radio", name="Fastest").check()
    expect(recipe(page)).to_contain_text('name = "mondrian"')
    go_to(page, "Release")
    make_release(page)
    expect(page.get_by_text("Cancelled.")).to_have_count(0)


def test_a_stopped_comparison_keeps_what_was_finished(visit, app, large_document):
    page = visit().tab(f"#/document/{large_document}/compare")
    compare(page, ("mondrian", "mdav", "vmdav", "pcp"), (3, 5, 10, 25, 50))
    page.locator(".point").first.wait_for()
    page.get_by_role("main").get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("You stopped it.")).to_be_visible()
    n = len(app.document(large_document)["comparison"]["candidates"])
    assert 0 < n < 20
    expect(page.locator(".point")).to_have_count(n)
    compare(page, ("mondrian",), (5,))
    compared(page, 1)


def test_a_change_in_one_tab_shows_in_the_other(visit, document):
    visitor = visit()
    one, other = (visitor.tab(f"#/document/{document}/protect") for _ in range(2))
    say_k(one, 11)
    expect(k_field(other)).to_have_value("11")
    go_to(other, "Columns")
    set_role(other, "height", "Left out")
    expect(recipe(one)).not_to_contain_text('"height"')
    expect(recipe(one)).to_contain_text("k = 11")
    go_to(one, "Release")
    make_release(one)
    go_to(other, "Release")
    expect(other.get_by_role("heading", name="Released.")).to_be_visible()


def test_changes_at_the_same_time_both_hold(visit, app, document):
    """The second to arrive is told that it is late, and comes again on top."""
    visitor = visit()
    page = visitor.tab(f"#/document/{document}/protect")
    late = []

    def somebody_was_faster(route):
        if not late:
            late.append(app.put_draft(document, k=9))
        route.continue_()

    page.route("**/draft", somebody_was_faster)
    page.get_by_role("radio", name="Fastest").check()
    expect(recipe(page)).to_contain_text('name = "mondrian"')
    expect(k_field(page)).to_have_value("9")
    draft = app.document(document)["draft"]
    assert (draft["k"], draft["method"]) == (9, "mondrian")
    late_answers = [said for said in visitor.complaints if "409" in said]
    assert len(late_answers) == 1
    visitor.complaints.remove(late_answers[0])


def test_a_file_that_is_closed_in_one_tab_is_closed_in_the_other(visit, app, document):
    visitor = visit()
    one, other = (visitor.tab(f"#/document/{document}/protect") for _ in range(2))
    one.get_by_role("button", name="Close small.csv").click()
    one.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert app.document(document)
    one.get_by_role("button", name="Close small.csv").click()
    one.get_by_role("dialog").get_by_role("button", name="Close the file").click()
    title(one, "Share a table")
    title(other, "Share a table")
    expect(other.get_by_role("alert")).to_contain_text("This file was closed.")
    expect(one.get_by_role("alert")).to_have_count(0)
    for page in (one, other):
        expect(page.get_by_role("link", name="small.csv")).to_have_count(0)
    assert "small.csv" not in app.files
    visitor.complaints[:] = [said for said in visitor.complaints if "404" not in said]


def test_a_server_that_goes_away_is_told(browser, tmp_path):
    """And until then, all works without any other machine."""
    with running_app(tmp_path / "place") as app:
        visitor = Visitor(browser, app)
        visitor.context.route(
            lambda url: not url.startswith(app.origin), lambda route: route.abort()
        )
        page = visitor.tab()
        expect(page.get_by_role("alert")).to_have_count(0)
        visitor.check()
    expect(page.get_by_role("alert")).to_contain_text("microcell has ended")
    assert visitor.elsewhere() == []
    visitor.context.close()


def test_ending_it_in_the_page_ends_it(browser, tmp_path):
    with running_app(tmp_path / "place") as app:
        visitor = Visitor(browser, app)
        page = visitor.tab()
        page.get_by_role("button", name="Quit").click()
        page.get_by_role("button", name="End and remove the files").click()
        title(page, "microcell has ended")
        assert app.process.wait(60) == 0
        assert app.places == []
        visitor.context.close()


def test_without_the_key_nothing_is_shown(browser, app):
    context = browser.new_context()
    page = context.new_page()
    answer = page.goto(app.origin)
    assert answer.status in (401, 403)
    assert "small.csv" not in page.content()
    context.close()
