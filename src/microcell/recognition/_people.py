"""Whether a column names people: by what it is called, and by what its values are."""

from __future__ import annotations

import numpy as np
import polars as pl

from microcell._patterns import WHOLE
from microcell.columns import ANY_DATE, CURRENCY
from microcell.recognition._names import says, sense_of
from microcell.recognition._value_shapes import (
    ICD,
    MIN_SHARE_OF_NAMES,
    reads_as_full_names,
    shape_of,
    share_of,
)
from microcell.recognition._vocabulary import (
    FREE_TEXT_WORDS,
    IDENTIFIER,
    NAMED,
    PERSON_NAME_WORDS,
)

MIN_PEOPLE = (
    10  # people; of fewer, any column is near-unique and scores give values away
)
MIN_SHARE_ALONE = (
    0.5  # share of people alone with their value from which a column names them
)
TWO_VALUES = 2  # a column that has no more names nobody, whatever it is called
MAX_DISTINCT_NUMBERING_NOBODY = (
    20  # distinct values of a column that can hardly number people
)
NEARLY_ALL_ALONE = 0.95  # share of people alone with one of few numbers, not by chance
SPREAD = 2  # times as many numbers as people, if they number them
EVEN = 0.6  # variance by mean of records of numbers; 1 by chance, less where they count
NUMBER_LENGTH = 6  # digits of whole numbers of one length that may number people
LONG_NUMBER = 9  # digits of whole numbers of any length that do
MAX_USUAL_CATEGORIES = 100
SHARED_BY_CHANCE = 2  # people who share a value of a column that says what it holds
SHARED_NAME = 4  # people who share a name, an address or a number by chance
MAX_MEASUREMENT_UNITS = 3  # units of measurement that a column has
WRITTEN_LENGTH = 40  # characters on average from which text is written, not chosen
WRITTEN_WORDS = 4

AMOUNT = (
    rf"^([<>=≤≥~+-]|{CURRENCY}|\s)*"
    r"(([0-9]+|[0-9]{1,3}([.,'\u2019\s_][0-9]{3})+)([.,][0-9]*|[.,]-)?|[.,][0-9]+)"
    rf"([eE][+-]?[0-9]+)?\s*(%|‰|{CURRENCY})?$"
)
NUMBERS_OF_PEOPLE = "numbers of people or things"
CAPITALISED = r"^[\p{Lu}\p{Lo}][\p{L}\p{M}'\u2019.-]*(\s[\p{L}\p{M}'\u2019.-]+)*$"
ADDRESS = r"\p{L}{3,}.*\s[0-9]|^[0-9]+[a-zA-Z]?,?\s.*\p{L}{3,}"
WITH_A_DIGIT = r"^\S*[0-9]\S*$"
WITH_A_LONG_NUMBER = rf"^\S*[0-9]{{{NUMBER_LENGTH},}}\S*$"
UNIT_BEHIND = r"\s*(\p{L}[\p{L}0-9/²³·.^-]{0,11})$"
NO_DATE = r"^[0-9]{3,4}[./-]\s?[0-9]{1,2}[./-]\s?[0-9]{3,4}\b"  # nothing has two years
PROSE = r"(\p{L}{2,}\W+){2}\p{L}{2,}|[0-9]\W+\p{L}{2,}\W+\p{L}{2,}$"
TWO_OR_THREE_NUMBERS = r"^[0-9]{1,3}([/:x-][0-9]{1,3}){1,2}$"  # 120/80, 12:30, 40-49
ICD_WITH_POINT = r"^[A-TV-Z][0-9]{2}\.[0-9A-Z]{1,4}$"
CHAPTERS = 3  # letters that codes of diagnoses begin with, and numbers of people do not
DAY_IN_DIGITS = r"^(19|20)[0-9]{2}(0[1-9]|1[0-2])([0-2][0-9]|3[01])$"  # 20240312
USUAL_YEARS = (1900, 2100)
ALWAYS_NAMING = ("e-mail addresses", "IBANs")  # however many people share one


