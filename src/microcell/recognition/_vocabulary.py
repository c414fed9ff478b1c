"""What words that columns are called by stand for; `words.toml` lists them."""

import tomllib
from importlib.resources import files

IDENTIFIER, NAMED, KNOWN, TOLD, WEIGHTS, WEIGHT = (
    "identifier",
    "named",
    "known",
    "told",
    "weights",
    "weight",
)
_LISTS = tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))


def _words(*lists: str) -> frozenset[str]:
    return frozenset(word for name in lists for word in _LISTS[name].split())


SENSES = {
    IDENTIFIER: _words("identifier"),
    NAMED: _words("person_name", "shared_name"),
    TOLD: _words("told"),
    KNOWN: _words("known"),
    WEIGHTS: _words("weights"),
    WEIGHT: _words("weight"),
}
PERSON_WORDS = _words("person")
COUNTED_WORDS = _words("counted")
HOUSEHOLD_WORDS = _words("household")
PERSON_NAME_WORDS = _words("person_name")
FREE_TEXT_WORDS = _words("free_text")
PREFIX_WORDS = _words("prefix")
CLASSIFICATION_WORDS = _words("classification")
SIZE_WORDS = _words("size")
COUNT_WORDS = _words("size", "count")
YEAR_WORDS = _words("year")
CATEGORY_WORDS = _words("category")
BODY_WORDS = _words("body")
MARK_WORDS = frozenset(_LISTS["marks"])
DATE_MARKS = tuple(_LISTS["date_marks"])
LABELS_OF_NONE = MARK_WORDS | frozenset(_LISTS["labels_of_none"])
