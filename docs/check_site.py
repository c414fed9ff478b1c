"""Look at the built site: links lead somewhere, and nothing is loaded from outside.

python docs/check_site.py docs/_build/html
"""

import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED_BY_LINK = {"stylesheet", "icon", "preload", "modulepreload", "preconnect"}
LOADED_BY_CSS = re.compile(r"""(?:url\(|@import)\s*['"]?((?:https?:)?//[^'")]+)""")


class Page(HTMLParser):
    """What a page has (`anchors`), leads to (`links`) and loads (`loads`)."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = {"", "top"}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and LOADED_BY_LINK & set(given.get("rel", "").split()):
            self.loads.append(given.get("href", ""))
        elif "src" in given:
            self.loads.append(given["src"])
        for one in given.get("srcset", "").split(","):
            self.loads += one.split()[:1]


@cache
def page_at(path):
    return Page(path.read_text(encoding="utf-8"))


def complaints_about(path, site):
    """What is wrong with one page."""
    page = page_at(path)
    for load in page.loads:
        if urlsplit(load).scheme in ("http", "https") or load.startswith("//"):
            yield f"loads {load}"
    for address in page.links + page.loads:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = path if not parts.path else path.parent / unquote(parts.path)
        target = target.resolve()
        if target.is_dir():
            target /= "index.html"
        if not target.is_file() or not target.is_relative_to(site):
            yield f"{address}: there is no such file"
        elif target.suffix == ".html" and address in page.links:
            if unquote(parts.fragment) not in page_at(target).anchors:
                yield f"{address}: there is no such place on the page"


def pages_of(site):
    """Pages, and not the templates that a theme leaves among its files."""
    return sorted(set(site.rglob("*.html")) - set(site.glob("_static/**/*.html")))


def complaints(site):
    """What is wrong with a built site, a line for each; nothing if all is well.

    Parameters
    ----------
    site : path
        Folder of the HTML files.
    """
    site = Path(site).resolve()
    found = []
    for path in pages_of(site):
        where = path.relative_to(site)
        found += [f"{where}: {one}" for one in complaints_about(path, site)]
    for path in sorted(site.rglob("*.css")):
        outside = LOADED_BY_CSS.findall(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(site)}: loads {one}" for one in outside]
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pages, wrong = len(pages_of(folder)), complaints(folder)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if wrong or not pages:
        sys.exit(f"{len(wrong)} complaints about {pages} pages")
    print(f"{pages} pages, all links good: {(folder / 'index.html').resolve()}")
