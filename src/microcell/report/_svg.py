"""A matplotlib figure as a small SVG that lives inside a page.

Text stays text, in the page's own font; colours become variables of the page, so that
one picture is read by day, by night and on paper; identifiers are those of the picture
alone, and the same figure always gives the same text.
"""

from __future__ import annotations

import io
import re
from typing import Any
from xml.etree import ElementTree

from microcell._printable import printable
from microcell.report._style import OKABE_ITO

COLOUR_NAMES = ("blue", "vermillion", "green", "purple", "orange", "sky", "ink")
AS_VARIABLES = {
    colour.lower(): f"var(--{name},{colour.lower()})"
    for colour, name in zip(OKABE_ITO, COLOUR_NAMES, strict=False)
} | {"#000000": "currentColor", "#ffffff": "var(--paper,#ffffff)"}

MARK = "mark-"  # begins the identifiers of what a page can point at
_NUMBER = re.compile(r"-?\d+\.\d+")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
_NO_TURN = re.compile(r"^rotate\(-?0 [^)]*\)$")
_DROPPED_STYLES = {"font-family", "stroke-linejoin"}
_HREF = "{http://www.w3.org/1999/xlink}href"


def inline_svg(figure: Any, name: str, alternative: str) -> Any:
    """The figure as an `<svg>` element for a page.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    name : str
        Begins the picture's identifiers; letters, digits and hyphens.
    alternative : str
        What the picture shows, for those who do not see it.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> text = inline_svg(Figure(figsize=(1, 1)), "empty", "Nothing at <all>.")
    >>> text[:47]
    '<svg viewBox="0 0 72 72" role="img" aria-label='
    """
    root = svg_element(figure, name)
    said = printable(alternative)
    root.attrib |= {"role": "img", "aria-label": said}
    return ElementTree.tostring(root, encoding="unicode")


def svg_element(figure: Any, name: str) -> ElementTree.Element:
    """The figure as an element; groups called `mark-...` keep that in `data-mark`."""
    import matplotlib

    written = io.StringIO()
    # identifiers are made of the name, so that those of two pictures differ
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": f"microcell {name}"}
    with matplotlib.rc_context(settings):
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(written, format="svg", transparent=True, metadata=nothing)
    text = written.getvalue()
    root = ElementTree.fromstring(text)
    _tidy(root)
    for element in root.iter():
        if f"#{element.get('id')}" not in text:  # nothing refers to it
            element.attrib.pop("id", None)
    box = root.get("viewBox", "")
    root.attrib.clear()
    root.set("viewBox", box)
    return root


def as_data(element: ElementTree.Element) -> list[Any]:
    """An element as plain data: its tag, attributes, text and children.

    A page can make it again without reading any markup.

    Examples
    --------
    >>> as_data(ElementTree.fromstring("<g class='a'><text>b</text></g>"))
    ['g', {'class': 'a'}, '', [['text', {}, 'b', []]]]
    """
    children = [as_data(child) for child in element]
    return [element.tag, dict(element.attrib), element.text or "", children]


def _tidy(element: Any) -> None:
    """Drop what a page does not need, and shorten the rest."""
    kept = []
    for child in element:
        child.tag = child.tag.rpartition("}")[2]
        if child.tag in ("metadata", "style"):
            continue
        if child.get("id", "").startswith(MARK):
            child.set("data-mark", child.get("id").removeprefix(MARK))
        _shorten(child)
        _tidy(child)
        if child.tag in ("g", "defs") and not len(child):
            continue
        if child.tag == "path" and child.get("style") == "fill:none":
            continue
        if child.tag == "g" and set(child.attrib) <= {"id"}:
            kept += list(child)
        else:
            kept.append(child)
    for child in list(element):
        element.remove(child)
    element.extend(kept)
    element.tag = element.tag.rpartition("}")[2]
    element.tail = None
    if element.tag != "text":
        element.text = None


def _shorten(element: Any) -> None:
    attributes = element.attrib
    if _HREF in attributes:
        attributes["href"] = attributes.pop(_HREF)
    if _NO_TURN.match(attributes.get("transform", "")):
        del attributes["transform"]
    if "style" in attributes:
        attributes["style"] = _short_style(attributes["style"])
    for key in ("fill", "stroke"):
        if key in attributes:  # an attribute knows no variables
            colour = _as_variables(attributes.pop(key))
            attributes["style"] = f"{key}:{colour}"
    for key in ("d", "x", "y", "transform", "width", "height"):
        if key in attributes:
            short = _NUMBER.sub(_two_decimals, attributes[key])
            attributes[key] = " ".join(short.split())


def _short_style(style: Any) -> Any:
    pairs = [pair.partition(":")[::2] for pair in style.split(";") if pair.strip()]
    kept = {key.strip(): value.strip() for key, value in pairs}
    if "font" in kept:  # weight, size and family in one
        words = kept.pop("font").split()
        kept["font-size"] = next(word for word in words if word.endswith("px"))
        if words[0] in ("bold", "600", "700"):
            kept["font-weight"] = "600"
    return ";".join(
        f"{key}:{_as_variables(value)}"
        for key, value in kept.items()
        if key not in _DROPPED_STYLES
    )


def _as_variables(value: Any) -> Any:
    return _COLOUR.sub(
        lambda found: AS_VARIABLES.get(found[0].lower(), found[0]), value
    )


def _two_decimals(found: Any) -> Any:
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
