"""What does the tts-pipeline.toml in a watched folder say of the books in it, and in the folders below?"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from queue_core import QueueConfig
from queue_core.console.failed import Failed
from tts_pipeline.engines.registry import COMMAND
from tts_pipeline.errors import BadSetting
from tts_pipeline.settings import LAYERS, Settings

SETTINGS_FILE = "tts-pipeline.toml"
_OWN = frozenset({"series", "title", "author", "priority"})
_OF_BOOKS = frozenset(
    {
        *("engine", "voice", "rate", "pitch", "volume", "fallback_engine", "sample_rate", "language", "notes", "verse"),
        *("longest", "format", "bit_rate", "encoding", "normalize", "lexicon"),
        *(name for name in Settings.model_fields if name.startswith("pause_")),
    }
)
"""What a folder may decide: not where things are kept, nor which programs run."""
_PRIORITIES = tuple(QueueConfig().priorities)


@dataclass(frozen=True)
class FolderSettings:
    """What holds for the books of one folder."""

    settings: Settings
    is_series: bool = False
    """Whether its files are the chapters of one book."""
    title: str | None = None
    author: str | None = None
    priority: str = "normal"
    said: Mapping[str, Any] = field(default_factory=dict)
    """What folders said of the settings, by field: what is below counts more."""

    @cached_property
    def digest(self) -> str:
        """What is the same for the same books; who works on them, and who is told, does not count."""
        book = self.settings.book_settings(self.title, self.author, as_one=self.is_series)
        files = [each.model_dump(mode="json") for each in self.settings.publishings()]
        said = [book.model_dump(mode="json"), files, self.priority]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def below(above: FolderSettings, folder: Path) -> FolderSettings:
    """Return what holds in a folder, given what holds in the one that it is in; raises BadSetting."""
    file = folder / SETTINGS_FILE
    said = _read(file)
    if not said:
        return replace(above, is_series=False, title=None)  # a folder in a series is none, nor has it its title
    own = {name: value for name, value in said.items() if name in _OWN}
    rest = {name: _placed(name, value, folder) for name, value in said.items() if name not in _OWN}
    for name, value in said.items():
        _check(name, value, file)
    merged = {**above.said, **rest}
    return FolderSettings(
        settings=_checked(above.settings, merged, file),
        is_series=own.get("series", False),
        title=own.get("title"),
        author=own.get("author", above.author),
        priority=own.get("priority", above.priority),
        said=merged,
    )


def _read(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(str(file), f"is no TOML: {error}") from error
    except OSError as error:
        raise BadSetting(str(file), f"can't be read: {error.strerror}") from error
    return {key.replace("-", "_"): value for key, value in found.items()}


def _placed(name: str, value: Any, folder: Path) -> Any:
    """Return a value; a path is meant from the folder where it is written."""
    return str(folder / value) if name == "lexicon" and isinstance(value, str) else value


def _check(name: str, value: Any, file: Path) -> None:
    key = f"{name.replace('_', '-')} in {file}"
    if name not in _OWN | _OF_BOOKS:
        known = ", ".join(sorted(each.replace("_", "-") for each in _OWN | _OF_BOOKS))
        raise BadSetting(key, f"is nothing that a folder can set: known are {known}")
    if name == "series" and not isinstance(value, bool):
        raise BadSetting(key, f"must be true or false, not {value!r}")
    if name in {"title", "author"} and not (isinstance(value, str) and value.strip()):
        raise BadSetting(key, f"must be text, not {value!r}")
    if name == "priority" and value not in _PRIORITIES:
        raise BadSetting(key, f"must be one of {', '.join(_PRIORITIES)}, not {value!r}")
    if name in {"engine", "fallback_engine"} and str(value).startswith(COMMAND):
        raise BadSetting(key, "a folder can't name programs to run: set it where tts-pipeline is started")


def _checked(base: Settings, said: Mapping[str, Any], file: Path) -> Settings:
    try:
        return LAYERS.check({**base.model_dump(), **said})
    except Failed as error:
        raise BadSetting(str(file), error.message) from error
