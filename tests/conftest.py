"""Settings for all tests."""

import gc
import os
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings
from kernel_cache import use_kept_kernels

use_kept_kernels()

# The first call of a kernel compiles, so no single example has a deadline. `make test`
# draws the same examples every time; `make test-all` explores four times as many;
# kernels that are not compiled get a few.
settings.register_profile("same", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=200)
settings.register_profile("few", deadline=None, max_examples=4, derandomize=True)
settings.load_profile(os.environ.get("MICROCELL_EXAMPLES", "same"))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Tests themselves have no examples that run."""
    collectors = yield
    return [each for each in collectors if not isinstance(each, DoctestModule)]


def pytest_collection_finish():
    """Thousands of tests stay, and no search for garbage need look through them."""
    gc.freeze()


@pytest.fixture(scope="session")
def benchmark_data():
    """Skip a test that needs the benchmark tables where they are not at hand."""
    folder = os.environ.get("MICROCELL_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("set MICROCELL_DATA to the folder of benchmark tables")
    return Path(folder)


@pytest.fixture(params=["polars", "pandas", "pyarrow"])
def make(request):
    """What makes a table of columns, in one library after the other."""
    library = pytest.importorskip(request.param)
    return library.table if request.param == "pyarrow" else library.DataFrame


@pytest.fixture(scope="module")  # while it is open, no other event loop can run
def browser():
    from browsers import launched

    with launched() as opened:
        yield opened


@pytest.fixture(scope="session")
def postgresql_server():
    """A server for this process, started when a test first needs it."""
    from postgresql_server import Server, programs

    bin = programs()
    if bin is None:
        pytest.skip("PostgreSQL is not installed: there is no initdb")
    pytest.importorskip("adbc_driver_postgresql")
    server = Server(bin)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture
def postgresql(request):
    from databases import PostgreSQL

    return PostgreSQL(request.getfixturevalue("postgresql_server"))


@pytest.fixture
def database(request, tmp_path):
    """One of both databases, by the name that a test is parametrized with."""
    from databases import SQLite

    if request.param == "sqlite":
        return SQLite(tmp_path)
    return request.getfixturevalue("postgresql")
