import os
import socket
import sys
import threading

import polars as pl
import pytest
from postgresql_server import LOCKED, SECRET

from microcell.io import read_table, write_table
from microcell.io._address import Address, address_of
from microcell.io._database import check_table_output
from microcell.io._postgresql import connection_url


def test_other_types(postgresql):
    postgresql.run(
        "CREATE TYPE mood AS ENUM ('sad', 'fine');"
        "CREATE DOMAIN age AS integer CHECK (VALUE > 0);"
        "CREATE TABLE t (m mood, a age, v varchar(9), n numeric, w numeric(12, 3), "
        "u uuid, j jsonb, o oid, i inet);"
        "INSERT INTO t VALUES ('fine', 3, 'x', 1.250, 7, "
        "'00000000-0000-0000-0000-000000000001', '{\"a\": 1}', 4294967295, '10.0.0.1')"
    )
    found = read_table(postgresql.address("t"))
    assert [str(value) for value in found.row(0)] == [
        "fine", "3", "x", "1.250", "7.000", "00000000-0000-0000-0000-000000000001",
        '{"a": 1}', "4294967295", "10.0.0.1/32",
    ]  # fmt: skip
    assert found.schema["w"] == pl.Decimal(12, 3)


@pytest.mark.parametrize(
    "value",
    [
        "interval '1 day'",
        "array[1, 2]",
        "'NaN'::numeric",
        "'infinity'::date",
        "'-infinity'::timestamp",
        "date '0044-03-15 BC'",
        "1e40::numeric",
    ],
)
def test_what_is_not_read_names_the_column(postgresql, value):
    with pytest.raises(ValueError, match=r"'odd'.*query that") as caught:
        read_table(postgresql.address(f"select 1 as fine, {value} as odd"))
    assert caught.value.column == "odd"


@pytest.mark.parametrize("name", ["ctid", "x" * 64, "é" * 32, ""])
def test_names_that_postgresql_has_not(postgresql, name):
    with pytest.raises(ValueError, match="63 bytes"):
        write_table(pl.DataFrame({name: [1]}), postgresql.address("t"))
    if name not in ("", "ctid"):
        with pytest.raises(ValueError, match="63 bytes"):
            check_table_output(postgresql.address(name), [], overwrite=False)


def test_text_with_a_nul_character(postgresql):
    with pytest.raises(ValueError, match=r"\['c'\].*NUL"):
        write_table(pl.DataFrame({"c": ["a\0b"]}), postgresql.address("t"))


def test_nan_is_a_number(postgresql):
    write_table(pl.DataFrame({"c": [float("nan"), -0.0]}), postgresql.address("t"))
    assert postgresql.run("SELECT c FROM t") == [("NaN",), ("-0",)]


def test_schemas(postgresql):
    postgresql.run('CREATE SCHEMA "My.Own"')
    address = postgresql.address('"My.Own".t')
    write_table(pl.DataFrame({"a": [1]}), address)
    assert postgresql.run('SELECT a FROM "My.Own".t') == [("1",)]
    assert read_table(address)["a"].to_list() == [1]
    with pytest.raises(ValueError, match="no schema 'absent'"):
        write_table(pl.DataFrame({"a": [1]}), postgresql.address("absent.t"))
    postgresql.run('DROP SCHEMA "My.Own" CASCADE')


def test_names_are_to_the_letter(postgresql):
    postgresql.run("CREATE TABLE patients (a integer); INSERT INTO patients VALUES (1)")
    with pytest.raises(ValueError, match="Did you mean 'patients'"):
        read_table(postgresql.address("Patients"))


def test_a_table_that_a_view_needs_is_not_replaced(postgresql):
    from microcell.io import Outbox, write_staged

    postgresql.run("CREATE TABLE t (a integer); CREATE VIEW v AS SELECT a FROM t")
    with Outbox(overwrite=True) as outbox:
        frame = pl.DataFrame({"a": [1]})
        staged, _ = write_staged(outbox, postgresql.address("t"), frame)
        with pytest.raises(ValueError, match="depend on the table"):
            staged.finish()
    assert postgresql.run("SELECT count(*) FROM v") == [("0",)]


def test_errors_quote_no_value(postgresql):
    postgresql.run("CREATE TABLE t (a text); INSERT INTO t VALUES ('John Smith')")
    with pytest.raises(ValueError, match="SQLSTATE 22P02") as caught:
        read_table(postgresql.address("select a::integer from t"))
    assert "John" not in str(caught.value)


def test_a_transaction_cannot_write(postgresql):
    """Also where a function does it behind a plain query."""
    postgresql.run(
        "CREATE TABLE t (a integer);"
        "CREATE FUNCTION f() RETURNS integer LANGUAGE sql AS "
        "'INSERT INTO t VALUES (1) RETURNING a'"
    )
    with pytest.raises(ValueError, match="only read"):
        read_table(postgresql.address("select f()"))


def test_a_user_who_may_not_write(postgresql, monkeypatch):
    monkeypatch.setenv("MICROCELL_DB_PASSWORD", SECRET)
    postgresql.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    with pytest.raises(PermissionError, match="may not make tables"):
        check_table_output(postgresql.address("t", user=LOCKED), [], overwrite=False)


@pytest.mark.parametrize("variable", ["PGPASSWORD", "MICROCELL_DB_PASSWORD"])
def test_passwords_come_from_the_environment(postgresql, monkeypatch, variable):
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.setenv("PGPASSFILE", "/nowhere")
    address = postgresql.address("select 1 as a", user=LOCKED)
    for given in (None, f"not {SECRET}"):
        if given is not None:
            monkeypatch.setenv(variable, given)
        with pytest.raises(ValueError, match="password is wrong or missing") as caught:
            read_table(address)
        assert SECRET not in str(caught.value)
    monkeypatch.setenv(variable, SECRET)
    assert read_table(address)["a"].to_list() == [1]


