"""A person who is rare in every column leaves no trace in what commands say and write.

Of a release, only the table itself holds what was released; of a comparison and of a
choice nothing does.
"""

import pytest
from marks import first_is_quick, slow
from report.planted import (
    RARE_TEXTS,
    SCHEMA,
    assert_no_trace,
    holds,
    planted_table,
    words_of,
)
from typer.testing import CliRunner

from microcell import NoCandidate, compare, tune
from microcell.cli._app import app

TABLE = planted_table()
ROLES = [
    "-q", ",".join(SCHEMA.quasi_identifiers), "-i", "name,house",
    "-c", "ill,cost,admitted", "--others", "mood,visits,moved,ward,note",
    "--kind", "zip=prefix", "--kind", "children=numeric", "--unit", "records",
]  # fmt: skip
QUICK = ["--methods", "mdav,mondrian", "--jobs", "1"]
LABELS = {
    "none": [],
    "a rare class": ["--label", "ill"],
    "a number": ["--label", "cost"],
}
WRONG = {
    "no such figure": ["--x", "zymurgist"],
    "a column as a figure": ["--x", "t:name"],
    "masked label": ["--label", "pay"],
    "no such label": ["--label", "salary"],
    "a kind": ["--kind", "job=numeric"],
    "an order": ["--kind", "job=cook<smith<nurse"],
    "a date": ["--kind", "job=date"],
    "a format": ["--date", "born=%d.%m.%Y"],
    "weights": ["--weights", "visits"],
    "a small stratum": ["--strata", "ward"],
    "a target": ["--target", "ill"],
    "a clip": ["--clip", "job=1:2"],
    "a mark": ["--missing-mark", "pay=-"],
    "k": ["-k", "301"],
    "p": ["--p", "5"],
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("source") / "people.csv"
    TABLE.write_csv(path)
    return path


@pytest.fixture
def run(path, capfd):
    def run(command, *more):
        """Everything that a command says, and its exit code."""
        given = [command, str(path), *ROLES, *map(str, more)]
        done = CliRunner().invoke(app, given, prog_name="microcell")
        said = capfd.readouterr()
        return done.exit_code, f"{done.stdout}\n{done.stderr}\n{said.out}\n{said.err}"

    return run


def assert_no_trace_in(folder, besides=()):
    """Look at all files of a folder, hidden ones and pictures too.

    Returns
    -------
    suffixes : set of str
        What kinds of files there were.
    """
    files = [file for file in folder.rglob("*") if file.is_file()]
    for file in files:
        if file.name in besides:
            continue
        data = file.read_bytes()
        for value in RARE_TEXTS.values():
            assert not holds(value, data.decode("latin-1")), file.name
        if file.suffix in (".html", ".svg"):  # places in a picture are no values
            assert_no_trace(words_of(data.decode()))
        elif file.suffix in (".csv", ".json", ".toml"):
            assert_no_trace(data.decode())
    return {file.suffix for file in files}


@pytest.mark.parametrize("label", first_is_quick(LABELS))
def test_no_trace_in_a_comparison(run, tmp_path, label):
    more = [*QUICK, "-k", "5,25", *LABELS[label], "--x", "linkage", "--y", "t:cost"]
    code, said = run("compare", *more, "--out", tmp_path)
    assert code == 0, said
    assert "mdav, k=25" in said
    assert_no_trace(said)
    found = assert_no_trace_in(tmp_path)
    assert found >= {".csv", ".json", ".html", ".svg", ".png"}
    assert list((tmp_path / ".cache").glob("*.json"))
    code, said = run("compare", *more, "--out", tmp_path, "--json")  # from the cache
    assert code == 0
    assert_no_trace(said)


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        ["--unit", "house"],
        ["--strata", "ward", "--small-strata", "merge"],
        ["--rare", "merge"],
        ["--clip", "pay=1%:99%", "--representative", "pay=interval"],
        ["--t", "0.3"],
    ],
    ids=lambda more: more[0],
)
def test_no_trace_in_a_comparison_with_options(run, tmp_path, more):
    some = ["--methods", "mdav,vmdav", "-k", "5", "--jobs", "1"]
    code, said = run("compare", *some, *more, "--out", tmp_path)
    assert code == 0, said
    assert_no_trace(said)
    assert_no_trace_in(tmp_path)


