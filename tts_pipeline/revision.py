"""How does a revision of a book get into the store?"""

from __future__ import annotations

from tts_pipeline.book_settings import BookSettings
from tts_pipeline.drafting import Draft
from tts_pipeline.manifest import ChapterHead, Manifest, Source, put_cover, put_items, put_manifest
from tts_pipeline.store import Store


def write_revision(store: Store, drafted: Draft, source: Source, settings: BookSettings) -> str:
    """Write all that a revision is made of, and return where its head lies; it outlives a power cut."""
    heads, first = [], 0
    for title, items in drafted.chapters:
        heads.append(
            ChapterHead(
                title=title,
                items_key=put_items(store, items),
                first_item=first,
                item_count=len(items),
                sentence_count=sum(item.is_heard for item in items),
            )
        )
        first += len(items)
    cover = put_cover(store, drafted.cover) if drafted.cover else None
    head = Manifest(
        title=drafted.title,
        author=drafted.author,
        language=drafted.language,
        cover_key=cover,
        source=source,
        settings=settings,
        cast=drafted.cast,
        chapters=tuple(heads),
    )
    key = put_manifest(store, head)
    store.sync({key, *(head.items_key for head in heads), *([cover] if cover else [])})
    return key
