"""The command line: reads files, calls the library, shows what it says."""

__all__ = ["main"]


def main() -> None:
    """Run the command line; an interrupt ends it cleanly from the first moment."""
    from microcell.cli._signals import end_on_signals

    end_on_signals()  # before the imports, which take most of a second
    from microcell.cli._app import run

    run()
