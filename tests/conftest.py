"""Settings for all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel compiles, so no single example has a deadline. `make test`
# draws the same examples every time; `make test-all` explores; kernels that are not
# compiled get a few.
settings.register_profile("same", deadline=None, max_examples=200, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=200)
settings.register_profile("few", deadline=None, max_examples=4, derandomize=True)
settings.load_profile(os.environ.get("MICROCELL_EXAMPLES", "same"))


@pytest.fixture(scope="session")
def benchmark_data():
    """Skip a test that needs the benchmark tables where they are not at hand."""
    folder = os.environ.get("MICROCELL_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("set MICROCELL_DATA to the folder of benchmark tables")
    return Path(folder)
