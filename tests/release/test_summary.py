"""A release in one screen, the same on every engine."""

import numpy as np
import polars as pl

from microcell import (
    Schema,
    anonymize,
)
from microcell.release._summary import _shown, folded, one_of_a_kind
from microcell.report import facts_of

SCREEN = 24  # lines of a terminal


def wide_release():
    rng = np.random.default_rng(0)
    masked = {f"q{j}": rng.integers(0, 5, 200) for j in range(8)}
    kept = {f"c{j}": rng.normal(size=200).round(3) for j in range(6)}
    table = pl.DataFrame({**masked, **kept})
    return anonymize(table, Schema(list(masked), confidential=list(kept)), k=5)


def test_a_usual_release_fits_one_screen_and_verbose_says_the_rest():
    release = wide_release()
    short, verbose = release.summary(), release.summary(verbose=True)
    assert len(short.splitlines()) <= SCREEN
    for words in ("row order", "average risk", "t-distance up to"):
        assert words in verbose and words not in short
    assert short.count("information loss") == verbose.count("information loss") == 1


def test_each_confidential_column_has_one_line():
    lines = wide_release().summary().splitlines()
    head = next(n for n, line in enumerate(lines) if line.startswith("cells give"))
    rows = [line.split()[0] for line in lines[head + 1 : head + 7]]
    assert rows == [f"c{j}" for j in range(6)]


def test_what_is_to_be_decided_comes_first():
    release = wide_release()
    object.__setattr__(release, "decide", ("look at this", "and at that"))
    first, second, *_ = release.summary().splitlines()
    assert first == "to decide           look at this"
    assert second == "to decide           and at that"
    assert release.certificate()["decide"] == ["look at this", "and at that"]


def test_notices_of_one_kind_are_one_line():
    release = wide_release()
    codes = [n for n in release.notices if "distinct whole numbers" in n]
    assert len(codes) == 8
    shown = [li for li in release.summary().splitlines() if "distinct whole" in li]
    assert len(shown) == 1
    assert all(f"'q{j}'" in shown[0] for j in range(8))


def test_decisions_of_one_kind_are_one_line_and_verbose_has_each():
    release = wide_release()
    said = tuple(f"who knows 'c{j}' finds {60 + j} % of the records" for j in range(6))
    object.__setattr__(release, "decide", said)
    (line,) = [li for li in release.summary().splitlines() if "who knows" in li]
    assert all(f"'c{j}'" in line for j in range(6))
    assert release.summary(verbose=True).count("who knows") == 6


def test_notices_of_several_kinds_stay_apart():
    notices = ["column 'a' has 3 codes", "nothing of columns", "column 'b' is dropped"]
    assert one_of_a_kind(notices) == notices
    assert one_of_a_kind(["5 records", "6 records"]) == ["5 records", "6 records"]


def test_it_fits_80_columns_whatever_the_names_and_kinds():
    """But for lines of words, which a terminal folds under what they say."""
    rng = np.random.default_rng(0)
    masked = {f"quasi {j} with a long name": rng.integers(0, 2, 200) for j in range(24)}
    kept = {f"{j} is a confidential column": rng.random(200) for j in range(6)}
    table = pl.DataFrame({**masked, **kept})
    release = anonymize(table, Schema(list(masked), confidential=list(kept)), k=20)
    lines = release.summary().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("cells give"))
    assert max(map(len, lines[start : start + 7])) <= 80
    assert len({line[:20] for line in lines[start + 1 : start + 7]}) == 6
    shown = folded("\n".join(lines), 80).splitlines()
    assert max(map(len, shown)) <= 80
    assert len(shown) <= 2 * SCREEN
    assert "".join("".join(shown).split()) == "".join("".join(lines).split())


def test_long_names_that_would_look_alike_are_shown_whole():
    names = [f"the first part, {j} and the last part" for j in (1, 2)]
    assert [*_shown(names)] == names
    assert [*_shown(["age", names[0]])] == ["age", "the firs…st part"]


def test_there_is_one_loss_between_0_and_100_percent():
    """Of categories that nearly all change, squared errors exceed the variance."""
    rng = np.random.default_rng(0)
    table = pl.DataFrame({f"q{j}": rng.integers(0, 2, 300) for j in range(12)})
    table = table.with_columns(pl.all().cast(pl.String))
    release = anonymize(table, Schema(table.columns), k=100)
    assert release.scores["sse_loss"] > 1 >= release.scores["relative_loss"] > 0.5
    for text in (release.summary(), release.summary(verbose=True)):
        assert [li for li in text.splitlines() if "loss" in li and "%" in li] == [
            f"{'information loss':<20}{100 * release.scores['relative_loss']:.2f} %"
        ]
    facts = facts_of(release)
    assert all(0 <= cost["loss"] <= 1 for cost in facts["utility"]["costs"])


def test_the_summary_names_every_column_and_warns():
    numbers = {"age": np.arange(40) + 0.5, "inc": np.arange(40)[::-1] * 2.0}
    table = pl.DataFrame({**numbers, "a": "x", "ward": "w", "name": "n"})
    schema = Schema(["age", "inc"], confidential="a", others=["ward", "drop"])
    text = anonymize(table, schema, k=5, strata="ward").summary()
    for line in (
        "released as is      a, ward",
        "left out            name",
        "strata              ward",
        "to decide           everybody in the table has the same 'a'",
    ):
        assert line in text
