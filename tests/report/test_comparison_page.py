"""The page of a comparison: whole, and nothing else."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from report.made_comparisons import made_comparison

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

from microcell import tune
from microcell.report._comparison_page import comparison_page
from microcell.selection._candidate import Candidate

HOSTILE = "<script>alert('x')</script>"


def page(compared=None, **given):
    return comparison_page(compared or made_comparison(3), "linkage", "loss", **given)


def test_it_holds_every_candidate_and_marks_the_frontier():
    compared = made_comparison(3)
    text = page(compared)
    body = text[text.index('id="all"') :]
    for candidate in compared.candidates:
        assert f'<th scope="row">{candidate.label}</th>' in body
    front = re.findall(r'<tr class="front"><th scope="row">([^<]*)', body)
    assert front == [c.label for c in compared.frontier("linkage", "loss")]


def test_it_asks_for_nothing():
    text = page()
    assert "default-src 'none'" in text and "<script" not in text
    assert not re.findall(r"""(?:src|href)=["'](?!#)[^"']*""", text)
    assert "url(http" not in text and "@import" not in text


def test_pictures_have_alternatives_and_names_of_their_own():
    text = page()
    pictures = re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)
    assert len(pictures) == 2
    for picture in pictures:
        ElementTree.fromstring(picture)
        assert 'role="img" aria-label="' in picture
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert "Map of 9 candidates by linkage, nearest and information loss" in text


def test_what_others_wrote_is_escaped():
    compared = made_comparison(2, left_out={HOSTILE: HOSTILE}, notes=[HOSTILE])
    failed = Candidate(compared.candidates[0].recipe, {}, 0.1, HOSTILE)
    text = page(replace(compared, candidates=[*compared.candidates, failed]))
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 3  # note, what was left out, their reason


def test_one_k_has_no_curves():
    text = page(made_comparison(3, ks=(5,)))
    assert 'id="curves"' not in text and "#curves" not in text


def test_a_figure_that_some_lack_is_a_dash():
    compared = made_comparison(2)
    del compared.candidates[0].figures["t_distance_max"]
    assert page(compared).count('<td class="none">') == 1


def test_the_choice_comes_first(tmp_path):
    from selection.test_tune import SCHEMA, people

    tuned = tune(
        people(), SCHEMA, where=["linkage <= 20%"], methods=["mdav"], n_jobs=1,
        n_candidates=6,
    )  # fmt: skip
    tuned.save(tmp_path)
    text = (tmp_path / "comparison.html").read_text()
    assert text.index('id="choice"') < text.index('id="map"')
    assert tuned.why.replace("'", "&#39;") in text
    assert 'class="front chosen"' in text or 'class=" chosen"' in text
    assert f"k = {tuned.recipe.k}" in text
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {
        "comparison.csv", "comparison.json", "comparison.html", "choice.json",
        "recipe.toml", "map.png", "map.svg", "curves.png", "curves.svg",
    }  # fmt: skip
