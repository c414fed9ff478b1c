"""From a table to its release in a real browser, and the same files without it."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from app_pages import (
    compare,
    compared,
    focus_is_somewhere,
    follow,
    go_to,
    make_release,
    open_demo,
    points,
    recipe,
    say_k,
    title,
)
from app_server import PATIENCE
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FILES = ["The release", "Report", "Certificate", "Recipe"]
WATCH_THE_MAP = """() => {
    window.__seen = [];
    new MutationObserver(() => {
        const points = document.querySelectorAll(".point").length;
        const running = document.querySelector("main progress")?.checkVisibility();
        window.__seen.push([points, Boolean(running)]);
    }).observe(document.getElementById("main"), {childList: true, subtree: true});
}"""


def test_the_whole_flow(visit, app, tmp_path):
    """One page from the example to two releases, as somebody goes through it."""
    page = visit().tab()
    open_demo(page)
    follow(page, "Continue to the columns")
    follow(page, "Continue to protect")
    say_k(page, 7)
    follow(page, "Compare methods")
    title(page, "Compare")
    the_map_is_drawn_while_candidates_finish(page)
    a_point_is_chosen_by_click_and_by_keys(page)
    the_release_is_the_one_of_the_command_line(page, app, tmp_path)
    a_release_is_taken_back_and_given_back(page)
    changes_are_undone_and_redone_by_keys(page)


def point(page, label):
    return page.get_by_role("button", name=re.compile(rf"^{re.escape(label)}\. "))


def the_map_is_drawn_while_candidates_finish(page):
    page.evaluate(WATCH_THE_MAP)
    compare(page)
    compared(page, 4)
    seen = page.evaluate("window.__seen")
    assert any(running and 0 < n < 4 for n, running in seen)
    expect(page.get_by_text("4 candidates are on the frontier")).to_be_visible()


def a_point_is_chosen_by_click_and_by_keys(page):
    point(page, "mondrian, k=10").click()
    expect(page.get_by_text("mondrian, k=10 is now in your settings.")).to_be_visible()
    expect(point(page, "mondrian, k=10")).to_have_attribute("aria-pressed", "true")
    point(page, "mondrian, k=10").focus()
    page.keyboard.press("Home")
    places = points(page).evaluate_all(
        "all => all.map(p => p === document.activeElement)"
    )
    assert places.count(True) == 1
    page.keyboard.press("ArrowRight")
    label = page.evaluate("document.activeElement.dataset.label")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{label} is now in your settings.")).to_be_visible()
    assert page.evaluate("document.activeElement.dataset.label") == label
    page.get_by_role("button", name="Use mdav, k=5", exact=True).click()
    expect(point(page, "mdav, k=5")).to_have_attribute("aria-pressed", "true")
    go_to(page, "Protect")
    expect(recipe(page)).to_contain_text('name = "mdav"')
    expect(page.get_by_role("spinbutton", name="k", exact=True)).to_have_value("5")


def the_release_is_the_one_of_the_command_line(page, app, tmp_path):
    """Made by the page, by the command, by the program, and by the recipe alone."""
    go_to(page, "Release")
    page.get_by_role("textbox", name="Purpose").fill('it\'s a "test"; $HOME')
    page.get_by_role("textbox", name="Made by").fill("Zoë <b>")
    make_release(page)
    report = page.frame_locator("iframe[title='Report of the release of patients.csv']")
    page.locator("iframe").scroll_into_view_if_needed()
    expect(report.get_by_role("heading", level=1)).to_have_text("Report of a release")
    expect(report.get_by_text("Zoë <b>").first).to_be_visible()
    made = {}
    for name in FILES:
        with page.expect_download() as download:
            page.get_by_role("link", name=re.compile(f"^{name}")).first.click()
        made[download.value.suggested_filename] = Path(
            download.value.path()
        ).read_bytes()
    assert set(made) == {
        "patients-release.csv", "patients-report.html",
        "patients-certificate.json", "patients-recipe.toml",
    }  # fmt: skip
    [table] = app.places[0].rglob("patients.csv")
    texts = {}
    for way in ("Command line", "Python"):
        page.get_by_role("tab", name=way).click()
        texts[way] = page.get_by_role("tabpanel").locator("pre").text_content()
    program = tmp_path / "microcell"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m microcell "$@"')
    program.chmod(0o700)
    alone = "microcell anonymize patients.csv --recipe patients-recipe.toml"
    ways = {
        "command": ["sh", "-c", f"PATH={tmp_path}:$PATH; {texts['Command line']}"],
        "python": [sys.executable, "-c", texts["Python"]],
        "alone": [
            "sh",
            "-c",
            f"PATH={tmp_path}:$PATH; {alone} -o patients-release.csv",
        ],
    }
    for name in ways:
        (tmp_path / name).mkdir()
        (tmp_path / name / "patients.csv").write_bytes(table.read_bytes())
        (tmp_path / name / "patients-recipe.toml").write_bytes(
            made["patients-recipe.toml"]
        )

    def run(name):
        subprocess.run(
            ways[name],
            cwd=tmp_path / name,
            check=True,
            capture_output=True,
            timeout=PATIENCE,
        )

    with ThreadPoolExecutor() as together:
        list(together.map(run, ways))
    for name in ways:
        again = (tmp_path / name / "patients-release.csv").read_bytes()
        assert again == made["patients-release.csv"], name


def a_release_is_taken_back_and_given_back(page):
    go_to(page, "Protect")
    say_k(page, 12)
    go_to(page, "Release")
    make_release(page)
    expect(page.get_by_role("button", name="Take back the release")).to_have_count(2)
    page.get_by_role("link", name="History").click()
    title(page, "Releases of this session")
    rows = page.get_by_role("main").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("k = 12")
    rows.nth(0).get_by_role("button", name="Take back").click()
    expect(rows.nth(0)).to_contain_text("was taken back")
    undo = rows.nth(0).get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    undo.click()
    expect(rows.nth(0)).to_contain_text("k = 12")
    focus_is_somewhere(page)
    with page.expect_download() as download:
        rows.nth(0).get_by_role("link", name="Recipe of patients.csv").click()
    assert b"k = 12" in Path(download.value.path()).read_bytes()
    rows.nth(1).get_by_role("button", name="Use the settings").click()
    title(page, "Protect")
    expect(page.get_by_role("spinbutton", name="k", exact=True)).to_have_value("5")


def changes_are_undone_and_redone_by_keys(page):
    go_to(page, "Protect")
    field = page.get_by_role("spinbutton", name="k", exact=True)
    say_k(page, 9)
    page.get_by_role("radio", name=re.compile("Fastest")).check()
    expect(recipe(page)).to_contain_text('name = "mondrian"')
    page.keyboard.press("Control+z")
    expect(recipe(page)).to_contain_text('name = "mdav"')
    page.keyboard.press("Control+z")
    expect(field).to_have_value("5")
    page.keyboard.press("Control+Shift+z")
    expect(field).to_have_value("9")
    page.keyboard.press("Control+y")
    expect(recipe(page)).to_contain_text('name = "mondrian"')
    page.get_by_role("button", name="Undo").click()
    expect(recipe(page)).to_contain_text('name = "mdav"')
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
