"""Memory that a step no longer needs, given back before the next one takes more."""

import pyarrow as pa


def give_back():
    """Let Arrow return what it holds and does not use to the system.

    polars shares the text that Arrow read; when the last column of it is gone, Arrow
    still keeps the room for more text, which the numbers cannot use.
    """
    pa.default_memory_pool().release_unused()
