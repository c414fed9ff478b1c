"""What the name of a column says about it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from microcell.recognition._vocabulary import (
    COUNTED_WORDS,
    IDENTIFIER,
    KNOWN,
    NAMED,
    PERSON_WORDS,
    SENSES,
    TOLD,
    WEIGHT,
    WEIGHTS,
)

MAX_PHRASE_WORDS = 4  # words
# Where words of one length disagree: patient_id is an identifier, city_name a place.
_ORDER = (WEIGHTS, IDENTIFIER, TOLD, KNOWN, NAMED, WEIGHT)


def words_of(name: str) -> list[str]:
    """The words of a name, in small letters, without accents and numbers.

    Names in capitals alone do not show where a word begins; one that ends in "name" is
    taken apart there, because it names somebody or something.

    Examples
    --------
    >>> words_of("patientID"), words_of("Código Postal"), words_of("date_of_birth2")
    (['patient', 'id'], ['codigo', 'postal'], ['date', 'of', 'birth'])
    >>> words_of("CUSTNAME")
    ['cust', 'name']
    """
    parts = re.sub(r"([a-z])([A-Z])", r"\1 \2", name.replace("ß", "ss"))
    plain = unicodedata.normalize("NFKD", parts)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    return re.findall(r"[a-z]+?(?=name(?![a-z]))|[a-z]+", plain)


def phrases_of(name: str) -> list[str]:
    """Runs of the words of a name written as one, the longest first.

    Examples
    --------
    >>> phrases_of("codice fiscale")
    ['codicefiscale', 'codice', 'fiscale']
    """
    return [phrase for phrases in _by_length(name) for phrase in phrases]


def says(name: str, vocabulary: frozenset[str]) -> bool:
    """Whether a name has a word or phrase of a vocabulary.

    Examples
    --------
    >>> says("home_zip", frozenset(["zip"])), says("zipper", frozenset(["zip"]))
    (True, False)
    """
    return any(phrase in vocabulary for phrase in phrases_of(name))


def _by_length(name: str) -> Iterator[list[str]]:
    """Runs of words of one length, the longest first."""
    words = words_of(name)
    for length in range(min(len(words), MAX_PHRASE_WORDS), 0, -1):
        starts = range(len(words) - length + 1)
        yield ["".join(words[start : start + length]) for start in starts]


def sense_of(name: str) -> str | None:
    """What a column is by its name, or None.

    Returns
    -------
    sense : {"identifier", "named", "known", "told", "weights", "weight"} or None
        Numbers people; names people; others may know it; nobody should tell it; how
        many people a record stands for; that or a body's weight.

    Examples
    --------
    >>> [sense_of(name) for name in ("PatientID", "city name", "Geburtsdatum", "x")]
    ['identifier', 'known', 'known', None]
    >>> sense_of("salaire_annuel"), sense_of("fnlwgt"), sense_of("apellidos")
    ('told', 'weights', 'named')
    >>> sense_of("patient"), sense_of("phone_calls")
    ('identifier', None)
    """
    if "".join(words_of(name)) in PERSON_WORDS:
        return IDENTIFIER
    counted = says(name, COUNTED_WORDS)
    for phrases in _by_length(name):
        found = {s for s, known in SENSES.items() for p in phrases if p in known}
        if counted and len(phrases) == len(words_of(name)):  # a word of several
            found -= {IDENTIFIER, NAMED}
        if found:
            return next(sense for sense in _ORDER if sense in found)
    return None
