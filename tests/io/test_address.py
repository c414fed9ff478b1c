import pytest
from marks import for_each

from microcell.io import is_address
from microcell.io._address import address_of


def parts(text):
    found = address_of(text)
    return found.database, found.schema, found.table, found.query


@for_each(
    ("text", "expected"),
    [
        ("sqlite:///f.db::t", ("f.db", None, "t", None)),
        ("sqlite:////tmp/f.db::t", ("/tmp/f.db", None, "t", None)),
        ("SQLite:///f.db?table=a%20b", ("f.db", None, "a b", None)),
        ("sqlite:///f.db::a.b", ("f.db", None, "a.b", None)),
        ('sqlite:///f.db::"select x"', ("f.db", None, "select x", None)),
        ("sqlite:///f.db::selected", ("f.db", None, "selected", None)),
        ("sqlite:///f.db::select 1;", ("f.db", None, None, "select 1")),
        ("sqlite:///f.db::WITH a AS (select 1) select * from a",
         ("f.db", None, None, "WITH a AS (select 1) select * from a")),
        ("sqlite:///f.db?query=select%201 & 3", ("f.db", None, None, "select 1 & 3")),
        ("sqlite:///f.db::select '%20?&'", ("f.db", None, None, "select '%20?&'")),
    ],
)  # fmt: skip
def test_sqlite(text, expected):
    assert parts(text) == expected


@for_each(
    ("text", "database", "expected"),
    [
        ("postgresql://u@h/d?table=t", "u@h/d", (None, "t", None)),
        ("postgres://u@h:5433/d::s.t", "u@h:5433/d", ("s", "t", None)),
        ("postgresql://h/d::Big", "h/d", (None, "Big", None)),
        ('postgresql://h/d::s."a.""b"', "h/d", ("s", 'a."b', None)),
        ("postgresql://[::1]/d::t", "[::1]/d", (None, "t", None)),
        ("postgresql://u@[::1]:1/d::t", "u@[::1]:1/d", (None, "t", None)),
        ("postgresql:///d?host=/run/x&table=t&port=1",
         "/d?host=/run/x&port=1", (None, "t", None)),
        ("postgresql://a:1,b:2/d::t", "a:1,b:2/d", (None, "t", None)),
        ("postgresql://h/d?sslmode=require::select a::int from t",
         "h/d?sslmode=require", (None, None, "select a::int from t")),
    ],
)  # fmt: skip
def test_postgresql(text, database, expected):
    assert parts(text) == (f"postgresql://{database}", *expected)


@pytest.mark.parametrize("text", ["f.csv", "sqlite.csv", "C:/data/f.csv", "a::b.csv"])
def test_files_are_no_addresses(text):
    assert not is_address(text)


SECRET = "hunter2"


@for_each(
    "text",
    [
        f"postgresql://u:{SECRET}@h/d::t",
        f"postgresql://u:{SECRET}@h/d",
        f"postgresql://u:{SECRET}/x@h/d::t",
        f"postgresql://u:1/{SECRET}@h/d::t",
        f"postgresql://u:a::{SECRET}@h/d::t",
        f"postgresql://u:a@{SECRET}@h/d::t",
        f"postgresql://u:#{SECRET}@h/d::t",
        f"postgresql://u:?{SECRET}@h/d::t",
        f"postgresql://u@h:{SECRET}/d::t",  # where the port stands
        f"postgresql://h:5432:{SECRET}/d::t",
        f"postgresql://h/d:{SECRET}?table=t",
        f"postgresql://u@h/d?password={SECRET}&table=t",
        f"postgresql://u@h/d?PASSWORD={SECRET}&table=t",
        f"postgresql://u@h/d?sslpassword={SECRET}::t",
        f"postgresql://u@h/d?secret={SECRET}::t",
        f"postgresql+psycopg://u:{SECRET}@h/d::t",
        f"mysql://u:{SECRET}@h/d::t",
        f"sqlite://u:{SECRET}@h/d::t",
        f"sqlite:///f.db?key={SECRET}::t",
    ],
)
def test_a_password_is_refused_and_not_repeated(text):
    with pytest.raises(ValueError) as caught:
        address_of(text)
    assert SECRET not in str(caught.value)


@for_each(
    "text",
    [
        "sqlite:///f.db",
        "sqlite:///f.db::",
        "sqlite://f.db::t",
        "sqlite:///::t",
        "sqlite:///f.db?table=a::b",
        "sqlite:///f.db?table=a&query=select 1",
        "sqlite:///f.db?query=",
        "sqlite:///f.db?mode=rw::t",
        "sqlite:///f\0.db::t",
        "postgresql://h/d",
        "postgresql://h/d::a.b.c",
        "postgresql://h/d::a..b",
        'postgresql://h/d::"a',
        'postgresql://h/d::a"b"',
        "oracle://h/d::t",
    ],
)
def test_what_is_no_address_says_how_to_write_one(text):
    with pytest.raises(
        ValueError, match=r"sqlite:///file\.db::|NUL|quotes|settings|setting"
    ):
        address_of(text)


def test_a_query_is_not_shown():
    query = "select * from t where name = 'John Smith'"
    assert "John" not in str(address_of(f"sqlite:///f.db::{query}"))


def test_a_query_is_no_output():
    with pytest.raises(ValueError, match="not to a query"):
        _ = address_of("sqlite:///f.db::select 1").target
