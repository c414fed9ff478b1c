"""The app and its visitors, for tests with a browser."""

import pytest
from app_pages import visiting
from app_server import running_app


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "place") as server:
        yield server


@pytest.fixture
def visit(browser, app):
    """Open a visitor; in the end, nothing may have gone wrong unseen."""
    with visiting(browser, app) as open_visitor:
        yield open_visitor


@pytest.fixture
def page(visit):
    """A tab that came by the printed address."""
    return visit(width=1440, height=900).tab()
