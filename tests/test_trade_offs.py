"""The page on choosing a method says what was measured, and can be made again."""

import math
import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from benchmarks import trade_offs
from benchmarks.limited import Limited
from benchmarks.trade_offs_page import (
    BLOCKS,
    WHOLE,
    Row,
    as_little_linked,
    draw,
    growth,
    marks,
    read_csv,
    rendered,
    write_csv,
)

from microcell import METHODS, anonymize

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / trade_offs.PAGE).read_text(encoding="utf-8")
ABOUT, ROWS = read_csv((ROOT / trade_offs.CSV).read_text(encoding="utf-8"))
EMPTY_PAGE = "\n".join("\n".join(marks(name)) for name in BLOCKS)


def at(table, method, k=5):
    """The row of a method on a whole table."""
    rows = [r for r in ROWS if (r.table, r.method, r.k) == (table, method, k)]
    return max(rows, key=lambda row: row.records)


def test_page_is_made_of_the_csv_beside_it():
    assert rendered(PAGE, ABOUT, ROWS) == PAGE


def test_csv_is_read_as_it_was_written():
    text = (ROOT / trade_offs.CSV).read_text(encoding="utf-8")
    assert write_csv(*read_csv(text)) == text


def test_every_method_that_may_be_measured_was():
    assert {*METHODS} - {row.method for row in ROWS} == {
        *trade_offs.DIFFERENTIALLY_PRIVATE
    }


def test_the_page_shows_no_failure():
    assert [row.note for row in ROWS if row.note.startswith("failed")] == []


def test_whole_records_are_in_classes_of_k():
    whole = [r for r in ROWS if r.promise == WHOLE and not math.isnan(r.highest_risk)]
    assert len(whole) > 50
    assert all(row.highest_risk <= 1 / row.k + 1e-6 for row in whole)


@pytest.mark.parametrize("table", ["census", "eia", "adult", "million"])
def test_the_default_loses_less_than_its_rivals(table):
    for k in {row.k for row in ROWS if row.table == table}:
        least = at(table, "mdav-refined", k).loss
        assert least < at(table, "mdav", k).loss
        assert least < at(table, "mondrian", k).loss


def test_a_larger_k_of_the_default_is_linked_less_than_mondrian_at_a_lower_loss():
    pairs = list(as_little_linked(ROWS, "mondrian"))
    assert {rival.table for rival, _ in pairs} >= {"census", "eia", "adult"}
    assert all(own.loss < rival.loss for rival, own in pairs)


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match="needs <!-- made by"):
        rendered("no marks", ABOUT, ROWS)


def test_a_remark_about_the_run_is_shown():
    page = rendered(EMPTY_PAGE, ABOUT | {"remark": "Busy."}, ROWS)
    assert "**Busy.**" in page


def test_methods_below_k_anonymity_are_marked():
    rows = [
        Row("eia", 9, "kind", 5, promise="cells of at least k", loss=0.1, seconds=1),
        Row("eia", 9, "safe", 5, promise=WHOLE, loss=0.2, seconds=1),
    ]
    lines = rendered(EMPTY_PAGE, ABOUT, rows).splitlines()
    places = [line[:11] for line in lines if line.startswith("| `")]
    assert places == ["| `safe` | ", "| `kind` * "]


def test_growth_is_the_exponent_of_time():
    of = {(n, 5): Row("x", n, "m", 5, seconds=n**1.5) for n in (10, 100, 1000)}
    assert growth(of) == "1.50"
    assert growth({(10, 5): of[10, 5]}) == ""


def plan_with(seconds):
    """A process that answers at once, and what it was asked."""
    asked = []

    def call(limit, function, name, size, method, k, again):
        asked.append((size, k))
        if seconds[size] > limit:
            raise TimeoutError
        return Row(name, size, method, k, promise=WHOLE, seconds=seconds[size])

    return SimpleNamespace(call=call), asked


