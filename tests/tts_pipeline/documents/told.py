"""What a document says, in short."""

from tts_pipeline.book import Document


def titles(document: Document) -> list[str]:
    return [chapter.title for chapter in document.chapters]


def told(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for chapter in document.chapters for block in chapter.blocks]


def words(document: Document) -> list[str]:
    return [text for _, text in told(document)]
