"""Recipes tried side by side in processes that have the table once."""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Sequence
from typing import Any

from microcell.exceptions import InputError, Option, ParameterError
from microcell.recipe import Recipe
from microcell.selection._trial import Outcome, Trial

PROGRAM = "from microcell.selection._workers import serve; serve()"
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA", "NUMEXPR")


class Workers:
    """Processes that try recipes, in one round or in several.

    A worker is sent the table when it starts, not with each recipe, and through a
    pipe: no file holds it. Each has its share of the cores for the threads inside. If
    the caller stops, or is no more, the workers end.

    Parameters
    ----------
    trial : Trial
    n_jobs : int
        Number of processes; 1 tries recipes here, and negative numbers count down from
        all cores.
    """

    def __init__(self, trial: Trial, n_jobs: int) -> None:
        from joblib import effective_n_jobs

        if not isinstance(n_jobs, int) or n_jobs == 0:
            raise ParameterError(
                "n_jobs",
                "must be a number of processes, or -1 for one on each core. "
                f"Got {n_jobs!r} instead.",
            )
        self.trial = trial
        self.n_jobs = effective_n_jobs(n_jobs)
        self.started: list[Worker] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        for worker in self.started:
            if kind is not None:
                worker.process.kill()
            worker.close()

    def outcomes(
        self, recipes: Sequence[Recipe]
    ) -> Generator[tuple[int, Outcome], None, None]:
        """Try recipes and yield (place, outcome) of each as soon as it is there.

        Parameters
        ----------
        recipes : sequence of Recipe
            In the order in which they are to start.
        """
        n_jobs = min(self.n_jobs, len(recipes))
        if n_jobs <= 1 and not self.started:
            for place, recipe in enumerate(recipes):
                yield place, self.trial.run(recipe)
        else:
            self._start(n_jobs)
            yield from _shared_out(recipes, self.started[:n_jobs])

    def _start(self, n_jobs: int) -> None:
        from joblib import cpu_count

        new = range(len(self.started), n_jobs)
        if not new:
            return
        n_threads = max(1, cpu_count() // self.n_jobs)
        self.started += [Worker(n_threads) for _ in new]
        packed = pickle.dumps(self.trial, protocol=5)
        for worker in self.started[new.start :]:
            worker.send(packed)


def _shared_out(
    recipes: Sequence[Recipe], workers: Sequence[Worker]
) -> Generator[tuple[int, Outcome], None, None]:
    """Give the next recipe to whichever worker is done with its last."""
    todo = iter(enumerate(recipes))
    with selectors.DefaultSelector() as selector:
        for worker, numbered in zip(workers, todo, strict=False):
            worker.give(numbered)
            selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
        while selector.get_map():
            for key, _ in selector.select():
                found = key.data.receive()
                following = next(todo, None)
                if following is None:
                    selector.unregister(key.fileobj)
                else:
                    key.data.give(following)
                yield found


class Worker:
    """A process that tries one recipe after the other.

    It is started anew, not forked, since forked ones cannot use threads, and it does
    not run the main program again, as Python's own pools would.

    Parameters
    ----------
    n_threads : int
        Threads that libraries may use in it.
    """

    def __init__(self, n_threads: int) -> None:
        places = [path or os.getcwd() for path in sys.path]
        self.process: Any = subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ
            | thread_limits(n_threads)
            | {"PYTHONPATH": os.pathsep.join(places)},
        )

    def send(self, packed: bytes) -> None:
        """Send it something pickled."""
        try:
            self.process.stdin.write(packed)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._ended_early() from None

    def give(self, numbered: tuple[int, Recipe]) -> None:
        """Send it a recipe with its place."""
        from joblib import wrap_non_picklable_objects

        # functions of the main program go by value
        self.send(pickle.dumps(wrap_non_picklable_objects(numbered, False)))

    def receive(self) -> tuple[int, Outcome]:
        """The place of the last recipe, and what came of it."""
        try:
            found: tuple[int, Outcome] = pickle.load(self.process.stdout)
        except (EOFError, pickle.UnpicklingError):
            raise self._ended_early() from None
        return found

    def close(self) -> None:
        """Wait for its end."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:  # it has ended before it read all
            pass
        self.process.wait()
        self.process.stdout.close()

    def _ended_early(self) -> InputError:
        return InputError(
            "A process that tried a candidate was ended from outside, most likely for "
            "want of memory.",
            option="n_jobs",
            hint=["Take fewer with ", Option("n_jobs", 1), "."],
        )


def thread_limits(n_threads: int) -> dict[str, str]:
    """Variables by which libraries of a new process use no more than their threads.

    Examples
    --------
    >>> thread_limits(1)["NUMBA_NUM_THREADS"]
    '1'
    """
    names = [f"{name}_NUM_THREADS" for name in LIBRARIES]
    names += ["VECLIB_MAXIMUM_THREADS", "POLARS_MAX_THREADS"]
    return dict.fromkeys(names, str(n_threads))


def serve() -> None:
    """What a worker does: the table comes first, then recipes until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    parent = int(sys.argv[1])
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed is no answer
    trial = pickle.load(sys.stdin.buffer)
    while True:
        try:
            place, recipe = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump((place, trial.run(recipe)), answers)
        answers.flush()


def _end_with(parent: int) -> None:
    """End this process when the one that started it is no more."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def longest_first(recipes: Sequence[Recipe]) -> list[int]:
    """Places of recipes, those first that are likely to take longest.

    Small k mean many cells, and most methods compare every cell with every record; a
    long one that starts last would keep the other processes waiting.

    Examples
    --------
    >>> from microcell import Schema
    >>> longest_first([Recipe(Schema(["age"]), k=k) for k in (50, 3, 10)])
    [1, 2, 0]
    """
    return sorted(range(len(recipes)), key=lambda i: recipes[i].k)
