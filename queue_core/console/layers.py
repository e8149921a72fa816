"""Which of flag, environment, file and default decides about a setting?"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from queue_core.console.failed import BadSetting, Refused
from queue_core.console.refusals import refusal

S = TypeVar("S", bound=BaseModel)

Place = Callable[[str], str]
"""Gives what people know a setting by, in the layer that they wrote it in."""


@dataclass(frozen=True)
class Found(Generic[S]):
    """The settings, and where each that was set comes from: flag, environment or file."""

    settings: S
    origins: Mapping[str, str]
    """By field; what is not in it has its default."""


@dataclass(frozen=True)
class _Layer:
    """What one place says, by field."""

    origin: str
    values: Mapping[str, Any]
    place: Place


@dataclass(frozen=True)
class Layers(Generic[S]):
    """The ways to set the flat settings of a program; of a text the model alone knows how it is read.

    A setting is written as bit-rate in the file, PREFIX_BIT_RATE in the environment, --bit-rate in a flag.
    """

    model: type[S]
    prefix: str
    """How the names of all its variables begin: QUEUECTL_."""
    short: Mapping[str, str] = field(default_factory=dict)
    """The name of a field's option, where it is shorter than the setting; there is a variable of that name too."""
    other_variables: frozenset[str] = frozenset()
    """Variables with the prefix that are no settings."""

    def look_up(self, file: Path, flags: Mapping[str, Any]) -> Found[S]:
        """Read the file and the environment, and lay over them what flags say, by field; None says nothing.

        Raises BadSetting for the first value that is wrong, under the name that it has where it was written.
        """
        layers = list(self._layers(file, {name: value for name, value in flags.items() if value is not None}))
        for layer in layers:
            self._check_each(layer)
        merged = {name: value for layer in layers for name, value in layer.values.items()}
        origins = {name: layer.origin for layer in layers for name in layer.values}
        return Found(self.check(merged), origins)

    def keys(self) -> dict[str, str]:
        """Return the names of the settings as people write them, each with its field."""
        return {_key(name): name for name in self.model.model_fields}

    def field_of(self, key: str) -> str:
        """Return the field that a key names; raises BadSetting naming those that there are."""
        name = self.keys().get(_key(key))
        if name is None:
            raise BadSetting(key, f"there is no such setting: known are {', '.join(self.keys())}")
        return name

    def check(self, values: Mapping[str, Any]) -> S:
        """Check values by field; raises BadSetting for the first that is wrong, under its key."""
        try:
            return self.model(**values)
        except ValidationError as error:
            name, reason = refusal(error)
            raise (BadSetting(_key(name), reason) if name else Refused(reason)) from error

    def _check_each(self, layer: _Layer) -> None:
        try:
            self.model(**layer.values)
        except ValidationError as error:
            name, reason = refusal(error)
            if name:  # else they do not go together, and another layer may yet change one of them
                raise BadSetting(layer.place(name), reason) from error

    def _layers(self, file: Path, flags: Mapping[str, Any]) -> Iterator[_Layer]:
        """Yield the layers, each lying over those before it."""
        said = {name.upper(): text for name, text in os.environ.items() if text}
        self._check_variables(said)
        yield _Layer("file", self._in_file(file), lambda name: f"{_key(name)} in {file}")
        for variable in (self._variable, self._short_variable):
            values = {name: said[variable(name)] for name in self.model.model_fields if variable(name) in said}
            yield _Layer("environment", values, variable)
        yield _Layer("flag", flags, lambda name: f"--{_key(self.short.get(name, name))}")

    def _in_file(self, file: Path) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in _read(file).items():
            name = self.keys().get(_key(key))
            if name is None:
                raise BadSetting(f"{key} in {file}", _unknown(_key(key), self.keys()))
            if name in values:
                raise BadSetting(f"{key} in {file}", "it is there twice, with - and with _")
            values[name] = value
        return values

    def _check_variables(self, said: Iterable[str]) -> None:
        """Refuse a mistyped name, which would say nothing in silence."""
        fields = self.model.model_fields
        known = {*map(self._variable, fields), *map(self._short_variable, fields), *self.other_variables}
        for name in sorted(said):
            if name.startswith(self.prefix) and name not in known:
                raise BadSetting(name, _unknown(name, sorted(known), self.prefix))

    def _variable(self, name: str) -> str:
        return f"{self.prefix}{name.upper()}"

    def _short_variable(self, name: str) -> str:
        return self._variable(self.short.get(name, name))


def _key(name: str) -> str:
    return name.replace("_", "-")


def _unknown(name: str, known: Iterable[str], prefix: str = "") -> str:
    """Say what was meant; what all names begin with says nothing about that."""
    alike = get_close_matches(name.removeprefix(prefix), [each.removeprefix(prefix) for each in known], 1)
    return "there is no such setting: " + (f"{prefix}{alike[0]} perhaps?" if alike else f"known are {', '.join(known)}")


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(str(file), f"is no TOML: {error}") from error
