"""What package indexes, citations and newcomers read is true."""

import re
import tomllib
from datetime import date
from importlib.metadata import metadata
from pathlib import Path

import pytest
import yaml
from trove_classifiers import classifiers

import microcell

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))


def page(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_has_one_home():
    assert "version" not in PROJECT and "version" in PROJECT["dynamic"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", microcell.__version__)
    assert metadata("microcell")["Version"] == microcell.__version__
    assert str(CITATION["version"]) == microcell.__version__


def test_the_first_version_in_the_changelog_is_this_one():
    headings = re.findall(r"^## \[(.+?)\] - (.+)$", page("CHANGELOG.md"), re.MULTILINE)
    version, when = headings[0]
    assert version == microcell.__version__
    assert when == "unreleased" or date.fromisoformat(when)


def test_sections_of_the_changelog_are_those_of_its_form():
    sections = re.findall(r"^### (.+)$", page("CHANGELOG.md"), re.MULTILINE)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert sections and set(sections) <= kinds


def test_the_citation_is_valid():
    """As the Citation File Format 1.2.0 wants it."""
    assert CITATION["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(CITATION)
    assert CITATION["type"] in {"software", "dataset"}
    assert all(set(author) == {"name"} for author in CITATION["authors"])
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["repository-code"] == PROJECT["urls"]["Source"]
    assert CITATION["url"] == PROJECT["urls"]["Documentation"]
    known = {
        "cff-version", "message", "title", "type", "version", "authors", "license",
        "repository-code", "url", "abstract", "keywords", "date-released", "doi",
    }  # fmt: skip
    assert set(CITATION) <= known  # the format allows no other


def test_classifiers_exist():
    assert set(PROJECT["classifiers"]) <= classifiers
    assert PROJECT["classifiers"] == sorted(PROJECT["classifiers"], key=by_version)
    licences = [c for c in PROJECT["classifiers"] if c.startswith("License")]
    assert not licences  # an index refuses them beside a license expression


def by_version(classifier):
    """Order in which 3.9 comes before 3.11."""
    return [
        (int(word), "") if word.isdigit() else (0, word)
        for word in re.split(r"(\d+)", classifier)
    ]


def test_all_is_all_that_a_user_can_install():
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    named = re.fullmatch(r"microcell\[(.+)\]", everything).group(1).split(",")
    for_developers = {"all", "docs", "test"}
    assert sorted(named) == sorted(set(extras) - for_developers)


def test_the_newest_versions_are_pinned():
    """What `make` installs is exact, or two people test two programs."""
    pins = {line.partition("==")[0].lower() for line in page("constraints.txt").split()}
    needed = [*PROJECT["dependencies"]]
    for requirements in PROJECT["optional-dependencies"].values():
        needed += requirements
    names = {re.match(r"[A-Za-z0-9-]+", r).group().lower() for r in needed}
    spelt = {pin.replace("_", "-") for pin in pins}
    assert names - {"microcell"} <= spelt


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md"])
def test_commands_that_pages_name_are_there(name):
    targets = set(re.findall(r"^([a-z-]+):", page("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^    )make ([a-z-]+)", page(name), re.MULTILINE))
    assert named <= targets
    for path in re.findall(r"(?:tests|src)/[\w/]+\.py", page(name)):
        assert (ROOT / path).is_file(), path
