"""What does a document say, in which chapters and paragraphs, and where does each of them stand?"""

from tts_pipeline.documents.formats import ENDINGS
from tts_pipeline.documents.options import Limits, Notes, ReadingOptions
from tts_pipeline.documents.reading import read
from tts_pipeline.documents.together import read_as_one

__all__ = ["ENDINGS", "Limits", "Notes", "ReadingOptions", "read", "read_as_one"]
