"""Where tests keep compiled kernels: a folder of its own for these very sources.

numba looks at the file of a function that is called, and does not notice that another
one, which that function calls, has changed in its own file. So compiled code is kept in
a folder named by a digest of all files that hold compiled functions and of everything
that compiles them, and an edited kernel finds none.
"""

import hashlib
import os
import platform
import shutil
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT = ROOT / ".kernel_cache"
MAX_FOLDERS = 10  # of these sources and of others, such as those of another branch
COMPILERS = ("numba", "llvmlite", "numpy")


def kernel_sources(root=ROOT):
    """Files that hold compiled functions."""
    files = sorted((root / "src").rglob("*.py"))
    return [file for file in files if b"njit" in file.read_bytes()]


def digest(root=ROOT):
    """A name for these sources and what compiles them."""
    found = hashlib.sha256(platform.python_version().encode())
    for name in COMPILERS:
        found.update(f"{name} {version(name)}\n".encode())
    for file in kernel_sources(root):
        found.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    return found.hexdigest()[:16]


def use_kept_kernels():
    """Let numba keep compiled code there, unless somebody has named a folder."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    folder = KEPT / digest()
    folder.mkdir(parents=True, exist_ok=True)
    folder.touch()
    by_age = sorted(KEPT.iterdir(), key=lambda path: path.stat().st_mtime)
    for old in by_age[:-MAX_FOLDERS]:
        shutil.rmtree(old, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
