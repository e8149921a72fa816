"""How do the waiting threads of this process hear what other machines commit to PostgreSQL?"""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Callable
from typing import Any

import psycopg

from queue_core.backends.postgres_sql import CHANNEL
from queue_core.backends.signal import Signal

_RECONNECT_SECONDS = 1.0
_START_SECONDS = 5.0


class ListenSignal(Signal):
    """Passes on NOTIFY, from a thread that starts with the first wait."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        super().__init__()
        self._connect = connect
        self._starting = threading.Lock()
        self._is_listening = threading.Event()
        self._closing = threading.Event()
        self._ending, self._end = socket.socketpair()
        self._thread: threading.Thread | None = None

    def seen(self) -> int:
        """Whoever asks is about to wait: what is committed from now on must be heard."""
        with self._starting:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name="queue_core-listen", daemon=True)
                self._thread.start()
                self._is_listening.wait(_START_SECONDS)
        return self._count

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._listen()
            except psycopg.Error:
                # Polling goes on meanwhile; after a reconnect everyone looks once more.
                self._is_listening.set()
                self._closing.wait(_RECONNECT_SECONDS)

    def _listen(self) -> None:
        with self._connect() as connection, selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(self._ending, selectors.EVENT_READ)
            connection.execute(f"LISTEN {CHANNEL}")
            self._is_listening.set()
            self.notify()
            while not self._closing.is_set():
                selector.select()
                if _heard(connection):
                    self.notify()

    def close(self) -> None:
        self._closing.set()
        self._end.send(b"x")
        if self._thread is not None:
            self._thread.join(_START_SECONDS)
        self._ending.close()
        self._end.close()


def _heard(connection: psycopg.Connection[Any]) -> bool:
    connection.pgconn.consume_input()
    heard = False
    while connection.pgconn.notifies():
        heard = True
    return heard
