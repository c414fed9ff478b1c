"""Formulas as MathML, which browsers draw by themselves: no script, no network.

docutils has the converter. What it does not know is a warning, so that a formula that
readers would see as LaTeX fails the build.
"""

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

logger = logging.getLogger(__name__)

ALSO_KNOWN_AS = {
    r"\dots": r"\ldots",
    r"\begin{align}": r"\begin{aligned}",
    r"\end{align}": r"\end{aligned}",
    r"\begin{align*}": r"\begin{aligned}",
    r"\end{align*}": r"\end{aligned}",
}
# Without a font for formulas these strike through what they stand above.
ACCENTS = {
    ">\N{MODIFIER LETTER MACRON}<": ">_<",
    ">\N{MODIFIER LETTER CIRCUMFLEX ACCENT}<": ">^<",
}


def mathml(formula, *, as_block):
    r"""MathML of LaTeX.

    >>> mathml(r"x \dots", as_block=False).startswith("<math")
    True
    """
    for name, known in ALSO_KNOWN_AS.items():
        formula = formula.replace(name, known)
    made = tex2mathml(formula, as_block=as_block)
    for accent, plain in ACCENTS.items():
        made = made.replace(accent, plain)
    return made


def _converted(node, *, as_block):
    try:
        return mathml(node.astext(), as_block=as_block)
    except MathError as error:
        logger.warning("%s: %s", error, node.astext(), location=node, type="mathml")
        return f"<code>{node.astext()}</code>"


def inline(writer, node):
    writer.body.append(_converted(node, as_block=False))
    raise nodes.SkipNode


def block(writer, node):
    attributes = {"ids": node["ids"]} if node["ids"] else {}
    writer.body.append(writer.starttag(node, "div", CLASS="math", **attributes))
    writer.body.append(_converted(node, as_block=True))
    writer.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
