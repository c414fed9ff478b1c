"""Pages of the app as a visitor sees them: what they ask for and complain of is kept."""

import re
from contextlib import contextmanager

from app_server import PATIENCE

STEPS = ["File", "Columns", "Protect", "Compare", "Release"]
VIOLATIONS = """() => {
    window.__refused = [];
    document.addEventListener("securitypolicyviolation", event =>
        window.__refused.push(`${event.violatedDirective} ${event.blockedURI}`));
}"""


class Visitor:
    """A browser with a cookie jar of its own, and its tabs.

    Parameters
    ----------
    browser : Browser
        Of Playwright.
    app : AppServer
        What is visited.
    **context
        Width, height, and what `new_context` takes.
    """

    def __init__(self, browser, app, width=1280, height=860, **context):
        self.app = app
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, **context
        )
        self.context.set_default_timeout(1000 * PATIENCE)
        self.context.add_init_script(f"({VIOLATIONS})()")
        self.asked, self.complaints = [], []
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda web: self.complaints.append(str(web.error)))
        self.context.on("dialog", self._asked_by_page)

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _asked_by_page(self, dialog):
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def tab(self, where="", **opened):
        """A page of the app; the first comes by the printed address."""
        page = self.context.new_page()
        first = not self.context.cookies()
        page.goto(self.app.address if first else f"{self.app.origin}/{where}")
        if first and where:
            page.goto(f"{self.app.origin}/{where}")
        page.get_by_role("heading", level=1).wait_for()
        return page

    def elsewhere(self):
        """Addresses outside of the app that were asked for."""
        own = (self.app.origin, "data:", "blob:", "about:")
        return [url for url in self.asked if not url.startswith(own)]

    def refused(self):
        """What the page's own policy has forbidden."""
        return [
            what
            for page in self.context.pages
            for what in page.evaluate("() => window.__refused ?? []")
        ]

    def check(self):
        """Assert that nothing went wrong unseen."""
        assert self.complaints == []
        assert self.elsewhere() == []
        assert self.refused() == []


@contextmanager
def visiting(browser, app):
    """Open visitors; in the end, nothing may have gone wrong with any of them."""
    visitors = []

    def visit(**context):
        visitors.append(Visitor(browser, app, **context))
        return visitors[-1]

    yield visit
    try:
        for visitor in visitors:
            visitor.check()
    finally:
        for visitor in visitors:
            visitor.context.close()
