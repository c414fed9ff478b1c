import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.exceptions import InputError
from microcell.io._encoding import BLOCK, SAME_LETTERS, detect_encoding

NAMES = {
    "german": ["Müller", "Schröder", "Jäger", "Weiß", "Füßli", "Österreich"],
    "french": ["Hélène", "François", "Noël", "Bénédicte", "Garçon", "à Nîmes"],
    "spanish": ["José", "Muñoz", "García", "Ibáñez", "¿Quién?"],
    "nordic": ["Åse", "Bjørn", "Sjöberg", "Ærø"],
    "polish": ["Łukasz", "Wałęsa", "Kraków", "Świątek"],
    "czech": ["Dvořák", "Čapek", "Novák", "Němcová"],
    "hungarian": ["Erdős", "Szabó", "Kőszegi", "Tóth"],
    "turkish": ["I\u015f\u0131k", "Şahin", "Gülen", "Doğan"],
    "icelandic": ["Þór", "Guðrún", "Sýsla"],
    "russian": ["Иванов", "Петрова", "Москва"],
    "greek": ["Αθήνα", "Νίκος"],
    "chinese": ["王", "李a", "张三"],
    "japanese": ["田中", "アイA", "さとう"],
    "symbols": ["5 €", "20 °C", "m²", "d\u2019Arc", "“no”", "50 £"],
}
OLD = (
    "cp1252 latin-1 iso8859-15 cp1250 iso8859-2 cp1254 cp1257 cp850 cp437 mac_roman "
    "cp1251 koi8-r cp866 cp1253 gbk big5 shift_jis euc-jp euc-kr cp1255 cp1256"
).split()


@st.composite
def old_texts(draw):
    """Words of one or two languages, in an encoding that has their letters."""
    words = draw(
        st.lists(
            st.sampled_from([w for several in NAMES.values() for w in several]),
            min_size=1,
            max_size=4,
        )
    )
    text = "name\n" + "\n".join(words) + "\n"
    fitting = [name for name in OLD if _fits(text, name)]
    return text, draw(st.sampled_from([*fitting, "utf-8"]))


def _fits(text, encoding):
    try:
        return text.encode(encoding).decode(encoding) == text
    except UnicodeError:
        return False


@given(old_texts())
def test_never_a_wrong_guess(tmp_path_factory, text_and_encoding):
    text, encoding = text_and_encoding
    path = tmp_path_factory.mktemp("old") / "t.csv"
    path.write_bytes(text.encode(encoding))
    try:
        detected = detect_encoding(path, path)
    except InputError as error:
        assert error.option == "encoding"
        assert str(error).isascii()  # no word of the file
    else:
        assert path.read_bytes().decode(detected) == text


@pytest.mark.parametrize(
    ("language", "encodings"),
    [("german", ["cp1252", "latin-1", "cp1250"]), ("french", []), ("polish", [])],
)
def test_what_can_be_told(tmp_path, language, encodings):
    path = tmp_path / "t.csv"
    for encoding in encodings:
        path.write_text("\n".join(NAMES[language]), encoding=encoding)
        assert detect_encoding(path, path) == "cp1252"
    if not encodings:
        old = "cp1252" if language == "french" else "cp1250"
        path.write_text("\n".join(NAMES[language]), encoding=old)
        with pytest.raises(InputError, match="Name its encoding"):
            detect_encoding(path, path)


@pytest.mark.parametrize(
    ("mark", "written", "found"),
    [
        ("", "utf-8", "utf-8"),
        ("", "utf-8-sig", "utf-8"),
        ("", "utf-16", "utf-16"),
        ("\ufeff", "utf-16-be", "utf-16"),
        ("", "utf-16-le", "utf-16-le"),
        ("", "utf-16-be", "utf-16-be"),
        ("", "utf-32", "utf-32"),
        ("\ufeff", "utf-32-be", "utf-32"),
    ],
)
def test_marks(tmp_path, mark, written, found):
    path = tmp_path / "t.csv"
    path.write_bytes(f"{mark}name,age\nMüller,3\nŁ,王\n".encode(written))
    assert detect_encoding(path, path) == found


def test_no_text(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"\x89PNG\0\0\0\rIHDR\0\n")
    with pytest.raises(InputError, match="is not text"):
        detect_encoding(path, path)


@pytest.mark.parametrize("at", range(-6, 4))
@pytest.mark.parametrize("word", ["Müßig", "łódź"])
def test_letters_at_the_border_of_blocks(tmp_path, at, word):
    """What is looked at together must not decide."""
    encoding = "cp1252" if word == "Müßig" else "cp1250"
    path = tmp_path / "t.csv"
    path.write_bytes(b"x" * (BLOCK + at) + word.encode(encoding) + b"\n")
    if word == "Müßig":
        assert detect_encoding(path, path) == "cp1252"
    else:
        with pytest.raises(InputError):
            detect_encoding(path, path)
    path.write_bytes(b"x" * (BLOCK + at) + word.encode() + b"\n")
    assert detect_encoding(path, path) == "utf-8"


def test_a_lonely_sharp_s_of_dos(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Straße\n", encoding="cp850")
    with pytest.raises(InputError):
        detect_encoding(path, path)


def test_letters_that_are_the_same():
    assert set("äöüßéáíóúç".encode("latin-1")) <= set(SAME_LETTERS)
    assert not set("ñèãøðþ".encode("latin-1")) & set(SAME_LETTERS)
