"""Files in place: nothing outside the named folders is read or listed."""

import os

import pytest

from microcell.app._errors import Refused
from microcell.app._folders import Folders


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    (folder / "sub").mkdir(parents=True)
    (folder / "survey.csv").write_text("a\n1\n")
    (folder / "notes.pdf").write_text("x")
    (folder / ".hidden.csv").write_text("a\n1\n")
    (folder / "sub" / "b.parquet").write_bytes(b"x")
    (tmp_path / "secret.csv").write_text("name\nMary\n")
    (tmp_path / "data-other").mkdir()
    (tmp_path / "data-other" / "x.csv").write_text("a\n1\n")
    os.symlink(tmp_path / "secret.csv", folder / "link.csv")
    os.symlink(tmp_path, folder / "up")
    os.symlink("survey.csv", folder / "inside.csv")
    os.mkfifo(folder / "pipe.csv")
    return folder


def test_files_below_a_named_folder_are_found(data):
    folders = Folders([data])
    assert folders.find("data/survey.csv") == data / "survey.csv"
    assert folders.find("/data//./sub/b.parquet") == data / "sub" / "b.parquet"
    assert folders.find("data/inside.csv") == data / "survey.csv"


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "..", "data/..", "data/../secret.csv", "data/sub/../../secret.csv",
        "../data/survey.csv", "/etc/passwd", "etc/passwd", "data/link.csv",
        "data/up/secret.csv", "data/up", "data/../data-other/x.csv", "data-other/x.csv",
        "data/absent.csv", "data\0/survey.csv", "data/survey.csv\0", "~/x",
        "data/....//secret.csv", "data\\..\\secret.csv", "%2e%2e/secret.csv",
    ],
)  # fmt: skip
def test_nothing_else_is(data, path):
    with pytest.raises(Refused) as error:
        Folders([data]).find(path)
    assert str(data.parent) not in str(error.value)


def test_without_a_named_folder_the_way_out_is_said(data):
    with pytest.raises(Refused, match="--folder"):
        Folders([]).find(str(data / "survey.csv"))


def test_a_listing_shows_tables_and_folders(data):
    shown = {e["name"]: e for e in Folders([data]).list("data")}
    assert [*shown][:2] == ["sub", "up"]
    assert ".hidden.csv" not in shown and "pipe.csv" not in shown
    assert shown["survey.csv"]["openable"] and not shown["notes.pdf"]["openable"]
    assert shown["survey.csv"]["size"] == 4


def test_the_first_listing_is_the_named_folders(data, tmp_path):
    again = tmp_path / "else" / "data"
    again.mkdir(parents=True)
    names = [e["name"] for e in Folders([data, again]).list("")]
    assert names == ["data", "data (2)"]


def test_a_file_is_not_listed(data):
    with pytest.raises(Refused, match="not a folder"):
        Folders([data]).list("data/survey.csv")


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(NotADirectoryError, match="absent"):
        Folders([tmp_path / "absent"])
