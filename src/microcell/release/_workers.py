"""Recipes tried side by side in processes that have the table once."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Generator, Sequence

from microcell.exceptions import InputError, Option
from microcell.release._recipe import Recipe
from microcell.release._trial import Outcome, Trial

_trial: Trial | None = None  # of a worker process


def outcomes(
    trial: Trial, recipes: Sequence[Recipe], n_jobs: int
) -> Generator[tuple[int, Outcome]]:
    """Try recipes and yield (place, outcome) of each as soon as it is there.

    A worker is sent the table when it starts, not with each recipe, through the pipe
    that it is started by: no file holds it. Each has its share of the cores for the
    threads inside. If the caller stops, the workers are ended.

    Parameters
    ----------
    trial : Trial
    recipes : sequence of Recipe
        In the order in which they are to start.
    n_jobs : int
        Number of processes; 1 tries them here, and negative numbers count down from
        all cores.
    """
    from joblib import effective_n_jobs

    n_jobs = min(effective_n_jobs(n_jobs), len(recipes))
    if n_jobs <= 1:
        for place, recipe in enumerate(recipes):
            yield place, trial.run(recipe)
        return
    yield from _in_processes(trial, recipes, n_jobs)


def _in_processes(
    trial: Trial, recipes: Sequence[Recipe], n_jobs: int
) -> Generator[tuple[int, Outcome]]:
    from concurrent.futures import as_completed

    from joblib import cpu_count
    from joblib.externals.loky import ProcessPoolExecutor
    from joblib.externals.loky.backend import get_context
    from joblib.externals.loky.process_executor import BrokenProcessPool

    pool = ProcessPoolExecutor(
        max_workers=n_jobs,
        context=get_context("loky"),
        initializer=_begin,
        initargs=(trial, os.getpid()),
        env=thread_limits(max(1, cpu_count() // n_jobs)),
    )
    try:
        places = {pool.submit(_run, recipe): i for i, recipe in enumerate(recipes)}
        for future in as_completed(places):
            yield places[future], future.result()
    except BrokenProcessPool:
        pool.shutdown(wait=False, kill_workers=True)
        raise InputError(
            "A process that tried a candidate was ended from outside, most likely for "
            "want of memory.",
            option="n_jobs",
            hint=["Take fewer with ", Option("n_jobs", 1), "."],
        ) from None
    except BaseException:
        pool.shutdown(wait=False, kill_workers=True)
        raise
    pool.shutdown(wait=True)


def thread_limits(n_threads: int) -> dict[str, str]:
    """Variables by which libraries of a new process use no more than their threads.

    Examples
    --------
    >>> thread_limits(1)["NUMBA_NUM_THREADS"]
    '1'
    """
    libraries = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA", "NUMEXPR")
    names = [f"{name}_NUM_THREADS" for name in libraries]
    names += ["VECLIB_MAXIMUM_THREADS", "POLARS_MAX_THREADS"]
    return dict.fromkeys(names, str(n_threads))


def _begin(trial: Trial, parent: int) -> None:
    global _trial
    _trial = trial
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when the one that started it is no more."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _run(recipe: Recipe) -> Outcome:
    assert _trial is not None
    return _trial.run(recipe)


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
