"""Comparisons as a real browser shows and prints them."""

import pytest
from report.made_comparisons import made_comparison
from report.test_browser import PALE_TEXT, PAPER, TOO_WIDE, opening

from microcell.report._comparison_page import comparison_page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,  # a report is quick, and has the same style
]

SECTIONS = ["answer", "map", "frontier", "curves", "all", "recipe"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Many methods, some that failed, long names and reasons."""
    left_out = {
        "dp-microaggregation": "An unbroken word " + "x" * 120,
        "lda-mdav": "It shapes cells by a column that is not there. " * 5,
        "mondrian": "Importance would change nothing, " * 8 + "so leave it out.",
    }
    compared = made_comparison(20, ks=(3, 5, 10, 25, 50), left_out=left_out)
    path = tmp_path_factory.mktemp("comparison") / "comparison.html"
    path.write_text(comparison_page(compared, "linkage", "loss"))
    return path


@pytest.fixture
def opened(browser, file):
    """Open the page of the comparison."""
    with opening(browser, file) as open_page:
        yield open_page


def test_nothing_leaves_the_file_and_all_sections_are_there(opened, file):
    page = opened()
    assert page.asked == [file.as_uri()] and page.complaints == []
    assert file.stat().st_size < 1_000_000
    for name in SECTIONS:
        assert page.locator(f"#{name}").is_visible(), name


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(opened, scheme):
    assert opened(color_scheme=scheme).evaluate(PALE_TEXT) == []


def test_paper_shows_all_of_it(opened):
    page = opened(**PAPER, color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate(TOO_WIDE, PAPER["width"]) == []
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
