"""What does a worker run?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from queue_core import Handler
from tts_pipeline.orders import ENCODE, PUBLISH, RENDER, Effort

if TYPE_CHECKING:
    from tts_pipeline.store import Store


_BEGINNING_SECONDS = 300.0
"""How long a task may take to load its voice; then each sentence has a time of its own."""


def handlers(store: str, effort: Effort) -> Callable[[], dict[str, Handler]]:
    """Return what makes the handlers in each worker process, where codecs and voices are loaded."""
    return partial(_handlers, store, effort)


def _handlers(place: str, effort: Effort) -> dict[str, Handler]:
    from tts_pipeline.store import Store  # noqa: PLC0415 (it belongs to the child process)

    return made(Store(place), effort)


def made(store: Store, effort: Effort) -> dict[str, Handler]:
    """Return the handlers of one process."""
    from tts_pipeline.stages.encoding import EncodeStage  # noqa: PLC0415 (codecs belong to the child process)
    from tts_pipeline.stages.patience import Patient  # noqa: PLC0415
    from tts_pipeline.stages.publishing import BINDING_SECONDS, PublishStage  # noqa: PLC0415
    from tts_pipeline.stages.rendering import RenderStage  # noqa: PLC0415

    # Chapters and books are taken singly: no worker is to sit on one that another could begin.
    return {
        RENDER: Handler(Patient(RenderStage(store, effort)), timeout_seconds=_BEGINNING_SECONDS),
        ENCODE: Handler(Patient(EncodeStage(store, effort)), size=1, timeout_seconds=_BEGINNING_SECONDS),
        PUBLISH: Handler(Patient(PublishStage(store, effort)), size=1, timeout_seconds=BINDING_SECONDS),
    }
