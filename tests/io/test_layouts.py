"""Moments are written as they were read."""

import datetime as dt

import polars as pl
import pytest

from microcell import Schema, anonymize
from microcell.io import layouts_of, read_table, write_table

TEXTS = {
    "minutes": ["2024-12-31 10:30", "2024-12-31 10:32"],
    "a T": ["2024-12-31T10:30", "2024-12-31T10:32"],
    "seconds": ["2024-12-31 10:30:00", "2024-12-31 10:32:00"],
    "thousandths": ["2024-12-31T10:30:00.000", "2024-12-31T10:32:00.000"],
    "millionths": ["2024-12-31 10:30:00.000000", "2024-12-31 10:32:00.000000"],
    "of UTC": ["2024-12-31T10:30:00Z", "2024-12-31T10:32:00Z"],
    "an offset": ["2024-12-31T10:30:00+00:00", "2024-12-31T10:32:00+00:00"],
}
MIDDLE = "10:31"


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_a_release_writes_moments_as_the_file_did(texts, tmp_path):
    path = tmp_path / "visits.csv"
    pl.DataFrame({"at": texts, "who": ["a", "b"]}).write_csv(path)
    release = anonymize(read_table(path), Schema(["at"], others="drop"), k=2)
    release.save(tmp_path / "released.csv")
    written = read_table(tmp_path / "released.csv")["at"].to_list()
    assert written == [texts[0].replace("10:30", MIDDLE)] * 2


def test_a_given_layout_is_the_one_that_is_written(tmp_path):
    table = pl.DataFrame({"at": [dt.datetime(2024, 12, 31, 10, 30)]})
    for layout, text in (
        ("%Y-%m-%d %H:%M:%S", "2024-12-31 10:30:00"),
        (None, "2024-12-31T10:30"),
    ):
        path = tmp_path / "t.csv"
        layouts = None if layout is None else {"at": layout}
        write_table(table, path, layouts=layouts)
        assert path.read_text() == f"at\n{text}\n"


def test_columns_without_moments_have_no_layout():
    table = pl.DataFrame({"age": ["31"], "day": ["2024-12-31"], "n": [1], "no": [None]})
    layouts = layouts_of(table, [*table.columns, "absent"])
    assert layouts == {"day": "%Y-%m-%d"}  # for libraries whose days are moments


def test_the_finest_value_says_how_fine_all_are():
    texts = ["2024-12-31 10:30", "2024-12-31 10:30:05.25", " "]
    layouts = layouts_of(pl.DataFrame({"at": texts}), ["at"])
    assert layouts == {"at": "%Y-%m-%d %H:%M:%S%.3f"}
