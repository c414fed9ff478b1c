"""Address: where a table of a database is, as text on a command line has it.

An address holds no password, so that it can be shown: one with a password is refused,
and nothing of it is repeated in the error.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from microcell.exceptions import InputError

SCHEMES = {"sqlite": "sqlite", "postgresql": "postgresql", "postgres": "postgresql"}
ADDRESSES = (
    "Write sqlite:///file.db::table or postgresql://user@host/database::table, or a "
    "query after the two colons."
)
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
QUERY_BEGINS = re.compile(r"\s*(select|with|values)\s|\s*\(", re.IGNORECASE)
NAME_PART = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')
PASSWORDS = ("password", "sslpassword")
# Settings of libpq, without those that hold or give away a secret.
LIBPQ_SETTINGS = set(
    "application_name channel_binding connect_timeout gssencmode host hostaddr "
    "keepalives keepalives_idle krbsrvname options passfile port service sslcert "
    "sslcrl sslkey sslmode sslrootcert target_session_attrs user".split()
)


@dataclass(frozen=True)
class Address:
    """A table or a query of a database.

    Attributes
    ----------
    scheme : str
        "sqlite" or "postgresql".
    database : str
        The file of SQLite; the URL of PostgreSQL without the table.
    schema : str or None
        The schema of the table, if it is named.
    table, query : str or None
        The table's name as the database has it, or a query; one of the two.
    """

    scheme: str
    database: str
    schema: str | None = None
    table: str | None = None
    query: str | None = None

    def __str__(self) -> str:
        base = self.database
        if self.scheme == "sqlite":
            base = f"sqlite:///{base}"
        if self.query is not None:
            return f"the query on {base}"
        names = [name for name in (self.schema, self.table) if name is not None]
        return f"{base}::{'.'.join(names)}"

    @property
    def target(self) -> str:
        """The name of a table that can be written, after checking that it is one."""
        if self.table is None:
            raise InputError(
                "A release goes to a table, not to a query.",
                option="output",
                hint=ADDRESSES,
            )
        return self.table

    @property
    def settings(self) -> dict[str, str]:
        """Settings of the connection, as libpq reads them."""
        pairs = self.database.partition("?")[2].split("&")
        found = (pair.partition("=") for pair in pairs if pair)
        return {name: unquote(value) for name, _, value in found}

    @property
    def by_service(self) -> bool:
        """Whether a file of the user's says which server it is."""
        return "service" in self.settings or "PGSERVICE" in os.environ

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine, however it is named."""
        if self.by_service:
            return False
        said = self.settings
        place = self.database.partition("?")[0].partition("://")[2]
        authority = unquote(place.partition("/")[0].rpartition("@")[2])
        address = said.get("hostaddr") or os.environ.get("PGHOSTADDR")
        host = said.get("host") or authority or os.environ.get("PGHOST")
        names = (address or host or "").split(",")  # where both are, libpq goes there
        return all(_is_here(name) for name in names)


def _is_here(host: str) -> bool:
    """Whether a host of libpq, which may have a port, is this machine.

    Examples
    --------
    >>> [_is_here(host) for host in ("", "/run/postgresql", "[::1]:5432", "127.0.0.1")]
    [True, True, True, True]
    >>> _is_here("db.example.org:5432")
    False
    """
    host = re.sub(r":\d*$", "", host) if host.count(":") == 1 or "]" in host else host
    if not host or host.startswith(("/", "@")) or host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_address(path: str | Path) -> bool:
    """Whether a text is the address of a table in a database and not a file.

    Examples
    --------
    >>> is_address("sqlite:///clinic.db::patients"), is_address("clinic.csv")
    (True, False)
    """
    return isinstance(path, str) and SCHEME.match(path) is not None


def address_of(text: str) -> Address:
    """The parts of an address.

    What follows the first ``::`` is a table, or a query if it begins like one, to the
    letter. ``?table=`` and ``?query=`` say the same inside a URL, with % escapes.

    Examples
    --------
    >>> address_of("sqlite:///clinic.db::patients").table
    'patients'
    >>> found = address_of("postgresql://ann@db/clinic?table=public.patients")
    >>> found.database, found.schema, found.table
    ('postgresql://ann@db/clinic', 'public', 'patients')
    >>> address_of("sqlite:///clinic.db::select age from patients").query
    'select age from patients'
    """
    scheme = SCHEME.match(text)
    known = SCHEMES.get(scheme[1].lower()) if scheme else None
    if scheme is None or known is None:
        named = f"{scheme[1]}:// is no database that is known here. " if scheme else ""
        raise InputError(f"{named}{ADDRESSES}")
    if "\0" in text:
        raise InputError("An address holds no NUL character.")
    rest = text[scheme.end() :]
    found = _of_sqlite(rest) if known == "sqlite" else _of_postgresql(rest)
    if found.table is None and found.query is None:
        raise InputError(f"{found.database} names no table.", hint=ADDRESSES)
    return found


def _of_sqlite(rest: str) -> Address:
    base, mark, after = rest.partition("::")
    path, _, settings = base.partition("?")
    if not path.startswith("/") or len(path) == 1:
        raise InputError(
            "A file of SQLite is sqlite:///file.db, or with a fourth slash from the "
            "root.",
            hint=ADDRESSES,
        )
    address = Address("sqlite", path[1:])
    named, others = _settings(settings, after if mark else None)
    if others:
        raise InputError(f"{address.database} has settings that SQLite has not.")
    return _with_target(address, named, schemas=False)


def _of_postgresql(rest: str) -> Address:
    slash = rest.find("/")
    start = slash if slash >= 0 else rest.find("]") + 1  # [::1] is a host
    cut = rest.find("::", start)
    base, after = (rest, None) if cut < 0 else (rest[:cut], rest[cut + 2 :])
    place, _, settings = base.partition("?")
    authority, _, database = place.partition("/")
    _check_no_password(authority, database)
    named, others = _settings(settings, after)
    kept = "&".join(f"{name}={value}" for name, value in others.items())
    url = f"postgresql://{place}{'?' if kept else ''}{kept}"
    return _with_target(Address("postgresql", url), named, schemas=True)


def _check_no_password(authority: str, database: str) -> None:
    """Refuse a password, also one with marks that hide where it ends."""
    user, _, host = authority.rpartition("@")
    port = re.search(r":([^\]:]*)$", host)
    odd_port = port is not None and not re.fullmatch(r"\d*(,.*)?", port[1])
    if ":" in user or "@" in user or odd_port or set("@/:") & set(database):
        raise _password_error()


def _password_error() -> InputError:
    return InputError(
        "The address holds a password, or something that can be taken for one; "
        "others see it in the list of processes and in the history.",
        hint="Leave it out, and give it in PGPASSWORD, MICROCELL_DB_PASSWORD or "
        "~/.pgpass.",
    )


def _settings(text: str, after: str | None) -> tuple[dict[str, str], dict[str, str]]:
    """What names the table, and the settings of the connection, still escaped."""
    named: dict[str, str] = {}
    others: dict[str, str] = {}
    while text:
        name, _, value = text.partition("=")
        if name == "query":  # to the end: SQL has & too
            named[name], text = unquote(value), ""
            continue
        value, _, text = value.partition("&")
        if name.lower() in PASSWORDS:
            raise _password_error()
        if name == "table":
            named[name] = unquote(value)
        elif name in LIBPQ_SETTINGS:
            others[name] = value
        else:
            raise InputError(
                "An address has a setting that is not known.",
                hint=f"There are table, query and {', '.join(sorted(LIBPQ_SETTINGS))}.",
            )
    if after is not None:
        named["after"] = after
    if len(named) > 1:
        raise InputError("An address names one table or one query.", hint=ADDRESSES)
    return named, others


def _with_target(address: Address, named: dict[str, str], schemas: bool) -> Address:
    for how, text in named.items():
        if how == "query" or (how == "after" and QUERY_BEGINS.match(text)):
            query = text.strip().rstrip(";").rstrip()
            return replace(address, query=query) if query else address
        names = _names(text) if schemas or text.startswith('"') else [text]
        if not text or names is None or len(names) > (2 if schemas else 1):
            raise InputError(
                f"{text!r} is no name of a table.",
                hint='Put a name with other marks in quotes: "a.b".',
            )
        return replace(
            address, table=names[-1], schema=names[0] if len(names) > 1 else None
        )
    return address


def _names(text: str) -> list[str] | None:
    """The names of a dotted one; None if it is none.

    Examples
    --------
    >>> _names('public."a.b"'), _names("a..b")
    (['public', 'a.b'], None)
    """
    names, at = [], 0
    while found := NAME_PART.match(text, at):
        names.append(found[1].replace('""', '"') if found[1] else found[2])
        at = found.end()
        if at == len(text):
            return names
        if text[at] != ".":
            return None
        at += 1
    return None
