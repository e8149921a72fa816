"""What is spoken of a document: which sentences, with which pauses, and in which tasks?"""

from tts_pipeline.text.batches import batches
from tts_pipeline.text.items import items
from tts_pipeline.text.normalise import normalise
from tts_pipeline.text.options import PauseOptions, SplittingOptions

__all__ = ["PauseOptions", "SplittingOptions", "batches", "items", "normalise"]
