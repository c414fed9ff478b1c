"""Pages of the app as a visitor sees them, and what they ask for and complain of."""

import re
from contextlib import contextmanager

from app_server import PATIENCE

SOON = 1000 * PATIENCE  # milliseconds, as Playwright counts
STEPS = ["File", "Columns", "Protect", "Compare", "Release"]
MEANT = "b => (b.parentNode.querySelector('code') ?? b.parentNode).textContent"
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
        self.context.set_default_timeout(SOON)
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

    def tab(self, where=""):
        """A page of the app; the first comes by the printed address."""
        page = self.context.new_page()
        first = not self.context.cookies()
        page.goto(self.app.address if first else f"{self.app.origin}/{where}")
        page.get_by_role("heading", level=1).wait_for()
        if first and where:
            step = where.rpartition("/")[2]
            page.goto(f"{self.app.origin}/{where}")
            page.locator(f".page-{step} h1").wait_for()
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


# what a visitor does, by the names that a screen reader says


def step_link(page, step):
    """The link of a step in the bar."""
    bar = page.get_by_role("navigation", name="Steps")
    return bar.get_by_role("link", name=re.compile(f"{step}( \\(done\\))?$"))


def title(page, words):
    """The heading of the step that is shown, when it is."""
    heading = page.get_by_role("heading", level=1, name=words)
    heading.wait_for()
    return heading


def go_to(page, step):
    """Go to a step by the bar."""
    step_link(page, step).click()
    current = page.locator("[aria-current=step]", has_text=step)
    current.wait_for()
    page.locator(f".page-{step.lower()}").get_by_role("heading", level=1).wait_for()


def follow(page, words):
    """Follow a link as soon as it is there."""
    page.get_by_role("link", name=words).click()


def open_demo(page):
    """The example, when it has been read and looked at."""
    page.get_by_role("button", name="Try it with 442 patients").click()
    page.get_by_role("link", name="Continue to the columns").wait_for()


def choose_files(page, *paths):
    """Take files in by the button of the start."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(list(paths))


def open_file(page, path):
    """A file, when it has been read and looked at."""
    choose_files(page, path)
    title(page, path.name)
    page.get_by_role("link", name="Continue to the columns").wait_for()


def set_role(page, column, role):
    """Give a column a role at its card."""
    card = page.get_by_role("group", name=column, exact=True)
    card.get_by_role("radio", name=role, exact=True).check()


def say_k(page, k):
    """Type a k, and wait until the server has it."""
    page.get_by_role("spinbutton", name="k", exact=True).fill(str(k))
    recipe(page).filter(has_text=re.compile(rf"k = {k}(?!\d)")).wait_for()


def recipe(page):
    """The recipe as Protect shows it."""
    return page.get_by_role("region", name="Recipe as a TOML file")


def start_release(page):
    """Confirm the roles where they have not been, and press the button."""
    roles = page.get_by_role("checkbox", name="I have looked at the role of each")
    if roles.is_visible():
        roles.check()
    page.get_by_role("button", name="Make the release").click()


def make_release(page):
    """Make a release, and wait for the verdict."""
    start_release(page)
    page.get_by_role("heading", name="Released.").wait_for()


def compare(page, methods=("mdav", "mondrian"), ks=(5, 10)):
    """Start a comparison of a few; the page is at Compare."""
    form = page.get_by_role("group").filter(has_text="What is compared").first
    form.evaluate("form => { form.open = true; }")
    for what, wanted in (("Methods to try", methods), ("Values of k", map(str, ks))):
        names = set(wanted)
        for box in page.get_by_role("group", name=what).get_by_role("checkbox").all():
            box.set_checked(box.evaluate(MEANT) in names, force=True)
    start = re.compile("^(Start comparing|Compare again)$")
    page.get_by_role("button", name=start).click()


def points(page):
    """The candidates on the map."""
    return page.get_by_role("group", name="Candidates by").get_by_role("button")


def compared(page, n):
    """Wait until all candidates are there and the job is over."""
    page.wait_for_function(
        "n => document.querySelectorAll('.point').length === n", arg=n
    )
    page.get_by_role("button", name="Cancel").wait_for(state="detached")


def focus_is_somewhere(page):
    """Wait until the keyboard has a place to go on from."""
    page.wait_for_function("() => document.activeElement !== document.body")
