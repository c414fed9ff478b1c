"""The command line: reads files, calls the library, shows what it says."""

__all__ = ["main"]

RARELY = 50_000  # new objects, for what is imported stays and need not be looked at


def main() -> None:
    """Run the command line; an interrupt ends it cleanly from the first moment."""
    import gc

    leave_no_core()
    from microcell.cli._signals import end_on_signals

    end_on_signals()  # before the imports, which take most of a second
    gc.set_threshold(RARELY)
    from microcell.cli._app import run

    run()


def leave_no_core() -> None:
    """Let a crash write no file of the memory, which holds records; workers inherit it.

    Not every system has such a limit.
    """
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