@pytest.fixture
def own_settings(monkeypatch):
    """Nothing of libpq in the environment but our password."""
    for name in [n for n in os.environ if n.startswith("PG")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MICROCELL_DB_PASSWORD", "p&w")
    return monkeypatch


@pytest.mark.parametrize(
    "place",
    [
        "/d", "localhost/d", "u@127.0.0.1:5432/d", "[::1]:5432/d", "%2Frun%2Fx/d",
        "/d?host=/run/x", "h/d?host=localhost", "h/d?hostaddr=127.0.0.1",
        "localhost,127.0.0.2:1/d",
    ],
)  # fmt: skip
def test_on_this_machine_nothing_is_added_but_the_password(own_settings, place):
    url = connection_url(address_of(f"postgresql://{place}::t"))
    mark = "&" if "?" in place else "?"
    assert url == f"postgresql://{place}{mark}password=p%26w"


@pytest.mark.parametrize(
    ("place", "environment"),
    [
        ("db/d", {}), ("u@10.0.0.1:5432/d", {}), ("localhost,db/d", {}),
        ("localhost/d?host=db", {}), ("localhost/d?hostaddr=10.0.0.1", {}),
        ("localhost/d", {"PGHOSTADDR": "10.0.0.1"}), ("/d", {"PGHOST": "db"}),
        ("localhost.evil.org/d", {}), ("0x7f000001/d", {}),
    ],
)  # fmt: skip
def test_off_this_machine_the_connection_is_encrypted(own_settings, place, environment):
    for name, value in environment.items():
        own_settings.setenv(name, value)
    assert "sslmode=require&password=" in connection_url(
        address_of(f"postgresql://{place}::t")
    )
    mark = "&" if "?" in place else "?"
    for mode in ("disable", "allow", "prefer"):
        with pytest.raises(ValueError, match=f"with sslmode={mode} the password"):
            connection_url(
                address_of(f"postgresql://{place}{mark}sslmode={mode}&table=t")
            )
    kept = f"postgresql://{place}{mark}sslmode=verify-full"
    assert connection_url(address_of(f"{kept}&table=t")) == f"{kept}&password=p%26w"
    own_settings.setenv("PGSSLMODE", "verify-full")  # which is not weakened
    assert "sslmode" not in connection_url(address_of(f"postgresql://{place}::t"))
    own_settings.setenv("PGSSLMODE", "prefer")
    with pytest.raises(ValueError, match="in clear text"):
        connection_url(address_of(f"postgresql://{place}::t"))


def test_a_password_in_a_file_is_not_sent_in_clear_text(own_settings, tmp_path):
    own_settings.delenv("MICROCELL_DB_PASSWORD")
    own_settings.setenv("PGPASSFILE", str(tmp_path / "pgpass"))
    address = address_of("postgresql://db/d?sslmode=prefer&table=t")
    assert connection_url(address) == "postgresql://db/d?sslmode=prefer"
    by_service = address_of("postgresql:///d?service=s&sslmode=prefer&table=t")
    (tmp_path / "pgpass").touch()
    for may_have_one in (address, by_service):
        with pytest.raises(ValueError, match="in clear text"):
            connection_url(may_have_one)


def test_a_service_says_how_it_is_encrypted(own_settings):
    with pytest.raises(ValueError, match="Say in the address how it is encrypted"):
        connection_url(address_of("postgresql:///d?service=clinic&table=t"))
    own_settings.setenv("PGSERVICE", "clinic")
    with pytest.raises(ValueError, match="service file"):
        connection_url(address_of("postgresql://localhost/d::t"))


def test_a_server_in_clear_text_gets_no_password(own_settings):
    """It answers that it has no encryption, and would ask for the password."""
    pytest.importorskip("adbc_driver_postgresql")
    own_settings.setattr(Address, "is_local", False)
    heard = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer():
            with listening.accept()[0] as connection:
                heard.append(connection.recv(1000))
                connection.sendall(b"N")
                connection.settimeout(10)
                heard.append(connection.recv(1000))

        thread = threading.Thread(target=answer)
        thread.start()
        port = listening.getsockname()[1]
        with pytest.raises(ValueError, match="no encrypted connection"):
            read_table(f"postgresql://u@127.0.0.1:{port}/d::t")
        thread.join(20)
    assert heard[0].startswith(b"\x00\x00\x00\x08") and heard[1:] == [b""]


def test_passwords_come_from_a_file(postgresql, monkeypatch, tmp_path):
    escaped = SECRET.replace("\\", "\\\\").replace(":", "\\:")
    passwords = tmp_path / "pgpass"
    passwords.write_text(f"*:*:*:{LOCKED}:{escaped}\n")
    passwords.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    address = postgresql.address("select 1 as a", user=LOCKED)
    assert read_table(address)["a"].to_list() == [1]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://tester@/absent?host={0}::t", "no such database"),
        ("postgresql://absent@/postgres?host={0}::t", "no such user"),
        ("postgresql:///d?host=/nowhere::t", "no server answers"),
        ("postgresql://127.0.0.1:1/d::t", "no server answers"),
        ("postgresql://no-such-host.invalid/d::t", "no such host"),
    ],
)
def test_no_connection(postgresql_server, url, words):
    with pytest.raises(ValueError, match=words):
        read_table(url.format(postgresql_server.folder))


def test_a_driver_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql", None)
    with pytest.raises(ImportError, match=r"microcell\[postgresql\]"):
        read_table("postgresql://h/d::t")
