"""Who speaks a text, and how is that asked for?"""

from tts_pipeline.engines.base import ANY_LANGUAGE, Clip, Engine, Voice, VoiceSettings, Word
from tts_pipeline.engines.registry import Availability, auto, available, engine

__all__ = [
    "ANY_LANGUAGE",
    "Availability",
    "Clip",
    "Engine",
    "Voice",
    "VoiceSettings",
    "Word",
    "auto",
    "available",
    "engine",
]
