"""Every step and state for everybody: axe, widths, themes, and texts of one file."""

import json
import re

import pytest
from app_pages import STEPS, go_to

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,  # the whole way is in test_whole_flow.py
]

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The report in its frame has a sandbox without scripts: it is tested on its own.
WHERE = {"exclude": [["iframe"]]}
WHATEVER = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
SMALL, LARGE = (360, 740), (3840, 2160)
MATRIX = [
    (width, height, scheme)
    for width, height in (SMALL, (768, 1024), (1280, 860), LARGE)
    for scheme in ("light", "dark")
]
WIDTHS = """() => {
    const page = document.scrollingElement;
    return [page.clientWidth, page.scrollWidth];
}"""


@pytest.fixture(scope="module")
def document(app):
    """The example, compared and released."""
    document = app.looked_at(app.demo()["id"])["id"]
    asked = {"methods": ["mdav", "mondrian"], "k": [5, 10], "label": None}
    job = app.client.post(f"/api/documents/{document}/compare", json=asked).json()
    assert app.job(document, job["id"])["state"] == "done"
    app.release(document, format="csv")
    return document


@pytest.fixture(scope="module")
def axe():
    playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
    return playwright.Axe()


def states(page, app, document):
    """Show each step and state, one after the other, by name."""
    yield "start"
    page.get_by_role("link", name="History").click()
    page.get_by_role("heading", level=1, name="Releases").wait_for()
    yield "history"
    page.get_by_role("link", name="patients.csv", exact=True).click()
    for step in STEPS:
        go_to(page, step)
        if step == "Release":
            page.get_by_role("heading", name="Released.").wait_for()
        yield step
        unfold(page)
        yield f"{step}, unfolded"
    go_to(page, "Columns")
    page.get_by_role("checkbox", name="Select age").check()
    yield "Columns, some selected"
    go_to(page, "Protect")
    page.get_by_role("spinbutton", name="k", exact=True).fill("1")
    page.get_by_role("button", name="Show me where").wait_for()
    yield "Protect, wrong"
    for step in ("Columns",):
        go_to(page, step)
        yield f"{step}, wrong"
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Quit").click()
    yield "dialog"
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()


def unfold(page):
    page.evaluate("for (const e of document.querySelectorAll('details')) e.open = true")


def violations(axe, page):
    page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))")
    found = axe.run(page, context=WHERE, options=WHATEVER).response["violations"]
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"][:3]
    ]


@pytest.mark.parametrize(("width", "height", "scheme"), MATRIX)
def test_all_can_use_every_state(visit, app, document, axe, width, height, scheme):
    page = visit(
        width=width, height=height, color_scheme=scheme, reduced_motion="reduce"
    ).tab()
    wrong = {}
    for name in states(page, app, document):
        found = violations(axe, page)
        inner, needed = page.evaluate(WIDTHS)
        if needed > inner:
            found.append(f"scrolls sideways: {needed} of {inner} px")
        if found:
            wrong[name] = found
    assert wrong == {}


UNWRAPPED = """() => {
    const seen = [];
    const shown = e => e && e.checkVisibility({visibilityProperty: true});
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const parent = walk.currentNode.parentElement;
        if (shown(parent)) seen.push(walk.currentNode.data);
    }
    for (const e of document.body.querySelectorAll("*")) {
        if (!shown(e)) continue;
        for (const name of ["aria-label", "title", "placeholder", "aria-description"])
            if (e.hasAttribute(name)) seen.push(e.getAttribute(name));
    }
    return [...seen, document.title];
}"""
DATE = (
    r"\d{1,2} \w{3,4} \d{4}"  # written by Intl in the reader's language, as units are
)
PARTS = rf"{DATE}|[\d.,]+ (?:kB|MB|bytes)|[·,+\u2013\n]|\s\(\.|\)"
OWN = {
    "microcell",  # the name of the program
    "microcell app --folder FOLDER",  # what is typed
    "Q", "C", "I", "O", "R",  # keys
    "%d/%m/%Y",  # how a date is written
}  # fmt: skip


def wrapped(texts):
    if isinstance(texts, dict):
        return {name: wrapped(each) for name, each in texts.items()}
    return f"⟦{texts}⟧"


def strings(value):
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def without_texts(words):
    """What is left when all that is in brackets is gone; they may be nested."""
    while (less := re.sub(r"⟦[^⟦⟧]*⟧", "", words)) != words:
        words = less
    return words


def test_every_text_is_from_one_file_or_from_the_library(visit, app, document):
    """Of a made-up language, in which each text is in brackets."""
    visitor = visit()
    said = set()

    def answer(route):
        texts = json.loads(route.fetch().text())
        route.fulfill(json=wrapped(texts))

    def listen(response):
        if "/api/" in response.url and "json" in response.headers.get(
            "content-type", ""
        ):
            said.update(strings(response.json()))

    visitor.context.route("**/texts/en.json", answer)
    visitor.context.on("response", listen)
    page = visitor.tab()
    left = {}
    for name in translated_states(page, app, document):
        known = "\n".join(said) + "\n" + "\n".join(OWN)
        for words in page.evaluate(UNWRAPPED):
            pieces = re.split(PARTS, without_texts(words))
            for piece in map(str.strip, pieces):
                if re.search(r"[^\W\d_]", piece) and piece not in known:
                    left.setdefault(name, set()).add(piece)
    assert left == {}


def translated_states(page, app, document):
    """As `states`, by addresses, since nothing has its name."""
    yield "start"
    pages = {"history": "#/history"}
    for step in map(str.lower, STEPS):
        pages[step] = f"#/document/{document}/{step}"
    for name, where in pages.items():
        page.goto(f"{app.origin}/{where}")
        page.locator(f".page-{name} h1").wait_for()
        unfold(page)
        yield name
