"""Memory of this process, on Linux.

``python -m benchmarks.memory COMMAND`` prints seconds, processor seconds and peak
megabytes of a command; a child begins with the peak of its parent, so it is measured
from this small process. The command finds the time when it was started in its
environment.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

STARTED = "BENCHMARK_STARTED"


def resident(field):
    """Megabytes of this process: VmRSS now, VmHWM at most since the last reset."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise OSError(f"{field} is not in /proc/self/status; this needs Linux")


def reset_peak():
    """Forget what making the table and compiling took at most."""
    Path("/proc/self/clear_refs").write_text("5")


def used_by(command):
    """Seconds, processor seconds and peak megabytes of a command that must end well.

    What it prints is dropped.
    """
    start = time.time()
    environment = os.environ | {STARTED: repr(start)}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env=environment
    ) as running:
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    seconds = time.time() - start
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


if __name__ == "__main__":
    print(*used_by(sys.argv[1:]))