def share_alone(people: np.ndarray) -> float:
    """Share of the people with a value who are alone with it.

    Parameters
    ----------
    people : ndarray of shape (n_distinct,)
        How many have each value.

    Examples
    --------
    >>> share_alone(np.array([1, 1, 2]))
    0.5
    """
    return float(np.sum(people == 1) / max(people.sum(), 1))


def is_near_unique(people: np.ndarray) -> bool:
    """Whether most people are alone with their value."""
    enough = people.sum() >= MIN_PEOPLE
    return bool(enough and share_alone(people) >= MIN_SHARE_ALONE)


def nearly_alone(people: np.ndarray, most: int) -> bool:
    """Whether most people share their value with hardly anybody: `most` have it.

    Examples
    --------
    >>> nearly_alone(np.full(10, 2), 2), nearly_alone(np.full(10, 3), 2)
    (True, False)
    """
    few = people[people <= most].sum()
    return bool(people.sum() >= MIN_PEOPLE and few >= MIN_SHARE_ALONE * people.sum())


def shared_by_few(k: int) -> int:
    """People of whom one may be the only one with a value that names them.

    A value that k people share is nobody's own.

    Examples
    --------
    >>> [shared_by_few(k) for k in (2, 4, 50)]
    [2, 3, 4]
    """
    return min(max(k - 1, SHARED_BY_CHANCE), SHARED_NAME)


def number_people(values: pl.Series, people: np.ndarray, most: int = 1) -> bool:
    """Whether whole numbers that most people are alone with number them.

    They do if they have many digits, as numbers of patients and telephones, or if they
    leave few numbers out and nearly nobody shares one. Of numbers that up to `most`
    records share, those do that as many records have of each; else rounded ones and
    days do not, and those with few digits do if they are shared evenly.

    Examples
    --------
    >>> number_people(pl.Series(range(1000, 1020)), np.ones(20, int))
    True
    >>> number_people(pl.Series(range(0, 20_000, 1000)), np.ones(20, int))
    False
    """
    alone = is_near_unique(people)
    if not (alone or nearly_alone(people, most)):
        return False
    numbers = values.cast(pl.Float64).to_numpy()
    low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
    if low < 0 or not np.isfinite(high):
        return False
    shortest, longest = (len(f"{end:.0f}") for end in (low, high))
    long = shortest >= LONG_NUMBER or shortest == longest >= NUMBER_LENGTH
    dense = high - low < SPREAD * people.sum()
    if alone:
        return long or bool(dense and share_alone(people) >= NEARLY_ALL_ALONE)
    if people.size > MAX_DISTINCT_NUMBERING_NOBODY and (people == people[0]).all():
        return True  # as many records of each: not by chance
    if long:  # few share an amount or a day too
        rounded = float(np.mean(numbers % 10 == 0))
        days = share_of(
            pl.Series([f"{number:.0f}" for number in numbers]), DAY_IN_DIGITS
        )
        return rounded < MIN_SHARE_ALONE and days < MIN_SHARE_OF_NAMES
    years = USUAL_YEARS[0] <= low <= high <= USUAL_YEARS[1]
    return bool(dense and not years and _are_even(people, high - low + 1))


def _are_even(people: np.ndarray, n_numbers: float) -> bool:
    """Whether numbers are shared more evenly than what is counted or measured.

    Examples
    --------
    >>> _are_even(np.full(100, 3), 100), _are_even(np.array([1, 2, 3, 6] * 9), 50)
    (True, False)
    """
    mean = people.sum() / n_numbers
    variance = (people.astype(float) ** 2).sum() / n_numbers - mean**2
    return people.size > MAX_DISTINCT_NUMBERING_NOBODY and bool(variance <= EVEN * mean)


