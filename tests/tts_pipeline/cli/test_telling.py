"""People are told what happens in their own words: of which book, and counted from one."""

import logging

import pytest

from queue_core.logs import log
from tts_pipeline.cli.outage import Outage
from tts_pipeline.cli.telling import Teller, told
from tts_pipeline.stages.patience import AWAY

QUEUE, STAGES = logging.getLogger("queue_core.journal"), logging.getLogger("tts_pipeline.stages.patience")


@pytest.fixture
def lines():
    heard = []
    with told(Teller(heard.append, Outage(20), lambda task_id: f"Book of {task_id}: ")):
        yield heard


def test_a_step_is_named_as_a_sentence_counted_from_one(lines):
    log(QUEUE, logging.WARNING, "worker killed", tasks=["7"], reason="timed out after 30 s at step 11")
    assert lines == ["Book of 7: a worker was ended: timed out after 30 s at sentence 12"]


def test_retries_and_discards_are_told_with_their_book(lines):
    log(QUEUE, logging.WARNING, "task failed and will be tried again", task_id="7", reason="broken")
    log(QUEUE, logging.ERROR, "task discarded", task_id="8", reason="broken")
    log(QUEUE, logging.INFO, "task completed", task_id="9")
    assert lines == ["Book of 7: will be tried again: broken", "Book of 8: given up: broken"]


def test_what_is_away_is_told_once_whoever_says_so(lines):
    log(STAGES, logging.WARNING, AWAY, task_id="7", reason="/store/a.flac: No space left on device")
    log(STAGES, logging.WARNING, AWAY, task_id="8", reason="/store/b.flac: No space left on device")
    log(QUEUE, logging.WARNING, "the store is away", reason="sqlite:///queue.db: disk full")
    assert lines == ["/store/a.flac: No space left on device; waiting for it"]
