"""What does a worker run?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from queue_core import Handler
from tts_pipeline.orders import ENCODE, PUBLISH, RENDER

if TYPE_CHECKING:
    from tts_pipeline.store import Store


def handlers(store: str) -> Callable[[], dict[str, Handler]]:
    """Return what makes the handlers in each worker process, where codecs and voices are loaded."""
    return partial(_handlers, store)


def _handlers(place: str) -> dict[str, Handler]:
    from tts_pipeline.store import Store  # noqa: PLC0415 (it belongs to the child process)

    return made(Store.open(place))


def made(store: Store) -> dict[str, Handler]:
    """Return the handlers of one process."""
    from tts_pipeline.stages.encoding import EncodeStage  # noqa: PLC0415 (codecs belong to the child process)
    from tts_pipeline.stages.publishing import PublishStage  # noqa: PLC0415
    from tts_pipeline.stages.rendering import RenderStage  # noqa: PLC0415

    # Chapters and books are taken singly: no worker is to sit on one that another could begin.
    return {
        RENDER: Handler(RenderStage(store)),
        ENCODE: Handler(EncodeStage(store), size=1),
        PUBLISH: Handler(PublishStage(store), size=1),
    }
