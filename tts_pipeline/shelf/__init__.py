"""Which books are there, and how far is each of them?"""

from tts_pipeline.shelf.rows import Batch, Book, EncodedRow, Failure, Publication, Rendition
from tts_pipeline.shelf.shelf import Shelf

__all__ = ["Batch", "Book", "EncodedRow", "Failure", "Publication", "Rendition", "Shelf"]
