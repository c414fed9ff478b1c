"""Memory of this process, on Linux."""

from pathlib import Path


def resident(field):
    """Megabytes of this process: VmRSS now, VmHWM at most since the last reset."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise OSError(f"{field} is not in /proc/self/status; this needs Linux")


def reset_peak():
    """Forget what making the table and compiling took at most."""
    Path("/proc/self/clear_refs").write_text("5")
