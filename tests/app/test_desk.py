"""The desk: bounded, and emptied when nobody comes back."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from microcell.app import _desk, _jobs
from microcell.app._desk import IDLE, MOST_CASES, UNDO, Desk
from microcell.app._errors import Refused
from microcell.app._folders import Folders
from microcell.app._jobs import Job
from microcell.app._workplace import Workplace


@pytest.fixture
def on_desk(tmp_path, monkeypatch):
    """Runs a test with a desk whose jobs never begin."""

    async def nothing(self, job, heard):
        await asyncio.sleep(1000)

    monkeypatch.setattr(_jobs.Jobs, "_work", nothing)
    monkeypatch.setattr(_jobs.Jobs, "warm_up", lambda self: None)
    monkeypatch.setattr(_jobs, "MOST_WAITING", 1000)

    async def run(test):
        with Workplace(tmp_path) as workplace:
            desk = Desk(workplace, Folders([]), 1000)
            await test(desk)
            await desk.jobs.close()

    return lambda test: asyncio.run(asyncio.wait_for(run(test), 60))


def put(desk, name="t.csv"):
    folder = desk.new_folder()
    (folder / name).write_text("a\n1\n")
    return desk.add(name, folder / name, folder)


def at(monkeypatch, moment):
    """Let it be another time for the desk, and for nobody else."""
    monkeypatch.setattr(_desk, "time", SimpleNamespace(monotonic=lambda: moment))


def held(desk):
    return [path for path in desk.workplace.root.rglob("*.csv")]


def released(desk, case):
    folder = desk.workplace.folder("releases", "one")
    (folder / "t.csv").write_text("a")
    desk.releases["one"] = {"id": "one", "case": case.id, "files": {}}


def test_after_an_idle_hour_everything_is_removed(on_desk, monkeypatch):
    async def test(desk):
        case = put(desk)
        released(desk, case)
        begin = time.monotonic()
        at(monkeypatch, begin + IDLE - 60)
        await desk.jobs.cancel(*desk.jobs.all.values())
        await desk.tidy()
        assert len(held(desk)) == 2
        at(monkeypatch, begin + IDLE + 60)
        await desk.tidy()
        assert held(desk) == [] and not desk.cases and not desk.releases

    on_desk(test)


def test_while_work_goes_on_nothing_is(on_desk, monkeypatch):
    async def test(desk):
        put(desk)
        begin = time.monotonic()
        at(monkeypatch, begin + 2 * IDLE)
        await desk.tidy()
        assert held(desk)
        desk.note_use()
        await desk.jobs.cancel(*desk.jobs.all.values())
        await desk.tidy()
        assert held(desk)

    on_desk(test)


def test_a_release_that_was_taken_back_goes_a_minute_later(on_desk, monkeypatch):
    async def test(desk):
        released(desk, put(desk))
        desk.take_back("one")
        await desk.tidy()
        assert len(held(desk)) == 2
        desk.put_back("one")
        desk.take_back("one")
        now = time.monotonic()
        at(monkeypatch, now + UNDO + 1)
        await desk.tidy()
        assert len(held(desk)) == 1
        with pytest.raises(Refused, match="gone"):
            desk.put_back("one")

    on_desk(test)


def test_one_file_too_many_is_refused_and_removed(on_desk):
    async def test(desk):
        for _ in range(MOST_CASES):
            put(desk)
        with pytest.raises(Refused, match="20 files are open"):
            put(desk, "late.csv")
        assert "late.csv" not in [path.name for path in held(desk)]

    on_desk(test)


def test_a_file_that_cannot_be_looked_at_is_removed(on_desk, monkeypatch):
    async def test(desk):
        monkeypatch.setattr(_jobs, "MOST_WAITING", 0)
        with pytest.raises(Refused, match="waiting"):
            put(desk)
        assert held(desk) == [] and not desk.cases

    on_desk(test)


def test_uploads_are_bounded_while_they_come(on_desk):
    async def test(desk):
        with desk.coming() as first, desk.coming(500), desk.coming(), desk.coming():
            assert first == 1000
            with desk.coming() as rest:
                assert rest == 500
                with pytest.raises(Refused, match="together"), desk.coming():
                    pass
        with desk.coming() as room:
            assert room == 1000

    on_desk(test)


@pytest.mark.parametrize("kind", ["compare", "release"])
def test_no_work_begins_on_a_case_that_is_closed_meanwhile(on_desk, kind, monkeypatch):
    async def test(desk):
        case = put(desk)
        await desk.put_draft(case, {"quasi_identifiers": ["a"], "k": 5})
        case.checked = None
        asked = {"format": "csv"} if kind == "release" else {"methods": None, "k": [5]}
        asking = asyncio.create_task(getattr(desk, kind)(case, asked))
        await asyncio.sleep(0)  # it checks the draft in a thread
        await desk.close(case)
        with pytest.raises(Refused, match="closed"):
            await asking
        assert all(job.over for job in desk.jobs.all.values())
        assert [*desk.workplace.root.glob("releases/*")] == []

    on_desk(test)


def test_a_comparison_that_is_refused_is_not_running(on_desk, monkeypatch):
    async def test(desk):
        case = put(desk)
        await desk.put_draft(case, {"quasi_identifiers": ["a"], "k": 5})
        monkeypatch.setattr(_jobs, "MOST_WAITING", 0)
        with pytest.raises(Refused, match="waiting"):
            await desk.compare(case, {"methods": None, "k": [5], "label": None})
        assert case.comparison is None
        assert [*desk.workplace.root.glob("comparisons/*")] == []

    on_desk(test)


def test_a_job_that_is_cancelled_before_it_begins_is_over(on_desk):
    async def test(desk):
        folder, ended = desk.workplace.folder("one"), []
        job = desk.jobs.submit("look", None, {}, folder=folder, ended=ended.append)
        await desk.jobs.cancel(job)
        assert job.state == "cancelled" and ended == [job] and not folder.exists()

    on_desk(test)


def test_a_fault_of_ours_ends_its_job(on_desk, monkeypatch):
    async def fault(self, job, heard):
        raise OSError(24, "Too many open files")

    async def test(desk):
        monkeypatch.setattr(_jobs.Jobs, "_work", fault)
        job: Job = desk.jobs.submit("look", None, {})
        await job.task
        assert job.state == "failed" and job.error["message"] == "too many open files."

    on_desk(test)
