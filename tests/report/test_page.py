"""The page of a release: whole, escaped, small, and the same every time."""

import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from report.made_facts import category_column, made_facts

from microcell.report._page import page_of

MEGABYTE = 1_000_000
SECTIONS = ["risk", "utility", "costs", "limits", "recipe", "signature"]
VOID = {"meta", "path", "use", "rect", "image", "br"}


class Outline(HTMLParser):
    """What a page is made of; elements that are not closed are noticed."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.headings, self.elements = [], [], []
        self.words, self.open = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append((tag, attrs))
        self.ids += [attrs["id"]] if "id" in attrs else []
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open = self.open[:-1] if tag not in VOID else self.open

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def named(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]


@pytest.fixture(scope="module")
def text():
    return page_of(made_facts())


@pytest.fixture(scope="module")
def outline(text):
    return Outline(text)


def test_of_many_columns_the_first_have_pictures(monkeypatch, outline):
    monkeypatch.setattr("microcell.report._page.MAX_PICTURED_COLUMNS", 1)
    facts = made_facts()
    n_columns = len(facts["utility"]["columns"])
    bounded = Outline(page_of(facts))
    assert f"The first 1 of {n_columns} columns have pictures" in "".join(bounded.words)
    assert len(bounded.named("svg")) == len(outline.named("svg")) - n_columns + 1


def test_all_sections_are_there_and_elements_closed(outline):
    assert outline.open == []
    assert [name for name in outline.ids if name in SECTIONS] == SECTIONS


def test_the_page_says_what_the_facts_say(outline):
    words = " ".join(" ".join(outline.words).split())
    facts = made_facts()
    said = [
        facts["title"], *facts["decide"], *facts["answer"]["fear"],
        *facts["answer"]["lost"], facts["answer"]["promised"][0]["text"],
        facts["refined"], facts["purpose"], facts["author"], *facts["notices"],
        facts["source"]["hmac_sha256"], facts["file"]["sha256"], 'name = "mdav"',
        facts["limits"][0]["text"], "python 3.12.1", "patient number",
        facts["risk"]["attributes"][0]["warnings"][0],
    ]  # fmt: skip
    for each in said:
        assert each in words
    first, then = facts["decide"][0], facts["answer"]["released"]
    assert words.index(first) < words.index(then), "what is to be decided comes first"


def test_identifiers_are_unique(outline):
    assert len(set(outline.ids)) == len(outline.ids)


def test_headings_go_down_one_at_a_time(outline):
    assert outline.headings[0] == 1 and outline.headings.count(1) == 1
    steps = zip(outline.headings, outline.headings[1:], strict=False)
    assert all(below <= above + 1 for above, below in steps)


def test_pictures_have_alternative_texts(outline):
    pictures = outline.named("svg")
    assert len(pictures) == 9 + 3  # one for each part, one for each column
    for picture in pictures:
        assert picture["role"] == "img"
        assert len(picture["aria-label"].split()) > 5


def test_header_cells_say_what_they_head(outline):
    cells = outline.named("th")
    assert cells and all(cell.get("scope") in ("row", "col") for cell in cells)


def test_nothing_is_asked_of_anybody(text, outline):
    for tag, attrs in outline.elements:
        assert tag not in ("script", "link", "iframe", "object", "form", "img")
        for name, value in attrs.items():
            assert not name.startswith("on"), (tag, name)
            assert name != "src"
            if name in ("href", "xlink:href"):
                assert value.startswith(("#", "data:")), value
    assert not re.search(r"@import|url\((?!#)|https?:", text)
    policy = outline.named("meta")[1]
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert policy["content"].startswith("default-src 'none'")


def test_the_same_facts_give_the_same_page(text):
    assert page_of(made_facts()) == text


@pytest.mark.slow
def test_thirty_columns_and_two_thousand_cells_fit():
    facts = made_facts(n_columns=30, n_cells=2000)
    facts["utility"]["columns"][2] = category_column(
        "code", [f"a category with a long name {j}" for j in range(12)]
    )
    assert len(page_of(facts).encode()) < MEGABYTE


def test_names_cannot_break_out():
    name = """<script>alert(1)</script>"><img src=x onerror=y>a & b]]>url(#x)"""
    facts = made_facts(name=name)
    facts["utility"]["columns"][2]["categories"][0]["label"] = name
    facts["purpose"] = facts["recipe"] = name
    found = Outline(page_of(facts))
    assert {"script", "img"}.isdisjoint(tag for tag, _ in found.elements)
    assert not any("onerror" in attrs for _, attrs in found.elements)
    assert found.open == []
    assert name in "".join(found.words)


@pytest.mark.parametrize("name", ["$x^2$", "cost in $", "a\x00\x0b b", "ö\n" * 40])
def test_odd_names_are_drawn_as_they_are(name):
    found = Outline(page_of(made_facts(name=name)))
    assert found.open == []
    assert "$x^2$" not in name or "$x^2$" in found.words


def test_what_does_not_apply_is_left_out():
    facts = made_facts()
    facts |= {
        "source": None, "file": None, "purpose": None, "author": None, "notices": [],
        "withheld": "Comparisons are withheld: fewer than 10 records.", "hashes": {},
        "refined": None,
    }  # fmt: skip
    for part in ("columns", "models", "costs"):
        facts["utility"][part] = []
    facts["utility"] |= {"associations": None, "cells": None}
    for part in ("knowledge", "interval", "attributes", "carriers"):
        facts["risk"][part] = []
    found = Outline(page_of(facts))
    assert [name for name in found.ids if name in SECTIONS] == SECTIONS
    assert len(found.named("svg")) == 1
    assert "".join(found.words).count(facts["withheld"]) >= 1
    assert "None" not in " ".join(found.words)
    assert "Cells refined" not in " ".join(found.words)


def test_columns_without_a_before_are_drawn():
    facts = made_facts()
    for column in facts["utility"]["columns"]:
        if "histogram" in column:
            column["histogram"]["before"] = None
        for each in column.get("categories", ()):
            each["before"] = None
    assert len(Outline(page_of(facts)).named("svg")) == 12


def test_template_and_style_travel_with_the_package():
    home = files("microcell.report")
    for name in ("frame", "page", "comparison"):
        assert home.joinpath(f"{name}.html.jinja").is_file()
    assert home.joinpath("page.css").is_file()