def names_people(
    name: str, values: pl.Series, people: np.ndarray, k: int
) -> str | None:
    """Why a column seems to name people, as the end of a sentence; None if it does not.

    A column does if it is called so and its values do not speak against it, or if most
    people are alone with a value that reads as a name, a number of people, an address
    or free text; but for free text also if hardly anybody shares it, as where people
    have two or three records. Dates, amounts and measurements do not, however few
    share them.

    Parameters
    ----------
    name : str
    values : polars.Series
        Distinct values, or some of them.
    people : ndarray of shape (n_distinct,)
        How many have each value of the column.
    k : int
        A value that as many share is nobody's own.

    Examples
    --------
    >>> names = pl.Series(["Anna Schmidt", "Ben Okri", "Cleo Marsh", "Dan Ek"] * 3)
    >>> names_people("x", names, np.ones(12, int), k=5)
    'reads as names'
    >>> costs = pl.Series(np.arange(12) * 1234.56)
    >>> names_people("cost", costs, np.ones(12, int), k=5) is None
    True
    """
    if len(values) == 0 or values.dtype == pl.Boolean or values.dtype.is_temporal():
        return None
    texts = _texts(values)
    if texts is not None and _are_dates(texts):
        return None
    if _is_called_so(name, values, texts, people, k):
        return "is called as what names or numbers people"
    what = None
    says_what = sense_of(name) not in (None, IDENTIFIER, NAMED)
    most = SHARED_BY_CHANCE if says_what else shared_by_few(k)
    if texts is not None and len(values) > TWO_VALUES:
        what = shape_of(texts)
        if what not in ALWAYS_NAMING and not nearly_alone(people, most):
            what = None
        elif what is None and reads_as_full_names(texts):
            what = "names"
        texts = _without_unit(texts)
    if what is None and not nearly_alone(people, most):
        return None
    if what is None:
        what = _numbers(name, values, texts, people, most)
    alone = is_near_unique(people)
    if what is None and texts is not None:
        written = _written if alone else _written_codes
        what = written(name, texts, people.size)
    if what is None and alone and texts is None and not values.dtype.is_numeric():
        what = "objects"
    return None if what is None else f"reads as {what}"


def _texts(values: pl.Series) -> pl.Series | None:
    """Values that are words; None if they are numbers or objects."""
    if values.dtype in (pl.Categorical, pl.Enum):
        values = values.cast(pl.String)
    return values.str.strip_chars() if values.dtype == pl.String else None


def _are_dates(texts: pl.Series) -> bool:
    """Whether texts are dates, and neither numbers of people nor dated remarks.

    Examples
    --------
    >>> _are_dates(pl.Series(["3.12.2024", "2024-12-03 10:00", "3 May 2024"]))
    True
    >>> _are_dates(pl.Series(["123-45-6789"])), _are_dates(pl.Series(["3.12.24 Al Bo"]))
    (False, False)
    """
    others = share_of(texts, NO_DATE), share_of(texts, PROSE)
    return share_of(texts, ANY_DATE) >= MIN_SHARE_OF_NAMES > max(others)


def _without_unit(texts: pl.Series) -> pl.Series:
    """Amounts without the unit that all of them have.

    Examples
    --------
    >>> _without_unit(pl.Series(["4.5 mg/dl", "12 mg/dl"])).to_list()
    ['4.5', '12']
    """
    units = texts.str.extract(rf"^[<>=≤≥~+-]?\s*[0-9][0-9.,\s]*{UNIT_BEHIND}")
    if not 0 < units.drop_nulls().n_unique() <= MAX_MEASUREMENT_UNITS:
        return texts
    return texts.str.replace(UNIT_BEHIND, "")


def _is_called_so(
    name: str, values: pl.Series, texts: pl.Series | None, people: np.ndarray, k: int
) -> bool:
    """Whether a name is one of what names people, and values can be such."""
    if sense_of(name) not in (IDENTIFIER, NAMED) or len(values) <= TWO_VALUES:
        return False
    if _is_amount(values, texts) and not _is_whole(values, texts):
        return False
    shared = people.size <= MAX_DISTINCT_NUMBERING_NOBODY and people.min() >= k
    return says(name, PERSON_NAME_WORDS) or not shared


