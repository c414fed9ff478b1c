"""`import microcell` is quick because nothing heavy comes with it."""

import subprocess
import sys


def test_import_brings_nothing_heavy():
    code = (
        "import sys, microcell; "
        "heavy = {'numba', 'sklearn', 'polars', 'pandas', 'pyarrow', 'scipy'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_public_names_exist():
    import microcell

    for name in microcell.__all__:
        assert getattr(microcell, name) is not None
    assert set(microcell.__all__) <= set(dir(microcell))
