"""Jobs: bounded, cancelled with all they left, and told of."""

import asyncio
import os
import signal
import time

import pytest
from app_server import alive, descendants

from microcell.app import _jobs, _process, _tasks
from microcell.app._errors import Refused
from microcell.app._jobs import Jobs
from microcell.app._workspace import Workspace

SLEEP = (
    "import os, time\n"
    "from microcell.app import _tasks, _worker\n"
    "def sleep(request, emit):\n"
    "    import pathlib, subprocess\n"
    "    from microcell._progress import report\n"
    "    pathlib.Path(request['folder'], 'part').write_text('x')\n"
    "    child = subprocess.Popen(['sleep', '1000'])\n"
    "    report(1, 4, 'sleeping')\n"
    "    emit({'child': child.pid, 'worker': os.getpid()})\n"
    "    time.sleep(request['seconds'])\n"
    "    child.kill(); child.wait()\n"
    "    return {'slept': request['seconds']}\n"
    "def fail(request, emit):\n"
    "    raise KeyError('Mary Smith')\n"
    "def refuse(request, emit):\n"
    "    from microcell.exceptions import InputError\n"
    "    raise InputError('That is no table.')\n"
    "def grow(request, emit):\n"
    "    held = []\n"
    "    while True:\n"
    "        held.append(b'x' * 10**7)\n"
    "        time.sleep(0.005)\n"
    "def die(request, emit):\n"
    "    os._exit(7)\n"
    "_tasks.TASKS.update(sleep=sleep, fail=fail, refuse=refuse, grow=grow, die=die)\n"
    "_worker._warm_up = lambda: None\n"
    "_worker.serve()\n"
)


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    """Jobs whose tasks do nothing with tables, and all that was told of them."""
    monkeypatch.setattr(_process, "WORKER_PROGRAM", SLEEP)
    told = []

    async def run(test):
        with Workspace(tmp_path) as workspace:
            made = Jobs(workspace, lambda job: told.append((job.id, job.state)))
            made.told = told
            try:
                await test(made)
            finally:
                await made.close()
                assert descendants(os.getpid()) == []
        assert list(tmp_path.iterdir()) == []

    return lambda test: asyncio.run(asyncio.wait_for(run(test), 120))


def gone(pid):
    """Whether a process that was killed is no more, which takes a moment."""
    for _ in range(200):
        if not alive(pid):
            return True
        time.sleep(0.02)
    return False


def submit(jobs, kind="sleep", seconds=0.0, **more):
    folder = jobs.workspace.folder(f"job{len(jobs.all)}")
    request = {"folder": str(folder), "seconds": seconds}
    return jobs.submit(kind, "document", request, folder=folder, **more)


async def heard_of(job, jobs, state="running"):
    while job.state != state:
        await asyncio.sleep(0.01)


def test_a_job_that_is_done_gives_its_result_and_keeps_its_files(jobs):
    async def test(jobs):
        results, heard = [], []
        job = submit(
            jobs, heard=heard.append, finished=lambda job: results.append(job.result)
        )
        await job.task
        assert results == [{"slept": 0.0}] and "child" in heard[0]
        assert (job.state, job.step, job.done, job.total) == ("done", "sleeping", 1, 4)
        assert (job.folder / "part").exists()
        assert gone(heard[0]["child"])
        states = [state for id, state in jobs.told if id == job.id]
        assert states[0] == "waiting" and "running" in states and states[-1] == "done"

    jobs(test)


def test_a_cancelled_job_leaves_no_process_and_no_file(jobs):
    async def test(jobs):
        heard = []
        job = submit(jobs, seconds=1000, heard=heard.append)
        while not heard:
            await asyncio.sleep(0.01)
        await jobs.cancel(job)
        assert job.state == "cancelled" and not job.folder.exists()
        assert gone(heard[0]["child"])

    jobs(test)