def _is_amount(values: pl.Series, texts: pl.Series | None) -> bool:
    if texts is None:
        return values.dtype.is_numeric()
    return share_of(texts, AMOUNT) >= MIN_SHARE_OF_NAMES


def _is_whole(values: pl.Series, texts: pl.Series | None) -> bool:
    if texts is not None:
        return share_of(texts, WHOLE) >= MIN_SHARE_OF_NAMES
    if values.dtype.is_integer():
        return True
    numbers = values.cast(pl.Float64).drop_nans()
    return bool((numbers == numbers.round()).all())


def _numbers(
    name: str, values: pl.Series, texts: pl.Series | None, people: np.ndarray, most: int
) -> str | None:
    """Whether whole numbers of a column without a telling name number people."""
    whole = _is_amount(values, texts) and _is_whole(values, texts)
    if sense_of(name) is not None or not whole:
        return None
    plain = values if texts is None else texts.filter(texts.str.contains(WHOLE))
    padded = texts is not None and bool(plain.str.contains("^0[0-9]").any())
    return NUMBERS_OF_PEOPLE if padded or number_people(plain, people, most) else None


def _written_codes(name: str, texts: pl.Series, n_values: int) -> str | None:
    """What words with numbers are that hardly anybody shares.

    Codes of diagnoses and pairs of measures are shared by few as well.
    """
    not_called = sense_of(name) in (None, IDENTIFIER, NAMED)
    letters = texts.str.slice(0, 1).n_unique() >= CHAPTERS
    codes = (ICD if letters else ICD_WITH_POINT, TWO_OR_THREE_NUMBERS, AMOUNT)
    public = max(share_of(texts, pattern) for pattern in codes)
    if n_values <= MAX_DISTINCT_NUMBERING_NOBODY or public >= MIN_SHARE_OF_NAMES:
        return None
    if share_of(texts, WITH_A_LONG_NUMBER) >= MIN_SHARE_OF_NAMES:
        return NUMBERS_OF_PEOPLE
    if not_called and share_of(texts, ADDRESS) >= MIN_SHARE_OF_NAMES:
        return "addresses"
    coded = not_called and share_of(texts, WITH_A_DIGIT) >= MIN_SHARE_OF_NAMES
    return NUMBERS_OF_PEOPLE if coded else None


def _written(name: str, texts: pl.Series, n_values: int) -> str | None:
    """What words are that nearly everybody has for himself.

    Words of a column whose name says what it holds, as a city or a diagnosis, are not
    taken for names; few of them may be alone by chance.
    """
    if share_of(texts, AMOUNT) >= MIN_SHARE_OF_NAMES:
        return None
    lengths = texts.str.len_chars().mean()
    words = (texts.str.count_matches(r"\s+") + 1).mean()
    if float(lengths) >= WRITTEN_LENGTH or float(words) >= WRITTEN_WORDS:  # type: ignore[arg-type]
        return "free text"
    if share_of(texts, ADDRESS) >= MIN_SHARE_OF_NAMES:
        return "addresses"
    if says(name, FREE_TEXT_WORDS):
        return "free text"
    if share_of(texts, WITH_A_LONG_NUMBER) >= MIN_SHARE_OF_NAMES:
        return NUMBERS_OF_PEOPLE
    if sense_of(name) is not None:
        return None
    if share_of(texts, WITH_A_DIGIT) >= MIN_SHARE_OF_NAMES:
        return NUMBERS_OF_PEOPLE
    if share_of(texts, CAPITALISED) >= MIN_SHARE_OF_NAMES:
        return "names"
    return "words that nobody shares" if n_values > MAX_USUAL_CATEGORIES else None
