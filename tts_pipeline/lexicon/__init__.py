"""What is said instead of what is written, where a voice would get it wrong?"""

from tts_pipeline.lexicon.entry import Case, Entry
from tts_pipeline.lexicon.errors import BadLexicon
from tts_pipeline.lexicon.lexicon import Lexicon
from tts_pipeline.lexicon.reading import read_lexicon

__all__ = ["BadLexicon", "Case", "Entry", "Lexicon", "read_lexicon"]
