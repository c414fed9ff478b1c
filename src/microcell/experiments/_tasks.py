"""Tasks of a run: on all cores, and kept as files, so that a run can go on."""

from functools import wraps

from joblib import Parallel, delayed

from microcell import __version__
from microcell._cache import code_digest, finished, keep


def in_parallel(function, tasks, progress, step, *, before=0, total=None):
    """Results of tasks, in their order, each as soon as it is there.

    Parameters
    ----------
    function : callable
        Called with the parts of a task.
    tasks : list of tuple
    progress : callable
        Called with done, total and the step.
    step : callable
        Gives the step from the parts of a task.
    before, total : int
        Tasks that were done before, and all there are, if these are a part.
    """
    jobs = (delayed(function)(*task) for task in tasks)
    results = Parallel(n_jobs=-1, return_as="generator")(jobs)
    done = enumerate(zip(tasks, results, strict=True), start=before + 1)
    for n_done, (task, result) in done:
        progress(n_done, total or len(tasks), step(*task))
        yield result


def resumed(file, task, compute):
    """Results of a task: those in its file, or computed and kept there.

    Parameters
    ----------
    file : Path
    task : dict
        All that the results depend on, as plain data, but for the code.
    compute : callable
        Without arguments.
    """
    task = {"microcell": __version__, "code": code_digest()} | task
    results = finished(file, task)
    if results is None:
        results = compute()
        keep(file, task, results)
    return results


def as_list(generate):
    """Let a function return what it yields as a list.

    Examples
    --------
    >>> as_list(lambda: (yield 5))()
    [5]
    """

    @wraps(generate)
    def made(*given, **named):
        return [*generate(*given, **named)]

    return made
