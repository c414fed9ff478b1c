"""The whole flow by keyboard alone: the focus is always seen, and never lost."""

import pytest
from app_pages import focus_is_somewhere, title

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST = 150  # places from one thing to the next
NAME = """() => {
    const e = document.activeElement;
    const label = e.labels?.[0]?.textContent;
    const named = e.getAttribute("aria-labelledby");
    const words = named && document.getElementById(named)?.textContent;
    return (e.getAttribute("aria-label") ?? words ?? label ?? e.textContent).trim();
}"""
IS_SEEN = """() => {
    const marked = e => {
        const style = getComputedStyle(e);
        return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0)
            || style.boxShadow !== "none"
            || (e.matches(".ring") && parseFloat(style.strokeWidth) > 0);
    };
    const e = document.activeElement;
    if (e === document.body) return false;
    if (e.matches("iframe")) return true; // the report in it marks its own links
    const near = [e, e.nextElementSibling, e.closest("label"), ...e.children];
    const seen = near.some(each => each && marked(each));
    const box = (e.closest("label") ?? e).getBoundingClientRect();
    return seen && box.width > 0 && box.height > 0;
}"""


class Keys:
    """Somebody who has no pointer."""

    def __init__(self, page):
        self.page = page

    def press(self, key):
        self.page.keyboard.press(key)
        focus_is_somewhere(self.page)
        name = self.page.evaluate(NAME)
        assert self.page.evaluate(IS_SEEN), f"no mark on {name!r} after {key}"
        return name

    def to(self, name):
        """Go on with Tab to what a screen reader calls so."""
        seen = []
        for _ in range(MOST):
            seen.append(self.press("Tab"))
            if seen[-1].startswith(name):
                return
        raise AssertionError(f"no {name!r} among {seen}")

    def use(self, name, key="Enter"):
        self.to(name)
        self.page.keyboard.press(key)
        focus_is_somewhere(self.page)


def test_the_whole_flow_by_keys(visit):
    page = visit().tab()
    keys = Keys(page)
    assert keys.press("Tab") == "Skip to the content"
    keys.use("Try it with 442 patients")
    title(page, "patients.csv")
    page.get_by_role("link", name="Continue to the columns").wait_for()
    keys.use("Continue to the columns")
    title(page, "What is in each column?")
    keys.to("age")  # the card
    keys.press("ArrowDown")  # to "sex"
    keys.press("ArrowRight")  # to the next role
    card = page.get_by_role("group", name="sex", exact=True)
    assert card.get_by_role("radio", name="Confidential").is_checked()
    keys.press("o")
    assert card.get_by_role("radio", name="Left out").is_checked()
    keys.use("Continue to protect")
    title(page, "Protect")
    keys.to("5")  # of the usual values of k
    keys.press("ArrowRight")
    assert page.get_by_role("radio", name="11 public").is_checked()
    keys.use("Compare methods")
    title(page, "Compare")
    keys.to("Closest people")
    for name in ("Natural cells", "Along one line", "By overall size", "For learning"):
        if not page.get_by_role("checkbox", name=name).is_checked():
            continue
        keys.use(name, " ")
    for name in ("3", "25", "50"):
        keys.use(name, " ")
    keys.use("Start comparing")
    page.locator(".point").nth(3).wait_for()
    page.get_by_role("button", name="Cancel").wait_for(state="detached")
    focus_is_somewhere(page)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    keys.to("m")  # the point that Tab reaches
    assert page.evaluate("document.activeElement.matches('.point')")
    keys.press("Home")
    label = page.evaluate("document.activeElement.dataset.label")
    keys.press("Enter")
    page.get_by_text(f"{label} is now in your settings.").wait_for()
    keys.use("Go to Release")
    title(page, "Release")
    keys.use("I have looked at the role", " ")
    keys.use("Make the release")
    page.get_by_role("heading", name="Released.").wait_for()
    page.wait_for_function("() => document.activeElement.matches('h2')")
    keys.to("The release")
    keys.to("Command line")
    keys.press("ArrowRight")
    assert (
        page.get_by_role("tab", name="Python").get_attribute("aria-selected") == "true"
    )
    keys.use("Take back the release of patients.csv")
    page.get_by_text("was taken back").first.wait_for()
    focus_is_somewhere(page)
