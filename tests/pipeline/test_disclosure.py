"""What classes give away of confidential columns: shown always, and in words."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell import Recipe, Schema, anonymize, anonymize_file
from microcell.pipeline._disclosure import disclosure_lines, disclosure_of, warnings_of
from microcell.privacy import View
from microcell.release import check_file


def slow_disclosure(rows, ordered):
    """The figures of (class, value) pairs, by their definitions."""
    values = [value for _, value in rows]
    support = sorted(set(values))
    cells = {}
    for cell, value in rows:
        cells.setdefault(cell, []).append(value)

    def shares(some):
        return np.array([some.count(value) / len(some) for value in support])

    whole = shares(values)
    found, weights = [], []
    for some in cells.values():
        gap = shares(some) - whole
        distance = np.abs(gap).sum() / 2
        if ordered:
            distance = np.abs(np.cumsum(gap)).sum() / max(len(support) - 1, 1)
        top = max(map(some.count, some))
        found.append((len(set(some)), top / len(some), distance))
        weights.append(len(some))
    distinct, top, distance = map(np.array, zip(*found, strict=True))
    weights = np.array(weights)
    return {
        "p_sensitivity": distinct.min(),
        "homogeneous_records": weights[distinct == 1].sum() / len(rows),
        "largest_share_max": top.max(),
        "largest_share_mean": np.average(top, weights=weights),
        "t_distance_max": distance.max(),
        "t_distance_mean": np.average(distance, weights=weights),
        "table_share": whole.max(),
    }


@settings(max_examples=100)
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=1),
    kind=st.sampled_from(["number", "text of numbers", "words"]),
)
def test_figures_equal_the_slow_twin(rows, kind):
    words = {"number": int, "text of numbers": str, "words": lambda v: f"w{v}"}[kind]
    table = pl.DataFrame(
        {"cell": [cell for cell, _ in rows], "pay": [words(v) for _, v in rows]}
    )
    scores = disclosure_of(View(table, ["cell"], confidential=["pay"]))["pay"]
    expected = slow_disclosure(rows, ordered=kind != "words")
    assert {n: scores[n] for n in expected} == pytest.approx(expected)
    values = np.array([value for _, value in rows], dtype=float)
    if kind == "words" or np.ptp(values) == 0:
        assert "mean_range" not in scores
        return
    cells = np.array([cell for cell, _ in rows])
    ranges = {c: np.ptp(values[cells == c]) / np.ptp(values) for c in set(cells)}
    assert scores["narrowest_range"] == pytest.approx(min(ranges.values()))
    mean = np.mean([ranges[cell] for cell in cells])
    assert scores["mean_range"] == pytest.approx(mean)


def test_ranges_of_dates_and_gaps():
    table = pl.DataFrame(
        {
            "cell": [0, 0, 1, 1, 1],
            "day": ["2024-01-01", "2024-01-05", "2024-01-11", "", "2024-01-11"],
        }
    )
    scores = disclosure_of(View(table, ["cell"], confidential=["day"]))["day"]
    assert scores["narrowest_range"] == 0
    assert scores["mean_range"] == pytest.approx((2 * 0.4) / 4)


def uniform_table():
    ages = np.repeat(np.arange(20), 5)
    return pl.DataFrame({"age": ages, "ill": [f"i{age % 4}" for age in ages]})


def test_uniform_cells_are_said_in_words(tmp_path):
    schema = Schema(["age"], confidential="ill")
    release = anonymize(uniform_table(), schema, k=5)
    summary = release.summary(verbose=True)
    assert "100.00 % of records give away ill" in summary
    assert "at least 1 value(s) in a cell" in summary
    assert "can be read off the cells" in summary
    assert "t-closeness" in summary  # p values of which one is everybody's hide nothing
    assert "p-sensitivity" not in summary and "l-diversity" not in summary
    sidecar = release.save(tmp_path / "out.csv")
    assert sidecar["disclosure"]["ill"]["homogeneous_records"] == 1
    check = check_file(tmp_path / "out.csv", "age", confidential="ill")
    assert dict(check.disclosure["ill"]) == pytest.approx(sidecar["disclosure"]["ill"])
    assert check.to_dict()["disclosure"]["ill"]["p_sensitivity"] == 1


def test_other_warnings():
    rng = np.random.default_rng(0)
    cells = np.repeat(np.arange(50), 10)
    pay = cells * 100 + rng.integers(0, 50, 500)
    mostly = np.where(np.arange(500) % 10 < 8, cells % 5, (cells + 1) % 5)
    table = pl.DataFrame({"cell": cells, "pay": pay, "job": [f"j{m}" for m in mostly]})
    found = disclosure_of(View(table, ["cell"], confidential=["pay", "job"]))
    assert any("to within" in words for words in warnings_of("pay", found["pay"]))
    assert any("far better" in words for words in warnings_of("job", found["job"]))
    assert len(disclosure_lines(found)) >= 6
    shuffled = pl.Series(rng.permutation(table["job"].to_list()))
    mixed = table.with_columns(job=shuffled)
    fine = disclosure_of(View(mixed, ["cell"], confidential=["job"]))["job"]
    assert warnings_of("job", fine) == []


def test_distinct_numbers_are_not_said_to_be_guessed():
    rng = np.random.default_rng(0)
    cells = np.repeat(np.arange(40), 5)
    table = pl.DataFrame({"cell": cells, "pay": rng.permutation(200)})
    found = disclosure_of(View(table, ["cell"], confidential=["pay"]))["pay"]
    assert found["largest_share_mean"] == pytest.approx(0.2)
    assert warnings_of("pay", found) == []


BLANK = [["HIV", "HIV", "", "HIV", ""][row % 5] for row in range(100)]
WRITTEN = [["HIV", "hiv", "HIV ", "flu", "gout"][row % 5] for row in range(100)]
SAID = {  # of a confidential column: what is to be decided, and what is a notice
    "blank": (BLANK, "nearly all records", "without it l is 1, and 100 % of the rec"),
    "one": (["HIV"] * 100, "no promise hides that", ""),
    "own": ([f"i{row // 5}" for row in range(100)], "nearly all rec", ""),
    "written": (WRITTEN, "", "3 values of 'ill' differ from another only in letter"),
    "plain": ([f"i{row % 5}" for row in range(100)], "", ""),
}


@pytest.mark.parametrize("engine", ["memory", "disk"])
@pytest.mark.parametrize("case", SAID)
def test_what_is_to_be_decided_of_a_confidential_column(case, engine, tmp_path):
    values, decide, notice = SAID[case]
    table = pl.DataFrame({"age": np.repeat(np.arange(20), 5), "ill": values})
    table.write_csv(tmp_path / "in.csv")
    recipe = Recipe(Schema(["age"], confidential="ill"), k=5, method="mdav")
    out = tmp_path / "out.csv"
    release = anonymize_file(tmp_path / "in.csv", recipe, out, engine=engine)
    sidecar = release.certificate
    own = ("'ill' can", "everybody in the table")  # others speak of its values
    decided = [said for said in sidecar["decide"] if said.startswith(own)]
    assert len(decided) == bool(decide) and decide in "".join(decided)
    said = [
        n for n in sidecar["notices"] if "missing counts" in n or "letter case" in n
    ]
    assert len(said) == bool(notice) and notice in "".join(said)
    figures = sidecar["disclosure"]["ill"]
    if case == "blank":
        assert figures["p_sensitivity"] == 2 and figures["known_values"] == 1
        assert figures["homogeneous_records"] < figures["uniform_but_missing"] == 1
        check = check_file(out, "age", confidential="ill")
        assert dict(check.disclosure["ill"]) == pytest.approx(figures)
