"""What is done to a chapter so that it is as loud as every other?

A chapter that says little takes the gain of its voice, for which the voice is asked to say some numbers. It is asked
once; what came of it lies in the store, so that all workers encode with the same.
"""

from __future__ import annotations

import hashlib
import json

from queue_core import begin_step
from tts_pipeline.assemble import ChapterSound, Leveling
from tts_pipeline.audio.codec import CodecSettings
from tts_pipeline.audio.leveling import LEAST_SECONDS, chapter_gain, reference
from tts_pipeline.audio.loudness import Loudness
from tts_pipeline.casting import voice_settings
from tts_pipeline.engines.registry import engine
from tts_pipeline.errors import StoreFailed
from tts_pipeline.stages.deaths import deaths_of
from tts_pipeline.stages.desk import Desk
from tts_pipeline.store import address

VERSION = 1
"""Raised when a voice is asked to say something else."""
_ASKING_SECONDS = 120.0


def leveling_of(desk: Desk, chapter: ChapterSound, settings: CodecSettings) -> Leveling:
    """Return what brings a chapter to the loudness of all."""
    parts = [
        (Loudness.from_text(made.loudness) if made else None, item.pause_ms)
        for item, made in zip(chapter.items, chapter.renditions, strict=True)
    ]
    spoken = sum(loudness.seconds for loudness, _ in parts if loudness)
    voice = _reference(desk) if 0 < spoken < LEAST_SECONDS else None
    return Leveling(chapter_gain(parts, settings, voice), limit=True)


def _reference(desk: Desk) -> Loudness | None:
    """Return how loud the book's own voice is; None where it can't say: then the chapter's few words have to do."""
    step = desk.manifest.item_count  # the items before have their own
    if deaths_of(desk.task)[step]:
        return None
    begin_step(step, timeout_seconds=_ASKING_SECONDS)
    try:
        return _remembered(desk)
    except StoreFailed:
        raise
    except Exception:  # noqa: BLE001 (an engine may raise anything; a chapter can be encoded without it)
        return None


def _remembered(desk: Desk) -> Loudness | None:
    speech, role = desk.manifest.settings.speech, desk.manifest.cast[desk.manifest.language]
    speaker, how = engine(role.engine), voice_settings(role, speech)
    parts = [VERSION, role.engine, speaker.fingerprint(), how.model_dump(mode="json"), speech.sample_rate]
    key = address("voices", hashlib.sha256(json.dumps(parts).encode()).hexdigest(), ".loudness")
    if desk.store.has(key):
        return Loudness.from_text(desk.store.get(key).decode())
    found = reference(speaker, how, speech.sample_rate)
    if found is None:
        return None
    kept = found.to_text()
    if not desk.store.add(key, kept.encode()):
        kept = desk.store.get(key).decode()  # another worker was faster
    return Loudness.from_text(kept)  # less exact than what was found, and the same for all
