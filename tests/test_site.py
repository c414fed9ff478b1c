"""The site is built without a warning, and what looks at it finds what is wrong."""

import os
import shutil
import subprocess
import sys

import pytest
from check_site import complaints
from pages import DOCS, MADE, ROOT

GOOD = """
<link rel="stylesheet" href="style.css"><link rel="canonical" href="https://a.org/">
<h1 id="first">One</h1> <a href="#first">up</a> <a href="sub/two.html#second">two</a>
<a href="sub/">sub</a> <a href="https://example.org">out</a> <img src="a%20b.png">
"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "index.html").write_text(GOOD)
    (tmp_path / "sub" / "two.html").write_text('<p id="second"></p>')
    (tmp_path / "sub" / "index.html").write_text('<a href="../index.html">up</a>')
    (tmp_path / "a b.png").touch()
    (tmp_path / "style.css").write_text("p { background: url('a b.png') }")
    return tmp_path


def test_good_site(site):
    assert complaints(site) == []


@pytest.mark.parametrize(
    ("added", "complaint"),
    [
        ('<a href="three.html">', "three.html: there is no such file"),
        ('<a href="../elsewhere.html">', "../elsewhere.html: there is no such file"),
        ('<a href="#third">', "#third: there is no such place on the page"),
        ('<a href="sub/two.html#first">', "sub/two.html#first: there is no such place"),
        ('<img src="c.png">', "c.png: there is no such file"),
        ('<script src="https://a.org/b.js"></script>', "loads https://a.org/b.js"),
        ('<link rel="preload" href="//a.org/f.woff">', "loads //a.org/f.woff"),
        ('<img srcset="https://a.org/b.png 2x">', "loads https://a.org/b.png"),
    ],
)
def test_bad_site(site, added, complaint):
    (site.parent / "elsewhere.html").touch()
    (site / "index.html").write_text(GOOD + added)
    [found] = complaints(site)
    assert complaint in found and found.startswith("index.html: ")


def test_style_that_loads_from_outside(site):
    (site / "style.css").write_text("@import url(https://fonts.org/a.css);")
    assert complaints(site) == ["style.css: loads https://fonts.org/a.css"]


def sources(folder):
    """The sources of the site without what other builds left among them."""
    made = [str(path) for path in MADE]
    shutil.copytree(
        DOCS,
        folder / "docs",
        ignore=lambda at, names: [name for name in names if f"{at}/{name}" in made],
    )
    shutil.copytree(ROOT / "examples", folder / "examples")
    for page in ROOT.glob("*.md"):
        shutil.copy(page, folder)
    return folder / "docs"


@pytest.mark.slow
def test_site_is_built_without_a_warning(tmp_path):
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    made = tmp_path / "html"
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"]
    done = subprocess.run(
        [*build, "-D", "plot_gallery=0", str(sources(tmp_path)), str(made)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert complaints(made) == []
    for name in (
        "index",
        "search",
        "gallery/index",
        "api/packages/microcell.partition",
    ):
        assert (made / f"{name}.html").is_file()
    formulas = (made / "api" / "packages" / "microcell.metrics.html").read_text()
    assert "<math" in formulas and "\\sum" not in formulas


@pytest.mark.slow
def test_formulas_have_no_scroll_bars(browser):
    """A browser shows one where glyphs reach beyond their box; wide ones still move."""
    style = (DOCS / "_static" / "microcell.css").read_text()
    parts = "<munder><mo>max</mo><mi>i</mi></munder><mfrac><mi>z</mi><mi>d</mi></mfrac>"
    formulas = "".join(
        f"<div class='math'><math display='block'>{parts * n}</math></div>"
        for n in (1, 80)
    )
    page = browser.new_page(viewport={"width": 600, "height": 800})
    page.set_content(f"<style>{style}</style>{formulas}")
    bars = page.evaluate(
        "[...document.querySelectorAll('div.math')].map((d) => ["
        "d.offsetHeight - d.clientHeight, d.offsetWidth - d.clientWidth, "
        "d.scrollWidth > d.clientWidth, getComputedStyle(d).overflowY])"
    )
    assert bars == [[0, 0, False, "hidden"], [0, 0, True, "hidden"]]
    assert page.evaluate("document.documentElement.scrollWidth") == 600
    page.close()
