"""How does a sentence become a clip in the store, once and for all?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from tts_pipeline.audio import edit
from tts_pipeline.audio.clips import Sound, from_flac, to_flac
from tts_pipeline.audio.loudness import measure
from tts_pipeline.audio.quality import check
from tts_pipeline.book import Item
from tts_pipeline.book_settings import Speech
from tts_pipeline.casting import Role, prove, voice_settings
from tts_pipeline.engines import Clip, registry
from tts_pipeline.errors import DamagedFile, NotStored, UnusableVoice
from tts_pipeline.shelf.rows import Rendition
from tts_pipeline.store import Store, address

VERSION = 1
"""Raised when the same clip would lie under another key, or be another."""


def clip_key(text: str, role: Role, speech: Speech, fingerprint: str, take: int = 0) -> str:
    """Return where the clip of a text lies: whatever may change its sound is part of it."""
    parts = [
        VERSION,
        edit.VERSION,
        text,
        role.language,
        role.engine,
        fingerprint,
        role.voice,
        *(speech.rate, speech.pitch, speech.volume, speech.sample_rate),
        take,
    ]
    return address("clips", hashlib.sha256(json.dumps(parts).encode()).hexdigest(), ".flac")


@dataclass(frozen=True)
class Renderer:
    """Renders the items of one book; what is stored whole is not rendered again."""

    store: Store
    speech: Speech
    cast: dict[str, Role]
    fallback_engine: str | None = None

    def load(self, languages: Iterable[str]) -> None:
        """Have what speaks these languages load what it needs, where it stays loaded; what fails will fail by itself.

        A program starts anew for each text, so there is nothing to load.
        """
        for role in {self.cast[language] for language in languages}:
            if not role.engine.startswith(registry.COMMAND):
                with suppress(UnusableVoice):
                    prove(role, self.speech)

    def rendition(self, item: Item) -> Rendition:
        """Return an item's clip, made now where there is none; raises what its engine does, BadClip, StoreFailed."""
        return self._spoken(item, self.cast[item.language])

    def by_fallback(self, item: Item) -> Rendition:
        """Return an item's clip by the engine that speaks what the other can't; raises UnusableVoice without one."""
        own = self.cast[item.language].engine
        if self.fallback_engine is None or self.fallback_engine == own:
            raise UnusableVoice(own, "there is no other engine to fall back to")
        return self.by_engine(item, self.fallback_engine)

    def by_engine(self, item: Item, name: str) -> Rendition:
        """Return an item's clip by a certain engine; with the book's own voice, if it is the book's own engine."""
        role = self.cast[item.language]
        return self._spoken(item, role if name == role.engine else Role(engine=name, language=item.language))

    def stored(self, item: Item) -> Rendition | None:
        """Return an item's clip if the store has it; nothing is rendered."""
        role = self.cast[item.language]
        try:
            key = self._key(item, role)
        except UnusableVoice:
            return None
        sound = self._stored(key)
        return _rendition(key, sound, role) if sound else None

    def _spoken(self, item: Item, role: Role) -> Rendition:
        key = self._key(item, role)
        sound = self._stored(key)
        if sound is None:
            made = registry.engine(role.engine).synthesize(item.said, voice_settings(role, self.speech, item.take))
            check(made, item.said, self.speech.rate)
            sound = self._put(key, edit.fitted(made, self.speech.sample_rate))
        return _rendition(key, sound, role)

    def _key(self, item: Item, role: Role) -> str:
        fingerprint = registry.fingerprint(role.engine, voice_settings(role, self.speech))
        return clip_key(item.said, role, self.speech, fingerprint, item.take)

    def _stored(self, key: str) -> Sound | None:
        """Return what is there and whole; what a power cut left of a file counts as absent."""
        try:
            return from_flac(self.store.get(key), name=key)
        except (NotStored, DamagedFile):
            return None

    def _put(self, key: str, clip: Clip) -> Sound:
        """Store a clip; where another worker was faster its clip counts, as a chapter may be made of it already."""
        sound = Sound(clip.samples, clip.rate)
        if self.store.add(key, to_flac(sound)):
            return sound
        others = self._stored(key)
        if others is not None:
            return others
        self.store.put(key, to_flac(sound))
        return sound


def _rendition(key: str, sound: Sound, role: Role) -> Rendition:
    return Rendition(key, sound.checksum, len(sound.samples), role.engine, measure(sound).to_text())
