"""Markdown pages: their code blocks, links and anchors, without Sphinx."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MADE = {DOCS / "_build", DOCS / "api" / "packages", DOCS / "gallery"}
NOT_RUN = re.compile(r"<!--\s*not run:\s*(.*?)\s*-->")
FILE = re.compile(r"<!--\s*file:\s*(\S+)\s*-->")
SETUP = re.compile(r"<!--\s*setup\n(.*?)-->", re.DOTALL)
TARGET = re.compile(r"^\((?P<name>[\w-]+)\)=\s*$", re.MULTILINE)  # MyST's own anchors
MARKDOWN = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line where the text begins."""

    language: str
    text: str
    line: int
    not_run: str | None  # why
    file: str | None = None  # where a reader puts it


def pages():
    """All pages that people wrote: those of docs/ and those at the top."""
    written = [
        path
        for path in DOCS.rglob("*.md")
        if not MADE.intersection(path.parents) and "_templates" not in path.parts
    ]
    return sorted([*written, *ROOT.glob("*.md")])


@cache
def tokens_of(path):
    return MARKDOWN.parse(path.read_text(encoding="utf-8"))


def blocks_of(path):
    """Fenced blocks of a page, in their order.

    What a reader has and the page does not show, like a table of his own, is made in a
    comment: `<!-- setup`, lines of Python, `-->`. What he writes into a file by hand,
    like a recipe, has its name before it: `<!-- file: recipe.toml -->`.
    """
    before = None
    for token in tokens_of(path):
        if setup := token.type == "html_block" and SETUP.match(token.content):
            yield Block("python", setup[1], token.map[0] + 2, None)
        elif token.type == "fence":
            said = before.content if before else ""
            reason, file = NOT_RUN.search(said), FILE.search(said)
            language = token.info.strip()
            first_line = token.map[0] + 2
            yield Block(
                language,
                token.content,
                first_line,
                reason and reason[1],
                file and file[1],
            )
        before = token if token.type == "html_block" else None


def links_of(path):
    """Addresses of links and pictures on a page."""
    for token in tokens_of(path):
        for child in token.children or ():
            if child.type == "link_open":
                yield child.attrs["href"]
            elif child.type == "image":
                yield child.attrs["src"]


@cache
def anchors_of(path):
    """Names of the places of a page, as GitHub and MyST make them from headings."""
    seen, found = Counter(), set(TARGET.findall(path.read_text(encoding="utf-8")))
    for token, inline in pairwise(tokens_of(path)):
        if token.type == "heading_open":
            words = "".join(
                child.content
                for child in inline.children
                if child.type in ("text", "code_inline")
            )
            kept = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
            found.add(f"{kept}-{seen[kept]}" if seen[kept] else kept)
            seen[kept] += 1
    return found


def broken_links(path):
    """Links between files that lead nowhere, each with what is wrong."""
    for address in links_of(path):
        parts = urlsplit(address)
        if parts.scheme:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            yield f"{address}: there is no such file"
        elif path.is_relative_to(DOCS) and not target.is_relative_to(DOCS):
            yield f"{address}: not on the site, so give the whole address"
        elif parts.fragment and parts.fragment not in anchors_of(target):
            yield f"{address}: there is no such heading"
