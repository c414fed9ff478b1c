"""Facts as the text of a file: a page for people, JSON for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def report_text(facts: Any, path: Any) -> Any:
    """What a report holds; the suffix of its path says in which form.

    Parameters
    ----------
    facts : dict
        As `facts_of` gives them.
    path : path
        Ends in .html or .json.
    """
    if Path(path).suffix.lower() == ".json":
        return json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    from microcell.report._page import page_of

    return page_of(facts)
