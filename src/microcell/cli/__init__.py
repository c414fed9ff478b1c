"""The command line: reads files, calls the library, shows what it says."""

from microcell.cli._app import main

__all__ = ["main"]
