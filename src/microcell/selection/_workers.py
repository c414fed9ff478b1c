"""Recipes tried side by side, in worker processes that have the table once."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Generator, Sequence
from typing import Any

from microcell.exceptions import InputError, Option, ParameterError
from microcell.recipe import Recipe
from microcell.selection._trial import Outcome, Trial

THREADED = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA", "NUMEXPR")
SECONDS_TO_NOTICE = 0.5  # that the process that started a worker is no more
_trial: Any = None
"""What a worker process tries recipes on."""


class Workers:
    """A pool of joblib's processes that try recipes, in one round or in several.

    A worker is sent the table when it starts, not with each recipe, and through a pipe:
    no file holds it. Each has its share of the cores for the threads inside. If the
    caller stops, or is no more, the workers end.

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
        self._pool: Any = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown(kill_workers=kind is not None)

    def outcomes(
        self, recipes: Sequence[Recipe]
    ) -> Generator[tuple[int, Outcome], None, None]:
        """Try recipes and yield (place, outcome) of each as soon as it is there.

        Parameters
        ----------
        recipes : sequence of Recipe
            In the order in which they are to start.
        """
        if self._pool is None and min(self.n_jobs, len(recipes)) > 1:
            self._pool = self._started(min(self.n_jobs, len(recipes)))
        if self._pool is None:
            for place, recipe in enumerate(recipes):
                yield place, self.trial.run(recipe)
        else:
            yield from self._from_pool(recipes)

    def _started(self, n_workers: int) -> Any:
        from joblib import cpu_count
        from joblib.externals.loky import ProcessPoolExecutor

        packed = pickle.dumps(self.trial, protocol=5)
        return ProcessPoolExecutor(
            n_workers,
            initializer=_begin,
            initargs=(os.getpid(), packed),
            env=thread_limits(max(1, cpu_count() // n_workers)),
        )

    def _from_pool(
        self, recipes: Sequence[Recipe]
    ) -> Generator[tuple[int, Outcome], None, None]:
        from joblib.externals.loky import BrokenProcessPool, as_completed

        places = {self._pool.submit(_run, r): place for place, r in enumerate(recipes)}
        try:
            for future in as_completed(places):
                yield places[future], future.result()
        except BrokenProcessPool:
            raise InputError(
                "A process that tried a candidate was ended from outside, most likely "
                "for want of memory.",
                option="n_jobs",
                hint=["Take fewer with ", Option("n_jobs", 1), "."],
            ) from None


def thread_limits(n_threads: int) -> dict[str, str]:
    """Variables by which libraries of a new process use no more than their threads.

    Examples
    --------
    >>> thread_limits(1)["NUMBA_NUM_THREADS"]
    '1'
    """
    names = [f"{name}_NUM_THREADS" for name in THREADED]
    names += ["VECLIB_MAXIMUM_THREADS", "POLARS_MAX_THREADS"]
    return dict.fromkeys(names, str(n_threads))


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


def _begin(parent: int, packed: bytes) -> None:
    """Make a new worker ready, and let it end with the process that started it."""
    global _trial
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    os.dup2(2, 1)  # what is printed here is no result of the command
    _trial = pickle.loads(packed)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS_TO_NOTICE)
    os._exit(1)


def _run(recipe: Recipe) -> Outcome:
    outcome: Outcome = _trial.run(recipe)
    return outcome
