"""A release in one screen, the same on every engine."""

import numpy as np
import polars as pl

from microcell import Schema, anonymize
from microcell.release._summary import one_of_a_kind

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
    head = next(n for n, line in enumerate(lines) if line.startswith("gives away"))
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


def test_notices_of_several_kinds_stay_apart():
    notices = ["column 'a' has 3 codes", "nothing of columns", "column 'b' is dropped"]
    assert one_of_a_kind(notices) == notices
    assert one_of_a_kind(["5 records", "6 records"]) == ["5 records", "6 records"]
