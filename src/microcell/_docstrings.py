"""What docstrings say, for whoever shows it: help texts, the page in the browser."""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any

REFERENCE = re.compile(r"\s*\[\w+\]_")
ENTRY = re.compile(r"^(\w[\w, *]*?) : .*$")  # of a numpydoc section


def first_sentence(documented: Any) -> str:
    """What the first line of a docstring says, without its references.

    Examples
    --------
    >>> from microcell.privacy import PSensitivity
    >>> first_sentence(PSensitivity)
    'Every equivalence class has at least p distinct confidential values.'
    """
    text = inspect.getdoc(documented) or ""
    return REFERENCE.sub("", text.partition("\n")[0])


@cache
def described(documented: Any) -> dict[str, str]:
    """What a docstring says of each parameter, as one paragraph of plain text.

    Examples
    --------
    >>> from microcell.privacy import TCloseness
    >>> described(TCloseness)["t"]
    'Largest distance, between 0 and 1.'
    """
    lines = (inspect.getdoc(documented) or "").splitlines()
    found: dict[str, str] = {}
    if "Parameters" not in lines:
        return found
    names: list[str] = []
    for line in lines[lines.index("Parameters") + 2 :]:
        if line and not line.startswith(" "):
            entry = ENTRY.match(line)
            if entry is None:  # the title of the next section
                break
            names = entry[1].split(", ")
            found |= dict.fromkeys(names, "")
        for name in names if line.startswith(" ") else ():
            found[name] = f"{found[name]} {line.strip()}".lstrip()
    return {name: text.replace("``", "") for name, text in found.items()}
