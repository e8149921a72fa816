"""How is a priority written on a command line?"""

from __future__ import annotations

from collections.abc import Iterable

from queue_core.console.parameters import Word


def _level(word: str) -> int | str:
    from queue_core.config import QueueConfig

    config, text = QueueConfig(), word.lower()
    level = int(text) if text.removeprefix("-").isdecimal() else text
    if config.level(level) is None:
        raise ValueError(f"{word!r} is not one of {config.known_priorities()}")
    return level


def _labels() -> Iterable[str]:
    from queue_core.config import QueueConfig

    return QueueConfig().priorities


LEVEL = Word("PRIORITY", _level, _labels)
