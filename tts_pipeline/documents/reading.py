"""What does the document in this file say?"""

from __future__ import annotations

import hashlib
from pathlib import Path

from tts_pipeline.book import Document
from tts_pipeline.documents.formats import format_of
from tts_pipeline.documents.options import DEFAULT, ReadingOptions
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.documents.source import opened
from tts_pipeline.errors import UnreadableDocument


def read(path: Path, options: ReadingOptions = DEFAULT) -> Document:
    """Read a document, of the kind that it is; raises UnreadableDocument with one sentence that says why not."""
    try:
        source = opened(path, options.limits)
        return _with_text(format_of(source).read(source, options))
    except Refused as refused:
        raise UnreadableDocument(str(path), str(refused)) from refused
    except (MemoryError, RecursionError) as error:
        raise UnreadableDocument(str(path), "reading it takes more memory than there is") from error


def _with_text(document: Document) -> Document:
    blocks = (block for chapter in document.chapters for block in chapter.blocks)
    if not any(character.isalnum() for block in blocks for character in block.text):
        raise Refused("it has no text")
    return document


def digest_of(path: Path, options: ReadingOptions = DEFAULT) -> str:
    """Return the SHA-256 of a file; raises UnreadableDocument where there is none to read."""
    try:
        opened(path, options.limits)
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except Refused as refused:
        raise UnreadableDocument(str(path), str(refused)) from refused
    except OSError as error:
        raise UnreadableDocument(str(path), f"it can't be opened: {error.strerror or error}") from error