def test_a_job_is_cancelled_while_it_waits(jobs, monkeypatch):
    monkeypatch.setattr(_jobs, "MAX_RUNNING_JOBS", 1)

    async def test(jobs):
        jobs._room = asyncio.Semaphore(1)
        first, second = submit(jobs, seconds=1000), submit(jobs, seconds=1000)
        await heard_of(first, jobs)
        assert jobs.to_dict(second)["ahead"] == 1
        await jobs.cancel(second)
        assert second.state == "cancelled" and first.state == "running"

    jobs(test)


def test_one_job_too_many_is_refused(jobs):
    async def test(jobs):
        made = []
        with pytest.raises(Refused, match="waiting") as error:
            for _ in range(100):
                made.append(submit(jobs, seconds=1000))
        assert error.value.status == 429
        assert len(made) <= _jobs.MAX_RUNNING_JOBS + _jobs.MAX_WAITING_JOBS

    jobs(test)


def test_an_error_shows_no_value_of_a_record(jobs):
    async def test(jobs):
        job = submit(jobs, "fail")
        await job.task
        assert job.state == "failed" and not job.folder.exists()
        assert "KeyError" in job.error["message"]
        assert "Mary" not in str(job.to_dict())

    jobs(test)


def test_a_worker_that_is_killed_is_said_and_leaves_nothing(jobs):
    async def test(jobs):
        heard = []
        job = submit(jobs, seconds=1000, heard=heard.append)
        while not heard:
            await asyncio.sleep(0.01)
        os.kill(heard[0]["worker"], signal.SIGKILL)
        await job.task
        assert job.state == "failed" and "from outside" in job.error["message"]
        assert not job.folder.exists() and gone(heard[0]["child"])

    jobs(test)


@pytest.mark.slow
def test_a_worker_that_ends_without_an_answer_is_said(jobs):
    async def test(jobs):
        job = submit(jobs, "die")
        await job.task
        assert job.state == "failed" and "Nothing was released" in job.error["message"]

    jobs(test)


@pytest.mark.slow
def test_a_worker_that_takes_too_much_memory_is_ended(jobs, monkeypatch):
    monkeypatch.setattr(_process, "MEMORY_CHECK_INTERVAL", 0.05)
    monkeypatch.setattr("microcell._memory.available_memory", lambda: 3 * 10**8)

    async def test(jobs):
        job = submit(jobs, "grow")
        await job.task
        assert job.state == "failed" and "memory" in job.error["message"]

    jobs(test)


@pytest.mark.slow
def test_a_process_that_did_its_work_does_the_next(jobs):
    async def test(jobs):
        seen = []
        for kind in ("sleep", "refuse", "sleep", "fail", "sleep"):
            job = submit(jobs, kind, heard=lambda told: seen.append(told["worker"]))
            await job.task
        assert len(seen) == 3
        assert seen[0] == seen[1] != seen[2]  # not after a fault of ours

    jobs(test)


@pytest.mark.slow
def test_one_that_holds_much_memory_ends(jobs, monkeypatch):
    monkeypatch.setattr(_process, "MAX_REUSED_BYTES", 0)

    async def test(jobs):
        seen = []
        job = submit(jobs, heard=seen.append)
        await job.task
        assert gone(seen[0]["worker"])

    jobs(test)


@pytest.mark.slow
def test_a_spare_process_that_died_is_replaced(jobs):
    async def test(jobs):
        jobs.warm_up()
        spare = await jobs._spare
        await spare.end()
        job = submit(jobs)
        await job.task
        assert job.state == "done"

    jobs(test)


@pytest.mark.slow
def test_old_jobs_are_forgotten(jobs, monkeypatch):
    monkeypatch.setattr(_jobs, "MAX_FINISHED_JOBS", 1)

    async def test(jobs):
        made = [submit(jobs, "die") for _ in range(3)]
        await asyncio.gather(*(job.task for job in made))
        last = submit(jobs, "die")
        await last.task
        assert set(jobs.all) == {made[2].id, last.id}

    jobs(test)


def test_tasks_are_what_workers_can_do():
    assert set(_tasks.TASKS) == {"demo", "look", "recipe", "compare", "release"}
