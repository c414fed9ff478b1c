"""Connections that bring no request: they wait for a time, and not too many of them.

Anybody on the machine can open connections. Those that send nothing, or half a request,
must not keep the owner out.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0  # in which the head of a request comes whole
MAX_WAITING_CONNECTIONS = (
    100  # connections without a whole head; of more the oldest goes
)


class Connection(H11Protocol):
    """A connection that ends if no request comes.

    Of too many that wait the oldest ends: the head of a request of the page is there in
    moments, so that who only waits does not keep it out.
    """

    _waiting: dict[Connection, asyncio.TimerHandle]

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._note()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._note()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wait_no_more()

    def _note(self) -> None:
        """Have the time limit, if no request is under way."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_more()
        elif self not in self._waiting and not self.transport.is_closing():
            limit = self.loop.call_later(HEAD_SECONDS, self.transport.abort)
            self._waiting[self] = limit
            if len(self._waiting) > MAX_WAITING_CONNECTIONS:
                oldest = next(iter(self._waiting))
                oldest._wait_no_more()  # the next of a burst ends another one
                oldest.transport.abort()

    def _wait_no_more(self) -> None:
        limit = self._waiting.pop(self, None)
        if limit is not None:
            limit.cancel()


def connections() -> type[Connection]:
    """The protocol of one server, which counts those that wait at it."""
    return type("Connection", (Connection,), {"_waiting": {}})