def test_no_trace_in_pictures_of_a_comparison():
    from matplotlib.text import Text

    options = {"methods": ["mdav", "pcp"], "k": [5, 25], "unit": "records"}
    compared = compare(TABLE, SCHEMA, label="ill", n_jobs=1, **options)
    axes = compared.plot("linkage", "t:ill")
    texts = [text.get_text() for text in axes.figure.findobj(Text)]
    assert any("mdav" in text for text in texts)
    assert_no_trace("\n".join(texts))
    assert_no_trace(repr(compared))
    assert_no_trace(compared.table.write_csv())


@pytest.mark.parametrize("name", WRONG)
def test_no_trace_in_errors_of_a_comparison(run, tmp_path, name):
    said_by_user = [value for value in RARE_TEXTS if RARE_TEXTS[value] in WRONG[name]]
    code, said = run(
        "compare", *QUICK, "-k", "5", *WRONG[name], "--out", tmp_path / "out"
    )
    assert code in (0, 2), said
    assert_no_trace(said, besides=said_by_user)
    assert_no_trace_in(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("label", LABELS)
def test_no_trace_in_a_choice(run, tmp_path, label):
    sought = ["--highest", "accuracy"] if label == "a rare class" else []
    few = ["--methods", "mdav,mondrian", "--jobs", "1", "--candidates", "8"]
    code, said = run(
        "tune", *few, *LABELS[label], *sought, "--where", "linkage <= 30%",
        "--where", "t:cost <= 0.9", "--write-recipe", tmp_path / "best.toml",
        "--out", tmp_path / "out",
    )  # fmt: skip
    assert code == 0, said
    assert_no_trace(said)
    found = assert_no_trace_in(tmp_path)
    assert found >= {".csv", ".json", ".html", ".svg", ".png", ".toml"}


@pytest.mark.parametrize(
    "limit",
    ["linkage <= 0.01%", "loss <= 0.01%", "p:ill >= 5", "k >= 301"],
)
def test_no_trace_where_nothing_can_be_chosen(run, tmp_path, limit):
    few = ["--methods", "mdav,mondrian", "--jobs", "1", "--candidates", "6"]
    out = ["--where", limit, "--out", tmp_path / "out"]
    code, said = run("tune", *few, *out)
    assert code == 2
    assert "error" in said
    assert_no_trace(said)
    assert_no_trace_in(tmp_path)


def test_no_trace_in_an_error_of_python():
    with pytest.raises(NoCandidate) as error:
        tune(
            TABLE, SCHEMA, where="linkage <= 0.01%", methods=["mdav"], k=[5],
            n_candidates=3, n_jobs=1, unit="records",
        )  # fmt: skip
    assert_no_trace(str(error.value))
    assert_no_trace(repr(error.value))


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_no_trace_in_errors_of_a_choice(run, tmp_path, name):
    if "--x" in WRONG[name]:
        pytest.skip("a choice has no axes")
    few = ["--methods", "mdav,mondrian", "--jobs", "1", "--candidates", "4"]
    code, said = run("tune", *few, *WRONG[name], "--out", tmp_path / "out")
    assert code in (0, 2), said
    assert_no_trace(said)
    assert_no_trace_in(tmp_path)


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--unit", "house"],
        ["--strata", "ward", "--small-strata", "merge"],
        slow(["--method", "mdav-sd", "--target", "cost"]),
        slow(["--aggregate", "interval", "--ends", "rounded"]),
        slow(["--json"]),
        slow(["--order", "keep"]),
        slow(["--rare", "merge"]),
        slow(["--t", "0.3"]),
    ],
    ids=lambda more: "-".join(more) or "plain",
)
def test_no_trace_in_a_release_by_command(run, tmp_path, more):
    code, said = run(
        "anonymize", "-k", 5, *more, "-o", tmp_path / "release.csv",
        "--certificate", tmp_path / "certificate.json",
        "--write-recipe", tmp_path / "recipe.toml",
        "--report", tmp_path / "report.html",
    )  # fmt: skip
    assert code == 0, said
    assert_no_trace(said)
    assert_no_trace_in(tmp_path, besides=["release.csv"])
    assert RARE_TEXTS["ill"] in (tmp_path / "release.csv").read_text()  # as it is


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_no_trace_in_errors_of_a_release_by_command(run, tmp_path, name):
    if {"--x", "--label"} & {*WRONG[name]}:
        pytest.skip("a release has no axes and no label")
    k = [] if "-k" in WRONG[name] else ["-k", 5]
    code, said = run(
        "anonymize", *k, *WRONG[name], "-o", tmp_path / "release.csv",
        "--certificate", tmp_path / "certificate.json",
        "--report", tmp_path / "report.html",
    )  # fmt: skip
    assert code in (0, 2, 3), said
    assert_no_trace(said)
    assert_no_trace_in(tmp_path, besides=["release.csv"])
