"""The command line with a clock in it, to time a command and its partition in one run.

``python -m benchmarks.job COMMAND ...`` runs microcell and prints a line of JSON to
the standard error: seconds and processor seconds until the libraries were there, and
those of the partition. ``timed_job`` runs it and adds those of the whole process.
"""

import atexit
import json
import os
import subprocess
import sys
import time

from benchmarks.memory import STARTED

clock = {}


def timed(name, call):
    """The same function, whose first call is clocked."""

    def measured(*given, **options):
        start, used = time.perf_counter(), time.process_time()
        try:
            return call(*given, **options)
        finally:
            clock.setdefault(f"{name}_seconds", time.perf_counter() - start)
            clock.setdefault(f"{name}_processor_seconds", time.process_time() - used)

    return measured


def run(arguments):
    """A command, in this process."""
    from microcell.cli import _app, main

    begin = _app.WorkingCommand.invoke

    def invoke(self, ctx):
        _app.import_scikit_learn()  # as the command does, before anything of ours
        import microcell.base
        import microcell.release._files

        clock["start_seconds"] = time.time() - float(os.environ[STARTED])
        clock["start_processor_seconds"] = time.process_time()
        partitioner = microcell.base.BasePartitioner
        partitioner.fit = timed("partition", partitioner.fit)
        return begin(self, ctx)

    _app.WorkingCommand.invoke = invoke
    sys.argv = ["microcell", *arguments]
    atexit.register(lambda: print(json.dumps(clock), file=sys.stderr))
    main()


def timed_job(arguments):
    """What `run` clocks of a command, with its seconds and peak megabytes in all."""
    command = [sys.executable, "-m", "benchmarks.job", *arguments]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.memory", *command],
        check=True,
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stderr.splitlines()[-1])
    seconds, processor, peak = map(float, done.stdout.split())
    return found | {
        "seconds": seconds,
        "processor_seconds": processor,
        "peak_megabytes": peak,
    }


if __name__ == "__main__":
    run(sys.argv[1:])
