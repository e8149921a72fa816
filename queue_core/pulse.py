"""How does a worker stay alive in the eyes of the queue while its handlers work?"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from queue_core.errors import BackendUnavailable
from queue_core.ledger import LATEST, Ledger
from queue_core.logs import log

logger = logging.getLogger(__name__)
_LOOK_SECONDS = 1.0
"""How often it looks whether a handler has told something, and whether its task is still wanted."""
_NEWS_SECONDS = 2.0
"""How soon the registry hears of another load."""


class Pulse:
    """A thread that reports what handlers can't: late reports, heartbeats, and that the worker is there."""

    def __init__(self, ledger: Ledger, sign: Callable[[], None], every: float) -> None:
        self._ledger, self._sign, self._every = ledger, sign, every
        self._wake = threading.Event()
        self._is_over = False
        self._beaten = self._signed = self._looked = time.monotonic()
        self._signed_load = 0
        self.is_away = self._dozes = False
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Let it look again how long it may wait, for there is something to report; costs nothing where it will."""
        if self._dozes:
            self._dozes = False  # once is enough
            self._wake.set()

    def hurry(self) -> None:
        """Give a sign of life at once: there is news about this worker itself."""
        self._signed = float("-inf")
        self._wake.set()

    def stop(self) -> None:
        """End, after all else has."""
        self._is_over = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over:
            self._dozes = True  # before it looks: news that come in between wake it
            patience = self._patience()
            self._dozes = patience > LATEST
            self._wake.wait(patience)
            self._wake.clear()
            try:
                self._step()
            except BackendUnavailable as error:
                self._note_outage(error)
            except Exception:  # a pulse that ends would let others take over what still runs here
                logger.exception("the pulse of a worker stumbled")
                time.sleep(_LOOK_SECONDS)

    def _step(self) -> None:
        if self._ledger.is_draining:
            self._ledger.give_back()
        if self._ledger.is_due():
            self._ledger.flush()
        now = time.monotonic()
        if now - self._beaten >= self._beat_interval():
            self._ledger.beat()
            self._beaten = self._looked = now
        elif now - self._looked >= _LOOK_SECONDS:
            self._ledger.look()
            self._looked = now
        if now - self._signed >= self._sign_interval():
            self._signed_load = self._ledger.load()
            self._sign()
            self._signed = now
        if self.is_away:
            self.is_away = False
            log(logger, logging.WARNING, "the store is back")

    def _beat_interval(self) -> float:
        """Often enough that one lost heartbeat costs no task; sooner where a handler has something to tell."""
        usual = min(self._every, self._ledger.visibility_timeout() / 4)
        is_news = any(not running.is_told for running in self._ledger.running())
        return min(usual, _LOOK_SECONDS) if is_news else usual

    def _sign_interval(self) -> float:
        """Sooner than usual where its load is not as the registry has it."""
        return self._every if self._ledger.load() == self._signed_load else min(self._every, _NEWS_SECONDS)

    def _patience(self) -> float:
        if self._ledger.has_news():
            return LATEST
        left = min(self._beaten + self._beat_interval(), self._signed + self._sign_interval()) - time.monotonic()
        return max(0.0, min(left, _LOOK_SECONDS))

    def _note_outage(self, error: BackendUnavailable) -> None:
        if not self.is_away:
            log(logger, logging.WARNING, "the store is away", reason=str(error))
        self.is_away = True
        time.sleep(_LOOK_SECONDS)
