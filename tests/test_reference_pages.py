"""The pages for researchers describe every part: a new one without a section fails.

A section is a heading that names its parts in `code`, down to the next heading.
"""

import ast
import inspect
import re
from pathlib import Path

from marks import for_each
from sources import all_nodes

import microcell.compose
import microcell.metrics
import microcell.partition
from microcell.base import BasePartitioner
from microcell.methods import METHODS
from microcell.metrics import DISCLOSED, MEASURES
from microcell.privacy import PROMISES, DifferentialPrivacy
from microcell.selection._figures import SHORT_NAMES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("**/*.md"))
NOT_CELLS = {"ByStratum", "ByUnit", "UnitsApart"}  # wrappers: cells are of others
TOOLS = {  # of the measures, without a formula of their own
    "cell_scores",
    "check_measures",
    "chosen_measures",
    "compute_scores",
    "mean_interval",
    "rounded_figures",
    "rounded_joint",
    "rounded_loss",
    "split_and_scale",
    "train_and_test",
}


def sections(*paths):
    """The text of the section of each name."""
    found = {}
    for path in paths:
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
        for part in re.split(r"^#{2,3} ", text, flags=re.M)[1:]:
            heading, _, body = part.partition("\n")
            for name in re.findall(r"`([^`]+)`", heading):
                assert name not in found, f"{path.name}: {name} has two sections"
                found[name] = body
    return found


METHOD_SECTIONS = sections(*DOCS.glob("researchers/methods/*.md"))
MEASURE_SECTIONS = sections(DOCS / "researchers" / "measures.md")
PROMISE_SECTIONS = sections(DOCS / "researchers" / "promises.md")


def partitioners():
    packages = (microcell.partition, microcell.compose)
    members = [
        getattr(package, name) for package in packages for name in package.__all__
    ]
    parts = [
        m for m in members if inspect.isclass(m) and issubclass(m, BasePartitioner)
    ]
    return sorted({part.__name__ for part in parts} - NOT_CELLS)


def measures():
    public = [n for n in microcell.metrics.__all__ if n[0].islower()]
    shown = [measure.name for measure in MEASURES]
    disclosed = [figure.name for figure in DISCLOSED if figure.better]
    names = {*public, *shown, *disclosed, *SHORT_NAMES.values()}
    return sorted(names - TOOLS)


def check_section(name, section, words):
    assert section.count("$$") >= 2, f"{name} has no formula"
    for word in words:
        assert f"**{word}.**" in section, f"{name} has nothing under {word!r}"


def test_methods_and_partitioners():
    words = ["Paper", "Cells", "Promise", "Limits", "Cost", "Figures"]
    for name in [*METHODS, *partitioners()]:
        check_section(name, METHOD_SECTIONS[name], words)


def test_measures():
    words = ["Range", "Better", "Meaning", "Reference"]
    for name in measures():
        check_section(name, MEASURE_SECTIONS[name], words)


def test_promises():
    words = ["Range", "Basis", "Protects from", "Does not", "Reference"]
    for model in [*PROMISES.values(), DifferentialPrivacy]:
        check_section(model.name, PROMISE_SECTIONS[model.name], words)
        assert PROMISE_SECTIONS[model.__name__] is PROMISE_SECTIONS[model.name]


def test_no_section_is_of_a_part_that_is_gone():
    parts = {*METHODS, *partitioners(), "DPMicroaggregator", "dp_centroid_list"}
    assert set(METHOD_SECTIONS) == parts
    derived = {"variance_loss", "correlation_loss"}  # of `compare`
    assert set(MEASURE_SECTIONS) == {*measures(), *derived}
    models = [*PROMISES.values(), DifferentialPrivacy]
    assert set(PROMISE_SECTIONS) == {n for m in models for n in (m.name, m.__name__)}


def test_figures_are_those_of_tests_that_are_there():
    command = re.compile(r"`pytest (tests/\S+) -k (?:\"([^\"]+)\"|(\w+))`")
    named = [found for page in PAGES for found in command.findall(page.read_text())]
    assert len(named) > 10
    for path, several, one in named:
        text = (ROOT / path).read_text(encoding="utf-8")
        words = set((several or one).split()) - {"and", "or"}
        assert all(word in text for word in words), (path, words)


def test_tools_of_the_measures_are_named():
    text = (DOCS / "researchers" / "measures.md").read_text(encoding="utf-8")
    assert not {name for name in TOOLS if f"`{name}`" not in text}


def entries():
    """The bibliography: fields of each entry by its key."""
    text = (DOCS / "references.bib").read_text(encoding="utf-8")
    found = {}
    for key, body in re.findall(r"^@\w+\{([\w-]+),\n(.*?)^\}", text, flags=re.M | re.S):
        assert key not in found, f"{key} is there twice"
        found[key] = dict(re.findall(r"^  (\w+) = \{(.*)\},$", body, flags=re.M))
    assert len(found) == text.count("\n@")
    return found


BIBLIOGRAPHY = entries()


def plain(text):
    """Letters and digits alone, so that braces, commas and line breaks do not count."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def test_entries_have_authors_and_a_title():
    for key, entry in BIBLIOGRAPHY.items():
        assert {"author", "title"} <= set(entry), key
        year = re.search(r"\d{4}", key)
        assert entry.get("year") == (year.group() if year else None), key


def test_what_pages_cite_is_in_the_bibliography():
    cited = {
        key.strip()
        for page in PAGES
        for keys in re.findall(r"\{cite:[pt]\}`([^`]+)`", page.read_text("utf-8"))
        for key in keys.split(",")
    }
    assert len(cited) > 40
    assert cited <= set(BIBLIOGRAPHY)


def references():
    """References of docstrings, as (file, text)."""
    for path, node in all_nodes():
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.Module)):
            text = ast.get_docstring(node) or ""
            for found in re.split(r"^\.\. \[\d+\] ", text, flags=re.M)[1:]:
                yield path.name, re.split(r"\n\s*\n", found)[0]


def test_what_docstrings_cite_is_in_the_bibliography():
    titles = {plain(entry["title"]) for entry in BIBLIOGRAPHY.values()}
    found = list(references())
    assert len(found) > 60
    missing = [
        f"{file}: {' '.join(text.split())}"
        for file, text in found
        if not any(title in plain(text) for title in titles)
    ]
    assert not missing, "\n".join(missing)


DRAWN_WRONGLY = {  # by the converter of formulas, without a warning
    r"\\operatorname\*": "a star is drawn",
    r"\\t?frac\d": "15 is one number: write {1}{5}",
    r"\\(bar|hat|overline)( \w|\{\w\})\}?_": "the index is drawn below",
    r"[A-Za-z]'_": "the index follows the stroke: write x_i^{\\prime}",
    r"\\setminus": "few machines have the sign",
}


@for_each("pattern", DRAWN_WRONGLY)
def test_formulas_are_drawn_as_they_are_meant(pattern):
    for page in PAGES:
        text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.S)
        formulas = re.findall(r"\$\$.*?\$\$|\$[^$\n]+\$", text, flags=re.S)
        wrong = [formula for formula in formulas if re.search(pattern, formula)]
        assert not wrong, f"{page.name}: {wrong[0]}: {DRAWN_WRONGLY[pattern]}"
