"""Both databases as tests use them: an address, and a client of its own."""

import sqlite3
from pathlib import Path

import pytest


class SQLite:
    """A file; the standard library is the client."""

    kind = "sqlite"

    def __init__(self, folder):
        self.file = Path(folder) / "clinic.db"
        self.run("CREATE TABLE kept (a INTEGER)")

    def address(self, target):
        return f"sqlite:///{self.file}::{target}"

    def run(self, sql):
        connection = sqlite3.connect(self.file, isolation_level=None)
        try:
            rows = [connection.execute(part) for part in sql.split(";\n")][-1]
            return [tuple(map(str, row)) for row in rows.fetchall()]
        finally:
            connection.close()

    def tables(self):
        found = self.run("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name for (name,) in found} - {"kept"}

    def wait_until_alone(self):
        """Nobody else is there once a process has ended."""


class PostgreSQL:
    """A database of the server that the tests started; psql is the client."""

    kind = "postgresql"

    def __init__(self, server):
        self.server, self.name = server, server.emptied()

    def address(self, target, user=None):
        options = {} if user is None else {"user": user}
        return f"{self.server.url(self.name, **options)}::{target}"

    def run(self, sql):
        return self.server.run(self.name, sql)

    def tables(self):
        sql = (
            "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace"
            " WHERE nspname NOT LIKE 'pg_toast%' AND nspname <> 'pg_catalog'"
            " AND nspname <> 'information_schema' AND relkind = 'r'"
        )
        return {name for (name,) in self.run(sql)}

    def wait_until_alone(self):
        """Until the server has noticed that a client is gone."""
        others = (
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid()"
        )
        while self.run(others):
            pass


BOTH = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
