"""What names and values of columns stand for, as far as they say it."""

from microcell.recognition._names import says, sense_of
from microcell.recognition._people import (
    DATES,
    FEW,
    FEW_NUMBERED,
    MANY_CATEGORIES,
    SINGLES,
    is_near_unique,
    names_people,
    number_people,
    share_alone,
)
from microcell.recognition._values import ICD, reads_as_full_names, shape_of, share_of
from microcell.recognition._vocabulary import (
    BODY_WORDS,
    CATEGORY_WORDS,
    COUNT_WORDS,
    IDENTIFIER,
    KNOWN,
    MARK_WORDS,
    NAMED,
    PREFIX_WORDS,
    TOLD,
    WEIGHT,
    WEIGHTS,
    YEAR_WORDS,
)

__all__ = [
    "BODY_WORDS",
    "CATEGORY_WORDS",
    "COUNT_WORDS",
    "DATES",
    "FEW",
    "FEW_NUMBERED",
    "ICD",
    "IDENTIFIER",
    "KNOWN",
    "MANY_CATEGORIES",
    "MARK_WORDS",
    "NAMED",
    "PREFIX_WORDS",
    "SINGLES",
    "TOLD",
    "WEIGHT",
    "WEIGHTS",
    "YEAR_WORDS",
    "is_near_unique",
    "names_people",
    "number_people",
    "reads_as_full_names",
    "says",
    "sense_of",
    "shape_of",
    "share_alone",
    "share_of",
]