def test_small_sizes_have_one_k():
    process, asked = plan_with({10: 0.1, 100: 0.2})
    plan = trade_offs.Plan(None, (10, 100), (5, 3))
    assert len(list(trade_offs.rows_of(process, "eia", plan, ["mdav"]))) == 3
    assert asked == [(10, 5), (100, 5), (100, 3)]


def test_what_cannot_finish_is_not_run():
    process, asked = plan_with({10: 0.2 * trade_offs.LIMIT, 100: 1.0})
    plan = trade_offs.Plan(None, (10, 100), (5,))
    rows = list(trade_offs.rows_of(process, "eia", plan, ["mdav"]))
    assert asked == [(10, 5)]
    assert rows[-1].records == 100 and rows[-1].note.startswith("not run: more than")


def test_time_is_expected_to_grow_as_it_did():
    small, large = Row("x", 10, "m", 5, seconds=1), Row("x", 100, "m", 5, seconds=100)
    assert trade_offs.expected(None, large, 1000) == pytest.approx(1000)
    assert trade_offs.expected(small, large, 1000) == pytest.approx(10_000)
    slow = small._replace(seconds=99)
    assert trade_offs.expected(slow, large, 1000) == pytest.approx(1000)


def test_what_does_not_finish_says_so():
    process, _ = plan_with({10: 1e9})
    plan = trade_offs.Plan(None, (10,), (5, 3))
    (row,) = trade_offs.rows_of(process, "eia", plan, ["mdav"])
    assert row.note.startswith("not finished in") and math.isnan(row.loss)


def test_a_call_that_takes_too_long_is_ended():
    with Limited() as process:
        assert process.call(60, divmod, 7, 2) == (3, 1)
        with pytest.raises(TimeoutError, match=r"not finished in 0\.1 s"):
            process.call(0.1, time.sleep, 600)
        with pytest.raises(ZeroDivisionError):
            process.call(60, divmod, 7, 0)
        with pytest.raises(RuntimeError, match="ended before its work"):
            process.call(60, os._exit, 1)
        assert process.call(60, divmod, 7, 2) == (3, 1)


class AtOnce(Limited):
    """Calls in this process, which has imported everything already."""

    def call(self, seconds, function, *arguments):
        return function(*arguments)


@pytest.mark.slow
def test_a_quick_run_writes_page_table_and_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(trade_offs, "Limited", AtOnce)
    page, table, picture = (tmp_path / name for name in ("a.md", "b.csv", "c.svg"))
    page.write_text(EMPTY_PAGE, encoding="utf-8")
    where = ["--page", str(page), "--csv", str(table), "--picture", str(picture)]
    quick = ["--quick", "--only", "million", "--methods"]
    trade_offs.main([*quick, "mdav,individual-ranking", *where])
    trade_offs.main([*quick, "mondrian", *where])  # keeps the others
    about, rows = read_csv(table.read_text(encoding="utf-8"))
    assert about["command"].endswith("--quick")
    assert {row.method for row in rows} == {"mdav", "individual-ranking", "mondrian"}
    found = {row.method: row for row in rows if row.records == 300}
    data = trade_offs.loaded("million", 300)
    release = anonymize(data.frame, data.schema, method="mdav", k=5)
    assert found["mdav"].loss == pytest.approx(release.scores["sse_loss"], rel=1e-5)
    share = release.disclosure["ill"]["largest_share_mean"]
    assert found["mdav"].guessed == pytest.approx(share, rel=1e-5)
    assert found["individual-ranking"].promise != WHOLE
    assert (
        rendered(page.read_text(encoding="utf-8"), about, rows).count("| `mdav`") == 1
    )
    assert picture.stat().st_size > 1000


def test_a_quick_run_does_not_touch_the_page():
    with pytest.raises(SystemExit):
        trade_offs.main(["--quick"])


@pytest.mark.slow
def test_the_picture_is_the_same_each_time(tmp_path):
    draw(ROWS, tmp_path / "a.svg")
    draw(ROWS, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
