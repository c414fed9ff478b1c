"""Wheels of this tree, and environments without it."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]


def call(*command, **settings):
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, **settings)


def build(folder, source, *kinds):
    done = call(
        *(sys.executable, "-m", "build", "--no-isolation", *kinds),
        *("--outdir", folder, source),
    )
    assert done.returncode == 0, done.stdout + done.stderr


def clean_environment(folder, **settings):
    """A virtual environment; the folder with its programs, and how to run there."""
    venv.create(folder, **settings)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    return programs, {"cwd": elsewhere, "env": kept}


def install(wheel, programs):
    """Install a wheel, with what our own environment has; the Python that sees it."""
    python = programs / "python"
    done = call(
        *(sys.executable, "-m", "pip", "--python", python, "install", "--quiet"),
        *("--no-deps", "--no-index", wheel),
    )
    assert done.returncode == 0, done.stderr
    (site,) = programs.parent.glob("lib/python*/site-packages")
    # the folder alone: what makes our own installation editable is not read there
    (site / "ours.pth").write_text(sysconfig.get_path("purelib"))
    return python


def install_without_the_repository(folder):
    """The Python of an environment in which a wheel of this tree is installed."""
    build(folder / "dist", ROOT, "--wheel")
    (wheel,) = (folder / "dist").glob("*.whl")
    programs, _ = clean_environment(folder / "env", with_pip=False)
    return install(wheel, programs)
