"""What happened, told to every page that is open, as server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

HEARTBEAT = 15.0  # seconds
MAX_QUEUED_EVENTS = 1000  # events; a page that takes none is cut off and asks anew
MAX_LISTENING_PAGES = 32


class Broadcast:
    """Pages that listen, and what they are told."""

    def __init__(self) -> None:
        self._queues: list[asyncio.Queue[dict[str, Any] | None]] = []

    def tell(self, kind: str, **more: Any) -> None:
        """Tell every page."""
        for queue in list(self._queues):
            if queue.full():
                self._cut_off(queue)
            else:
                queue.put_nowait({"type": kind, **more})

    def close(self) -> None:
        """End every stream."""
        for queue in list(self._queues):
            self._cut_off(queue)

    def _cut_off(self, queue: asyncio.Queue[dict[str, Any] | None]) -> None:
        self._queues.remove(queue)
        while queue.full():
            queue.get_nowait()
        queue.put_nowait(None)

    async def stream(self) -> AsyncIterator[str]:
        """What one page gets, from now on."""
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(MAX_QUEUED_EVENTS)
        if len(self._queues) >= MAX_LISTENING_PAGES:
            self._cut_off(self._queues[0])
        self._queues.append(queue)
        try:
            yield ": here\n\n"
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event is None:
                    return
                yield f"data: {json.dumps(event, default=str)}\n\n"
        finally:
            if queue in self._queues:
                self._queues.remove(queue)
