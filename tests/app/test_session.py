"""The session: bounded, and emptied when nobody comes back."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from microcell.app import _jobs, _session
from microcell.app._errors import Refused
from microcell.app._folders import Folders
from microcell.app._jobs import Job
from microcell.app._session import MAX_DOCUMENTS, UNDO_SECONDS, UNUSED_SECONDS, Session
from microcell.app._workspace import Workspace


@pytest.fixture
def in_session(tmp_path, monkeypatch):
    """Runs a test with a session whose jobs never begin."""

    async def nothing(self, job):
        await asyncio.sleep(1000)

    monkeypatch.setattr(_jobs.Jobs, "_work", nothing)
    monkeypatch.setattr(_jobs.Jobs, "warm_up", lambda self: None)
    monkeypatch.setattr(_jobs, "MAX_WAITING_JOBS", 1000)

    async def run(test):
        with Workspace(tmp_path) as workspace:
            session = Session(workspace, Folders([]), 1000)
            await test(session)
            await session.jobs.close()

    return lambda test: asyncio.run(asyncio.wait_for(run(test), 60))


def put(session, name="t.csv"):
    folder = session.new_folder()
    (folder / name).write_text("a\n1\n")
    return session.add(name, folder / name, folder)


def at(monkeypatch, moment):
    """Let it be another time for the session, and for nobody else."""
    monkeypatch.setattr(_session, "time", SimpleNamespace(monotonic=lambda: moment))


def held(session):
    return [path for path in session.workspace.root.rglob("*.csv")]


def released(session, document):
    folder = session.workspace.folder("releases", "one")
    (folder / "t.csv").write_text("a")
    session.releases["one"] = {"id": "one", "document": document.id, "files": {}}


def test_after_an_idle_hour_everything_is_removed(in_session, monkeypatch):
    async def test(session):
        document = put(session)
        released(session, document)
        begin = time.monotonic()
        at(monkeypatch, begin + UNUSED_SECONDS - 60)
        await session.jobs.cancel(*session.jobs.all.values())
        await session.tidy()
        assert len(held(session)) == 2
        at(monkeypatch, begin + UNUSED_SECONDS + 60)
        await session.tidy()
        assert held(session) == [] and not session.documents and not session.releases

    in_session(test)


def test_while_work_goes_on_nothing_is(in_session, monkeypatch):
    async def test(session):
        put(session)
        begin = time.monotonic()
        at(monkeypatch, begin + 2 * UNUSED_SECONDS)
        await session.tidy()
        assert held(session)
        session.note_use()
        await session.jobs.cancel(*session.jobs.all.values())
        await session.tidy()
        assert held(session)

    in_session(test)


def test_a_release_that_was_taken_back_goes_a_minute_later(in_session, monkeypatch):
    async def test(session):
        released(session, put(session))
        session.take_back("one")
        await session.tidy()
        assert len(held(session)) == 2
        session.put_back("one")
        session.take_back("one")
        now = time.monotonic()
        at(monkeypatch, now + UNDO_SECONDS + 1)
        await session.tidy()
        assert len(held(session)) == 1
        with pytest.raises(Refused, match="gone"):
            session.put_back("one")

    in_session(test)


def test_one_file_too_many_is_refused_and_removed(in_session):
    async def test(session):
        for _ in range(MAX_DOCUMENTS):
            put(session)
        with pytest.raises(Refused, match="20 files are open"):
            put(session, "late.csv")
        assert "late.csv" not in [path.name for path in held(session)]

    in_session(test)


def test_a_file_that_cannot_be_looked_at_is_removed(in_session, monkeypatch):
    async def test(session):
        monkeypatch.setattr(_jobs, "MAX_WAITING_JOBS", 0)
        with pytest.raises(Refused, match="waiting"):
            put(session)
        assert held(session) == [] and not session.documents

    in_session(test)


def test_uploads_are_bounded_while_they_come(in_session):
    async def test(session):
        with (
            session.coming() as first,
            session.coming(500),
            session.coming(),
            session.coming(),
        ):
            assert first == 1000
            with session.coming() as rest:
                assert rest == 500
                with pytest.raises(Refused, match="together"), session.coming():
                    pass
        with session.coming() as allowed:
            assert allowed == 1000

    in_session(test)


@pytest.mark.parametrize("kind", ["compare", "release"])
def test_no_work_begins_on_a_case_that_is_closed_meanwhile(
    in_session, kind, monkeypatch
):
    async def test(session):
        document = put(session)
        await session.put_draft(document, {"quasi_identifiers": ["a"], "k": 5})
        document.checked = None
        asked = {"format": "csv"} if kind == "release" else {"methods": None, "k": [5]}
        asking = asyncio.create_task(getattr(session, kind)(document, asked))
        await asyncio.sleep(0)  # it checks the draft in a thread
        await session.close(document)
        with pytest.raises(Refused, match="closed"):
            await asking
        assert all(job.over for job in session.jobs.all.values())
        assert [*session.workspace.root.glob("releases/*")] == []

    in_session(test)


def test_a_comparison_that_is_refused_is_not_running(in_session, monkeypatch):
    async def test(session):
        document = put(session)
        await session.put_draft(document, {"quasi_identifiers": ["a"], "k": 5})
        monkeypatch.setattr(_jobs, "MAX_WAITING_JOBS", 0)
        with pytest.raises(Refused, match="waiting"):
            await session.compare(document, {"methods": None, "k": [5], "label": None})
        assert document.comparison is None
        assert [*session.workspace.root.glob("comparisons/*")] == []

    in_session(test)


def test_a_job_that_is_cancelled_before_it_begins_is_over(in_session):
    async def test(session):
        folder, ended = session.workspace.folder("one"), []
        job = session.jobs.submit(
            "look", None, {}, folder=folder, finished=ended.append
        )
        await session.jobs.cancel(job)
        assert job.state == "cancelled" and ended == [job] and not folder.exists()

    in_session(test)


def test_a_fault_of_ours_ends_its_job(in_session, monkeypatch):
    async def fault(self, job):
        raise OSError(24, "Too many open files")

    async def test(session):
        monkeypatch.setattr(_jobs.Jobs, "_work", fault)
        job: Job = session.jobs.submit("look", None, {})
        await job.task
        assert job.state == "failed" and job.error["message"] == "too many open files."

    in_session(test)
