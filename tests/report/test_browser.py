"""Reports as a real browser shows and prints them."""

import re
import time
from contextlib import contextmanager

import numpy as np
import polars as pl
import pytest
from marks import first_is_quick
from report.made_facts import category_column, made_facts

from microcell import Schema, anonymize
from microcell.datasets import fetch_adult, load_diabetes_patients
from microcell.privacy import TCloseness
from microcell.report._page import page_of

pytestmark = pytest.mark.browser

SECTIONS = ["answer", "risk", "utility", "costs", "limits", "recipe", "signature"]
PAPER = {"width": 680, "height": 1009}  # A4 less its margins, in CSS pixels
TOO_WIDE = """width => [...document.querySelectorAll("body *")]
    .filter(e => e.getClientRects().length
        && e.getBoundingClientRect().right > width + 1
        && !e.closest(".skip") && !e.closest("svg"))
    .map(e => `${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`)"""
PALE_TEXT = """() => {
    const luminance = ([r, g, b]) => [r, g, b]
        .map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const parts = colour => colour.match(/[\\d.]+/g).map(Number);
    const ground = e => {
        for (; e; e = e.parentElement) {
            const colour = parts(getComputedStyle(e).backgroundColor);
            if (colour.length < 4 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const pale = [];
    for (const e of document.querySelectorAll("body *")) {
        const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        if (!own || e.closest(".skip")) continue;
        const style = getComputedStyle(e);
        const ink = parts(e.closest("svg") ? style.fill : style.color);
        const [a, b] = [luminance(ink), luminance(ground(e))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5) pale.push(`${ratio.toFixed(2)} ${e.textContent.slice(0, 40)}`);
    }
    return pale;
}"""


def demo_report(folder):
    patients = load_diabetes_patients()
    release = anonymize(patients.frame, patients.schema, k=5)
    release.save(
        folder / "release.csv",
        report=folder / "report.html",
        purpose="Teaching",
        author="Dr. A. Author",
        source_name="patients.csv",
    )


def adult_report(folder, n_records=2_000):
    """Categories, gaps and a promise about the confidential column."""
    frame = fetch_adult().frame
    frame = frame if n_records is None else frame.sample(n_records, seed=1)
    schema = Schema(
        ["age", "workclass", "education", "marital-status", "sex", "native-country"],
        confidential="income",
        others="drop",
    )
    options = {"missing": "category", "promises": [TCloseness(0.3)]}
    anonymize(frame, schema, k=10, **options).report(folder / "report.html")


def adult_whole_report(folder):
    adult_report(folder, n_records=None)


def wide_report(folder):
    """As many columns and cells as a report is to hold, with long names."""
    facts = made_facts(n_columns=30, n_cells=2_000, name="a_name_without_a_space" * 4)
    facts["utility"]["columns"][5] = category_column(
        "codes", [f"a category with a long name {j}" for j in range(12)]
    )
    facts["notices"] = ["an unbroken word " + "x" * 120]
    (folder / "report.html").write_text(page_of(facts))


def million_report(folder):
    rng = np.random.default_rng(0)
    age = rng.integers(18, 95, 1_000_000)
    table = pl.DataFrame(
        {
            "age": age,
            "pay": rng.lognormal(10, 0.6, age.size).round(2),
            "children": rng.poisson(1.6, age.size),
            "region": rng.choice(list("abcdefgh"), age.size),
            "ill": rng.random(age.size) < age / 200,
        }
    )
    schema = Schema(["age", "pay", "children", "region"], confidential="ill")
    start = time.perf_counter()
    release = anonymize(table, schema, k=10, method="mdav")
    partitioned = time.perf_counter()
    release.report(folder / "report.html")
    print(f"release {partitioned - start:.0f} s", end=", ")
    print(f"report {time.perf_counter() - partitioned:.0f} s")


OTHERS = [wide_report, adult_report, adult_whole_report, million_report]
REPORTS = first_is_quick([demo_report, *OTHERS])


@pytest.fixture(scope="module", params=REPORTS, ids=lambda make: make.__name__)
def report(request, tmp_path_factory):
    if "adult" in request.param.__name__:
        request.getfixturevalue("benchmark_data")
    folder = tmp_path_factory.mktemp("report")
    request.param(folder)
    return folder / "report.html"


@contextmanager
def opening(browser, file):
    """Open a file; what it asks for and complains of is written down."""
    pages = []

    def open_page(width=1280, height=860, **context):
        page = browser.new_page(viewport={"width": width, "height": height}, **context)
        page.asked, page.complaints = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(file.as_uri())
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()


@pytest.fixture
def opened(browser, report):
    """Open the report."""
    with opening(browser, report) as open_page:
        yield open_page


def test_nothing_leaves_the_file_and_all_sections_are_there(opened, report):
    page = opened()
    assert page.asked == [report.as_uri()]
    assert page.complaints == []
    assert report.stat().st_size < 1_000_000
    for name in SECTIONS:
        assert page.locator(f"#{name}").is_visible(), name
        assert page.locator(f"#{name}").inner_text().strip()


def test_the_answer_is_on_the_first_screen(opened):
    page = opened()
    for title in ("promised", "fear", "lost", "From what"):
        heading = page.locator("#answer h2", has_text=title)
        assert heading.bounding_box()["y"] < 860


def test_the_page_never_scrolls_sideways(opened):
    page = opened()
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        inner, needed = page.evaluate(
            "[window.innerWidth, document.scrollingElement.scrollWidth]"
        )
        assert needed <= inner == width


def test_pictures_can_be_read_on_a_phone(opened):
    page = opened(width=360, height=740)
    heights = page.evaluate(
        """() => [...document.querySelectorAll("svg text")]
            .map(t => [parseFloat(getComputedStyle(t).fontSize), t.getScreenCTM()])
            .map(([size, m]) => size * Math.hypot(m.a, m.b))"""
    )
    assert heights and min(heights) >= 7


def test_pictures_have_words_for_those_who_do_not_see_them(opened):
    page = opened()
    pictures = page.get_by_role("img").all()
    assert len(pictures) == page.locator("svg").count() > 3
    assert all(len(p.get_attribute("aria-label")) > 30 for p in pictures)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(opened, scheme):
    page = opened(color_scheme=scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    levels = [int(level) for level in re.findall(r"\d+", ground)]
    assert (max(levels) < 60) == (scheme == "dark")
    assert page.evaluate(PALE_TEXT) == []


def test_paper_shows_all_of_it(opened):
    page = opened(**PAPER, color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate(TOO_WIDE, PAPER["width"]) == []
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    assert page.evaluate(PALE_TEXT) == []
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 3


def test_keys_lead_to_the_details(opened):
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.wait_for_url("**/*#risk")  # told to us a moment after the key
