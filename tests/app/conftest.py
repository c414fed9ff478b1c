"""The app in a real browser."""

import shutil

import pytest
from app_server import running_app

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
REFUSED = """document.addEventListener("securitypolicyviolation",
    event => (window.refused ??= []).push(event.violatedDirective))"""
PATIENCE = 60_000  # milliseconds, on a machine that is busy


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("needs chromium")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=found, args=QUIET)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "place") as server:
        yield server


@pytest.fixture
def page(browser, app):
    """A tab that came by the printed address; no error, nothing refused."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(REFUSED)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(app.address)
    page.wait_for_selector("main h1")
    yield page
    assert errors == []
    assert page.evaluate("window.refused ?? []") == []
    context.close()
