"""What the server's libraries would write to the terminal: no value of a record."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Iterator

from microcell.app._errors import error_of

LOGGERS = ("uvicorn", "asyncio")


class Discreet(logging.Handler):
    """Says of an error which it was and where; requests are nobody's business."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            print(f"error: {error_of(error)['message']}", file=sys.stderr)


@contextlib.contextmanager
def discreet_logs() -> Iterator[None]:
    """Let the libraries' logs be discreet within the block."""
    handler, kept = Discreet(), []
    for name in LOGGERS:
        logger = logging.getLogger(name)
        kept.append((logger, logger.propagate))
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, propagate in kept:
            logger.removeHandler(handler)
            logger.propagate = propagate
