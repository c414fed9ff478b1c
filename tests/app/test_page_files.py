"""The files of the page: one file has every sentence, and nothing becomes markup."""

import json
import re
from pathlib import Path

import microcell.app

PAGE = Path(microcell.app.__file__).parent / "page"
SCRIPTS = sorted(PAGE.glob("*.js"))
STYLES = sorted(PAGE.glob("*.css"))
TEXTS = json.loads((PAGE / "texts" / "en.json").read_text("utf-8"))
FORBIDDEN = (
    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser",
    "srcdoc", "eval(", "new Function", "setAttribute(\"style\"", "localStorage",
)  # fmt: skip
LONGEST = 250  # lines of a module


def text_of(key):
    """What stands at a key such as "file.read"."""
    found = TEXTS
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def test_modules_are_short_and_make_no_markup():
    for script in SCRIPTS:
        source = script.read_text("utf-8")
        assert len(source.splitlines()) <= LONGEST, script.name
        assert [word for word in FORBIDDEN if word in source] == [], script.name


def test_texts_that_modules_name_are_there():
    named = re.compile(r"\bt\(\s*\"([\w.]+)\"")
    keys = {
        key for script in SCRIPTS for key in named.findall(script.read_text("utf-8"))
    }
    assert [key for key in keys if not isinstance(text_of(key), str | dict)] == []


def test_texts_that_differ_by_number_have_both_forms():
    def halves(found):
        if isinstance(found, dict):
            if {"one", "other"} & set(found) and set(found) != {"one", "other"}:
                yield found
            for inner in found.values():
                yield from halves(inner)

    assert list(halves(TEXTS)) == []


def test_nothing_comes_from_elsewhere():
    for file in (*SCRIPTS, *STYLES, PAGE / "index.html"):
        text = file.read_text("utf-8")
        addresses = re.findall(r"(?:https?:)?//[\w.]+\.\w+/\S*", text)
        assert [a for a in addresses if "www.w3.org" not in a] == [], file.name
        assert "@import" not in text, file.name


def test_the_page_has_no_script_and_no_style_of_its_own():
    page = (PAGE / "index.html").read_text("utf-8")
    assert re.findall(r"<style|style=|\son\w+=|<script(?![^>]*\ssrc=)", page) == []
    linked = re.findall(r"(?:src|href)=\"/page/([^\"]+)\"", page)
    assert [name for name in linked if not (PAGE / name).is_file()] == []


def test_modules_import_what_is_there():
    for script in SCRIPTS:
        source = script.read_text("utf-8")
        named = re.findall(r"(?:from|import)\s+\"\./([\w.]+)\"", source)
        assert [n for n in named if not (PAGE / n).is_file()] == [], script.name
